#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Coulomb friction with its jump at zero speed replaced by a hyperbolic tangent: smooth everywhere.

Equations ("Frictional Contacts in Multibody Dynamics", 3.14; laws S7b), k = `slope`:

    F = mu_kinetic N tanh(k |v|) sgn(v)

With k = 1/epsilon this is the smooth regularisation tanh(v/epsilon) of "Modeling of Frictional Contact Conditions in
Structures", chapter 1. The vector form is that of the source.

Parameters: `mu_kinetic`, 0.1 to 1; `slope` k [s/m], 1000 by default; it is not physical: at 1/k friction is at 76 %. Larger is
nearer to Coulomb and stiffer: rate mu N k / m.

Memory: none.

Cannot: stick. It creeps: a load f below mu N moves it for ever at atanh(f / (mu N)) / k, 0.80 mm/s at two thirds of the limit
with the default slope. No stiction (use `linear_stiction`), no Stribeck fall (`bengisu_akay`), no true rest (`coulomb`,
`elasto_plastic`). It is passive.

Reference: S. Andersson, A. Söderberg, S. Björklund, Friction models for sliding dry, boundary and mixed lubricated contacts,
Tribology International 40 (2007), doi:10.1016/j.triboint.2005.11.014.
*/
struct TanhSlope {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double slope = 1000;  // [s/m]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("slope", slope, unit::second_per_metre, positive, "slope at zero speed; friction is at 76 % at 1/slope");
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    flat().eval(p, F);
  }
  template <class R>
  struct Flat {
    R mu_kinetic, slope;
    template <int D, class T>
    void eval(const Patch<D, T>& p, Vec<D, T>& F) const {
      using std::tanh;
      resist(
          p, mu_kinetic * slope, [&](const T& speed) { return mu_kinetic * tanh(slope * speed); }, F);
    }
  };
  Flat<double> flat() const { return {curve.mu_kinetic, slope}; }
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
