#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "bristle/base/visitor.h"
#include "bristle/math/dual.h"

namespace bristle {

// Laws of pull: the force T that resists a reading u (extension, rotation) and its rate. Each gives
//   potential(u)       stored energy; its slope is the elastic force
//   elastic(u)         [N]
//   damping(u, rate)   [N] never supplies power
//   damped()           whether it takes energy out at all: then it has an account in the ledger
// as templates on the number type, and its parameters by visit.

/// The forces of a spring by numbers of type R: those of one spring, or of the same one in several runs side by side.
template <class R>
struct SpringForce {
  R stiffness = 0, cubic = 0, damping_constant = 0, length = 0;
  template <class T>
  T elastic(const T& reading) const {
    const T u = reading - length;
    if constexpr (std::is_same_v<R, double>) {
      if (cubic == 0) return stiffness * u;  // the same number, sooner
    }
    return u * (stiffness + cubic * u * u);
  }
  template <class T>
  T damping(const T&, const T& rate) const {
    return damping_constant * rate;
  }
};

/** Spring with optional cubic and damping shares: T = k u + k3 u^3 + c u', u = extension beyond `length`.

Parameters: `stiffness` [N/m] (negative values make a buckling spring), `cubic` [N/m^3], `damping` [N s/m], `length` [m] reading at
which the spring is free of force. */
struct Spring : SpringForce<double> {
  bool damped() const { return damping_constant > 0; }
  void visit(Visitor& v) {
    v("stiffness", stiffness, unit::newton_per_metre, any, "force per extension");
    v("cubic", cubic, unit::newton_per_metre3, any, "force per cube of the extension");
    v("damping", damping_constant, unit::newton_second_per_metre, non_negative, "force per rate of extension");
    v("length", length, unit::metre, any, "reading at which the spring is free of force");
  }
  template <class T>
  T potential(const T& reading) const {
    const T u = reading - length;
    return 0.5 * stiffness * u * u + 0.25 * cubic * u * u * u * u;
  }
};

/** Damper: T = c u' + c2 |u'| u'.

Parameters: `damping` [N s/m], `quadratic` [N s^2/m^2]. */
struct Damper {
  double linear = 0, quadratic = 0;
  bool damped() const { return true; }
  void visit(Visitor& v) {
    v("damping", linear, unit::newton_second_per_metre, non_negative, "force per speed");
    v("quadratic", quadratic, Unit{"N s^2/m^2", {-1, 1, 0, 0}}, non_negative, "force per square of the speed");
  }
  template <class T>
  T potential(const T&) const {
    return T(0);
  }
  template <class T>
  T elastic(const T&) const {
    return T(0);
  }
  template <class T>
  T damping(const T&, const T& rate) const {
    using std::abs;
    return rate * (linear + quadratic * abs(rate));
  }
};

/** Dead band: free play of `clearance` to both sides, then stops that pull back; the damper acts only in contact and only while the
deflection grows (flexible space structures with nonlinear joints, eqs. 33 to 42 of the two-joint model).

Parameters: `stiffness` [N/m] beyond the play, `clearance` [m] half of the play, `damping` [N s/m], `cubic` [N/m^3]. */
struct DeadBand {
  double stiffness = kRequired, clearance = kRequired, damping_constant = 0, cubic = 0;
  bool damped() const { return damping_constant > 0; }
  void visit(Visitor& v) {
    v("stiffness", stiffness, unit::newton_per_metre, positive, "beyond the play");
    v("clearance", clearance, unit::metre, non_negative, "free travel to each side");
    v("damping", damping_constant, unit::newton_second_per_metre, non_negative, "in contact, while the deflection grows");
    v("cubic", cubic, unit::newton_per_metre3, non_negative, "hardening beyond the play");
  }
  template <class T>
  T beyond(const T& u) const {
    if (u > clearance) return u - clearance;
    if (u < -clearance) return u + clearance;
    return T(0);
  }
  template <class T>
  T potential(const T& u) const {
    const T d = beyond(u);
    return 0.5 * stiffness * d * d + 0.25 * cubic * d * d * d * d;
  }
  template <class T>
  T elastic(const T& u) const {
    const T d = beyond(u);
    return d * (stiffness + cubic * d * d);
  }
  /// Of the potential over a step, however short: what the mean says is wrong where the step crosses an end of the free travel.
  double quotient(double u0, double u1) const {
    const double a = beyond(u0), b = beyond(u1);
    return u0 == u1 ? elastic(u0) : (a + b) * (0.5 * stiffness + 0.25 * cubic * (a * a + b * b)) * (b - a) / (u1 - u0);
  }
  template <class T>
  T damping(const T& u, const T& rate) const {
    return sign(beyond(u)) * sign(rate) > 0 ? damping_constant * rate : T(0);
  }
};

/** One-way (compression-only) hardening spring with impact damper: acts when the reading falls below `-gap`, never pulls
(flexible space structures with nonlinear joints, eqs. 4 and 6 of the sleeve joint).

Parameters: `stiffness` [N/m], `cubic` [N/m^3], `damping` [N s/m] while the penetration grows, `gap` [m] at the start. */
struct OneWay {
  double stiffness = kRequired, cubic = 0, damping_constant = 0, gap = 0;
  bool damped() const { return damping_constant > 0; }
  void visit(Visitor& v) {
    v("stiffness", stiffness, unit::newton_per_metre, positive, "in compression");
    v("cubic", cubic, unit::newton_per_metre3, non_negative, "hardening");
    v("damping", damping_constant, unit::newton_second_per_metre, non_negative, "while the penetration grows");
    v("gap", gap, unit::metre, any, "opening when the reading is zero");
  }
  template <class T>
  T potential(const T& u) const {
    const T d = u + gap;
    if (!(d < 0.0)) return T(0);
    return 0.5 * stiffness * d * d + 0.25 * cubic * d * d * d * d;
  }
  template <class T>
  T elastic(const T& u) const {
    const T d = u + gap;
    if (!(d < 0.0)) return T(0);
    return d * (stiffness + cubic * d * d);
  }
  /// See DeadBand.
  double quotient(double u0, double u1) const {
    const double a = std::min(u0 + gap, 0.0), b = std::min(u1 + gap, 0.0);
    return u0 == u1 ? elastic(u0) : (a + b) * (0.5 * stiffness + 0.25 * cubic * (a * a + b * b)) * (b - a) / (u1 - u0);
  }
  template <class T>
  T damping(const T& u, const T& rate) const {
    return u + gap <= 0.0 && rate < 0.0 ? damping_constant * rate : T(0);
  }
};

/** Stops of a joint's motion: nothing between `lower` and `upper`, beyond them a spring with a damper that acts while the penetration
grows; never pulls.

Parameters: `lower` and `upper` [m or rad], `stiffness` [N/m], `damping` [N s/m]. */
struct Stops {
  double lower = -kInfinity, upper = kInfinity, stiffness = kRequired, damping_constant = 0;
  void visit(Visitor& v) {
    v("lower", lower, unit::metre, any, "lower end of the free travel");
    v("upper", upper, unit::metre, any, "upper end of the free travel");
    v("stiffness", stiffness, unit::newton_per_metre, positive, "beyond the ends");
    v("damping", damping_constant, unit::newton_second_per_metre, non_negative, "beyond the ends, while the penetration grows");
  }
  std::string problem() const { return lower < upper ? "" : "the lower stop must be below the upper one"; }
  template <class T>
  T beyond(const T& u) const {
    if (u > upper) return u - upper;
    if (u < lower) return u - lower;
    return T(0);
  }
  template <class T>
  T potential(const T& u) const {
    const T d = beyond(u);
    return 0.5 * stiffness * d * d;
  }
  template <class T>
  T elastic(const T& u) const {
    return stiffness * beyond(u);
  }
  /// Of the potential over a step, however short: what the mean says is wrong where the step crosses an end of the free travel.
  double quotient(double u0, double u1) const {
    const double a = beyond(u0), b = beyond(u1);
    return u0 == u1 ? elastic(u0) : 0.5 * stiffness * (a + b) * (b - a) / (u1 - u0);
  }
  template <class T>
  T damping(const T& u, const T& rate) const {
    return sign(beyond(u)) * sign(rate) > 0 ? damping_constant * rate : T(0);
  }
};

/** Spring by a table of force against extension, straight between the points and beyond the last ones.

Parameters: `extension` [m] rising, `force` [N], `damping` [N s/m]. */
struct TableSpring {
  std::vector<double> extension, force;
  double damping_constant = 0;
  bool damped() const { return damping_constant > 0; }
  void visit(Visitor& v) {
    v.list("extension", extension, unit::metre, any, "points of the table, rising");
    v.list("force", force, unit::newton, any, "force at the points");
    v("damping", damping_constant, unit::newton_second_per_metre, non_negative, "force per rate of extension");
  }
  std::string problem() const;
  std::size_t segment(double u) const {
    std::size_t i = 1;
    while (i + 1 < extension.size() && u > extension[i]) ++i;
    return i;
  }
  template <class T>
  T elastic(const T& u) const {
    const std::size_t i = segment(value_of(u));
    const double slope = (force[i] - force[i - 1]) / (extension[i] - extension[i - 1]);
    return force[i - 1] + slope * (u - extension[i - 1]);
  }
  /// Mean force over a step, however short: corners between its ends count.
  double quotient(double u0, double u1) const {
    if (u0 == u1) return elastic(u0);
    const double to = std::max(u0, u1);
    double at = std::min(u0, u1), work = 0;
    const std::size_t last = segment(to);
    for (std::size_t i = segment(at); i < last; ++i) {
      work += 0.5 * (elastic(at) + force[i]) * (extension[i] - at);
      at = extension[i];
    }
    work += 0.5 * (elastic(at) + elastic(to)) * (to - at);
    return work / std::abs(u1 - u0);
  }
  /// Area under the table from its first point.
  template <class T>
  T potential(const T& u) const {
    const std::size_t i = segment(value_of(u));
    double area = 0;
    for (std::size_t k = 1; k < i; ++k) area += 0.5 * (force[k] + force[k - 1]) * (extension[k] - extension[k - 1]);
    const T d = u - extension[i - 1];
    const double slope = (force[i] - force[i - 1]) / (extension[i] - extension[i - 1]);
    return area + d * (force[i - 1] + 0.5 * slope * d);
  }
  template <class T>
  T damping(const T&, const T& rate) const {
    return damping_constant * rate;
  }
};

inline std::string TableSpring::problem() const {
  if (extension.size() < 2) return "the table needs at least two points";
  if (extension.size() != force.size()) return "extension and force need the same number of points";
  for (std::size_t i = 1; i < extension.size(); ++i) {
    if (!(extension[i] > extension[i - 1])) return "extension must rise from point to point";
  }
  return {};
}

}  // namespace bristle
