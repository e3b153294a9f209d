// Packs: the same numbers as one by one, and functions of their own that are right to two roundings.
#include "bristle/math/pack.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "bristle/math/choose.h"

namespace bristle {
namespace {

template <int N>
std::vector<double> mapped(const std::vector<double>& x, Pack<N> (*f)(const Pack<N>&)) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); i += N) {
    Pack<N> p;
    std::memcpy(&p, x.data() + i, sizeof p);
    p = f(p);
    std::memcpy(y.data() + i, &p, sizeof p);
  }
  return y;
}

/// Distance in units of the last place of the right value.
double roundings(double value, double right) {
  if (value == right || (std::isnan(value) && std::isnan(right))) return 0;
  return std::abs(value - right) / (std::nextafter(std::abs(right), HUGE_VAL) - std::abs(right));
}

std::vector<double> numbers(double low, double high) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> in(low, high);
  std::vector<double> x{0.0, -0.0, 1e-300, -1e-300, 1e-9, 0.25, -0.25, 1};
  while (x.size() < 80000) x.push_back(in(random));
  return x;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Pack, exponential_is_right_to_two_roundings_and_the_same_for_every_width) {
  for (const double range : {1.0, 40.0, 700.0}) {
    const std::vector<double> x = numbers(-range, range);
    const std::vector<double> y = mapped<8>(x, exp<8>);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, roundings(y[i], std::exp(x[i])));
    EXPECT_LE(worst, 2) << range;
    EXPECT_TRUE(same(y, mapped<4>(x, exp<4>)) && same(y, mapped<2>(x, exp<2>)));
  }
}

TEST(Pack, hyperbolic_tangent_is_right_to_two_roundings) {
  for (const double range : {0.3, 2.0, 40.0}) {
    const std::vector<double> x = numbers(-range, range);
    const std::vector<double> y = mapped<4>(x, tanh<4>);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, roundings(y[i], std::tanh(x[i])));
    EXPECT_LE(worst, 2) << range;
  }
}

TEST(Pack, functions_at_their_limits) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> y = mapped<8>({-inf, inf, nan, -1e4, 1e4, -707, 709, 0}, exp<8>);
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[1], inf);
  EXPECT_TRUE(std::isnan(y[2]));
  EXPECT_EQ(y[3], 0);
  EXPECT_EQ(y[4], inf);
  EXPECT_LE(roundings(y[5], std::exp(-707.0)), 2);
  EXPECT_LE(roundings(y[6], std::exp(709.0)), 2);
  EXPECT_EQ(y[7], 1);
  const std::vector<double> t = mapped<4>({-inf, inf, nan, 1e-310}, tanh<4>);
  EXPECT_EQ(t[0], -1);
  EXPECT_EQ(t[1], 1);
  EXPECT_TRUE(std::isnan(t[2]));
  EXPECT_EQ(t[3], 1e-310);
}

TEST(Pack, chooses_number_by_number) {
  Pack<2> x;
  x.x[0] = -2, x.x[1] = 3;
  const Pack<2> y = choose(
      x > 0.0, [&] { return 10.0 * x; }, abs(x));
  EXPECT_EQ(y.x[0], 2);
  EXPECT_EQ(y.x[1], 30);
  EXPECT_EQ(choose(
                2.0 > 3.0, [] { return 1.0; }, 5.0),
            5.0);
}

}  // namespace
}  // namespace bristle
