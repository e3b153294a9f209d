// Mistakes in models of bodies in space: each ends in a sentence with the user's names and a place in the file; runs that cannot go on
// say where and keep what they have.
#include <regex>

#include "bristle/record/run_reader.h"
#include "cli/program.h"

namespace bristle::test {
namespace {

const std::string kModel = R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0], frames: {tip: {at: [0.5, 0, 0]}}}
  rod: {type: rigid, mass: 1 kg, inertia: [0.01, 0.1, 0.1], position: [1.5, 0, 0]}
  bob: {type: particle, mass: 1 kg, position: [0, 0, 1]}
  disc: {type: planar, mass: 1 kg, inertia: 0.1, position: [3, 0]}
joints:
  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: y}
  elbow: {type: revolute, between: [arm, rod], at: [1, 0, 0], axis: y}
  hub: {type: revolute, between: [ground, disc], at: [3, 0, 0], axis: z}
forces:
  tie: {type: spring, between: [arm.tip, bob], stiffness: 20}
analysis: {type: transient, end: 0.2 s, integrator: {type: rk4, step: 1 ms}}
)";

using Changes = std::vector<std::pair<std::string, std::string>>;

std::string changed(const Changes& changes) {
  std::string text = kModel;
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("no '" + from + "' in the model");
    text.replace(at, from.size(), to);
  }
  return text;
}
/// With one more line under joints or forces.
std::string with_joint(const std::string& line) { return changed({{"forces:\n", "  " + line + "\nforces:\n"}}); }
std::string with_force(const std::string& line) { return changed({{"forces:\n", "forces:\n  " + line + "\n"}}); }

struct Mistake {
  const char* name;
  std::string text;
  const char* place;     ///< line:
  const char* fragment;  ///< of the sentence
};

std::vector<Mistake> mistakes() {
  const std::string arm = "mass: 1 kg, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]";
  const std::string pin = "type: revolute, between: [ground, arm], at: [0, 0, 0], axis: y";
  return {
      {"zero_mass", changed({{"mass: 1 kg, inertia", "mass: 0 kg, inertia"}}), "4:", "body 'arm': mass must be > 0"},
      {"negative_mass", changed({{"mass: 1 kg, inertia", "mass: -1 kg, inertia"}}), "4:", "body 'arm': mass must be > 0"},
      {"impossible_inertia", changed({{"[0.01, 0.1, 0.1]", "[0.01, 0.1, 0.5]"}}), "4:", "no body has these principal moments"},
      {"zero_inertia", changed({{"[0.01, 0.1, 0.1]", "[0, 0.1, 0.1]"}}), "4:", "must resist turning about every axis"},
      {"no_inertia", changed({{arm, "mass: 1 kg"}}), "4:", "missing key 'inertia'"},
      {"unknown_body", changed({{"[arm, rod]", "[arm, rodd]"}}),
       "10:", "joint 'elbow': there is no body 'rodd' in space. Did you mean 'rod'?"},
      {"unknown_frame", changed({{"arm.tip", "arm.tup"}}), "13:", "body 'arm' has no frame 'tup'. Did you mean 'tip'?"},
      {"same_body_twice", changed({{"[arm, rod]", "[arm, arm]"}}), "10:", "both ends are on the same body"},
      {"no_at", changed({{"at: [0, 0, 0], axis: y", "axis: y"}}), "9:", "say where the joint is"},
      {"second_axis_not_square",
       changed({{pin, "type: universal, between: [ground, arm], at: [0, 0, 0], axis: y, second_axis: [0, 1, 1]"}}),
       "9:", "must be square to the first"},
      {"no_second_axis", changed({{pin, "type: universal, between: [ground, arm], at: [0, 0, 0], axis: y"}}),
       "9:", "give second_axis"},
      {"axis_out_of_the_plane", changed({{"at: [3, 0, 0], axis: z", "at: [3, 0, 0], axis: x"}}), "11:", "Turn its axis to z"},
      {"unknown_drive", changed({{pin, pin + ", drive: {angel: t}"}}), "9:", "Did you mean 'angle'?"},
      {"drive_of_another_joint", changed({{pin, pin + ", drive: {displacement: t}"}}), "9:", "It has: angle, speed"},
      {"drive_by_channels", changed({{pin, pin + ", drive: {angle: \"elbow.angle\"}"}}), "9:", "use a load on the motion"},
      {"unknown_stop", changed({{pin, pin + ", stops: {lower: 0, uper: 1, stiffness: 3}"}}), "9:", "Did you mean 'upper'?"},
      {"stops_the_wrong_way", changed({{pin, pin + ", stops: {lower: 1, upper: 0, stiffness: 3}"}}),
       "9:", "must be below the upper"},
      {"velocities_that_contradict", changed({{"position: [0.5, 0, 0]", "position: [0.5, 0, 0], angular_velocity: [0, 0, 3]"}}),
       "4:", "that of body 'arm' would have to change by 3 to fulfil joint 'pin'"},
      {"loop_that_cannot_close",
       with_joint("far: {type: spherical, between: [{body: ground, at: [9, 0, 0]}, {body: rod, at: [0.5, 0, 0]}]}"), "",
       "the joints cannot be closed: joint '"},
      {"two_drives",
       changed({{pin, pin + ", drive: {angle: t}"}, {"forces:\n", "  pin2: {" + pin + ", drive: {angle: \"2*t\"}}\nforces:\n"}}),
       "12:", "no velocities fulfil joint 'pin2' (drive of angle)"},
      {"undefined_constant", with_force("p: {type: load, on: pin.angle, force: \"sqrt(-1)\"}"),
       "13:", "force 'p': force: this has no finite value"},
      {"undefined_drive", changed({{pin, pin + ", drive: {angle: \"sqrt(t)\"}"}}), "9:", "joint 'pin' (drive of angle)"},
      {"friction_without_radius", changed({{pin, pin + ", friction: {type: coulomb, mu_kinetic: 0.1}"}}),
       "9:", "friction needs pin_radius"},
      {"friction_without_surface",
       changed({{pin, "type: fixed, between: [ground, arm], at: [0, 0, 0], friction: {type: coulomb, mu_kinetic: 0.1}"}}),
       "9:", "a fixed joint has no surface that rubs"},
      {"gear_between_displacements",
       with_joint(
           "s: {type: point_on_line, between: [ground, bob], at: [0, 0, 1]}\n  g: {type: gear, between: [pin.angle, s.displacement], ratio: 2}"),
       "13:", "for an angle and a displacement use a rack"},
      {"gear_of_nothing", with_joint("g: {type: gear, between: [pin.angle, elbow.angel], ratio: 2}"),
       "12:", "Did you mean 'elbow.angle'?"},
      {"constraint_of_speeds", with_joint("g: {type: constraint, zero: \"pin.speed - 2\"}"), "12:", "but no speeds"},
      {"constraint_of_nothing", with_joint("g: {type: constraint, zero: \"t - 2\"}"), "12:", "reads nothing that moves"},
      {"particle_held_elsewhere", with_joint("b: {type: spherical, between: [arm, bob], at: [1, 0, 0]}"),
       "12:", "'bob' is a particle"},
      {"spring_without_length", changed({{"[arm.tip, bob]", "[arm.tip, {body: ground, at: [1, 0, 0]}]"}}),
       "13:", "its two points coincide"},
      {"spring_in_one_body", changed({{"[arm.tip, bob]", "[arm.tip, arm]"}}), "13:", "both ends are on the same body"},
      {"spring_on_a_body", changed({{"between: [arm.tip, bob]", "on: arm"}}), "13:", "along what?"},
      {"mistyped_motion", changed({{"between: [arm.tip, bob]", "on: pin.angel"}}), "13:", "Did you mean 'pin.angle'?"},
      {"motion_as_an_end", changed({{"between: [arm.tip, bob]", "between: [ground, pin.angle]"}}), "13:", "write on: pin.angle"},
      {"unit_of_a_rotary_spring", changed({{"between: [arm.tip, bob], stiffness: 20", "on: pin.angle, stiffness: 20 N/m"}}),
       "13:", "N m"},
      {"torque_on_a_particle", with_force("q: {type: torque, on: bob, torque: [1, 0, 0]}"),
       "13:", "'bob' is a particle and cannot turn"},
      {"force_on_the_ground", with_force("q: {type: force, on: ground, force: [1, 0, 0]}"), "13:", "the ground does not move"},
      {"force_out_of_the_plane", with_force("q: {type: force, on: disc, force: [1, 0, 4]}"), "13:", "its component z must be 0"},
      {"unknown_channel", with_force("q: {type: force, on: arm, force: [1, 0, \"4*pin.sped\"]}"),
       "13:", "Did you mean 'pin.speed'?"},
      {"unit_of_a_component", with_force("q: {type: force, on: arm, force: [1, 0, 3 kg]}"), "13:", "kg"},
      {"bushing_that_supplies", with_force("q: {type: bushing, between: [ground, arm], at: [0, 0, 0], damping: -3}"),
       "13:", "would supply power"},
      {"drag_of_nothing", with_force("q: {type: drag, on: bob}"), "13:", "drag needs area and coefficient, or linear"},
  };
}

TEST(Mechanism, every_mistake_ends_in_a_sentence_with_names_and_a_place) {
  Scratch scratch;
  for (const Mistake& m : mistakes()) {
    write_text(scratch / "m.yaml", m.text);
    const Ended ended = bristle_in(scratch, {"check", "m.yaml"});
    EXPECT_EQ(ended.code, 2) << m.name << "\n" << ended.out << ended.err;
    EXPECT_TRUE(std::regex_search(ended.err, std::regex("^m\\.yaml:" + std::string(m.place) + "[0-9:]+  "))) << m.name << "\n"
                                                                                                             << ended.err;
    EXPECT_NE(ended.err.find(m.fragment), std::string::npos) << m.name << "\n" << ended.err;
  }
}

TEST(Mechanism, that_is_right_is_counted) {
  Scratch scratch;
  write_text(scratch / "m.yaml", kModel);
  Ended ended = bristle_in(scratch, {"check", "m.yaml"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  for (const char* text : {"4 in space", "3 with 12 rows held", "freedoms      6"})
    EXPECT_NE(ended.out.find(text), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("redundant"), std::string::npos);
  // joints between motions of others count as well
  write_text(scratch / "m.yaml", with_joint("mesh: {type: gear, between: [pin.angle, hub.angle], ratio: 2}"));
  ended = bristle_in(scratch, {"check", "m.yaml"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("4 with 13 rows held"), std::string::npos) << ended.out;
  write_text(scratch / "m.yaml", with_joint("pin2: {type: revolute, between: [ground, arm], at: [0, 0.1, 0], axis: y}"));
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check", "m.yaml"}, {"run", "m.yaml", "--out", "o"}}) {
    ended = bristle_in(scratch, command);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("5 rows: joint 'pin2' (displacement along x)"), std::string::npos) << ended.out;
    EXPECT_NE(ended.out.find("the least ones are used"), std::string::npos) << ended.out;
  }
}

struct Failure {
  const char* name;
  std::string text;
  const char* fragment;
};

TEST(Mechanism, that_cannot_go_on_says_who_and_when_and_keeps_what_it_has) {
  const std::string pin = "type: revolute, between: [ground, arm], at: [0, 0, 0], axis: y";
  const std::string crank = R"yaml(bristle: 1
bodies:
  crank: {type: planar, mass: 1, inertia: 0.1, position: [0.4, 0.3], angle: "atan2(3, 4)"}
  rod: {type: planar, mass: 1, inertia: 0.1, position: [1.2, 0.3], angle: "atan2(-3, 4)"}
  slider: {type: planar, mass: 1, inertia: 0.1, position: [1.6, 0]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0, 0]}
  crankpin: {type: revolute, between: [crank, rod], at: [0.8, 0.6, 0]}
  wrist: {type: revolute, between: [rod, slider], at: [1.6, 0, 0]}
  guide: {type: prismatic, between: [ground, slider], at: [1.6, 0, 0], axis: x, drive: {displacement: "0.5*t"}}
analysis: {type: transient, end: 1.2 s, integrator: {type: rk4, step: 1 ms}}
record: {every: 10 ms}
)yaml";
  const std::string wedged = R"yaml(bristle: 1
bodies:
  slider: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0.3, 0], velocity: [0.5, 0, 0]}
joints:
  guide: {type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: x, width: 20 mm, length: 0.1, friction: {type: coulomb, mu_kinetic: 0.3}}
forces:
  push: {type: force, on: slider, at: [0, 0.2, 0], force: ["2*(0.1 - t)", 0, 0]}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince}}
record: {every: 10 ms}
)yaml";
  // a rod at 80 degrees pushes a block along a guide: its friction makes mu tan(80 deg) = 2.84 times as much again, less on the way
  const std::string stuck = R"yaml(bristle: 1
bodies:
  ram: {type: planar, mass: 1, inertia: 0.1, position: [0, 0]}
  rod: {type: planar, mass: 1, inertia: 0.1, position: ["0.5*cos(80 deg)", "0.5*sin(80 deg)"], angle: 80 deg}
  block: {type: planar, mass: 1, inertia: 0.1, position: ["cos(80 deg)", "sin(80 deg)"]}
joints:
  press: {type: prismatic, between: [ground, ram], at: [0, 0], axis: y, drive: {displacement: "0.01*t"}}
  low: {type: revolute, between: [ram, rod], at: [0, 0]}
  high: {type: revolute, between: [rod, block], at: ["cos(80 deg)", "sin(80 deg)"]}
  guide: {type: prismatic, between: [ground, block], at: ["cos(80 deg)", "sin(80 deg)"], axis: x, width: 0.1, moment_load: false, friction: {type: coulomb, mu_kinetic: 0.5}}
forces:
  resist: {type: load, on: guide.displacement, force: "-10*t"}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince}}
record: {every: 0.1 ms}
)yaml";
  Scratch scratch;
  for (const Failure& f : std::vector<Failure>{
           {"expression", with_force("p: {type: load, on: pin.angle, force: \"sqrt(0.1 - t)\"}"),
            "t = 0.1 s: 'p.force' has no finite value"},
           {"expression_alpha",
            changed({{"type: rk4, step: 1 ms", "type: generalized_alpha, step: 1 ms"},
                     {"forces:\n", "forces:\n  p: {type: load, on: pin.angle, force: \"sqrt(0.1 - t)\"}\n"}}),
            "t = 0.1 s: 'p.force' has no finite value"},
           {"expression_cvode",
            changed({{"type: rk4, step: 1 ms", "type: cvode"},
                     {"forces:\n", "forces:\n  p: {type: load, on: pin.angle, force: \"sqrt(0.1 - t)\"}\n"}}),
            "t = 0.1 s: 'p.force' has no finite value"},
           {"drive", changed({{pin, pin + ", drive: {angle: \"0.1*sqrt(0.1 - t)\"}"}}),
            "joint 'pin' (drive of angle) has no finite value"},
           {"drives_that_part",
            changed({{pin, pin + ", drive: {angle: \"t^3\"}"},
                     {"forces:\n", "  pin2: {" + pin + ", drive: {angle: \"2*t^3\"}}\nforces:\n"}}),
            "(drive of angle) is off by"},
           {"wedged", wedged, "t = 0.1 s: joint 'guide' jams: it locks itself"},
           {"driven_against_a_stuck_joint", stuck,
            "joint 'guide' jams: it locks itself. The reactions to its friction (displacement along x) make 2.83"},
           {"beyond_reach", crank, "Largest reaction: joint '"}}) {
    write_text(scratch / "m.yaml", f.text);
    const Ended ended = bristle_in(scratch, {"run", "m.yaml", "--out", "o"});
    EXPECT_EQ(ended.code, 3) << f.name << "\n" << ended.err;
    EXPECT_NE(ended.err.find("m.yaml: t = "), std::string::npos) << f.name << "\n" << ended.err;
    EXPECT_NE(ended.err.find(f.fragment), std::string::npos) << f.name << "\n" << ended.err;
    EXPECT_EQ(bristle_in(scratch, {"convert", "o/run.h5", "--to", "csv"}).code, 0) << f.name;
  }
}

TEST(Mechanism, at_a_dead_centre_with_friction_rests_and_goes_on) {
  Scratch scratch;
  write_text(scratch / "m.yaml", R"(bristle: 1
bodies:
  crank: {type: planar, mass: 1, inertia: 0.1, position: [0.5, 0]}
  rod: {type: planar, mass: 1, inertia: 0.1, position: [1.5, 0]}
  slider: {type: planar, mass: 1, inertia: 0.1, position: [2, 0]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0, 0], pin_radius: 0.02, friction: {type: coulomb, mu_kinetic: 0.3}}
  crankpin: {type: revolute, between: [crank, rod], at: [1, 0, 0], pin_radius: 0.02, friction: {type: coulomb, mu_kinetic: 0.3}}
  wrist: {type: revolute, between: [rod, slider], at: [2, 0, 0]}
  guide: {type: prismatic, between: [ground, slider], at: [2, 0, 0], axis: x, width: 0.1, friction: {type: coulomb, mu_kinetic: 0.3}}
forces:
  press: {type: load, on: guide.displacement, force: "-20*t"}
analysis: {type: transient, end: 0.2 s, integrator: {type: rk4, step: 1 ms}}
)");
  EXPECT_EQ(bristle_in(scratch, {"run", "m.yaml", "--out", "o"}).code, 0);
  // pressed towards its dead centre, which it has nearly reached
  const std::string locked = R"yaml(bristle: 1
bodies:
  crank: {type: planar, mass: 1, inertia: 0.1, position: ["cos(0.02)/2", "sin(0.02)/2"], angle: 0.02}
  rod: {type: planar, mass: 1, inertia: 0.1, position: ["3*cos(0.02)/2", "sin(0.02)/2"], angle: -0.02}
  slider: {type: planar, mass: 1, inertia: 0.1, position: ["2*cos(0.02)", 0]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0, 0], pin_radius: 0.02, friction: {type: coulomb, mu_kinetic: 0.8}}
  crankpin: {type: revolute, between: [crank, rod], at: ["cos(0.02)", "sin(0.02)", 0], pin_radius: 0.02, friction: {type: coulomb, mu_kinetic: 0.8}}
  wrist: {type: revolute, between: [rod, slider], at: ["2*cos(0.02)", 0, 0], pin_radius: 0.02, friction: {type: coulomb, mu_kinetic: 0.8}}
  guide: {type: prismatic, between: [ground, slider], at: ["2*cos(0.02)", 0, 0], axis: x, width: 0.1, friction: {type: coulomb, mu_kinetic: 0.8}}
forces:
  press: {type: load, on: guide.displacement, force: "20*t"}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
record: {every: 10 ms}
)yaml";
  write_text(scratch / "m.yaml", locked);
  EXPECT_EQ(bristle_in(scratch, {"run", "m.yaml", "--out", "p"}).code, 0) << "friction holds more than the load asks for";
}

TEST(Mechanism, that_flies_freely_and_one_with_a_mesh_run_and_balance) {
  Scratch scratch;
  write_text(scratch / "part.obj", "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  write_text(scratch / "m.yaml", R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  part: {type: rigid, density: 7850 kg/m^3, shape: {type: mesh, file: part.obj}, angular_velocity: [1, 7, 2], frames: {tip: {at: [0.1, 0, 0]}}}
forces:
  tie: {type: spring, between: [{body: ground, at: [0, 0, 0.4]}, part.tip], stiffness: 200 N/m, damping: 2 N s/m, length: 0.3}
  mount: {type: bushing, between: [ground, part], at: [0, 0, 0], stiffness: 50 N/m, rotational_stiffness: 0.5 N m, rotational_damping: 0.01 N m s}
  jet: {type: force, on: part.tip, force: [0, "0.3*sin(9*t)", 0], frame: body}
  motor: {type: torque, on: part, torque: [0, 0, "0.02*cos(5*t)"]}
  air: {type: drag, on: part.tip, area: 0.02 m^2, coefficient: 1.1, wind: [3, 0, 0]}
analysis: {type: transient, end: 0.5 s, integrator: {type: dormand_prince, tolerance: 1e-9}}
check: {energy: 1e-6}
)yaml");
  const Ended ended = bristle_in(scratch, {"run", "m.yaml", "--out", "o"});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("freedoms          6"), std::string::npos) << ended.out;
}

TEST(Mechanism, rubs_when_a_law_is_named_and_says_what_it_assumed) {
  Scratch scratch;
  const auto run = [&](const std::string& friction, const std::string& out) {
    write_text(scratch / "model.yaml",
               changed({{"axis: y}\n  elbow", "axis: y, pin_radius: 20 mm, friction: " + friction + "}\n  elbow"}}));
    return bristle_in(scratch, {"run", "model.yaml", "--out", out, "--no-report", "--set", "analysis.integrator=radau5"});
  };
  const Ended alone = run("lugre", "alone");
  EXPECT_EQ(alone.code, 0) << alone.err;
  EXPECT_NE(alone.out.find("assumed           'pin': lugre with mu_kinetic 0.2, mu_static 0.3\n"), std::string::npos)
      << alone.out;
  const Ended given = run("{type: lugre, mu_kinetic: 0.2, mu_static: 0.3}", "given");
  EXPECT_EQ(given.code, 0) << given.err;
  EXPECT_EQ(given.out.find("assumed"), std::string::npos) << given.out;
  const RunFile a = read_run((scratch / "alone").string()), b = read_run((scratch / "given").string());
  ASSERT_EQ(a.channels.size(), b.channels.size());
  for (std::size_t i = 0; i < a.channels.size(); ++i) EXPECT_EQ(a.channels[i].values, b.channels[i].values);
  // a law that needs more than coefficients asks for it
  const Ended more = run("switch_model", "more");
  EXPECT_EQ(more.code, 2);
  EXPECT_NE(more.err.find("'decay_rate'"), std::string::npos) << more.err;
}

TEST(Mechanism, with_steps_too_long_for_its_bristles_is_told_so) {
  Scratch scratch;
  write_text(scratch / "model.yaml", changed({{"axis: y}\n  elbow", "axis: y, pin_radius: 20 mm, friction: lugre}\n  elbow"}}));
  const Ended ended = bristle_in(scratch, {"run", "model.yaml", "--no-report"});
  EXPECT_EQ(ended.code, 3);
  EXPECT_NE(ended.err.find("steps of 0.001 s are too long for the friction of place 'pin'"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace bristle::test
