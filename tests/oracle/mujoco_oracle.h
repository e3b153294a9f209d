#pragma once
// Bodies in MuJoCo, where it is installed (BRISTLE_HAVE_MUJOCO): joint coordinates, RK4 with a fixed step.
#include <vector>

#include "support/closed_forms.h"
#include "support/reference_mechanisms.h"

namespace bristle::test {

struct MujocoSpin {
  double t;
  Triple spin;  ///< body axes
  Matrix33 attitude;
};
/// Times are rounded to whole steps. Rates and joint angles are of fourth order in the step, the attitude of a free body only of second.
std::vector<MujocoSpin> mujoco_free_body(const Triple& inertia, const Triple& spin, const std::vector<double>& times,
                                         double step = 1e-3);
std::vector<Chain::State> mujoco_chain(const Chain& chain, const std::vector<double>& times, double step = 1e-3);

}  // namespace bristle::test
