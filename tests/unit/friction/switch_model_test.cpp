#include "bristle/friction/switch_model.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(SwitchModel, lets_the_slip_decay_at_the_given_rate) {
  auto law = with_levels<SwitchModel>();
  law.decay_rate = 1.5;
  const double mass = 2, slip = 4e-4, pull = 0.7;
  // one mass: dv/dt = (pull - F) / mass
  const double F = rest(law, pull, slip, 1 / mass);
  EXPECT_NEAR((pull - F) / mass, -1.5 * slip, 1e-15);  // round-off of forces of order one
  EXPECT_NEAR(F, pull + mass * slip * 1.5, kRoundOff);
}
TEST(SwitchModel, holds_still_at_rest_and_gives_way_at_the_static_level) {
  auto law = with_levels<SwitchModel>();
  law.decay_rate = 1.5;
  EXPECT_EQ(rest(law, 1.2), 1.2);
  EXPECT_NEAR(rest(law, 5.0, 1e-4), kStatic, kRoundOff);
  EXPECT_NEAR(force(law, -0.1), -kCoulomb, kRoundOff);
}
TEST(SwitchModel, leaves_an_immovable_place_alone) {
  auto law = with_levels<SwitchModel>();
  law.decay_rate = 1.5;
  EXPECT_EQ(rest(law, 0.4, 1e-4, 0.0), 0.4);
}

}  // namespace
}  // namespace bristle::unit_test
