#pragma once
#include "bristle/contact/log_cylinder.h"

namespace bristle {

/** A pin in its bore along a line, from the first studies of mechanisms with clearance; depends on the length of the bearing.

Equations ("Dynamic Analysis of Mechanical Systems with Clearances"), for a depth d and the force per length f = F/L:

    d = f/(pi E*) [ln(L^3 D / (F R_a R_b s)) + 1,  s = 1/(pi E*)]
    D = R_bore - R_pin, or R_a + R_b outside;   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b

Goldsmith's formula is the same with L in place of L^3, which has no consistent dimension; it is not offered.

The force follows from the depth by Newton's method; the potential is exact: V = L f^2 (w/2 - 1/4)/(pi E*), w being the bracket.

Parameters: `young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs; `dissipation` mu_c [s/m],
0 by default, multiplies the force by (1 + mu_c d'). Radii and length come from the geometry.

Memory: none.

Cannot: hold for large loads in a narrow clearance. The bracket falls with the load and the depth would shrink again; from
d = 0.74 D L^2/(R_a R_b) on, where the stiffness is pi E* L, the force goes straight on. Patches wider than a small part of the radius
are not within the theory: use `persson` for close fits. Tilted axes have no line of contact.

Reference: S. Dubowsky, F. Freudenstein, Dynamic analysis of mechanical systems with clearances, part 1: formulation of dynamic
model, J. Engineering for Industry 93 (1971); as compared in C. M. Pereira, A. L. Ramalho, J. A. Ambrósio, A critical overview of
internal and external cylinder contact force models, Nonlinear Dynamics 63 (2011), 681-697.
*/
struct DubowskyFreudenstein : LogCylinder {
  const char* bind(const ContactPair& pair) {
    const char* missing = bind_cylinders(pair);
    if (missing == nullptr) set_kappa(1 + std::log(pair.length * pair.length / std::abs(pair.radius_a * pair.radius_b)));
    return missing;
  }
};

}  // namespace bristle
