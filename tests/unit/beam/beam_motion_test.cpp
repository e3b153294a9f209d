// Beams in motion by methods that know nothing of them.
#include <cmath>

#include "beam_models.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

std::string with(const std::string& integrator) { return "analysis.integrator={type: " + integrator + "}"; }

const char* kPendulum = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: rectangle, height: 4 mm, width: 20 mm, young: 1 GPa, density: 1200 kg/m^3}
bodies:
  strip: {type: beam, from: [0, 0, 0], to: [0.6, 0, 0], elements: 5, section: s}
joints:
  hinge: {type: revolute, between: [ground, strip.start], at: [0, 0, 0], axis: y}
analysis: {type: transient, end: 0.4 s, integrator: {type: generalized_alpha, step: 1 ms}}
)yaml";

TEST(BeamMotion, a_flexible_pendulum_by_three_methods) {
  Mechanism exact(kPendulum, {with("radau5, tolerance: 1e-9")});
  ASSERT_TRUE(exact.go(0.25));
  const Eigen::Vector3d want = exact.vector("strip.tip.position");
  EXPECT_LT(exact.residual(), 1e-7);
  EXPECT_LT(exact.read("strip.tip.position.z"), -0.2);
  double error[2];
  for (int i = 0; i < 2; ++i) {
    Mechanism alpha(kPendulum, {with("generalized_alpha, step: " + std::string(i == 0 ? "0.4 ms" : "0.2 ms"))});
    ASSERT_TRUE(alpha.go(0.25));
    EXPECT_LT(alpha.residual(), 1e-4);  // what the method takes is in the ledger
    error[i] = (alpha.vector("strip.tip.position") - want).norm();
  }
  EXPECT_LT(error[1], 2e-4);
  EXPECT_GT(error[0] / error[1], 3);  // second order
  Mechanism explicitly(kPendulum, {with("dormand_prince, tolerance: 1e-8")});
  ASSERT_TRUE(explicitly.go(0.01));
  Mechanism other(kPendulum, {with("radau5, tolerance: 1e-9")});
  ASSERT_TRUE(other.go(0.01));
  EXPECT_LT((explicitly.vector("strip.tip.position") - other.vector("strip.tip.position")).norm(), 1e-6);
}

const char* kFlying = R"yaml(bristle: 1
sections:
  s: {type: general, EA: 1e4, GA2: 1e4, GJ: 500, EI2: 500, mass_per_length: 1, rotary_inertia: [20, 10, 10], center: [0.05, -0.1]}
bodies:
  rod: {type: beam, from: [6, 0, 0], to: [0, 8, 0], up: [4, 3, 0], elements: 10, section: s, damping: 1 ms}
forces:
  push: {type: force, on: rod.start, force: ["8*min(t, max(0, 5 - t))", 0, 0]}
  turn: {type: torque, on: rod.start, torque: [0, "-40*min(t, max(0, 5 - t))", "-80*min(t, max(0, 5 - t))"]}
analysis: {type: transient, end: 7 s, integrator: {type: radau5, tolerance: 1e-8}}
)yaml";

TEST(BeamMotion, a_free_beam_keeps_its_momenta_and_its_ledger) {
  Mechanism trial(kFlying);
  ASSERT_TRUE(trial.go(5.0));
  const auto before = trial.momentum(trial.run().state());
  EXPECT_NEAR(before.linear.x(), 50, 1e-5);  // the area under the force
  ASSERT_TRUE(trial.go(7.0));
  const auto after = trial.momentum(trial.run().state());
  EXPECT_LT((after.linear - before.linear).norm(), 1e-6);
  EXPECT_LT((after.angular - before.angular).norm(), 1e-4);
  EXPECT_LT(trial.residual(), 1e-5);
  EXPECT_GT(trial.run().ledger().dissipated(), 0);
}

/// Spin-up of a cantilever (Simo and Vu-Quoc, On the dynamics of flexible beams under large overall motions, 1986): turned from rest to 6 rad/s
/// in 15 s it lags behind, and afterwards is stretched by m w^2 L^3 / 3 EA = 5.14e-4.
TEST(BeamMotion, spin_up_manoeuvre) {
  Mechanism trial(R"yaml(bristle: 1
sections:
  s: {type: general, EA: 2.8e7, GA2: 1e7, GJ: 1e4, EI2: 1.4e4, mass_per_length: 1.2, rotary_inertia: [1.2e-3, 6e-4, 6e-4]}
bodies:
  rod: {type: beam, from: [0, 0, 0], to: [10, 0, 0], up: y, elements: 10, section: s}
joints:
  hub: {type: revolute, between: [ground, rod.start], at: [0, 0, 0], axis: z, drive: {angle: "if(t < 15, 0.4*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*t - 45)"}}
analysis: {type: transient, end: 20 s, integrator: {type: generalized_alpha, step: 20 ms}}
)yaml");
  double lag = 0;
  for (double t = 0.5; t <= 15; t += 0.5) {
    ASSERT_TRUE(trial.go(t));
    const double angle =
        0.4 * (t * t / 2 + std::pow(15 / (2 * std::acos(-1.0)), 2) * (std::cos(2 * std::acos(-1.0) * t / 15) - 1));
    const Eigen::Vector3d tip = trial.vector("rod.tip.position");
    lag = std::min(lag, -std::sin(angle) * tip.x() + std::cos(angle) * tip.y());
  }
  EXPECT_NEAR(lag, -0.57, 0.03);  // the figure of the paper: between 0.5 and 0.6
  double stretch = 0;
  int count = 0;
  for (double t = 15.5; t <= 20; t += 0.1, ++count) {
    ASSERT_TRUE(trial.go(t));
    stretch += trial.vector("rod.tip.position").norm() - 10;
  }
  EXPECT_NEAR(stretch / count, 36 * 1.2 * 1000 / (3 * 2.8e7), 0.02 * 5.14e-4);
}

/// Contact at a node, with its centre of mass off the axis.
TEST(BeamMotion, the_tip_of_a_falling_beam_strikes_the_floor) {
  Mechanism trial(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: general, EA: 2e3, GA2: 600, GJ: 0.02, EI2: 0.05, mass_per_length: 0.1, rotary_inertia: [2e-4, 1e-4, 1e-4], center: [2 mm, 1 mm]}
bodies:
  strip: {type: beam, from: [0, 0, 0], to: [0.5, 0, 0], elements: 4, section: s, damping: 0.2 ms}
joints:
  root: {type: revolute, between: [ground, strip.start], at: [0, 0, 0], axis: y}
  floor:
    type: contact
    between: [ground, strip.tip]
    surfaces: [{type: plane, at: [0, 0, -0.1], axis: z}, {type: sphere, radius: 10 mm}]
    contact: {type: hunt_crossley, stiffness: 1e5, restitution: 0.7}
analysis: {type: transient, end: 0.3 s, integrator: {type: radau5, tolerance: 1e-7}}
)yaml");
  ASSERT_TRUE(trial.go(0.1));
  EXPECT_GT(trial.read("floor.gap"), 0);
  ASSERT_TRUE(trial.go(0.25));
  EXPECT_GT(trial.run().ledger().dissipated(), 1e-3);
  EXPECT_LT(trial.residual(), 1e-6);
  EXPECT_GT(trial.read("strip.tip.position.z"), -0.0905);
}

/// A mechanism whose drive starts at speed: its beams start as rigid bodies, without strain rates. The link turns with (20, 10, 0) rad/s.
TEST(BeamMotion, beams_between_moving_parts_start_as_rigid_bodies) {
  const System system = assemble(read_model_text(R"yaml(bristle: 1
sections:
  s: {type: general, EA: 23 MN, GA2: 4.4 MN, GJ: 9e3, EI2: 12e3, mass_per_length: 0.85}
bodies:
  crank: {type: beam, from: [1.9, 0.4, 0], to: [1.9, 0.6, 0], elements: 2, section: s}
  link: {type: beam, from: [1.9, 0.6, 0], to: [1.1, 0, 0], elements: 4, section: s}
  slider: {type: rigid, mass: 5, inertia: [0.005, 0.005, 0.005], position: [1.1, 0, 0]}
joints:
  S: {type: revolute, between: [ground, crank.start], at: [1.9, 0.4, 0], axis: x, drive: {speed: 20 rad/s}}
  P: {type: universal, between: [crank.tip, link.start], at: [1.9, 0.6, 0], axis: y, second_axis: z}
  Q: {type: spherical, between: [link.tip, slider], at: [1.1, 0, 0]}
  T: {type: prismatic, between: [ground, slider], at: [1.1, 0, 0], axis: x}
analysis: {type: transient, end: 1 s, integrator: {type: radau5}}
)yaml",
                                                 "model"));
  auto c = channels_of(system, system.make_state());
  for (const char* node : {"start", "1", "2", "3", "tip"}) {
    const std::string w = std::string("link.") + node + ".angular_velocity.";
    EXPECT_NEAR(c[w + "x"], 20, 1e-9);
    EXPECT_NEAR(c[w + "y"], 10, 1e-9);
    EXPECT_NEAR(c[w + "z"], 0, 1e-9);
  }
  EXPECT_NEAR(c["link.2.velocity.z"], 2, 1e-9);
  EXPECT_NEAR(c["slider.velocity.x"], 0, 1e-9);
}

/// Spinning about its middle at the speed given: as a rigid body at the start.
TEST(BeamMotion, starts_as_a_rigid_body) {
  const System system = assemble(read_model_text(R"yaml(bristle: 1
sections:
  s: {type: circle, radius: 10 mm, young: 210 GPa, density: 7850 kg/m^3}
bodies:
  rod: {type: beam, from: [-1, 0, 0], to: [1, 0, 0], elements: 4, section: s, velocity: [0, -3, 0], angular_velocity: [0, 0, 3]}
analysis: {type: transient, end: 1 s, integrator: {type: radau5}}
)yaml",
                                                 "model"));
  auto c = channels_of(system, system.make_state());
  EXPECT_NEAR(c["rod.start.velocity.y"], -3, 1e-14);
  EXPECT_NEAR(c["rod.2.velocity.y"], 0, 1e-14);
  EXPECT_NEAR(c["rod.tip.velocity.y"], 3, 1e-14);
  EXPECT_NEAR(c["rod.1.angular_velocity.z"], 3, 1e-14);
}

}  // namespace
}  // namespace bristle
