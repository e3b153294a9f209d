#include "bristle/friction/coulomb.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Coulomb, has_the_kinetic_level_in_both_directions) {  // figure 3.4
  Coulomb law;
  law.curve.mu_kinetic = 0.1;
  EXPECT_NEAR(force(law, 1.0), 0.981, kRoundOff);
  EXPECT_NEAR(force(law, -1.0), -0.981, kRoundOff);
  EXPECT_EQ(force(law, 0.0), 0);
}
TEST(Coulomb, at_rest_follows_the_pull_up_to_the_level) {
  Coulomb law;
  law.curve.mu_kinetic = 0.1;
  EXPECT_EQ(rest(law, 0.5), 0.5);
  EXPECT_EQ(rest(law, -0.9), -0.9);
  EXPECT_NEAR(rest(law, 5.0), 0.981, kRoundOff);
}

}  // namespace
}  // namespace bristle::unit_test
