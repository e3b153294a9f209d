#pragma once
#include "bristle/math/space.h"

namespace bristle {

/// Where a body is and how it moves: its centre of mass and its axes, in the world.
struct Pose {
  Mat3<> R;               ///< body to world
  Vec3<> p;               ///< [m]
  Vec3<> v;               ///< [m/s]
  Vec3<> w;               ///< [rad/s] in world axes
  double* map = nullptr;  ///< numbers of a frame that is moved by a matrix; see FrameMap
};

}  // namespace bristle
