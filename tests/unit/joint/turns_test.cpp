// Angles of joints count their turns, however many a step makes.
#include <gtest/gtest.h>

#include "support/models.h"

namespace bristle {
namespace {

const std::string kPlanar = R"(bristle: 1
bodies:
  wheel: {type: planar, mass: 1 kg, inertia: 1 kg m^2}
joints:
  a: {type: revolute, between: [ground, wheel], at: [0, 0]}
forces:
  m: {type: load, on: a.angle, force: 100 N m}
analysis: {type: transient, end: 4 s, integrator: {type: dormand_prince, tolerance: 1e-8}}
)";
const std::string kRigid = R"(bristle: 1
bodies:
  wheel: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}
joints:
  a: {type: revolute, between: [ground, wheel], at: [0, 0, 0]}
forces:
  m: {type: load, on: a.angle, force: 100 N m}
analysis: {type: transient, end: 4 s, integrator: {type: dormand_prince, tolerance: 1e-8}}
)";
/// The second wheel is mounted on the first, and the torque acts between them: each takes half of the angle.
std::string pair_of(const std::string& first, const std::string& second) {
  return "bristle: 1\nbodies:\n  one: {" + first + "}\n  two: {" + second + R"(}
joints:
  axle: {type: revolute, between: [ground, one], at: [0, 0, 0]}
  a: {type: revolute, between: [one, two], at: [0, 0, 0]}
forces:
  m: {type: load, on: a.angle, force: 50 N m}
analysis: {type: transient, end: 4 s, integrator: {type: dormand_prince, tolerance: 1e-8}}
)";
}

double angle_at_end(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Trial trial(text, overrides);
  auto& run = trial.start();
  EXPECT_TRUE(run.advance_to(4)) << run.message();
  return trial.read(trial.channel("a.angle"));
}

// constant torques: the angle is 100 t^2/2 = 800 rad, and methods of order two and more are exact but for round-off and tolerance
TEST(Turns, are_counted_while_a_joint_turns_ever_faster) {
  const std::string rigid = "type: rigid, mass: 1 kg, inertia: [1, 1, 1]", planar = "type: planar, mass: 1 kg, inertia: 1 kg m^2";
  const std::vector<std::pair<const char*, std::string>> models = {{"planar", kPlanar},
                                                                   {"rigid", kRigid},
                                                                   {"two planar", pair_of(planar, planar)},
                                                                   {"two rigid", pair_of(rigid, rigid)},
                                                                   {"planar on rigid", pair_of(rigid, planar)}};
  for (const auto& [name, text] : models) {
    EXPECT_NEAR(angle_at_end(text), 800, 1e-5) << name;
    EXPECT_NEAR(angle_at_end(text, {"analysis.integrator={type: rk4, step: 40 ms}"}), 800, 1e-5) << name;
    EXPECT_NEAR(angle_at_end(text, {"analysis.integrator={type: radau5, tolerance: 1e-8}"}), 800, 1e-5) << name;
  }
}

TEST(Turns, of_planar_bodies_are_those_of_their_angles) {
  Trial trial(kPlanar,
              {"bodies.wheel.angle=400 deg", "bodies.wheel.angular_velocity=1000 rad/s", "forces.m.force=-10000*a.angle"});
  const int joint = trial.channel("a.angle"), body = trial.channel("wheel.angle");
  auto& run = trial.start();
  const double before = trial.read(body);
  EXPECT_NEAR(trial.read(joint), 0, 1e-12);  // a joint starts where it is made
  EXPECT_NEAR(before, 400.0 / 180 * M_PI, 1e-12);
  double most = 0;
  while (run.state().t < 1) {  // swings by ten radians to either side
    ASSERT_TRUE(run.advance(1)) << run.message();
    most = std::max(most, trial.read(joint));
    ASSERT_NEAR(trial.read(joint), trial.read(body) - before, 1e-9) << run.state().t;
  }
  EXPECT_GT(most, 9);
}

TEST(Turns, between_steps_are_those_of_the_motion) {
  for (const std::string& text : {kPlanar, kRigid}) {
    Trial trial(text);
    auto& run = trial.start();
    State x = run.state();
    std::vector<double> out(trial.system().layout().channels.size());
    const auto a = static_cast<std::size_t>(trial.channel("a.angle"));
    while (run.state().t < 1) {
      ASSERT_TRUE(run.advance(1)) << run.message();
      for (double part : {0.25, 0.5, 0.75}) {
        const double t = run.previous().t + part * (run.state().t - run.previous().t);
        run.interpolate(t, x);
        trial.system().readings().calc_outputs(trial.system().look(x, run.workspace()), out.data());
        ASSERT_NEAR(out[a], 50 * t * t, 1e-6) << t;
      }
    }
  }
}

}  // namespace
}  // namespace bristle
