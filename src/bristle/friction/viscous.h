#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Dry friction with a lubricant: a constant part and a part that grows with speed.

Equations ("Frictional Contacts in Multibody Dynamics", 3.6 and 3.7; laws S3), per unit of load N:

    sliding   F = N (mu_kinetic + viscosity |v|^n) sgn(v)
    rest      F = min(|F_e|, mu_kinetic N) sgn(F_e)

n = `viscous_exponent`; n = 1 is 3.6. The speed enters the power in m/s. The source gives the viscous part as a force that does
not depend on the load; here it is proportional to the load, so that nothing acts where nothing touches, and equal to the
printed one at the reference load. The vector form is that of the source.

Parameters: `mu_kinetic`, 0.1 to 1; `viscosity` [s/m] per unit of load, 0.01 to 1, or as a force coefficient [N s/m], which is
then divided by `reference_load`; `viscous_exponent`, 0.5 to 2, from the geometry of the contact. `stick_velocity` [m/s], 0 by
default, is not physical: in threshold mode speeds up to it count as rest.

Memory: none.

Cannot: hold more at rest than in slow sliding (use `stribeck` with viscosity), or deform before sliding (`lugre`). The force
jumps at zero speed; with an exponent below 1 its slope is unbounded there. It holds without creep and is passive.

Reference: O. Reynolds, On the theory of lubrication and its application to Mr. Beauchamp Tower's experiments, Philosophical
Transactions of the Royal Society 177 (1886).
*/
struct Viscous {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant, .mu_static = 0};
  double stick_velocity = 0;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_viscous(v);
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
  }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    slide(p, curve.mu(norm(p.slip)), F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_kinetic * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return curve.mu(norm(p.slip)) * p.load;
  }
  double band() const { return stick_velocity; }
};

}  // namespace bristle
