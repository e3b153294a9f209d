#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Coulomb's second law: dry friction with a share that does not depend on the load, as from adhesion or cohesion.

Equations ("Study of Characteristics of Dry Friction Damping", friction laws, the two-term law of 1778):

    sliding   F = (A N + B) sgn(v)          apparent coefficient  A + B/N
    rest      |F| <= A N + B
    nothing touches (N = 0): F = 0

The source gives one dimension and a closed contact; the vector form, along the slip, and the rule for N = 0 are ours.

Parameters: `mu_kinetic` A, 0.1 to 1 (0.25 fits the measurements quoted by the source); `adhesion` B [N], 0 to a few tens of
newtons (40 N there), from the intercept of friction over load. `onset_load` [N], 0 by default, is not physical: below it B
grows in proportion to the load, so that a contact that opens and closes does not jerk; with 0 the force jumps by B at touch-down.

Memory: none.

Cannot: pull a contact that has opened: adhesion normal to the surfaces belongs to the contact law. No static excess (use
`stiction`), no fall with speed (`stribeck`). The force jumps at zero speed. It holds without creep and is passive.

Reference: C.-A. de Coulomb, Théorie des machines simples, 1785; A. V. Srinivasan, B. N. Cassenti, D. G. Cutts, Study of
Characteristics of Dry Friction Damping, AFOSR-TR-85-1074 (1984).
*/
struct TwoTermCoulomb {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double adhesion = kRequired;  // [N]
  double onset_load = 0;        // [N]
  double stick_velocity = 0;    // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    v("adhesion", adhesion, unit::newton, non_negative, "share of the friction force that does not depend on the load");
    v("onset_load", onset_load, unit::newton, non_negative, "load below which adhesion fades in; 0: at once");
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
  }
  template <class T>
  T size(const T& load) const {
    if (!(load > 0.0)) return T(0);
    if (load < onset_load) return load * (curve.mu_kinetic + adhesion / onset_load);
    return curve.mu_kinetic * load + adhesion;
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    const Vec<D, T> e = direction(p.slip);
    const T force = size(p.load);
    for (int d = 0; d < D; ++d) F[d] = force * e[d];
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return size(p.load);
  }
  double band() const { return stick_velocity; }
};

}  // namespace bristle
