// Switches of dry places with a method that chooses the steps itself.
#include <gtest/gtest.h>

#include "support/models.h"
#include "support/tools.h"

namespace bristle {
namespace {

using namespace test;

TEST(Cvode, finds_switches_inside_its_steps_and_takes_few_after_them) {
  BRISTLE_NEEDS(integrator_registry().find("cvode") != nullptr, "SUNDIALS");
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  b: {type: rigid, mass: 0.7, inertia: [0.03, 0.05, 0.04], position: [0.1, 0, -0.17], angular_velocity: [0, 0.3, 0], velocity: [-0.051, 0, 0]}
joints:
  pin: {type: revolute, between: [ground, b], at: [0.1, 0, 0], axis: y, pin_radius: 30 mm, preload: 2, friction: {type: coulomb, mu_kinetic: 0.3}}
forces:
  shake: {type: load, on: pin.angle, force: "0.3*sin(20*t)"}
analysis: {type: transient, end: 3 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
  const auto follow = [&](const char* name, Trial& trial, std::vector<double>& times) -> State {
    auto& run = trial.start();
    long long events = 0;
    while (run.state().t < 3) {
      if (!run.advance(3)) {
        ADD_FAILURE() << name << ": " << run.message();
        break;
      }
      if (run.counts().events > events) times.push_back(run.state().t);
      events = run.counts().events;
    }
    return run.state();
  };
  Trial exact(text, {setting("dormand_prince", 0, 1e-10)}), trial(text, {setting("cvode", 0, 1e-6)});
  std::vector<double> expected, found;
  const State a = follow("dormand_prince", exact, expected), b = follow("cvode", trial, found);
  ASSERT_EQ(found.size(), expected.size());
  // a tolerance of 1e-6 per step, over some hundred steps
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4);
  for (int i = 0; i < a.sizes().q; ++i) EXPECT_NEAR(b.q()[i], a.q()[i], 1e-4);
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(3));
  EXPECT_EQ(run.counts().rejected, 0);
  // 15 steps to grow from order one after each switch, and 50 to the next
  EXPECT_LT(run.counts().accepted, static_cast<long long>(65 * (expected.size() + 1)));
}

}  // namespace
}  // namespace bristle
