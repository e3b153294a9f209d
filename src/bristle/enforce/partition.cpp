#include "bristle/enforce/partition.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/held_matrix.h"
#include "bristle/enforce/held_rows.h"
#include "bristle/math/decompositions.h"
#include "bristle/math/newton.h"

namespace bristle {

/// Gaussian elimination with full pivoting finds the independent rows and the columns that are solved for.
void Partition::choose(const System& system, const Workspace& w) {
  Eigen::FullPivLU<Eigen::MatrixXd> lu(held_matrix(system, w));
  lu.setThreshold(1e-10);
  clear();
  analysed_ = false;
  const int known = system.layout().held_count() - static_cast<int>(system.layout().redundant.size());
  const int m = std::min<int>(known, static_cast<int>(lu.rank()));
  rows_.assign(u(m), 0);
  for (int i = 0; i < m; ++i) columns_.push_back(lu.permutationQ().indices()[i]);
  for (int r = 0; r < system.layout().held_count(); ++r) {
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
void HeldRows::complete_state(const System& system, State& x, Workspace& w) {
  if (count_ == 0) return;
  if (!enforcement_.completes || near_) return follow_branch(system, x, w);
  system.look(x, w);
  if (!partition_.chosen()) partition_.choose(system, w);
  const Layout& layout = system.layout();
  const int m = partition_.size();
  if (m == 0) return;
  const auto held_row = [&](int i) { return u(layout.held[u(partition_.row(i))].row); };
  // what the rows are off is enough, however large the last change was
  struct Completion {
    HeldRows& own;
    const System& system;
    State& x;
    Workspace& w;
    double off = 0, before = kInfinity;
    bool looked = true;

    double& b(int i) const { return own.b_[u(i)]; }
    double value(int i) const { return w.row_value[u(system.layout().held[u(own.partition_.row(i))].row)]; }
    bool evaluate() {
      if (!looked) system.look(x, w);
      looked = false;
      if (!own.partition_.factor(system, w)) return false;
      off = 0;
      for (int i = 0; i < own.partition_.size(); ++i) {
        b(i) = value(i);
        off = std::abs(b(i)) <= off ? off : std::abs(b(i));
      }
      return true;
    }
    bool settled() {
      if (off <= own.enforcement_.position_tolerance || !std::isfinite(off) || (off < 1e-9 && off > 0.5 * before)) return true;
      before = off;
      return false;
    }
    bool solve() {
      own.partition_.solve(own.b_.data());
      return true;
    }
    double size() const { return off; }
    void take(double) {
      std::fill(own.dv_.begin(), own.dv_.end(), 0.0);
      for (int j = 0; j < own.partition_.size(); ++j) own.dv_[u(system.layout().v_index(own.partition_.column(j)))] = -b(j);
      system.motion().shift(x, own.dv_.data());
    }
    static NewtonStep judge(const Contraction&) { return NewtonStep::on; }
  };
  Completion completion{*this, system, x, w};
  Contraction contraction;
  if (newton(completion, contraction, 12) == NewtonEnd::no_value) return;
  for (int i = 0; i < m; ++i) b_[u(i)] = w.row_rate[held_row(i)];
  partition_.solve(b_.data());
  for (int j = 0; j < m; ++j) x.v()[layout.v_index(partition_.column(j))] -= b_[u(j)];
}

}  // namespace bristle
