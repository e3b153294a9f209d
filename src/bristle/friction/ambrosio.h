#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Coulomb friction that is off at very small speeds and comes in linearly: no flipping of the force around zero.

Equations ("Frictional Contacts in Multibody Dynamics", 3.18; laws S8), v0 = `dead_velocity`, v1 = `full_velocity`:

    |v| <= v0         F = 0
    v0 < |v| < v1     F = N mu_kinetic (|v| - v0)/(v1 - v0) sgn(v)
    |v| >= v1         F = N mu_kinetic sgn(v)

The vector form is that of the source.

Parameters: `mu_kinetic`, 0.1 to 1; `dead_velocity` v0 [m/s], 1e-4 by default, and `full_velocity` v1 [m/s], larger than v0, 1e-3
by default. Both are not physical: larger calms integrators, smaller is nearer to Coulomb.

Memory: none.

Cannot: stick, nor slow anything below v0. It creeps: a load f below mu N moves it for ever at v0 + (v1 - v0) f / (mu N), 0.70 mm/s
at two thirds of the limit with the defaults. No stiction (use `linear_stiction`), no true rest (`coulomb`,
`elasto_plastic`). Kinks at v0 and v1. It is passive.

Reference: J. A. C. Ambrósio, Impact of rigid and flexible multibody systems: deformation description and contact models, in
Virtual Nonlinear Multibody Systems, NATO Science Series (2003).
*/
struct Ambrosio {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double dead_velocity = 1e-4;  // [m/s]
  double full_velocity = 1e-3;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("dead_velocity", dead_velocity, unit::metre_per_second, non_negative, "speed below which there is no friction, v0");
    v("full_velocity", full_velocity, unit::metre_per_second, positive, "speed from which friction is full, v1");
  }
  std::string problem() const {
    if (!(full_velocity > dead_velocity))
      return "full_velocity is not larger than dead_velocity; friction comes in between the two: raise full_velocity or lower dead_velocity";
    return {};
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    const double slope = dead_velocity > 0 ? 0 : curve.mu_kinetic / full_velocity;
    resist(
        p, slope, [&](const T& speed) { return coefficient(speed); }, F);
  }
  template <class T>
  T coefficient(const T& speed) const {
    if (speed <= dead_velocity) return T(0);
    if (speed >= full_velocity) return T(curve.mu_kinetic);
    return curve.mu_kinetic / (full_velocity - dead_velocity) * (speed - dead_velocity);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return norm(p.slip) < full_velocity ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, full_velocity};
  }
};

}  // namespace bristle
