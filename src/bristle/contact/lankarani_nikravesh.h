#pragma once
#include "bristle/contact/hysteresis.h"

namespace bristle {

/** Impact of curved bodies with a given restitution, from the energy lost by two spheres; the usual law of studies of joints with
clearance.

Equations ("Frictional Contacts in Multibody Dynamics", 4.35 to 4.37 and its overview of hysteresis factors), at a depth d > 0 that
grows with the rate d':

    F = K d^n (1 + factor d'/v),      factor = 3/4 (1 - c_e^2),      never less than 0

v is the rate at touch-down. The restitution that a single impact then has depends on c_e alone, not on mass, stiffness, speed or n:

    asked for    0.9      0.7      0.5      0.3
    delivered    0.9132   0.7960   0.7252   0.6842

Parameters: `restitution` c_e; `exponent` n, 1.5 by default; either `stiffness` K [N/m^n], its unit following the exponent, or
`young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs, and the radii of the geometry, as for
`hertz`. `minimum_approach` [m/s]: slower approaches count as this one (non-physical).

For a pin in its bore the literature also uses this law with an exponent between 1 and 1.5 and a stiffness fitted to it.

Memory: the speed at touch-down, as the first accepted step inside the contact has it; kept until separation. Late detection makes
it wrong: steps must be short around touch-down.

Cannot: deliver a restitution much below 1: it is derived for small losses, and returns 0.66 of the speed even where 0 is asked
for. It knows no plastic indentation: the speed of approach must stay below about 1e-5 of the speed of sound in the softer body.
Where surfaces stay in contact, the damping is that of the last touch-down; bodies that start in contact have the one of
`minimum_approach`, which is large.

Reference: H. M. Lankarani, P. E. Nikravesh, A contact force model with hysteresis damping for impact analysis of multibody
systems, J. Mechanical Design 112 (1990), doi:10.1115/1.2912617.
*/
struct LankaraniNikravesh : Hysteresis {
  void visit(Visitor& v) { Hysteresis::visit(v, fraction); }
  void prepare() { factor_ = 0.75 * (1 - restitution * restitution); }
};

}  // namespace bristle
