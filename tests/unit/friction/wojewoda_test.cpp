#include "bristle/friction/wojewoda.h"

#include <gtest/gtest.h>

#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton

/// Force at a slip after two accepted steps that fix the acceleration.
double force_at(const Wojewoda& law, double slip, double acceleration, int stream = 0, double path = 0) {
  const FrictionLawOf<Wojewoda, 1> made(law);
  const FrictionLaw<1>& base = made;
  double marks[6], z[1];
  base.start(z, marks, stream);
  Patch<1> p;
  p.load = kLoad;
  // a first step of steady slip over the path, then one that ends at this slip with this acceleration
  const double h = 1e-6, before = slip - h * acceleration;
  p.slip[0] = before;
  base.accept(p, 0, z, marks);
  base.accept(p, path / std::abs(before), z, marks);
  p.slip[0] = slip;
  base.accept(p, path / std::abs(before) + h, z, marks);
  Vec<1> F;
  base.eval(p, z, marks, F, z);
  return F[0];
}
TEST(Wojewoda, is_larger_while_the_speed_grows) {
  const auto law = with_levels<Wojewoda>();
  const double g = std::exp(-0.5), half = 0.5e-3;
  EXPECT_NEAR(force_at(law, half, 1e-6), kCoulomb + (kStatic - kCoulomb) * g, 1e-8);  // small: the rise is over
  EXPECT_NEAR(force_at(law, half, -1e-6), kCoulomb - (kStatic - kCoulomb) * g, 1e-8);
  EXPECT_NEAR(force_at(law, -half, -1e-6), -(kCoulomb + (kStatic - kCoulomb) * g), 1e-8);
}
TEST(Wojewoda, rises_like_a_spring_out_of_rest) {
  const auto law = with_levels<Wojewoda>();
  const double a = 1, x = 0.5e-6, v = std::sqrt(2 * a * x);  // after x at constant acceleration from rest
  // k_s x N; the acceleration is a difference of speeds over a microsecond: round-off about 1e-10
  EXPECT_NEAR(force_at(law, v, a), 1e5 * x * kLoad, 1e-9);
}
TEST(Wojewoda, is_kinetic_at_speed) { EXPECT_NEAR(force_at(with_levels<Wojewoda>(), 1.0, 1e-3), kCoulomb, 1e-9); }
TEST(Wojewoda, draws_the_same_roughness_for_the_same_path_and_another_for_another_stream) {
  auto law = with_levels<Wojewoda>();
  law.roughness = 0.3;
  const double one = force_at(law, 1.0, 1e-3, 3, 0.01), again = force_at(law, 1.0, 1e-3, 3, 0.01);
  EXPECT_EQ(one, again);
  EXPECT_NE(one, force_at(law, 1.0, 1e-3, 4, 0.01));
  EXPECT_NE(one, force_at(law, 1.0, 1e-3, 3, 0.02));
  EXPECT_LE(std::abs(one - kCoulomb), 0.3 * (kStatic - kCoulomb) + 1e-9);
}
TEST(RandomCounter, is_uniform_enough) {
  double mean = 0, square = 0;
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    const double u = random_uniform(5, static_cast<std::uint64_t>(i));
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    mean += u / n, square += u * u / n;
  }
  // standard deviation of the mean 9e-4, of the mean square 9.4e-4; four of them
  EXPECT_NEAR(mean, 0.5, 4e-3);
  EXPECT_NEAR(square, 1.0 / 3, 4e-3);
}

}  // namespace
}  // namespace bristle::unit_test
