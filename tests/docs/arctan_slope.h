#pragma once
#include <numbers>

#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Coulomb friction with its jump at zero speed replaced by an arcus tangent.

Equations: F = mu_kinetic N (2/pi) atan(|v| / v_h) sgn(v), v_h = `half_velocity`.

Parameters: `mu_kinetic`, 0.1 to 1; `half_velocity` [m/s], 1e-3 by default; it is not physical: at this speed the force is at one
half. Smaller is nearer to Coulomb and stiffer: rate (2/pi) mu N / (m v_h).

Memory: none.

Cannot: stick. It creeps: a load f below mu N moves it for ever at v_h tan(pi/2 f / (mu N)). It approaches the Coulomb force slowly,
94 % at ten times v_h (use `tanh_slope`). No true rest (use `coulomb`). It is passive.

Reference: this page of the contributor's guide.
*/
struct ArctanSlope {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double half_velocity = 1e-3;                                  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;  // no memory

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("half_velocity", half_velocity, unit::metre_per_second, positive, "speed at which friction is at one half");
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    using std::atan;
    constexpr double kScale = 2 / std::numbers::pi;
    const double slope = curve.mu_kinetic * kScale / half_velocity;  // at rest
    resist(
        p, slope, [&](const T& speed) { return curve.mu_kinetic * kScale * atan(speed / half_velocity); }, F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) < half_velocity ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, half_velocity};
  }
};

}  // namespace bristle
