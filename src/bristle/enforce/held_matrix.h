#pragma once
#include <Eigen/Core>

#include "bristle/core/system.h"

namespace bristle {

/// The held rows whose values are in the workspace, as a dense matrix by free velocity: for assembly and analyses, not for steps.
Eigen::MatrixXd held_matrix(const System&, const Workspace&);

}  // namespace bristle
