#include <gtest/gtest.h>

#include <complex>
#include <set>

#include "bristle/math/decompositions.h"
#include "bristle/math/dense_lu.h"
#include "bristle/math/random_counter.h"
#include "bristle/math/semidefinite.h"
#include "bristle/math/sparse_lu.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;
using Complex = std::complex<double>;

double number(Dice& dice, double) { return dice.between(-1, 1); }
Complex number(Dice& dice, const Complex&) { return {dice.between(-1, 1), dice.between(-1, 1)}; }

template <class T>
class Solvers : public testing::Test {};
using Numbers = testing::Types<double, Complex>;
TYPED_TEST_SUITE(Solvers, Numbers);

TYPED_TEST(Solvers, dense_factors_solve_random_systems) {
  using T = TypeParam;
  Dice dice(11);
  for (int n : {1, 2, 3, 7, 32, 60}) {
    DenseLu<T> lu;
    lu.reserve(n);
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> A(n, n);
    Eigen::Matrix<T, Eigen::Dynamic, 1> x(n);
    for (int i = 0; i < n; ++i) {
      x(i) = number(dice, T{});
      for (int j = 0; j < n; ++j) lu.matrix()[i * n + j] = A(i, j) = number(dice, T{});
    }
    Eigen::Matrix<T, Eigen::Dynamic, 1> b = A * x;
    ASSERT_TRUE(lu.factor());
    lu.solve(b.data());
    const double condition = 1 / (A.inverse().norm() * A.norm());
    EXPECT_LT((b - x).norm() / x.norm(), 100 * 2.2e-16 / condition) << n;
  }
}

TYPED_TEST(Solvers, dense_factors_need_pivots_and_find_them) {
  using T = TypeParam;
  DenseLu<T> lu;
  lu.reserve(2);
  T* a = lu.matrix();
  a[0] = T(0), a[1] = T(2), a[2] = T(3), a[3] = T(0);
  ASSERT_TRUE(lu.factor());
  T b[2] = {T(4), T(9)};
  lu.solve(b);
  EXPECT_EQ(b[0], T(3));
  EXPECT_EQ(b[1], T(2));
}

TYPED_TEST(Solvers, dense_factors_name_the_column_of_a_singular_matrix) {
  using T = TypeParam;
  DenseLu<T> lu;
  lu.reserve(3);
  T* a = lu.matrix();
  for (int i = 0; i < 3; ++i) a[3 * i] = T(i + 1), a[3 * i + 1] = T(0), a[3 * i + 2] = T(1 + i * i);
  int column = -1;
  EXPECT_FALSE(lu.factor(&column));
  EXPECT_EQ(column, 1);
}

TYPED_TEST(Solvers, sparse_factors_agree_with_dense_ones_also_when_refilled) {
  using T = TypeParam;
  Dice dice(12);
  for (int n : {3, 40, 150}) {
    // a band, a few far entries, a full diagonal
    std::vector<std::set<int>> columns(static_cast<std::size_t>(n));
    for (int c = 0; c < n; ++c) {
      for (int r : {c - 1, c, c + 1}) {
        if (r >= 0 && r < n) columns[static_cast<std::size_t>(c)].insert(r);
      }
      columns[static_cast<std::size_t>(c)].insert(static_cast<int>(dice.between(0, n - 1e-9)));
    }
    std::vector<int> starts{0}, rows;
    for (const auto& c : columns) {
      rows.insert(rows.end(), c.begin(), c.end());
      starts.push_back(static_cast<int>(rows.size()));
    }
    SparseLu<T> sparse;
    sparse.analyse(n, starts, rows);
    DenseLu<T> dense;
    dense.reserve(n);
    for (int refill = 0; refill < 5; ++refill) {
      std::vector<T> values(rows.size());
      std::fill_n(dense.matrix(), n * n, T(0));
      for (int c = 0; c < n; ++c) {
        for (int k = starts[static_cast<std::size_t>(c)]; k < starts[static_cast<std::size_t>(c) + 1]; ++k) {
          const int r = rows[static_cast<std::size_t>(k)];
          const T v = number(dice, T{}) + (r == c ? T(4) : T(0));
          values[static_cast<std::size_t>(k)] = v;
          dense.matrix()[r * n + c] = v;
        }
      }
      std::vector<T> b(static_cast<std::size_t>(n)), d;
      for (T& e : b) e = number(dice, T{});
      d = b;
      ASSERT_TRUE(sparse.factor(values.data()));
      ASSERT_TRUE(dense.factor());
      sparse.solve(b.data());
      dense.solve(d.data());
      // diagonally dominant: condition number below ten or so
      for (std::size_t i = 0; i < b.size(); ++i) EXPECT_LT(std::abs(b[i] - d[i]), 1e-14 * n) << n;
    }
  }
}

TYPED_TEST(Solvers, sparse_factors_refuse_a_singular_matrix_and_recover) {
  using T = TypeParam;
  SparseLu<T> lu;
  lu.analyse(2, {0, 2, 4}, {0, 1, 0, 1});
  const T singular[4] = {T(1), T(2), T(2), T(4)}, regular[4] = {T(1), T(0), T(0), T(2)};
  EXPECT_FALSE(lu.factor(singular));
  ASSERT_TRUE(lu.factor(regular));
  T b[2] = {T(3), T(4)};
  lu.solve(b);
  EXPECT_EQ(b[0], T(3));
  EXPECT_EQ(b[1], T(2));
}

TEST(Semidefinite, solves_regular_systems) {
  Dice dice(13);
  for (int n : {1, 2, 5, 12}) {
    Eigen::MatrixXd A(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) A(i, j) = dice.between(-1, 1);
    }
    const Eigen::MatrixXd W = A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, 1, 2), b = W * x;
    Eigen::VectorXd y(n);
    SemidefiniteSolver solver;
    solver.reserve(n);
    solver.solve(n, W.data(), b.data(), y.data());
    EXPECT_LT((y - x).norm(), 1e-12 * n) << "condition number of a few hundred";
  }
}

TEST(Semidefinite, gives_the_least_norm_where_rows_are_redundant) {
  // three equal places on one mass: each carries a third
  const double W[9] = {2, 2, 2, 2, 2, 2, 2, 2, 2}, b[3] = {6, 6, 6};
  double x[3];
  SemidefiniteSolver solver;
  solver.reserve(3);
  solver.solve(3, W, b, x);
  for (double e : x) EXPECT_NEAR(e, 1, 1e-9);
  EXPECT_NEAR(x[0] + x[1] + x[2], 3, 1e-14) << "the sum, which moves the mass, keeps all its digits";

  // rank two in four dimensions against the pseudo-inverse
  Dice dice(14);
  Eigen::MatrixXd J(4, 2);
  for (int i = 0; i < 8; ++i) J(i / 2, i % 2) = dice.between(-1, 1);
  const Eigen::MatrixXd S = J * J.transpose();
  const Eigen::VectorXd f = S * Eigen::Vector4d(1, -2, 3, 0.5);
  Eigen::VectorXd y(4);
  solver.reserve(4);
  solver.solve(4, S.data(), f.data(), y.data());
  const Eigen::VectorXd best = S.completeOrthogonalDecomposition().solve(f);
  // the shift of 1e-10 leaves round-off/1e-10, some 1e-5, in the null space: how redundant places share, not what they do together
  EXPECT_LT((y - best).norm(), 1e-4);
  EXPECT_LT((S * y - f).norm(), 1e-14 * f.norm() * 10);
}

TEST(Semidefinite, a_row_that_cannot_move_gets_no_force) {
  const double W[1] = {0}, b[1] = {5};
  double x[1] = {7};
  SemidefiniteSolver solver;
  solver.reserve(1);
  solver.solve(1, W, b, x);
  EXPECT_EQ(x[0], 0);
}

TEST(RandomCounter, depends_on_stream_and_counter_alone) {
  EXPECT_EQ(random_bits(3, 5), random_bits(3, 5));
  EXPECT_NE(random_bits(3, 5), random_bits(5, 3));
  EXPECT_NE(random_bits(0, 0), random_bits(0, 1));
}

TEST(RandomCounter, is_uniform_and_uncorrelated) {
  constexpr int n = 100000;
  double mean = 0, square = 0, next = 0, across = 0;
  int bins[16] = {};
  for (int i = 0; i < n; ++i) {
    const double x = random_uniform(1, static_cast<std::uint64_t>(i));
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    mean += x, square += x * x;
    next += (x - 0.5) * (random_uniform(1, static_cast<std::uint64_t>(i + 1)) - 0.5);
    across += (x - 0.5) * (random_uniform(2, static_cast<std::uint64_t>(i)) - 0.5);
    ++bins[static_cast<int>(16 * x)];
  }
  // five standard deviations: 0.289/sqrt(n), 0.298/sqrt(n), 0.0833/sqrt(n)
  EXPECT_NEAR(mean / n, 0.5, 5 * 0.289 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1.0 / 3, 5 * 0.298 / std::sqrt(n));
  EXPECT_NEAR(next / n, 0, 5 * 0.0833 / std::sqrt(n));
  EXPECT_NEAR(across / n, 0, 5 * 0.0833 / std::sqrt(n));
  for (int b : bins) EXPECT_NEAR(b, n / 16.0, 5 * std::sqrt(n / 16.0));
}

}  // namespace
}  // namespace bristle
