// The two-node beam element against formulas it does not use: the logarithm of screw motions, differences, equilibrium.
#include "bristle/body/beam_element.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "bristle/math/rotation.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;

Vec3<> random_vector(Dice& dice, double size) {
  return {{dice.between(-size, size), dice.between(-size, size), dice.between(-size, size)}};
}
Mat3<> rotation(const Vec3<>& r, Chart chart = Chart::exponential) { return matrix_of(rotation_of({r[0], r[1], r[2]}, chart)); }

/// A curved element with ends off the centres of mass and a full section matrix.
BeamElement random_element(Dice& dice, bool offsets = true) {
  BeamElement el;
  el.length = dice.between(0.5, 2);
  for (int I = 0; I < 2; ++I) {
    el.end[I].body = I;
    el.end[I].v = 6 * I;
    if (offsets) el.end[I].s = random_vector(dice, 0.3);
    el.end[I].E = rotation(random_vector(dice, 1));
  }
  Eigen::Matrix<double, 6, 6> A;
  for (int i = 0; i < 36; ++i) A(i) = dice.between(-1, 1);
  A = (A * A.transpose()).eval();
  for (int i = 0; i < 36; ++i) el.C[static_cast<std::size_t>(i)] = A(i);
  for (double& x : el.at_rest) x = dice.between(-0.3, 0.3);
  return el;
}

struct Nodes {
  Pose pose[2];
};
Nodes random_nodes(Dice& dice, const BeamElement& el, double turn) {
  Nodes n;
  const Mat3<> base = rotation(random_vector(dice, 2));
  for (int I = 0; I < 2; ++I) {
    // section axes that differ by a turn; transposing E takes them to node axes
    Mat3<> Et;
    for (int i = 0; i < 3; ++i) Et.set_column(i, Vec3<>{{el.end[I].E(i, 0), el.end[I].E(i, 1), el.end[I].E(i, 2)}});
    n.pose[I].R = base * rotation(random_vector(dice, turn)) * Et;
    n.pose[I].p = random_vector(dice, 0.2) - n.pose[I].R * el.end[I].s;
  }
  n.pose[1].p = n.pose[1].p + el.length * base.column(0);
  return n;
}
/// Moved by a displacement and a Cayley vector in body axes.
Nodes moved(const Nodes& n, const double* by) {
  Nodes m = n;
  for (int I = 0; I < 2; ++I) {
    m.pose[I].p = n.pose[I].p + Vec3<>{{by[6 * I], by[6 * I + 1], by[6 * I + 2]}};
    m.pose[I].R = n.pose[I].R * rotation({{by[6 * I + 3], by[6 * I + 4], by[6 * I + 5]}}, Chart::cayley);
  }
  return m;
}
BeamForm form_of(const BeamElement& el, const Nodes& n) { return calc_beam_form(el, n.pose[0], n.pose[1]); }
Mat3<> mean(const Mat3<>& a, const Mat3<>& b) {
  Mat3<> c;
  for (std::size_t i = 0; i < 9; ++i) c.m[i] = 0.5 * (a.m[i] + b.m[i]);
  return c;
}

TEST(BeamElement, functions_of_the_cosine_agree_with_their_closed_forms) {
  const auto phi = [](long double c) { return std::acos(c) / std::sqrt(1 - c * c); };
  const auto chi = [&](long double c) { return (1 - phi(c)) / (1 - c * c); };
  for (double c0 : {0.97, 0.8, 0.76, 0.74, 0.3, -0.2, -0.8}) {
    for (double step : {-0.5, -0.05, -0.019, 0.01, 0.021, 0.1, 0.6}) {
      const double c1 = c0 + step;
      if (c1 > 0.98 || c1 < -0.86) continue;
      const HelixFunctions h = calc_helix_functions(c0, c1);
      EXPECT_NEAR(h.phi[0], static_cast<double>(phi(c0)), 4e-15) << c0;
      EXPECT_NEAR(h.phi[1], static_cast<double>(phi(c1)), 4e-15 * h.phi[1]) << c1;
      EXPECT_NEAR(h.chi[1], static_cast<double>(chi(c1)), 1e-14 * std::abs(h.chi[1])) << c1;
      const long double dc = static_cast<long double>(c1) - c0;
      const double p = static_cast<double>((phi(c1) - phi(c0)) / dc), x = static_cast<double>((chi(c1) - chi(c0)) / dc);
      EXPECT_NEAR(h.phi_step, p, 2e-13 * std::abs(p)) << c0 << " " << c1;
      EXPECT_NEAR(h.chi_step, x, 2e-13 * std::abs(x)) << c0 << " " << c1;
      const double e = 1e-5;
      const HelixFunctions a = calc_helix_functions(c0, c1 - e), b = calc_helix_functions(c0, c1 + e);
      EXPECT_NEAR(h.phi_slope, (b.phi[1] - a.phi[1]) / (2 * e), 1e-7 * (1 + std::abs(h.phi_slope)));
      EXPECT_NEAR(h.chi_slope, (b.chi[1] - a.chi[1]) / (2 * e), 1e-7 * (1 + std::abs(h.chi_slope)));
      EXPECT_NEAR(h.phi_bend, (b.phi_step - a.phi_step) / (2 * e), 1e-7 * (1 + std::abs(h.phi_bend)));
      EXPECT_NEAR(h.chi_bend, (b.chi_step - a.chi_step) / (2 * e), 1e-7 * (1 + std::abs(h.chi_bend)));
    }
  }
  // straight: angle / sin(angle) = 1 + w / 3 + 2 w^2 / 15
  const HelixFunctions h = calc_helix_functions(1, 1);
  EXPECT_DOUBLE_EQ(h.phi[1], 1);
  EXPECT_DOUBLE_EQ(h.phi_step, -1.0 / 3);
  EXPECT_DOUBLE_EQ(2 * h.phi_bend, 4.0 / 15);
  EXPECT_DOUBLE_EQ(h.chi[1], -1.0 / 6);
}

TEST(BeamElement, strains_are_the_logarithm_of_the_screw_motion_between_its_sections) {
  Dice dice(1);
  for (int trial = 0; trial < 200; ++trial) {
    const BeamElement el = random_element(dice);
    const Nodes n = random_nodes(dice, el, trial % 2 == 0 ? 0.6 : 0.02);
    const BeamForm f = form_of(el, n);
    // rotation vector by the quaternion; displacement by the inverse of the left Jacobian of the rotation
    const Vector3 turn = increment_of(quaternion_of(transposed(f.D[0], f.D[1])), Chart::exponential);
    const Vec3<> phi{{turn[0], turn[1], turn[2]}}, arm = transposed(f.D[0], f.d);
    const double square = dot(phi, phi), half = 0.5 * std::sqrt(square);
    const double eta = square < 0.01 ? 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square / 1209600))
                                     : (1 - half / std::tan(half)) / square;
    const Vec3<> along = arm - 0.5 * cross(phi, arm) + eta * cross(phi, cross(phi, arm));
    const Vec6 e = calc_beam_strain(el, f);
    for (int i = 0; i < 3; ++i) {
      const auto u = static_cast<std::size_t>(i);
      EXPECT_NEAR(e[u], along[i] / el.length - el.at_rest[u], 2e-14);
      EXPECT_NEAR(e[3 + u], phi[i] / el.length - el.at_rest[3 + u], 2e-14);
    }
  }
}

TEST(BeamElement, finite_increments_of_the_strains_are_exact) {
  Dice dice(2);
  for (double size : {1e-6, 1e-3, 0.05, 0.5, 1.5}) {
    double worst = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const BeamElement el = random_element(dice);
      const Nodes a = random_nodes(dice, el, 0.4);
      double by[12];
      for (double& x : by) x = dice.between(-size, size);
      const Nodes b = moved(a, by);
      const BeamForm fa = form_of(el, a), fb = form_of(el, b);
      if (fb.c < -0.86) continue;
      const BeamStep step(el, fa, fb);
      Vec3<> x[2], r[2];
      for (int I = 0; I < 2; ++I) {
        x[I] = {{by[6 * I], by[6 * I + 1], by[6 * I + 2]}};
        r[I] = a.pose[I].R * Vec3<>{{by[6 * I + 3], by[6 * I + 4], by[6 * I + 5]}};
      }
      const Vec6 change = step.increment(x[0], r[0], x[1], r[1]), ea = step.strain(0), eb = step.strain(1);
      BeamRows B;
      step.rows(mean(a.pose[0].R, b.pose[0].R), mean(a.pose[1].R, b.pose[1].R), B);
      for (std::size_t i = 0; i < 6; ++i) {
        worst = std::max(worst, std::abs(change[i] - (eb[i] - ea[i])));
        double row = 0;
        for (std::size_t j = 0; j < 12; ++j) row += B[12 * i + j] * by[j];
        worst = std::max(worst, std::abs(row - change[i]));
      }
    }
    EXPECT_LT(worst, 3e-14) << "increments of " << size;  // strains of order one: round-off
  }
}

TEST(BeamElement, forces_are_in_equilibrium_and_do_the_work_of_their_stress) {
  Dice dice(3);
  for (int trial = 0; trial < 100; ++trial) {
    const BeamElement el = random_element(dice);
    const Nodes a = random_nodes(dice, el, 0.4);
    double by[12], f[12];
    for (double& x : by) x = dice.between(-0.4, 0.4);
    const Nodes b = moved(a, by);
    const BeamForm fa = form_of(el, a), fb = form_of(el, b);
    const BeamStep step(el, fa, fb);
    Vec6 N;
    for (double& x : N) x = dice.between(-1, 1);
    const Mat3<> R[2] = {mean(a.pose[0].R, b.pose[0].R), mean(a.pose[1].R, b.pose[1].R)};
    step.resist(N, R[0], R[1], f);
    double work = 0;
    for (int i = 0; i < 12; ++i) work += f[i] * by[i];
    const Vec6 ea = step.strain(0), eb = step.strain(1);
    EXPECT_NEAR(work, el.length * (product(N, eb) - product(N, ea)), 1e-13);
    Vec3<> force, moment;
    for (int I = 0; I < 2; ++I) {
      const Vec3<> F{{f[6 * I], f[6 * I + 1], f[6 * I + 2]}}, body{{f[6 * I + 3], f[6 * I + 4], f[6 * I + 5]}};
      Eigen::Matrix3d Rt;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) Rt(i, j) = R[I](j, i);
      }
      const Eigen::Vector3d M = Rt.inverse() * Eigen::Vector3d(body[0], body[1], body[2]);
      force = force + F;
      moment = moment + cross(0.5 * (a.pose[I].p + b.pose[I].p), F) + Vec3<>{{M[0], M[1], M[2]}};
    }
    EXPECT_LT(norm(force), 1e-14);
    EXPECT_LT(norm(moment), 3e-13);
  }
}

/// Resisting force of a stress that is C times the strain at the end of a step, and of some constant stress.
void end_force(const BeamElement& el, const Nodes& a, const Nodes& b, double by_strain, const Vec6& constant, double* f) {
  const BeamForm fa = form_of(el, a), fb = form_of(el, b);
  const BeamStep step(el, fa, fb);
  Vec6 N = times(el.C, step.strain(1));
  for (std::size_t i = 0; i < 6; ++i) N[i] = by_strain * N[i] + constant[i];
  step.resist(N, mean(a.pose[0].R, b.pose[0].R), mean(a.pose[1].R, b.pose[1].R), f);
}

TEST(BeamElement, tangent_of_a_step_agrees_with_differences) {
  Dice dice(4);
  for (int trial = 0; trial < 60; ++trial) {
    const BeamElement el = random_element(dice, trial % 2 == 0);
    const Nodes a = random_nodes(dice, el, trial % 3 == 0 ? 0.05 : 0.6);
    double by[12];
    const double size = trial % 5 == 0 ? 1e-7 : 0.4;
    for (double& x : by) x = dice.between(-size, size);
    const Nodes b = moved(a, by);
    Vec6 constant;
    for (double& x : constant) x = dice.between(-2, 2);
    const double by_strain = 0.6;
    const BeamForm fa = form_of(el, a), fb = form_of(el, b);
    if (fb.c < -0.8) continue;
    const BeamStep step(el, fa, fb);
    Vec6 N = times(el.C, step.strain(1));
    for (std::size_t i = 0; i < 6; ++i) N[i] = by_strain * N[i] + constant[i];
    Mat3<> R[2], R_end[2], turn[2];
    for (int I = 0; I < 2; ++I) {
      R[I] = mean(a.pose[I].R, b.pose[I].R);
      R_end[I] = b.pose[I].R;
      const Vec3<> rho{{by[6 * I + 3], by[6 * I + 4], by[6 * I + 5]}};
      Mat3<> T = Mat3<>::identity();
      for (int j = 0; j < 3; ++j) {
        Vec3<> unit;
        unit[j] = 1;
        T.set_column(j, (1 / (1 + 0.25 * dot(rho, rho))) * (unit + 0.5 * cross(rho, unit)));
      }
      turn[I] = a.pose[I].R * T;
    }
    BeamBlock K;
    step.tangent(N, by_strain, R, R_end, turn, 1, K);
    double largest = 0;
    for (double x : K) largest = std::max(largest, std::abs(x));
    for (int c = 0; c < 12; ++c) {
      // Richardson: differences of fourth order
      double f[4][12];
      const double h = 2e-4;
      for (int s = 0; s < 4; ++s) {
        double at[12];
        std::copy_n(by, 12, at);
        at[c] += h * (s == 0 ? -2 : s == 1 ? -1 : s == 2 ? 1 : 2);
        end_force(el, a, moved(a, at), by_strain, constant, f[s]);
      }
      for (int r = 0; r < 12; ++r) {
        const double slope = (8 * (f[2][r] - f[1][r]) - (f[3][r] - f[0][r])) / (12 * h);
        EXPECT_NEAR(K[static_cast<std::size_t>(12 * r + c)], slope, 1e-9 * largest) << trial << ": " << r << ", " << c;
      }
    }
  }
}

/// Resisting force at one configuration with damping.
void damped_force(const BeamElement& el, const Nodes& n, const double* v, double* f, Vec6* rate_out = nullptr) {
  const BeamForm form = form_of(el, n);
  const BeamStep step(el, form, form);
  const auto part = [&](int at) { return Vec3<>{{v[at], v[at + 1], v[at + 2]}}; };
  const Vec6 rate = step.increment(part(0), n.pose[0].R * part(3), part(6), n.pose[1].R * part(9));
  Vec6 e = step.strain(1);
  for (std::size_t i = 0; i < 6; ++i) e[i] += el.damping * rate[i];
  step.resist(times(el.C, e), n.pose[0].R, n.pose[1].R, f);
  if (rate_out != nullptr) *rate_out = rate;
}

TEST(BeamElement, tangent_at_one_configuration_agrees_with_differences) {
  Dice dice(5);
  for (int trial = 0; trial < 60; ++trial) {
    BeamElement el = random_element(dice, trial % 2 == 0);
    el.damping = 0;
    const Nodes n = random_nodes(dice, el, trial % 3 == 0 ? 0.05 : 0.6);
    const BeamForm form = form_of(el, n);
    const BeamStep step(el, form, form);
    double v[12];
    for (double& x : v) x = dice.between(-1, 1);
    const Mat3<> R[2] = {n.pose[0].R, n.pose[1].R};
    BeamBlock K;
    step.tangent(times(el.C, step.strain(1)), 0.5, R, R, R, 2, K);
    BeamRows slope;
    const auto part = [&](int at) { return Vec3<>{{v[at], v[at + 1], v[at + 2]}}; };
    step.rate_slope(part(0), R[0] * part(3), part(6), R[1] * part(9), R[0], R[1], slope);
    double largest = 0;
    for (double x : K) largest = std::max(largest, std::abs(x));
    for (int c = 0; c < 12; ++c) {
      double f[4][12];
      Vec6 rate[4];
      const double h = 2e-4;
      for (int s = 0; s < 4; ++s) {
        double at[12] = {};
        at[c] = h * (s == 0 ? -2 : s == 1 ? -1 : s == 2 ? 1 : 2);
        damped_force(el, moved(n, at), v, f[s], &rate[s]);
      }
      for (int r = 0; r < 12; ++r) {
        const double want = (8 * (f[2][r] - f[1][r]) - (f[3][r] - f[0][r])) / (12 * h);
        EXPECT_NEAR(K[static_cast<std::size_t>(12 * r + c)], want, 1e-9 * largest) << trial << ": " << r << ", " << c;
      }
      for (std::size_t r = 0; r < 6; ++r) {
        const double want = (8 * (rate[2][r] - rate[1][r]) - (rate[3][r] - rate[0][r])) / (12 * h);
        EXPECT_NEAR(slope[12 * r + static_cast<std::size_t>(c)], want, 1e-9) << trial << ": " << r << ", " << c;
      }
    }
  }
}

TEST(BeamElement, strains_do_not_see_a_motion_of_the_whole) {
  Dice dice(6);
  for (int trial = 0; trial < 50; ++trial) {
    const BeamElement el = random_element(dice);
    const Nodes n = random_nodes(dice, el, 0.5);
    const Mat3<> Q = rotation(random_vector(dice, 3));
    const Vec3<> shift = random_vector(dice, 2);
    Nodes m = n;
    for (Pose& p : m.pose) p.R = Q * p.R, p.p = Q * p.p + shift;
    const Vec6 a = calc_beam_strain(el, form_of(el, n)), b = calc_beam_strain(el, form_of(el, m));
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(a[i], b[i], 2e-14);
    double fa[12], fb[12];
    const double rest[12] = {};
    damped_force(el, n, rest, fa);
    damped_force(el, m, rest, fb);
    for (int I = 0; I < 2; ++I) {
      const Vec3<> turned = Q * Vec3<>{{fa[6 * I], fa[6 * I + 1], fa[6 * I + 2]}};
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(turned[i], fb[6 * I + i], 1e-13);
        EXPECT_NEAR(fa[6 * I + 3 + i], fb[6 * I + 3 + i], 1e-13);  // moments in body axes stay
      }
    }
  }
}

}  // namespace
}  // namespace bristle
