#include "bristle/constraint/pair_frames.h"

namespace bristle {

namespace {

/// How a body moves at the end of the step when its increment number c grows: shift of the centre of mass and turn, in world axes.
void end_motion(const BodyInfo& b, const Pose& start, const Pose& mean, double h, int c, Vec3<>& shift, Vec3<>& turn) {
  shift = turn = {};
  const bool planar = b.kind == BodyInfo::Kind::planar;
  if (c < (planar ? 2 : 3)) {
    shift[c] = 1;
    return;
  }
  Vec3<> axis;
  if (planar) axis[2] = 1;
  else axis = start.R.column(c - 3);
  const Vec3<> r = h * mean.w;
  turn = (1 / (1 + 0.25 * dot(r, r))) * (axis + 0.5 * cross(r, axis));
}

}  // namespace

void PairFrames::complete(double h, double change, double length, Vec3<>& F, Vec3<>& M) const {
  const Vec3<> dy = transposed(end.A.R, end.B.p - end.A.p) - transposed(start.A.R, start.B.p - start.A.p);
  const Mat3<> before = transposed(start.A.R, start.B.R), after = transposed(end.A.R, end.B.R);
  double size = dot(dy, dy) / (length * length);
  for (std::size_t k = 0; k < 9; ++k) size += (after.m[k] - before.m[k]) * (after.m[k] - before.m[k]);
  if (!(size > 1e-24)) return;
  const double lack = (change - h * mean.rate(F, M)) / size;
  F = F + (lack / (length * length)) * (mean.A.R * dy);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      M = M + (lack * (after(a, b) - before(a, b))) * cross(mean.B.R.column(b), mean.A.R.column(a));
    }
  }
}

void PairFrames::emit_stiffness(const Eval& e, const Vec3<>& F, const Vec3<>& M, const RelationSlope& s,
                                JacobianSink& sink) const {
  const BodyInfo &A = mean.body_A, &B = mean.body_B;
  const int nA = freedoms(A), nB = freedoms(B);
  const Vec3<> mA = cross(mean.arm, F) + M, mB = cross(mean.sB, F) + M;
  const auto change = [&](const BodyInfo& b, const Pose& middle, const Pose& last, const Vec3<>& dF, const Vec3<>& m,
                          const Vec3<>& dm, const Vec3<>& turn, double sign, int column) {
    double D[6] = {}, D_turn[6] = {};
    project(b, middle, sign, dF, dm, D);
    if (b.kind == BodyInfo::Kind::rigid) project(b, last, sign, {}, -0.5 * cross(turn, m), D_turn);
    for (int k = 0; k < freedoms(b); ++k) sink.add(JacobianSink::Part::force_step, b.v + k, column, D[k] + D_turn[k]);
  };
  for (int c = 0; c < nA + nB; ++c) {
    Vec3<> shift_A, turn_A, shift_B, turn_B;
    if (c < nA) end_motion(A, start.pose_A, mean.pose_A, e.pair->h, c, shift_A, turn_A);
    else end_motion(B, start.pose_B, mean.pose_B, e.pair->h, c - nA, shift_B, turn_B);
    const int column = c < nA ? A.v + c : B.v + c - nA;
    const Vec3<> to_B = shift_B + cross(turn_B, end.sB);
    const Vec3<> d = to_B - shift_A - cross(turn_A, end.sA);
    const Vec3<> dF = s.F_A * turn_A + s.F_B * turn_B + s.F_d * d;
    const Vec3<> dM = s.M_A * turn_A + s.M_B * turn_B + s.M_d * d;
    change(A, mean.pose_A, end.pose_A, dF, mA, 0.5 * cross(to_B - shift_A, F) + cross(mean.arm, dF) + dM, turn_A, 1, column);
    change(B, mean.pose_B, end.pose_B, dF, mB, 0.5 * cross(cross(turn_B, end.sB), F) + cross(mean.sB, dF) + dM, turn_B, -1,
           column);
  }
}

}  // namespace bristle
