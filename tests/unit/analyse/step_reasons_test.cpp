// Which rule chose a step is counted under its own name.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

TEST(StepReasons, every_rule_is_counted_under_its_own_name) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {ball: {type: rigid, mass: 1 kg, inertia: [4e-4, 4e-4, 4e-4], position: [0, 0, 0.021], velocity: [0.1, 0, 0]}}
joints:
  floor:
    type: contact
    between: [ground, ball]
    surfaces: [{type: plane, axis: z}, {type: sphere, radius: 20 mm}]
    contact: {type: linear, stiffness: 100 kN/m}
    friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.3, sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s}
analysis:
  type: transient
  end: 0.1 s
  integrator: {type: energy_decaying, step: 1 ms, adapt: [{type: contact, penetration: 5 um}, {type: friction, share: 0.01}]}
)yaml";
  Trial trial(text);
  auto& run = trial.start();
  std::map<std::string, long long> seen;
  while (run.state().t < 0.1) {
    ASSERT_TRUE(run.advance(0.1)) << run.message();
    ++seen[run.choice().reason_name()];
  }
  EXPECT_GT(seen["contact"], 0);
  EXPECT_GT(seen["friction"], 0);
  const StepReasons& reasons = run.choice().reasons();
  for (std::size_t i = 0; i < reasons.names().size(); ++i)
    EXPECT_EQ(reasons.counts()[i], seen[reasons.names()[i]]) << reasons.names()[i];
}

/// Leads every n-th step, where none of its fellows does.
class Turn final : public StepController {
 public:
  Turn(int index, int count) : name_("turn of " + std::to_string(index)), index_(index), count_(count) {}
  const char* reason() const override { return name_.c_str(); }
  double propose(const StepView&) override { return asked_++ % count_ == index_ ? 1e-3 : kInfinity; }

 private:
  std::string name_;
  int index_, count_, asked_ = 0;
};

TEST(StepReasons, there_is_room_for_as_many_rules_as_a_run_has) {
  constexpr int kRules = 30;
  Trial trial(
      "bristle: 1\nbodies: {m: {type: mass, mass: 1 kg}}\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n");
  std::vector<std::unique_ptr<StepController>> rules;
  for (int i = 0; i < kRules; ++i) rules.push_back(std::make_unique<Turn>(i, kRules));
  Describer none;
  bristle::Run run(trial.system(), integrator_registry().find("rk4")->make(none), std::move(rules));
  run.start(trial.system().make_state());
  for (int i = 0; i < 2 * kRules; ++i) {
    ASSERT_TRUE(run.advance(1)) << run.message();
    EXPECT_EQ(run.choice().reason_name(), "turn of " + std::to_string(i % kRules));
  }
  const StepReasons& reasons = run.choice().reasons();
  for (int i = 0; i < kRules; ++i)
    EXPECT_EQ(reasons.counts()[reasons.names().size() - kRules + static_cast<std::size_t>(i)], 2) << i;
}

}  // namespace
}  // namespace bristle
