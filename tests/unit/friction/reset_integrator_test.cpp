#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(ResetIntegrator, Rises_to_the_static_force_and_drops_to_the_sliding_one) {
  auto law = table<ResetIntegrator>();
  law.sigma1 = 0;
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  const double z0 = kCoulomb / kSigma0;
  walk(r, {0.5 * z0}, 1e-3, 1e-6);
  EXPECT_NEAR(r.force()[0], 1.5 * kSigma0 * 0.5 * z0, 1e-9);  // stiffness (1 + a) sigma0
  walk(r, {0.999 * z0}, 1e-3, 1e-6);
  EXPECT_NEAR(r.force()[0], 0.999 * kStatic, 1e-9);
  walk(r, {1.1 * z0}, 1e-3, 1e-6);
  EXPECT_NEAR(r.force()[0], kCoulomb, 1e-12);
  walk(r, {5 * z0}, 1e-3, 1e-6);
  EXPECT_NEAR(r.force()[0], kCoulomb, 1e-12);
  walk(r, {4.5 * z0}, 1e-3, 1e-6);
  EXPECT_NEAR(r.force()[0], 0.5 * kStatic, 1e-9);
}
TEST(ResetIntegrator, Damps_only_while_the_bond_is_stretched) {
  const auto f = made<1>(table<ResetIntegrator>());
  Patch<1> p;
  p.load = kLoad;
  p.slip[0] = 1e-3;
  double z = 0.5, rate;
  const double bonded = 0;  // mark: it does not slide
  Vec<1> F;
  f.eval(p, &z, &bonded, F, &rate);
  EXPECT_NEAR(F[0], 0.5 * kStatic + kSigma1 * 1e-3, 1e-12);
  z = 1;
  const double slides = 1;
  f.eval(p, &z, &slides, F, &rate);
  EXPECT_NEAR(F[0], kCoulomb, 1e-12);
}

}  // namespace
}  // namespace bristle::test
