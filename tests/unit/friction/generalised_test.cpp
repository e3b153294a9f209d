#include "bristle/friction/generalised.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Generalised, adds_shares_of_travel_and_speed) {
  Generalised law;
  law.curve.mu_kinetic = 0.3, law.constant_share = 1, law.displacement_gain = 5, law.rate_gain = 2;
  EXPECT_NEAR(force(law, 0.5, 10, -0.2), 0.3 * 10 * (1 + 1 + 1), kRoundOff);
  EXPECT_NEAR(force(law, -0.5, 10, 0.2), -9, kRoundOff);
}
TEST(Generalised, the_rate_part_alone_is_a_linear_dashpot) {
  Generalised law;
  law.curve.mu_kinetic = 0.3, law.constant_share = 0, law.rate_gain = 2;
  for (const double v : {-3.0, -0.1, 0.0, 0.7}) EXPECT_NEAR(force(law, v, 10), 0.3 * 10 * 2 * v, kRoundOff);
}
TEST(Generalised, holds_more_away_from_the_middle) {
  Generalised law;
  law.curve.mu_kinetic = 0.5, law.displacement_gain = 10;
  const FrictionLawOf<Generalised, 1> made(law);
  Patch<1> p;
  p.load = 2, p.travel[0] = -0.1;
  EXPECT_NEAR(made.holding(p, nullptr), 2, kRoundOff);
  EXPECT_TRUE(made.memory().travel);
}

}  // namespace
}  // namespace bristle::unit_test
