#include "bristle/enforce/partition.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/held_matrix.h"
#include "bristle/enforce/multipliers.h"
#include "bristle/math/decompositions.h"

namespace bristle {

/// Gaussian elimination with full pivoting finds the independent rows and the columns that are solved for.
void Partition::choose(const System& system, const Workspace& w) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(held_matrix(system, w));
  lu.setThreshold(1e-10);
  clear();
  analysed_ = false;
  const int known = system.held_count() - static_cast<int>(system.layout().redundant.size());
  const int m = std::min<int>(known, static_cast<int>(lu.rank()));
  rows_.assign(u(m), 0);
  for (int i = 0; i < m; ++i) columns_.push_back(lu.permutationQ().indices()[i]);
  for (int r = 0; r < system.held_count(); ++r) {
    const int i = static_cast<int>(lu.permutationP().indices()[r]);  // row i of the eliminated matrix
    if (i < m) rows_[u(i)] = r;
  }
}

void Partition::analyse(const System& system) {
  const Layout& layout = system.layout();
  const int m = size();
  std::vector<int> place(u(layout.free()), -1);
  for (int j = 0; j < m; ++j) place[u(columns_[u(j)])] = j;
  const std::vector<double> ones(u(layout.rows.values()), 1);
  const auto each = [&](int i, auto&& take) {
    layout.rows.each(layout.held[u(rows_[u(i)])].row, ones.data(), [&](int v, double) {
      const int unknown = layout.unknown(v);
      take(unknown >= 0 ? place[u(unknown)] : -1);
    });
  };
  pattern_.clear();
  for (int i = 0; i < m; ++i) {
    each(i, [&](int j) {
      if (j >= 0) pattern_.add(i, j);
    });
  }
  pattern_.compress(m);
  into_.assign(u(m), {});
  for (int i = 0; i < m; ++i) each(i, [&](int j) { into_[u(i)].push_back(j < 0 ? -1 : pattern_.at(i, j)); });
  values_.assign(u(pattern_.count()), 0);
  lu_.analyse(pattern_);
  analysed_ = true;
}

bool Partition::factor(const System& system, const Workspace& w) {
  if (!analysed_) analyse(system);
  const Layout& layout = system.layout();
  std::fill(values_.begin(), values_.end(), 0.0);
  for (int i = 0; i < size(); ++i) {
    const int* into = into_[u(i)].data();
    layout.rows.each(layout.held[u(rows_[u(i)])].row, w.D.data(), [&](int, double c) {
      if (*into >= 0) values_[u(*into)] += c;
      ++into;
    });
  }
  // pivots anew: with kept ones, what a run finds would depend on how long it has been going on
  return lu_.factor(values_.data(), false);
}

/// The integrator's values of dependent coordinates are thrown away and follow from the independent ones, in every stage.
void Multipliers::complete_state(const System& system, State& x, Workspace& w) {
  if (lambdas_ == 0) return;
  if (!enforcement_.completes || near_) return follow_branch(system, x, w);
  system.look(x, w);
  if (!partition_.chosen()) partition_.choose(system, w);
  const Layout& layout = system.layout();
  const int m = partition_.size();
  if (m == 0) return;
  const auto held_row = [&](int i) { return u(layout.held[u(partition_.row(i))].row); };
  double before = kInfinity;
  for (int pass = 0; pass < 12; ++pass) {
    if (pass > 0) system.look(x, w);
    if (!partition_.factor(system, w)) return;
    double size = 0;
    for (int i = 0; i < m; ++i) {
      b_[u(i)] = w.row_value[held_row(i)];
      size = std::abs(b_[u(i)]) <= size ? size : std::abs(b_[u(i)]);
    }
    if (size <= enforcement_.position_tolerance || !std::isfinite(size) || (size < 1e-9 && size > 0.5 * before)) break;
    before = size;
    partition_.solve(b_.data());
    std::fill(dv_.begin(), dv_.end(), 0.0);
    for (int j = 0; j < m; ++j) dv_[u(layout.v_index(partition_.column(j)))] = -b_[u(j)];
    system.shift(x, dv_.data());
  }
  for (int i = 0; i < m; ++i) b_[u(i)] = w.row_rate[held_row(i)];
  partition_.solve(b_.data());
  for (int j = 0; j < m; ++j) x.v()[layout.v_index(partition_.column(j))] -= b_[u(j)];
}

}  // namespace bristle
