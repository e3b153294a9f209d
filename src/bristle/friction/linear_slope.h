#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Coulomb friction with its jump at zero speed replaced by a straight steep line.

Equations ("Frictional Contacts in Multibody Dynamics", 3.13; laws S7a), k = `slope`:

    F = mu_kinetic N min(k |v|, 1) sgn(v)

With k = 1/epsilon this is the saturation regularisation sat(v/epsilon) of "Modeling of Frictional Contact Conditions in
Structures", chapter 1. The vector form is that of the source.

Parameters: `mu_kinetic`, 0.1 to 1; `slope` k [s/m], 1000 by default; it is not physical: 1/k is the speed at which friction is
full. Larger is nearer to Coulomb and stiffer: rate mu N k / m.

Memory: none.

Cannot: stick. It creeps: a load f below mu N moves it for ever at f / (mu N k), 0.67 mm/s at two thirds of the limit with the
default slope. No stiction (use `linear_stiction`), no Stribeck fall (`bengisu_akay`), no true rest (`coulomb`,
`elasto_plastic`). Kink at |v| = 1/k. It is passive.

Reference: E. Pennestrì, V. Rossi, P. Salvini, P. P. Valentini, Review and comparison of dry friction force models, Nonlinear
Dynamics 83 (2016), doi:10.1007/s11071-015-2485-3.
*/
struct LinearSlope {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double slope = 1000;  // [s/m]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("slope", slope, unit::second_per_metre, positive, "slope at zero speed; friction is full at 1/slope");
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    resist(
        p, curve.mu_kinetic * slope, [&](const T& speed) { return curve.mu_kinetic * smaller(slope * speed, T(1)); }, F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  template <int D>
  Mode mode(const Patch<D>& p, const double*, const double*) const {
    return slope * norm(p.slip) < 1 ? Mode::stick : Mode::slip;
  }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, 1 / slope};
  }
};

}  // namespace bristle
