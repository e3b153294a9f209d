#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Coulomb friction with its jump at zero speed replaced by a short exponential rise.

Equations ("Frictional Contacts in Multibody Dynamics", 3.15; laws S7c), v0 = `full_velocity`:

    |v| <= v0    F = mu_kinetic N (1 - exp(-3 |v|/v0)) sgn(v)
    |v| >  v0    F = mu_kinetic N sgn(v)

The vector form is that of the source.

Parameters: `mu_kinetic`, 0.1 to 1; `full_velocity` v0 [m/s], 1e-3 by default; it is not physical: smaller is nearer to Coulomb
and stiffer: rate 3 mu N / (m v0).

Memory: none.

Cannot: stick. It creeps: a load f below mu N moves it for ever at -v0/3 ln(1 - f/(mu N)), 0.37 mm/s at two thirds of the limit
with the default. The force jumps at v0, by 5 % of its size, as printed (use `tanh_slope` where that disturbs). No stiction
(`linear_stiction`), no Stribeck fall (`bengisu_akay`). It is passive.

Reference: D. C. Threlfall, The inclusion of Coulomb friction in mechanisms programs with particular reference to DRAM, Mechanism
and Machine Theory 13 (1978).
*/
struct Threlfall {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double full_velocity = 1e-3;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("full_velocity", full_velocity, unit::metre_per_second, positive, "speed from which friction is full, v0");
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    resist(
        p, 3 * curve.mu_kinetic / full_velocity, [&](const T& speed) { return coefficient(speed); }, F);
  }
  template <class T>
  T coefficient(const T& speed) const {
    using std::exp;
    if (speed > full_velocity) return T(curve.mu_kinetic);
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
