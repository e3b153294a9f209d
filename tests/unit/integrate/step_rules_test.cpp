// Step rules of contact and friction, against the printed equations.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bristle/integrate/controller.h"
#include "validation/trial.h"

namespace bristle {
namespace {

/// What a rule sees after a step of `last` seconds.
double proposed(StepController& rule, const std::vector<Pace>& pace, const std::vector<double>& speed, double last) {
  const Outcome outcome;
  return rule.propose({outcome, last, pace, speed});
}

Pace opening(double gap) {
  Pace p;
  p.opens = true;
  p.gap = gap;
  return p;
}

TEST(ContactStep, is_eqs_19_and_20_of_modeling_friction_phenomena) {
  ContactStep rule;
  rule.penetration = 3e-6, rule.nearness = 5, rule.exponent = 1.2;
  const double far = 100e-6, h0 = 1e-4, h1 = 2e-4, speed = 0.1;
  EXPECT_EQ(proposed(rule, {opening(far)}, {0}, 0), kInfinity);  // no rate yet
  proposed(rule, {opening(far - speed * h0)}, {0}, h0);
  // v_m = 2 (q1 - q0)/(dt0 + dt1): from the middle of one step to that of the next
  const double q0 = far - speed * h0, q1 = q0 - 0.5 * speed * (h0 + h1), kappa = q1 / 3e-6 / 5;
  ASSERT_GT(kappa, 1);
  EXPECT_NEAR(proposed(rule, {opening(q1)}, {0}, h1), 3e-6 * std::pow(kappa, 1.2) / speed, 1e-15);
  // near, and inside: the gap changes by the penetration; towards and away alike
  for (const double way : {-1.0, 1.0}) {
    ContactStep near;
    near.penetration = 3e-6;
    proposed(near, {opening(10e-6)}, {0}, 0);
    proposed(near, {opening(10e-6 + way * speed * 1e-5)}, {0}, 1e-5);
    EXPECT_NEAR(proposed(near, {opening(10e-6 + 2 * way * speed * 1e-5)}, {0}, 1e-5), 3e-6 / speed, 1e-15);
  }
  // of two points the nearest leads
  ContactStep both;
  both.penetration = 3e-6;
  proposed(both, {opening(1e-3), opening(9e-6)}, {0, 0}, 0);
  EXPECT_NEAR(proposed(both, {opening(1e-3 - 1e-6), opening(8e-6)}, {0, 0}, 1e-5), 3e-6 / 0.1, 1e-15);
}

TEST(GrowthStep, is_a_multiple_of_the_last_step) {
  GrowthStep rule;
  rule.factor = 3;
  EXPECT_EQ(proposed(rule, {}, {}, 0), kInfinity);
  EXPECT_EQ(proposed(rule, {}, {}, 1e-3), 3e-3);
}

TEST(FrictionStep, is_eq_33_of_modeling_friction_phenomena) {
  FrictionStep rule;
  Pace p;
  p.speed = 1e-3;          // v_s
  p.rate_at_speed = 2000;  // Omega
  for (const double slip : {0.0, 1e-3, 4.9e-3}) EXPECT_NEAR(proposed(rule, {p}, {slip}, 1e-5), 0.02 / 2000, 1e-18) << slip;
  EXPECT_NEAR(proposed(rule, {p}, {20e-3}, 1e-5), 0.02 * std::pow(4, 1.2) / 2000, 1e-18);
  EXPECT_EQ(proposed(rule, {Pace{}}, {1}, 1e-5), kInfinity);  // a law without memory asks for nothing
}

/// Omega = sigma0 v_s / mu_kinetic, with a static coefficient above it too: the step of a place that is stuck, through a model.
TEST(FrictionStep, has_the_omega_of_its_source_at_equal_and_at_different_coefficients) {
  for (const char* statics : {"0.3", "0.45"}) {
    Trial trial(
        std::string(
            "bristle: 1\nbodies:\n  m: {type: mass, mass: 1 kg}\nforces:\n  pull: {type: load, on: m, force: \"0.1*t\"}\n"
            "joints:\n  p: {type: sliding, between: [ground, m], load: 10 N, friction: {type: lugre, mu_kinetic: 0.3, mu_static: ") +
        statics +
        ", stribeck_velocity: 1 mm/s, sigma0: 1e5 1/m}}\nanalysis: {type: transient, end: 0.1 s, integrator: {type: radau5, tolerance: 1e-2, "
        "adapt: [{type: friction, share: 0.02}]}}\n");
    auto& run = trial.start();
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(run.advance(trial.plan().end));
    EXPECT_NEAR(run.state().t - run.previous().t, 0.02 * 0.3 / (1e5 * 1e-3), 1e-12) << statics;
  }
}

}  // namespace
}  // namespace bristle
