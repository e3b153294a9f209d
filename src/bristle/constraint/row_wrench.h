#pragma once
#include <vector>

#include "bristle/constraint/wrench.h"

namespace bristle {

/// What a unit force along a row between two bodies does to B: force, and moment about `at`, in world axes.
struct RowWrench {
  Vec3<> F, M, at;
};

/// Read from the row itself, whatever measure it belongs to: from the columns of the body that can move the most ways.
inline RowWrench row_wrench(const Eval& e, int row, const std::vector<FrameMap>& frames, int A, int B) {
  const FrameMap &a = frames[static_cast<std::size_t>(A)], &b = frames[static_cast<std::size_t>(B)];
  const bool second = b.span() >= a.span();
  const FrameMap& body = second ? b : a;
  const Pose& pose = e.pose[second ? B : A];
  const double* D = e.D + e.rows->begin(row)->at + (second ? a.count : 0);
  RowWrench w;
  w.at = pose.p;
  body.wrench(pose, D, w.F, w.M);
  if (!second) w.F = -1.0 * w.F, w.M = -1.0 * w.M;
  return w;
}

}  // namespace bristle
