#pragma once
#include <vector>

#include "bristle/constraint/wrench.h"

namespace bristle {

/// What a unit force along a row between two bodies does to B: force, and moment about `at`, in world axes.
struct RowWrench {
  Vec3<> F, M, at;
};

/// Read from the row itself, whatever measure it belongs to: from the columns of the body that has the most of them.
inline RowWrench row_wrench(const Eval& e, int row, const std::vector<BodyInfo>& bodies, int A, int B) {
  const BodyInfo &a = bodies[static_cast<std::size_t>(A)], &b = bodies[static_cast<std::size_t>(B)];
  const bool second = freedoms(b) >= freedoms(a);
  const BodyInfo& body = second ? b : a;
  const Pose& pose = e.pose[second ? B : A];
  const double* D = e.D + e.rows->begin(row)->at + (second ? freedoms(a) : 0);
  RowWrench w;
  w.at = pose.p;
  if (body.kind == BodyInfo::Kind::planar) {
    w.F[0] = D[0], w.F[1] = D[1], w.M[2] = D[2];
  } else {
    for (int k = 0; k < 3; ++k) w.F[k] = D[k];
    if (body.kind == BodyInfo::Kind::rigid) w.M = pose.R * Vec3<>{{D[3], D[4], D[5]}};
  }
  if (!second) w.F = -1.0 * w.F, w.M = -1.0 * w.M;
  return w;
}

}  // namespace bristle
