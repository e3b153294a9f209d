// What a run says about itself: no wrong result with exit code 0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/record/run_reader.h"
#include "cli/program.h"

namespace bristle::test {
namespace {

struct Told {
  Ended ended;
  nlohmann::json json;
};

Told run(const Scratch& scratch, const std::string& text) {
  write_text(scratch / "model.yaml", text);
  Told told{bristle_in(scratch, {"run", "model.yaml", "--json", "--no-report"}), {}};
  if (!told.ended.out.empty()) told.json = nlohmann::json::parse(told.ended.out);
  return told;
}

bool says(const Told& told, const std::string& words) { return told.ended.err.find(words) != std::string::npos; }

std::string pendulum(double height, const std::string& integrator) {
  return fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [1, 0, {0}]}}
joints:
  hinge: {{type: revolute, between: [ground, bob], at: [0, 0, {0}], axis: y}}
analysis: {{type: transient, end: 20 s, integrator: {1}}}
)yaml",
                     height, integrator);
}

TEST(Trust, does_not_depend_on_where_the_zero_of_height_is) {
  Scratch scratch;
  const std::string coarse = "{type: rk4, step: 0.25 s}";
  const Told low = run(scratch, pendulum(0, coarse)), high = run(scratch, pendulum(1000, coarse));
  EXPECT_EQ(low.ended.code, 6) << low.ended.err;
  EXPECT_EQ(high.ended.code, 6) << high.ended.err;
  EXPECT_NEAR(low.json["energy"]["residual"].get<double>(), high.json["energy"]["residual"].get<double>(),
              1e-6 * low.json["energy"]["residual"].get<double>());  // round-off of 1000 m
  const std::string fine = "{type: dormand_prince, tolerance: 1e-8}";
  EXPECT_EQ(run(scratch, pendulum(1000, fine)).ended.code, 0);
}

TEST(Trust, ends_with_code_6_where_energies_overflow) {
  Scratch scratch;
  // an unstable spring grows by exp(t): 1e200 m is a number, its energy is none
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, position: 1 m}}
forces: {push: {type: load, on: block, force: "1e4*block.position"}}
analysis: {type: transient, end: 5 s, integrator: {type: dormand_prince}}
record: {every: 0.1 s}
)yaml");
  EXPECT_NE(told.ended.code, 0);
  EXPECT_TRUE(says(told, "finite")) << told.ended.err;
  EXPECT_FALSE(told.json["trusted"].get<bool>());
}

TEST(Trust, names_an_expression_without_a_value_at_the_start) {
  Scratch scratch;
  for (const char* expression : {"t/t", "log(t)"}) {
    for (const char* integrator : {"radau5", "dormand_prince", "energy_decaying, step: 1 ms", "rk4, step: 1 ms"}) {
      const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{block: {{type: mass, mass: 1 kg}}}}
forces: {{push: {{type: load, on: block, force: "{}"}}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: {}}}}}
)yaml",
                                                 expression, integrator));
      EXPECT_EQ(told.ended.code, 3) << expression << " " << integrator;
      EXPECT_TRUE(says(told, "push")) << told.ended.err;
    }
  }
}

TEST(Trust, names_a_load_without_a_value) {
  Scratch scratch;
  for (const char* integrator : {"radau5", "dormand_prince", "energy_decaying, step: 1 ms", "rk4, step: 1 ms"}) {
    const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{block: {{type: mass, mass: 1 kg, velocity: 1 m/s}}}}
joints: {{pad: {{type: sliding, between: [ground, block], load: "10*sqrt(0.1 - t)", friction: {{type: coulomb, mu_kinetic: 0.3}}}}}}
analysis: {{type: transient, end: 0.2 s, integrator: {{type: {}}}}}
)yaml",
                                               integrator));
    EXPECT_EQ(told.ended.code, 3) << integrator << told.ended.err;
    EXPECT_TRUE(says(told, "pad")) << told.ended.err;
  }
}

TEST(Trust, refuses_forces_that_are_expressions_of_themselves) {
  Scratch scratch;
  const auto with = [&](const std::string& forces) {
    return run(scratch, "bristle: 1\nbodies: {block: {type: mass, mass: 1 kg}}\nforces:\n" + forces +
                            "analysis: {type: transient, end: 1 s, integrator: {type: radau5}}\n");
  };
  const Told self = with("  f: {type: load, on: block, force: \"f.force + 1\"}\n");
  EXPECT_EQ(self.ended.code, 2);
  EXPECT_TRUE(says(self, "model.yaml:4:")) << self.ended.err;
  EXPECT_TRUE(says(self, "f.force")) << self.ended.err;
  const Told each_other =
      with("  f: {type: load, on: block, force: \"g.force + 1\"}\n  g: {type: load, on: block, force: \"0.5*f.force\"}\n");
  EXPECT_EQ(each_other.ended.code, 2);
  // one that only follows another is none
  const Told row =
      with("  f: {type: load, on: block, force: \"sin(t)\"}\n  g: {type: load, on: block, force: \"0.5*f.force\"}\n");
  EXPECT_EQ(row.ended.code, 0) << row.ended.err;
}

TEST(Trust, is_lost_when_penalties_let_joints_come_apart) {
  Scratch scratch;
  std::string text = pendulum(0, "{type: rk4, step: 1 ms}");
  text.replace(text.find("end: 20 s"), 9, "end: 1 s, enforcement: {type: penalty, penalty: 100}");
  const Told told = run(scratch, text);
  EXPECT_NE(told.ended.code, 0);
  EXPECT_TRUE(says(told, "hinge")) << told.ended.err;
}

TEST(Trust, shows_constraint_errors_as_channels_and_in_the_summary) {
  Scratch scratch;
  const Told told = run(scratch, pendulum(0, "{type: dormand_prince, tolerance: 1e-8}"));
  EXPECT_EQ(told.ended.code, 0) << told.ended.err;
  EXPECT_LT(told.json["constraint_error"]["position"].get<double>(), 1e-7);  // ten times the tolerance
  const RunFile file = read_run((scratch / "model_out").string(), {"constraint_error.*"});
  ASSERT_EQ(file.channels.size(), 2U);
  EXPECT_EQ(file.channels[0].values.size(), file.time.size());
}

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

/// A force that changes its sign 1e13 times a second: no error estimate lets a step be longer than that.
TEST(Trust, ends_a_run_that_will_not_see_its_end) {
  Scratch scratch;
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg}}
forces: {buzz: {type: load, on: block, force: "1e13*sin(1e13*t)"}}
analysis: {type: transient, end: 1000 s, integrator: {type: dormand_prince}}
record: {every: 1 s}
)yaml");
  EXPECT_EQ(told.ended.code, 3);
  EXPECT_TRUE(says(told, "out of reach")) << told.ended.err;
}

TEST(Clock, counts_equal_steps) {
  Scratch scratch;
  // 0.1 ms is no binary number: its sums drift, and end in a sliver of a step
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, velocity: 1 m/s}}
analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 0.1 ms}}
record: {every: 1 ms}
)yaml");
  EXPECT_EQ(told.json["steps"]["accepted"].get<int>(), 100000);
  const RunFile file = read_run((scratch / "model_out").string());
  ASSERT_EQ(file.time.size(), 10001U);
  double off = 0;
  for (std::size_t i = 0; i < file.time.size(); ++i) off = std::max(off, std::abs(file.time[i] - 1e-3 * static_cast<double>(i)));
  EXPECT_LT(off, 2e-14);  // a few roundings at 10 s
}

}  // namespace
}  // namespace bristle::test
