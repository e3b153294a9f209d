// The mechanisms in minimal coordinates: against printed values, against each other, against energy and closed loops.
#include "support/reference_mechanisms.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/closed_forms.h"
#include "support/numbers.h"

namespace bristle::test {
namespace {

constexpr double kPi = std::numbers::pi;
using Cross = SpatialSliderCrank::Cross;

TEST(KnownSpatialSliderCrank, starts_as_printed) {
  const SpatialSliderCrank m;
  const std::vector<BodyMotion> b = m.mechanism().motion(0, m.start_rate);
  // table 2.2 of the dissertation, four digits
  EXPECT_NEAR((b[0].place - Eigen::Vector3d(0, 0, 0.05)).norm(), 0, 1e-15);
  EXPECT_NEAR((b[1].place - Eigen::Vector3d(0, 0.0735, -0.025)).norm(), 0, 5e-5);
  EXPECT_NEAR((b[2].place - Eigen::Vector3d(0, 0.1470, -0.15)).norm(), 0, 5e-5);
  EXPECT_NEAR((b[1].attitude - Eigen::AngleAxisd(2 * std::atan2(-0.4966, 0.8680), Eigen::Vector3d::UnitX()).matrix()).norm(), 0,
              2e-4);
  EXPECT_NEAR((b[0].velocity - Eigen::Vector3d(-0.3142, 0, 0)).norm(), 0, 5e-5);
  EXPECT_NEAR((b[1].velocity - Eigen::Vector3d(-0.3142, 0, 0)).norm(), 0, 5e-5);
  EXPECT_NEAR((b[1].spin - Eigen::Vector3d(0, -1.5661, -1.6112)).norm(), 0, 1e-4);
  // accelerations, computed with another program from joints and constraints
  EXPECT_NEAR((b[0].acceleration - Eigen::Vector3d(0, 0, -1.973921)).norm(), 0, 1e-6);
  EXPECT_NEAR((b[1].acceleration - Eigen::Vector3d(0, 2.014625, -1.973921)).norm(), 0, 1e-6);
  EXPECT_NEAR((b[1].spin_rate - Eigen::Vector3d(20.166361, 0, 0)).norm(), 0, 1e-5);
  EXPECT_NEAR((b[2].acceleration - Eigen::Vector3d(0, 4.029249, 0)).norm(), 0, 1e-6);
  // closed form: the slider's acceleration at the top
  EXPECT_NEAR(b[2].acceleration.y(), 0.015 * m.start_rate * m.start_rate / std::sqrt(0.0216), 1e-12);
  // kinetic energy with the printed rod rates
  EXPECT_NEAR(0.5 * m.mechanism().terms(0).mass * m.start_rate * m.start_rate, 0.042029, 1e-6);
}

TEST(KnownSpatialSliderCrank, moves_as_computed_with_joints_and_constraints) {
  // slider and crank of another program (absolute coordinates, constraints, RK4), printed digits
  struct Row {
    double t, y, v, a, w;
  };
  const std::vector<Row> rows = {{0.1, 0.166596, 0.38831, 3.8342, -7.1074},     {0.2, 0.224631, 0.76282, 3.0228, -11.4317},
                                 {0.3, 0.284625, -0.25032, -28.9903, -24.1018}, {0.4, 0.212671, -0.70906, 3.5384, -10.2877},
                                 {0.5, 0.160796, -0.32628, 3.8092, -6.8129},    {0.6, 0.147500, 0.06523, 3.9952, -6.2947},
                                 {0.8, 0.237376, 0.80442, 1.9827, -12.8925},    {1.0, 0.201638, -0.64937, 3.7809, -9.3751}};
  std::vector<double> times;
  for (const Row& r : rows) times.push_back(r.t);
  const auto samples = SpatialSliderCrank().run(times);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& r = rows[i];
    const auto& s = samples[i];
    // half a unit of the last printed digit, and what the rounding of the axis of the cross adds
    EXPECT_NEAR(s.y, r.y, 6e-7) << r.t;
    EXPECT_NEAR(s.y_rate, r.v, 6e-6) << r.t;
    EXPECT_NEAR(s.y_acceleration, r.a, 8e-5) << r.t;
    EXPECT_NEAR(s.rate, r.w, 6e-5) << r.t;
    // the slider's place in closed form
    EXPECT_NEAR(s.y, std::sqrt(0.0516 - 0.03 * std::cos(s.angle)), 1e-13);
  }
}

/// Time at which the crank has turned by an angle, by energy alone: dt = dtheta / rate(theta).
double time_to_turn(const OneFreedom& m, double start_rate, double angle) {
  const double e = m.energy(0, start_rate);
  return quadrature(
      [&](double s) {
        const OneFreedom::Terms t = m.terms(-s);
        return 1 / std::sqrt(2 * (e - t.potential) / t.mass);
      },
      0, angle, 60);
}

TEST(KnownSpatialSliderCrank, has_the_periods_of_its_crosses) {
  SpatialSliderCrank m;
  EXPECT_NEAR(time_to_turn(m.mechanism(), m.start_rate, 2 * kPi), 0.58376, 5e-6);
  EXPECT_NEAR(time_to_turn(m.mechanism(), m.start_rate, kPi), 0.29188, 5e-6);
  m.cross = Cross::natural;
  EXPECT_NEAR(time_to_turn(m.mechanism(), m.start_rate, 2 * kPi), 0.58382, 5e-6);
  const Eigen::Vector3d spin = m.mechanism().motion(0, m.start_rate)[1].spin;
  EXPECT_NEAR((spin - Eigen::Vector3d(0, -1.86777, -1.09802)).norm(), 0, 1e-5);
  m.cross = Cross::tilted_rod;
  EXPECT_NEAR((m.mechanism().motion(0, m.start_rate)[1].spin - Eigen::Vector3d(0, -1.5661, -1.6112)).norm(), 0, 3e-4);
}

TEST(KnownSpatialSliderCrank, keeps_its_joints_and_its_energy) {
  for (const Cross cross : {Cross::natural, Cross::rod_axis, Cross::tilted_rod}) {
    SpatialSliderCrank m;
    m.cross = cross;
    const OneFreedom mechanism = m.mechanism();
    const double energy = mechanism.energy(0, m.start_rate);
    for (const auto& s : m.run({0.15, 0.3, 1, 5, 20})) {
      EXPECT_NEAR(mechanism.energy(s.angle, s.rate), energy, 1e-12) << s.t;
      const auto b = mechanism.motion(s.angle, s.rate);
      const Eigen::Vector3d pin = b[0].place + b[0].attitude * Eigen::Vector3d(0, 0, 0.05);
      EXPECT_NEAR((pin - b[1].place - b[1].attitude * Eigen::Vector3d(0, -0.145, 0)).norm(), 0, 1e-14);
      EXPECT_NEAR((b[2].place - b[1].place - b[1].attitude * Eigen::Vector3d(0, 0.145, 0)).norm(), 0, 1e-14);
      EXPECT_NEAR(m.slider_axis().dot(b[1].attitude * m.rod_axis()), 0, 1e-14);
      EXPECT_NEAR((b[1].attitude.transpose() * b[1].attitude - Eigen::Matrix3d::Identity()).norm(), 0, 1e-14);
      EXPECT_NEAR(b[1].attitude.determinant(), 1, 1e-14);
    }
  }
}

TEST(KnownSpatialSliderCrank, turns_as_its_energy_says) {
  // the time of the first half turn by quadrature of the energy, not by the equation of motion
  const SpatialSliderCrank m;
  const double half = time_to_turn(m.mechanism(), m.start_rate, kPi), turn = time_to_turn(m.mechanism(), m.start_rate, 2 * kPi);
  const auto s = m.run({half, turn, 20 * turn});
  EXPECT_NEAR(s[0].angle, -kPi, 1e-11);
  // the other program's extreme is that of samples 1e-4 s apart
  EXPECT_NEAR(s[0].rate, -24.6075, 1.5e-4);
  EXPECT_NEAR(s[1].angle, -2 * kPi, 1e-11);
  EXPECT_NEAR(s[2].angle, -40 * kPi, 1e-9);
}

TEST(KnownRubbingSliderCrank, without_friction_is_the_plain_one) {
  const RubbingSliderCrank m;
  const OneFreedom plain = m.mechanism.mechanism();
  for (const double s : {0.0, 0.3, 1.0, 2.2, 4.5})
    EXPECT_NEAR(m.balance(s, -7, 0).acceleration, plain.acceleration(s, -7), 1e-12);
  // the guide's reaction at the start, computed with another program from joints and constraints
  EXPECT_NEAR(m.balance(0, m.mechanism.start_rate, 0).force.z(), 11.66497, 1e-5);
  EXPECT_NEAR(m.balance(0, m.mechanism.start_rate, 0).force.x(), 0, 1e-13);
}

TEST(KnownRubbingSliderCrank, loses_the_work_of_its_friction) {
  const RubbingSliderCrank m;
  const int n = 300;
  std::vector<double> times;
  for (int i = 0; i <= n; ++i) times.push_back(0.3 * i / n);
  const auto run = m.run(times);
  // Simpson over a stretch without a turn
  double work = 0;
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const double weight = i == 0 || i + 1 == run.samples.size() ? 1 : i % 2 == 1 ? 4 : 2;
    work += weight * run.samples[i].friction * run.samples[i].y_rate * 1e-3 / 3;
  }
  EXPECT_TRUE(run.turns.empty());
  EXPECT_NEAR(run.samples.back().energy - run.samples.front().energy, work, 1e-7);
}

TEST(KnownRubbingSliderCrank, loses_and_turns_as_computed_with_joints_and_constraints) {
  // figures of another program (absolute coordinates, constraints, RK4 with 5e-5 s), printed digits; the law is Coulomb's, 0.1
  RubbingSliderCrank m;
  const double start = m.mechanism.mechanism().energy(0, m.mechanism.start_rate);
  const auto run = m.run({1.0, 2.5});
  EXPECT_NEAR(run.samples[0].energy - start, -0.4339, 5e-5);
  EXPECT_NEAR(run.samples[1].energy - start, -0.6176, 5e-5);
  ASSERT_GE(run.turns.size(), 2u);
  const RubbingSliderCrank::Turn &centre = run.turns[0], &reversal = run.turns[1];
  EXPECT_EQ(centre.kind, RubbingSliderCrank::Turn::Kind::dead_centre);
  EXPECT_NEAR(centre.t, 0.3371, 5e-5);
  EXPECT_NEAR(centre.acceleration_before, -22.09, 5e-3);
  EXPECT_NEAR(centre.acceleration_after, centre.acceleration_before, 1e-6);
  EXPECT_EQ(reversal.kind, RubbingSliderCrank::Turn::Kind::crank_reversal);
  EXPECT_NEAR(reversal.t, 0.5374, 5e-5);
  EXPECT_NEAR(reversal.acceleration_before, 4.823, 5e-4);
  EXPECT_NEAR(reversal.acceleration_after, 2.808, 5e-4);
  EXPECT_NEAR(reversal.friction_before, 1.060, 5e-4);
  EXPECT_NEAR(reversal.friction_after, -1.205, 5e-4);
  // variants: what is lost after one second, or at the first reversal of the crank
  const auto lost = [&](const RubbingSliderCrank& v, double t) {
    return v.run({t}).samples[0].energy - v.mechanism.mechanism().energy(0, v.mechanism.start_rate);
  };
  EXPECT_NEAR(lost(m, reversal.t), -0.29212, 1e-5);
  RubbingSliderCrank outer = m;
  outer.inner = false;
  EXPECT_NEAR(lost(outer, outer.run({0.6}).turns.at(1).t), -0.29159, 1e-5);
  RubbingSliderCrank lateral = m;
  lateral.moments = false;
  EXPECT_NEAR(lost(lateral, 1), -0.354, 5e-4);
  RubbingSliderCrank large = m;
  large.side = 0.1;
  EXPECT_NEAR(lost(large, 1), -0.381, 5e-4);
  RubbingSliderCrank natural = m;
  natural.mechanism.cross = Cross::natural;
  EXPECT_NEAR(lost(natural, 1), -0.396, 5e-4);
  // Stribeck: the same losses, a larger jump at the reversal
  RubbingSliderCrank stribeck = m;
  stribeck.mu = [](double v) { return 0.1 + 0.1 * std::exp(-(v / 1e-3) * (v / 1e-3)); };
  const auto with_stribeck = stribeck.run({1.0});
  EXPECT_NEAR(with_stribeck.samples[0].energy - start, -0.4339, 1e-4);
  EXPECT_NEAR(with_stribeck.turns.at(1).acceleration_before, 5.80, 5e-3);
}

TEST(KnownRubbingSliderCrank, comes_to_rest_where_friction_holds_it) {
  RubbingSliderCrank m;
  m.mu = [](double) { return 0.35; };
  const auto run = m.run({3.0, 3.5});
  ASSERT_FALSE(run.turns.empty());
  EXPECT_EQ(run.turns.back().kind, RubbingSliderCrank::Turn::Kind::rest);
  EXPECT_EQ(run.samples[0].y, run.samples[1].y);
  EXPECT_EQ(run.samples[1].rate, 0);
}

TEST(KnownPlanarSliderCrank, obeys_lagrange) {
  // the same by hand: T = (1/2) M(a) a'^2 from the textbook's kinematics, M' by a central difference
  const PlanarSliderCrank m;
  const double r = m.crank_length, l = m.rod_length;
  const auto mass = [&](double a) {
    const double sb = r * std::sin(a) / l, cb = std::sqrt(1 - sb * sb), b = r * std::cos(a) / (l * cb);  // b' = b a'
    const double gx = -r * std::sin(a) - 0.5 * l * sb * b, gy = 0.5 * r * std::cos(a), x = -r * std::sin(a) - l * sb * b;
    return m.crank_mass * r * r / 3 + m.rod_inertia() * b * b + m.rod_mass * (gx * gx + gy * gy) + m.slider_mass * x * x;
  };
  const auto force = [&](double a) { return -(0.5 * m.crank_mass + 0.5 * m.rod_mass) * m.g * r * std::cos(a); };
  for (const double a : {0.1, 1.0, 2.5, 4.0, 5.9}) {
    EXPECT_NEAR(m.mechanism().terms(a).mass, mass(a), 1e-15);
    EXPECT_NEAR(m.mechanism().terms(a).load, force(a), 1e-14);
    const double h = 1e-4, slope = (8 * (mass(a + h) - mass(a - h)) - (mass(a + 2 * h) - mass(a - 2 * h))) / (12 * h);
    EXPECT_NEAR(m.mechanism().acceleration(a, -7), (force(a) - 0.5 * slope * 49) / mass(a), 1e-7);
  }
  const double energy = m.mechanism().energy(m.start_angle, m.start_rate);
  for (const auto& s : m.run({0.2, 1, 10})) {
    EXPECT_NEAR(m.mechanism().energy(s.angle, s.rate), energy, 1e-12);
    EXPECT_NEAR(s.x, r * std::cos(s.angle) + std::sqrt(l * l - r * r * std::sin(s.angle) * std::sin(s.angle)), 1e-14);
  }
}

TEST(KnownBricard, starts_on_the_edges_of_the_cube_and_stays_closed) {
  const BricardMechanism m;
  const auto p = m.points(BricardMechanism::start());
  for (std::size_t i = 0; i < 6; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(p[i](j), BricardProblem::points[i][static_cast<std::size_t>(j)], 1e-14) << i;
  }
  for (double s = -4; s < 4; s += 0.05) EXPECT_NEAR(m.gap(s), 0, 1e-13) << s;
  for (double s = -4; s < 4; s += 0.05) EXPECT_GT(m.mechanism().terms(s).mass, 0.1) << s;
}

TEST(KnownBricard, axes_of_the_joints_stay_in_both_rods) {
  const BricardMechanism m;
  const auto start = m.mechanism().motion(BricardMechanism::start(), 0);
  for (const double s : {0.2, 1.0, 1.9, 3.3}) {
    const auto now = m.mechanism().motion(s, 0);
    const auto axis = [&](std::size_t joint, std::size_t rod) {
      const Triple& a = BricardProblem::axes[joint];
      return Eigen::Vector3d(now[rod].attitude * start[rod].attitude.transpose() * Eigen::Vector3d(a[0], a[1], a[2]));
    };
    EXPECT_NEAR((axis(0, 0) - Eigen::Vector3d(0, 1, 0)).norm(), 0, 1e-14);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_NEAR((axis(i, i - 1) - axis(i, i)).norm(), 0, 1e-13) << i;
    EXPECT_NEAR((axis(5, 4) - Eigen::Vector3d(1, 0, 0)).norm(), 0, 1e-13);
  }
}

TEST(KnownBricard, goes_where_written_down) {
  for (const BricardProblem::Point& p : BricardProblem::solution) {
    const Eigen::Vector3d p3 = BricardMechanism().run({p.t})[0].p3;
    EXPECT_NEAR((p3 - Eigen::Vector3d(p.p3[0], p.p3[1], p.p3[2])).norm(), 0, 2e-10) << p.t;
  }
}

TEST(KnownBricard, keeps_its_energy) {
  for (const double section : {0.0, 0.1}) {
    BricardMechanism m;
    m.section = section;
    const double energy = m.mechanism().energy(BricardMechanism::start(), 0);
    for (const auto& s : m.run({1, 2, 5, 10})) EXPECT_NEAR(m.mechanism().energy(s.s, s.rate), energy, 1e-11) << s.t;
  }
}

TEST(KnownChain, full_matrix_and_forces_in_the_pins_agree) {
  Dice dice(7);
  for (const int n : {1, 2, 3, 10, 32}) {
    const Chain chain{n, 1.3, 0.7};
    std::vector<double> angle, rate, a(static_cast<std::size_t>(n)), b(a);
    for (int i = 0; i < n; ++i) angle.push_back(dice.between(-3, 3)), rate.push_back(dice.between(-4, 4));
    chain.accelerations_dense(angle.data(), rate.data(), a.data());
    chain.accelerations(angle.data(), rate.data(), b.data());
    double size = 0;
    for (const double x : a) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-11 * size) << n << ' ' << i;
  }
}

TEST(KnownChain, of_one_rod_is_a_pendulum) {
  const Chain chain{1};
  const Pendulum p = Pendulum::released(std::sqrt(1.5 * 9.81), 0.5 * kPi);
  Chain::State x = chain.horizontal();
  for (const double t : {0.3, 1.0, 4.0}) {
    x = chain.advance(x, t, 1e-14);
    EXPECT_NEAR(x.angle[0] + 0.5 * kPi, p.angle(t), 1e-11);
  }
}

TEST(KnownChain, keeps_its_energy) {
  for (const int n : {2, 10, 32}) {
    const Chain chain{n};
    Chain::State x = chain.advance(chain.horizontal(), 1.0);
    EXPECT_NEAR(chain.energy(x.angle.data(), x.rate.data()), 0, 1e-10 * n * n) << n;
    // and back again
    for (double& w : x.rate) w = -w;
    const Chain::State back = chain.advance(x, 2.0);
    for (const double a : back.angle) EXPECT_NEAR(a, 0, 1e-7) << n;
  }
}

}  // namespace
}  // namespace bristle::test
