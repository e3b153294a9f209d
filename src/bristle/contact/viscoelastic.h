#pragma once
#include "bristle/contact/power_spring.h"

namespace bristle {

/** Spring and damper that both grow with the depth, with constants from measurements rather than from a restitution.

Equations ("Frictional Contacts in Multibody Dynamics", 1.2), at a depth d > 0 that grows with the rate d':

    F = K d^n + chi d^m d',      never less than 0

Parameters: `exponent` n, 1.5 by default, and `stiffness` K [N/m^n], or `young`, `poisson`, `young_b`, `poisson_b` and the radii of
the geometry, as for `hertz`. `damping_exponent` m, 1.5 by default; `damping` chi [N s/m^(m+1)], its unit following that exponent.

Memory: none.

Cannot: give the same restitution at every speed; faster impacts lose more (for n = 1.5, m = 1.5 the loss depends on chi v / K
alone). With m below 1 the damping rises steeply at touch-down.

Reference: K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Applied Mechanics 42
(1975), doi:10.1115/1.3423596.
*/
struct Viscoelastic : PowerLaw {
  double damping_exponent = 1.5;
  double chi = kRequired;  // [N s/m^(m+1)]

  void visit(Visitor& v) {
    spring.visit(v);
    v("damping_exponent", damping_exponent, unit::one, {0, 10, true, false}, "power of the depth in the damping");
    v("damping", chi, over_metres(unit::newton_second, damping_exponent + 1), non_negative,
      "damping force at a depth of 1 m and a rate of 1 m/s, its unit following damping_exponent");
  }
  bool damped() const { return chi > 0; }
  template <class T>
  T damping(const T& depth, const T& rate, const T&) const {
    using std::pow;
    return chi * pow(depth, damping_exponent) * rate;
  }
};

}  // namespace bristle
