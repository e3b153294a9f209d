#include "bristle/friction/awrejcewicz.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Awrejcewicz, passes_through_the_pull_at_rest_and_the_static_level_at_the_edge) {  // figure 3.14
  const auto law = with_levels<Awrejcewicz>();
  for (const double pull : {-1.2, 0.0, 0.6}) {
    EXPECT_NEAR(rest(law, pull, 0.0), pull, kRoundOff);
    EXPECT_NEAR(rest(law, pull, 1e-3), kStatic, kRoundOff);
    EXPECT_NEAR(rest(law, pull, -1e-3), -kStatic, kRoundOff);
  }
}
TEST(Awrejcewicz, blends_by_half_in_the_middle_of_the_band) {
  const auto law = with_levels<Awrejcewicz>();
  EXPECT_NEAR(rest(law, 0.4, 0.5e-3), 0.5 * 0.4 + 0.5 * kStatic, kRoundOff);  // A(1/2) = 1/2
}
TEST(Awrejcewicz, has_both_branches_beyond_the_limit) {
  const auto law = with_levels<Awrejcewicz>();
  EXPECT_NEAR(rest(law, 3.0, 0.2e-3), kStatic, kRoundOff);  // pull along the slip
  EXPECT_NEAR(rest(law, -3.0, 0.5e-3), 0.0, kRoundOff);     // against it: 2A - 1 = 0
  EXPECT_NEAR(rest(law, -3.0, 1e-3), kStatic, kRoundOff);   // 2A - 1 = 1
  EXPECT_NEAR(rest(law, -3.0, 1e-9), -kStatic, 1e-9);       // 2A - 1 = -1, against the slip: along the pull
}
TEST(Awrejcewicz, slides_beyond_the_band) {
  const auto law = with_levels<Awrejcewicz>();
  EXPECT_NEAR(force(law, 2e-3), kCoulomb, kRoundOff);
}

}  // namespace
}  // namespace bristle::unit_test
