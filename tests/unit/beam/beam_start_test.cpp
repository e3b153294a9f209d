// Beams that start bent or swinging, against closed forms of Euler and Bernoulli.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/assemble/assemble.h"
#include "support/models.h"
#include "validation/trial.h"

namespace bristle {
namespace {

constexpr double kPi = std::numbers::pi, kL = 0.5, kEI = 70e9 * 0.02 * 8e-9 / 12, kMass = 2700 * 0.02 * 2e-3;

std::string strip(const std::string& start, const std::string& integrator = "{type: energy_preserving, step: 0.1 ms}") {
  return "bristle: 1\nsections:\n  s: {type: rectangle, height: 2 mm, width: 20 mm, young: 70 GPa, density: 2700 kg/m^3}\n"
         "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [0.5, 0, 0], elements: 16, section: s, start: " +
         start +
         "}\njoints:\n  left: {type: revolute, between: [ground, rod.start], at: [0, 0, 0], axis: y}\n"
         "  right: {type: point_on_line, between: [ground, rod.tip], at: [0.5, 0, 0], axis: x}\n"
         "analysis: {type: transient, end: 0.2 s, integrator: " +
         integrator + "}\n";
}
double frequency(int mode) { return mode * mode * kPi * kPi / (kL * kL) * std::sqrt(kEI / kMass); }

TEST(BeamStart, in_the_shape_of_a_mode_swings_in_it) {
  for (const int mode : {1, 2}) {
    Trial trial(strip("{displacement: [0, 0, \"1e-4*sin(" + std::to_string(mode) + "*pi*xi)\"]}"));
    auto& run = trial.start();
    const int at = trial.channel(mode == 1 ? "rod.8.position.z" : "rod.4.position.z");
    EXPECT_NEAR(trial.read(at), 1e-4, 1e-12);
    const double w = frequency(mode), stored = trial.system().calc_energy(run.state(), run.workspace()).stored;
    EXPECT_NEAR(stored, 0.25 * kMass * kL * w * w * 1e-8, 0.01 * stored);
    for (int quarter = 1; quarter <= 4; ++quarter) {
      const double t = quarter * kPi / (2 * w);
      while (run.state().t < t && run.advance(t)) {}
      EXPECT_NEAR(trial.read(at), 1e-4 * std::cos(w * t), 0.02 * 1e-4) << mode << " " << quarter;
    }
  }
}

TEST(BeamStart, swings_with_the_rates_it_is_given_and_sections_turn_with_the_axis) {
  Trial trial(strip("{velocity: [0, 0, \"0.1*sin(pi*s/0.5 [m])\"]}"));
  auto& run = trial.start();
  EXPECT_NEAR(trial.read(trial.channel("rod.4.velocity.z")), 0.1 * std::sin(kPi / 4), 1e-12);
  // rot_y = -w'
  EXPECT_NEAR(trial.read(trial.channel("rod.4.angular_velocity.y")), -0.1 * kPi / kL * std::cos(kPi / 4), 1e-7);
  const double w = frequency(1), t = kPi / (2 * w);
  while (run.state().t < t && run.advance(t)) {}
  EXPECT_NEAR(trial.read(trial.channel("rod.8.position.z")), 0.1 / w, 0.01 * 0.1 / w);
}

TEST(BeamStart, takes_sections_and_rates_as_given) {
  Trial trial(
      strip("{displacement: [0, 0, 0], rotation: [\"0.02*sin(pi*xi)\", 0, 0], angular_velocity: [\"3*xi*(1 - xi)\", 0, 0]}"));
  trial.start();
  EXPECT_NEAR(trial.read(trial.channel("rod.8.orientation.x")), std::sin(kPi / 4 + 0.01), 1e-12);  // section axis 2 is up
  EXPECT_NEAR(trial.read(trial.channel("rod.8.angular_velocity.x")), 0.75, 1e-12);
}

TEST(BeamStart, bends_far_and_moves_as_a_whole_too) {
  // a quarter of a circle of radius 2 L/pi, from a straight beam: bending alone
  const std::string rod =
      "bristle: 1\nsections:\n  s: {type: rectangle, height: 2 mm, width: 20 mm, young: 70 GPa, density: 2700 kg/m^3}\n"
      "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [0.5, 0, 0], elements: 32, section: s, velocity: [1, 2, 3], angular_velocity: [0, 0, 5], "
      "start: {displacement: [\"1/pi*sin(pi/2*xi) - 0.5*xi\", 0, \"1/pi*(1 - cos(pi/2*xi))\"]}}\n"
      "analysis: {type: transient, end: 1 ms, integrator: {type: energy_preserving, step: 1 us}}\n";
  Trial trial(rod);
  auto& run = trial.start();
  const double stored = trial.system().calc_energy(run.state(), run.workspace()).stored, curvature = kPi / 2 / kL;
  EXPECT_NEAR(stored, 0.5 * kEI * curvature * curvature * kL, 2e-3 * stored);
  EXPECT_NEAR(trial.read(trial.channel("rod.start.velocity.y")), 2, 1e-12);
  EXPECT_NEAR(trial.read(trial.channel("rod.tip.angular_velocity.z")), 5, 1e-9);
}

TEST(BeamStart, refuses_what_it_does_not_know) {
  const auto says = [](const std::string& start, const char* part) {
    try {
      Trial trial(strip(start));
      ADD_FAILURE() << start;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  };
  says("{displacment: [0, 0, 1]}", "displacement");
  says("{displacement: [0, 0, \"sin(sigma)\"]}", "sigma");
  says("{displacement: [0, 0, \"2 s\"]}", "");
  says("{displacement: [\"-s\", 0, 0]}", "no direction");
}

}  // namespace
}  // namespace bristle
