#include "bristle/friction/stiction.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Stiction, slides_at_the_kinetic_level) {
  const auto law = with_levels<Stiction>();
  EXPECT_NEAR(force(law, 1e-9), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, -1.0), -kCoulomb, kRoundOff);
}
TEST(Stiction, the_vertical_segment_reaches_the_static_level) {  // figure 3.5
  const auto law = with_levels<Stiction>();
  for (const double pull : {-1.4, -0.3, 0.0, 1.2, 1.47}) EXPECT_EQ(rest(law, pull), pull);
  EXPECT_NEAR(rest(law, 3.0), 1.4715, kRoundOff);
  EXPECT_NEAR(rest(law, -3.0), -1.4715, kRoundOff);
}
TEST(Stiction, beyond_the_limit_a_moving_place_slides_along_its_slip) {
  const auto law = with_levels<Stiction>();
  EXPECT_NEAR(rest(law, 3.0, -1e-4), -kCoulomb, kRoundOff);
}
TEST(Stiction, refuses_a_static_coefficient_below_the_kinetic_one) {
  auto law = with_levels<Stiction>();
  EXPECT_EQ(law.problem(), "");
  law.curve.mu_static = 0.05;
  EXPECT_NE(law.problem().find("mu_static is smaller than mu_kinetic"), std::string::npos);
}

}  // namespace
}  // namespace bristle::unit_test
