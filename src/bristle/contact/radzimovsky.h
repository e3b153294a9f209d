#pragma once
#include "bristle/contact/log_cylinder.h"

namespace bristle {

/** Two elastic cylinders along a line, after Radzimovsky's work on rolling cylinders.

Equations ("Stress Distribution and Strength Conditions of Two Rolling Cylinders Pressed Together"), for a depth d and the force
per length f = F/L:

    d = f/(pi E*) [2/3 + ln(4 R_a/b) + ln(4 R_b/b) = ln(pi E* D / f) + 2/3]
    D = R_bore - R_pin, or R_a + R_b outside;   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b

b is the whole width of the patch after Hertz, b^2 = 16 f R/(pi E*), 1/R being the sum of the curvatures; with it the logarithms join.
Handbooks round it to 1.60 sqrt(f K/E*), K made of diameters as 1/R is of radii. Reviews that print radii there have b smaller by the
root of 2, and ln 2 more in the bracket.

The force follows from the depth by Newton's method; the potential is exact: V = L f^2 (w/2 - 1/4)/(pi E*), w being the bracket.

Parameters: `young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs; `dissipation` mu_c [s/m],
0 by default, multiplies the force by (1 + mu_c d'). Radii and length come from the geometry.

Memory: none.

Cannot: hold for large loads in a narrow clearance. The bracket falls with the load and the depth would shrink again; from
d = 0.53 D on, where the stiffness is pi E* L, the force goes straight on. Patches wider than a small part of the radius are not
within the theory: use `persson` for close fits. Tilted axes have no line of contact.

Reference: E. I. Radzimovsky, Stress distribution and strength conditions of two rolling cylinders pressed together, University of
Illinois Engineering Experiment Station Bulletin 408 (1953); as compared in C. M. Pereira, A. L. Ramalho, J. A. Ambrósio, A
critical overview of internal and external cylinder contact force models, Nonlinear Dynamics 63 (2011),
681-697.
*/
struct Radzimovsky : LogCylinder {
  const char* bind(const ContactPair& pair) {
    const char* missing = bind_cylinders(pair);
    if (missing == nullptr) set_kappa(2.0 / 3.0);
    return missing;
  }
};

}  // namespace bristle
