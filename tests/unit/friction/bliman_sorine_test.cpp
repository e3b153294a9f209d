#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(BlimanSorine, Finds_the_published_factors_from_the_two_coefficients) {
  const auto law = made<1>(table<BlimanSorine>());
  EXPECT_NEAR(law.law().fast * kLoad, 1.75210, 5e-6);
  EXPECT_NEAR(law.law().slow * kLoad, 0.77110, 5e-6);
}
TEST(BlimanSorine, Follows_its_exact_solution_and_peaks_where_it_should) {
  const auto law = made<1>(table<BlimanSorine>());
  Rubbing<1> r(law);
  const double f1 = law.law().fast * kLoad, f2 = law.law().slow * kLoad, e = law.law().path, eta = 0.1;
  double peak = 0, at = 0;
  const double v = 1e-3, h = 1e-4;
  for (int i = 0; i < 20000; ++i) {
    r.step([&](double) { return Vec<1>{{v}}; }, h);
    const double s = v * r.t, exact = f1 * (1 - std::exp(-s / (eta * e))) - f2 * (1 - std::exp(-s / e));
    EXPECT_NEAR(r.force()[0], exact, 1e-9);
    if (r.force()[0] > peak) peak = r.force()[0], at = s;
  }
  EXPECT_NEAR(peak, kStatic, 1e-6);           // flat top: error of the sample is second order
  EXPECT_NEAR(at, 0.34704 * e, 1.1 * v * h);  // one sample
  EXPECT_NEAR(r.force()[0], kCoulomb, 1e-5);  // exp(-2e-3/1.675e-4)
}
TEST(BlimanSorine, First_order_is_Dahl) {
  auto law = table<BlimanSorine>();
  law.order = BlimanSorine::Order::first;
  law.path = kCoulomb / kSigma0;
  const auto f = made<2>(law);
  const auto g = made<2>(table<Dahl>());
  Rubbing<2> a(f), b(g);
  for (int i = 0; i < 3000; ++i) {
    const auto slip = [](double t) { return Vec<2>{{1e-4 * std::sin(7 * t), 1e-4 * std::cos(5 * t)}}; };
    a.step(slip, 1e-3);
    b.step(slip, 1e-3);
    ASSERT_NEAR(a.force()[0], b.force()[0], 1e-12);
    ASSERT_NEAR(a.force()[1], b.force()[1], 1e-12);
  }
}
TEST(BlimanSorine, Stored_energy_makes_it_passive_at_every_instant) {
  const auto law = made<1>(table<BlimanSorine>());
  Rubbing<1> r(law);
  double last = 0;
  for (int i = 0; i < 20000; ++i) {
    const double before = r.work;
    r.step([](double t) { return Vec<1>{{1e-3 * std::sin(3 * t) + 2e-3 * std::sin(17 * t)}}; }, 1e-5);
    EXPECT_GE(r.work - before, r.stored() - last - 1e-13);  // trapezoidal rule
    EXPECT_GE(r.stored(), 0);
    last = r.stored();
  }
}

}  // namespace
}  // namespace bristle::test
