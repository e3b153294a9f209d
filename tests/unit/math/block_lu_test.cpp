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
  std::vector<std::pair<int, int>> pattern;
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
        if (A(r, c) != 0) pattern.push_back({c, r});
      }
    }
  }
  void check() {
    BlockLu lu;
    lu.analyse(n, pattern, group);
    for (int round = 0; round < 2; ++round) {  // refilled in place
      lu.clear();
      for (const auto& [c, r] : pattern) lu.values()[lu.place(r, c)] += A(r, c);
      ASSERT_TRUE(lu.factor());
      Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(n, -1, 2), x = b;
      lu.solve(x.data());
      EXPECT_LT((A * x - b).norm(), 1e-11 * b.norm());
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
TEST(BlockLu, says_when_a_block_is_singular) {
  Case c(8, 6, {{0, 1}, {1, 2}}, {});
  c.A.row(40).setZero();
  BlockLu lu;
  lu.analyse(c.n, c.pattern, c.group);
  for (const auto& [col, r] : c.pattern) lu.values()[lu.place(r, col)] += c.A(r, col);
  EXPECT_FALSE(lu.factor());
}

}  // namespace
}  // namespace bristle
