// Groups of unknowns eliminated as blocks, against a dense solution.
#include "bristle/math/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace bristle {
namespace {

/// A tree of groups with loose unknowns that hold some of them, zeros on their diagonal.
struct Case {
  int n = 0;
  std::vector<int> group;
  std::vector<std::pair<int, int>> entries;  // (column, row)
  SparsePattern pattern;
  Eigen::MatrixXd A;

  Case(int groups, int size, const std::vector<std::pair<int, int>>& links, const std::vector<int>& held) {
    n = groups * size + 2 * static_cast<int>(held.size());
    group.assign(static_cast<std::size_t>(n), -1);
    for (int i = 0; i < groups * size; ++i) group[static_cast<std::size_t>(i)] = i / size;
    A = Eigen::MatrixXd::Zero(n, n);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> dice(-1, 1);
    const auto fill = [&](int a, int b) {
      for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) A(a * size + i, b * size + j) = dice(random) + (a == b && i == j ? 3.0 * size : 0);
      }
    };
    for (int g = 0; g < groups; ++g) fill(g, g);
    for (const auto& [a, b] : links) fill(a, b), fill(b, a);
    for (std::size_t k = 0; k < held.size(); ++k) {
      for (int r = 0; r < 2; ++r) {
        for (int i = 0; i < size; ++i) {
          const int row = groups * size + 2 * static_cast<int>(k) + r, column = held[k] * size + i;
          A(row, column) = A(column, row) = dice(random);
        }
      }
    }
    for (int c = 0; c < n; ++c) {
      for (int r = 0; r < n; ++r) {
        if (A(r, c) != 0) entries.push_back({c, r}), pattern.add(r, c);
      }
    }
    pattern.compress(n);
  }
  /// Every third entry is held back until its step is eliminated. b: right-hand side that goes along.
  bool factor(BlockLu& lu, Eigen::VectorXd& b) const {
    const auto add = [&](int step, bool late) {
      for (std::size_t k = 0; k < entries.size(); ++k) {
        const auto [c, r] = entries[k];
        const int own = lu.step_of(r, c);
        if ((k % 3 == 0) != late || (late && own != step)) continue;
        if (own >= 0) lu.touch(own);
        lu.values()[lu.index(r, c)] += A(r, c);
      }
    };
    lu.begin();
    add(-1, false);
    for (int k = 0; k < lu.steps(); ++k) {
      lu.touch(k);
      add(k, true);
      if (!lu.eliminate(k)) return false;
      lu.forward(k, b.data());
    }
    add(-1, true);
    if (!lu.factor_rest()) return false;
    lu.back(b.data());
    return true;
  }
  void check() const {
    BlockLu lu;
    lu.analyse(pattern, group);
    const Eigen::PartialPivLU<Eigen::MatrixXd> dense(A);
    for (int round = 0; round < 2; ++round) {  // refilled in place
      const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, -1, 2), c = Eigen::VectorXd::LinSpaced(n, 3, -1 + round);
      Eigen::VectorXd x = b, y = c;
      ASSERT_TRUE(factor(lu, x));
      lu.solve(y.data());
      EXPECT_LT((A * x - b).norm(), 1e-11 * b.norm());
      EXPECT_LT((x - dense.solve(b)).norm(), 1e-11 * x.norm());
      EXPECT_LT((y - dense.solve(c)).norm(), 1e-11 * y.norm());
    }
  }
};

TEST(BlockLu, solves_a_chain_held_at_one_end) {
  Case(20, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}}, {0}).check();
}
TEST(BlockLu, solves_chains_held_at_both_ends) {
  std::vector<std::pair<int, int>> links;
  for (int k = 0; k < 15; ++k) links.push_back({k, k + 1});
  for (int size : {6, 12, 5}) Case(16, size, links, {0, 15}).check();
}
TEST(BlockLu, solves_a_tree_and_a_ring) {
  Case(9, 12, {{0, 1}, {1, 2}, {1, 3}, {3, 4}, {3, 5}, {3, 6}, {6, 7}, {6, 8}}, {2, 8}).check();
  Case(8, 6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 0}}, {}).check();
}
TEST(BlockLu, leaves_crowds_to_the_sparse_factors) {
  std::vector<std::pair<int, int>> links;
  for (int a = 0; a < 10; ++a) {
    for (int b = a + 1; b < 10; ++b) links.push_back({a, b});
  }
  Case(10, 6, links, {3}).check();
}
TEST(BlockLu, eliminates_from_both_ends_of_the_order) {
  std::vector<std::pair<int, int>> links;
  for (int k = 0; k < 15; ++k) links.push_back({k, k + 1});
  Case(16, 12, links, {0}).check();   // the last group goes first
  Case(16, 12, links, {15}).check();  // the first group goes first
  Case(16, 12, links, {7}).check();
}
TEST(BlockLu, says_when_a_block_is_singular) {
  Case c(8, 6, {{0, 1}, {1, 2}}, {});
  c.A.row(40).setZero();
  BlockLu lu;
  lu.analyse(c.pattern, c.group);
  Eigen::VectorXd b = Eigen::VectorXd::Ones(c.n);
  EXPECT_FALSE(c.factor(lu, b));
}

}  // namespace
}  // namespace bristle
