// Analyses beside the transient one, as a user starts them: files, tables, JSON, exit codes.
#include <nlohmann/json.hpp>

#include "bristle/record/run_reader.h"
#include "cli/program.h"

namespace bristle::test {
namespace {

using Json = nlohmann::json;

const std::string kCrank = R"yaml(bristle: 1
title: slider-crank
gravity: [0, -9.81, 0]
bodies:
  crank: {type: planar, mass: 1, inertia: 0.01, position: [0, 0.05], angle: 90 deg}
  rod: {type: planar, mass: 1, inertia: 0.01, position: ["0.5*sqrt(0.08)", 0.05]}
  slider: {type: planar, mass: 1, inertia: 0.01, position: ["sqrt(0.08)", 0]}
joints:
  o: {type: revolute, between: [ground, crank], at: [0, 0, 0], DRIVE}
  a: {type: revolute, between: [crank, rod], at: [0, 0.1, 0]}
  b: {type: revolute, between: [rod, slider], at: ["sqrt(0.08)", 0, 0]}
  guide: {type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: x}
forces:
  motor: {type: load, on: o.angle, force: 0}
analysis: {ANALYSIS}
)yaml";

std::string crank(const std::string& drive, const std::string& analysis) {
  std::string text = kCrank;
  text.replace(text.find("DRIVE"), 5, drive.empty() ? "axis: z" : "drive: " + drive);
  text.replace(text.find("ANALYSIS"), 8, analysis);
  return text;
}

TEST(ProgramAnalyses, inverse_dynamics_writes_a_run_and_tells_the_drive) {
  Scratch scratch;
  write_text(scratch / "m.yaml", crank("{speed: 2*pi}", "type: inverse_dynamics, end: 1 s, every: 20 ms"));
  const Ended ended = bristle_in(scratch, {"run", "m.yaml", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["end"], "finished");
  EXPECT_EQ(json["samples"], 51);
  EXPECT_EQ(json["drives"]["o.drive"]["unit"], "N m");
  EXPECT_GT(json["drives"]["o.drive"]["rms"].get<double>(), 0);
  const RunFile run = read_run((scratch / "m_out").string());
  EXPECT_EQ(run.time.size(), 51u);
  ASSERT_NE(run.find("o.drive.force"), nullptr);
  EXPECT_EQ(run.frames.size(), 3u);
  EXPECT_TRUE(fs::exists(scratch / "m_out/report.html"));
  const Ended table = bristle_in(scratch, {"run", "m.yaml"});
  EXPECT_NE(table.out.find("o.drive           peak"), std::string::npos) << table.out;
}

TEST(ProgramAnalyses, kinematics_beyond_the_travel_ends_with_3_and_keeps_what_it_has) {
  Scratch scratch;
  std::string text = crank("", "type: kinematics, end: 2 s, every: 10 ms");
  text.replace(text.find("axis: x}"), 8, "axis: x, drive: {velocity: 0.1 m/s}}");
  write_text(scratch / "m.yaml", text);
  const Ended ended = bristle_in(scratch, {"run", "m.yaml"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("t = 1.17"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("joint 'guide'"), std::string::npos) << ended.err;
  const RunFile run = read_run((scratch / "m_out").string());
  EXPECT_EQ(run.status.end, RunStatus::End::failed);
  EXPECT_EQ(run.time.size(), 118u);
}

TEST(ProgramAnalyses, kinematics_leaves_friction_out_and_inverse_dynamics_refuses_memory) {
  Scratch scratch;
  write_text(scratch / "model.yaml", R"yaml(bristle: 1
bodies: {block: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}}
joints:
  pin:
    {type: revolute, between: [ground, block], at: [0, 0, 0], pin_radius: 20 mm, drive: {angle: "sin(3*t)"},
     friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, stribeck_velocity: 1 mm/s, sigma0: 1e5 1/m}}
analysis: {type: kinematics, end: 1 s, every: 10 ms}
)yaml");
  const Ended without = bristle_in(scratch, {"run", "model.yaml"});
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_NE(without.out.find("without friction"), std::string::npos) << without.out;
  const Ended refused = bristle_in(scratch, {"run", "model.yaml", "--set", "analysis.type=inverse_dynamics"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("'lugre' has memory"), std::string::npos) << refused.err;
}

TEST(ProgramAnalyses, freedoms_that_are_left_are_refused) {
  Scratch scratch;
  write_text(scratch / "m.yaml", crank("", "type: kinematics, end: 1 s"));
  const Ended ended = bristle_in(scratch, {"run", "m.yaml"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("1 is left"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("m.yaml:"), std::string::npos) << ended.err;
}

TEST(ProgramAnalyses, statics_writes_one_sample_and_says_whether_it_is_stable) {
  Scratch scratch;
  write_text(scratch / "m.yaml", crank("", "type: statics"));
  const Ended ended = bristle_in(scratch, {"run", "m.yaml"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find(", stable"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("friction is left out"), std::string::npos);
  const Json json = Json::parse(read_text(scratch / "m_out/statics.json"));
  // the crank hangs so that the weights of crank and rod balance about it: straight down
  EXPECT_NEAR(json["channels"]["crank.position.y"].get<double>(), -0.05, 1e-9);
  EXPECT_EQ(read_run((scratch / "m_out").string()).time.size(), 1u);
  write_text(scratch / "free.yaml",
             "bristle: 1\ngravity: [0, 0, -9.81]\nbodies: {stone: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
             "analysis: {type: statics}\n");
  const Ended falls = bristle_in(scratch, {"run", "free.yaml"});
  EXPECT_EQ(falls.code, 3);
  EXPECT_NE(falls.err.find("'stone'"), std::string::npos) << falls.err;
}

TEST(ProgramAnalyses, a_static_path_has_the_share_of_the_loads_in_the_place_of_the_time) {
  Scratch scratch;
  write_text(scratch / "m.yaml",
             "bristle: 1\nsections: {s: {type: circle, radius: 5 mm, young: 210 GPa, density: 7850 kg/m^3}}\n"
             "bodies: {rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s}}\n"
             "joints: {root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}}\n"
             "forces: {P: {type: force, on: rod.tip, force: [0, \"100*t\", 0], frame: body}}\n"
             "analysis: {type: statics, time: 3 s, control: arc_length, step: 0.1}\n");
  Ended ended = bristle_in(scratch, {"run", "m.yaml"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("more channels in the results"), std::string::npos) << ended.out;  // no page of zeros
  const RunFile run = read_run((scratch / "m_out").string());
  const RunChannel* force = run.find("P.force.y");
  ASSERT_NE(force, nullptr);
  ASSERT_GT(run.time.size(), 3u);
  for (std::size_t i = 0; i < run.time.size(); ++i) EXPECT_DOUBLE_EQ(force->values[i], 300 * run.time[i]);
  ended = bristle_in(scratch, {"run", "m.yaml", "--set", "analysis.points=2"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("2 points were not enough"), std::string::npos) << ended.err;
}

TEST(ProgramAnalyses, what_nothing_holds_is_neutral_and_nothing_else) {
  Scratch scratch;
  write_text(scratch / "m.yaml",
             "bristle: 1\nsections: {s: {type: circle, radius: 5 mm, young: 210 GPa, density: 7850 kg/m^3}}\n"
             "bodies: {rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s}}\n"
             "analysis: {type: statics}\n");
  const Ended ended = bristle_in(scratch, {"run", "m.yaml"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find(", neutral"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("unstable"), std::string::npos) << ended.out;
}

TEST(ProgramAnalyses, modes_and_matrices_about_an_equilibrium) {
  Scratch scratch;
  write_text(scratch / "m.yaml", crank("", "type: modes, about: equilibrium"));
  Ended ended = bristle_in(scratch, {"run", "m.yaml", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json modes = Json::parse(ended.out);
  ASSERT_EQ(modes["modes"].size(), 1u);
  const double frequency = modes["modes"][0]["angular_frequency"];
  EXPECT_GT(frequency, 0);
  ended =
      bristle_in(scratch, {"run", "m.yaml", "--json", "--set",
                           "analysis={type: linearise, about: equilibrium, inputs: [motor], outputs: [o.angle], write: npz}"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json linear = Json::parse(ended.out);
  ASSERT_EQ(linear["A"].size(), 2u);
  EXPECT_NEAR(linear["A"][1][0].get<double>(), -frequency * frequency, 1e-6 * frequency * frequency);
  EXPECT_NEAR(std::abs(linear["eigenvalues"][0][1].get<double>()), frequency, 1e-6 * frequency);
  EXPECT_TRUE(fs::exists(scratch / "m_out/linear.npz"));
  ended =
      bristle_in(scratch, {"run", "m.yaml", "--quiet", "--set", "analysis={type: linearise, about: equilibrium, write: csv}"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(read_text(scratch / "m_out/A.csv").substr(0, 1).find_first_of("cr"), 0u);
}

TEST(ProgramAnalyses, modes_over_the_speed_of_rotation) {
  Scratch scratch;
  write_text(scratch / "m.yaml",
             "bristle: 1\ngravity: [0, 0, 0]\nbodies: {rotor: {type: rigid, mass: 2, inertia: [0.04, 0.025, 0.025]}}\n"
             "forces: {mount: {type: bushing, between: [ground, rotor], at: [0, 0, 0], stiffness: [1e5, 5000, 5000]}}\n"
             "analysis: {type: campbell, axis: x, frame: stationary, speeds: {from: 0, to: 100, count: 5}}\n");
  Ended ended = bristle_in(scratch, {"run", "m.yaml", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const Json json = Json::parse(ended.out);
  ASSERT_EQ(json["critical_speeds"].size(), 2u);
  for (const auto& critical : json["critical_speeds"]) EXPECT_NEAR(critical["speed"].get<double>(), 50, 1e-8);
  EXPECT_TRUE(fs::exists(scratch / "m_out/campbell.json"));
  EXPECT_TRUE(fs::exists(scratch / "m_out/report.html"));
  ended = bristle_in(scratch, {"run", "m.yaml", "--json", "--set", "analysis={type: modes, axis: x, speed: 20 rad/s}"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(Json::parse(ended.out)["frame"], "turning");
  // keys that do not go together, and a model that does not turn steadily
  ended = bristle_in(scratch, {"run", "m.yaml", "--set", "analysis={type: modes, axis: x}"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("give its speed"), std::string::npos) << ended.err;
  ended = bristle_in(scratch, {"run", "m.yaml", "--set", "analysis={type: modes, axis: x, speed: 20, about: equilibrium}"});
  EXPECT_EQ(ended.code, 2);
  ended = bristle_in(scratch, {"run", "m.yaml", "--set", "analysis.speeds={from: 3, to: 2}"});
  EXPECT_EQ(ended.code, 2);
  ended = bristle_in(scratch, {"check", "m.yaml", "--set", "analysis={type: modes, axis: x, speed: 20, still: rotr}"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("Did you mean 'rotor'"), std::string::npos) << ended.err;
  ended = bristle_in(scratch, {"run", "m.yaml", "--set", "gravity=[0, 0, -9.81]", "--set", "analysis.frame=turning"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_EQ(ended.err.find("m.yaml:5:11  analysis: steady rotation: "), 0u) << ended.err;
  EXPECT_NE(ended.err.find("'rotor'"), std::string::npos) << ended.err;
}

TEST(ProgramAnalyses, a_run_may_begin_in_equilibrium) {
  Scratch scratch;
  write_text(scratch / "m.yaml",
             crank("", "type: transient, end: 0.5 s, from: equilibrium, integrator: {type: rk4, step: 1 ms}"));
  const Ended ended = bristle_in(scratch, {"run", "m.yaml", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_LT(Json::parse(ended.out)["energy"]["kinetic"].get<double>(), 1e-12);
}

}  // namespace
}  // namespace bristle::test
