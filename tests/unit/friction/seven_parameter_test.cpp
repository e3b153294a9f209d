#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(SevenParameter, Static_force_grows_with_the_time_at_rest) {
  const auto f = made<1>(table<SevenParameter>());
  Rubbing<1> r(f);
  for (const double t : {0.5, 1.0, 3.0}) {
    while (r.t < t - 1e-9) r.step([](double) { return Vec<1>{}; }, 1e-3);
    EXPECT_NEAR(f.holding(r.patch, r.marks.data()), kCoulomb + (kStatic - kCoulomb) * t / (t + 1), 1e-6);
  }
}
TEST(SevenParameter, Slides_on_the_Hess_Soom_curve) {
  const auto f = made<1>(table<SevenParameter>());
  Rubbing<1> r(f);
  for (int i = 0; i < 1000; ++i) r.step([](double) { return Vec<1>{}; }, 1e-3);  // 1 s at rest: half of the rise
  const double level = kCoulomb + (kStatic - kCoulomb) / 2;
  for (const double v : {1e-3, 3e-3}) {
    for (int i = 0; i < 2000; ++i) r.step([&](double) { return Vec<1>{{v}}; }, 1e-4);
    const double q = v / 1e-3;
    EXPECT_NEAR(r.force()[0], kCoulomb + (level - kCoulomb) / (1 + q * q) + 0.1 * v, 0.002);  // rest while the spring was drawn
    EXPECT_EQ(f.mode(r.patch, r.z.data(), r.marks.data()), Mode::slip);
  }
}
TEST(SevenParameter, Force_follows_the_speed_after_the_lag) {
  for (const double h : {1e-4, 2.3e-5, 3e-6, 4e-3}) {  // coarser and finer than the line, and longer than the lag
    auto law = table<SevenParameter>();
    law.lag = 1e-3;
    const auto f = made<1>(law);
    Rubbing<1> r(f);
    while (r.t < 0.1) r.step([](double) { return Vec<1>{{1e-3}}; }, h);  // slides
    const double start = r.t;
    const auto ramp = [&](double t) { return 1e-3 + 0.1 * (t - start); };
    while (r.t < start + 0.02) r.step([&](double t) { return Vec<1>{{ramp(t)}}; }, h);
    const double level = r.marks[SevenParameter::level] * kLoad, q = ramp(r.t - 1e-3) / 1e-3, v = ramp(r.t);
    EXPECT_NEAR(r.force()[0], kCoulomb + (level - kCoulomb) / (1 + q * q) + 0.1 * v, 1e-9) << h;
  }
}
TEST(SevenParameter, Capture_keeps_the_force_and_forgets_the_dwell) {
  const auto f = made<1>(table<SevenParameter>());
  Rubbing<1> r(f);
  while (r.t < 0.1) r.step([](double) { return Vec<1>{{1e-3}}; }, 1e-5);
  while (f.mode(r.patch, r.z.data(), r.marks.data()) == Mode::slip) {
    r.step([](double t) { return Vec<1>{{1e-3 - 0.05 * (t - 0.1)}}; }, 1e-5);
  }
  const double level = r.marks[SevenParameter::level_a] * kLoad;
  EXPECT_NEAR(r.force()[0], level, 1e-9);
  EXPECT_EQ(r.marks[SevenParameter::dwell], 0);
}

}  // namespace
}  // namespace bristle::test
