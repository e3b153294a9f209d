// Frequencies of mechanisms and their matrices against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "bristle/math/decompositions.h"
#include "unit/analyse/analysis_models.h"

namespace bristle {
namespace {

using namespace test;

ModesResult modes_of(const std::string& text, LinearAxes axes = LinearAxes::world) {
  const System system = plain_system(text);
  return calc_modes(system, system.make_state(), axes);
}

TEST(SpaceModes, a_pendulum) {
  for (const char* kind : {"{type: rigid, mass: 2, inertia: [0.01, 0.02, 0.03], position: [0, -0.5, 0]}",
                           "{type: planar, mass: 2, inertia: 0.03, position: [0, -0.5]}"}) {
    const ModesResult result = modes_of(fmt::format(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {{arm: {}}}
joints: {{pin: {{type: revolute, between: [ground, arm], at: [0, 0, 0]}}}}
forces: {{rub: {{type: damper, on: pin.angle, damping: 0.2}}}}
analysis: {{type: modes}}
)yaml",
                                                    kind));
    ASSERT_EQ(result.modes.size(), 1u);
    const double J = 0.03 + 2 * 0.25, w = std::sqrt(2 * 9.81 * 0.5 / J);
    EXPECT_NEAR(result.modes[0].frequency, w, 1e-10 * w);
    EXPECT_NEAR(result.modes[0].damping_ratio, 0.2 / (2 * J * w), 1e-9);
    EXPECT_FALSE(result.general);
    EXPECT_LT(result.unbalance, 1e-12);
    // a turn by one moves the centre of mass by half a metre
    ASSERT_EQ(result.coordinates.size(), 2u);
    EXPECT_EQ(result.coordinates[0], "arm.x");
    EXPECT_NEAR(result.modes[0].shape[0] / result.modes[0].shape[1], 0.5, 1e-9);
  }
}

TEST(SpaceModes, a_double_pendulum) {
  const double m1 = 1.5, m2 = 0.7, a1 = 0.4, l1 = 0.8, a2 = 0.3, J1 = 0.03, J2 = 0.02, g = 9.81;
  const ModesResult result = modes_of(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  upper: {type: rigid, mass: 1.5, inertia: [0.02, 0.02, 0.03], position: [0, -0.4, 0]}
  lower: {type: rigid, mass: 0.7, inertia: [0.01, 0.02, 0.02], position: [0, -1.1, 0]}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0, 0]}
  elbow: {type: revolute, between: [upper, lower], at: [0, -0.8, 0]}
analysis: {type: modes}
)yaml");
  Eigen::Matrix2d M, K;
  M << J1 + m1 * a1 * a1 + m2 * l1 * l1, m2 * l1 * a2, m2 * l1 * a2, J2 + m2 * a2 * a2;
  K << (m1 * a1 + m2 * l1) * g, 0, 0, m2 * g * a2;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> truth(K, M);
  ASSERT_EQ(result.modes.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const double w = std::sqrt(truth.eigenvalues()[i]);
    EXPECT_NEAR(result.modes[static_cast<std::size_t>(i)].frequency, w, 1e-10 * w);
  }
}

TEST(SpaceModes, a_bar_on_two_springs_that_stand_on_the_ground) {
  const ModesResult result = modes_of(R"yaml(bristle: 1
bodies: {bar: {type: rigid, mass: 10, inertia: [0.1, 3.3, 3.3], position: [0, 1, 0]}}
joints: {slot: {type: planar, between: [ground, bar], at: [0, 1, 0], axis: z}}
forces:
  left: {type: spring, between: [ground, bar], at: [-1, 0, 0], at_b: [-1, 1, 0], stiffness: 2000, length: 1}
  right: {type: spring, between: [ground, bar], at: [1, 0, 0], at_b: [1, 1, 0], stiffness: 3000, length: 1}
analysis: {type: modes}
)yaml");
  Eigen::Matrix2d M, K;
  M << 10, 0, 0, 3.3;
  K << 5000, 1000, 1000, 5000;
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> truth(K, M);
  ASSERT_EQ(result.modes.size(), 3u);
  EXPECT_NEAR(result.modes[0].frequency, 0, 1e-4) << "free of force, the springs do not hold it sideways";
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(result.modes[static_cast<std::size_t>(i + 1)].frequency, std::sqrt(truth.eigenvalues()[i]), 1e-7);
}

TEST(SpaceModes, the_inverted_pendulum_is_unstable) {
  const ModesResult result = modes_of(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {arm: {type: planar, mass: 2, inertia: 0.03, position: [0, 0.5]}}
joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}}
analysis: {type: modes}
)yaml");
  EXPECT_NEAR(result.modes[0].frequency, -std::sqrt(9.81 / 0.53), 1e-9);
}

/// A sleeping top: precession and nutation in the axes of the world.
TEST(SpaceModes, a_spinning_top_precesses_and_nutates) {
  const double m = 0.8, l = 0.15, J1 = 0.003, J3 = 0.002, spin = 300, g = 9.81;
  const ModesResult result = modes_of(fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {{top: {{type: rigid, mass: {}, inertia: [{}, {}, {}], position: [0, 0, {}], angular_velocity: [0, 0, {}]}}}}
joints: {{tip: {{type: spherical, between: [ground, top], at: [0, 0, 0]}}}}
analysis: {{type: modes}}
)yaml",
                                                  m, J1, J1, J3, l, spin));
  const double J = J1 + m * l * l, root = std::sqrt(J3 * J3 * spin * spin - 4 * J * m * g * l);
  const double slow = (J3 * spin - root) / (2 * J), fast = (J3 * spin + root) / (2 * J);
  EXPECT_TRUE(result.general);
  ASSERT_EQ(result.modes.size(), 3u);
  EXPECT_NEAR(result.modes[0].frequency, 0, 1e-9) << "it may spin on";
  EXPECT_NEAR(result.modes[1].frequency, slow, 1e-7 * slow);
  EXPECT_NEAR(result.modes[2].frequency, fast, 1e-7 * fast);
  EXPECT_EQ(result.modes[1].damping_ratio, 0);
  EXPECT_FALSE(result.modes[1].phase.empty()) << "it goes in circles";
}

TEST(SpaceModes, a_slow_top_falls) {
  const double m = 0.8, l = 0.15, J1 = 0.003, J3 = 0.002, spin = 120, g = 9.81;
  const ModesResult result = modes_of(fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {{top: {{type: rigid, mass: {}, inertia: [{}, {}, {}], position: [0, 0, {}], angular_velocity: [0, 0, {}]}}}}
joints: {{tip: {{type: spherical, between: [ground, top], at: [0, 0, 0]}}}}
analysis: {{type: modes}}
)yaml",
                                                  m, J1, J1, J3, l, spin));
  const double J = J1 + m * l * l, growth = std::sqrt(4 * J * m * g * l - J3 * J3 * spin * spin) / (2 * J);
  double found = 0;
  for (const LinearMode& mode : result.modes) found = std::max(found, -mode.damping_ratio * mode.frequency);
  EXPECT_NEAR(found, growth, 1e-6);
}

/// Dzhanibekov: spinning about the middle axis grows at W sqrt((J3 - J2)(J2 - J1) / (J1 J3)).
TEST(SpaceModes, a_body_that_spins_about_its_middle_axis_tumbles) {
  const double J[3] = {1, 2, 2.5}, spin = 4;
  const ModesResult result = modes_of(fmt::format(R"yaml(bristle: 1
bodies: {{free: {{type: rigid, mass: 1, inertia: [{}, {}, {}], angular_velocity: [0, {}, 0]}}}}
analysis: {{type: modes}}
)yaml",
                                                  J[0], J[1], J[2], spin),
                                      LinearAxes::body);
  const double growth = spin * std::sqrt((J[2] - J[1]) * (J[1] - J[0]) / (J[0] * J[2]));
  double found = 0;
  for (const LinearMode& mode : result.modes) found = std::min(found, mode.frequency);
  EXPECT_NEAR(found, -growth, 1e-7);
}

TEST(Linearise, matrices_of_a_controlled_pendulum) {
  const Model model = model_of(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {arm: {type: planar, mass: 2, inertia: 0.03, position: [0, -0.5]}}
joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}}
states: {integral: {rate: "pin.angle - 0.5*integral.value"}}
forces:
  motor: {type: load, on: pin.angle, force: 0}
  control: {type: load, on: pin.angle, force: "-3*pin.angle - 0.7*pin.speed - 2*integral.value"}
analysis: {type: linearise, inputs: [motor], outputs: [pin.angle, pin.speed, pin.force.y]}
)yaml");
  check_model(model);
  const StateSpace s = linearise_model(model, plan_linear(model));
  const Linearisation& lin = s.linear;
  ASSERT_EQ(lin.A.rows(), 3);
  const double J = 0.03 + 2 * 0.25;
  // whichever coordinate was chosen: angle = c * s
  const double c = lin.C(0, 0);
  Eigen::Matrix3d A;
  A << 0, 1, 0, -(2 * 9.81 * 0.5 + 3) / J, -0.7 / J, -2 / J / c, c, 0, -0.5;
  EXPECT_LT((lin.A - A).cwiseAbs().maxCoeff(), 1e-7) << lin.A;
  EXPECT_NEAR(s.B(1, 0), 1 / J / c, 1e-9);
  EXPECT_NEAR(lin.C(1, 1), c, 1e-9);
  EXPECT_EQ(lin.outputs.size(), 3u);
  EXPECT_NEAR(s.D(2, 0), 0, 1e-9) << "a torque at the pin pushes sideways only";
  const std::string sentence = refusal([&] {
    Model wrong = model;
    apply_override(wrong.root, "analysis.inputs=[moter]");
    check_model(wrong);
  });
  EXPECT_NE(sentence.find("motor"), std::string::npos) << sentence;
}

/// The linear motion near an equilibrium is that of the full equations.
TEST(Linearise, predicts_a_small_motion_of_a_closed_loop) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  a: {type: rigid, mass: 1, inertia: [0.01, 0.08, 0.08], position: [0, -0.5, 0], orientation: {axis: z, angle: -90 deg}}
  b: {type: rigid, mass: 2, inertia: [0.01, 0.2, 0.2], position: [0.6, -1, 0]}
  c: {type: rigid, mass: 1, inertia: [0.01, 0.08, 0.08], position: [1.2, -0.5, 0], orientation: {axis: z, angle: -90 deg}}
joints:
  o: {type: revolute, between: [ground, a], at: [0, 0, 0]}
  p: {type: revolute, between: [a, b], at: [0, -1, 0]}
  q: {type: revolute, between: [b, c], at: [1.2, -1, 0]}
  r: {type: revolute, between: [ground, c], at: [1.2, 0, 0]}
analysis: {type: modes, about: equilibrium}
)yaml";
  const ModesResult result = modes_of(text);
  // a parallelogram: the coupler only shifts
  const double J = 2 * (0.08 + 0.25) + 2, k = (2 * 0.5 + 2) * 9.81;
  ASSERT_EQ(result.modes.size(), 1u);
  EXPECT_NEAR(result.modes[0].frequency, std::sqrt(k / J), 1e-8);
}

}  // namespace
}  // namespace bristle
