#pragma once
#include <set>
#include <utility>
#include <vector>

#include "bristle/math/dense_lu.h"
#include "bristle/math/sparse_lu.h"
#include "bristle/math/sparse_pattern.h"

namespace bristle {

/** LU factors of a sparse matrix most of whose unknowns come in small groups, such as the nodes of beams. Groups with few neighbours are
eliminated first, as dense blocks with pivots inside the block only; what is left (joints, whatever has no group) goes to a dense or a
sparse LU with pivots of its own. The order is found once; values are refilled in place, and nothing is allocated after `analyse` where
the rest is dense.

A matrix larger than the caches should be met as seldom as possible, and in the order in which it stands, which is that of the groups. So
steps are cleared when first met, and a right-hand side can go along with the elimination. New values: `begin`; `touch` before the first entry of a
step; then, step by step, entries that were held back, `eliminate`, and `forward` for the right-hand side; `factor_rest` and `back`. More
right-hand sides: `solve`. */
class BlockLu {
 public:
  /// group: of every unknown, -1 none; a group without a name in the rows of other
  /// unknowns than those of groups is eliminated.
  void analyse(const SparsePattern& pattern, const std::vector<int>& group);
  int index(int row, int column) const;    ///< of the entry among the values; for preparation
  int step_of(int row, int column) const;  ///< the step that eliminates it, -1: left; for preparation
  int steps() const { return static_cast<int>(steps_.size()); }
  double* values() { return values_.data(); }

  void begin();              ///< all values zero, those of a step with its first touch
  void touch(int step);      ///< every step needs it before it is eliminated
  bool eliminate(int step);  ///< overwrites the values; false: the matrix is singular
  void forward(int step, double* b) const;
  bool factor_rest();
  void back(double* b) const;   ///< after `forward` for all steps
  void solve(double* b) const;  ///< all of it

 private:
  struct Group {
    int first = 0, size = 0;  // in members_
  };
  struct Neighbour {
    int group = 0;
    int upper = 0, lower = 0;  // where the blocks stand (eliminated, neighbour) and (neighbour, eliminated)
  };
  struct Step {  // of the elimination
    int group = 0, size = 0, diagonal = 0, pivot = 0, first = 0, last = 0;
    int update = 0;           // where the blocks stand that change: one per pair of neighbours
    int upper = 0, wide = 0;  // where the first of the blocks stands right of the diagonal; unknowns of all neighbours
    long long round = 0;      // of the values
    int low_count() const { return size * (size + wide); }  // numbers on the diagonal and below
    int up_count() const { return size * wide; }            // and right of it
  };
  struct Fill {  // a block that ends in what is left
    int from = 0, count = 0, first = 0;
  };
  struct Elimination {
    int group = 0;
    std::vector<int> around;
  };
  using BlockSet = std::set<std::pair<int, int>>;  // (row group, column group)

  // parts of analyse, in this order
  void number_groups();
  std::vector<Elimination> find_order(const SparsePattern& pattern) const;
  void number_rest(const std::vector<Elimination>& order);
  void place_blocks(const std::vector<Elimination>& order, const BlockSet& fills);
  void place_rest(const SparsePattern& pattern, const BlockSet& fills);
  void make_steps(const std::vector<Elimination>& order);
  int size_of(int g) const { return groups_[static_cast<std::size_t>(g)].size; }
  int block(int a, int b) const;  // where it stands

  const Step* soon(int step, int by) const;  // the step that comes so much later, where it is worth asking for

  int n_ = 0, left_ = 0, blocks_ = 0, rest_ = 0;
  bool large_ = false;
  long long round_ = 0;
  std::vector<Group> groups_;
  std::vector<int> members_;                                   // unknowns of the groups
  std::vector<int> group_;                                     // of every unknown
  std::vector<int> inside_;                                    // its number in the group
  std::vector<int> rest_of_;                                   // its number in what is left, -1: eliminated
  std::vector<int> kept_;                                      // the unknowns that are left
  std::vector<int> step_of_;                                   // of every group; -1: left
  std::vector<std::pair<std::pair<int, int>, int>> block_at_;  // (row group, column group) and where it stands; sorted
  std::vector<Step> steps_;
  std::vector<Neighbour> neighbours_;
  std::vector<int> updates_;
  std::vector<Fill> fills_;
  std::vector<int> fill_to_;    // indices among the values of what is left
  SparsePattern left_pattern_;  // of what is left
  std::vector<double> values_;  // diagonals and what stands below; right of them; blocks and entries of what is left
  std::vector<int> pivot_;
  mutable std::vector<double> work_, rhs_, gather_, product_;
  DenseLu<double> dense_;
  SparseLu<double> sparse_;
};

}  // namespace bristle
