// A brake rubs at one radius and is felt at another: what it holds, when it lets go and what it takes out, in closed form; alone and beside bodies in
// space, where slips are rows.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kArm = 0.1, kForceArm = 0.2, kLoad = 10, kInertia = 2, kEnd = 1;

enum class Beside { nobody, a_free_body, a_hinged_body };

const char* name_of(Beside beside) {
  return beside == Beside::nobody ? ", alone" : beside == Beside::a_free_body ? ", beside a free body" : ", beside a hinged body";
}

/// Rotors on a common brake, pulled with a moment of 2 t in all; two of them along (0.6, 0.8).
std::string braked(int components, const std::string& law, Beside beside, const std::string& start = "") {
  const std::string rotor = fmt::format("{{type: inertia, inertia: {} kg m^2{}}}\n", kInertia, start);
  std::string bodies = "  a: " + rotor, forces = "  motor_a: {type: load, on: a, force: \"2*t\"}\n", hinge;
  if (components == 2) {
    bodies += "  b: " + rotor;
    forces = "  motor_a: {type: load, on: a, force: \"1.2*t\"}\n  motor_b: {type: load, on: b, force: \"1.6*t\"}\n";
  }
  if (beside != Beside::nobody) bodies += "  stone: {type: rigid, mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\n";
  if (beside == Beside::a_hinged_body) hinge = "  pin: {type: revolute, between: [ground, stone], at: [0, 0, 0]}\n";
  return fmt::format(
      "bristle: 1\nbodies:\n{}{}joints:\n  brake: {{type: sliding, between: {}, arm: {} m, force_arm: {} m, load: {} N, friction: "
      "{}}}\n{}analysis: {{type: transient, end: {} s, integrator: {{type: rk4, step: 10 ms}}}}\n",
      bodies, start.empty() ? "forces:\n" + forces : "", components == 1 ? "[ground, a]" : "[[ground, ground], [a, b]]", kArm,
      kForceArm, kLoad, law, hinge, kEnd);
}

struct Law {
  const char* text;
  double holds, slides;  ///< coefficients
};
constexpr Law kKarnopp{"{type: karnopp, mu_static: 0.6, mu_kinetic: 0.4, zero_velocity: 1 mm/s}", 0.6,
                       0.4};  // holds in a band of speeds
constexpr Law kCoulomb{"{type: coulomb, mu_kinetic: 0.5}", 0.5, 0.5},
    kStiction{"{type: stiction, mu_static: 0.6, mu_kinetic: 0.4}", 0.6, 0.4};

/// Every method with the forms it has, in the words of an override.
std::vector<std::string> methods() {
  std::vector<std::string> all;
  for (const std::string& name : integrators(true)) {
    const std::string one = setting(name, 1e-3, 1e-9);
    all.push_back(one);
    std::vector<std::string> forms;
    if (name == "radau5") forms = {"index2", "ggl"};
    if (name == "generalized_alpha") forms = {"ggl"};
    for (const std::string& form : forms) all.push_back(one.substr(0, one.size() - 1) + ", form: " + form + "}");
  }
  return all;
}

/// What an account of the ledger has taken out [J].
double taken(bristle::Run& run, const std::string& name) {
  const std::vector<Account>& accounts = run.system().layout().accounts;
  for (std::size_t k = 0; k < accounts.size(); ++k) {
    if (accounts[k].name == name) return run.ledger().of(static_cast<int>(k));
  }
  throw std::runtime_error("no account " + name);
}

TEST(LeverArms, a_brake_lets_go_at_the_moment_of_its_force_arm) {
  for (const Beside beside : {Beside::nobody, Beside::a_free_body, Beside::a_hinged_body}) {
    for (const int components : {1, 2}) {
      for (const Law& law : {kCoulomb, kStiction}) {
        for (const std::string& method : methods()) {
          SCOPED_TRACE(method + ", " + law.text + ", " + std::to_string(components) + " components" + name_of(beside));
          Trial trial(braked(components, law.text, beside), {method});
          auto& run = trial.start();
          ASSERT_TRUE(run.advance_to(kEnd)) << run.message();
          // rest until 2 t = M_s, then J w' = 2 t - M_k
          const double M_s = law.holds * kLoad * kForceArm, M_k = law.slides * kLoad * kForceArm, from = 0.5 * M_s;
          const double w = (kEnd * kEnd - from * from - M_k * (kEnd - from)) / kInertia;
          // and the brake takes out M_k times the angle
          const auto angle = [&](double s) {  // of the integral of (t^2 - from^2 - M_k (t - from))/J
            return ((kEnd * kEnd * kEnd - s * s * s) / 3 - s * s * (kEnd - s) - 0.5 * M_k * (kEnd - s) * (kEnd - s)) / kInertia;
          };
          // steps of a millisecond of second order: their error in (t - from)^2 is far less; schemes that do not locate the switch are late or
          // early by up to a step, which is 2 (t - from) of it
          const double tolerance = 1e-5;
          if (components == 1) {
            EXPECT_NEAR(run.state().v()[0], w, tolerance);
          } else {
            EXPECT_NEAR(run.state().v()[0], 0.6 * w, tolerance);
            EXPECT_NEAR(run.state().v()[1], 0.8 * w, tolerance);
          }
          EXPECT_NEAR(taken(run, "brake"), M_k * angle(from), tolerance);
          EXPECT_LT(std::abs(run.ledger().residual()), 1e-6);  // [J] of 0.03 that go through the brake; of the trapezoidal rule
        }
      }
    }
  }
}

TEST(LeverArms, a_wheel_stops_under_the_moment_of_its_force_arm) {
  // J w' = -M from w0: stands after w0 J/M, for good, and what it had is in the brake
  constexpr double w0 = 0.3;
  for (const Beside beside : {Beside::nobody, Beside::a_free_body, Beside::a_hinged_body}) {
    for (const int components : {1, 2}) {
      for (const std::string& method : methods()) {
        SCOPED_TRACE(method + ", " + std::to_string(components) + " components" + name_of(beside));
        Trial trial(braked(components, kCoulomb.text, beside, fmt::format(", speed: {} rad/s", w0)), {method});
        auto& run = trial.start();
        ASSERT_TRUE(run.advance_to(kEnd)) << run.message();
        const double n = std::sqrt(static_cast<double>(components)), M = kCoulomb.slides * kLoad * kForceArm;
        for (int k = 0; k < components; ++k) {
          EXPECT_NEAR(run.state().v()[k], 0, 1e-12);  // round-off of the stop
          EXPECT_NEAR(run.state().q()[k], 0.5 * n * w0 * w0 * kInertia / M,
                      2e-6);  // a step that is not located: h^2 M/(8 J), and less
        }
        EXPECT_NEAR(taken(run, "brake"), 0.5 * kInertia * components * w0 * w0, 1e-9);
      }
    }
  }
}

TEST(LeverArms, hold_under_the_threshold_rule_what_they_hold_with_events) {
  for (const Beside beside : {Beside::nobody, Beside::a_free_body, Beside::a_hinged_body}) {
    for (const int components : {1, 2}) {
      SCOPED_TRACE(std::to_string(components) + " components" + name_of(beside));
      Trial trial(braked(components, kKarnopp.text, beside),
                  {"analysis.integrator={type: rk4, step: 0.1 ms}", "analysis.rest=threshold"});
      auto& run = trial.start();
      const double M_s = kKarnopp.holds * kLoad * kForceArm;
      ASSERT_TRUE(run.advance_to(0.5 * M_s - 0.01)) << run.message();
      double moment = 0;
      for (int k = 0; k < components; ++k) {
        EXPECT_NEAR(run.state().v()[k], 0, 1e-12);
        const double F =
            trial.read(trial.channel(components == 1 ? "brake.friction_force" : fmt::format("brake.friction_force.{}", k + 1)));
        moment += F * F * kForceArm * kForceArm;
      }
      EXPECT_NEAR(std::sqrt(moment), 2 * run.state().t, 1e-9);  // it balances the motor
      ASSERT_TRUE(run.advance_to(0.5 * M_s + 0.1)) << run.message();
      EXPECT_GT(std::abs(run.state().v()[0]), 1e-3);
      // over a step of 0.1 ms the switch is not located
      EXPECT_LT(std::abs(run.ledger().residual()), 1e-4 * run.energy_involved());
    }
  }
}

TEST(LeverArms, of_two_brakes_on_one_shaft_add_up_their_moments) {
  for (const Beside beside : {Beside::nobody, Beside::a_free_body, Beside::a_hinged_body}) {
    for (const std::string& method : methods()) {
      SCOPED_TRACE(method + name_of(beside));
      std::string text = braked(1, kCoulomb.text, beside);
      const std::string first = "joints:\n";
      text.insert(text.find(first) + first.size(),
                  "  other: {type: sliding, between: [ground, a], arm: 0.1 m, force_arm: 0.05 m, load: 20 N, friction: {type: "
                  "coulomb, mu_kinetic: 0.5}}\n");
      Trial trial(text, {method});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(kEnd)) << run.message();
      const double M = 0.5 * 10 * 0.2 + 0.5 * 20 * 0.05, from = 0.5 * M;
      EXPECT_NEAR(run.state().v()[0], (kEnd - from) * (kEnd - from) / kInertia, 1e-5);  // as above
      // they move by the same angle: each takes out its own moment times that
      EXPECT_NEAR(taken(run, "brake"), 2 * taken(run, "other"), 1e-6);
    }
  }
}

TEST(LeverArms, act_on_places_that_cannot_rest_as_well) {
  // smoothed friction far above its speed: J w' = -M; for time stepping over impacts, which takes no other
  Trial trial(braked(1, "{type: coulomb, mu_kinetic: 0.5}, smoothing: {shape: saturation, velocity: 1 mm/s}", Beside::a_free_body,
                     ", speed: 3 rad/s"),
              {"analysis.integrator={type: moreau_jean, step: 1 ms}"});
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(kEnd)) << run.message();
  EXPECT_NEAR(run.state().v()[0], 3 - kCoulomb.slides * kLoad * kForceArm / kInertia * kEnd,
              1e-9);  // constant: exact but for round-off
}

}  // namespace
}  // namespace bristle
