// Errors are not asked to be smaller than rounding: what stiff rows and long turns make of it is no error of the step.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

/// A beam whose cross sections turn fast and little: steps of 1e-6 s tell their speeds to no more than the rounding of attitudes over the step.
TEST(Rounding, does_not_lead_the_steps_of_radau5_on_a_beam) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  strip: {type: rectangle, height: 3 mm, width: 20 mm, young: 70 GPa, density: 2700 kg/m^3}
bodies:
  strip: {type: beam, from: [0, 0, 0], to: [0.6, 0, 0], elements: 2, section: strip}
joints:
  pin: {type: revolute, between: [ground, strip.start], at: [0, 0, 0], axis: y}
analysis: {type: transient, end: 0.01 s, integrator: {type: radau5, tolerance: 1e-8}}
record: {channels: [strip.tip.position.*]}
)yaml";
  const auto run_at = [&](double tolerance, double& tip) {
    Trial trial(text, {setting("radau5", 0, tolerance)});
    auto& run = trial.start();
    while (run.state().t < 0.01) {
      if (!run.advance(0.01)) ADD_FAILURE() << run.message();
      if (!run.message().empty()) break;
    }
    tip = trial.read(trial.channel("strip.tip.position.z"));
    return run.counts().accepted;
  };
  double coarse = 0, fine = 0, finest = 0;
  const auto at_8 = run_at(1e-8, coarse), at_9 = run_at(1e-9, fine), at_10 = run_at(1e-10, finest);
  // of order five: a hundredth of the tolerance takes 100^(1/5) = 2.5 times as many steps, where all of it is error
  EXPECT_LT(static_cast<double>(at_10), 2.5 * static_cast<double>(at_8));
  EXPECT_LT(static_cast<double>(at_9), 1.6 * static_cast<double>(at_8));
  EXPECT_NEAR(coarse, finest, 1e-12);
  EXPECT_NEAR(fine, finest, 1e-13);
}

#ifdef BRISTLE_HAVE_SUNDIALS
/// After two thousand turns the pin holds its arm as exactly as the angle is known, also where a coordinate of it passes through zero.
TEST(Rounding, of_many_turns_does_not_stop_cvode) {
  const auto turned = [](double turns, const char* method, double tolerance) {
    const double begin = 0.5 + 2 * std::numbers::pi * turns;
    Trial trial(fmt::format(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  arm: {{type: planar, mass: 1 kg, inertia: 0.02 kg m^2, position: [0.3*cos(0.5), 0.3*sin(0.5)], angle: {:.17g}, angular_velocity: 2000}}
joints:
  pin: {{type: revolute, between: [ground, arm], at: [0, 0]}}
analysis: {{type: transient, end: 0.05 s, integrator: {{type: cvode, tolerance: 1e-10}}}}
)yaml",
                            begin),
                {setting(method, 0, tolerance)});
    auto& run = trial.start();
    while (run.state().t < 0.05) {
      if (!run.advance(0.05)) {
        ADD_FAILURE() << turns << ": " << run.message();
        break;
      }
    }
    return trial.read(trial.channel("arm.angle")) - begin;
  };
  const double exact = turned(0, "dormand_prince", 1e-13);
  const double none = turned(0, "cvode", 1e-10) - exact, many = turned(2000, "cvode", 1e-10) - exact;
  EXPECT_LT(std::abs(many), 3 * std::abs(none))
      << "rad, of 100: as far off as without those turns, within the chance of other steps";
}
#endif

}  // namespace
}  // namespace bristle
