#include "bristle/friction/bengisu_akay.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(BengisuAkay, rises_along_a_parabola_and_falls_exponentially) {  // figure 3.12
  const auto law = with_levels<BengisuAkay>();
  EXPECT_NEAR(force(law, 1e-3), kStatic, kRoundOff);
  EXPECT_NEAR(force(law, 0.5e-3), 0.75 * kStatic, kRoundOff);
  EXPECT_NEAR(force(law, -21e-3), -(kCoulomb + (kStatic - kCoulomb) * std::exp(-1.0)), kRoundOff);
  EXPECT_NEAR(force(law, 10.0), kCoulomb, kRoundOff);
}
TEST(BengisuAkay, is_continuous_at_the_peak) {
  const auto law = with_levels<BengisuAkay>();
  EXPECT_NEAR(force(law, 1e-3 * (1 - 1e-9)), force(law, 1e-3 * (1 + 1e-9)), 1e-9);  // slopes are finite
}

}  // namespace
}  // namespace bristle::unit_test
