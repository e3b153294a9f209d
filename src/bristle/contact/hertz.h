#pragma once
#include "bristle/contact/power_spring.h"

namespace bristle {

/** Elastic contact of smooth curved surfaces, such as a ball on a plate.

Equations ("Frictional Contacts in Multibody Dynamics", 1.1), at a depth d > 0 that grows with the rate d':

    F = K d^n (1 + mu_c d'),      never less than 0
    K = 4/3 E* sqrt(R),  1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b,  1/R = 1/R_a + 1/R_b      (n = 1.5)

A hollow surface has a negative radius, a flat one no curvature. A mass m that arrives at the speed v presses in by
(5 m v^2 / (4 K))^(2/5) and stays for 2.943 times that depth over v (n = 1.5, mu_c = 0).

Parameters: `exponent` n, 1.5 by default. Either `stiffness` K [N/m^n], its unit following the exponent, or `young` [Pa] and
`poisson`, with `young_b` and `poisson_b` where the second surface differs; the radii then come from the geometry. `dissipation`
mu_c [s/m], 0 by default, takes energy out without a jump at touch-down.

Memory: none.

Cannot: yield, which steel does from impacts of about 0.1 m/s on (use `thornton`); hold for conformal surfaces such as a pin in its
bore, where the patch is not small against the radii (use `liu`), or for contact along a line (use `johnson`).

Reference: H. Hertz, Über die Berührung fester elastischer Körper, J. reine und angewandte Mathematik 92 (1882),
doi:10.1515/crll.1882.92.156.
*/
struct Hertz : PowerLaw {
  double dissipation = 0;  // [s/m]

  void visit(Visitor& v) {
    spring.visit(v);
    v("dissipation", dissipation, unit::second_per_metre, non_negative, "the force grows by this times the rate; 0: elastic");
  }
  bool damped() const { return dissipation > 0; }
  template <class T>
  T damping(const T& depth, const T& rate, const T&) const {
    return dissipation * rate * elastic(depth);
  }
};

}  // namespace bristle
