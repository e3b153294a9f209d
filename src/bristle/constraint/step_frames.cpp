#include "bristle/constraint/step_frames.h"

#include <algorithm>
#include <cmath>

namespace bristle {

void end_motion(const FrameMap& b, const Pose& start, const Pose& mean, double h, int c, Vec3<>& shift, Vec3<>& turn) {
  shift = turn = {};
  if (c < b.shifts()) {
    shift[c] = 1;
    return;
  }
  Vec3<> axis;
  if (b.turns() == 1) axis[2] = 1;
  else axis = start.R.column(c - 3);
  const Vec3<> r = h * mean.w;
  turn = (1 / (1 + 0.25 * dot(r, r))) * (axis + 0.5 * cross(r, axis));
}

void StepFrames::complete(double h, double change, double length, Vec3<>& F, Vec3<>& M) const {
  const Vec3<> dy = transposed(end.A.R, end.B.p - end.A.p) - transposed(start.A.R, start.B.p - start.A.p);
  const Mat3<> before = transposed(start.A.R, start.B.R), after = transposed(end.A.R, end.B.R);
  double size = dot(dy, dy) / (length * length);
  for (std::size_t k = 0; k < 9; ++k) size += (after.m[k] - before.m[k]) * (after.m[k] - before.m[k]);
  if (!(size > 1e-24)) return;
  // what the gradient half way lacks is of the third order; where that is less than round-off, the division would make a wrong direction of it
  constexpr double kRounding = 4e-15;
  const double lacks = change - h * mean.rate(F, M);
  if (!(std::abs(lacks) > kRounding * std::max({length, norm(end.A.p), norm(end.B.p)}))) return;
  const double lack = lacks / size;
  F = F + (lack / (length * length)) * (mean.A.R * dy);
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      M = M + (lack * (after(a, b) - before(a, b))) * cross(mean.B.R.column(b), mean.A.R.column(a));
    }
  }
}

void StepFrames::vary(bool second, Frame<Dual<kTouchDirections>>& middle, Frame<Dual<kTouchDirections>>& last) const {
  using D9 = Dual<kTouchDirections>;
  const Frame<>&m = second ? mean.B : mean.A, &l = second ? end.B : end.A;
  const int first = second ? 6 : 3;
  for (int j = 0; j < 3; ++j) {
    const Vec3<> c = l.R.column(j);
    for (int i = 0; i < 3; ++i) middle.R(i, j) = D9(m.R(i, j)), last.R(i, j) = D9(l.R(i, j));
    for (int k = 0; k < 3; ++k) {
      Vec3<> unit;
      unit[k] = 1;
      const Vec3<> change = cross(unit, c);
      for (int i = 0; i < 3; ++i) {
        last.R(i, j).d[static_cast<std::size_t>(first + k)] = change[i];
        middle.R(i, j).d[static_cast<std::size_t>(first + k)] = 0.5 * change[i];
      }
    }
  }
  for (int i = 0; i < 3; ++i) {
    middle.p[i] = D9(m.p[i]), last.p[i] = D9(l.p[i]);
    if (second) middle.p[i].d[static_cast<std::size_t>(i)] = 0.5, last.p[i].d[static_cast<std::size_t>(i)] = 1;
  }
}

template <class Visit>
void StepFrames::each_turn(double h, const Vec3<>& F, const Vec3<>& M, const RelationSlope& s, Visit&& visit) const {
  const FrameMap &A = mean.body_A, &B = mean.body_B;
  const int nA = A.count, nB = B.count;
  const Vec3<> mA = cross(mean.arm, F) + M, mB = cross(mean.sB, F) + M;
  const auto change = [&](const FrameMap& b, const Pose& middle, const Pose& last, const Vec3<>& dF, const Vec3<>& m,
                          const Vec3<>& dm, const Vec3<>& turn, double sign, int c) {
    double D[6] = {}, D_turn[6] = {};
    project(b, middle, sign, dF, dm, D);
    if (b.turns() == 3) project(b, last, sign, {}, -0.5 * cross(turn, m), D_turn);
    for (int k = 0; k < b.count; ++k) D[k] += D_turn[k];
    visit(b, c, D);
  };
  for (int c = 0; c < nA + nB; ++c) {
    Vec3<> shift_A, turn_A, shift_B, turn_B;
    if (c < nA) end_motion(A, start.pose_A, mean.pose_A, h, c, shift_A, turn_A);
    else end_motion(B, start.pose_B, mean.pose_B, h, c - nA, shift_B, turn_B);
    const Vec3<> to_B = shift_B + cross(turn_B, end.sB);
    const Vec3<> d = to_B - shift_A - cross(turn_A, end.sA);
    const Vec3<> dF = s.F_A * turn_A + s.F_B * turn_B + s.F_d * d;
    const Vec3<> dM = s.M_A * turn_A + s.M_B * turn_B + s.M_d * d;
    change(A, mean.pose_A, end.pose_A, dF, mA, 0.5 * cross(to_B - shift_A, F) + cross(mean.arm, dF) + dM, turn_A, 1, c);
    change(B, mean.pose_B, end.pose_B, dF, mB, 0.5 * cross(cross(turn_B, end.sB), F) + cross(mean.sB, dF) + dM, turn_B, -1, c);
  }
}

void StepFrames::emit_stiffness(const StepEval& e, const Vec3<>& F, const Vec3<>& M, const RelationSlope& s,
                                JacobianSink& sink) const {
  const FrameMap &A = mean.body_A, &B = mean.body_B;
  const int nA = A.count;
  each_turn(e.h, F, M, s, [&](const FrameMap& b, int c, const double* D) {
    const int column = c < nA ? A.v + c : B.v + c - nA;
    for (int k = 0; k < b.count; ++k) sink.add(JacobianSink::Part::force_step, b.v + k, column, D[k]);
  });
}

void StepFrames::add_turn(double h, const Vec3<>& F, const Vec3<>& M, const RelationSlope& s, double* row) const {
  double moves[2][6] = {};  // increments of A and B
  project(mean.body_A, start.pose_A, h, mean.pose_A.v, mean.pose_A.w, moves[0]);
  project(mean.body_B, start.pose_B, h, mean.pose_B.v, mean.pose_B.w, moves[1]);
  each_turn(h, F, M, s, [&](const FrameMap& b, int c, const double* D) {
    const double* move = moves[&b == &mean.body_A ? 0 : 1];
    for (int k = 0; k < b.count; ++k) row[c] -= D[k] * move[k];
  });
}

}  // namespace bristle
