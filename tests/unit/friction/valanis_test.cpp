#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

Valanis joint(double kappa) {
  Valanis law;  // e0 1e5 N/m, e_t 1e4 N/m, knee 1 N at a load of 1 N
  law.kappa = kappa;
  return law;
}

TEST(Valanis, Starts_with_the_stick_stiffness_and_tends_to_its_asymptote) {
  for (const double kappa : {0.01, 0.5, 0.99}) {
    const auto law = made<1>(joint(kappa));
    Rubbing<1> r(law, 1);
    walk(r, {1e-9}, 1e-3, 1e-8);
    EXPECT_NEAR(r.force()[0], 1e-4, 2e-8);
    walk(r, {3e-4}, 1e-3, 1e-5);
    const double f3 = r.force()[0];
    EXPECT_NEAR(f3 - 1e4 * 3e-4, 0.9, 0.9e-3);
    walk(r, {4e-4}, 1e-3, 1e-5);
    EXPECT_NEAR((r.force()[0] - f3) / 1e-4, 1e4, 10);
  }
}
TEST(Valanis, Equals_its_published_rate_form) {
  const auto law = made<1>(joint(0.5));
  const Valanis& p = law.law();
  const double lambda = p.stick_stiffness / (p.knee * (1 - p.kappa * p.ratio()));
  Rubbing<1> r(law, 1);
  double f = 0, x = 0;  // the printed equation by Runge-Kutta of its own
  const double h = 1e-5, v0 = 1e-2;
  const auto slip = [&](double t) { return v0 * std::cos(200 * t); };
  const auto rate = [&](double v, double X, double F) {
    const double q = lambda / p.stick_stiffness * (v > 0 ? 1 : -1) * (p.tangent_stiffness * X - F);
    return p.stick_stiffness * v * (1 + q) / (1 + p.kappa * q);
  };
  for (int i = 0; i < 4000; ++i) {
    const double t = r.t, a = slip(t), b = slip(t + h / 2), c = slip(t + h);
    const double k1 = rate(a, x, f), k2 = rate(b, x + h / 2 * a, f + h / 2 * k1), k3 = rate(b, x + h / 2 * b, f + h / 2 * k2),
                 k4 = rate(c, x + h * b, f + h * k3);
    f += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    x += h / 6 * (a + 4 * b + c);
    r.step([&](double s) { return Vec<1>{{slip(s)}}; }, h);
    ASSERT_NEAR(r.force()[0], f, 1e-5);  // both kink at the reversals inside a step
  }
}
TEST(Valanis, Loop_closes) {
  for (const double kappa : {0.01, 0.5, 0.99}) {
    const auto law = made<1>(joint(kappa));
    Rubbing<1> r(law, 1);
    const double X = 4e-5;
    for (int i = 0; i < 5; ++i) walk(r, {X, -X}, 1e-2, 1e-6);
    const double low = r.force()[0], before = r.work;
    walk(r, {X}, 1e-2, 1e-6);
    EXPECT_NEAR(r.force()[0], -low, 1e-9);
    walk(r, {-X}, 1e-2, 1e-6);
    EXPECT_NEAR(r.force()[0], low, 1e-9);
    EXPECT_GT(r.work - before, 0);
  }
}

}  // namespace
}  // namespace bristle::test
