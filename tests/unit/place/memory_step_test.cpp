// Friction memory over a whole step: invariants of the discrete LuGre law ("Modeling Friction Phenomena in Flexible Multibody Dynamics",
// eqs. 29 to 32, L1 to L8 of our list), for the rule that places use in the energy schemes.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "bristle/friction/lugre.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/place/memory_step.h"

namespace bristle {
namespace {

constexpr double kMuK = 0.3, kMuS = 0.45, kSigma0 = 1e5, kV = 1e-3, kOmega = kSigma0 * kV / kMuK;

std::unique_ptr<FrictionLaw<1>> lugre(double sigma1 = 0, double sigma2 = 0) {
  LuGre law;
  law.curve.mu_kinetic = kMuK, law.curve.mu_static = kMuS, law.curve.stribeck_velocity = kV;
  law.sigma0 = kSigma0, law.sigma1 = sigma1, law.sigma2 = sigma2;
  return std::make_unique<FrictionLawOf<LuGre, 1>>(law);
}
double g_of(double v) { return 1 + (kMuS / kMuK - 1) * std::exp(-v * v); }

struct Step {
  double z0 = 0, z1 = 0, zg = 0, v = 0, dtau = 0, force = 0;  // nondimensional but the force
};
/// One step at nondimensional slip v over nondimensional time dtau, at a load of 10 N.
Step take(const FrictionLaw<1>& law, double z, double v, double dtau) {
  Step s{z, 0, 0, v, dtau, 0};
  Patch<1> patch;
  patch.slip[0] = v * kV;
  patch.load = 10;
  std::vector<double> scratch(static_cast<std::size_t>(MemoryStep<1>::scratch(1)) + 64);
  Vec<1> F;
  EXPECT_TRUE(MemoryStep<1>::solve(law, patch, dtau / kOmega, &z, nullptr, 1, &s.z1, F, nullptr, scratch.data()));
  s.force = F[0];
  const double a = std::abs(v) / g_of(v) * dtau, zj = (z + a / 6 * s.z1) / (1 + a / 6);
  s.zg = 0.5 * (zj + s.z1);
  return s;
}

TEST(MemoryStep, is_the_closed_form_of_the_galerkin_rule) {
  const auto law = lugre();
  std::mt19937 random(3);
  std::uniform_real_distribution<double> z(-1.5, 1.5), v(-8, 8), e(-4, 3);
  for (int k = 0; k < 20000; ++k) {
    const double zi = z(random), slip = v(random), dtau = std::pow(10, e(random));
    const Step s = take(*law, zi, slip, dtau);
    const double a = std::abs(slip) / g_of(slip) * dtau, D = 1 + 2 * a / 3 + a * a / 6;
    const double expected = ((1 - a / 3) * zi + (1 + a / 6) * slip * dtau) / D;
    EXPECT_NEAR(s.z1, expected, 1e-11 * std::max(1.0, std::abs(expected)));
    const double S = (1 + a / 6) / D;
    EXPECT_NEAR(s.force, 10 * kMuK * (S * zi + (1 - S) * g_of(slip) * (slip < 0 ? -1 : 1)), 1e-10);
  }
}

TEST(MemoryStep, balances_bristle_energy_as_the_paper_says) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> z(-1.5, 1.5), v(-8, 8), e(-3, 2), s(0, 0.3);
  for (int k = 0; k < 20000; ++k) {
    const double sigma1 = s(random), sigma2 = s(random);
    const auto law = lugre(sigma1 * kMuK / kV, sigma2 * kMuK / kV);
    const double zi = z(random), slip = v(random), dtau = std::pow(10, e(random));
    const Step x = take(*law, zi, slip, dtau);
    const double beta = std::abs(slip) / g_of(slip), a = beta * dtau, zj = (zi + a / 6 * x.z1) / (1 + a / 6);
    const double jump = (1 + 6 / a) * (zj - zi) * (zj - zi) / (2 * dtau), stored = 0.5 * (x.z1 * x.z1 - zi * zi) / dtau;
    // eq. 32: work per time on the bodies
    const double work = -x.force / (10 * kMuK) * slip;
    const double sign = x.zg * slip < 0 ? -1 : 1;
    const double expected = -sigma2 * slip * slip - x.zg * x.zg / g_of(slip) * std::abs(slip) - stored -
                            sigma1 * (1 - std::abs(x.zg) / g_of(slip) * sign) * slip * slip - jump;
    const double scale = 1 + std::abs(stored) + std::abs(work) + jump + sigma2 * slip * slip;
    EXPECT_NEAR(work, expected, 1e-11 * scale);
    EXPECT_GE(jump, 0);
    if (std::abs(x.zg) > g_of(slip)) {
      EXPECT_LT(x.z1 * x.z1, zi * zi);
    }
  }
}

// A step takes the memory to R z_i + (1 - R) g sgn(v), R = (1 - a/3)/(1 + 2 a/3 + a^2/6), a = beta dtau. R falls from 1 at a = 0 through 0 at
// a = 3 to its least value at a = 3 + sqrt(27), and then rises to 0.
const double kWorst = 3 + std::sqrt(27.0);
const double kLeast = (1 - kWorst / 3) / (1 + 2 * kWorst / 3 + kWorst * kWorst / 6);
const double kSharp = (1 - kLeast) / (1 + kLeast) * kMuS / kMuK;

/// Largest memory, and memory that makes a force, of random histories that start within a bound.
double largest(double bound, double longest) {
  const auto law = lugre();
  std::mt19937 random(11);
  std::uniform_real_distribution<double> z(-bound, bound), v(-4, 4), u(0, 1);
  double most = 0;
  for (int history = 0; history < 500; ++history) {
    double memory = z(random);
    for (int k = 0; k < 100; ++k) {
      const double slip = std::pow(10, v(random) - 2) * (u(random) < 0.5 ? -1 : 1), a = longest * u(random);
      const Step s = take(*law, memory, slip, a * g_of(slip) / std::abs(slip));
      most = std::max({most, std::abs(s.z1), std::abs(s.zg)});
      memory = s.z1;
    }
  }
  return most;
}

TEST(MemoryStep, stays_within_the_static_limit_while_steps_are_short) {
  EXPECT_LE(largest(kMuS / kMuK, 3), kMuS / kMuK * (1 + 1e-13));
}

TEST(MemoryStep, stays_within_a_sharp_bound_whatever_the_steps) {
  EXPECT_NEAR(kSharp, 1.2175 * kMuS / kMuK, 1e-4);
  for (const double longest : {10.0, 30.0, 1000.0}) EXPECT_LE(largest(kSharp, longest), kSharp * (1 + 1e-13)) << longest;
  // slow slips to and fro in the worst of steps come as near to it as one likes: the memory goes beyond the static limit
  const auto law = lugre();
  double z = 0;
  for (int k = 0; k < 40; ++k) {
    const double slip = k % 2 == 0 ? 0.01 : -0.01;
    z = take(*law, z, slip, kWorst * g_of(slip) / std::abs(slip)).z1;
  }
  EXPECT_GT(std::abs(z), 1.20 * kMuS / kMuK);
  EXPECT_NEAR(std::abs(z), kSharp, 1e-4 * kSharp);
}

/// The part of the energy that the rule itself takes, second term of eq. 30: never negative, of second order.
TEST(MemoryStep, takes_less_the_shorter_the_steps) {
  const auto law = lugre();
  for (const double slip : {0.5, -2.0}) {
    double before = 0;
    for (const double dtau : {1e-2, 5e-3, 2.5e-3}) {
      const Step s = take(*law, 0.3, slip, dtau);
      const double a = std::abs(slip) / g_of(slip) * dtau, zj = (0.3 + a / 6 * s.z1) / (1 + a / 6);
      const double taken = (1 + 6 / a) * (zj - 0.3) * (zj - 0.3) / (2 * dtau);
      EXPECT_GT(taken, 0);
      if (before > 0) {
        EXPECT_NEAR(before / taken, 4, 0.1) << dtau;
      }
      before = taken;
    }
  }
}

/// Of third order where the slip is constant, against the closed form; of second order where it varies, against steps so short that their
/// error is below a thousandth of it.
TEST(MemoryStep, has_the_order_it_should) {
  const auto law = lugre();
  const auto after = [&](double end, int steps, auto&& way) {
    double z = 0.2;
    for (int k = 0; k < steps; ++k) {
      const double dtau = end / steps;
      z = take(*law, z, (way((k + 1) * dtau) - way(k * dtau)) / dtau, dtau).z1;
    }
    return z;
  };
  const double g = g_of(0.8), exact = g + (0.2 - g) * std::exp(-0.8 / g * 2);
  const auto constant = [](double tau) { return 0.8 * tau; };
  const double c0 = after(2, 20, constant) - exact, c1 = after(2, 40, constant) - exact;
  EXPECT_NEAR(std::log2(c0 / c1), 3, 0.1);
  const auto varying = [](double tau) { return tau + 0.4 * std::sin(2 * tau); };
  const double fine = after(2, 2560, varying), v0 = after(2, 40, varying) - fine, v1 = after(2, 80, varying) - fine;
  EXPECT_NEAR(std::log2(v0 / v1), 2, 0.1);
}

TEST(MemoryStep, settles_where_the_law_does) {
  const auto law = lugre();
  for (double slip : {0.0, 0.3, -2.0, 50.0}) {
    double z = 0.2;
    for (int k = 0; k < 400; ++k) z = take(*law, z, slip, 0.5).z1;
    EXPECT_NEAR(z, slip == 0 ? 0.2 : g_of(slip) * (slip < 0 ? -1 : 1), 1e-12);
  }
}

TEST(MemoryStep, never_gives_more_work_than_the_bristles_hold) {
  const auto law = lugre();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> v(-6, 6), e(-3, 2);
  for (int history = 0; history < 50; ++history) {
    double z = 1.2, work = 0;
    for (int k = 0; k < 200; ++k) {
      const double slip = v(random), dtau = std::pow(10, e(random));
      const Step x = take(*law, z, slip, dtau);
      work -= x.force / (10 * kMuK) * slip * dtau;
      z = x.z1;
      EXPECT_LE(work, 0.5 * 1.2 * 1.2 + 1e-12);
    }
  }
}

}  // namespace
}  // namespace bristle
