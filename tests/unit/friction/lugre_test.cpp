#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(LuGre, Without_Stribeck_and_damping_it_is_Dahl) {
  auto law = table<LuGre>();
  law.curve.mu_static = law.curve.mu_kinetic;
  law.sigma1 = law.sigma2 = 0;
  const auto f = made<2>(law);
  const auto g = made<2>(table<Dahl>());
  Rubbing<2> a(f), b(g);
  for (int i = 0; i < 3000; ++i) {
    const auto slip = [](double t) { return Vec<2>{{1e-4 * std::sin(7 * t), 1e-4 * std::cos(5 * t)}}; };
    a.step(slip, 1e-3);
    b.step(slip, 1e-3);
    ASSERT_NEAR(a.force()[0], b.force()[0], 1e-12);
  }
}
TEST(LuGre, Small_motion_about_rest_is_a_spring_and_a_damper) {
  // "Efficient Simulation of a Dynamic System with LuGre Friction": stiffness sigma0, damping sigma1 + sigma2
  const auto law = made<1>(table<LuGre>());
  Rubbing<1> r(law);
  const double X = 1e-9, w = 300, h = 1e-5;
  double in_phase = 0, quadrature = 0;
  const int n = static_cast<int>(2 * std::numbers::pi / w / h);
  const double step = 2 * std::numbers::pi / w / n;
  for (int i = 0; i < n; ++i) {
    r.step([&](double t) { return Vec<1>{{X * w * std::cos(w * t)}}; }, step);
    in_phase += r.force()[0] * std::sin(w * r.t) * 2 / n;
    quadrature += r.force()[0] * std::cos(w * r.t) * 2 / n;
  }
  EXPECT_NEAR(in_phase / X, kSigma0, 0.01 * kSigma0);
  EXPECT_NEAR(quadrature / (X * w), kSigma1 + kSigma2, 0.01 * kSigma1);
}
/// Smallest of power taken in less growth of stored energy, over all speeds and admissible deflections.
double least_loss(const LuGre& law) {
  const auto f = made<1>(law);
  double least = 0;
  for (double v = 1e-6; v < 10; v *= 1.1) {
    for (double z = -1.5; z <= 1.5; z += 0.05) {
      Patch<1> p;
      p.load = kLoad;
      p.slip[0] = v;
      Vec<1> F;
      double rate;
      f.eval(p, &z, nullptr, F, &rate);
      const double growth = kLoad * law.curve.mu_kinetic * law.curve.mu_kinetic / law.sigma0 * z * rate;
      least = std::min(least, F[0] * v - growth);
    }
  }
  return least;
}
TEST(LuGre, Bristle_damping_gives_energy_away_in_a_fast_start_unless_it_fades_with_speed) {
  auto law = table<LuGre>();
  law.sigma2 = 0;
  EXPECT_LT(least_loss(law), -1);
  law.damping_velocity = 9 * law.curve.mu_kinetic / law.sigma1;
  EXPECT_GE(least_loss(law), 0);
  law.damping_velocity = kInfinity;
  law.sigma1 = 0;
  EXPECT_GE(least_loss(law), 0);
}
TEST(LuGre, Printed_vector_form_settles_at_the_square_root_of_two_after_a_turn) {
  for (const bool printed : {false, true}) {
    auto law = table<LuGre>();
    law.sigma2 = 0;
    law.vector_form = printed ? LuGre::VectorForm::printed : LuGre::VectorForm::isotropic;
    const auto f = made<2>(law);
    Rubbing<2> r(f);
    for (int i = 0; i < 2000; ++i) r.step([](double) { return Vec<2>{{1e-2, 0}}; }, 1e-4);
    for (int i = 0; i < 2000; ++i) r.step([](double) { return Vec<2>{{0, 1e-2}}; }, 1e-4);
    EXPECT_NEAR(norm(r.force()), printed ? std::sqrt(2.0) * kCoulomb : kCoulomb, 1e-6);
  }
}
TEST(LuGre, Holds_a_load_below_breakaway) {
  const auto law = made<1>(table<LuGre>());
  Block b(law, 1, 0);
  b.begin();
  const auto pull = [](double t, double, double) { return 0.8 * kStatic * std::min(1.0, t); };
  for (int i = 0; i < 40000; ++i) b.step(pull, 5e-5);
  const double at = b.x;
  for (int i = 0; i < 100000; ++i) b.step(pull, 5e-5);
  EXPECT_NEAR(b.x, at, 1e-9);  // it has settled and stays
}
TEST(LuGre, Stick_slip_run_follows_the_reference_solution) {
  // "Efficient Simulation of a Dynamic System with LuGre Friction", 4 to 12: a mass of 1 kg drawn through 2 N/m at 0.1 m/s; F_C
  // 1 N, F_S 1.5 N, sigma2 0.4 N s/m. Reference by Runge-Kutta at the nondimensional step 5e-6; here 2e-5; y1 = K x / F_C,
  // t = tau / sqrt(2).
  LuGre law;
  law.curve.mu_kinetic = 1;
  law.curve.mu_static = 1.5;
  law.sigma0 = 1e5;
  law.sigma1 = std::sqrt(1e5);
  law.sigma2 = 0.4;
  const auto f = made<1>(law);
  Block b(f, 1, 0, 1);
  b.begin();
  const double h = 1e-5 * std::sqrt(2.0);
  const double tau[] = {2, 5, 8, 10, 11, 12, 13, 14, 15, 18, 20, 22, 24, 28};
  const double y1[] = {0.00000625, 0.00001910, 0.00004205, 0.00008562, 0.05573000, 0.45266623, 0.95035018,
                       1.23862935, 1.27256896, 1.27260053, 1.32867223, 2.22364636, 2.54511294, 2.54517372};
  const double y3[] = {0.28220263, 0.70645279, 1.13068877, 1.41340180, 1, 1,          1,
                       1,          0.84811570, 1.27233474, 1,          1, 0.84836393, 1.41389709};
  for (int k = 0; k < 14; ++k) {
    const auto n = std::lround(tau[k] / std::sqrt(2.0) / h);
    while (std::lround(b.t / h) < n) b.step([](double t, double x, double) { return 2 * (0.1 * t - x); }, h);
    EXPECT_NEAR(2 * b.x, y1[k], 2e-6) << tau[k];
    EXPECT_NEAR(-b.z[0], y3[k], 2e-6) << tau[k];
  }
}

}  // namespace
}  // namespace bristle::test
