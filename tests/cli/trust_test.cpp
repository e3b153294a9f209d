// What a run says about itself: no wrong result with exit code 0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/record/run_reader.h"
#include "cli/told.h"

namespace bristle::test {
namespace {

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
  // 1e200 m/s is a number, its energy is none
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, velocity: 1e200 m/s}}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince}}
record: {every: 0.1 s}
)yaml");
  EXPECT_EQ(told.ended.code, 6) << told.ended.err;
  EXPECT_TRUE(says(told, "the energies have no finite value")) << told.ended.err;
  EXPECT_FALSE(told.json["trusted"].get<bool>());
}

TEST(Trust, ends_with_code_3_where_a_motion_runs_away_to_no_number) {
  Scratch scratch;
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, position: 1 m}}
forces: {push: {type: load, on: block, force: "1e4*block.position"}}
analysis: {type: transient, end: 5 s, integrator: {type: dormand_prince}}
record: {every: 0.1 s}
)yaml");
  EXPECT_EQ(told.ended.code, 3) << told.ended.err;
  EXPECT_TRUE(says(told, "the motion has run away")) << told.ended.err;
  EXPECT_TRUE(says(told, "'push'")) << told.ended.err;
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

TEST(Trust, names_the_motion_that_steps_of_an_explicit_method_are_too_long_for) {
  Scratch scratch;
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {slow: {type: mass, mass: 1 kg, position: 0.1}, quick: {type: mass, mass: 1 kg, position: 0.1}}
forces: {soft: {type: spring, on: slow, stiffness: 1}, hard: {type: spring, on: quick, stiffness: 1e6}}
analysis: {type: transient, end: 100 s, integrator: {type: rk4, step: 50 ms}}
)yaml");
  EXPECT_EQ(told.ended.code, 3);
  EXPECT_TRUE(says(told, "steps of 0.05 s are too long for force balance of 'quick'")) << told.ended.err;
  EXPECT_TRUE(says(told, "a rate of 1e+03 1/s")) << told.ended.err;  // the square root of 1e6
  EXPECT_TRUE(says(told, "steps of 0.0028 s at most")) << told.ended.err;
}

/// A parallelogram that lies flat on its way.
TEST(Trust, records_singular_positions_as_events) {
  Scratch scratch;
  const Told told = run(scratch, R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  r0: {type: planar, mass: 1, inertia: "1/12", position: [0, 0.5], angular_velocity: -1}
  r1: {type: planar, mass: 1, inertia: "1/12", position: [1, 0.5], angular_velocity: -1}
  t0: {type: planar, mass: 1, inertia: "1/12", position: [0.5, 1]}
joints:
  a0: {type: revolute, between: [ground, r0], at: [0, 0, 0], axis: z}
  a1: {type: revolute, between: [ground, r1], at: [1, 0, 0], axis: z}
  b0: {type: revolute, between: [r0, t0], at: [0, 1, 0], axis: z}
  c0: {type: revolute, between: [r1, t0], at: [1, 1, 0], axis: z}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince, tolerance: 1e-6}}
)yaml");
  EXPECT_EQ(told.ended.code, 0) << told.ended.err;
  const RunFile file = read_run((scratch / "model_out").string());
  ASSERT_GE(file.events.size(), 1U);
  const RunEvent& first = file.events.front();
  EXPECT_EQ(first.what, "near a singular position");
  EXPECT_EQ(first.element, "c0");
  EXPECT_NEAR(first.t, 0.7, 0.02);  // flat at 0.72 s; near it a little before
}

/// A cable of bars that take tension only, held at both ends: the verdict of statics is about the same motions as modes about the equilibrium.
TEST(Statics, of_a_slack_cable_has_the_lowest_frequency_that_modes_finds) {
  Scratch scratch;
  const auto cable = [](const char* analysis) {
    return fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  chain: {{type: bar, from: [0, 0, 0], to: [1, 0, 0], elements: 10, EA: 1e5, mass_per_length: 1, length: 1.5, tension_only: true}}
joints:
  a: {{type: spherical, between: [ground, chain.start], at: [0, 0, 0]}}
  b: {{type: spherical, between: [ground, chain.tip], at: [1, 0, 0]}}
analysis: {}
)yaml",
                       analysis);
  };
  const Told statics = run(scratch, cable("{type: statics}"));
  ASSERT_EQ(statics.ended.code, 0) << statics.ended.err;
  const Told modes = run(scratch, cable("{type: modes, about: equilibrium}"));
  ASSERT_EQ(modes.ended.code, 0) << modes.ended.err;
  EXPECT_EQ(statics.json["stability"].get<std::string>(), "stable") << statics.json;
  const auto squares = statics.json["squares_of_angular_frequencies"];
  for (std::size_t i = 0; i < 10; ++i) {
    const double omega = modes.json["modes"][i]["angular_frequency"].get<double>();
    EXPECT_NEAR(std::sqrt(squares[i].get<double>()), omega, 1e-4 * omega) << i;  // tangents by differences
  }
}

/// A ball on a floor with stiffness: contact lasts 2 ms.
TEST(Trust, says_when_fixed_steps_are_too_long_for_an_impact) {
  Scratch scratch;
  const auto ball = [&](const std::string& integrator) {
    return run(scratch, fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {{ball: {{type: rigid, mass: 1 kg, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.25]}}}}
joints:
  floor: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 50 mm}}],
          contact: {{type: flores, stiffness: 1e8 N/m^1.5, restitution: 0.8}}}}
analysis: {{type: transient, end: 0.5 s, integrator: {{type: {}}}}}
)yaml",
                                    integrator));
  };
  for (const char* method : {"energy_decaying", "rk4", "generalized_alpha"}) {
    // the rebound is 1.5 to 6 % off at six steps to a contact, 0.3 % at eighteen
    const Told coarse = ball(fmt::format("{}, step: 0.3 ms", method));
    EXPECT_TRUE(says(coarse, "'floor' touches at 1.98 m/s and lets go 6 steps later")) << method << coarse.ended.err;
    const Told fine = ball(fmt::format("{}, step: 0.1 ms", method));
    EXPECT_TRUE(fine.json["notes"].empty()) << method << fine.ended.err;
    EXPECT_EQ(fine.ended.code, 0) << method << fine.ended.err;
  }
  EXPECT_TRUE(ball("dormand_prince").json["notes"].empty());
}

TEST(Trust, says_when_bonds_break_inside_the_steps_of_an_energy_scheme) {
  Scratch scratch;
  const auto belt = [&](const std::string& integrator) {
    return run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{belt: {{type: driven, velocity: 0.1 m/s}}, idle: {{type: mass, mass: 1 kg}}}}
joints: {{pad: {{type: sliding, between: [ground, belt], load: 10 N, friction: {{type: haessig_friedland, mu_kinetic: 0.3, sigma0: 1e3 1/m}}}}}}
analysis: {{type: transient, end: 0.2 s, integrator: {{type: {}}}}}
)yaml",
                                    integrator));
  };
  const Told coarse = belt("energy_decaying, step: 10 ms");
  EXPECT_TRUE(says(coarse, "bonds of a friction law break that the step does not see")) << coarse.ended.err;
  EXPECT_TRUE(belt("energy_decaying, tolerance: 1e-4").json["notes"].empty());
  EXPECT_TRUE(belt("rk4, step: 10 ms").json["notes"].empty());
}

TEST(Trust, says_when_a_body_turns_far_in_a_step) {
  Scratch scratch;
  const auto top = [&](double step) {
    return run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{top: {{type: rigid, mass: 1 kg, inertia: [1e-3, 2e-3, 3e-3], angular_velocity: [1, 1, 500]}}}}
analysis: {{type: transient, end: 0.1 s, integrator: {{type: energy_decaying, step: {} s}}}}
)yaml",
                                    step));
  };
  EXPECT_TRUE(says(top(4e-3), "'top' turns by 2 rad in a step")) << top(4e-3).ended.err;
  EXPECT_TRUE(top(4e-4).json["notes"].empty());
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

/// Two drives of one motion that part by a milliradian: at most one of them is kept.
TEST(Trust, is_lost_when_drives_contradict_each_other) {
  Scratch scratch;
  for (const char* method :
       {"{type: generalized_alpha, step: 1 ms}", "{type: newmark, step: 1 ms}", "{type: energy_decaying, step: 1 ms}",
        "{type: energy_preserving, step: 1 ms}", "radau5", "dormand_prince", "{type: moreau_jean, step: 1 ms}"}) {
    const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{a: {{type: planar, mass: 1, inertia: 0.1, position: [0.1, 0]}}}}
joints:
  p: {{type: revolute, between: [ground, a], at: [0, 0], drive: {{angle: "t"}}}}
  q: {{type: revolute, between: [ground, a], at: [0, 0], drive: {{angle: "t + 1e-3*t^3"}}}}
analysis: {{type: transient, end: 1 s, integrator: {}}}
)yaml",
                                               method));
    EXPECT_TRUE(told.ended.code == 6 || told.ended.code == 3) << method << told.ended.code;
    EXPECT_TRUE(says(told, "kept together")) << method << told.ended.err;
    EXPECT_TRUE(says(told, "(drive of angle)")) << method << told.ended.err;
  }
}

/// A mass between a spring and friction of a slope of 1e9: radau5 gives the truth.
TEST(Trust, is_lost_when_a_method_brings_energy_in) {
  Scratch scratch;
  for (const char* method : {"{type: hht, step: 10 ms}", "{type: generalized_alpha, step: 10 ms}", "{type: hht, step: 1 ms}",
                             "{type: generalized_alpha, step: 1 ms}", "radau5"}) {
    const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{b: {{type: mass, mass: 1 kg, velocity: 1}}}}
joints: {{pad: {{type: sliding, between: [ground, b], load: 10 N, friction: {{type: tanh_slope, mu_kinetic: 0.3, slope: 1e9}}}}}}
forces: {{s: {{type: spring, on: b, stiffness: 100}}}}
analysis: {{type: transient, end: 1 s, integrator: {}}}
)yaml",
                                               method));
    const double brought = told.json["energy"]["brought_in"].get<double>();  // of the energy there was
    if (std::string(method).find("10 ms") != std::string::npos) {
      EXPECT_GT(brought, 0.1) << method;  // thirty newtons times a slip that overshoots by a step
    }
    EXPECT_EQ(brought > 0.02, says(told, "the method itself has brought energy in")) << method << told.ended.err;
    EXPECT_EQ(brought > 0.02, told.ended.code == 6) << method << told.ended.err;
    EXPECT_EQ(brought > 0.02, !told.json["trusted"].get<bool>()) << method << told.ended.err;
    if (told.ended.code == 0) {  // it stands since 0.9 s, or shakes by what friction gives in one step, 3 N * 1 ms
      EXPECT_LT(told.json["energy"]["kinetic"].get<double>(), 4.5e-6) << method;
    }
    if (std::string(method) == "radau5") {
      EXPECT_EQ(told.ended.code, 0);
    }
  }
}

TEST(Trust, says_how_well_rigid_contacts_are_settled) {
  Scratch scratch;
  const auto tower = [](int iterations) {
    std::string bodies, joints;
    for (int i = 0; i < 6; ++i) {
      bodies += fmt::format("  b{}: {{type: rigid, mass: 1 kg, shape: {{type: sphere, radius: 50 mm}}, position: [0, 0, {}]}}\n",
                            i, 0.05 + 0.1 * i);
      joints += fmt::format(
          "  j{0}: {{type: contact, between: [{1}, b{0}], surfaces: [{2}, {{type: sphere, radius: 50 mm}}], contact: "
          "{{type: rigid, restitution: 0}}, friction: {{type: coulomb, mu_kinetic: 0.3}}}}\n",
          i, i == 0 ? "ground" : fmt::format("b{}", i - 1), i == 0 ? "{type: plane, axis: z}" : "{type: sphere, radius: 50 mm}");
    }
    return fmt::format(
        "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n{}joints:\n{}analysis: {{type: transient, end: 0.01 s, "
        "integrator: {{type: moreau_jean, step: 1 ms, solver: sweeps, iterations: {}}}}}\n",
        bodies, joints, iterations);
  };
  const Told hasty = run(scratch, tower(1));
  ASSERT_TRUE(hasty.json.contains("contacts")) << hasty.ended.err;
  EXPECT_GT(hasty.json["contacts"]["unsettled_steps"].get<int>(), 0);
  EXPECT_GT(hasty.json["contacts"]["worst"].get<double>(), hasty.json["contacts"]["tolerance"].get<double>());
  EXPECT_EQ(hasty.json["contacts"]["worst_place"].get<std::string>().substr(0, 1), "j");
  const Told patient = run(scratch, tower(1000));
  EXPECT_EQ(patient.json["contacts"]["unsettled_steps"].get<int>(), 0);
}

/// Five blocks on each other, hit by a ball: sweeps end when no contact is off by more than a speed, and the run tells both.
TEST(Trust, tells_sweeps_and_the_speed_to_which_they_go) {
  Scratch scratch;
  const auto stack = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "run", (kExamples / "block_stack/model.yaml").string(), "--no-report", "--set", "analysis.end=0.4 s", "-o", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return bristle_in(scratch, arguments);
  };
  const Ended told = stack({});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_NE(told.out.find("sweeps over contacts"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("not settled to 1e-09 m/s: worst"), std::string::npos) << told.out;
  // sweeps on average, of 500 at most. A nanometre per second is more than five blocks on four corners each need
  for (const auto& [speed, most] : {std::pair{1e-9, 250.0}, std::pair{1e-4, 60.0}, std::pair{1e-3, 30.0}}) {
    const Ended ended = stack(
        {"--json", "--set", fmt::format("analysis.integrator={{type: moreau_jean, step: 1 ms, speed_tolerance: {}}}", speed)});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const nlohmann::json json = nlohmann::json::parse(ended.out);
    EXPECT_EQ(json["contacts"]["tolerance"].get<double>(), speed);
    EXPECT_LT(json["contact_sweeps"].get<double>() / json["steps"]["accepted"].get<double>(), most) << speed;
    if (speed > 1e-5) {
      EXPECT_EQ(json["contacts"]["unsettled_steps"].get<int>(), 0) << json["contacts"];
    }
  }
}

/// A chain of 2000 rigid bodies: its channels are written in a file that can be read.
TEST(Results, LongOfAChainOfTwoThousandBodiesAreWritten) {
  constexpr int n = 2000;
  std::string bodies, joints;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  l{}: {{type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [{}, 0, 0]}}\n", i, i + 0.5);
    joints += fmt::format("  j{}: {{type: spherical, between: [{}, l{}], at: [{}, 0, 0]}}\n", i,
                          i == 0 ? "ground" : fmt::format("l{}", i - 1), i, i);
  }
  Scratch scratch;
  const Told told = run(
      scratch, fmt::format("bristle: 1\ngravity: [0, -9.81, 0]\nbodies:\n{}joints:\n{}analysis: {{type: transient, end: 4 ms, "
                           "integrator: {{type: energy_decaying, step: 1 ms}}}}\nrecord: {{every: 4 ms}}\n",
                           bodies, joints));
  ASSERT_EQ(told.ended.code, 0) << told.ended.err;
  EXPECT_EQ(told.json["steps"]["accepted"].get<int>(), 4);
  EXPECT_EQ(told.json["steps"]["rejected"].get<int>(), 0);
  const RunFile file = read_run((scratch / "model_out").string(), {"l1900.position.y"});
  ASSERT_EQ(file.channels.size(), 1U);
  EXPECT_NEAR(file.channels[0].values.back(), -9.81 * 16e-6 / 2, 1e-12);  // far from where it is held it falls freely
}

TEST(Results, have_the_bristle_of_a_law_as_a_channel) {
  Scratch scratch;
  const Told told = run(scratch, R"yaml(bristle: 1
bodies: {belt: {type: driven, velocity: 0.1 m/s}, idle: {type: mass, mass: 1 kg}}
joints:
  pad: {type: sliding, between: [ground, belt], load: 10 N, friction: {type: dahl, mu_kinetic: 0.3, sigma0: 1e3 1/m}}
analysis: {type: transient, end: 1 s, integrator: {type: radau5, tolerance: 1e-10}}
record: {every: 1 ms}
)yaml");
  ASSERT_EQ(told.ended.code, 0) << told.ended.err;
  const RunFile file = read_run((scratch / "model_out").string());
  const RunChannel *bristle = file.find("pad.bristle"), *force = file.find("pad.friction_force");
  ASSERT_TRUE(bristle != nullptr && force != nullptr);
  for (std::size_t i = 0; i < file.time.size(); i += 10)
    EXPECT_NEAR(0.3 * 10 * bristle->values[i], force->values[i], 1e-9) << i;  // its page: F = mu_kinetic N z
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

TEST(Clock, neither_drifts_nor_ends_in_a_sliver_after_a_million_steps) {
  Scratch scratch;
  for (const char* method : {"rk4", "trapezoidal", "radau3", "generalized_alpha", "newmark", "energy_decaying", "moreau_jean"}) {
    const bool many = std::string(method) == "rk4";  // the others as many as take no time
    const int steps = many ? 1000000 : 100000;
    const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{block: {{type: mass, mass: 1 kg, velocity: 1 m/s}}}}
analysis: {{type: transient, end: {} s, integrator: {{type: {}, step: 0.1 ms}}}}
record: {{every: {}}}
)yaml",
                                               1e-4 * steps, method, many ? "0.7 s" : "step"));
    EXPECT_EQ(told.json["steps"]["accepted"].get<int>(), steps) << method;
    const RunFile file = read_run((scratch / "model_out").string());
    ASSERT_EQ(file.time.size(), many ? 144U : 100001U) << method;  // 142 times 0.7 s, the start and the end
    double off = 0;
    for (std::size_t i = 0; i + 1 < file.time.size(); ++i)
      off = std::max(off, std::abs(file.time[i] - (many ? 0.7 : 1e-4) * static_cast<double>(i)));
    EXPECT_LT(off, many ? 2e-13 : 2e-14) << method;  // a few roundings at the end
    EXPECT_EQ(file.time.back(), 1e-4 * steps) << method;
  }
}

/// A mass beside its guide, drawn so that friction presses it on: the gain is 2 mu e / l = 6 mu with e = 0.3 m, l = 0.1 m.
TEST(Trust, names_a_joint_that_slides_beyond_its_wedging_limit) {
  Scratch scratch;
  const auto slide = [&](double mu, const std::string& integrator) {
    return run(scratch, fmt::format(R"yaml(bristle: 1
bodies: {{slider: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0.3, 0], velocity: [0.5, 0, 0]}}}}
joints:
  guide: {{type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: x, width: 20 mm, length: 0.1, friction: {{type: coulomb, mu_kinetic: {}}}}}
forces: {{push: {{type: force, on: slider, at: [0, 0.2, 0], force: [2, 0, 0]}}}}
analysis: {{type: transient, end: 0.3 s, integrator: {{type: {}}}}}
)yaml",
                                    mu, integrator));
  };
  for (const char* integrator :
       {"rk4, step: 1 ms", "dormand_prince", "radau5", "energy_decaying, step: 1 ms", "generalized_alpha, step: 1 ms"}) {
    const Told beyond = slide(0.3, integrator);
    EXPECT_EQ(beyond.ended.code, 6) << integrator << beyond.ended.err;
    EXPECT_TRUE(says(beyond, "joint 'guide' (tilt about y) make 1.8 times as much friction again")) << beyond.ended.err;
    const Told below = slide(0.15, integrator);
    EXPECT_EQ(below.ended.code, 0) << integrator << below.ended.err;
  }
}

/// Where nothing moves, the round-off of four contacts is no energy that a ledger could be held against.
TEST(Trust, is_not_lost_over_the_round_off_of_a_box_at_rest) {
  Scratch scratch;
  for (const char* integrator : {"dormand_prince", "radau5"}) {
    const Told told = run(scratch, fmt::format(R"yaml(bristle: 1
gravity: [0, -9.81]
bodies: {{box: {{type: planar, mass: 2, inertia: 0.03, position: [0, 0.049937813]}}}}
joints:
  floor:
    type: contact
    between: [ground, box]
    overlap: keep
    surfaces: [{{type: line}}, {{type: polygon, corners: [[-0.2, -0.05], [0.2, -0.05], [0.2, 0.05], [-0.2, 0.05]]}}]
    contact: {{type: flores, stiffness: 2e7, restitution: 0.5}}
    friction: {{type: coulomb, mu_kinetic: 0.6}}
analysis: {{type: transient, end: 0.3, integrator: {{type: {}}}}}
)yaml",
                                               integrator));
    EXPECT_EQ(told.ended.code, 0) << integrator << told.ended.err;
  }
}

/// A box that stops on a slope rattles on its stiff feet for some steps of 0.2 ms: whether it then holds is chance.
TEST(Trust, notes_contacts_that_touch_and_part_from_step_to_step) {
  Scratch scratch;
  const Told told = run(scratch, R"yaml(bristle: 1
gravity: [-3.3552176, 0, -9.2183847]
bodies:
  box: {type: rigid, mass: 2, shape: {type: box, size: [0.4, 0.3, 0.1]}, position: [0, 0, 0.049940323], velocity: [0.5, 0, 0]}
joints:
  floor:
    type: contact
    between: [ground, box]
    overlap: keep
    surfaces: [{type: plane, axis: z}, {type: box, size: [0.4, 0.3, 0.1]}]
    contact: {type: flores, stiffness: 1e7, restitution: 0.5}
    friction: {type: stiction, mu_kinetic: 0.3, mu_static: 0.6}
analysis: {type: transient, end: 0.5, integrator: {type: energy_decaying, step: 0.2 ms}}
)yaml");
  EXPECT_TRUE(says(told, "touches and lets go") && says(told, "'floor.1'")) << told.ended.err;
}

}  // namespace
}  // namespace bristle::test
