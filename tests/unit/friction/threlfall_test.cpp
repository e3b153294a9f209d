#include "bristle/friction/threlfall.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Threlfall, reaches_95_percent_at_its_velocity_and_jumps_to_full) {  // figure 3.10
  Threlfall law;
  law.curve.mu_kinetic = 0.1;
  EXPECT_NEAR(force(law, 1e-3) / kCoulomb, 0.9502, 5e-5);  // four digits are given
  EXPECT_NEAR(force(law, 1.000001e-3), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, -0.5e-3), -kCoulomb * (1 - std::exp(-1.5)), kRoundOff);
}

}  // namespace
}  // namespace bristle::unit_test
