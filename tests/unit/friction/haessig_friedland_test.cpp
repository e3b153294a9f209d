#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(HaessigFriedland, Mean_sliding_force_is_the_coefficient_times_the_load) {
  auto law = table<HaessigFriedland>();
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  const double v = 1e-3, h = 5e-5;  // 320 steps per delta
  double mean = 0;
  const int n = 200000, skip = 20000;
  for (int i = 0; i < n; ++i) {
    r.step([&](double) { return Vec<1>{{v}}; }, h);
    if (i >= skip) mean += r.force()[0] / (n - skip);
  }
  EXPECT_NEAR(mean, kCoulomb, 0.01 * kCoulomb);
}
TEST(HaessigFriedland, Same_stream_same_noise_other_stream_other_noise) {
  const auto f = made<1>(table<HaessigFriedland>());
  Rubbing<1> a(f, kLoad, 3), b(f, kLoad, 3), c(f, kLoad, 4);
  for (int i = 0; i < 2000; ++i) {
    for (Rubbing<1>* r : {&a, &b, &c}) r->step([](double) { return Vec<1>{{1e-3}}; }, 1e-4);
  }
  EXPECT_EQ(a.force()[0], b.force()[0]);
  EXPECT_NE(a.force()[0], c.force()[0]);
}
TEST(HaessigFriedland, Starts_as_a_spring_of_the_whole_stiffness) {
  const auto f = made<1>(table<HaessigFriedland>());
  Rubbing<1> r(f);
  walk(r, {1e-5}, 1e-3, 1e-5);
  EXPECT_NEAR(r.force()[0], kSigma0 * 1e-5, 1e-9);
  EXPECT_EQ(r.marks[1], 0);
  walk(r, {1.001 * f.law().delta()}, 1e-3, 1e-5);
  EXPECT_EQ(r.marks[1], 20);  // all bonds began together
}

}  // namespace
}  // namespace bristle::test
