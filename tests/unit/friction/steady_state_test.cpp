#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

template <class L>
double settled(const L& law, double v, double path = 3e-3) {
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  const double h = std::min(1e-3, 2e-6 / std::abs(v));
  const int n = static_cast<int>(std::max(path / (std::abs(v) * h), 0.5 / h));
  for (int i = 0; i < n; ++i) r.step([&](double) { return Vec<1>{{v}}; }, h);
  return r.force()[0];
}
double stribeck(double v) { return (kCoulomb + (kStatic - kCoulomb) * std::exp(-v * v / 1e-6)) * (v > 0 ? 1 : -1) + kSigma2 * v; }

// law by law what the force becomes at constant slip
TEST(SteadyState, Constant_force_laws_settle_at_Coulomb) {
  for (const double v : {-1e-2, 3e-4, 5e-2}) {
    const double c = v > 0 ? kCoulomb : -kCoulomb;
    EXPECT_NEAR(settled(table<Dahl>(), v), c, 1e-9);
    EXPECT_NEAR(settled(table<BusarovOstrovskii>(), v), c, 1e-9);
    EXPECT_NEAR(settled(table<Iwan>(), v), c, 1e-9);
    EXPECT_NEAR(settled(table<ParallelSeriesIwan>(), v), c, 1e-9);
    EXPECT_NEAR(settled(table<ResetIntegrator>(), v), c, 1e-9);
    EXPECT_NEAR(settled(table<BlimanSorine>(), v), c, 1e-6);  // exp(-path / 1.675e-4)
  }
}
TEST(SteadyState, Bristle_laws_settle_on_the_Stribeck_curve) {
  for (const double v : {-1e-2, -5e-4, 1e-3, 2e-3, 5e-2}) {
    EXPECT_NEAR(settled(table<LuGre>(), v), stribeck(v), 1e-8) << v;
    EXPECT_NEAR(settled(table<ElastoPlastic>(), v), stribeck(v), 1e-5) << v;
    EXPECT_NEAR(settled(table<GeneralisedMaxwellSlip>(), v), stribeck(v), 1e-5) << v;
    EXPECT_NEAR(settled(table<Leuven>(), v), stribeck(v), 1e-5) << v;
  }
}
TEST(SteadyState, Liang_has_two_levels_and_Gonthier_one_beside_viscosity) {
  EXPECT_NEAR(settled(table<Liang>(), 2e-3), kCoulomb, 1e-9);
  EXPECT_NEAR(settled(table<Liang>(), 0.9e-3), kStatic, 1e-9);
  EXPECT_NEAR(settled(table<GonthierFriction>(), -1e-2), -kCoulomb - kSigma2 * 1e-2, 1e-9);
}

}  // namespace
}  // namespace bristle::test
