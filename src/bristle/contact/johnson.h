#pragma once
#include "bristle/contact/log_cylinder.h"

namespace bristle {

/** Two elastic cylinders along a line, a pin in its bore or a roller on another, after Johnson.

Equations ("Contact Mechanics", eq. (5.57): compression of a cylinder from its rim to its centre by 2 ln(4R/a) - 1, a the half width
of its patch, for both cylinders, and D in place of R_a + R_b for a pin in its bore), for a depth d and the force per length f = F/L:

    d = f/(pi E*) [ln(4 pi E* D / f) - 1]
    D = R_bore - R_pin, or R_a + R_b outside;   1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b

The force follows from the depth by Newton's method; the potential is exact: V = L f^2 (w/2 - 1/4)/(pi E*), w being the bracket.

Parameters: `young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs; `dissipation` mu_c [s/m],
0 by default, multiplies the force by (1 + mu_c d'). Radii and length come from the geometry.

Memory: none.

Cannot: hold for large loads in a narrow clearance. The bracket falls with the load and the depth would shrink again; from d =
0.40 D (8 D/e^3) on, where the stiffness is pi E* L, the force goes straight on. Patches wider than a small part of the radius are
not within the theory: use `persson` for close fits. Tilted axes have no line of contact.

Reference: K. L. Johnson, Contact Mechanics, Cambridge University Press (1985), doi:10.1017/CBO9781139171731; as compared in C. M.
Pereira, A. L. Ramalho, J. A. Ambrósio, A critical overview of internal and external cylinder contact force models, Nonlinear
Dynamics 63 (2011), 681-697.
*/
struct Johnson : LogCylinder {
  const char* bind(const ContactPair& pair) {
    const char* missing = bind_cylinders(pair);
    if (missing == nullptr) set_kappa(std::log(4) - 1);
    return missing;
  }
};

}  // namespace bristle
