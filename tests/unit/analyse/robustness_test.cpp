// Runs that are hard, long or wrong: they end with a sentence or with a result, never otherwise.
#include <gtest/gtest.h>

#include <chrono>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

TEST(Robustness, an_undefined_force_ends_the_run_with_time_and_name) {
  const std::string text = R"yaml(bristle: 1
bodies: {first: {type: mass, mass: 1 kg, velocity: 1 m/s}, second: {type: mass, mass: 1 kg}}
forces: {pull: {type: load, on: second, force: "sqrt(0.5 - t)"}}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}
)yaml";
  for (const std::string& name : integrators(true)) {
    Trial trial(text, {setting(name, 0.01, 1e-6)});
    auto& run = trial.start();
    EXPECT_FALSE(run.advance_to(1)) << name;
    EXPECT_EQ(run.message().substr(0, 5), "t = 0") << name << ": " << run.message();
    EXPECT_NEAR(run.state().t, 0.5, 0.02) << name;
    for (double x : run.state().numbers()) EXPECT_TRUE(std::isfinite(x)) << name << ": the last state is a good one";
    if (name == "cvode") continue;  // does not say where
    EXPECT_NE(run.message().find("'pull.force'"), std::string::npos) << name << ": " << run.message();
  }
}

TEST(Robustness, an_undefined_rate_of_a_state_is_named) {
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg, velocity: 1 m/s}}
states: {heat: {rate: "log(0.3 - m.position)", start: 1}}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}
)yaml";
  for (const std::string& name : integrators()) {
    Trial trial(text, {setting(name, 0.01, 1e-6)});
    auto& run = trial.start();
    EXPECT_FALSE(run.advance_to(1)) << name;
    EXPECT_NE(run.message().find("'heat'"), std::string::npos) << name << ": " << run.message();
  }
}

TEST(Robustness, a_step_far_too_long_for_an_explicit_method_ends_with_a_sentence) {
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg, velocity: 1 m/s}}
forces: {s: {type: spring, on: m, stiffness: 1e8 N/m, cubic: 1e10 N/m^3}}
analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 50 ms}}
)yaml";
  Trial trial(text);
  auto& run = trial.start();
  EXPECT_FALSE(run.advance_to(10));
  EXPECT_FALSE(run.message().empty());
  for (double x : run.state().numbers()) EXPECT_TRUE(std::isfinite(x));
}

/// The mass is a lever of 0.3 m beside a guide of 0.1 m: friction mu N turns the slider by 0.3 mu N, which presses with 2*0.3/0.1 mu N.
TEST(Robustness, a_slider_past_its_wedging_limit_jams_with_a_sentence_that_says_so) {
  const std::string text = R"yaml(bristle: 1
bodies: {slider: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0.3, 0], velocity: [0.5, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: x, width: 20 mm, length: 0.1, friction: {type: coulomb, mu_kinetic: 0.1}}
forces: {push: {type: force, on: slider, at: [0, 0.2, 0], force: ["-2*t", 0, 0]}}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
  const auto end_with = [&](const std::string& name, double mu) {
    Trial trial(text, {setting(name, 1e-3, 1e-6), fmt::format("joints.guide.friction.mu_kinetic={}", mu)});
    auto& run = trial.start();
    run.advance_to(0.3);
    return run.message();
  };
  for (const std::string& name : locating_integrators(true)) {
    EXPECT_EQ(end_with(name, 0.95 / 6), "") << name;
    const std::string message = end_with(name, 1.8 / 6);
    EXPECT_NE(message.find("joint 'guide' jams"), std::string::npos) << name << ": " << message;
    EXPECT_NE(message.find("make 1.8 times as much friction again"), std::string::npos) << name << ": " << message;
  }
}

/// About a sharp bottom swings shrink by half each and never end; a round one holds the roller after a few.
TEST(Robustness, a_roller_comes_to_rest_in_a_rounded_profile) {
  const std::string text = R"yaml(bristle: 1
bodies: {roller: {type: mass, mass: 1 kg, velocity: 0.1 m/s}}
joints:
  profile: {type: sliding, on: roller, load: 2 N, friction: {type: wedge, mu_kinetic: 0.1, angle: 0.3, rounding: 0.5 mm}}
analysis: {type: transient, end: 3 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
  for (const std::string& name : locating_integrators(true)) {
    Trial trial(text, {setting(name, 1e-3, 1e-7)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(3)) << name << ": " << run.message();
    EXPECT_LT(run.counts().events, 20) << name;
    EXPECT_EQ(run.state().v()[0], 0) << name;
    EXPECT_LT(std::abs(run.state().q()[0]), 0.5e-3 * 0.1 / std::tan(0.3) * 1.001) << name;
  }
}

TEST(Robustness, implicit_methods_take_steps_that_are_far_too_long_for_the_bristle) {
  for (const char* name : {"trapezoidal", "radau3"}) {
    Trial trial(kLuGre, {setting(name, 0.05, 0)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(20)) << name << ": " << run.message();
    EXPECT_LT(std::abs(run.state().q()[0] - 1.6), 1) << name << ": it follows its spring";
  }
}

TEST(Robustness, a_stiffness_ratio_of_1e8_does_not_stop_an_implicit_method) {
  const std::string text = R"yaml(bristle: 1
bodies: {a: {type: mass, mass: 1 kg, velocity: 1 m/s}, b: {type: mass, mass: 1 kg, velocity: 1 m/s}}
forces:
  soft: {type: spring, between: [ground, a], stiffness: 1 N/m}
  hard: {type: spring, between: [a, b], stiffness: 1e8 N/m, damping: 1e3 N s/m}
joints: {p: {type: sliding, on: b, load: 1 N, friction: {type: coulomb, mu_kinetic: 0.05}}}
analysis: {type: transient, end: 10 s, integrator: {type: radau5, tolerance: 1e-6}}
)yaml";
  Trial trial(text);
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(10)) << run.message();
  EXPECT_LT(run.counts().accepted, 5000) << "the soft motion sets the step";
  // both as one mass of 2 kg on the soft spring: quarter period, then back, friction takes its linear share
  const double w = std::sqrt(0.5), shift = 0.05 / 1;
  const double amplitude = std::sqrt(std::pow(1 / w, 2) + shift * shift) - shift;  // first turning point
  double top = 0;
  Trial again(text);
  auto& second = again.start();
  while (second.state().t < 3) {
    ASSERT_TRUE(second.advance(3));
    top = std::max(top, second.state().q()[0]);
  }
  EXPECT_NEAR(top, amplitude, 1e-2);
}

TEST(Robustness, two_hundred_masses_with_sparse_factors_finish) {
  for (const char* name : {"radau5", "radau3", "trapezoidal"}) {
    Trial trial(chain(200, spanning_laws().at("lugre")), {setting(name, 2e-3, 1e-5)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.3)) << name << ": " << run.message();
    EXPECT_LT(run.ledger().worst_residual(), 1e-3 * run.ledger().scale()) << name;
  }
}

TEST(Robustness, two_hundred_dry_places_stick_and_slip) {
  for (const char* name : {"rk4", "radau5"}) {
    Trial trial(chain(200, "{type: coulomb, mu_kinetic: 0.3}"), {setting(name, 2e-3, 1e-5)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.1)) << name << ": " << run.message();
    EXPECT_GT(run.counts().events, 0) << name;
  }
}

TEST(Robustness, ten_thousand_events_without_a_failure) {
  // a slider shaken well beyond its limit turns twice in each period
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg}}
forces: {f: {type: load, on: m, force: "10*sin(100*t)"}}
joints: {p: {type: sliding, on: m, load: 10 N, friction: {type: coulomb, mu_kinetic: 0.1}}}
analysis: {type: transient, end: 1e4 s, integrator: {type: rk4, step: 5 ms}}
)yaml";
  for (const std::string& name : locating_integrators()) {
    Trial trial(text, {setting(name, 5e-3, 1e-5)});
    auto& run = trial.start();
    while (run.counts().events < 10000 && run.state().t < 400) ASSERT_TRUE(run.advance(1e4)) << name << ": " << run.message();
    EXPECT_GE(run.counts().events, 10000) << name << " at t = " << run.state().t;
    // twelve steps in a period: the trapezoidal rule sees the work of the load to some percent
    EXPECT_LT(run.ledger().worst_residual(), (second_order(name) ? 0.1 : 0.02) * run.ledger().scale()) << name;
  }
}

TEST(Robustness, a_run_that_starts_at_another_time_ends_at_its_end_to_the_bit) {
  for (const std::string& name : integrators(true)) {
    Trial trial(kLuGre, {setting(name, 1e-3, 1e-6), "analysis.start=0.3", "analysis.end=0.4"});
    auto& run = trial.start();
    EXPECT_EQ(run.state().t, 0.3) << name;
    ASSERT_TRUE(run.advance_to(0.4)) << name;
    EXPECT_EQ(run.state().t, 0.4) << name;
  }
}

}  // namespace
}  // namespace bristle
