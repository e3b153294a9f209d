#pragma once
#include <utility>
#include <vector>

#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"

namespace bristle {

/** LU factors of a sparse matrix most of whose unknowns come in small groups, such as the nodes of beams. Groups with few neighbours are
eliminated first, as dense blocks with pivots inside the block only; what is left (joints, whatever has no group) goes to a dense or a
sparse LU with pivots of its own. The order is found once; values are refilled in place, and nothing is allocated after `analyse` where
the rest is dense. */
class BlockLu {
 public:
  /// Pattern as pairs (column, row), sorted, each once. group: of every unknown, -1 none; a group without a name in the rows of other
  /// unknowns than those of groups is eliminated.
  void analyse(int n, const std::vector<std::pair<int, int>>& pattern, const std::vector<int>& group);
  int place(int row, int column) const;  ///< where the entry stands among the values; for preparation
  double* values() { return values_.data(); }
  int count() const { return static_cast<int>(values_.size()); }  ///< of values
  void clear();
  bool factor();  ///< overwrites the values
  void solve(double* b) const;

 private:
  struct Group {
    std::vector<int> unknowns;
    int rest = -1;  // number of its first unknown in what is left; -1: eliminated
  };
  struct Neighbour {
    int group = 0;
    int upper = 0, lower = 0;  // places of the blocks (eliminated, neighbour) and (neighbour, eliminated)
  };
  struct Step {  // of the elimination
    int group = 0, size = 0, diagonal = 0, pivot = 0, first = 0, last = 0;
    int update = 0;  // places of the blocks that change: one per pair of neighbours
  };
  struct Fill {  // a block that ends in what is left
    int from = 0, count = 0, first = 0;
  };
  bool factor_rest();

  int n_ = 0, left_ = 0, blocks_ = 0;
  std::vector<Group> groups_;
  std::vector<int> group_;                                     // of every unknown
  std::vector<int> inside_;                                    // its number in the group
  std::vector<int> rest_of_;                                   // its number in what is left, -1: eliminated
  std::vector<int> kept_;                                      // the unknowns that are left
  std::vector<std::pair<std::pair<int, int>, int>> block_at_;  // (row group, column group) and place; sorted
  std::vector<Step> steps_;
  std::vector<Neighbour> neighbours_;
  std::vector<int> updates_;
  std::vector<Fill> fills_;
  std::vector<int> fill_to_;        // places among the values of what is left
  std::vector<int> unknowns_;       // of the eliminated groups, step by step
  std::vector<int> starts_, rows_;  // compressed columns of what is left
  std::vector<double> values_;      // blocks, then the entries of what is left
  std::vector<int> pivot_;
  mutable std::vector<double> work_, rhs_, gather_;
  DenseLu<double> dense_;
  SparseLu<double> sparse_;
};

}  // namespace bristle
