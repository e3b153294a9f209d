// Small motions and machines at rest: noted where they are not followed, no alarm where nothing is wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/told.h"

namespace bristle::test {
namespace {

/// An arm that friction and joints hold: forces of 100 N, nothing moves.
TEST(Trust, raises_no_alarm_over_a_machine_at_rest) {
  Scratch scratch;
  for (const char* integrator :
       {"dormand_prince", "radau5", "generalized_alpha, step: 1 ms", "energy_decaying, step: 1 ms", "cvode"}) {
    for (const char* friction :
         {"{type: coulomb, mu_kinetic: 0.8}", "{type: lugre, mu_kinetic: 0.8, mu_static: 0.9, sigma0: 1e5, sigma1: 300}"}) {
      const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  arm: {{type: rigid, mass: 10, inertia: [0.1, 0.9, 0.9], position: [0.02, 0, 0]}}
joints:
  hinge: {{type: revolute, between: [ground, arm], at: [0, 0, 0], axis: y, pin_radius: 50 mm, friction: {}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: {}}}}}
)yaml",
                                                 friction, integrator));
      EXPECT_EQ(told.ended.code, 0) << integrator << " " << friction << "\n" << told.ended.err;
    }
  }
}

TEST(Trust, says_when_motion_is_smaller_than_what_is_followed) {
  Scratch scratch;
  const auto oscillator = [&](double size) {
    return run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{block: {{type: mass, mass: 1 kg, position: {} m}}}}
forces: {{spring: {{type: spring, between: [ground, block], stiffness: 1 N/m}}}}
analysis: {{type: transient, end: 10 s, integrator: {{type: dormand_prince}}}}
)yaml",
                                    size));
  };
  EXPECT_TRUE(oscillator(1).json["notes"].empty());
  const Told small = oscillator(1e-8);
  ASSERT_EQ(small.json["notes"].size(), 1U);
  EXPECT_TRUE(says(small, "absolute_tolerance")) << small.ended.err;
}

TEST(Trust, says_which_coordinate_moves_too_little_beside_others_that_move_far) {
  Scratch scratch;
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, position: 1e-8 m}, big: {type: mass, mass: 1, velocity: 1}}
forces: {s: {type: spring, on: block, stiffness: 10}}
analysis: {type: transient, end: 3 s, integrator: cvode}
)yaml");
  ASSERT_EQ(told.json["notes"].size(), 1U) << told.ended.err;
  EXPECT_TRUE(says(told, "'block' moves by no more than")) << told.ended.err;
}

/// Stick-slip on a belt, everything a hundred thousand times smaller: it moves far beside its speed.
TEST(Trust, says_when_speeds_are_smaller_than_what_is_followed) {
  Scratch scratch;
  for (const char* integrator : {"dormand_prince", "cvode", "energy_decaying, tolerance: 1e-6"}) {
    const auto belt = [&](double size) {
      return run(scratch, fmt::format(R"yaml(bristle: 1
bodies:
  belt: {{type: driven, velocity: {} m/s}}
  block: {{type: mass, mass: 1 kg}}
joints: {{pad: {{type: sliding, between: [belt, block], load: {} N, friction: {{type: stiction, mu_kinetic: 0.3, mu_static: 0.4}}}}}}
forces: {{spring: {{type: spring, on: block, stiffness: 100, damping: 1}}}}
analysis: {{type: transient, end: 10 s, integrator: {{type: {}}}}}
)yaml",
                                      0.1 * size, 10 * size, integrator));
    };
    EXPECT_TRUE(belt(1).json["notes"].empty()) << integrator;
    EXPECT_TRUE(says(belt(1e-5), "absolute_tolerance")) << integrator;
  }
}

TEST(Trust, does_not_call_small_what_joints_hold) {
  Scratch scratch;
  for (const char* integrator : {"dormand_prince", "radau5"}) {
    const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
bodies:
  a: {{type: mass, mass: 1 kg, velocity: 1 m/s}}
  b: {{type: mass, mass: 1 kg, velocity: 1 m/s}}
  c: {{type: mass, mass: 1 kg}}
joints:
  bar: {{type: constraint, zero: "a.position - b.position + 1e-3*c.position"}}
  foot: {{type: constraint, zero: "c.position"}}
forces: {{s: {{type: spring, on: a, stiffness: 100}}}}
analysis: {{type: transient, end: 3 s, integrator: {{type: {}}}}}
)yaml",
                                               integrator));
    EXPECT_EQ(told.ended.code, 0) << told.ended.err;
    EXPECT_TRUE(told.json["notes"].empty()) << told.ended.err;
  }
}

/// Undamped bristles ring on for ever below what the tolerance follows, and creep with every swing: true creep is a half of what comes out.
TEST(Trust, says_when_bristles_ring_on) {
  Scratch scratch;
  for (const char* integrator : {"dormand_prince", "radau5"}) {
    const auto held = [&](const char* law) {
      return run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{m: {{type: mass, mass: 1 kg}}}}
forces: {{p: {{type: load, on: m, force: 2}}}}
joints: {{pad: {{type: sliding, on: m, load: 10 N, friction: {}}}}}
analysis: {{type: transient, end: 200 s, integrator: {{type: {}}}}}
record: {{every: 10 s}}
)yaml",
                                      law, integrator));
    };
    const Told rings = held("{type: dahl, mu_kinetic: 0.3}");
    EXPECT_EQ(rings.ended.code, 0) << rings.ended.err;
    EXPECT_TRUE(says(rings, "'pad' sticks and rings on its bristles")) << integrator << rings.ended.err;
    const Told damped = held("{type: lugre, mu_kinetic: 0.3, mu_static: 0.4, sigma1: 100}");
    EXPECT_FALSE(says(damped, "rings on its bristles")) << integrator << damped.ended.err;
  }
}

/// A block that friction holds while its load swings: round-off is all the energy there is.
TEST(Trust, raises_no_alarm_over_a_block_at_rest) {
  Scratch scratch;
  for (const char* friction : {"{type: coulomb, mu_kinetic: 0.3}", "{type: stiction, mu_kinetic: 0.3, mu_static: 0.4}"}) {
    for (const char* method : {"energy_decaying, step: 1 ms", "energy_preserving, step: 1 ms", "generalized_alpha, step: 1 ms",
                               "rk4, step: 1 ms", "radau5", "dormand_prince"}) {
      const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{a: {{type: mass, mass: 1 kg}}}}
forces: {{k: {{type: spring, on: a, stiffness: 1000}}, p: {{type: load, on: a, force: "0.5*sin(5*t)"}}}}
joints: {{g: {{type: sliding, on: a, load: 10 N, friction: {}}}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: {}}}}}
)yaml",
                                                 friction, method));
      EXPECT_EQ(told.ended.code, 0) << friction << ", " << method << "\n" << told.ended.err;
    }
  }
}

TEST(Trust, asks_no_more_digits_of_a_small_motion_than_the_tolerance_does) {
  Scratch scratch;
  const auto slow = [&](double tolerance) {
    return run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{block: {{type: mass, mass: 1 kg, position: 5 mm}}}}
forces: {{spring: {{type: spring, between: [ground, block], stiffness: 1 N/m}}}}
analysis: {{type: transient, end: 10 s, integrator: {{type: dormand_prince, tolerance: {}}}}}
)yaml",
                                    tolerance));
  };
  // 5 mm/s with an absolute tolerance of 1e-5: two and a half digits, more than were asked for
  EXPECT_TRUE(slow(1e-2).json["notes"].empty());
  EXPECT_TRUE(slow(1e-6).json["notes"].empty());
}

}  // namespace
}  // namespace bristle::test
