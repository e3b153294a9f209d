#pragma once
#include <utility>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/measure/relation.h"

namespace bristle {

/// Two markers in the world while their bodies move. A measure between them has a row: its rate is F . u + M . w, and a force T that
/// resists it is the wrench -T (F, M) on B at its marker, and the opposite one on A at the same point.
struct MarkerPair {
  const FrameMap &body_A, &body_B;
  const Pose &pose_A, &pose_B;
  Frame<> A, B;
  Vec3<> sA, sB;  ///< from the centres of mass to the markers
  Vec3<> arm;     ///< from the centre of A to where the wrench acts
  Vec3<> vA, vB;  ///< [m/s] of the markers
  Vec3<> w, u;    ///< angular velocity of B and velocity of its marker, seen from A
  Vec3<> bias;    ///< rate of u while accelerations are zero

  MarkerPair(const Marker& a, const Marker& b, const std::vector<FrameMap>& frames, const Pose* pose)
      : body_A(frames[static_cast<std::size_t>(a.body)]),
        body_B(frames[static_cast<std::size_t>(b.body)]),
        pose_A(pose[a.body]),
        pose_B(pose[b.body]) {
    A.R = pose_A.R * a.R;
    B.R = pose_B.R * b.R;
    sA = pose_A.R * a.s, sB = pose_B.R * b.s;
    A.p = pose_A.p + sA;
    B.p = pose_B.p + sB;
    arm = B.p - pose_A.p;
    vB = pose_B.v + cross(pose_B.w, sB), vA = pose_A.v + cross(pose_A.w, sA);
    w = pose_B.w - pose_A.w;
    u = vB - pose_A.v - cross(pose_A.w, arm);
    bias = cross(pose_B.w, cross(pose_B.w, sB)) - cross(pose_A.w, vB - pose_A.v);
    if (body_A.is_matrix() || body_B.is_matrix()) add_drifts();
  }

  /// Columns of a row between two bodies. Bodies that do not move give none.
  static std::vector<std::pair<int, int>> columns(const FrameMap& A, const FrameMap& B) {
    std::vector<std::pair<int, int>> list;
    if (A.moves()) list.push_back({A.v, A.count});
    if (B.moves()) list.push_back({B.v, B.count});
    return list;
  }
  void write_row(const Vec3<>& F, const Vec3<>& M, double* D) const {
    project(body_A, pose_A, -1, F, cross(arm, F) + M, D);
    project(body_B, pose_B, 1, F, cross(sB, F) + M, D + body_A.count);
  }
  double rate(const Vec3<>& F, const Vec3<>& M) const { return dot(F, u) + dot(M, w); }
  double drift(const Vec3<>& F, const Vec3<>& M, const Vec3<>& F_rate, const Vec3<>& M_rate) const {
    const double sum = dot(F_rate, u) + dot(F, bias) + dot(M_rate, w);
    return body_A.is_matrix() || body_B.is_matrix() ? sum + dot(M, bias_of_turn()) : sum;
  }
  /// -d(D' T)/dq of all rows together: (F, M) and `slope` are sums over the rows, times their forces T.
  void emit_stiffness(const Vec3<>& F, const Vec3<>& M, const RelationSlope& slope, JacobianSink& sink) const;

 private:
  // of frames that are moved by a matrix
  void add_drifts();
  Vec3<> bias_of_turn() const;  // rate of w while accelerations are zero
};

}  // namespace bristle
