#include "bristle/friction/karnopp.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Karnopp, is_flat_outside_the_band_and_follows_the_pull_inside) {  // figure 3.8
  const auto law = with_levels<Karnopp>();
  EXPECT_EQ(law.band(), 1e-3);
  EXPECT_NEAR(force(law, 2e-3), kCoulomb, kRoundOff);
  EXPECT_NEAR(force(law, -2e-3), -kCoulomb, kRoundOff);
  for (const double slip : {-1e-3, 0.0, 0.5e-3}) {
    EXPECT_EQ(rest(law, 1.3, slip), 1.3);
    EXPECT_NEAR(rest(law, 2.0, slip), kStatic, kRoundOff);
    EXPECT_NEAR(rest(law, -2.0, slip), -kStatic, kRoundOff);
  }
}
TEST(Karnopp, takes_any_sliding_curve) {
  auto law = with_levels<Karnopp>();
  law.curve.shape_kind = SlipCurve::Shape::gaussian;
  law.curve.stribeck_velocity = 0.01;
  EXPECT_NEAR(force(law, 0.01), kCoulomb + (kStatic - kCoulomb) * std::exp(-1.0), kRoundOff);
}
TEST(Karnopp, cuts_a_pull_in_the_plane_along_itself) {
  const auto law = with_levels<Karnopp>();
  const Vec<2> F = rest<2>(law, {{3.0, 4.0}}, {{1e-4, 0.0}});
  EXPECT_NEAR(F[0], 0.6 * kStatic, kRoundOff);
  EXPECT_NEAR(F[1], 0.8 * kStatic, kRoundOff);
}

}  // namespace
}  // namespace bristle::unit_test
