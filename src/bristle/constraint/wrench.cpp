#include "bristle/constraint/wrench.h"

namespace bristle {

void MarkerPair::add_drifts() {
  if (body_B.is_matrix()) {
    const double* d = body_B.drift(pose_B);
    bias = bias + vec3(d) + cross(vec3(d + 3), sB);
  }
  if (body_A.is_matrix()) {
    const double* d = body_A.drift(pose_A);
    bias = bias - vec3(d) - cross(vec3(d + 3), arm);
  }
}

Vec3<> MarkerPair::bias_of_turn() const {
  Vec3<> rate;
  if (body_B.is_matrix()) rate = rate + vec3(body_B.drift(pose_B) + 3);
  if (body_A.is_matrix()) rate = rate - vec3(body_A.drift(pose_A) + 3);
  return rate;
}

void MarkerPair::emit_stiffness(const Vec3<>& F, const Vec3<>& M, const RelationSlope& s, JacobianSink& sink) const {
  const int nA = body_A.count, nB = body_B.count;
  const Vec3<> mA = cross(arm, F) + M, mB = cross(sB, F) + M;
  // of a matrix: while it stands still; the block that owns it knows how it turns
  if (body_A.is_matrix()) body_A.add_load(pose_A, 1, F, mA);
  if (body_B.is_matrix()) body_B.add_load(pose_B, -1, F, mB);
  const auto change = [&](const FrameMap& b, const Pose& pose, const Vec3<>& dF, const Vec3<>& m, const Vec3<>& dm,
                          const Vec3<>& turn, double sign, int column) {
    if (b.is_matrix()) {
      for (int k = 0; k < b.count; ++k) sink.add(JacobianSink::Part::force_q, b.v + k, column, sign * b.along(pose, k, dF, dm));
      return;
    }
    double D[6] = {};
    project(b, pose, sign, dF, b.turns() == 3 ? dm - cross(turn, m) : dm, D);
    for (int k = 0; k < b.count; ++k) sink.add(JacobianSink::Part::force_q, b.v + k, column, D[k]);
  };
  for (int c = 0; c < nA + nB; ++c) {
    Vec3<> shift_A, turn_A, shift_B, turn_B;
    if (c < nA) body_A.column(pose_A, c, shift_A, turn_A);
    else body_B.column(pose_B, c - nA, shift_B, turn_B);
    const int column = c < nA ? body_A.v + c : body_B.v + c - nA;
    const Vec3<> to_B = shift_B + cross(turn_B, sB);
    const Vec3<> d = to_B - shift_A - cross(turn_A, sA);
    const Vec3<> dF = s.F_A * turn_A + s.F_B * turn_B + s.F_d * d;
    const Vec3<> dM = s.M_A * turn_A + s.M_B * turn_B + s.M_d * d;
    change(body_A, pose_A, dF, mA, cross(to_B - shift_A, F) + cross(arm, dF) + dM, turn_A, 1, column);
    change(body_B, pose_B, dF, mB, cross(cross(turn_B, sB), F) + cross(sB, dF) + dM, turn_B, -1, column);
  }
}

}  // namespace bristle
