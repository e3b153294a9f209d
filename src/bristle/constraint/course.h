#pragma once
#include <cmath>
#include <vector>

#include "bristle/math/pose.h"
#include "bristle/math/space.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// An orientation as a function of time: turns one after the other, each about an axis of the frame that the ones before have left. It has
/// no singular place, whatever the axes and angles.
struct Course {
  struct Turn {
    int axis = 2;
    BoundSignal angle;  ///< of time alone
  };
  std::vector<Turn> turns;

  /// Rotation, angular velocity and its rate, in the axes of the frame where the turns begin.
  struct At {
    Mat3<> R = Mat3<>::identity();
    Vec3<> w, w_rate;
  };
  At at(double t) const {
    At c;
    for (const Turn& turn : turns) {
      double angle = 0, rate = 0, rate_rate = 0;
      turn.angle.motion(t, angle, rate, rate_rate);
      const Vec3<> axis = c.R.column(turn.axis), spin = rate * axis;
      c.w_rate = c.w_rate + rate_rate * axis + cross(c.w, spin);
      c.w = c.w + spin;
      const int i = (turn.axis + 1) % 3, j = (turn.axis + 2) % 3;
      const Vec3<> a = c.R.column(i), b = c.R.column(j);
      c.R.set_column(i, std::cos(angle) * a + std::sin(angle) * b);
      c.R.set_column(j, std::cos(angle) * b - std::sin(angle) * a);
    }
    return c;
  }
};

}  // namespace bristle
