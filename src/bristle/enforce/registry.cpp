#include <cmath>

#include "bristle/enforce/enforcement.h"

namespace bristle {

namespace {

const Unit kRate{"1/s", {0, 0, -1, 0}};

struct Lagrange {
  void visit(Visitor&) {}
  void fill(Enforcement&) const {}
};
struct Baumgarte {
  double alpha = 5, beta = 5;
  bool automatic = false;
  void visit(Visitor& v) {
    v("alpha", alpha, kRate, non_negative, "feedback of the rate of violation, 2 alpha");
    v("beta", beta, kRate, non_negative, "feedback of the violation, beta^2");
    v.flag("automatic", automatic, "alpha = 1/h and beta = sqrt(2)/h from the step h, in place of the two");
  }
  void fill(Enforcement& e) const { e.alpha = alpha, e.beta = beta, e.automatic = automatic; }
};
struct Penalty {
  double penalty = 1e7, omega = 10, mu = 1;
  void visit(Visitor& v) {
    v("penalty", penalty, unit::kilogram, positive, "fictitious mass that resists violation");
    v("omega", omega, kRate, non_negative, "natural frequency of violation");
    v("mu", mu, unit::one, non_negative, "damping ratio of violation");
  }
  void fill(Enforcement& e) const {
    e.penalty = penalty;
    e.alpha = mu * omega;
    e.beta = omega;
  }
};
struct Augmented : Penalty {
  int iterations = 3;
  double tolerance = 1e-10;
  void visit(Visitor& v) {
    Penalty::visit(v);
    v.integer("iterations", iterations, 1, 100, "most solutions per evaluation");
    v("tolerance", tolerance, Unit{"m/s^2", {1, 0, -2, 0}}, non_negative, "change of accelerations at which they end");
  }
  void fill(Enforcement& e) const {
    Penalty::fill(e);
    e.iterations = iterations;
    e.tolerance = tolerance;
  }
};
struct Corrected {
  double tolerance = 1e-12;
  bool plain = false;
  void visit(Visitor& v) {
    v("tolerance", tolerance, unit::one, positive, "largest violation that is left");
    v.flag("plain", plain, "corrections of least length of the coordinates, not of least kinetic energy");
  }
  void fill(Enforcement& e) const {
    e.corrects = true;
    e.position_tolerance = tolerance;
    e.plain_metric = plain;
  }
};
struct Partitioning {
  double tolerance = 1e-12;
  void visit(Visitor& v) { v("tolerance", tolerance, unit::one, positive, "largest violation that is left"); }
  void fill(Enforcement& e) const {
    e.completes = true;
    e.position_tolerance = tolerance;
  }
};
struct NullSpace {
  void visit(Visitor&) {}
  void fill(Enforcement& e) const { e.algebra = Enforcement::Algebra::null_space; }
};
struct PseudoInverse {
  void visit(Visitor&) {}
  void fill(Enforcement& e) const { e.algebra = Enforcement::Algebra::pseudo_inverse; }
};

template <class T>
EnforcementEntry entry(const char* name, const char* summary, const char* reference) {
  EnforcementEntry e{name, summary, reference};
  e.describe = [](Visitor& v) { T{}.visit(v); };
  e.make = [](Visitor& v) {
    T read;
    read.visit(v);
    Enforcement made;
    read.fill(made);
    return made;
  };
  return e;
}

}  // namespace

const EnforcementRegistry& enforcement_registry() {
  static const EnforcementRegistry registry = [] {
    constexpr const char* kSource = "Frictional Contacts in Multibody Dynamics, section 2.3";
    EnforcementRegistry r("enforcement");
    r.add(entry<Corrected>("projection", "multipliers, then positions and velocities corrected after every step (M8)", kSource));
    r.add(entry<Lagrange>("lagrange", "multipliers alone; violations grow (M1)", kSource));
    r.add(entry<Baumgarte>("baumgarte", "multipliers with feedback of violations (M2)", "Baumgarte 1972"));
    r.add(entry<Penalty>("penalty", "stiff springs, dampers and masses in place of constraints (M3)", kSource));
    r.add(entry<Augmented>("augmented_lagrangian", "penalties whose violation is iterated away (M4)", kSource));
    r.add(entry<Partitioning>("partitioning", "dependent coordinates follow from independent ones in every stage (M5)", kSource));
    r.add(entry<NullSpace>("null_space", "accelerations in the null space of the rows, by pivoted QR (M6)", kSource));
    r.add(entry<PseudoInverse>("pseudo_inverse", "generalised inverse by singular values; takes redundant rows (M7)",
                               "Udwadia, Kalaba 1992"));
    return r;
  }();
  return registry;
}

}  // namespace bristle
