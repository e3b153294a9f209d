#pragma once
#include "bristle/interface/patch.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Dry friction of constant size: the force opposes sliding with mu_kinetic times the load, and at rest holds up to the same.

Equations ("Frictional Contacts in Multibody Dynamics", 3.1; laws S1):

    sliding   F = mu_kinetic N sgn(v)
    rest      |F| <= mu_kinetic N, whatever equilibrium asks for

Parameters: `mu_kinetic`, 0.1 (lubricated) to 1 (clean metal); handbooks give it by material pair.

Memory: none. Whether the place sticks is a mode of the run.

Cannot: hold more at rest than in sliding (use `stiction`), fall with speed (`stribeck`), deform before sliding (`dahl`,
`lugre`). It jumps at zero speed: explicit integrators treat it by events or by the threshold rule, or with `smoothing` in the
place, which creeps.

Reference: C.-A. de Coulomb, Théorie des machines simples, 1785; Amontons 1699.
*/
struct Coulomb {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  static constexpr bool kSetValued = true;

  void visit(Visitor& v) { curve.visit_kinetic(v); }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    const Vec<D, T> e = direction(p.slip);
    for (int d = 0; d < D; ++d) F[d] = curve.mu_kinetic * p.load * e[d];
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
};

}  // namespace bristle
