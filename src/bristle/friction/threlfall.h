#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Coulomb friction with its jump at zero speed replaced by a short exponential rise.

Equations ("Frictional Contacts in Multibody Dynamics", 3.15; laws S7c), v0 = `full_velocity`:

    |v| <= v0    F = mu_kinetic N (1 - exp(-3 |v|/v0)) sgn(v)
    |v| >  v0    F = mu_kinetic N sgn(v)

The vector form is that of the source. As printed the force jumps at v0 by exp(-3), 5 % of its size. A load in that gap holds the slip on the jump, where
no motion satisfies the equations and methods stall in tiny steps. Here the force goes on from v0 as steeply as it began, 3 mu_kinetic N/v0, until it is full, at
1.017 v0; `jump: true` takes the law as printed.

Parameters: `mu_kinetic`, 0.1 to 1; `full_velocity` v0 [m/s], 1e-3 by default; it is not physical: smaller is nearer to Coulomb
and stiffer: rate 3 mu N / (m v0). `jump`, false by default: the force jumps at v0, as printed.

Memory: none.

Cannot: stick. It creeps: a load f below mu N moves it for ever at -v0/3 ln(1 - f/(mu N)), 0.37 mm/s at two thirds of the limit
with the default. No stiction (`linear_stiction`), no Stribeck fall (`bengisu_akay`). It is passive.

Reference: D. C. Threlfall, The inclusion of Coulomb friction in mechanisms programs with particular reference to DRAM, Mechanism
and Machine Theory 13 (1978).
*/
struct Threlfall {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double full_velocity = 1e-3;  // [m/s]
  bool jump = false;
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("full_velocity", full_velocity, unit::metre_per_second, positive, "speed from which friction is full, v0");
    v.flag("jump", jump, "the force jumps at v0, as printed; false: it rises on to its full size");
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    resist(
        p, 3 * curve.mu_kinetic / full_velocity, [&](const T& speed) { return coefficient(speed); }, F);
  }
  template <class T>
  T coefficient(const T& speed) const {
    using std::exp;
    if (speed > full_velocity) {
      constexpr double kLeft = 0.049787068367863944;  // exp(-3): of the force, at v0
      const T more = 3.0 * (speed - full_velocity) / full_velocity;
      if (jump || more > kLeft) return T(curve.mu_kinetic);
      return curve.mu_kinetic * (more + (1.0 - kLeft));
    }
    return curve.mu_kinetic * (1.0 - exp(-3.0 * speed / full_velocity));
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
