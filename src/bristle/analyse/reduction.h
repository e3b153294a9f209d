#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/enforce/held_matrix.h"

namespace bristle {

/// [m] The length of a mechanism, by which turns and displacements are compared: how far its bodies, nodes and joints are apart at the
/// start. A single body has its radius of gyration; 1 where nothing tells.
double length_scale(const System&);
/// Per free velocity: 1 for a turn of a body, the length scale for everything else.
Eigen::VectorXd unknown_scales(const System&);
/// Free velocities by name: "arm.x", "arm.turn_z", "block".
std::vector<std::string> unknown_names(const Layout&);
Eigen::MatrixXd mass_matrix(const System&);  ///< of the free velocities, at the start where it changes
Eigen::MatrixXd mass_matrix(const System&, const State&);
/// Freedoms that the held rows leave at the start.
int freedoms_of(const System&);
/// The held row that is off the most, as "joint 'pin' (displacement along x)"; `by` is how much.
std::string worst_row(const Layout&, const std::vector<double>& row_value, double& by);

}  // namespace bristle
