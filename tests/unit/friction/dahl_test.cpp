#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(Dahl, Follows_its_exact_solution_from_rest) {
  const auto law = made<1>(table<Dahl>());
  Rubbing<1> r(law);
  for (const double x : {1e-6, 5e-6, 1e-5, 3e-5}) {
    walk(r, {x}, 1e-3, 1e-5);
    const double exact = kCoulomb * (1 - std::exp(-kSigma0 * x / kCoulomb));
    EXPECT_NEAR(r.force()[0], exact, 1e-9);  // smooth in the path; Runge-Kutta of 1e-8 m steps
  }
}
TEST(Dahl, Exponent_two_yields_later_with_a_rational_curve) {
  // dF/dx = s (1 - F/F_C)^2 gives F/F_C = q/(1 + q), q = s x / F_C
  auto law = table<Dahl>();
  law.exponent = 2;
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  walk(r, {2e-5}, 1e-3, 1e-5);
  const double q = kSigma0 * 2e-5 / kCoulomb;
  EXPECT_NEAR(r.force()[0], kCoulomb * q / (1 + q), 1e-9);
}
TEST(Dahl, Exponent_one_half_slides_after_a_finite_path) {
  // (1 - F/F_C)^(1/2) = 1 - q/2: full force at q = 2
  auto law = table<Dahl>();
  law.exponent = 0.5;
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  walk(r, {kCoulomb / kSigma0}, 1e-3, 1e-5);
  EXPECT_NEAR(r.force()[0], kCoulomb * 0.75, 1e-6);
  walk(r, {2.2 * kCoulomb / kSigma0}, 1e-3, 1e-5);
  EXPECT_NEAR(r.force()[0], kCoulomb, 1e-4 * kCoulomb);  // the straight piece near the end is 1e-4 wide
}
TEST(Dahl, Printed_vector_form_settles_at_the_square_root_of_two_after_a_turn) {
  for (const bool printed : {false, true}) {
    auto law = table<Dahl>();
    law.vector_form = printed ? Dahl::VectorForm::printed : Dahl::VectorForm::isotropic;
    const auto f = made<2>(law);
    Rubbing<2> r(f);
    for (int i = 0; i < 2000; ++i) r.step([](double) { return Vec<2>{{1e-3, 0}}; }, 1e-4);
    for (int i = 0; i < 2000; ++i) r.step([](double) { return Vec<2>{{0, 1e-3}}; }, 1e-4);
    EXPECT_NEAR(norm(r.force()), printed ? std::sqrt(2.0) * kCoulomb : kCoulomb, 1e-6);
  }
}
TEST(Dahl, Work_is_stored_or_lost_and_never_made) {
  const auto law = made<1>(table<Dahl>());
  Rubbing<1> r(law);
  walk(r, {2e-5, -1e-5, 1.5e-5, 0, 0.5e-5}, 1e-3, 1e-6);
  EXPECT_GT(r.work, r.stored());
}
TEST(Dahl, Force_is_proportional_to_the_load) {
  const auto law = made<1>(table<Dahl>());
  Rubbing<1> one(law, 1), ten(law, 10);
  walk(one, {1e-5}, 1e-3, 1e-5);
  walk(ten, {1e-5}, 1e-3, 1e-5);
  EXPECT_DOUBLE_EQ(ten.force()[0], 10 * one.force()[0]);
}

Dahl softening(double ratio) {
  auto law = table<Dahl>();
  law.stiffness_ratio = ratio, law.stiffness_velocity = 1e-3;
  return law;
}
TEST(Dahl, Stiffness_that_follows_the_speed_is_that_of_the_present_speed) {
  for (const double ratio : {0.2, 4.0}) {
    for (const double speed : {1e-5, 5e-4, 1e-3, 1e-2}) {
      const auto law = made<1>(softening(ratio));
      Rubbing<1> r(law);
      const double k = ratio + (1 - ratio) * std::exp(-std::pow(speed / 1e-3, 2));
      walk(r, {8e-6}, speed, 4e-9 / speed);
      EXPECT_NEAR(r.force()[0], kCoulomb * (1 - std::exp(-k * kSigma0 * 8e-6 / kCoulomb)), 1e-9) << ratio << ", " << speed;
    }
  }
}
/// Out at one speed, back at another, over ways so short that hardly anything relaxes: a stiffness in front of the stretch would give out
/// 1/2 (k_back - k_out) x^2 each time.
TEST(Dahl, Stiffness_that_follows_the_speed_gives_no_energy) {
  for (const double ratio : {0.2, 4.0}) {
    for (const double out : {1e-5, 1e-2}) {
      const auto law = made<1>(softening(ratio));
      Rubbing<1> r(law);
      const double way = 2e-7, back = 1e-7 / out;
      for (int i = 0; i < 20; ++i) {
        const double before = r.work - r.stored();
        walk(r, {way}, out, way / out / 200);
        walk(r, {0.0}, back, way / back / 200);
        EXPECT_GT(r.work - r.stored(), before) << ratio << ", " << out;
      }
    }
  }
}
TEST(Dahl, Stiffness_that_follows_the_speed_never_carries_more_than_sliding) {
  const auto law = made<1>(softening(0.2));
  Rubbing<1> r(law);
  walk(r, {1e-3}, 1e-2, 1e-6);  // fast: long and soft
  EXPECT_NEAR(r.force()[0], kCoulomb, 1e-6);
  r.patch.slip[0] = 1e-6;  // and stiff at once
  EXPECT_NEAR(r.force()[0], kCoulomb, 1e-15);
  walk(r, {1.001e-3}, 1e-5, 1e-5);
  EXPECT_NEAR(r.force()[0], kCoulomb, 1e-6);
}
TEST(Dahl, Stiffness_that_follows_the_speed_moves_a_block_as_scipy_says) {
  // DOP853, rtol 1e-13: 1 kg on a belt at 2 mm/s, held by 2000 N/m and 20 N s/m
  const auto law = made<1>(softening(0.3));
  Block block(law, 1, 2e-3);
  block.begin();
  for (int i = 0; i < 40000; ++i) block.step([](double, double x, double v) { return -2000 * x - 20 * v; }, 5e-6);
  EXPECT_NEAR(block.x, 0.00034027395313749, 1e-10);
  EXPECT_NEAR(block.v, -0.00014368752560962, 1e-9);
  EXPECT_NEAR(block.z[0], 0.81737014994328, 1e-6);  // both step over the corner where the force is cut
}
TEST(Dahl, Stiffness_that_follows_the_speed_refuses_the_printed_form) {
  auto law = softening(0.3);
  EXPECT_EQ(law.problem(), "");
  law.vector_form = Dahl::VectorForm::printed;
  EXPECT_NE(law.problem().find("leave stiffness_ratio out"), std::string::npos);
}

}  // namespace
}  // namespace bristle::test
