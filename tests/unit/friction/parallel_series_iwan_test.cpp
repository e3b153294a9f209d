#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

ParallelSeriesIwan joint(int elements) {
  auto law = table<ParallelSeriesIwan>();
  law.stiffness = kSigma0 / kLoad;
  law.elements = elements;
  return law;
}

TEST(ParallelSeriesIwan, Uniform_spread_loads_on_a_parabola) {
  const auto law = made<1>(joint(40));
  Rubbing<1> r(law);
  const double x_s = kCoulomb / kSigma0;
  for (const double q : {0.25, 0.5, 1.0, 1.5, 2.5}) {
    walk(r, {q * x_s}, 1e-3, 1e-6);
    const double exact = q < 2 ? kSigma0 * x_s * (q - q * q / 4) : kCoulomb;
    EXPECT_NEAR(r.force()[0], exact, 2e-3 * kCoulomb);  // corners of 40 elements: 1 / (4 n^2) and clipping
  }
}
TEST(ParallelSeriesIwan, One_element_or_no_spread_is_Iwan) {
  auto one = table<Iwan>();
  one.stiffness = kSigma0 / kLoad;
  auto law = joint(7);
  law.spread = 0;
  const auto f = made<1>(law);
  const auto g = made<1>(one);
  Rubbing<1> a(f), b(g);
  for (const double x : {4e-6, 3e-5, 1e-5, -2e-5, 0.0}) {
    walk(a, {x}, 1e-3, 1e-6);
    walk(b, {x}, 1e-3, 1e-6);
    EXPECT_NEAR(a.force()[0], b.force()[0], 1e-12);
  }
}
TEST(ParallelSeriesIwan, Unloading_is_the_first_loading_doubled) {
  const auto law = made<1>(joint(20));
  Rubbing<1> first(law), back(law);
  const double X = 1.2e-5, d = 8e-6;
  walk(first, {d / 2}, 1e-3, 1e-6);
  walk(back, {X}, 1e-3, 1e-6);
  const double top = back.force()[0];
  walk(back, {X - d}, 1e-3, 1e-6);
  EXPECT_NEAR(top - back.force()[0], 2 * first.force()[0], 1e-3);
}
TEST(ParallelSeriesIwan, Power_law_loss_grows_with_the_power_three_plus_exponent) {
  auto law = joint(40);
  law.distribution = ParallelSeriesIwan::Distribution::power_law;
  law.exponent = -0.5;
  const auto f = made<1>(law);
  double loss[2];
  const double X[2] = {3e-6, 1.2e-5};
  for (int k = 0; k < 2; ++k) {
    Rubbing<1> r(f);
    walk(r, {X[k], -X[k]}, 1e-4, 1e-5);
    const double before = r.work;
    walk(r, {X[k], -X[k]}, 1e-4, 1e-5);
    loss[k] = r.work - before;
  }
  EXPECT_NEAR(std::log(loss[1] / loss[0]) / std::log(4.0), 2.5, 0.1);  // 40 elements
}

}  // namespace
}  // namespace bristle::test
