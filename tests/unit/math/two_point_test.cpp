#include "bristle/math/two_point.h"

#include <gtest/gtest.h>

#include "bristle/math/implicit_root.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;
constexpr double kEps = 2.2e-16;

template <class T>
T smooth(const T& x, const T& y) {
  using std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::pow, std::sin, std::sinh,
      std::sqrt, std::tan, std::tanh;
  T sum = sqrt(x) * exp(-y) + log(x) / (1.0 + y * y);
  sum += sin(x) * cos(y) - tan(0.3 * x);
  sum += asin(0.2 * x) + acos(0.2 * y) + atan(x * y) + atan2(x, y);
  sum += sinh(0.5 * x) - cosh(0.5 * y) + tanh(x - y);
  sum += pow(x, 2.5) + pow(x, y) - 2.0 * x / 3.0 + 1.0 / y;
  return sum;
}

TEST(TwoPoint, has_the_right_ends_and_a_row_that_explains_their_difference) {
  Dice dice(3);
  for (int k = 0; k < 500; ++k) {
    const double size = std::pow(10.0, dice.between(-16, 0));  // steps of every length
    const double x0 = dice.between(0.3, 2), y0 = dice.between(0.3, 2);
    const double x1 = std::max(0.3, x0 + size * dice.between(-1, 1)), y1 = std::max(0.3, y0 + size * dice.between(-1, 1));
    const auto f = smooth(TwoPoint<2>::variable(x0, x1, 0), TwoPoint<2>::variable(y0, y1, 1));
    // 21 terms of size up to 10, each rounded a few times
    const double tolerance = 100 * kEps * 10;
    EXPECT_NEAR(f.start, smooth(x0, y0), tolerance);
    EXPECT_NEAR(f.end, smooth(x1, y1), tolerance);
    EXPECT_NEAR(f.change({x1 - x0, y1 - y0}), smooth(x1, y1) - smooth(x0, y0), tolerance);
  }
}

TEST(TwoPoint, becomes_the_gradient_when_the_step_shrinks) {
  Dice dice(4);
  for (double size : {1e-3, 1e-5, 1e-8, 1e-12, 0.0}) {
    for (int k = 0; k < 50; ++k) {
      const double x = dice.between(0.4, 1.9), y = dice.between(0.4, 1.9), dx = size * dice.between(-1, 1),
                   dy = size * dice.between(-1, 1);
      const auto f =
          smooth(TwoPoint<2>::variable(x - 0.5 * dx, x + 0.5 * dx, 0), TwoPoint<2>::variable(y - 0.5 * dy, y + 0.5 * dy, 1));
      const Dual<2> g = smooth(Dual<2>::variable(x, 0), Dual<2>::variable(y, 1));
      // second order in the step; quotients just above the switch keep 1e-11 of themselves
      const double tolerance = 100 * size * size + 2e-9;
      EXPECT_NEAR(f.row[0], g.d[0], tolerance) << size;
      EXPECT_NEAR(f.row[1], g.d[1], tolerance) << size;
    }
  }
}

TEST(TwoPoint, handles_corners_between_the_ends) {
  Dice dice(5);
  for (int k = 0; k < 200; ++k) {
    const double a = dice.between(-1, 1), b = dice.between(-1, 1);
    const auto x = TwoPoint<1>::variable(a, b, 0);
    EXPECT_NEAR(abs(x).change({b - a}), std::abs(b) - std::abs(a), 4 * kEps);
    EXPECT_NEAR(larger(x, TwoPoint<1>(0.2)).change({b - a}), std::max(b, 0.2) - std::max(a, 0.2), 4 * kEps);
    EXPECT_NEAR(smaller(x, TwoPoint<1>(0.2)).change({b - a}), std::min(b, 0.2) - std::min(a, 0.2), 4 * kEps);
    const auto branch = [](const auto& u) { return u > 0.1 ? 3.0 * (u - 0.1) * (u - 0.1) : 0.0 * u; };
    const auto y = apply(branch, x);
    EXPECT_EQ(y.start, branch(a));
    EXPECT_EQ(y.end, branch(b));
    EXPECT_NEAR(y.change({b - a}), branch(b) - branch(a), 8 * kEps);
  }
  EXPECT_EQ(abs(TwoPoint<1>::variable(0, 0, 0)).row[0], 0);
}

TEST(TwoPoint, comparisons_hold_when_they_hold_at_both_ends) {
  const auto x = TwoPoint<1>::variable(-1, 2, 0);
  EXPECT_FALSE(x > 0.0);
  EXPECT_FALSE(x <= 0.0);
  EXPECT_TRUE(x > -2.0);
  EXPECT_TRUE(3.0 > x);
}

TEST(TwoPoint, norm_of_a_vector_that_starts_or_ends_at_zero) {
  Vec<2, TwoPoint<2>> v;
  v[0] = TwoPoint<2>::variable(0, 3, 0), v[1] = TwoPoint<2>::variable(0, 4, 1);
  EXPECT_EQ(norm(v).end, 5);
  EXPECT_NEAR(norm(v).change({3, 4}), 5, 1e-15);
  EXPECT_NEAR(norm(direction(Vec<2, TwoPoint<2>>{{TwoPoint<2>::variable(1, 3, 0), TwoPoint<2>::variable(2, 4, 1)}})).end, 1,
              1e-15);
}

TEST(TwoPoint, angle_goes_on_through_half_a_revolution) {
  // from 170 to 190 degrees: the plain function jumps by a revolution, this one does not
  const double a = 170 * M_PI / 180, b = 190 * M_PI / 180;
  const auto x = TwoPoint<2>::variable(std::cos(a), std::cos(b), 0), y = TwoPoint<2>::variable(std::sin(a), std::sin(b), 1);
  const auto angle = atan2(y, x);
  EXPECT_NEAR(angle.change(), 20 * M_PI / 180, 1e-15);
  EXPECT_NEAR(angle.change({std::cos(b) - std::cos(a), std::sin(b) - std::sin(a)}), angle.change(), 1e-15);
}

/// x^3 + p x - q = 0 has one root for p > 0.
struct Cubic {
  template <class T>
  T operator()(const T& x, const std::array<T, 2>& p) const {
    return x * x * x + p[0] * x - p[1];
  }
};

TEST(ImplicitRoot, solves_to_the_last_digit) {
  const double x = implicit_root(Cubic{}, 0.0, std::array<double, 2>{1.0, 10.0});
  EXPECT_NEAR(x, 2, 1e-15);
  EXPECT_NEAR(implicit_root(Cubic{}, 100.0, std::array<double, 2>{2.0, 3.0}), 1, 1e-15) << "from far away";
}

TEST(ImplicitRoot, finds_the_root_from_a_valley_without_one) {
  // x^3 - 3x + 5: |f| has a valley at x = 1, the only root is at -2.279...
  const auto f = [](const auto& x, const auto& p) { return x * x * x - 3.0 * x + p[0]; };
  const double x = implicit_root(f, 1.5, std::array<double, 1>{5.0});
  EXPECT_NEAR(x * x * x - 3 * x + 5, 0, 1e-14);
}

TEST(ImplicitRoot, gives_first_and_second_derivatives) {
  // by hand: x_q = 1/(3x^2+p), x_p = -x x_q, x_qq = -6x x_q^3
  const double p = 1, q = 10, x = 2, s = 1 / (3 * x * x + p);
  using D2 = Dual<2, Dual<2>>;
  const auto root = implicit_root(
      Cubic{}, 1.0, std::array<D2, 2>{D2::variable(Dual<2>::variable(p, 0), 0), D2::variable(Dual<2>::variable(q, 1), 1)});
  EXPECT_NEAR(root.d[1].value, s, 1e-15);
  EXPECT_NEAR(root.d[0].value, -x * s, 1e-15);
  EXPECT_NEAR(root.d[1].d[1], -6 * x * s * s * s, 1e-15);
  EXPECT_NEAR(root.value.d[1], s, 1e-15);
}

TEST(ImplicitRoot, gives_the_difference_row) {
  Dice dice(6);
  for (int k = 0; k < 200; ++k) {
    const double p0 = dice.between(0.5, 2), q0 = dice.between(-5, 5), size = std::pow(10.0, dice.between(-12, 0));
    const double p1 = p0 + size * dice.between(0, 1), q1 = q0 + size * dice.between(-1, 1);
    const auto root = implicit_root(
        Cubic{}, 0.0, std::array<TwoPoint<2>, 2>{TwoPoint<2>::variable(p0, p1, 0), TwoPoint<2>::variable(q0, q1, 1)});
    EXPECT_NEAR(root.change({p1 - p0, q1 - q0}), root.change(), 20 * kEps) << "round-off of the residual over its slope";
  }
}

}  // namespace
}  // namespace bristle
