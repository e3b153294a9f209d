// Friction of several places at once, each within its limit: against the conditions of the minimum, and by hand.
#include "bristle/enforce/limited_forces.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Every place is within its limit; it rests, or gives its limit along its slip acceleration.
void expect_minimum(const Matrix& W, const Eigen::VectorXd& b, const std::vector<LimitedForces::Place>& places,
                    const Eigen::VectorXd& F, const std::string& what) {
  const Eigen::VectorXd r = b - W * F;
  const double scale = b.cwiseAbs().maxCoeff();
  for (const LimitedForces::Place& p : places) {
    const auto f = F.segment(p.first, p.count), left = r.segment(p.first, p.count);
    EXPECT_LE(f.norm(), p.limit * (1 + 1e-12)) << what;
    if (left.norm() < 1e-7 * scale) continue;
    EXPECT_NEAR(f.dot(left), p.limit * left.norm(), 1e-7 * p.limit * left.norm()) << what;
  }
}

TEST(LimitedForces, of_random_places_are_those_of_the_minimum) {
  Dice dice(11);
  int unsolved = 0;
  for (int k = 0; k < 400; ++k) {
    std::vector<LimitedForces::Place> places;
    int n = 0;
    const int count = 1 + static_cast<int>(dice.between(0, 5.99));
    for (int i = 0; i < count; ++i) {
      const int rows = k % 2 == 0 ? 1 : 1 + static_cast<int>(dice.between(0, 2.99));
      places.push_back({n, rows, k % 7 == 0 && i == 0 ? 0 : std::pow(10, dice.between(-3, 1))});
      n += rows;
    }
    const int rank = 1 + static_cast<int>(dice.between(0, n - 1e-9));  // fewer motions than rows: places repeat each other
    Matrix B(n, rank);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < rank; ++j) B(i, j) = dice.between(-1, 1);
    }
    Eigen::VectorXd push(rank);
    for (int j = 0; j < rank; ++j) push[j] = std::pow(10, dice.between(-2, 1)) * dice.between(-1, 1);
    const Matrix W = B * B.transpose();
    const Eigen::VectorXd b = B * push;
    Eigen::VectorXd F = Eigen::VectorXd::Zero(n);
    LimitedForces solver;
    solver.reserve(n);
    const std::string what = std::to_string(k);
    if (solver.solve(n, W.data(), b.data(), places, F.data())) expect_minimum(W, b, places, F, what);
    else ++unsolved;
  }
  // several components and limits over four decades: the solver says when it is not at the end
  EXPECT_LE(unsolved, 2);
}

TEST(LimitedForces, that_repeat_each_other_share_by_limit_and_slip_and_let_go_at_their_sum) {
  // a mechanism of one freedom, whose places slip 1, 2 and 0.01 as fast; they carry 1*F1 + 2*F2 + 0.01*F3 = pull
  const Eigen::Vector3d slip(1, 2, 0.01);
  const Matrix W = slip * slip.transpose();
  const std::vector<LimitedForces::Place> places = {{0, 1, 0.5}, {1, 1, 1}, {2, 1, 30}};
  const double most = 0.5 + 2 + 0.3;
  LimitedForces solver;
  solver.reserve(3);
  EXPECT_FALSE(solver.regular(3, W.data()));
  for (double pull : {0.1, 1.0, 2.4, 2.51, 2.79, 2.81, 10.0}) {
    Eigen::Vector3d F(0, 0, 0);
    const Eigen::Vector3d b = slip * pull;
    ASSERT_TRUE(solver.solve(3, W.data(), b.data(), places, F.data()));
    EXPECT_NEAR(slip.dot(F), std::min(pull, most), 1e-10) << pull;
    if (pull < 1) {  // all of them creep: force = limit * slip
      EXPECT_NEAR(F[1] / F[0], 4, 1e-6);
      EXPECT_NEAR(F[2] / F[0], 0.6, 1e-6);
    }
  }
}

}  // namespace
}  // namespace bristle
