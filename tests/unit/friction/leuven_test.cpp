#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

/// Slow and with a high exponent: below sliding the rate is the slip, and only the hysteresis curve is seen.
Leuven spring_only() {
  auto law = table<Leuven>();
  law.sigma1 = law.sigma2 = 0;
  law.shape = 50;
  return law;
}
double virgin(double x) { return kStatic * (1 - std::exp(-kSigma0 * x / kStatic)); }

TEST(Leuven, First_loading_follows_the_exponential_and_unloading_is_its_double) {
  const auto f = made<1>(spring_only());
  Rubbing<1> r(f);
  const double X = 1e-5;
  walk(r, {X}, 1e-5, 1e-4);
  EXPECT_NEAR(r.force()[0], virgin(X), 1e-6);
  walk(r, {X - 8e-6}, 1e-5, 1e-4);
  EXPECT_NEAR(r.force()[0], virgin(X) - 2 * virgin(4e-6), 5e-5);  // the reversal is booked one step of 1e-9 m late
  EXPECT_EQ(r.marks[0], 1);
}
TEST(Leuven, Minor_loops_close_in_any_depth) {
  const auto f = made<1>(spring_only());
  Rubbing<1> r(f);
  walk(r, {1e-5}, 1e-5, 1e-4);
  const double top = r.force()[0];
  walk(r, {2e-6, 8e-6, 4e-6, 6e-6}, 1e-5, 1e-4);
  EXPECT_EQ(r.marks[0], 4);
  walk(r, {1e-5}, 1e-5, 1e-4);
  EXPECT_NEAR(r.force()[0], top, 1e-6);
  walk(r, {1.1e-5}, 1e-5, 1e-4);
  EXPECT_NEAR(r.force()[0], virgin(1.1e-5), 1e-6);
  EXPECT_EQ(r.marks[0], 0);  // back on the first loading: everything is forgotten
  walk(r, {-1.2e-5}, 1e-5, 1e-4);
  EXPECT_NEAR(r.force()[0], -virgin(1.2e-5), 1e-6);
  EXPECT_EQ(r.marks[0], 0);
}
TEST(Leuven, A_full_stack_forgets_the_smallest_loop_and_goes_on) {
  const auto f = made<1>(spring_only());
  Rubbing<1> r(f);
  std::vector<double> way;
  for (int i = 0; i < 50; ++i) way.push_back((i % 2 ? -1 : 1) * 1e-5 * (1 - 0.015 * i));
  walk(r, way, 1e-3, 1e-5);
  EXPECT_LE(r.marks[0], Leuven::kDepth);
  walk(r, {1.1e-5}, 1e-3, 1e-5);
  EXPECT_NEAR(r.force()[0], virgin(1.1e-5), 1e-4);
}
TEST(Leuven, Both_forms_settle_on_the_Stribeck_curve) {
  for (const auto form : {Leuven::Form::modified, Leuven::Form::original}) {
    auto law = table<Leuven>();
    law.form = form;
    const auto f = made<2>(law);
    for (const double v : {1e-3, 2e-3, 1e-2}) {
      Rubbing<2> r(f);
      const int n = static_cast<int>(3e-3 / (v * 1e-4));  // the approach is exponential in the path
      for (int i = 0; i < n; ++i) r.step([&](double) { return Vec<2>{{-0.6 * v, 0.8 * v}}; }, 1e-4);
      for (int i = 0; i < n; ++i) r.step([&](double) { return Vec<2>{{0.8 * v, 0.6 * v}}; }, 1e-4);  // a turn
      for (int i = 0; i < n; ++i) r.step([&](double) { return Vec<2>{{-v, 0}}; }, 1e-4);             // a reversal
      const double curve = kCoulomb + (kStatic - kCoulomb) * std::exp(-v * v / 1e-6) + kSigma2 * v;
      EXPECT_NEAR(r.force()[0], -curve, 1e-6) << v;
      EXPECT_NEAR(r.force()[1], 0, 1e-6) << v;
    }
  }
}
TEST(Leuven, Stored_energy_is_given_back_on_the_unloading_curve) {
  const auto f = made<1>(spring_only());
  Rubbing<1> r(f);
  const double small = 1e-8;
  walk(r, {small}, 1e-6, 1e-5);
  EXPECT_NEAR(r.stored(), 0.5 * kSigma0 * small * small, 1e-3 * 0.5 * kSigma0 * small * small);
  double last = 0, before = 0;
  Rubbing<1> s(f);
  for (const double x : {1e-5, 3e-6, 9e-6, -4e-6, 2e-6, -1.5e-5, 1e-5}) {
    walk(s, {x}, 1e-4, 1e-5);
    EXPECT_GE(s.stored(), 0);
    EXPECT_GE(s.work - before, s.stored() - last - 1e-9);
    before = s.work;
    last = s.stored();
  }
}

}  // namespace
}  // namespace bristle::test
