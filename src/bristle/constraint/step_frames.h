#pragma once
#include "bristle/constraint/wrench.h"
#include "bristle/measure/touch.h"

namespace bristle {

/// How a body moves at the end of a step when its increment number c grows: shift of the centre of mass and turn, in world axes.
void end_motion(const FrameMap& b, const Pose& start, const Pose& mean, double h, int c, Vec3<>& shift, Vec3<>& turn);

/// Two markers over a whole step: the means that carry the wrench, and the frames at the start, half way and at the end.
struct StepFrames {
  MarkerPair mean;
  MarkerPair start, half, end;

  StepFrames(const Marker& a, const Marker& b, const std::vector<FrameMap>& frames, const StepEval& e)
      : mean(a, b, frames, e.pose),
        start(a, b, frames, e.pose_ends[0]),
        half(a, b, frames, e.half),
        end(a, b, frames, e.pose_ends[1]) {}

  /// Adds to a row (F, M) of a measure that depends on how B stands to A what it lacks to change by `change` over the step: the least
  /// change of the gradient by position and attitude of B in A, lengths counted in units of `length` (Gonzalez, "Time integration and
  /// discrete Hamiltonian systems").
  void complete(double h, double change, double length, Vec3<>& F, Vec3<>& M) const;

  /// The mean of frame A or B over the step and the frame at its end, with derivatives by displacement (of B) and turns at the end.
  void vary(bool second, Frame<Dual<kTouchDirections>>& middle, Frame<Dual<kTouchDirections>>& last) const;

  /// -d(D' T) by the increments of the step: (F, M) and `slope` are sums over the rows, times their forces T; the slopes are by turns and
  /// displacement at the end.
  void emit_stiffness(const StepEval& e, const Vec3<>& F, const Vec3<>& M, const RelationSlope& slope, JacobianSink& sink) const;

  /// How a row (F, M) turns over the step, times the increments of the step: added to `row`, its derivatives by the increments.
  void add_turn(double h, const Vec3<>& F, const Vec3<>& M, const RelationSlope& slope, double* row) const;

 private:
  /// visit(body, number of the increment of both bodies, change): -dD by that increment, for each body.
  template <class Visit>
  void each_turn(double h, const Vec3<>& F, const Vec3<>& M, const RelationSlope& slope, Visit&& visit) const;
};

}  // namespace bristle
