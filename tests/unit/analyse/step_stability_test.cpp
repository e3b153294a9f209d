// Step rules of explicit methods mind what grows fast inside a step, not only where it starts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/analyse/transient.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/plans.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

struct Ride {
  double x = 0, largest = 0;  // [m] at the end, [N] largest friction force
  RunCounts counts;
  bool finished = true;
};

/// A block on a spring that rubs and turns back: at the reversal the time constant of the bristle falls from infinity to less than a step.
Ride ride(const std::string& integrator) {
  Trial trial(R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, velocity: 2 m/s}}
forces: {spring: {type: spring, between: [ground, block], stiffness: 100 N/m}}
joints:
  shoe:
    type: sliding
    between: [ground, block]
    load: 10 N
    friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.2, sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s}
analysis: {type: transient, end: 0.3 s, integrator: {type: rk4, step: 1 ms}}
)yaml",
              {"analysis.integrator=" + integrator});
  auto& run = trial.start();
  const int force = trial.channel("shoe.friction_force");
  Ride out;
  while (run.state().t < 0.3) {
    if (!run.advance(0.3)) {
      out.finished = false;
      break;
    }
    out.largest = std::max(out.largest, std::abs(trial.read(force)));
  }
  out.x = run.state().q()[0];
  out.counts = run.counts();
  return out;
}

TEST(StepStability, a_bristle_at_a_reversal_stays_within_the_limit_of_its_law) {
  constexpr double kLimit = 0.3 * 10;  // [N] mu_static times the load
  const Ride by_start = ride("{type: rk4, adapt: [{type: time_constant, coarse: 1 ms, fraction: 0.5, start_only: true}]}");
  EXPECT_GT(by_start.largest, 5 * kLimit) << "the rule of the source: what the default is for";
  EXPECT_EQ(by_start.counts.rejected, 0);
  for (const char* rule :
       {"{type: time_constant, coarse: 1 ms, fraction: 0.5}", "{type: time_constant, coarse: 0.1 ms, fraction: 2}"}) {
    const Ride by_both = ride(std::string("{type: rk4, adapt: [") + rule + "]}");
    EXPECT_TRUE(by_both.finished) << rule;
    EXPECT_LE(by_both.largest, kLimit) << rule;
  }
  // in fast slip the printed rule asks for steps of a hundred time constants
  const Ride by_rule = ride("{type: rk4, step: 1 ms, adapt: [friction]}");
  EXPECT_TRUE(by_rule.finished);
  EXPECT_LE(by_rule.largest, kLimit);
}

TEST(StepStability, its_steps_come_where_fine_ones_come) {
  const Ride fine = ride("{type: rk4, step: 0.5 us}");
  const Ride led = ride("{type: rk4, adapt: [{type: time_constant, coarse: 10 us, fraction: 0.5}]}");
  EXPECT_NEAR(led.x, fine.x, 1e-8 * 0.2) << "of the largest displacement";
}

/// A ball that falls onto a stiff floor and comes to rest on it: between two touches its gap hardly changes at the apex, and at rest not at all.
TEST(StepStability, the_rule_of_contact_minds_the_stiffness_that_it_lands_on) {
  Trial trial(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {ball: {type: rigid, mass: 1 kg, inertia: [4e-4, 4e-4, 4e-4], position: [0, 0, 0.021]}}
joints:
  floor:
    type: contact
    between: [ground, ball]
    surfaces: [{type: plane, axis: z}, {type: sphere, radius: 20 mm}]
    contact: {type: kelvin_voigt, stiffness: 1 MN/m, damping: 200 N s/m}
analysis: {type: transient, end: 2 s, integrator: {type: rk4, step: 20 ms, adapt: [{type: contact, penetration: 3 um}]}}
)yaml");
  auto& run = trial.start();
  while (run.state().t < 2) ASSERT_TRUE(run.advance(2)) << run.message();
  EXPECT_NEAR(run.state().q()[run.system().layout().frame_q(0) + 2], 0.02 - 9.81e-6, 1e-9) << "rest, by weight over stiffness";
  EXPECT_LT(run.ledger().energy().kinetic, 1e-12);
  EXPECT_LT(std::abs(run.ledger().residual()), 0.01 * run.energy_involved()) << "what any run has to keep that is to be trusted";
}

const std::string kWornPin = R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  arm: {type: planar, mass: 1 kg, inertia: 0.02 kg m^2, position: [0.3, 0]}
joints:
  pin:
    type: revolute
    between: [ground, arm]
    at: [0, 0]
    pin_radius: 10 mm
    clearance: 0.5 mm
    contact: {type: lankarani_nikravesh, stiffness: 1 GN/m^1.5, restitution: 0.8}
    friction: {type: lugre, mu_static: 0.15, mu_kinetic: 0.1, sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)yaml";

/// The rules that docs/modeling/clearance.md recommends, with a bristle in the hole: stiff contact, and friction as stiff while it sticks.
TransientResult run_worn_pin(const std::string& rules) {
  const std::vector<std::string> set{"analysis.integrator={type: rk4, step: 1 ms, adapt: " + rules + "}"};
  const Model model = read_model_text(kWornPin, "test.yaml", set);
  const System system = assemble(model);
  const TransientPlan plan = plan_transient(model);
  MemorySink sink;
  return run_transient(*make_run(model, system, plan), plan, {}, sink);
}

TEST(StepStability, the_rules_for_clearance_are_stable_by_themselves) {
  const TransientResult result = run_worn_pin("[contact, friction]");
  EXPECT_EQ(result.end, RunStatus::End::finished) << result.message;
  EXPECT_NEAR(result.dissipated, 0.0679, 0.05 * 0.0679) << "as dormand_prince at 1e-8";
}

TEST(StepStability, what_outran_its_steps_says_so_and_tells_of_finite_energies) {
  const TransientResult result = run_worn_pin("[{type: contact, start_only: true}, {type: friction, start_only: true}]");
  EXPECT_EQ(result.end, RunStatus::End::failed);
  EXPECT_EQ(result.message.find("expression"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("pin"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("start_only"), std::string::npos) << result.message;
  EXPECT_EQ(result.message.find("e-15 s are"), std::string::npos) << "a step that was taken: " << result.message;
  double sum = result.energy.kinetic + result.energy.stored + result.dissipated + result.energy_residual + result.energy_created;
  for (const auto& [name, joule] : result.accounts) sum += joule;
  EXPECT_TRUE(std::isfinite(sum));
}

TEST(StepStability, a_run_goes_on_from_a_checkpoint_bit_by_bit) {
  const std::vector<std::string> set{"analysis.integrator={type: rk4, step: 1 ms, adapt: [contact, friction]}"};
  Trial trial(kWornPin, set);
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(0.2)) << run.message();
  Archive a;
  run.save(a);
  ASSERT_TRUE(run.advance_to(0.4)) << run.message();
  const State whole = run.state();
  const long long accepted = run.counts().accepted;
  auto& other = trial.start();
  Archive copy(a.bytes());
  other.load(copy);
  ASSERT_TRUE(other.advance_to(0.4)) << other.message();
  EXPECT_EQ(other.counts().accepted, accepted);
  for (std::size_t i = 0; i < whole.numbers().size(); ++i) EXPECT_EQ(whole.numbers()[i], other.state().numbers()[i]) << i;
}

}  // namespace
}  // namespace bristle
