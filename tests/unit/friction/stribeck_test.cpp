#include "bristle/friction/stribeck.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

TEST(Stribeck, falls_from_static_to_kinetic_and_never_rises) {  // figure 3.7
  for (const auto shape : {SlipCurve::Shape::gaussian, SlipCurve::Shape::hess_soom}) {
    auto law = with_levels<Stribeck>();
    law.curve.shape_kind = shape;
    EXPECT_NEAR(force(law, 1e-9), kStatic, 1e-9);  // 1e-6 of the Stribeck velocity
    EXPECT_NEAR(force(law, 10.0), kCoulomb, 1e-8);
    double before = kStatic + kRoundOff;
    for (double v = 1e-5; v < 0.1; v *= 1.2) {
      EXPECT_LE(force(law, v), before);
      before = force(law, v);
    }
  }
}
TEST(Stribeck, has_its_printed_values_at_the_stribeck_velocity) {
  auto law = with_levels<Stribeck>();
  EXPECT_NEAR(force(law, 1e-3), kCoulomb + (kStatic - kCoulomb) * std::exp(-1.0), kRoundOff);
  // half the drop at half a millimetre per second, squared: "Frictional Contacts in Multibody Dynamics", S4
  EXPECT_NEAR(force(law, -0.5e-3), -(kCoulomb + (kStatic - kCoulomb) * std::exp(-0.25)), kRoundOff);
  law.curve.shape_kind = SlipCurve::Shape::hess_soom;
  EXPECT_NEAR(force(law, 1e-3), 0.5 * (kCoulomb + kStatic), kRoundOff);
}
TEST(Stribeck, adds_viscosity) {
  auto law = with_levels<Stribeck>();
  law.curve.viscosity = 0.1 / kLoad;
  EXPECT_NEAR(force(law, 2.0), 0.981 + 0.2, kRoundOff);
}
TEST(Stribeck, holds_up_to_the_static_level) {
  const auto law = with_levels<Stribeck>();
  EXPECT_EQ(rest(law, 1.4), 1.4);
  EXPECT_NEAR(rest(law, 2.0), kStatic, 1e-12);
}
TEST(Stribeck, refuses_a_static_coefficient_below_the_kinetic_one) {
  auto law = with_levels<Stribeck>();
  law.curve.mu_static = 0.01;
  EXPECT_NE(law.problem(), "");
}

}  // namespace
}  // namespace bristle::unit_test
