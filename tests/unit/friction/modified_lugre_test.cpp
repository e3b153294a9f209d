#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(ModifiedLuGre, Is_LuGre_beside_a_spring) {
  auto law = table<ModifiedLuGre>();
  law.tangent_stiffness = 1e4 / kLoad;
  const auto f = made<1>(law);
  const auto g = made<1>(table<LuGre>());
  Rubbing<1> a(f), b(g);
  walk(a, {1e-5, -2e-5, 3e-4}, 1e-3, 1e-5);
  walk(b, {1e-5, -2e-5, 3e-4}, 1e-3, 1e-5);
  EXPECT_NEAR(a.force()[0], b.force()[0] + 1e4 * 3e-4, 1e-9);
}
TEST(ModifiedLuGre, Nearly_coincides_with_a_soft_Valanis_loop) {
  Valanis joint;  // kappa 0.01
  ModifiedLuGre law;
  law.bristles.curve.mu_kinetic = law.bristles.curve.mu_static = joint.level();
  law.bristles.sigma0 = joint.stick_stiffness - joint.tangent_stiffness;
  law.bristles.sigma1 = law.bristles.sigma2 = 0;
  law.tangent_stiffness = joint.tangent_stiffness;
  const auto f = made<1>(law);
  const auto g = made<1>(joint);
  Rubbing<1> a(f, 1), b(g, 1);
  double square = 0;
  const int n = 4000;
  for (int i = 0; i < 3 * n; ++i) {
    const auto slip = [](double t) { return Vec<1>{{4e-5 * std::cos(t)}}; };
    a.step(slip, 2 * std::numbers::pi / n);
    b.step(slip, 2 * std::numbers::pi / n);
    if (i >= 2 * n) square += (a.force()[0] - b.force()[0]) * (a.force()[0] - b.force()[0]) / n;
  }
  EXPECT_LT(std::sqrt(square), 0.05 * joint.knee);
}

}  // namespace
}  // namespace bristle::test
