#include "bristle/friction/threlfall.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Threlfall, reaches_95_percent_at_its_velocity_and_jumps_to_full) {  // figure 3.10
  Threlfall law;
  law.curve.mu_kinetic = 0.1;
  law.jump = true;
  EXPECT_NEAR(force(law, 1e-3) / kCoulomb, 0.9502, 5e-5);  // four digits are given
  EXPECT_NEAR(force(law, 1.000001e-3), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, -0.5e-3), -kCoulomb * (1 - std::exp(-1.5)), kRoundOff);
}

TEST(Threlfall, rises_on_to_its_full_force_unless_the_jump_is_asked_for) {
  Threlfall law;
  law.curve.mu_kinetic = 0.1;
  const double full = 1e-3 * (1 + std::exp(-3.0) / 3), rise = 3 * kCoulomb / 1e-3;
  EXPECT_NEAR(force(law, 1e-3), kCoulomb * (1 - std::exp(-3.0)), kRoundOff);
  for (double part : {0.1, 0.5, 0.9}) {
    const double v = 1e-3 + part * (full - 1e-3);
    EXPECT_NEAR(force(law, v), force(law, 1e-3) + rise * (v - 1e-3), kRoundOff) << "as steep as at rest, and no steeper";
  }
  EXPECT_NEAR(force(law, full), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, 1), kCoulomb, kRoundOff);
}

}  // namespace
}  // namespace bristle::unit_test
