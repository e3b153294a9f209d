// What a user may throw at energy_decaying: the energy never grows and nothing becomes undefined, or a sentence names the place.
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

/// Steps until the end, or until the run says why not. The energy with what it supplied never grows beyond Newton's tolerance.
void expect_decay(const std::string& text, const std::string& integrator, double end, bool must_end = true) {
  Trial trial(text, {"analysis.integrator={" + integrator + "}"});
  bristle::Run& run = trial.start();
  double before = run.ledger().energy().total() - run.ledger().supplied(), scale = std::abs(before);
  while (run.state().t < end) {
    if (!run.advance(end)) {
      EXPECT_FALSE(must_end) << run.message();
      EXPECT_NE(run.message().find("'"), std::string::npos) << "names nobody: " << run.message();
      return;
    }
    const Ledger& ledger = run.ledger();
    const double now = ledger.energy().total() - ledger.supplied();
    scale = std::max({scale, ledger.scale(), std::abs(now)});
    ASSERT_TRUE(std::isfinite(now));
    ASSERT_LE(now, before + 1e-9 * scale) << "t = " << run.state().t;
    before = now;
  }
}

std::string analysis() { return "analysis: {type: transient, end: 1e9 s, integrator: {type: energy_decaying, step: 1 ms}}\n"; }

std::string cantilever(double EA, double EI) {
  return fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {{type: general, EA: {:g}, GA2: {:g}, GJ: {:g}, EI2: {:g}, mass_per_length: 1, rotary_inertia: [4e-4, 2e-4, 2e-4]}}
bodies:
  rod: {{type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 6, section: s}}
joints:
  root: {{type: revolute, between: [ground, rod.start], at: [0, 0, 0], axis: y}}
)yaml",
                     EA, 0.4 * EA, EI, EI) +
         analysis();
}

TEST(Robustness, steps_a_thousand_times_too_large) {
  // the fastest vibration takes some 0.3 ms
  for (const char* h : {"0.1 s", "0.3 s", "1 s"})
    expect_decay(cantilever(1e5, 10), std::string("type: energy_decaying, step: ") + h, 20);
}

TEST(Robustness, a_stiffness_ratio_of_1e8_and_the_axially_rigid_limit) {
  expect_decay(cantilever(1e8, 1), "type: energy_decaying, step: 5 ms", 1);
  expect_decay(cantilever(1e12, 100), "type: energy_decaying, step: 5 ms", 1);
}

/// A shallow arch pushed through: it jumps to its other shape.
TEST(Robustness, snap_through) {
  const std::string arch = R"yaml(bristle: 1
sections:
  s: {type: general, EA: 1e5, GA2: 4e4, GJ: 5, EI2: 5, mass_per_length: 1, rotary_inertia: [4e-4, 2e-4, 2e-4]}
bodies:
  left: {type: beam, from: [0, 0, 0], to: [0.5, 0, 0.05], elements: 4, section: s}
  right: {type: beam, from: [0.5, 0, 0.05], to: [1, 0, 0], elements: 4, section: s}
joints:
  a: {type: revolute, between: [ground, left.start], at: [0, 0, 0], axis: y}
  b: {type: revolute, between: [ground, right.tip], at: [1, 0, 0], axis: y}
  crown: {type: fixed, between: [left.tip, right.start], at: [0.5, 0, 0.05]}
forces:
  push: {type: force, on: left.tip, force: [0, 0, "-2000*min(t, 0.5)"]}
)yaml" + analysis();
  for (const char* h : {"1 ms", "20 ms"}) expect_decay(arch, std::string("type: energy_decaying, step: ") + h, 1);
}

/// A rod that is dropped on stiff stops at both ends.
TEST(Robustness, contact_that_chatters) {
  const std::string rod = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: general, EA: 1e5, GA2: 4e4, GJ: 10, EI2: 10, mass_per_length: 1, rotary_inertia: [4e-4, 2e-4, 2e-4]}
bodies:
  rod: {type: beam, from: [0, 0, 0.05], to: [1, 0, 0.06], elements: 6, section: s}
joints:
  left: {type: contact, between: [ground, rod.start], surfaces: [{type: plane, axis: z}, {type: sphere, radius: 10 mm}], contact: {type: linear, stiffness: 1e8}}
  right: {type: contact, between: [ground, rod.tip], surfaces: [{type: plane, axis: z}, {type: sphere, radius: 10 mm}], contact: {type: linear, stiffness: 1e8}}
)yaml" + analysis();
  for (const char* h : {"0.2 ms", "5 ms"}) expect_decay(rod, std::string("type: energy_decaying, step: ") + h, 0.4);
}

/// A shaft that comes to rest on its stop far from zero: steps across the end of the free travel are short against the angle.
TEST(Robustness, a_stop_far_from_zero_keeps_the_balance) {
  const std::string text = R"yaml(bristle: 1
bodies: {shaft: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], angular_velocity: [0, 0, 0.1]}}
joints: {pin: {type: revolute, between: [ground, shaft], at: [0, 0, 0], axis: z, stops: {lower: -1, upper: pi, stiffness: 2000}}}
forces: {wind_up: {type: spring, on: pin.angle, stiffness: 0.3, length: 3.4}}
)yaml" + analysis();
  Trial trial(text, {"analysis.integrator={type: energy_preserving, step: 1 ms}"});
  bristle::Run& run = trial.start();
  ASSERT_TRUE(run.advance_to(6)) << run.message();
  EXPECT_LT(run.ledger().worst_residual(), 1e-11 * run.ledger().scale());
}

/// The same with a table: its corner is the end of the free travel.
TEST(Robustness, a_corner_of_a_table_keeps_the_balance) {
  const std::string text = R"yaml(bristle: 1
bodies: {shaft: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], angular_velocity: [0, 0, 0.1]}}
joints: {pin: {type: revolute, between: [ground, shaft], at: [0, 0, 0], axis: z}}
forces:
  stop: {type: table_spring, on: pin.angle, extension: [0, 3.14, 3.34], force: [0, 0, 400]}
  wind_up: {type: spring, on: pin.angle, stiffness: 0.3, length: 3.4}
)yaml" + analysis();
  Trial trial(text, {"analysis.integrator={type: energy_preserving, step: 1 ms}"});
  bristle::Run& run = trial.start();
  ASSERT_TRUE(run.advance_to(6)) << run.message();
  EXPECT_LT(run.ledger().worst_residual(), 1e-11 * run.ledger().scale());
}

/// A heavy bob on a cable that cannot be stretched: thrown up, it goes slack, buckles and is caught.
const std::string kCable = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  c: {type: general, EA: 1e7, GA2: 4e6, GJ: 1e-2, EI2: 1e-2, mass_per_length: 0.1, rotary_inertia: [4e-6, 2e-6, 2e-6]}
bodies:
  rope: {type: beam, from: [0, 0, 0], to: [0, 0, -1], elements: 10, section: c}
  bob: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, -1.05]}
forces:
  throw: {type: force, on: bob, force: ["if(t < 0.1, 5, 0)", 0, "if(t < 0.1, 60, 0)"]}
joints:
  hook: {type: spherical, between: [ground, rope.start], at: [0, 0, 0]}
  eye: {type: spherical, between: [rope.tip, bob], at: [0, 0, -1]}
)yaml" + analysis();

TEST(Robustness, a_cable_goes_slack) { expect_decay(kCable, "type: energy_decaying, step: 1 ms", 0.08); }
TEST(Robustness, a_cable_goes_slack_and_is_caught_Long) {
  for (const char* h : {"1 ms", "5 ms"}) expect_decay(kCable, std::string("type: energy_decaying, step: ") + h, 1);
}

}  // namespace
}  // namespace bristle
