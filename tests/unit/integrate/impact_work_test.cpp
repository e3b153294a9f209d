// Whose the work of an impact is: impulse times mean velocity is that of all contacts together.
#include "bristle/integrate/impact_work.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/analyse/transient.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/plans.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

TEST(ImpactWork, no_share_gives_what_others_take_and_the_sum_stays) {
  std::vector<ImpactWork> one{{3, -1}};
  share_impact_work(one);
  EXPECT_DOUBLE_EQ(one[0].contact, 2);
  EXPECT_DOUBLE_EQ(one[0].friction, 0);
  std::vector<ImpactWork> several{{3, 1}, {-2, 0.5}, {0, 0.5}};
  share_impact_work(several);
  double sum = 0;
  for (const ImpactWork& w : several) {
    EXPECT_GE(w.contact, 0);
    EXPECT_GE(w.friction, 0);
    sum += w.contact + w.friction;
  }
  EXPECT_NEAR(sum, 3, 1e-15);
  EXPECT_NEAR(several[0].contact, 2 * several[0].friction * 1.5, 1e-15) << "what takes gives alike";
  std::vector<ImpactWork> growing{{1, -3}, {0.5, 0}};  // what all of them give out stays to be seen
  share_impact_work(growing);
  EXPECT_NEAR(growing[0].contact + growing[0].friction + growing[1].contact + growing[1].friction, -1.5, 1e-15);
  EXPECT_LT(growing[0].friction, 0);
}

/// An arm on a pin drops a ball on its end onto the floor. One motion moves the contact across and along: friction opposes the slip after the rebound, the mean slip is that
/// before it. From heights of the pin of 0.3 m on friction at the end of a bounce would stop it.
std::string arm(double pin, const char* law) {
  return fmt::format(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  arm: {{type: planar, mass: 1 kg, inertia: 0.02 kg m^2, position: [0.3, 0.3]}}
joints:
  pin: {{type: revolute, between: [ground, arm], at: [0, {}]}}
collisions:
  tip: {{bodies: [arm], with: [{{type: plane, axis: y}}], surface: {{type: sphere, radius: 50 mm}},
    contact: {{type: rigid, restitution: 0.8, impact: {}}}, friction: {{type: coulomb, mu_kinetic: 0.5}}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: 1 ms}}}}
record: {{every: step}}
)yaml",
                     pin, law);
}

TEST(ImpactWork, a_rubbing_impact_of_a_jointed_body_closes_its_accounts) {
  for (double pin : {0.05, 0.2, 0.25, 0.3, 0.33, 0.35}) {
    for (const char* law : {"newton", "poisson"}) {
      const std::string text = arm(pin, law);
      const Model model = read_model_text(text, "test.yaml");
      const System system = assemble(model);
      const TransientPlan plan = plan_transient(model);
      MemorySink sink;
      const TransientResult result = run_transient(*make_run(model, system, plan), plan, {}, sink);
      EXPECT_EQ(result.end, RunStatus::End::finished) << pin << " " << law << ": " << result.message;
      EXPECT_GE(result.dissipated, 0);
      EXPECT_LT(result.energy_created, 0.01) << pin << " " << law;
      for (const char* account : {"tip.dissipated", "tip.contact.dissipated"}) {
        double high = 0;
        for (const double joule : sink.channel(account)) {
          EXPECT_GE(joule, high - 1e-4 * result.dissipated) << pin << " " << law << " " << account;
          high = std::max(high, joule);
        }
      }
    }
  }
}

/// Whatever its impulses, Newton's law tells the motion of one freedom: it rebounds with its share of the speed.
TEST(ImpactWork, and_the_arm_rebounds_with_its_share) {
  for (double pin : {0.05, 0.25, 0.33, 0.35}) {
    Trial trial(arm(pin, "newton"), {"analysis.integrator={type: moreau_jean, step: 0.1 ms}"});
    auto& run = trial.start();
    double before = 0, after = 0;
    while (run.state().t < 0.4 && !(after > 0)) {
      ASSERT_TRUE(run.advance(0.4)) << run.message();
      const BodyInfo& body = run.system().layout().bodies.back();
      const double w = run.state().v()[body.v + body.shifts()];
      if (w > 0) after = w;
      else before = w;
    }
    // rows are those of the middle of the step: the shorter lever, a seventh of the other one from 0.35 m, turns by that much within it
    const double turned = 1e-4 * std::abs(before);
    EXPECT_NEAR(after, -0.8 * before, 7 * turned * std::abs(before)) << pin;
  }
}

}  // namespace
}  // namespace bristle
