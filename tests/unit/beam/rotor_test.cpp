// Steady rotation: modes about it and critical speeds against closed forms, an independent integration, and published numbers.
#include <Eigen/Dense>
#include <cmath>

#include "beam_models.h"
#include "bristle/analyse/campbell.h"
#include "bristle/base/error.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kEI = 100, kGA = 1e8;

/// A shaft without mass, of length 1 along x, and a disk.
std::string rotor(int elements, double disk_at, const std::string& joints, const std::string& inertia,
                  const std::string& more = "") {
  return fmt::format(
             "sections:\n  s: {{type: general, EA: 1e8, GA2: {}, GJ: 1e3, EI2: {}, mass_per_length: 1e-7, "
             "rotary_inertia: [2e-9, 1e-9, 1e-9]}}\n"
             "bodies:\n  shaft: {{type: beam, from: [0, 0, 0], to: [1, 0, 0], section: s, elements: {}}}\n"
             "  disk: {{type: rigid, mass: 2, inertia: {}, position: [{}, 0, 0]}}\n",
             kGA, kEI, elements, inertia, disk_at) +
         more + "joints:\n" + joints + fmt::format("  hub: {{type: fixed, between: [shaft, disk], at: [{}, 0, 0]}}\n", disk_at);
}

const char* kSupported =
    "  left: {type: spherical, between: [ground, shaft.start], at: [0, 0, 0]}\n"
    "  right: {type: point_on_line, between: [ground, shaft.tip], at: [1, 0, 0], axis: x}\n";
const char* kOverhung = "  bearing: {type: revolute, between: [ground, shaft.start], at: [0, 0, 0], axis: x}\n";

RotationAxis along_x(RotationFrame frame) {
  RotationAxis axis;
  axis.direction = {1, 0, 0};
  axis.frame = frame;
  return axis;
}

/// Frequencies across the axis, rising, negative where the whirl is backward, of those below a limit.
std::vector<double> whirls(const System& system, RotationFrame frame, double speed, double limit) {
  std::vector<double> list;
  for (const LinearMode& m : calc_rotor_modes(system, along_x(frame), speed, system.make_state()).modes) {
    if (m.across < 0.5 || m.frequency > limit) continue;
    EXPECT_NEAR(std::abs(m.whirl), 1, 1e-6);
    list.push_back(std::copysign(m.frequency, m.whirl));
  }
  std::sort(list.begin(), list.end());
  return list;
}

CampbellPlan plan_of(RotationFrame frame, double to, int count, std::vector<double> orders) {
  CampbellPlan plan;
  plan.axis = along_x(frame);
  for (int k = 0; k < count; ++k) plan.speeds.push_back(to * k / (count - 1));
  plan.orders = std::move(orders);
  plan.modes = 4;
  return plan;
}

TEST(Rotor, a_disk_at_mid_span_whirls_and_tilts) {
  const double m = 2, Jp = 0.04, Jt = 0.025, half = 0.5;
  const double k = 1 / (1 / (48 * kEI) + 1 / (4 * kGA));          // at mid-span, with shear
  const double tilt = 2 / (half / (3 * kEI) + 1 / (kGA * half));  // about mid-span
  const System system = system_of(rotor(2, 0.5, kSupported, "[0.04, 0.025, 0.025]"));
  const double w = std::sqrt(k / m);
  for (double speed : {20.0, 100.0, 300.0}) {
    const double root = std::sqrt(Jp * Jp * speed * speed + 4 * Jt * tilt);
    const double fast = (root + Jp * speed) / (2 * Jt), slow = (root - Jp * speed) / (2 * Jt);
    const auto seen = whirls(system, RotationFrame::stationary, speed, 1e4);
    ASSERT_EQ(seen.size(), 4u);
    std::vector<double> want = {-slow, -w, w, fast};
    std::sort(want.begin(), want.end());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(seen[i], want[i], 1e-6 * std::abs(want[i]));
    // turning with the rotor all of them are moved by its speed
    const auto turned = whirls(system, RotationFrame::turning, speed, 1e4);
    ASSERT_EQ(turned.size(), 4u);
    for (double& x : want) x -= speed;
    std::sort(want.begin(), want.end());
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(turned[i], want[i], 1e-6 * std::abs(want[i]));
  }
  const CampbellResult c = calc_campbell(system, plan_of(RotationFrame::stationary, 400, 9, {1}));
  // forward and backward bending at one speed; the tilt of a disk with Jp > Jt only backward
  ASSERT_EQ(c.critical.size(), 3u);
  // the shaft is not quite without mass: 5e-8 kg at the disk of 2 kg, 3e-9 kg m^2 of 0.065
  const double light = 3e-8;
  EXPECT_NEAR(c.critical[0].speed, w, light * w);
  EXPECT_NEAR(c.critical[1].speed, w, light * w);
  EXPECT_NEAR(c.critical[2].speed, std::sqrt(tilt / (Jt + Jp)), light * c.critical[2].speed);
  EXPECT_NEAR(c.critical[2].whirl, -1, 1e-6);
  const CampbellResult t = calc_campbell(system, plan_of(RotationFrame::turning, 400, 9, {0}));
  ASSERT_EQ(t.critical.size(), 2u);
  EXPECT_NEAR(t.critical[0].speed, w, light * w);
  EXPECT_NEAR(t.critical[1].speed, w, light * w);
}

/// m z'' + k11 z - k12 a = 0, Jt a'' - i Jp W a' - k12 z + k22 a = 0 of a disk at the end of a cantilever.
TEST(Rotor, an_overhung_disk) {
  const double m = 2, Jp = 0.2, Jt = 0.11;
  Eigen::Matrix2d flexibility;
  flexibility << 1 / (3 * kEI) + 1 / kGA, 1 / (2 * kEI), 1 / (2 * kEI), 1 / kEI;
  const Eigen::Matrix2d k = flexibility.inverse();  // z and slope; k12 is negative
  const auto balance = [&](double w, double speed) {
    return (k(0, 0) - m * w * w) * (k(1, 1) - Jt * w * w + Jp * speed * w) - k(0, 1) * k(0, 1);
  };
  const System system = system_of(rotor(2, 1, kOverhung, "[0.2, 0.11, 0.11]"));
  for (double speed : {15.0, 60.0, 200.0}) {
    const auto seen = whirls(system, RotationFrame::stationary, speed, 1e4);
    ASSERT_EQ(seen.size(), 4u);
    for (double w : seen) {
      // a root: the balance changes its sign within 1e-6 of it
      EXPECT_LT(balance(w * (1 - 1e-6), speed) * balance(w * (1 + 1e-6), speed), 0) << speed << " " << w;
    }
  }
  const CampbellResult c = calc_campbell(system, plan_of(RotationFrame::stationary, 200, 21, {1}));
  ASSERT_GE(c.critical.size(), 3u);
  int forward = 0;
  for (const CriticalSpeed& at : c.critical) {
    const double w = std::copysign(at.speed, at.whirl);
    forward += at.whirl > 0;
    EXPECT_NEAR(std::abs(at.whirl), 1, 1e-6);
    EXPECT_LT(balance(w * (1 - 1e-8), at.speed * (1 - 1e-8)) * balance(w * (1 + 1e-8), at.speed * (1 + 1e-8)), 0) << w;
  }
  EXPECT_EQ(forward, 1);  // Jp > Jt: the second forward whirl is never met
}

/// Shaft and disk of the published rotor: two stiffnesses of the shaft, two critical speeds, and growth between them.
TEST(Rotor, a_shaft_with_two_stiffnesses_is_unstable_between_its_critical_speeds) {
  const auto published = [](double inertia) {
    return system_of(fmt::format(
        "sections:\n  s: {{type: general, EA: 22.7 MN, GA2: 2 MN, GJ: 22.1e3, EI2: 28.2e3, EI3: 28.7e3, mass_per_length: 0.848, "
        "rotary_inertia: [{0}, {1}, {1}]}}\n"
        "bodies:\n  shaft: {{type: beam, from: [0, 0, 0], to: [6, 0, 0], section: s, elements: 8}}\n"
        "  disk: {{type: rigid, mass: 5, inertia: [{2}, {3}, {3}], position: [3, 0, 0]}}\n"
        "joints:\n  clamp: {{type: revolute, between: [ground, shaft.start], at: [0, 0, 0], axis: x}}\n"
        "  pin: {{type: point_on_line, between: [ground, shaft.tip], at: [6, 0, 0], axis: x}}\n"
        "  hub: {{type: fixed, between: [shaft, disk], at: [3, 0, 0]}}\n",
        inertia * 0.848 * 0.05 * 0.05, inertia * 0.848 * 0.05 * 0.05 / 2, inertia * 2.5 * 0.015 * 0.015,
        inertia * 1.25 * 0.015 * 0.015));
  };
  const System system = published(1);
  const CampbellResult c = calc_campbell(system, plan_of(RotationFrame::turning, 60, 7, {0}));
  ASSERT_EQ(c.critical.size(), 2u);
  // At rest the shaft vibrates at 44.06613432 and 44.45059922. In synchronous whirl Jt - Jp = -Jt stands for Jt: as much above the shaft
  // without rotary inertia as that is above the one at rest, in 1/w^2.
  const auto at_rest = [&](double inertia, std::size_t k) {
    const System still = published(inertia);
    std::vector<double> w;
    for (const LinearMode& m : calc_modes(still, still.make_state()).modes) w.push_back(m.frequency);
    std::sort(w.begin(), w.end());
    return w[1 + k];  // the first is the free rotation
  };
  const double rest[] = {44.06613432, 44.45059922};
  RecordProperty("critical", fmt::format("{:.8f} {:.8f}", c.critical[0].speed, c.critical[1].speed));
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(at_rest(1, k), rest[k], 1e-6);
    const double without = std::pow(at_rest(1e-4, k), -2);
    EXPECT_NEAR(std::pow(c.critical[k].speed, -2), 2 * without - std::pow(rest[k], -2), 1e-6 * without);
  }
  const auto growth = [&](double speed) {
    RotationSearch search(system, along_x(RotationFrame::turning), system.make_state());
    double most = 0;
    for (const RotorMode& mode : search.calc_modes(search.find(speed))) {
      if (std::abs(mode.s) < 100) most = std::max(most, mode.s.real());
    }
    return most;
  };
  EXPECT_LT(growth(c.critical[0].speed - 0.02), 1e-6);
  const double between = growth(0.5 * (c.critical[0].speed + c.critical[1].speed));
  EXPECT_GT(between, 0.15);
  RecordProperty("growth", fmt::format("{:.6f}", between));
  EXPECT_LT(growth(c.critical[1].speed + 0.02), 1e-6);
  // the other frame does not take it
  EXPECT_THROW(calc_rotor_modes(system, along_x(RotationFrame::stationary), 30, system.make_state()), SolveError);
}

/// Rotating cantilever: Wright, Smith, Thresher, Wang, Vibration modes of centrifugally stiffened beams (1982), table 1; the digits here
/// are from a numerical integration of the equation of the slender beam.
TEST(Rotor, a_rotating_cantilever_stiffens) {
  const double flap[] = {3.516015269, 3.681646814, 4.137319573, 4.797278532, 5.585001421, 6.449544749};
  const double lag[] = {3.516015269, 3.543236270, 3.621796964, 3.743511896, 3.897722524, 4.073895858};
  std::vector<double> error[2];
  for (int k = 0; k < 2; ++k) {
    // out of the plane of rotation four times as stiff as in it; the hub turns at the given speed
    const System system = system_of(fmt::format(
        "sections:\n  s: {{type: general, EA: 1e7, GA2: 1e7, GJ: 1e3, EI2: 4, EI3: 1, mass_per_length: 1, "
        "rotary_inertia: [2e-6, 1e-6, 1e-6]}}\n"
        "bodies:\n  blade: {{type: beam, from: [0, 0, 0], to: [1, 0, 0], up: y, elements: {}, section: s}}\n"
        "joints:\n  hub: {{type: revolute, between: [ground, blade.start], at: [0, 0, 0], axis: z, drive: {{angle: 0}}}}\n",
        8 << k));
    RotationAxis axis;
    for (int eta = 1; eta <= 5; ++eta) {
      // lag in the soft plane at the speed eta, flap in the stiff plane, whose unit of frequency is twice as large, at 2 eta
      RotationSearch search(system, axis, system.make_state());
      const auto nearest = [&](double speed, double want, int coordinate) {
        double best = 0;
        const SteadyRotation r = search.find(speed);
        for (const RotorMode& mode : search.calc_modes(r)) {
          const Eigen::Index tip = mode.shape.size() - 6;
          Eigen::Vector3d size = mode.shape.segment(tip, 3).cwiseAbs();
          Eigen::Index top = 0;
          size.maxCoeff(&top);
          if (top != coordinate || mode.s == 0.0) continue;
          if (std::abs(mode.s.imag() - want) < std::abs(best - want)) best = mode.s.imag();
        }
        return best;
      };
      error[k].push_back(nearest(eta, lag[eta], 1) / lag[eta] - 1);
      error[k].push_back(nearest(2 * eta, 2 * flap[eta], 2) / (2 * flap[eta]) - 1);
    }
  }
  for (std::size_t i = 0; i < error[0].size(); ++i) {
    RecordProperty(fmt::format("{}_{}", i % 2 == 0 ? "lag" : "flap", i / 2 + 1),
                   fmt::format("8: {:.2e}, 16: {:.2e}, limit: {:.2e}", error[0][i], error[1][i],
                               error[1][i] - (error[0][i] - error[1][i]) / 3));
    EXPECT_LT(std::abs(error[0][i]), 0.01);
    // lumped masses: second order, and the limit is that of the slender beam
    EXPECT_NEAR(error[1][i] - (error[0][i] - error[1][i]) / 3, 0, 1e-4) << i;
  }
}

/// Away from its start: a pendulum hinged to a shaft that is driven, cos a = g / (W^2 l), and w^2 = m l^2 W^2 sin^2 a / (m l^2 + J).
TEST(Rotor, a_governor_opens) {
  const double l = 0.5, m = 2, J = 0.1, angle = 1.1, speed = std::sqrt(9.81 / (l * std::cos(angle)));
  const System system = system_of(fmt::format(
      "gravity: [0, 0, -9.81]\nbodies:\n  hub: {{type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
      "  arm: {{type: rigid, mass: {0}, inertia: [{1}, {1}, {1}], position: [{2}, 0, {3}], orientation: {{axis: y, angle: -0.95}}}}\n"
      "joints:\n  shaft: {{type: revolute, between: [ground, hub], at: [0, 0, 0], axis: z, drive: {{angle: 0}}}}\n"
      "  hinge: {{type: revolute, between: [hub, arm], at: [0, 0, 0], axis: y}}\n",
      m, J, l * std::sin(0.95), -l * std::cos(0.95)));
  RotationSearch search(system, {}, system.make_state());
  const SteadyRotation r = search.find(speed);
  search.check(r);
  EXPECT_NEAR(channels_of(system, r.state)["arm.position.z"], -l * std::cos(angle), 1e-10);
  const auto modes = search.calc_modes(r);
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_NEAR(modes[0].s.imag(), speed * std::sin(angle) * std::sqrt(m * l * l / (m * l * l + J)), 1e-9 * speed);
}

/// A particle on a thread in conical motion, free to turn: w^2 = W^2 (1 + 3 cos^2 a).
TEST(Rotor, a_conical_pendulum) {
  const double l = 0.5, angle = 0.9, speed = std::sqrt(9.81 / (l * std::cos(angle)));
  const System system =
      system_of(fmt::format("gravity: [0, 0, -9.81]\nbodies:\n  ball: {{type: particle, mass: 2, position: [{}, 0, {}]}}\n"
                            "joints:\n  thread: {{type: distance, between: [ground, ball], at: [0, 0, 0], at_b: [{}, 0, {}]}}\n",
                            l * std::sin(0.7), -l * std::cos(0.7), l * std::sin(0.7), -l * std::cos(0.7)));
  RotationSearch search(system, {}, system.make_state());
  const SteadyRotation r = search.find(speed);
  search.check(r);
  EXPECT_NEAR(channels_of(system, r.state)["ball.position.z"], -l * std::cos(angle), 1e-10);
  const auto modes = search.calc_modes(r);
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_EQ(modes[0].s, 0.0);  // turning on, and a little faster on a wider circle
  EXPECT_NEAR(modes[1].s.imag(), speed * std::sqrt(1 + 3 * std::pow(std::cos(angle), 2)), 1e-8 * speed);
}

TEST(Rotor, what_is_no_steady_rotation_is_refused) {
  const auto refusal = [](const std::string& model, RotationFrame frame) {
    const System system = system_of(model);
    try {
      calc_rotor_modes(system, along_x(frame), 20, system.make_state());
    } catch (const SolveError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string plain = rotor(2, 0.5, kSupported, "[0.04, 0.025, 0.025]");
  EXPECT_EQ(refusal(plain, RotationFrame::turning), "");
  // gravity turns against the rotor; seen from outside the shaft sags and turns on
  const std::string heavy = "gravity: [0, 0, -9.81]\n" + plain;
  EXPECT_NE(refusal(heavy, RotationFrame::turning).find("steady rotation"), std::string::npos);
  EXPECT_EQ(refusal(heavy, RotationFrame::stationary), "");
  // an unequal disk
  const std::string unequal = rotor(2, 0.5, kSupported, "[0.04, 0.025, 0.03]");
  EXPECT_EQ(refusal(unequal, RotationFrame::turning), "");
  EXPECT_NE(refusal(unequal, RotationFrame::stationary).find("the inertia of 'disk'"), std::string::npos);
  // an unequal spring
  const std::string sprung =
      plain + "forces:\n  spring: {type: bushing, between: [ground, disk], at: [0.5, 0, 0], stiffness: [0, 1000, 2000]}\n";
  EXPECT_NE(refusal(sprung, RotationFrame::turning).find("stiffness"), std::string::npos);
  EXPECT_EQ(refusal(sprung, RotationFrame::stationary), "");
  // a joint that does not turn
  const std::string clamped =
      rotor(2, 1, "  clamp: {type: fixed, between: [ground, shaft.start], at: [0, 0, 0]}\n", "[0.2, 0.11, 0.11]");
  EXPECT_NE(refusal(clamped, RotationFrame::turning).find("joint 'clamp'"), std::string::npos);
}

/// A rotor in a housing that stands still: tilting by k - W^2 (Jt - Jp) forward and k - W^2 (Jt + Jp) backward, Jt of both bodies.
TEST(Rotor, a_housing_stands_still) {
  const System system = system_of(
      "bodies:\n  housing: {type: rigid, mass: 3, inertia: [0.05, 0.04, 0.04]}\n"
      "  rotor: {type: rigid, mass: 2, inertia: [0.04, 0.025, 0.025]}\n"
      "joints:\n  bearing: {type: revolute, between: [housing, rotor], at: [0, 0, 0], axis: x}\n"
      "forces:\n  mount: {type: bushing, between: [ground, housing], at: [0, 0, 0], stiffness: [1e5, 5000, 5000], "
      "rotational_stiffness: [1000, 300, 300], damping: 1}\n");
  const double bend = std::sqrt(5000.0 / 5), forward = std::sqrt(300 / 0.025), backward = std::sqrt(300 / 0.105);
  for (RotationFrame frame : {RotationFrame::stationary, RotationFrame::turning}) {
    const bool turning = frame == RotationFrame::turning;
    CampbellPlan plan = plan_of(frame, 130, 14, {turning ? 0.0 : 1.0});
    plan.axis.still = {"housing"};
    const CampbellResult c = calc_campbell(system, plan);
    std::vector<double> want = {bend, bend, backward, forward};
    if (turning) want = {bend, bend, forward, forward};
    ASSERT_EQ(c.critical.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(c.critical[i].speed, want[i], 1e-8);
    if (turning) continue;
    const double whirl[] = {-1, 1, -1, 1};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(c.critical[i].whirl, whirl[i], 1e-6);
  }
}

/// Bearings of two stiffnesses: two critical speeds of displacement, which do not tilt the rotor, and one of tilting.
TEST(Rotor, unequal_bearings_split_the_critical_speed) {
  const System system = system_of(
      "bodies:\n  rotor: {type: rigid, mass: 2, inertia: [0.04, 0.025, 0.025]}\n"
      "forces:\n"
      "  left: {type: bushing, between: [ground, rotor], at: [-0.2, 0, 0], stiffness: [1e5, 3000, 5000], damping: [0, 1, 1]}\n"
      "  right: {type: bushing, between: [ground, rotor], at: [0.2, 0, 0], stiffness: [1e5, 3000, 5000], damping: [0, 1, 1]}\n");
  CampbellPlan plan = plan_of(RotationFrame::stationary, 90, 10, {1});
  plan.modes = 12;
  const CampbellResult c = calc_campbell(system, plan);
  ASSERT_GE(c.critical.size(), 3u);
  EXPECT_NEAR(c.critical[0].speed, std::sqrt(6000.0 / 2), 1e-8);
  // tilting, in x = w^2: (240 - Jt x) (400 - Jt x) = (Jp x)^2
  const double a = 0.04 * 0.04 - 0.025 * 0.025, b = 0.025 * 640, square = (std::sqrt(b * b + 4 * a * 240 * 400) - b) / (2 * a);
  EXPECT_NEAR(c.critical[1].speed, std::sqrt(square), 1e-8);
  EXPECT_NEAR(c.critical[2].speed, std::sqrt(10000.0 / 2), 1e-8);
}

}  // namespace
}  // namespace bristle
