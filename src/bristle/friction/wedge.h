#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** A roller pressed by a spring into a profile: friction that grows with the way from the middle, and a push back to it.

Equations ("Active and Passive Joints for Damping Augmentation of Large Space Structures", 6 and 7), x the travel from the middle
of the profile, N the load (preload at x = 0), a = `angle`, k1 = `spring` per unit of load:

    pressing   N_P = N (1 + k1 tan(a) |x|)
    sliding    F   = mu N_P sgn(v) + N_P tan(a) sgn(x)
    rest       |F - N_P tan(a) sgn(x)| <= mu N_P
    stored     N (tan(a) |x| + k1 tan(a)^2 x^2 / 2)

With `rounding` r the bottom of the profile is a parabola that meets the slopes smoothly: |x| becomes x^2/(2 r) up to |x| = r and
|x| - r/2 beyond, and sgn(x) becomes x/r up to r. This is ours; a roller has a radius. The second term of F is conservative and present at rest too. The source gives one dimension; the vector form, a conical dimple
with the push along the travel, is ours.

Parameters: `mu_kinetic` mu, 0.05 to 0.5; `angle` a [rad], above 0 and below 1.5, returns to the middle by itself when
tan(a) > mu; `rounding` r [m], 0 by default as in the source; `spring` k1 [1/m] per unit of load, 0 by default, or as a stiffness [N/m] divided by `reference_load`, the preload.
`stick_velocity` [m/s], 0 by default, is not physical: in threshold mode speeds up to it count as rest.

Memory: none. Asks for the travel.

Cannot: follow a load that changes and keep the energy account of the roller spring: stored belongs to the present load. The
force jumps at zero speed and, without rounding, by 2 N tan(a) at x = 0: keep steps short enough to see the roller cross the
middle. For tan(a) > mu swings about a sharp bottom shrink by (tan(a) - mu)/(tan(a) + mu) each and follow each other ever
faster: infinitely many in a finite time, and a run with located events stops at the last it can resolve; the energy schemes
refuse it. Give a `rounding`: swings end where |x| < r mu/tan(a). Static excess and fall with speed are absent (use `stribeck`
with a spring). It holds without creep and is passive at constant load.

Reference: A. A. Ferri, B. S. Heck, Active and passive joints for damping augmentation of large space structures, American
Control Conference (1990).
*/
struct Wedge {
  static constexpr Range kAngles{0, 1.5, true, true};  // [rad], short of pi/2
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double angle = kRequired;   // [rad]
  double spring = 0;          // [1/m]
  double rounding = 0;        // [m]
  double stick_velocity = 0;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;
  static constexpr bool kTravel = true;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("angle", angle, unit::one, kAngles, "slope of the profile against the direction of sliding, in radians");
    v.per_load("spring", spring, unit::per_metre, non_negative, "stiffness of the spring that presses the roller, over load");
    v("rounding", rounding, unit::metre, non_negative,
      "half the width over which the bottom of the profile is round; 0: swings about it never end where tan(angle) > mu_kinetic");
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
    v.reference_load();
  }
  /// Height of the profile over its slope.
  template <int D, class T>
  T height(const Vec<D, T>& x) const {
    const T size = norm(x);
    if (!(size < rounding)) return size - 0.5 * rounding;
    return size * size / (2 * rounding);
  }
  /// N_P over the load.
  template <int D, class T>
  T pressing(const Patch<D, T>& p) const {
    return 1.0 + spring * std::tan(angle) * height(p.travel);
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    slide(p, curve.mu_kinetic * pressing(p), F);
  }
  template <int D, class T>
  Vec<D, T> elastic(const Patch<D, T>& p) const {
    const T size = p.load * pressing(p) * std::tan(angle);
    if (norm(p.travel) < rounding) return (size / rounding) * p.travel;
    return size * direction(p.travel);
  }
  /// Over a step: change of what is stored per change of the squared distance, along twice the middle.
  template <int D, class T>
  Vec<D, T> elastic_over(const Patch<D, T>& p, const Vec<D, T>& way) const {
    Vec<D, T> from, to;
    for (int d = 0; d < D; ++d) {
      from[d] = p.travel[d] - 0.5 * way[d];
      to[d] = p.travel[d] + 0.5 * way[d];
    }
    const T a = norm(from), b = norm(to), rise = 0.5 * std::tan(angle) * (height(from) + height(to));
    const T inner = a < b ? a : b, outer = a < b ? b : a;
    if (!(outer > 0)) return {};
    T gain = 1.0 / (a + b);  // rise per squared distance
    if (outer < rounding) {
      gain = T(0.5 / rounding);
    } else if (inner < rounding) {
      const T above = outer - rounding, below = rounding * rounding - inner * inner;
      gain = (above + below / (2 * rounding)) / (above * (outer + rounding) + below);
    }
    return T(2.0 * std::tan(angle) * p.load * (1.0 + spring * rise) * gain) * p.travel;
  }
  std::string step_problem() const {
    if (rounding > 0 || !(std::tan(angle) > curve.mu_kinetic)) return {};
    return "a wedge whose slope, tan(angle), is above mu_kinetic and whose bottom is sharp: swings about it never end. Give it a `rounding`";
  }
  template <int D>
  double stored(const Patch<D>& p, const double*, const double*) const {
    const double rise = std::tan(angle) * height(p.travel);
    return p.load * (rise + 0.5 * spring * rise * rise);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * pressing(p) * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return (curve.mu_kinetic + std::tan(angle)) * pressing(p) * p.load;
  }
  double band() const { return stick_velocity; }
};

}  // namespace bristle
