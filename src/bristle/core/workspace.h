#pragma once
#include <vector>

#include "bristle/core/eval.h"

namespace bristle {

/// Every buffer of an evaluation; one per thread. Never saved, never needed to reproduce a result.
struct Workspace {
  std::vector<double> f, power, stored;
  std::vector<double> scratch;  ///< of blocks, see Eval
  std::vector<double> step;     ///< an increment in the first-order form; of the method that interpolates
  std::vector<double> rate;     ///< first-order form [tangent of q | acceleration | zdot]; blocks write zdot, the kernel the rest
  std::vector<double> a, lambda;
  std::vector<Pose> pose;     ///< bodies in space
  std::vector<double> map;    ///< maps of frames that are matrices
  const double* q = nullptr;  ///< configuration of the state that was viewed last
  std::vector<double> D, row_value, row_rate, row_partial, row_drift, row_force;
  std::vector<char> resting;  ///< per dry place: kept at rest in the last evaluation
  RestRule rest = RestRule::events;
  double load_factor = 1;  ///< see Eval
  Eval eval;               ///< what blocks see, where stages move one state: w.eval = system.view(x, w)
};

}  // namespace bristle
