#include "bristle/constraint/wrench.h"

namespace bristle {

namespace {

/// Coordinate c of a body, as a motion of it: shift of the centre of mass and turn in world axes.
void unit_motion(const BodyInfo& b, const Pose& pose, int c, Vec3<>& shift, Vec3<>& turn) {
  shift = turn = {};
  if (b.kind == BodyInfo::Kind::planar && c == 2) turn[2] = 1;
  else if (c < 3) shift[c] = 1;
  else turn = pose.R.column(c - 3);
}

}  // namespace

void MarkerPair::emit_stiffness(const Vec3<>& F, const Vec3<>& M, const RelationSlope& s, JacobianSink& sink) const {
  const int nA = freedoms(body_A), nB = freedoms(body_B);
  const Vec3<> mA = cross(arm, F) + M, mB = cross(sB, F) + M;
  const auto change = [&](const BodyInfo& b, const Pose& pose, const Vec3<>& dF, const Vec3<>& m, const Vec3<>& dm,
                          const Vec3<>& turn, double sign, int column) {
    double D[6] = {};
    project(b, pose, sign, dF, b.kind == BodyInfo::Kind::rigid ? dm - cross(turn, m) : dm, D);
    for (int k = 0; k < freedoms(b); ++k) sink.add(JacobianSink::Part::force_q, b.v + k, column, D[k]);
  };
  for (int c = 0; c < nA + nB; ++c) {
    Vec3<> shift_A, turn_A, shift_B, turn_B;
    if (c < nA) unit_motion(body_A, pose_A, c, shift_A, turn_A);
    else unit_motion(body_B, pose_B, c - nA, shift_B, turn_B);
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
