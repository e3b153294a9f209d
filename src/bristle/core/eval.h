#pragma once
#include "bristle/core/rows.h"
#include "bristle/math/pose.h"

namespace bristle {

/// How places with a dry law behave at rest; a choice of the run.
enum class RestRule : int {
  events,    ///< the mode is a mark: stuck places are held, sliding ones keep their direction; switches are located
  threshold  ///< the sources' flow chart: inside the band of speeds the force that keeps the slip is cut at the limit
};

/// One evaluation as blocks see it: state in, forces out. All arrays are indexed as in State; f by velocity index.
struct Eval {
  double t = 0;
  const double *q = nullptr, *v = nullptr, *z = nullptr, *lambda = nullptr, *a = nullptr, *marks = nullptr;
  double* f = nullptr;        ///< generalised force, added up
  double* zdot = nullptr;     ///< rates of memory
  double* power = nullptr;    ///< [W] per account
  double* scratch = nullptr;  ///< room for one element at a time, as much as the block that needs most (Block::scratch_needed)
  RestRule rest = RestRule::events;
  double load_factor = 1;  ///< part of the loads that acts (statics may raise it from 0 to 1): given forces, weights, winds
  // bodies in space
  Pose* pose = nullptr;   ///< per body
  double* map = nullptr;  ///< numbers of frames that are moved by a matrix; see FrameMap
  const RowPattern* rows = nullptr;
  double* D = nullptr;            ///< values of the rows
  double* row_value = nullptr;    ///< the measure itself
  double* row_rate = nullptr;     ///< its rate: D v and the partial derivative by time
  double* row_partial = nullptr;  ///< partial derivative by time
  double* row_drift = nullptr;    ///< second derivative by time while accelerations are zero
  double* row_force = nullptr;    ///< what resists the measures, added up
  bool looks = false;             ///< for results: all measures, also those nobody acts on, but no drifts
};

}  // namespace bristle
