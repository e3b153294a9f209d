#include "bristle/math/sparse_pattern.h"

#include <gtest/gtest.h>

#include "bristle/math/sparse_lu.h"

namespace bristle {
namespace {

TEST(SparsePattern, stands_in_columns_whatever_the_order_and_however_often_an_entry_comes) {
  SparsePattern p;
  for (const auto& [row, column] : {std::pair{2, 1}, {0, 0}, {2, 2}, {1, 1}, {0, 2}, {2, 1}}) p.add(row, column);
  p.compress(3);
  EXPECT_EQ(p.starts(), (std::vector<int>{0, 1, 3, 5}));
  EXPECT_EQ(p.rows(), (std::vector<int>{0, 1, 2, 0, 2}));
  EXPECT_EQ(p.at(2, 1), 2);
  EXPECT_EQ(p.at(1, 2), -1);
}

TEST(SparsePattern, values_at_its_places_are_the_matrix_that_is_solved) {
  SparsePattern p;
  for (const auto& [row, column] : {std::pair{0, 0}, {1, 1}, {1, 0}, {0, 1}}) p.add(row, column);
  p.compress(2);
  std::vector<double> values(static_cast<std::size_t>(p.count()));
  const auto put = [&](int row, int column, double x) { values[static_cast<std::size_t>(p.at(row, column))] = x; };
  put(0, 0, 2), put(0, 1, 1), put(1, 0, -1), put(1, 1, 3);
  SparseLu<double> lu;
  lu.analyse(p);
  ASSERT_TRUE(lu.factor(values.data()));
  double b[] = {4, 5};  // 2 x + y = 4, -x + 3 y = 5
  lu.solve(b);
  EXPECT_NEAR(b[0], 1, 1e-15);
  EXPECT_NEAR(b[1], 2, 1e-15);
}

TEST(SparsePattern, may_be_filled_anew) {
  SparsePattern p;
  p.add(1, 0);
  p.compress(2);
  p.clear();
  p.add(0, 1);
  p.compress(2);
  EXPECT_EQ(p.at(1, 0), -1);
  EXPECT_EQ(p.at(0, 1), 0);
  EXPECT_EQ(p.columns(), 2);
}

}  // namespace
}  // namespace bristle
