#include "bristle/friction/linear_slope.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(LinearSlope, saturates_at_one_over_the_slope) {  // figure 3.9
  LinearSlope law;
  law.curve.mu_kinetic = 0.1;
  EXPECT_NEAR(force(law, 1e-3), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, 0.25e-3), 0.25 * kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, -7.0), -kCoulomb, kRoundOff);
}
TEST(LinearSlope, has_its_slope_at_exactly_zero_slip) {
  LinearSlope law;
  law.curve.mu_kinetic = 0.1;
  const FrictionLawOf<LinearSlope, 2> made(law);
  Patch<2> p;
  p.load = kLoad;
  Vec<2> F;
  double data[2 * 5];
  static_cast<const FrictionLaw<2>&>(made).eval(p, nullptr, nullptr, F, nullptr, RubPartials{data, 5});
  EXPECT_NEAR(data[0], 1000 * kCoulomb, 1e-11);
  EXPECT_NEAR(data[5 + 1], 1000 * kCoulomb, 1e-11);
  EXPECT_EQ(data[1], 0);
}

}  // namespace
}  // namespace bristle::unit_test
