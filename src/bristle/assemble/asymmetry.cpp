#include "bristle/assemble/asymmetry.h"

#include <fmt/format.h>

#include <cmath>

namespace bristle {

std::string asymmetry_text(const Eigen::MatrixXd& m, double tolerance) {
  double worst = tolerance * m.norm();
  std::string text;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = i + 1; j < m.cols(); ++j) {
      const double apart = std::abs(m(i, j) - m(j, i));
      if (apart <= worst) continue;
      worst = apart;
      text = fmt::format("row {}, column {} is {:.12g}, but row {}, column {} is {:.12g}", i + 1, j + 1, m(i, j), j + 1, i + 1,
                         m(j, i));
    }
  }
  return text;
}

}  // namespace bristle
