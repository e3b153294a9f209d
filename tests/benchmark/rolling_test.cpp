// Rolling: closed forms and conserved quantities.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/mechanisms.h"

namespace bristle {
namespace {

using namespace test;

/// A ball rolls down a slope: a = 5/7 g sin(angle); on the plane it needs friction 2/7 m g sin(angle).
TEST(Rolling, a_ball_on_a_slope_accelerates_by_five_sevenths) {
  const double slope = 0.3, g = 9.81;
  Trial trial(fmt::format(R"(bristle: 1
gravity: [{:.17g}, 0, {:.17g}]
bodies:
  ball: {{type: rigid, mass: 2 kg, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0.1]}}
joints:
  slope: {{type: rolling, between: [ground, ball], radius: 0.1 m}}
analysis: {{type: transient, end: 1 s, integrator: {{type: dormand_prince, tolerance: 1e-9}}}}
)",
                          g * std::sin(slope), -g * std::cos(slope)));
  bristle::Run& run = trial.start();
  ASSERT_TRUE(run.advance_to(1)) << run.message();
  const double a = 5.0 / 7 * g * std::sin(slope);
  EXPECT_NEAR(trial.read(trial.channel("ball.velocity.x")), a, 1e-8);
  EXPECT_NEAR(trial.read(trial.channel("ball.position.x")), 0.5 * a, 1e-8);
  EXPECT_NEAR(trial.read(trial.channel("slope.normal_force")), 2 * g * std::cos(slope), 1e-7);
  const double f1 = trial.read(trial.channel("slope.friction_force.1")), f2 = trial.read(trial.channel("slope.friction_force.2"));
  EXPECT_NEAR(std::hypot(f1, f2), 2.0 / 7 * 2 * g * std::sin(slope), 1e-7);
}

/// Rolling does no work: whatever a leaning disk does, its energy stays. An upright one goes straight on.
TEST(Rolling, an_upright_disk_rolls_straight_and_a_leaning_one_keeps_its_energy) {
  const char* model = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  disk:
    type: rigid
    mass: 1 kg
    inertia: [0.0025, 0.0025, 0.005]
    position: [0, 0, "0.1*cos(lean)"]
    orientation: {axis: x, angle: "lean - pi/2"}
    angular_velocity: [0, "10*cos(lean)", "10*sin(lean) + turn"]
parameters: {lean: 0, turn: 0}
joints:
  floor: {type: rolling, between: [ground, disk], second_axis: [0, "cos(lean)", "sin(lean)"], radius: 0.1 m}
analysis: {type: transient, end: 2 s, integrator: {type: dormand_prince, tolerance: 1e-10}}
)yaml";
  Trial straight(model);
  bristle::Run& a = straight.start();
  EXPECT_NEAR(straight.read(straight.channel("disk.position.z")), 0.1, 1e-15);  // a start that fits is left as it is
  ASSERT_TRUE(a.advance_to(2)) << a.message();
  EXPECT_NEAR(straight.read(straight.channel("disk.position.x")), 2.0, 1e-7);
  EXPECT_NEAR(straight.read(straight.channel("disk.position.y")), 0, 1e-7);

  Trial leaning(model, {"lean=0.3", "turn=-2"});
  bristle::Run& b = leaning.start();
  const auto energy = [&] { return leaning.system().calc_energy(b.state(), b.workspace()).total(); };
  const double before = energy();
  double lowest = 1, highest = 0;
  while (b.state().t < 2) {
    ASSERT_TRUE(b.advance(2)) << b.message();
    EXPECT_NEAR(energy(), before, 1e-7 * before);
    const double z = leaning.read(leaning.channel("disk.position.z"));
    lowest = std::min(lowest, z), highest = std::max(highest, z);
  }
  EXPECT_GT(highest - lowest, 1e-4);  // it nods
}

TEST(Rolling, is_refused_by_methods_that_hold_positions) {
  for (const char* m :
       {"generalized_alpha, step: 1 ms", "radau5, form: index3, tolerance: 1e-6", "radau5, form: ggl, tolerance: 1e-6"}) {
    try {
      Trial trial(R"(bristle: 1
bodies: {ball: {type: rigid, mass: 2 kg, inertia: [0.008, 0.008, 0.008], position: [0, 0, 0.1]}}
joints: {road: {type: rolling, between: [ground, ball], radius: 0.1 m}}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)",
                  {std::string("analysis.integrator={type: ") + m + "}"});
      trial.start();
      FAIL() << m;
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find("road"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace bristle
