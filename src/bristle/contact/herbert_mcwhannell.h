#pragma once
#include "bristle/contact/hysteresis.h"

namespace bristle {

/** Impact of curved bodies with a given restitution, from a solution of the equation of motion; the best of the simple factors
down to about 0.6.

Equations ("Frictional Contacts in Multibody Dynamics", 4.35 to 4.37 and its overview of hysteresis factors), at a depth d > 0 that
grows with the rate d':

    F = K d^n (1 + factor d'/v),      factor = 6 (1 - c_e) / ((2 c_e - 1)^2 + 3),      never less than 0

v is the rate at touch-down. The restitution that a single impact then has depends on c_e alone, not on mass, stiffness, speed or n:

    asked for    0.9      0.7      0.5      0.3
    delivered    0.9009   0.7227   0.5936   0.5200

Parameters: `restitution` c_e; `exponent` n, 1.5 by default; either `stiffness` K [N/m^n], its unit following the exponent, or
`young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs, and the radii of the geometry, as for
`hertz`. `minimum_approach` [m/s]: slower approaches count as this one (non-physical).

Memory: the speed at touch-down, as the first accepted step inside the contact has it; kept until separation. Late detection makes
it wrong: steps must be short around touch-down.

Cannot: deliver a low restitution: below about 0.6 it returns too much, and never less than 0.48. It knows no plastic indentation:
the speed of approach must stay below about 1e-5 of the speed of sound in the softer body. Where surfaces stay in contact, the
damping is that of the last touch-down; bodies that start in contact have the one of `minimum_approach`, which is large.

Reference: R. G. Herbert, D. C. McWhannell, Shape and frequency composition of pulses from an impact pair, J. Engineering for
Industry 99 (1977).
*/
struct HerbertMcWhannell : Hysteresis {
  void visit(Visitor& v) { Hysteresis::visit(v, fraction); }
  void prepare() { factor_ = 6 * (1 - restitution) / ((2 * restitution - 1) * (2 * restitution - 1) + 3); }
};

}  // namespace bristle
