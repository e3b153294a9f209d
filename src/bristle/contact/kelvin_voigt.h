#pragma once
#include "bristle/contact/linear_spring.h"

namespace bristle {

/** A linear spring beside a linear damper: the simplest law that takes energy out.

Equations ("Frictional Contacts in Multibody Dynamics", 1.2.2), at a depth d > 0 that grows with the rate d':

    F = k d + c d',      never less than 0

Parameters: `stiffness` k [N/m]; `damping` c [N s/m].

Memory: none.

Cannot: start gently. The force jumps at touch-down to c times the speed of approach, and is cut off at zero where it would pull
before separation. Steps must therefore be short around both, and a method with error control will make them so. Use
`hunt_crossley` or `flores`, whose damping grows with the depth, unless the damper is a real one.

Reference: W. Goldsmith, Impact: The Theory and Physical Behaviour of Colliding Solids, Edward Arnold, London (1960).
*/
struct KelvinVoigt : LinearSpring {
  double c = kRequired;  // [N s/m]

  void visit(Visitor& v) {
    LinearSpring::visit(v);
    v("damping", c, unit::newton_second_per_metre, non_negative, "force over rate");
  }
  bool damped() const { return c > 0; }
  template <class T>
  T damping(const T&, const T& rate, const T&) const {
    return c * rate;
  }
};

}  // namespace bristle
