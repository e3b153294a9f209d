#include "bristle/friction/tanh_slope.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(TanhSlope, is_a_hyperbolic_tangent) {
  TanhSlope law;
  law.curve.mu_kinetic = 0.1;
  EXPECT_NEAR(force(law, 1e-3), kCoulomb * std::tanh(1.0), kRoundOff);
  EXPECT_NEAR(force(law, -1.0), -kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, 1e-9) / 1e-9, 1000 * kCoulomb, 1e-8);  // the slope at zero, curvature far below
}

}  // namespace
}  // namespace bristle::unit_test
