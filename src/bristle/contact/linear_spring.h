#pragma once
#include "bristle/base/visitor.h"

namespace bristle {

/// stiffness * depth, the elastic part of the linear laws.
struct LinearSpring {
  double stiffness = kRequired;  // [N/m]

  void visit(Visitor& v) { v("stiffness", stiffness, unit::newton_per_metre, positive, "force over depth"); }
  template <class T>
  T potential(const T& depth) const {
    return 0.5 * stiffness * depth * depth;
  }
  template <class T>
  T elastic(const T& depth) const {
    return stiffness * depth;
  }
};

}  // namespace bristle
