// Coordinate partitioning (M5 of Frictional Contacts in Multibody Dynamics, eqs. 2.65 to 2.74): the integrator's values of dependent
// coordinates are thrown away and follow from the independent ones, in every stage.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/held_matrix.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/decompositions.h"

namespace bristle {

/// Gaussian elimination with full pivoting finds the independent rows and the columns that are solved for.
void Multipliers::choose_dependent(const System& system, State& x, Workspace& w) {
  system.look(x, w);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(held_matrix(system, w));
  lu.setThreshold(1e-10);
  dependent_.clear();
  independent_rows_.clear();
  const int known = system.held_count() - static_cast<int>(system.layout().redundant.size());
  for (int i = 0; i < std::min<int>(known, static_cast<int>(lu.rank())); ++i) {
    dependent_.push_back(lu.permutationQ().indices()[i]);
    // row i of the eliminated matrix is row p with p -> i
    for (int r = 0; r < system.held_count(); ++r) {
      if (lu.permutationP().indices()[r] == i) independent_rows_.push_back(r);
    }
  }
}

void Multipliers::complete_state(const System& system, State& x, Workspace& w) {
  if (lambdas_ == 0) return;
  if (!enforcement_.completes || near_) return follow_branch(system, x, w);
  if (dependent_.empty()) choose_dependent(system, x, w);
  const Layout& layout = system.layout();
  const int m = static_cast<int>(dependent_.size());
  Eigen::MatrixXd part(m, m);
  Eigen::VectorXd b(m);
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  const auto factor = [&] {
    system.look(x, w);
    const Eigen::MatrixXd D = held_matrix(system, w);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) part(i, j) = D(independent_rows_[u(i)], dependent_[u(j)]);
    }
    lu.compute(part);
  };
  double before = kInfinity;
  for (int pass = 0; pass < 12; ++pass) {
    factor();
    for (int i = 0; i < m; ++i) b[i] = w.row_value[u(layout.held[u(independent_rows_[u(i)])].row)];
    const double size = b.lpNorm<Eigen::Infinity>();
    if (size <= enforcement_.position_tolerance || !std::isfinite(size) || (size < 1e-9 && size > 0.5 * before)) break;
    before = size;
    const Eigen::VectorXd step = lu.solve(b);
    std::fill(dv_.begin(), dv_.end(), 0.0);
    for (int j = 0; j < m; ++j) dv_[u(layout.v_index(dependent_[u(j)]))] = -step[j];
    system.shift(x, dv_.data());
  }
  for (int i = 0; i < m; ++i) b[i] = w.row_rate[u(layout.held[u(independent_rows_[u(i)])].row)];
  const Eigen::VectorXd step = lu.solve(b);
  for (int j = 0; j < m; ++j) x.v()[layout.v_index(dependent_[u(j)])] -= step[j];
}

}  // namespace bristle
