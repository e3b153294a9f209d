// Each closed form against its differential equation, integrated to round-off.
#include "support/closed_forms.h"

#include <gtest/gtest.h>

#include <numbers>
#include <vector>

#include "support/reference_mechanisms.h"

namespace bristle::test {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(KnownElliptic, functions_have_known_values) {
  // tables of Abramowitz and Stegun, 17.1 and 16.: K(m = 1/2), and sn, cn, dn at K/2
  const double k = std::sqrt(0.5), K = 1.8540746773013719;
  EXPECT_NEAR(complete_k(k), K, 4e-16 * 4);
  const Jacobi half = jacobi(0.5 * K, k);
  const double q = std::sqrt(0.5);  // complementary modulus
  EXPECT_NEAR(half.sn, 1 / std::sqrt(1 + q), 1e-15);
  EXPECT_NEAR(half.cn, std::sqrt(q / (1 + q)), 1e-15);
  EXPECT_NEAR(half.dn, std::sqrt(q), 1e-15);
  EXPECT_NEAR(incomplete_f(half.am, k), 0.5 * K, 1e-15);
  // the period, and the amplitude that goes on
  EXPECT_NEAR(jacobi(0.3 + 8 * K, k).sn, jacobi(0.3, k).sn, 1e-14);
  EXPECT_NEAR(jacobi(0.3 + 8 * K, k).am, jacobi(0.3, k).am + 4 * kPi, 1e-14);
  EXPECT_NEAR(jacobi(0.3 + 2 * K, k).cn, -jacobi(0.3, k).cn, 1e-14);
  // degenerate moduli
  EXPECT_NEAR(jacobi(0.7, 0).sn, std::sin(0.7), 1e-16);
  EXPECT_NEAR(jacobi(0.7, 1).dn, 1 / std::cosh(0.7), 1e-16);
  EXPECT_NEAR(jacobi(2.5, 1 - 1e-12).sn, std::tanh(2.5), 1e-10);
}

TEST(KnownElliptic, functions_obey_their_equation) {
  for (const double k : {0.1, 0.7, 0.99, 0.99999}) {
    std::vector<double> y = {0, 1, 1};
    double t = 0;
    for (const double to : {0.5, 1.7, 6.0, 20.0}) {
      integrate_tightly(
          [&](double, const double* x, double* d) { d[0] = x[1] * x[2], d[1] = -x[0] * x[2], d[2] = -k * k * x[0] * x[1]; }, t,
          to, y, 1e-15);
      t = to;
      const Jacobi j = jacobi(t, k);
      // the equation itself multiplies errors near the saddle k = 1
      const double tolerance = k > 0.9999 ? 1e-9 : 1e-12;
      EXPECT_NEAR(j.sn, y[0], tolerance) << k << ' ' << t;
      EXPECT_NEAR(j.cn, y[1], tolerance) << k << ' ' << t;
      EXPECT_NEAR(j.dn, y[2], tolerance) << k << ' ' << t;
      EXPECT_NEAR(incomplete_f(j.am, k), t, 1e-12 * t / (1 - k)) << k << ' ' << t;
    }
  }
}

TEST(KnownPendulum, swings_and_turns_as_its_equation_says) {
  const double w = std::sqrt(9.81);
  const std::vector<std::array<double, 2>> starts = {
      {0.1, 0},   {1.5707963267948966, 0}, {3.0, 0}, {-2.0, 0}, {0.4, 3.0}, {-1, -2.5}, {0, 6.3}, {1.0, 8.0}, {-2.5, -9.0},
      {3.0, 20.0}};
  for (const auto& [angle, rate] : starts) {
    const Pendulum p(w, angle, rate);
    std::vector<double> y = {angle, rate};
    EXPECT_NEAR(p.angle(0), angle, 1e-13);
    EXPECT_NEAR(p.rate(0), rate, 1e-12);
    double t = 0;
    for (const double to : {0.3, 1.0, 4.0, 10.0}) {
      integrate_tightly([&](double, const double* x, double* d) { d[0] = x[1], d[1] = -w * w * std::sin(x[0]); }, t, to, y,
                        1e-15);
      t = to;
      EXPECT_NEAR(p.angle(t), y[0], 1e-10) << angle << ' ' << rate << ' ' << t;
      EXPECT_NEAR(p.rate(t), y[1], 1e-10) << angle << ' ' << rate << ' ' << t;
    }
    const double turn = p.rotates() ? (rate > 0 ? 2 : -2) * kPi : 0;
    EXPECT_NEAR(p.angle(p.period()), angle + turn, 1e-12);
  }
  // small swings
  EXPECT_NEAR(Pendulum::released(w, 1e-4).period(), 2 * kPi / w, 1e-8);
  // nearly from the top: K = log(4 / k') with the complement k' = cos(amplitude / 2), up to k'^2
  EXPECT_NEAR(Pendulum::released(w, kPi - 1e-6).period(), 4 / w * std::log(4 / 0.5e-6), 1e-9);
  // ninety degrees: 4 K(sqrt(1/2)) / w
  EXPECT_NEAR(Pendulum::released(w, 0.5 * kPi).period(), 4 * 1.8540746773013719 / w, 1e-14);
}

/// Euler's equations and the attitude together.
std::vector<double> free_body(const Triple& J, std::vector<double> y, double from, double to) {
  integrate_tightly(
      [&](double, const double* x, double* d) {
        d[0] = (J[1] - J[2]) * x[1] * x[2] / J[0], d[1] = (J[2] - J[0]) * x[2] * x[0] / J[1],
        d[2] = (J[0] - J[1]) * x[0] * x[1] / J[2];
        // R' = R skew(w), row by row
        for (int r = 0; r < 3; ++r) {
          const double *a = x + 3 + 3 * r, *w = x;
          double* b = d + 3 + 3 * r;
          b[0] = a[1] * w[2] - a[2] * w[1], b[1] = a[2] * w[0] - a[0] * w[2], b[2] = a[0] * w[1] - a[1] * w[0];
        }
      },
      from, to, y, 1e-15);
  return y;
}

TEST(KnownFreeBody, turns_as_its_equations_say) {
  struct Case {
    Triple inertia, spin;
    double tolerance;
  };
  // every order of the axes, both sides of the separatrix, both senses
  std::vector<Case> cases;
  for (const Triple& J :
       {Triple{1, 2, 3}, Triple{1, 3, 2}, Triple{2, 1, 3}, Triple{2, 3, 1}, Triple{3, 1, 2}, Triple{3, 2, 1.5}}) {
    for (const Triple& w :
         {Triple{2, 0.5, 0.3}, Triple{0.2, 0.4, -3}, Triple{-0.3, 2.5, 0.1}, Triple{1, -1, 1}, Triple{-1.2, 0.7, -0.9}})
      cases.push_back({J, w, 1e-10});
  }
  cases.push_back({{1, 2, 3}, {0, 0, 2}, 1e-10});  // about a principal axis
  // nearly about the middle one, and the wing nut: each unstable turn multiplies the round-off of the integration
  cases.push_back({{1, 2, 3}, {1e-3, 2, 1e-3}, 1e-8});
  cases.push_back({{0.4, 1.0, 1.2}, {0.01, 10, 0}, 1e-8});
  const Matrix33 tilted = {{{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}};
  for (const auto& [J, w, tolerance] : cases) {
    const FreeBody body(J, w, tilted);
    std::vector<double> y(w.begin(), w.end());
    for (const Triple& row : tilted) y.insert(y.end(), row.begin(), row.end());
    double t = 0;
    for (const double to : {0.0, 0.7, 3.0, 9.0}) {
      if (to > 0) y = free_body(J, y, t, to);
      t = to;
      const Triple s = body.spin(t);
      const Matrix33 R = body.attitude(t);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(s[i], y[i], tolerance) << "t = " << t << " J = " << J[0] << J[1] << J[2] << " w = " << w[0] << ' ' << w[1]
                                           << ' ' << w[2];
        for (std::size_t j = 0; j < 3; ++j)
          EXPECT_NEAR(R[i][j], y[3 + 3 * i + j], tolerance)
              << "t = " << t << " J = " << J[0] << J[1] << J[2] << " w = " << w[0] << ' ' << w[1] << ' ' << w[2];
      }
    }
  }
}

TEST(KnownFreeBody, follows_the_separatrix) {
  // L^2 = 2 T J2: the body leaves one unstable turn and ends in the opposite one
  const Triple J = {1, 2, 3};
  const double c = 1.3;  // J1 (J2 - J1) w1^2 = J3 (J3 - J2) w3^2
  const Triple w = {c * std::sqrt(3.0), 0, c};
  const FreeBody body(J, w);
  std::vector<double> y = {w[0], w[1], w[2], 1, 0, 0, 0, 1, 0, 0, 0, 1};
  double t = 0;
  for (const double to : {0.5, 1.5, 3.0}) {
    y = free_body(J, y, t, to);
    t = to;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(body.spin(t)[i], y[i], 1e-10) << t;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(body.attitude(t)[i][j], y[3 + 3 * i + j], 1e-10) << t;
    }
  }
}

TEST(KnownHeavyTop, nutates_precesses_and_spins_as_its_equations_say) {
  const HeavyTop::Data data = {0.05, 0.01, 1.3};
  const std::vector<HeavyTop::Start> starts = {{0.6, 0, 0, 60},      {0.6, 0, 2.0, 60},    {0.6, 0.7, -1.5, 60, 0.2, 0.3},
                                               {1.2, -2.0, 3.0, 40}, {2.0, 0.5, 0.4, -30}, {1.0, 0, 14.0, 25},
                                               {2.5, 1.0, 1.0, 5},   {0.3, 0.2, 1.0, 90}};
  for (const auto& s : starts) {
    const HeavyTop top(data, s);
    const double A = data.inertia_across, C = data.inertia_along;
    std::vector<double> y = {s.theta, s.theta_rate, s.phi, s.phi_rate, s.psi};
    double t = 0;
    for (const double to : {0.0, 0.1, 0.5, 1.3, 3.0}) {
      if (to > t) {
        integrate_tightly(
            [&](double, const double* x, double* d) {
              const double sn = std::sin(x[0]), cs = std::cos(x[0]);
              d[0] = x[1];
              d[1] = x[3] * x[3] * sn * cs - C / A * s.spin * x[3] * sn + data.weight_moment / A * sn;
              d[2] = x[3];
              d[3] = x[1] * (C / A * s.spin - 2 * x[3] * cs) / sn;
              d[4] = s.spin - x[3] * cs;
            },
            t, to, y, 1e-15);
      }
      t = to;
      EXPECT_NEAR(top.theta(t), y[0], 1e-10) << s.theta << ' ' << t;
      EXPECT_NEAR(top.theta_rate(t), y[1], 1e-9) << s.theta << ' ' << t;
      EXPECT_NEAR(top.phi(t), y[2], 1e-10) << s.theta << ' ' << t;
      EXPECT_NEAR(top.phi_rate(t), y[3], 1e-9) << s.theta << ' ' << t;
      EXPECT_NEAR(top.psi(t), y[4], 2e-10) << s.theta << ' ' << t;
      EXPECT_LE(y[0], top.lowest() + 1e-9);
      EXPECT_GE(y[0], top.highest() - 1e-9);
    }
  }
}

TEST(KnownHeavyTop, keeps_its_angle_at_the_steady_rates) {
  const HeavyTop::Data data = {0.05, 0.01, 1.3};
  for (const double theta : {0.5, 1.2, 2.0}) {
    for (const double rate : HeavyTop::steady_precession(data, theta, 60)) {
      const HeavyTop top(data, {theta, 0, rate, 60});
      // a double root of the cubic: half of the digits remain in the angle
      for (const double t : {0.1, 0.7, 2.0}) EXPECT_NEAR(top.theta(t), theta, 1e-7);
      EXPECT_NEAR(top.phi(2.0), 2 * rate, 1e-5 * std::abs(rate));
    }
  }
  EXPECT_TRUE(std::isnan(HeavyTop::steady_precession(data, 0.5, 10)[0]));
}

TEST(KnownSlopeSlider, stops_sticks_or_comes_back) {
  const double slope = 0.3;
  // holds: tan(0.3) = 0.309
  SlopeSlider s{slope, 0.35, 0.25, 9.81, 2};
  const double brake = 9.81 * (std::sin(slope) + 0.25 * std::cos(slope));
  EXPECT_DOUBLE_EQ(s.stop_time(), 2 / brake);
  EXPECT_DOUBLE_EQ(s.stop_place(), 2 / brake);  // v^2 / (2 a) with v = 2
  EXPECT_EQ(s.at(5).mode, SlopeSlider::Mode::sticks);
  EXPECT_EQ(s.at(5).place, s.stop_place());
  // comes back with the energy that friction left: v^2 = 2 a_down * place
  s.mu_static = 0.27;
  EXPECT_FALSE(s.holds());
  const double down = 9.81 * (std::sin(slope) - 0.25 * std::cos(slope)),
               back = s.stop_time() + std::sqrt(2 * s.stop_place() / down);
  EXPECT_NEAR(s.at(back).place, 0, 1e-15);
  EXPECT_NEAR(s.at(back).speed, -std::sqrt(2 * down * s.stop_place()), 1e-14);
  // the same by integration, piece by piece
  std::vector<double> y = {0, 2};
  integrate_tightly([&](double, const double* x, double* d) { d[0] = x[1], d[1] = -brake; }, 0, s.stop_time(), y);
  EXPECT_NEAR(y[0], s.stop_place(), 1e-14);
  EXPECT_NEAR(y[1], 0, 1e-14);
  integrate_tightly([&](double, const double* x, double* d) { d[0] = x[1], d[1] = -down; }, s.stop_time(), 1.5, y);
  EXPECT_NEAR(s.at(1.5).place, y[0], 1e-13);
  EXPECT_NEAR(s.at(1.5).speed, y[1], 1e-13);
  // downwards: brakes where friction is larger than the slope, else never stops
  EXPECT_TRUE(std::isinf(SlopeSlider({slope, 0.4, 0.2, 9.81, -1}).stop_time()));
  EXPECT_NEAR(SlopeSlider({slope, 0.4, 0.35, 9.81, -1}).stop_place(), -0.5 / (9.81 * (0.35 * std::cos(slope) - std::sin(slope))),
              1e-14);
  // the slope to the other side
  EXPECT_NEAR(SlopeSlider({-slope, 0.27, 0.25, 9.81, 0}).at(1).place, 0.5 * down, 1e-14);
}

TEST(KnownRoller, keeps_its_energy) {
  const Roller disc{0.5, 2, 0.3};
  const double slope = 0.2, t = 1.7, v = disc.acceleration_down(slope) * t, path = 0.5 * v * t;
  EXPECT_NEAR(disc.kinetic(v), 2 * 9.81 * path * std::sin(slope), 1e-12);
  EXPECT_NEAR(disc.translation_share(), 2.0 / 3, 1e-15);
  EXPECT_NEAR(disc.friction_needed(slope), std::tan(slope) / 3, 1e-15);
  // thrown: friction force times slip is what is lost
  const double mu = 0.15, v0 = 3;
  EXPECT_NEAR(mu * 2 * 9.81 * disc.slip_distance(v0, mu), disc.slip_loss(v0), 1e-12);
  EXPECT_NEAR(disc.rolling_speed(v0), v0 - mu * 9.81 * disc.slip_time(v0, mu), 1e-14);
  EXPECT_NEAR(disc.kinetic(disc.rolling_speed(v0)) + disc.slip_loss(v0), 0.5 * 2 * v0 * v0, 1e-13);
  // a wobbling coin: W^2 = 4 g / (r sin(tilt))
  EXPECT_NEAR(disc.wobble_rate(0.1), std::sqrt(4 * 9.81 / (0.3 * std::sin(0.1))), 1e-12);
}

TEST(KnownPublished, four_bar_of_two_windows_ends_where_others_found_it) {
  const FourBarProblem two{2};
  const auto p = two.b0(10), v = two.b0_velocity(10);
  // the published run has converged to about its step squared: 1e-6
  EXPECT_NEAR(p[0], FourBarPublished::x, 1e-6);
  EXPECT_NEAR(p[1], FourBarPublished::y, 1e-6);
  EXPECT_NEAR(v[0], FourBarPublished::vx, 2e-6);
  EXPECT_NEAR(v[1], FourBarPublished::vy, 2e-6);
  EXPECT_NEAR(two.energy(), 3.5 * 9.81 + 1.5, 1e-14);
  EXPECT_NEAR(two.b0_velocity(0)[0], 1, 1e-14);
  EXPECT_NEAR(two.b0(0)[1], 1, 1e-14);
}

TEST(KnownPublished, four_bar_obeys_its_equation) {
  for (const int n : {1, 2, 40}) {
    const FourBarProblem problem{n};
    const double w2 = 9.81 * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n);
    std::vector<double> y = {0, 1};  // from the upward vertical, towards +x
    integrate_tightly([&](double, const double* x, double* d) { d[0] = x[1], d[1] = w2 * std::sin(x[0]); }, 0, 20, y, 1e-15);
    EXPECT_NEAR(problem.b0(20)[0], std::sin(y[0]), 1e-10);
    EXPECT_NEAR(problem.b0(20)[1], std::cos(y[0]), 1e-10);
  }
}

TEST(KnownPublished, simple_pendulum_obeys_its_equation) {
  std::vector<double> y = {-0.5 * kPi, 0};
  integrate_tightly([&](double, const double* x, double* d) { d[0] = x[1], d[1] = -9.81 * std::sin(x[0]); }, 0, 10, y, 1e-15);
  EXPECT_NEAR(SimplePendulumProblem::position(10)[0], std::sin(y[0]), 1e-11);
  EXPECT_NEAR(SimplePendulumProblem::position(10)[1], -std::cos(y[0]), 1e-11);
  EXPECT_EQ(SimplePendulumProblem::position(0)[0], -1);
}

}  // namespace
}  // namespace bristle::test
