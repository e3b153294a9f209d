#include "bristle/friction/linear_stiction.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(LinearStiction, peaks_at_the_static_velocity_and_is_kinetic_from_the_next) {  // figure 3.11
  const auto law = with_levels<LinearStiction>();
  EXPECT_NEAR(force(law, 1e-3), kStatic, kRoundOff);
  EXPECT_NEAR(force(law, 5e-3), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, 3e-3), 0.5 * (kStatic + kCoulomb), kRoundOff);
  EXPECT_NEAR(force(law, -0.5e-3), -0.5 * kStatic, kRoundOff);
}
TEST(LinearStiction, refuses_velocities_in_the_wrong_order) {
  auto law = with_levels<LinearStiction>();
  EXPECT_EQ(law.problem(), "");
  law.kinetic_velocity = 1e-3;
  EXPECT_NE(law.problem().find("kinetic_velocity is not larger than static_velocity"), std::string::npos);
}

}  // namespace
}  // namespace bristle::unit_test
