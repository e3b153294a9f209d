#pragma once
#include <Eigen/Core>
#include <string>

namespace bristle {

/// The two entries of a square matrix that differ the most: "row 1, column 2 is 3, but row 2, column 1 is 4". "" where it is symmetric, up
/// to a part of its size.
std::string asymmetry_text(const Eigen::MatrixXd&, double tolerance);

}  // namespace bristle
