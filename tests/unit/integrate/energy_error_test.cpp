// Steps of the energy schemes led by their error.
#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

const std::string kTail = "analysis: {type: transient, end: 1e9 s, integrator: {type: rk4, step: 1 ms}}\n";

const std::string kSwing = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {b: {type: rigid, mass: 2, inertia: [0.05, 0.2, 0.22], position: [0.6, 0, 0], velocity: [0, 1.2, 0.6], angular_velocity: [3, -1, 2]}}
joints: {ball: {type: spherical, between: [ground, b], at: [0, 0, 0]}}
)yaml" + kTail;

const std::string kBeam = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: general, EA: 1000, GA2: 500, GJ: 8, EI2: 10, EI3: 12, mass_per_length: 1, rotary_inertia: [0.4, 0.2, 0.2]}
bodies: {b: {type: beam, from: [0, 0, 0], to: [2, 0, 0], elements: 3, section: s}}
joints: {pin: {type: revolute, between: [ground, b.start], at: [0, 0, 0], axis: y}}
)yaml" + kTail;

struct Result {
  double x[3];
  long long steps, rejected;
};
Result run_to(const std::string& text, const std::string& integrator, double end) {
  Trial trial(text, {"analysis.integrator={" + integrator + "}"});
  bristle::Run& run = trial.start();
  EXPECT_TRUE(run.advance_to(end)) << run.message();
  const double* q = run.state().q() + run.system().layout().bodies.back().q;
  return {{q[0], q[1], q[2]}, run.counts().accepted, run.counts().rejected};
}
double distance(const Result& a, const Result& b) { return std::hypot(a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]); }

/// A method of second order whose steps all have the error asked for: steps go with the cube root of the tolerance, what adds up over the
/// run with its square, and both times a thousandfold tolerance make 10 and 100.
TEST(EnergyError, falls_with_the_tolerance_as_the_order_says) {
  for (const auto& [text, end] : {std::pair{kSwing, 1.0}, std::pair{kBeam, 0.5}}) {
    const Result truth = run_to(text, "type: radau5, tolerance: 1e-11", end);
    for (const std::string type : {"energy_preserving", "energy_decaying"}) {
      const Result coarse = run_to(text, "type: " + type + ", tolerance: 1e-4", end);
      const Result fine = run_to(text, "type: " + type + ", tolerance: 1e-7", end);
      const double steps = static_cast<double>(fine.steps) / static_cast<double>(coarse.steps);
      EXPECT_NEAR(std::log10(steps), 1, 0.15) << type;
      EXPECT_NEAR(std::log10(distance(coarse, truth) / distance(fine, truth)), 2, 0.4) << type;
      EXPECT_LT(distance(coarse, truth), 20 * 1e-4) << type;
      EXPECT_LT(fine.rejected, fine.steps / 8) << type;
    }
  }
}

TEST(EnergyError, a_step_given_beside_a_tolerance_is_the_largest) {
  Trial trial(kSwing, {"analysis.integrator={type: energy_decaying, tolerance: 1e-2, step: 2 ms}"});
  bristle::Run& run = trial.start();
  while (run.state().t < 0.2) {
    ASSERT_TRUE(run.advance(0.2)) << run.message();
    ASSERT_LE(run.last_step(), 2e-3 * (1 + 1e-9));
  }
}

/// The same exact balance, whatever leads the steps.
TEST(EnergyError, keeps_the_balance_of_energy) {
  for (const std::string type : {"energy_preserving", "energy_decaying"}) {
    Trial trial(kBeam, {"analysis.integrator={type: " + type + ", tolerance: 1e-3}"});
    bristle::Run& run = trial.start();
    ASSERT_TRUE(run.advance_to(1)) << run.message();
    EXPECT_LT(run.ledger().worst_residual(), 1e-9 * run.ledger().scale()) << type;
  }
}

TEST(EnergyError, leads_together_with_the_rules_of_contact_and_friction) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {ball: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.5], velocity: [1, 0, 0], angular_velocity: [0, 0, 30]}}
joints:
  floor:
    type: contact
    between: [ground, ball]
    surfaces: [{type: plane, axis: z}, {type: sphere, radius: 50 mm}]
    contact: {type: linear, stiffness: 1e6}
    friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, sigma0: 1e3 1/m, stribeck_velocity: 10 mm/s}
)yaml" + kTail;
  Trial trial(text, {"analysis.integrator={type: energy_decaying, tolerance: 1e-4, adapt: [{type: contact, penetration: 20 um}, "
                     "{type: friction, share: 0.05}]}"});
  bristle::Run& run = trial.start();
  ASSERT_TRUE(run.advance_to(0.5)) << run.message();
  const auto count = [&](const char* reason) {
    long long steps = 0;
    const StepReasons& reasons = run.choice().reasons();
    for (std::size_t i = 0; i < reasons.names().size(); ++i) {
      if (reasons.names()[i] == reason) steps += reasons.counts()[i];
    }
    return steps;
  };
  EXPECT_GT(count("error"), 0);
  EXPECT_GT(count("contact") + count("friction"), 0);
  EXPECT_LT(run.ledger().worst_residual(), 1e-8 * run.ledger().scale());
}

}  // namespace
}  // namespace bristle
