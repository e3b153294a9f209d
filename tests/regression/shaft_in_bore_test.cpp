// Shafts in bores, from model files: how they rest, swing, jam, pass and rattle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/momenta.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kGravity = 9.81;
constexpr double kPi = std::numbers::pi;

const std::string kHead = "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n";

TEST(ShaftInBore, shares_its_weight_between_the_mouths_by_levers) {
  // a tube along x with its middle at 0; the middle of the shaft stands c aside: N = m g (1/2 +- c/L)
  const double L = 0.06, stiffness = 1e6;
  for (const double c : {0.0, 0.01, -0.022}) {
    Mechanism m(
        kHead +
        fmt::format(
            "  shaft: {{type: rigid, mass: 2 kg, position: [{}, 0, -0.001], shape: {{type: cylinder, radius: 9 mm, length: 0.2, axis: x}}}}\n"
            "joints:\n  bore: {{type: contact, between: [ground, shaft], surfaces: [{{type: tube, outer_radius: 20 mm, inner_radius: 10 mm, "
            "length: {}, axis: x}}, {{type: cylinder, radius: 9 mm, length: 0.2, axis: x}}], contact: {{type: kelvin_voigt, stiffness: "
            "{} N/m, damping: 1 kN s/m}}}}\n"
            "analysis: {{type: transient, end: 1 s, integrator: {{type: radau5, tolerance: 1e-8}}}}\n",
            c, L, stiffness));
    ASSERT_TRUE(m.go(1)) << c;
    // its slope lets it slide along the bore, slowly: the levers are those of where it is
    const double weight = 2 * kGravity, at = m.read("shaft.position.x");
    std::vector<double> load;
    for (int k = 1; k <= 4; ++k) load.push_back(m.read(fmt::format("bore.{}.normal_force", k)));
    std::sort(load.begin(), load.end());
    EXPECT_EQ(load[1], 0) << c;
    EXPECT_NEAR(load[2], weight * (0.5 - std::abs(at) / L), 1e-4 * weight) << c;
    EXPECT_NEAR(load[3], weight * (0.5 + std::abs(at) / L), 1e-4 * weight) << c;
    EXPECT_NEAR(at, c, 2e-3) << c;
    // it gives way by N over the stiffness at each mouth
    EXPECT_NEAR(m.read("shaft.position.z"), -1e-3 - weight * (0.5 + 2 * at * at / (L * L)) / stiffness, 2e-8) << c;
  }
}

double period(const std::string& text, const std::string& channel, double end) {
  Mechanism m(text);
  m.start();
  double last = m.read(channel), before = 0, first = -1, at = 0;
  int turns = 0;
  for (int k = 1; k * 1e-3 < end; ++k) {
    if (!m.go(1e-3 * k)) return 0;
    const double x = m.read(channel);
    if (last < 0 && x >= 0) {
      at = before - last * (1e-3 * k - before) / (x - last);
      if (first < 0) first = at;
      else ++turns;
    }
    last = x, before = 1e-3 * k;
  }
  return (at - first) / turns;
}

TEST(ShaftInBore, swings_as_a_pendulum_and_rolls_slower) {
  // its middle on a circle of radius R - r: g/(R - r) where it slides, 2/3 of it where it rolls; 0.04 rad
  const double R = 0.05, r = 0.03, a = 0.04;
  for (const bool rolls : {false, true}) {
    const std::string text =
        kHead +
        fmt::format(
            "  shaft: {{type: rigid, mass: 2 kg, position: [0, {:.17g}, {:.17g}], shape: {{type: cylinder, radius: {}, length: 0.2, axis: x}}}}\n"
            "collisions:\n  bore: {{bodies: shaft, with: [{{type: tube, outer_radius: 60 mm, inner_radius: {}, length: 0.1, axis: x}}], "
            "contact: {{type: rigid, restitution: 0}}{}}}\n"
            "analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: 0.1 ms}}}}\n",
            (R - r) * std::sin(a), -(R - r) * std::cos(a), r, R, rolls ? ", friction: {type: coulomb, mu_kinetic: 0.5}" : "");
    const double square = kGravity / (R - r) / (rolls ? 1.5 : 1);
    EXPECT_NEAR(period(text, "shaft.position.y", 3), 2 * kPi / std::sqrt(square) * (1 + a * a / 16), 1e-3) << rolls;
  }
}

/// A collar of 40 mm on an upright rod, pushed down by 10 N at an arm.
std::string collar(double arm, double mu) {
  return fmt::format(
      "bristle: 1\nbodies:\n  collar: {{type: rigid, mass: 1 kg, inertia: [2e-3, 2e-3, 2e-3]}}\n"
      "forces:\n  push: {{type: force, on: collar, at: [{}, 0, 0], force: [0, 0, -10]}}\n"
      "joints:\n  rod: {{type: contact, between: [ground, collar], surfaces: [{{type: cylinder, radius: 9.99 mm, length: 4}}, {{type: tube, "
      "outer_radius: 20 mm, inner_radius: 10 mm, length: 40 mm}}], contact: {{type: rigid, restitution: 0}}, friction: {{type: coulomb, "
      "mu_kinetic: {}}}}}\n"
      "analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: 0.1 ms}}}}\n",
      arm, mu);
}

TEST(ShaftInBore, collar_under_an_arm_jams_or_slides) {
  // N L = F a at the mouths, on opposite sides, and friction 2 mu N against F: m z'' = -F (1 - 2 mu a/L), or it stays
  for (const double mu : {0.1, 0.2, 0.4}) {
    const double limit = 0.04 / (2 * mu);
    Mechanism holds(collar(1.1 * limit, mu)), slides(collar(0.8 * limit, mu));
    ASSERT_TRUE(holds.go(0.2));
    const double z = holds.read("collar.position.z");
    ASSERT_TRUE(holds.go(0.4));
    EXPECT_NEAR(holds.read("collar.position.z"), z, 1e-6) << mu;
    ASSERT_TRUE(slides.go(0.2));
    const double v = slides.read("collar.velocity.z");
    ASSERT_TRUE(slides.go(0.4));
    EXPECT_NEAR(slides.read("collar.velocity.z") - v, -0.2 * 10 * 0.2, 0.004) << mu;
  }
}

TEST(ShaftInBore, passes_through_upright_and_stays_where_it_is_too_thick) {
  const auto drop = [](double radius, double aside) {
    return kHead +
           fmt::format(
               "  shaft: {{type: rigid, mass: 2 kg, position: [{}, 0, 0.16], shape: {{type: cylinder, radius: {}, length: 0.2}}}}\n"
               "collisions:\n  bore: {{bodies: shaft, with: [{{type: tube, outer_radius: 30 mm, inner_radius: 10 mm, length: 0.1}}], contact: {{type: "
               "rigid, restitution: 0}}, friction: {{type: coulomb, mu_kinetic: 0.3}}}}\n"
               "analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: 1 ms}}}}\n",
               aside, radius);
  };
  Mechanism thin(drop(0.0095, 0.0003)), thick(drop(0.0105, 0.0003)), off(drop(0.0095, 0.002));
  ASSERT_TRUE(thin.go(0.4));
  EXPECT_NEAR(thin.read("shaft.position.z"), 0.16 - 0.5 * kGravity * 0.16, 1e-9);
  ASSERT_TRUE(thick.go(0.4));
  EXPECT_NEAR(thick.read("shaft.position.z"), 0.15, 1e-5);
  // its rim meets the mouth: it does not fall through as if nothing was there
  ASSERT_TRUE(off.go(0.1));
  EXPECT_GT(off.read("shaft.position.z"), 0.14);
}

TEST(ShaftInBore, ball_rests_on_the_mouth) {
  const double R = 0.015, r = 0.01;
  Mechanism m(
      kHead +
      fmt::format(
          "  ball: {{type: rigid, mass: 0.1 kg, position: [0.0005, 0.0003, 0.08], shape: {{type: sphere, radius: {}}}}}\n"
          "collisions:\n  bore: {{bodies: ball, with: [{{type: tube, outer_radius: 30 mm, inner_radius: {}, length: 0.1}}], contact: {{type: "
          "rigid, restitution: 0.2}}, friction: {{type: coulomb, mu_kinetic: 0.3}}}}\n"
          "analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: 0.5 ms}}}}\n",
          R, r));
  ASSERT_TRUE(m.go(2));
  EXPECT_NEAR(m.read("ball.position.z"), 0.05 + std::sqrt(R * R - r * r), 1e-5);
  EXPECT_NEAR(std::hypot(m.read("ball.position.x"), m.read("ball.position.y")), 0, 2e-5);
  EXPECT_NEAR(m.vector("ball.velocity").norm(), 0, 1e-5);
}

TEST(Lying, stacks_of_logs_blocks_and_meshes_stay) {
  // a log over two blocks, a cube as a mesh on a cube as a mesh, a can on a can, a capsule along a box: all released where they rest
  const std::string cube =
      "{type: mesh, points: [[-0.05, -0.05, -0.05], [0.05, -0.05, -0.05], [-0.05, 0.05, -0.05], [0.05, 0.05, -0.05], [-0.05, -0.05, 0.05], "
      "[0.05, -0.05, 0.05], [-0.05, 0.05, 0.05], [0.05, 0.05, 0.05]], triangles: [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], "
      "[2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]]}";
  Mechanism m(
      kHead +
      "  left: {type: rigid, density: 1000, position: [-0.1, 0, 0.05], shape: {type: box, size: [0.05, 0.1, 0.1]}}\n"
      "  right: {type: rigid, density: 1000, position: [0.1, 0, 0.05], shape: {type: box, size: [0.05, 0.1, 0.1]}}\n"
      "  log: {type: rigid, density: 1000, position: [0, 0, 0.12], shape: {type: cylinder, radius: 20 mm, length: 0.4, axis: x}}\n"
      "  low: {type: rigid, density: 1000, position: [0, 1, 0.05], shape: " +
      cube +
      "}\n"
      "  high: {type: rigid, density: 1000, position: [0, 1, 0.15], shape: " +
      cube +
      "}\n"
      "  can: {type: rigid, density: 1000, position: [0, 2, 0.05], shape: {type: cylinder, radius: 40 mm, length: 0.1}}\n"
      "  top: {type: rigid, density: 1000, position: [0.01, 2, 0.15], shape: {type: tube, outer_radius: 40 mm, inner_radius: 20 mm, length: 0.1}}\n"
      "collisions:\n  all: {bodies: \"*\", with: [{type: plane}], contact: {type: rigid, restitution: 0}, friction: {type: coulomb, mu_kinetic: 0.5}}\n"
      "analysis: {type: transient, end: 1 s, integrator: {type: moreau_jean, step: 1 ms}}\n");
  ASSERT_TRUE(m.go(1));
  const std::pair<const char*, double> heights[] = {{"log", 0.12}, {"high", 0.15}, {"top", 0.15}};
  for (const auto& [body, height] : heights) {
    EXPECT_NEAR(m.read(std::string(body) + ".position.z"), height, 1e-6) << body;
    EXPECT_LT(m.vector(std::string(body) + ".velocity").norm(), 1e-6) << body;
    EXPECT_LT(m.vector(std::string(body) + ".angular_velocity").norm(), 1e-5) << body;
  }
}

TEST(ShaftInBore, keeps_the_momentum_of_free_bodies_and_the_ledger) {
  for (const char* method : {"{type: moreau_jean, step: 0.2 ms}", "{type: dormand_prince, tolerance: 1e-10}"}) {
    const bool rigid = method[7] == 'm';
    Mechanism m(fmt::format(
        "bristle: 1\nbodies:\n"
        "  sleeve: {{type: rigid, density: 2700, angular_velocity: [1, -2, 3], shape: {{type: tube, outer_radius: 20 mm, inner_radius: 10 mm, length: 60 mm}}}}\n"
        "  shaft: {{type: rigid, density: 7850, position: [2e-4, 0, 0.02], velocity: [0.5, 0.2, -0.3], angular_velocity: [2, 1, 40], shape: {{type: cylinder, radius: 9.5 mm, length: 0.2}}}}\n"
        "collisions:\n  all: {{bodies: [sleeve, shaft], contact: {}, friction: {{type: coulomb, mu_kinetic: 0.2}}{}}}\n"
        "analysis: {{type: transient, end: 0.3 s, integrator: {}}}\n",
        rigid ? "{type: rigid, restitution: 0.6}" : "{type: linear, stiffness: 1e6 N/m}",
        rigid ? "" : ", smoothing: {velocity: 10 mm/s}", method));
    m.start();
    const Momenta before = momenta(m.run());
    const double energy = m.system().calc_energy(m.run().state(), m.work()).total();
    ASSERT_TRUE(m.go(0.3)) << method;
    const Momenta after = momenta(m.run());
    EXPECT_LT(norm(after.linear - before.linear), 1e-9 * norm(before.linear)) << method;
    EXPECT_LT(norm(after.angular - before.angular), (rigid ? 1e-3 : 1e-7) * norm(before.angular)) << method;
    EXPECT_GT(m.run().ledger().dissipated(), 0.01 * energy) << method;
    EXPECT_NEAR(m.run().ledger().residual(), 0, (rigid ? 1e-10 : 1e-4) * energy) << method;
  }
}

}  // namespace
}  // namespace bristle
