#include "bristle/enforce/held_matrix.h"

namespace bristle {

Eigen::MatrixXd held_matrix(const System& system, const Workspace& w) {
  const Layout& layout = system.layout();
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(layout.held_count(), layout.free());
  for (int k = 0; k < layout.held_count(); ++k) {
    layout.rows.each(layout.held[static_cast<std::size_t>(k)].row, w.D.data(), [&](int v, double c) {
      if (layout.unknown(v) >= 0) D(k, layout.unknown(v)) += c;
    });
  }
  return D;
}

}  // namespace bristle
