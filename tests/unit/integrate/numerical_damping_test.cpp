// What the alpha methods damp is in the account `numerical`, and it is what their formulas say.
#include <gtest/gtest.h>

#include <complex>

#include "bristle/math/decompositions.h"
#include "support/mechanisms.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

struct Scheme {
  std::string text;
  double alpha_m, alpha_f, beta, gamma;
};
Scheme chung_hulbert(double rho) {
  const double m = (2 * rho - 1) / (rho + 1), f = rho / (rho + 1), gamma = 0.5 - m + f;
  return {fmt::format("type: generalized_alpha, rho_infinity: {}", rho), m, f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma};
}
Scheme hilber(double alpha) {
  return {fmt::format("type: hht, alpha: {}", alpha), 0, -alpha, 0.25 * (1 - alpha) * (1 - alpha), 0.5 - alpha};
}
Scheme newmark(double beta, double gamma) {
  return {fmt::format("type: newmark, beta: {}, gamma: {}", beta, gamma), 0, 0, beta, gamma};
}
const std::vector<Scheme> kDamping{chung_hulbert(0.8), chung_hulbert(0.3), hilber(-0.05), hilber(-0.3), newmark(0.3, 0.55)};

/// The principal root of the scheme on q'' = -(Omega/h)^2 q: the state (q, h v, h^2 a) is multiplied by a constant matrix in every step.
/// `a` is the acceleration of the scheme, with the force at both ends put in for v'.
std::complex<double> principal_root(const Scheme& s, double Omega) {
  const double w = Omega * Omega;
  Eigen::Matrix3d left, right;
  left << 1, 0, -s.beta, 0, 1, -s.gamma, (1 - s.alpha_f) * w, 0, 1 - s.alpha_m;
  right << 1, 1, 0.5 - s.beta, 0, 1, 1 - s.gamma, -s.alpha_f * w, 0, -s.alpha_m;
  const Eigen::Vector3cd roots = Eigen::EigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(left.inverse() * right)).eigenvalues();
  std::complex<double> best = 0;
  for (int i = 0; i < 3; ++i) {
    if (roots[i].imag() > 1e-9 && std::abs(roots[i]) > std::abs(best)) best = roots[i];
  }
  return best;
}

constexpr double kOmega = 2 * 3.14159265358979312;  // [rad/s]
std::string oscillator(double damping = 0) {
  return fmt::format(
      "bristle: 1\nbodies: {{m: {{type: mass, mass: 2 kg, position: 0.1 m, velocity: 0.3 m/s}}}}\n"
      "forces: {{s: {{type: spring, on: m, stiffness: {:.17g} N/m, damping: {} N s/m}}}}\n"
      "analysis: {{type: transient, end: 1e6 s, integrator: {{type: rk4, step: 1 s}}}}\n",
      2 * kOmega * kOmega, damping);
}
std::string with(const Scheme& s, double h) {
  return fmt::format("analysis.integrator={{{}, step: {:.17g}, newton_tolerance: 1e-14}}", s.text, h);
}

TEST(NumericalDamping, of_a_linear_oscillator_follows_the_spectral_radius_and_leaves_no_residual) {
  for (const Scheme& s : kDamping) {
    for (double Omega : {0.1, 0.5, 2.0}) {
      const std::complex<double> root = principal_root(s, Omega);
      // as many steps as bring the phase back to a multiple of half a turn: energy and modified energy then differ by one factor
      int period = 0;
      double off = 1;
      for (int k = 20; k < 2000; ++k) {
        const double d = std::abs(std::sin(k * std::arg(root)));
        if (d < off) off = d, period = k;
      }
      Trial trial(oscillator(), {with(s, Omega / kOmega)});
      auto& run = trial.start();
      const double start = run.ledger().energy().total();
      double residual = 0;
      const auto after = [&](int steps) {
        for (int k = 0; k < steps; ++k) {
          EXPECT_TRUE(run.advance(1e6)) << run.message();
          residual = std::max(residual, std::abs(run.ledger().residual()));
        }
        return start - run.ledger().numerical();
      };
      const double early = after(15), late = after(period);
      const std::string what = fmt::format("{}, Omega {}: {} steps", s.text, Omega, period);
      EXPECT_NEAR(late / early, std::pow(std::abs(root), 2 * period), 1e-3 * (1 - std::pow(std::abs(root), 2 * period))) << what;
      EXPECT_LT(residual, 1e-12 * start) << what;
      EXPECT_GT(run.ledger().numerical(), 0) << what;
    }
  }
}

TEST(NumericalDamping, is_none_where_the_scheme_has_none) {
  for (const Scheme& s : {chung_hulbert(1), hilber(0), newmark(0.25, 0.5)}) {
    for (const std::string& model : {oscillator(), oscillator(0.4), kSpatialPendulum, kSpatialTop}) {
      Trial trial(model, {with(s, 0.01)});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(2)) << s.text << ": " << run.message();
      EXPECT_LT(std::abs(run.ledger().numerical()), 1e-10 * run.ledger().scale()) << s.text << "\n" << model;
    }
  }
}

/// Forces that are not linear, dampers and joints leave a residual of the order of the method.
TEST(NumericalDamping, leaves_a_residual_of_second_order_elsewhere) {
  for (const Scheme& s : kDamping) {
    for (const std::string& model : {oscillator(0.4), kSpatialPendulum, kSpatialTop}) {
      const auto residual = [&](double h) {
        Trial trial(model, {with(s, h)});
        auto& run = trial.start();
        double worst = 0;
        while (run.state().t < 2) {
          if (!run.advance(2)) {
            ADD_FAILURE() << s.text << ": " << run.message();
            break;
          }
          worst = std::max(worst, std::abs(run.ledger().residual()));
        }
        return worst / run.ledger().scale();
      };
      const double coarse = residual(5e-3), fine = residual(2.5e-3);
      EXPECT_GT(std::log2(coarse / fine), 1.8) << s.text << ": " << coarse << ", " << fine << "\n" << model;
    }
  }
}

}  // namespace
}  // namespace bristle
