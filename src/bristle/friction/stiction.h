#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Dry friction that holds more at rest than it resists in sliding: two coefficients, and a sudden drop at break-away.

Equations ("Frictional Contacts in Multibody Dynamics", 3.4 and 3.5; laws S2):

    sliding   F = mu_kinetic N sgn(v)
    rest      F = min(|F_e|, mu_static N) sgn(F_e),   F_e the force that would keep the place at rest

The vector form is that of the source.

Parameters: `mu_kinetic`, 0.1 (lubricated) to 1 (clean metal); `mu_static`, at least mu_kinetic, usually 1.1 to 2 times as large.
`stick_velocity` [m/s], 0 by default, is not physical: in threshold mode speeds up to it count as rest, where the place holds
F_e up to the static limit and slides beyond it. Larger: fewer sign changes, later capture. Explicit steps of length h need
about mu N h / m.

Memory: none. Whether the place sticks is a mode of the run.

Cannot: fall smoothly with speed (use `stribeck`); deform before sliding (`lugre`, `elasto_plastic`). With an explicit method and
stick_velocity 0 the static level is reached only from an exact rest, because zero speed is never met again; locate events, or
use `karnopp`. The force jumps at zero speed. It holds without creep and is passive.

Reference: A.-J. Morin, New friction experiments carried out at Metz in 1831-1833, Proceedings of the French Royal Academy of
Sciences 4 (1833).
*/
struct Stiction {
  SlipCurve curve{.shape_kind = SlipCurve::Shape::constant};
  double stick_velocity = 0;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
  }
  std::string problem() const { return curve.problem(); }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    slide(p, T(curve.mu_kinetic), F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  double band() const { return stick_velocity; }
  template <int D>
  Vec<D> at_rest(const Vec<D>& holding_force, const Patch<D>& p, double, const double* marks) const {
    const double limit = holding(p, marks);
    if (norm(holding_force) <= limit || !(norm(p.slip) > 0)) return cut_at(holding_force, limit);
    Vec<D> F;
    slide(p, curve.mu_kinetic, F);
    return F;
  }
};

}  // namespace bristle
