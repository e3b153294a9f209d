#include "bristle/friction/viscous.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

Viscous benchmark_law() {
  Viscous law;
  law.curve.mu_kinetic = 0.1;
  law.curve.viscosity = 0.1 / kLoad;  // 0.1 N s/m at this load
  return law;
}
TEST(Viscous, has_the_viscous_slope_off_zero) {  // figure 3.6
  const Viscous law = benchmark_law();
  EXPECT_NEAR(force(law, 1.0), 0.981 + 0.1, kRoundOff);
  // the law is linear there: the quotient is exact but for round-off of the forces over the difference of speeds
  EXPECT_NEAR((force(law, 0.3) - force(law, 0.2)) / 0.1, 0.1, 1e-13);
  EXPECT_NEAR(force(law, -2.0), -1.181, kRoundOff);
}
TEST(Viscous, raises_the_speed_to_its_exponent) {
  Viscous law = benchmark_law();
  law.curve.viscous_exponent = 2;
  EXPECT_NEAR(force(law, 3.0), 0.981 + 0.9, kRoundOff);
  law.curve.viscous_exponent = 0.5;
  EXPECT_NEAR(force(law, 0.25), 0.981 + 0.05, kRoundOff);
  EXPECT_EQ(force(law, 0.0), 0);
}
TEST(Viscous, holds_the_kinetic_level_alone_at_rest) {
  EXPECT_EQ(rest(benchmark_law(), 0.9), 0.9);
  EXPECT_NEAR(rest(benchmark_law(), 2.0), 0.981, 1e-12);  // slides along the pull at 1e-12 m/s
}

}  // namespace
}  // namespace bristle::unit_test
