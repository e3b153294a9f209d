#include "bristle/math/rotation.h"

#include <gtest/gtest.h>

#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;
constexpr Chart kCharts[] = {Chart::exponential, Chart::cayley};

TEST(Rotation, increment_and_rotation_are_inverse_in_both_charts_from_tiny_to_large_angles) {
  Dice dice(7);
  for (Chart chart : kCharts) {
    for (int k = 0; k < 500; ++k) {
      const auto axis = dice.direction();
      const double angle = std::pow(10.0, dice.between(-12, std::log10(3.0)));  // below pi
      const double length = chart == Chart::cayley ? 2 * std::tan(0.5 * angle) : angle;
      const Vector3 r = {length * axis[0], length * axis[1], length * axis[2]};
      const Vector3 back = increment_of(rotation_of(r, chart), chart);
      // near half a turn the Cayley vector grows as 1/cos: its digits are lost by the same factor
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(back[i], r[i], 1e-14 * length * (1 + length * length)) << angle;
    }
  }
}

TEST(Rotation, both_charts_turn_by_the_angle_they_promise) {
  for (double angle : {1e-6, 0.1, 1.0, 2.5}) {
    for (Chart chart : kCharts) {
      const double length = chart == Chart::cayley ? 2 * std::tan(0.5 * angle) : angle;
      const Vector3 u = rotate(rotation_of({0, 0, length}, chart), {1, 0, 0});
      EXPECT_NEAR(u[0], std::cos(angle), 1e-15);
      EXPECT_NEAR(u[1], std::sin(angle), 1e-15);
      EXPECT_EQ(u[2], 0);
    }
  }
}

TEST(Rotation, products_compose_and_conjugates_undo) {
  Dice dice(8);
  for (int k = 0; k < 200; ++k) {
    const auto a = dice.direction(), b = dice.direction(), u = dice.direction();
    const Quaternion p = rotation_of({2 * a[0], 2 * a[1], 2 * a[2]}, Chart::exponential), q = rotation_of(b, Chart::cayley);
    const Vector3 once = rotate(product(p, q), u), twice = rotate(p, rotate(q, u)), back = rotate(conjugate(p), rotate(p, u));
    double size = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(once[i], twice[i], 2e-15);
      EXPECT_NEAR(back[i], u[i], 2e-15);
      size += once[i] * once[i];
    }
    EXPECT_NEAR(size, 1, 5e-15) << "lengths are kept";
  }
}

TEST(Rotation, a_Cayley_step_moves_every_body_vector_by_the_cross_product_with_its_mean) {
  // R_f a - R_i a = r x (R_i a + R_f a)/2: the identity that carries the work of the energy schemes (notes/energy-decaying.md, 3)
  Dice dice(9);
  for (int k = 0; k < 200; ++k) {
    const auto axis = dice.direction(), start = dice.direction(), a = dice.direction();
    const double length = dice.between(0, 2);
    const Quaternion qi = rotation_of(start, Chart::exponential);
    const Vector3 rho = {length * axis[0], length * axis[1], length * axis[2]};
    const Quaternion qf = product(qi, rotation_of(rho, Chart::cayley));
    const Vector3 r = rotate(qi, rho), u = rotate(qi, a), w = rotate(qf, a);
    const Vector3 m = {0.5 * (u[0] + w[0]), 0.5 * (u[1] + w[1]), 0.5 * (u[2] + w[2])};
    const Vector3 turn = {r[1] * m[2] - r[2] * m[1], r[2] * m[0] - r[0] * m[2], r[0] * m[1] - r[1] * m[0]};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(w[i] - u[i], turn[i], 3e-15);
  }
}

TEST(Rotation, increments_take_the_short_way_round) {
  const Quaternion q = rotation_of({0, 0, 4}, Chart::exponential);  // 4 rad one way is 2 pi - 4 the other
  EXPECT_NEAR(increment_of(q, Chart::exponential)[2], 4 - 2 * M_PI, 1e-15);
}

}  // namespace
}  // namespace bristle
