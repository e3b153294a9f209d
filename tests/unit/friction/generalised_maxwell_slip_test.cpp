#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(GeneralisedMaxwellSlip, Starts_with_the_whole_stiffness) {
  auto law = table<GeneralisedMaxwellSlip>();
  law.sigma1 = law.sigma2 = 0;
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  walk(r, {1e-6}, 1e-4, 1e-5);
  EXPECT_NEAR(r.force()[0], kSigma0 * 1e-6, 1e-9);
}
TEST(GeneralisedMaxwellSlip, Elements_let_go_one_after_the_other) {
  auto law = table<GeneralisedMaxwellSlip>();
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  // element i slips at 0.25 F_S / (k_i sigma0)
  walk(r, {1.05 * 0.25 * kStatic / (0.4 * kSigma0)}, 1e-5, 1e-4);
  EXPECT_EQ(r.marks[0], 1);
  EXPECT_EQ(r.marks[1], 0);
  walk(r, {1.02 * 0.25 * kStatic / (0.1 * kSigma0)}, 1e-5, 1e-4);
  EXPECT_EQ(r.marks[3], 1);
  EXPECT_NEAR(r.force()[0], kStatic, 0.01 * kStatic);
}
TEST(GeneralisedMaxwellSlip, Minor_loop_closes_and_the_outer_curve_goes_on) {
  auto law = table<GeneralisedMaxwellSlip>();
  law.sigma1 = law.sigma2 = 0;
  law.attraction = 1;  // sliders without lag: pure Maxwell slip
  const auto f = made<1>(law);
  Rubbing<1> plain(f), with_loop(f);
  walk(plain, {8e-6, 9e-6}, 1e-5, 1e-4);
  walk(with_loop, {8e-6}, 1e-5, 1e-4);
  const double at = with_loop.force()[0];
  walk(with_loop, {4e-6, 8e-6}, 1e-5, 1e-4);
  EXPECT_NEAR(with_loop.force()[0], at, 2e-3 * at);  // marks move at steps of 1e-9 m
  walk(with_loop, {9e-6}, 1e-5, 1e-4);
  EXPECT_NEAR(with_loop.force()[0], plain.force()[0], 2e-3 * at);
}
TEST(GeneralisedMaxwellSlip, One_element_with_strong_attraction_follows_the_Stribeck_curve) {
  auto law = table<GeneralisedMaxwellSlip>();
  law.stiffness_shares = {1};
  law.force_shares = {1};
  law.attraction = 0.05;
  const auto f = made<1>(law);
  for (const double v : {5e-4, 1e-3, 2e-3, 1e-2}) {
    Rubbing<1> r(f);
    for (int i = 0; i < 20000; ++i) r.step([&](double) { return Vec<1>{{v}}; }, 1e-5);
    const double curve = kCoulomb + (kStatic - kCoulomb) * std::exp(-v * v / 1e-6) + kSigma2 * v;
    EXPECT_NEAR(r.force()[0], curve, 1e-6);
  }
}
TEST(GeneralisedMaxwellSlip, Shares_must_fit) {
  auto law = table<GeneralisedMaxwellSlip>();
  EXPECT_EQ(law.problem(), "");
  law.force_shares = {0.5, 0.5};
  EXPECT_NE(law.problem(), "");
  law.stiffness_shares = {0.5, 0.6};
  EXPECT_NE(law.problem(), "");
}

}  // namespace
}  // namespace bristle::test
