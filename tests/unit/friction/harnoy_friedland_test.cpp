#include "bristle/friction/harnoy_friedland.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

HarnoyFriedland sample() {
  HarnoyFriedland law;
  law.asperity = 20, law.film = 0.3, law.eccentricity = 0.96, law.lift_off = 0.9;
  return law;
}
TEST(HarnoyFriedland, adds_asperities_and_film) {
  // 20 * 0.06^2 = 0.072; 0.3 / sqrt(1 - 0.9216) = 0.3 / 0.28
  EXPECT_NEAR(force(sample(), 0.1, 10), 10 * (0.072 + 0.3 / 0.28 * 0.1), 1e-13);
  EXPECT_NEAR(force(sample(), -0.1, 10), -10 * (0.072 + 0.3 / 0.28 * 0.1), 1e-13);
}
TEST(HarnoyFriedland, is_a_dashpot_when_the_shaft_has_lifted) {
  HarnoyFriedland law = sample();
  law.eccentricity = 0.6;
  EXPECT_NEAR(force(law, 0.1, 10), 10 * 0.3 / 0.8 * 0.1, 1e-14);
  EXPECT_EQ(rest(law, 0.5, 0, 1, 10), 0.0 + force(law, 1e-12, 10));  // holds nothing
}
TEST(HarnoyFriedland, holds_what_its_asperities_carry) {
  EXPECT_EQ(rest(sample(), 0.7, 0, 1, 10), 0.7);
  EXPECT_NEAR(rest(sample(), 0.8, 0, 1, 10), 0.72, 1e-10);
}

}  // namespace
}  // namespace bristle::unit_test
