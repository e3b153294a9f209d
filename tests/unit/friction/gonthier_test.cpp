#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(GonthierFriction, Limit_grows_with_the_time_at_rest) {
  const auto law = made<1>(table<GonthierFriction>());
  Rubbing<1> r(law);
  for (const double t : {0.5, 1.0, 4.0}) {
    while (r.t < t - 1e-9) r.step([](double) { return Vec<1>{}; }, 1e-3);
    EXPECT_NEAR(law.law().limit(r.z[1]) * kLoad, kCoulomb + (kStatic - kCoulomb) * (1 - std::exp(-t / 2)), 1e-9);
  }
}
TEST(GonthierFriction, Settles_at_Coulomb_and_viscosity_in_sliding) {
  const auto law = made<2>(table<GonthierFriction>());
  Rubbing<2> r(law);
  for (int i = 0; i < 2000; ++i) r.step([](double) { return Vec<2>{{0.03, 0.04}}; }, 1e-4);
  EXPECT_NEAR(r.force()[0], 0.6 * (kCoulomb + kSigma2 * 0.05), 1e-9);
  EXPECT_NEAR(r.force()[1], 0.8 * (kCoulomb + kSigma2 * 0.05), 1e-9);
}
TEST(GonthierFriction, Both_directions_join_at_a_hundredth_of_the_Stribeck_velocity) {
  auto law = table<GonthierFriction>();
  for (const auto form : {GonthierFriction::Direction::smooth, GonthierFriction::Direction::printed}) {
    law.direction_form = form;
    const Vec<1> below{{1e-5 * (1 - 1e-9)}}, above{{1e-5 * (1 + 1e-9)}};
    EXPECT_NEAR((law.slip_direction<1, double>(below, below[0])[0]), 1, 1e-8);
    EXPECT_EQ((law.slip_direction<1, double>(above, above[0])[0]), 1);
    const Vec<1> half{{0.5e-5}};
    const double expected = form == GonthierFriction::Direction::smooth ? 0.6875 : 0.34375;
    EXPECT_NEAR((law.slip_direction<1, double>(half, half[0])[0]), expected, 1e-12);
  }
}

}  // namespace
}  // namespace bristle::test
