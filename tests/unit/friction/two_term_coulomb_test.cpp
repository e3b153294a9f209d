#include "bristle/friction/two_term_coulomb.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TwoTermCoulomb fitted() {
  TwoTermCoulomb law;
  law.curve.mu_kinetic = 0.25, law.adhesion = 40;
  return law;
}
TEST(TwoTermCoulomb, has_a_coefficient_that_falls_with_load) {
  // apparent coefficients 0.40, 0.33, 0.31 of the fit; two digits are given
  EXPECT_NEAR(force(fitted(), 1.0, 271) / 271, 0.40, 0.005);
  EXPECT_NEAR(force(fitted(), 1.0, 492) / 492, 0.33, 0.005);
  EXPECT_NEAR(force(fitted(), -1.0, 672) / 672, -0.31, 0.005);
}
TEST(TwoTermCoulomb, is_nothing_where_nothing_touches) {
  EXPECT_EQ(force(fitted(), 1.0, 0), 0);
  EXPECT_NEAR(force(fitted(), 1.0, 1e-9), 40, 1e-8);
}
TEST(TwoTermCoulomb, fades_in_below_the_onset_load) {
  TwoTermCoulomb law = fitted();
  law.onset_load = 100;
  EXPECT_NEAR(force(law, 1.0, 50), 0.25 * 50 + 20, kRoundOff * 100);
  EXPECT_NEAR(force(law, 1.0, 100), 65, kRoundOff * 100);
}
TEST(TwoTermCoulomb, holds_as_much_as_it_resists) {
  EXPECT_EQ(rest(fitted(), 64.9, 0, 1, 100), 64.9);
  EXPECT_NEAR(rest(fitted(), 80.0, 0, 1, 100), 65, 1e-12);
}

}  // namespace
}  // namespace bristle::unit_test
