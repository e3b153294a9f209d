#pragma once
#include "bristle/core/system.h"

namespace bristle {

/// How far the held rows are off at a state: the largest, and which row it is (-1: none is held).
struct ConstraintError {
  double position = 0;                   ///< [m, rad]
  double velocity = 0;                   ///< [m/s, rad/s]
  double share = 0;                      ///< position, distances over the size of the mechanism
  double rolling = 0;                    ///< [m/s, rad/s] of rows whose rate alone is held
  int share_row = -1, rolling_row = -1;  ///< index into Layout::held
};

/// Of a state whose measures are in the workspace (System::look), with the size [m] of the mechanism.
ConstraintError calc_constraint_error(const System&, const Workspace&, double size);

/// [m] The largest distance between bodies in space or from a body to one of its joints: errors of joints are held against it. 1 where there are none.
double calc_size(const Layout&, const Pose*);

}  // namespace bristle
