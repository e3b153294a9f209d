#pragma once
#include "bristle/friction/stretch.h"
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** One bond that is stretched but never breaks: at its limit it is held and the force drops from the static to the sliding
value.

Equations ("Frictional Contacts in Multibody Dynamics", 3.34 and 3.35 with constant stiffness), per unit of load N, with the
memory z = stretch / z0, z0 = mu_kinetic / sigma0, stiction factor a = mu_static / mu_kinetic - 1:

    z' = sigma0 / mu_kinetic v,             at |z| = 1 without the outward part of v along z
    F  = N (mu_static z + sigma1 v)         |z| < 1      (mu_static = (1 + a) mu_kinetic)
    F  = N mu_kinetic z / |z|               |z| >= 1

which is the published rule z' = 0 for |z| = z0 and z.v > 0 in one dimension; in more the radial return is our form. Stretch beyond
the limit, of the step in which it is reached, is cut when the step is accepted. The stiffness before sliding is (1 + a) sigma0.

Parameters: `mu_kinetic`, `mu_static` [1]; `sigma0` [1/m] stiffness, > 0, and `sigma1` [s/m] damping of the bond, >= 0, per
unit of load (or N/m, N s/m, divided by `reference_load`).

Memory: one vector z, dimensionless, 0 at the start. Marks: a flag, 1 while it slides.

Cannot: change smoothly: the force jumps by (mu_static - mu_kinetic) N where the bond reaches its limit and where it leaves it
again (steps with error control are cut there); have a stiffness that follows the speed, which 3.34 allows: a stretch that is made where
it is soft and given back where it is stiff is energy from nowhere (`dahl` has a form of it that gives none); no Stribeck curve and no viscosity in sliding (use `lugre`). It does not creep. Passive at constant
load: the energy stored in the stretched bond is given back on leaving the limit; it is proportional to the load and changes
with it without work.

Reference: D. A. Haessig, B. Friedland, On the modeling and simulation of friction, Journal of Dynamic Systems, Measurement,
and Control 113, 1991.
*/
struct ResetIntegrator {
  SlipCurve curve;
  double sigma0 = 1e5 / 9.81;  // [1/m]
  double sigma1 = 0;           // [s/m]
  static constexpr int kVectors = 1, kScalars = 0, kMarks = 1;
  static constexpr double kAtLimit = 1 - 1e-12;  // a stretch cut to 1 may round to just below

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "sliding force over limit stretch, over load");
    v.per_load("sigma1", sigma1, unit::second_per_metre, non_negative, "damping of the bond over load");
    v.reference_load();
  }
  std::string problem() const { return curve.problem(); }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T* z, const double* marks, Vec<D, T>& F, T* zdot) const {
    const Vec<D, T> stretch = part<D, T>(z), rate = slider_rate<D, T>(p.slip, stretch, 1, marks[0]);
    const Vec<D, T> bent = clipped<D, T>(stretch, T(1));
    const bool slides = slides_on<D, T>(p.slip, stretch, 1, marks[0]);
    const T length = norm(stretch);
    for (int d = 0; d < D; ++d) {
      zdot[d] = sigma0 / curve.mu_kinetic * rate[d];
      F[d] = slides ? p.load * curve.mu_kinetic * z[d] / length : p.load * (curve.mu_static * bent[d] + sigma1 * p.slip[d]);
    }
  }
  template <int D>
  void project(const Patch<D>&, double* z, const double*) const {
    clip_in_place<D>(z, 1);
  }
  template <int D>
  void accept(const Patch<D>& p, double, double* z, double* marks) const {
    slider_accept<D>(z, 1, p.slip, marks[0]);
  }
  template <int D>
  Overrun overrun(const Vec<D>& before, const Patch<D>& p, double h, const double* z0, const double* z1,
                  const double* marks) const {
    const double k = sigma0 / curve.mu_kinetic;
    Overrun out = jumping_overrun<D>(before, p.slip, h, k, z0, z1, 1, marks[0], true);
    if (D > 1 && marks[0] > 0) out.longest = stable_step(k * norm(p.slip));
    return out;
  }
  template <int D>
  double stored(const Patch<D>& p, const double* z, const double*) const {
    const Vec<D> a = clipped<D, double>(part<D, double>(z), 1);
    return 0.5 * p.load * curve.mu_static * curve.mu_kinetic / sigma0 * dot(a, a);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return p.load * (curve.mu_static + sigma1 * norm(p.slip));
  }
  double reach() const { return 1 + 1e-12; }
  template <int D>
  Mode mode(const Patch<D>&, const double* z, const double*) const {
    return norm(part<D, double>(z)) < kAtLimit ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>& p, const double*, const double*) const {
    return {sigma0 * norm(p.slip) / curve.mu_kinetic, 0};
  }
};

}  // namespace bristle
