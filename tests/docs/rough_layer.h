#pragma once
#include <cmath>

#include "bristle/base/visitor.h"

namespace bristle {

/** Rough surfaces pressed flat: the stiffness grows with the load.

Equations, at a depth d > 0: F = F_0 sinh(d/L), so dF/dd = sqrt(F^2 + F_0^2)/L.

Parameters: `load` F_0 [N] below which the stiffness hardly changes; `height` L [m], of the order of the roughness.

Memory: none.

Cannot: take energy out (use `hunt_crossley`); describe the bodies below the rough layer, which are softer at high loads (use `hertz`).

Reference: this page of the contributor's guide.
*/
struct RoughLayer {
  double load = kRequired, height = kRequired;

  void visit(Visitor& v) {
    v("load", load, unit::newton, positive, "load below which the stiffness hardly changes");
    v("height", height, unit::metre, positive, "height of the roughness");
  }
  template <class T>
  T potential(const T& depth) const {
    using std::sinh;
    const T half = sinh(0.5 / height * depth);  // cosh - 1 would lose its digits at small depths
    return 2.0 * load * height * half * half;
  }
  template <class T>
  T elastic(const T& depth) const {
    using std::sinh;
    return load * sinh(1 / height * depth);
  }
};

}  // namespace bristle
