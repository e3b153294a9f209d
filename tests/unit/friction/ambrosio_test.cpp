#include "bristle/friction/ambrosio.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Ambrosio, is_zero_below_the_first_and_full_above_the_second_velocity) {  // figure 3.13
  Ambrosio law;
  law.curve.mu_kinetic = 0.1;
  EXPECT_EQ(force(law, 0.99e-4), 0);
  EXPECT_EQ(force(law, -1e-4), 0);
  EXPECT_NEAR(force(law, 1e-3), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, -5.5e-4), -0.5 * kCoulomb, kRoundOff);
}
TEST(Ambrosio, refuses_velocities_in_the_wrong_order) {
  Ambrosio law;
  EXPECT_EQ(law.problem(), "");
  law.dead_velocity = 2e-3;
  EXPECT_NE(law.problem().find("full_velocity is not larger than dead_velocity"), std::string::npos);
}

}  // namespace
}  // namespace bristle::unit_test
