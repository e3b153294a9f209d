#pragma once
#include "bristle/base/visitor.h"

namespace bristle {

/** A hardening spring with a damper that acts only while the surfaces approach: the wall of a sleeve joint.

Equations ("Modeling and Analysis of Nonlinear Sleeve Joints of Large Space Structures", 4 and 6), at a depth d > 0 that grows with
the rate d':

    F = K d + eps d^3 + C d'      while d' > 0
    F = K d + eps d^3             while d' <= 0

Parameters: `stiffness` K [N/m]; `hardening` eps [N/m^3], 0 by default; `damping` C [N s/m], 0 by default.

Memory: none.

Cannot: start gently: the force jumps at touch-down to C times the speed of approach. Its slope by the rate jumps where the motion
turns. It never pulls, without being cut off. A soft start needs `hunt_crossley` or `flores`.

Reference: A. A. Ferri, Modeling and analysis of nonlinear sleeve joints of large space structures, J. Spacecraft and Rockets 25
(1988).
*/
struct OneWayContact {
  double stiffness = kRequired;  // [N/m]
  double hardening = 0;          // [N/m^3]
  double c = 0;                  // [N s/m]

  void visit(Visitor& v) {
    v("stiffness", stiffness, unit::newton_per_metre, positive, "force over depth, at small depths");
    v("hardening", hardening, unit::newton_per_metre3, non_negative, "force over the third power of the depth");
    v("damping", c, unit::newton_second_per_metre, non_negative, "force over rate while the depth grows");
  }
  bool damped() const { return c > 0; }
  template <class T>
  T potential(const T& depth) const {
    const T square = depth * depth;
    return 0.5 * stiffness * square + 0.25 * hardening * square * square;
  }
  template <class T>
  T elastic(const T& depth) const {
    return stiffness * depth + hardening * depth * depth * depth;
  }
  template <class T>
  T damping(const T&, const T& rate, const T&) const {
    return rate > 0 ? c * rate : T(0);
  }
};

}  // namespace bristle
