#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

// closed loops of amplitude 1 for a list of beta: area and tip ("Study of Characteristics of Dry Friction Damping", smooth hysteresis)
TEST(BusarovOstrovskii, Loops_have_the_published_areas_and_tips) {
  const double beta[] = {0.5, 1, 2, 5, 10, 50};
  const double area[] = {0.30306, 0.95362, 2.07194, 3.20007, 3.60000, 3.92000};
  const double tip[] = {0.46212, 0.76159, 0.96403, 0.99991, 1, 1};
  for (int k = 0; k < 6; ++k) {
    BusarovOstrovskii law;
    law.curve.mu_kinetic = 1;
    law.sharpness = beta[k];
    const auto f = made<1>(law);
    Rubbing<1> r(f, 1);
    const double h = 2e-4;
    for (int cycle = 0; cycle < 12; ++cycle) walk(r, {1, -1}, 1, h);  // joins the closed loop
    const double before = r.work;
    walk(r, {1}, 1, h);
    EXPECT_NEAR(r.force()[0], tip[k], 1e-5);
    walk(r, {-1}, 1, h);
    EXPECT_NEAR(r.force()[0], -tip[k], 1e-5);
    EXPECT_NEAR(r.work - before, area[k], 1e-5);
  }
}
TEST(BusarovOstrovskii, Slope_just_after_a_reversal_is_twice_the_sliding_reserve) {
  BusarovOstrovskii law;
  law.curve.mu_kinetic = 1;
  law.sharpness = 2;
  const auto f = made<1>(law);
  Rubbing<1> r(f, 1);
  for (int cycle = 0; cycle < 12; ++cycle) walk(r, {-1, 1}, 1, 1e-3);
  const double top = r.force()[0];
  walk(r, {1 - 1e-5}, 1, 1e-6);
  EXPECT_NEAR((top - r.force()[0]) / 1e-5, 2 * (1 + std::tanh(2.0)), 1e-3);
}
TEST(BusarovOstrovskii, Is_Dahl_with_stiffness_b_mu) {
  BusarovOstrovskii law;
  law.curve.mu_kinetic = 0.1;
  law.sharpness = kSigma0 / kCoulomb;
  const auto f = made<1>(law);
  const auto g = made<1>(table<Dahl>());
  Rubbing<1> a(f), b(g);
  walk(a, {1e-5, -2e-5, 3e-6}, 1e-3, 1e-5);
  walk(b, {1e-5, -2e-5, 3e-6}, 1e-3, 1e-5);
  EXPECT_NEAR(a.force()[0], b.force()[0], 1e-12);
}

}  // namespace
}  // namespace bristle::test
