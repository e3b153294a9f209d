#pragma once
#include <vector>

#include "bristle/math/sparse_lu.h"

namespace bristle {

/// An entry of a sparse matrix. In lists of them entries of the same place add up.
struct MatrixEntry {
  int row, column;
  double value;
};
/// x' A y of what a list says.
template <class X, class Y>
double product(const X& x, const std::vector<MatrixEntry>& A, const Y& y) {
  double sum = 0;
  for (const MatrixEntry& e : A) sum += x[e.row] * e.value * y[e.column];
  return sum;
}

/// A square sparse matrix with its factors, whose entries are told one by one and add up. Where they come at the same places in the same
/// order as the last time, as those of a model do, nothing but values is touched.
class GatheredMatrix {
 public:
  void begin(int n) {
    if (n != n_) told_.clear(), n_ = n, known_ = false;
    next_ = 0;
    values_.assign(values_.size(), 0);
  }
  void add(int row, int column, double value) {
    const auto k = static_cast<std::size_t>(next_++);
    if (k == told_.size()) {
      told_.push_back({row, column, value});
      known_ = false;
      return;
    }
    MatrixEntry& e = told_[k];
    known_ = known_ && e.row == row && e.column == column;
    e = {row, column, value};
  }
  void add(const std::vector<MatrixEntry>& entries) {
    for (const MatrixEntry& e : entries) add(e.row, e.column, e.value);
  }
  /// All entries are there. False: singular.
  bool factor() {
    if (static_cast<std::size_t>(next_) != told_.size()) told_.resize(static_cast<std::size_t>(next_)), known_ = false;
    if (!known_) learn();
    for (std::size_t k = 0; k < told_.size(); ++k) values_[static_cast<std::size_t>(place_[k])] += told_[k].value;
    return lu_.factor(values_.data(), false);
  }
  void solve(double* b) const { lu_.solve(b); }
  /// b -= A x
  void subtract_product(const double* x, double* b) const {
    for (int c = 0; c < n_; ++c) {
      for (int k = pattern_.begin(c); k < pattern_.end(c); ++k) b[pattern_.row(k)] -= values_[static_cast<std::size_t>(k)] * x[c];
    }
  }

 private:
  void learn() {
    pattern_.clear();
    for (const MatrixEntry& e : told_) pattern_.add(e.row, e.column);
    pattern_.compress(n_);
    place_.clear();
    for (const MatrixEntry& e : told_) place_.push_back(pattern_.at(e.row, e.column));
    values_.assign(static_cast<std::size_t>(pattern_.count()), 0);
    lu_.analyse(pattern_);
    known_ = true;
  }

  int n_ = 0, next_ = 0;
  bool known_ = false;
  std::vector<MatrixEntry> told_;
  std::vector<int> place_;  // of each entry among the values
  SparsePattern pattern_;
  std::vector<double> values_;
  SparseLu<double> lu_;
};

}  // namespace bristle
