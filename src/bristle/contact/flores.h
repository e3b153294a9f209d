#pragma once
#include "bristle/contact/hysteresis.h"

namespace bristle {

/** Impact of curved bodies with a given restitution, good over the whole range, made for soft materials.

Equations ("Frictional Contacts in Multibody Dynamics", 4.35 to 4.37 and its overview of hysteresis factors), at a depth d > 0 that
grows with the rate d':

    F = K d^n (1 + factor d'/v),      factor = 8 (1 - c_e) / (5 c_e),      never less than 0

v is the rate at touch-down. The restitution that a single impact then has depends on c_e alone, not on mass, stiffness, speed or n:

    asked for    0.9      0.7      0.5      0.3
    delivered    0.8939   0.6832   0.4704   0.2562

Parameters: `restitution` c_e; `exponent` n, 1.5 by default; either `stiffness` K [N/m^n], its unit following the exponent, or
`young` [Pa] and `poisson`, with `young_b` and `poisson_b` where the second surface differs, and the radii of the geometry, as for
`hertz`. `minimum_approach` [m/s]: slower approaches count as this one (non-physical).

Memory: the speed at touch-down, as the first accepted step inside the contact has it; kept until separation. Late detection makes
it wrong: steps must be short around touch-down.

Cannot: have a restitution of 0, for which its damping is infinite; a small one makes slow contacts very stiff. It knows no
plastic indentation: the speed of approach must stay below about 1e-5 of the speed of sound in the softer body. Where surfaces
stay in contact, the damping is that of the last touch-down; bodies that start in contact have the one of `minimum_approach`,
which is large.

Reference: P. Flores, M. Machado, M. T. Silva, J. M. Martins, On the continuous contact force models for soft materials in
multibody dynamics, Multibody System Dynamics 25 (2011), doi:10.1007/s11044-010-9237-4.
*/
struct Flores : Hysteresis {
  void visit(Visitor& v) { Hysteresis::visit(v, kAboveZero); }
  void prepare() { factor_ = 1.6 * (1 - restitution) / restitution; }
};

}  // namespace bristle
