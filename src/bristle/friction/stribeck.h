#pragma once
#include "bristle/friction/resist.h"
#include "bristle/interface/slip_curve.h"

namespace bristle {

/** Dry friction that falls smoothly from its static to its kinetic value as sliding gets faster, and may rise again by viscosity.

Equations ("Frictional Contacts in Multibody Dynamics", 3.8 to 3.10; laws S4), per unit of load N:

    sliding, gaussian    F = N (mu_k + (mu_s - mu_k) exp(-(|v|/v_s)^n) + viscosity |v|^m) sgn(v)
    sliding, hess_soom   F = N (mu_k + (mu_s - mu_k) / (1 + (|v|/v_s)^2) + viscosity |v|^m) sgn(v)
    rest                 F = min(|F_e|, mu_s N) sgn(F_e)

The vector form is that of the source. As in `viscous` the viscous part is proportional to the load.

Parameters: `mu_kinetic`, `mu_static` (at least mu_kinetic); `shape`: gaussian (default), hess_soom, or constant (mu_kinetic at
all speeds); `stribeck_velocity` v_s [m/s], 1e-4 to 1e-1; `stribeck_exponent` n, 0.5 to 2, 2 by default, used by gaussian alone;
`viscosity` [s/m] per unit of load, or [N s/m] divided by `reference_load`; `viscous_exponent` m, 1 by default.
`stick_velocity` [m/s], 0 by default, is not physical: in threshold mode speeds up to it count as rest.

Memory: none.

Cannot: deform before sliding, lag behind the speed, or break away later under a faster load (use `lugre` or `elasto_plastic`).
The force jumps at zero speed; explicit methods without events chatter at capture. With a gaussian exponent below 1 the slope
is unbounded at zero speed. It holds without creep. Its falling branch feeds stick-slip from whatever drives the slip, yet the
law itself is passive: force and slip never point apart.

Reference: R. Stribeck, Die wesentlichen Eigenschaften der Gleit- und Rollenlager, VDI-Zeitschrift 46 (1902); L. C. Bo, D.
Pavelescu, The friction-speed relation and its influence on the critical velocity of stick-slip motion, Wear 82 (1982); D. P.
Hess, A. Soom, Friction at a lubricated line contact operating at oscillating sliding velocities, Journal of Tribology 112 (1990).
*/
struct Stribeck {
  SlipCurve curve;
  double stick_velocity = 0;  // [m/s]
  static constexpr int kVectors = 0, kScalars = 0, kMarks = 0;
  static constexpr bool kSetValued = true;

  void visit(Visitor& v) {
    curve.visit_kinetic(v);
    curve.visit_static(v);
    curve.visit_shape(v, "shape");
    curve.visit_stribeck(v);
    curve.visit_viscous(v);
    v("stick_velocity", stick_velocity, unit::metre_per_second, non_negative, "speeds treated as rest in threshold mode");
  }
  std::string problem() const { return curve.problem(); }

  template <int D, class T>
  void eval(const Patch<D, T>& p, const T*, const double*, Vec<D, T>& F, T*) const {
    slide(p, curve.mu(norm(p.slip)), F);
  }
  template <int D>
  double holding(const Patch<D>& p, const double*) const {
    return curve.mu_static * p.load;
  }
  template <int D>
  double bound(const Patch<D>& p, const double*) const {
    return (curve.mu_static + curve.viscous(norm(p.slip))) * p.load;
  }
  double band() const { return stick_velocity; }
  template <int D>
  Pace pace(const Patch<D>&, const double*, const double*) const {
    return {0, curve.stribeck_velocity};
  }
};

}  // namespace bristle
