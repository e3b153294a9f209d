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

}  // namespace
}  // namespace bristle::test
