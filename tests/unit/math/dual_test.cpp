#include "bristle/math/dual.h"

#include <gtest/gtest.h>

#include "bristle/math/vec.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;

/// A formula that uses everything once.
template <class T>
T everything(const T& x, const T& y) {
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin,
      std::sinh, std::sqrt, std::tan, std::tanh;
  T sum = sqrt(x) * exp(-y) + log(x) / (1.0 + y * y);
  sum += sin(x) * cos(y) - tan(0.3 * x);
  sum += asin(0.2 * x) + acos(0.2 * y) + atan(x * y) + atan2(x, y);
  sum += sinh(0.5 * x) - cosh(0.5 * y) + tanh(x - y);
  sum += abs(y - 5.0) + pow(x, 2.5) + pow(x, y) - 2.0 * x / 3.0 + 1.0 / y;
  return larger(sum, T(-100.0)) + smaller(x, y);
}

TEST(Dual, gives_the_derivatives_of_every_function_that_differences_give) {
  Dice dice(1);
  for (int k = 0; k < 200; ++k) {
    const double x = dice.between(0.3, 2), y = dice.between(0.3, 2);
    const Dual<2> f = everything(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
    const double h = 1e-5;  // central differences: error h^2 f'''/6 plus eps f/h, both below 1e-8 of values of order 10
    if (std::abs(x - y) < 2 * h) continue;  // smaller() has a corner there
    EXPECT_DOUBLE_EQ(f.value, everything(x, y));
    EXPECT_NEAR(f.d[0], (everything(x + h, y) - everything(x - h, y)) / (2 * h), 1e-7);
    EXPECT_NEAR(f.d[1], (everything(x, y + h) - everything(x, y - h)) / (2 * h), 1e-7);
  }
}

TEST(Dual, nested_gives_second_derivatives) {
  using D2 = Dual<2, Dual<2>>;
  Dice dice(2);
  for (int k = 0; k < 50; ++k) {
    const double x = dice.between(0.4, 1.9), y = dice.between(0.4, 1.9);
    if (std::abs(x - y) < 1e-3) continue;
    const auto first = [](double a, double b) { return everything(Dual<2>::variable(a, 0), Dual<2>::variable(b, 1)); };
    const D2 f = everything(D2::variable(Dual<2>::variable(x, 0), 0), D2::variable(Dual<2>::variable(y, 1), 1));
    const double h = 1e-5;
    const Dual<2> right = first(x + h, y), left = first(x - h, y), up = first(x, y + h), down = first(x, y - h);
    EXPECT_NEAR(f.d[0].d[0], (right.d[0] - left.d[0]) / (2 * h), 1e-6);
    EXPECT_NEAR(f.d[0].d[1], (up.d[0] - down.d[0]) / (2 * h), 1e-6);
    EXPECT_NEAR(f.d[1].d[0], f.d[0].d[1], 1e-11) << "mixed derivatives are equal";
    EXPECT_NEAR(f.d[1].d[1], (up.d[1] - down.d[1]) / (2 * h), 1e-6);
  }
}

TEST(Dual, compares_by_value_alone) {
  const auto a = Dual<1>::variable(1, 0);
  const Dual<1> b(1.0);
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a <= 1.0);
  EXPECT_FALSE(a < b);
  EXPECT_EQ(sign(Dual<1>(-3.0)), -1);
  EXPECT_EQ(abs(Dual<1>::variable(0, 0)).d[0], 0) << "the derivative of the absolute value at zero is zero";
}

TEST(Vec, works_with_plain_numbers_and_with_duals) {
  const Vec<3> a{{3, 0, 4}}, b{{1, 2, 2}};
  EXPECT_EQ(norm(a), 5);
  EXPECT_EQ(dot(a, b), 11);
  EXPECT_EQ((a + b)[2], 6);
  EXPECT_EQ((a - b)[1], -2);
  EXPECT_EQ((2.0 * a)[0], 6);
  EXPECT_NEAR(norm(direction(b)), 1, 1e-15);
  EXPECT_EQ(norm(direction(Vec<3>{})), 0) << "zero has no direction";
  EXPECT_EQ(norm(Vec<1>{{-2}}), 2);

  Vec<2, Dual<2>> u;
  u[0] = Dual<2>::variable(3, 0), u[1] = Dual<2>::variable(-4, 1);
  const Dual<2> n = norm(u);
  EXPECT_NEAR(n.d[0], 0.6, 1e-15);
  EXPECT_NEAR(n.d[1], -0.8, 1e-15);
  EXPECT_EQ(norm(Vec<2, Dual<2>>{}).d[0], 0);
}

}  // namespace
}  // namespace bristle
