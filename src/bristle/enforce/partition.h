#pragma once
#include <vector>

#include "bristle/core/system.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/// Dependent and independent coordinates (M5 of Frictional Contacts in Multibody Dynamics, eqs. 2.65 to 2.74): which velocities follow from the
/// others by the held rows, and the factors to find them. A choice serves for one step.
class Partition {
 public:
  void clear() { columns_.clear(), rows_.clear(); }
  bool chosen() const { return !columns_.empty(); }
  int size() const { return static_cast<int>(columns_.size()); }
  int row(int i) const { return rows_[static_cast<std::size_t>(i)]; }        ///< held row that is solved
  int column(int j) const { return columns_[static_cast<std::size_t>(j)]; }  ///< unknown that is solved for
  /// Chooses by the rows in the workspace.
  void choose(const System&, const Workspace&);
  /// New factors from the rows in the workspace. False: singular.
  bool factor(const System&, const Workspace&);
  void solve(double* b) const { lu_.solve(b); }

 private:
  std::vector<int> columns_, rows_;
  bool analysed_ = false;
  SparsePattern pattern_;
  std::vector<std::vector<int>> into_;  // per solved row: place of each of its pieces in values_, -1: not solved for
  std::vector<double> values_;
  SparseLu<double> lu_;
  void analyse(const System&);
};

}  // namespace bristle
