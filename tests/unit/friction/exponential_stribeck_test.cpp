#include "bristle/friction/exponential_stribeck.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

ExponentialStribeck published() {
  ExponentialStribeck law;
  law.mu_star = 0.5, law.gamma = 0.3, law.beta = 20;
  return law;
}
TEST(ExponentialStribeck, has_the_published_coefficients) {
  // friction law of "Energy Transfer and Dissipation in a Three-Degree-of-Freedom System with Stribeck Friction", figure 2
  EXPECT_NEAR(published().mu(0.0), 0.5, kRoundOff);
  EXPECT_NEAR(published().mu(0.05), 0.3104, 5e-5);  // four digits are given
  EXPECT_NEAR(published().mu(100.0), 0.2, kRoundOff);
  EXPECT_NEAR(force(published(), -0.05, 100), -31.04, 5e-3);
}
TEST(ExponentialStribeck, sticks_within_its_band_up_to_the_static_level_and_slides_beyond) {
  ExponentialStribeck law = published();
  law.stick_velocity = 1e-3;
  EXPECT_EQ(rest(law, 49.9, 1e-3, 1, 100), 49.9);
  EXPECT_NEAR(rest(law, 60.0, -5e-4, 1, 100), -100 * law.mu(5e-4), 1e-12);
  EXPECT_NEAR(rest(law, -60.0, 0.0, 1, 100), -50, 1e-8);  // along the pull where there is no slip
}
TEST(ExponentialStribeck, rises_with_alpha) {
  ExponentialStribeck law = published();
  law.alpha = 0.1;
  EXPECT_NEAR(law.mu(10.0), 0.2 + 1.0, kRoundOff);
}
TEST(ExponentialStribeck, refuses_a_drop_larger_than_the_level) {
  ExponentialStribeck law = published();
  EXPECT_EQ(law.problem(), "");
  law.gamma = 0.6;
  EXPECT_NE(law.problem().find("gamma is larger than mu_star"), std::string::npos);
}

}  // namespace
}  // namespace bristle::unit_test
