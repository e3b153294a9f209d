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
    ++seen[run.last_reason()];
    EXPECT_STREQ(run.reasons()[static_cast<std::size_t>(run.last_reason_index())], run.last_reason());
  }
  EXPECT_GT(seen["contact"], 0);
  EXPECT_GT(seen["friction"], 0);
  for (std::size_t i = 0; i < run.reasons().size(); ++i)
    EXPECT_EQ(run.counts().by_reason[i], seen[run.reasons()[i]]) << run.reasons()[i];
}

}  // namespace
}  // namespace bristle
