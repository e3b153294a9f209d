// Expressions that jump or have a corner where the motion comes to: steps of methods with error control end there.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/signal/decisions.h"
#include "bristle/signal/parse.h"
#include "support/models.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

struct Controlled {
  std::string method;
  double off;  // what it may be off by where all but the jumps is exact for it: CVODE controls the error, not the jumps alone
};

std::vector<Controlled> with_tolerance(double tolerance) {
  std::vector<Controlled> list;
  for (const char* type : {"dormand_prince", "radau5", "radau5, form: index2", "radau5, form: ggl", "generalized_alpha", "hht",
                           "newmark", "energy_preserving", "energy_decaying"})
    list.push_back({fmt::format("{{type: {}, tolerance: {}}}", type, tolerance), 1e-6});
  if (integrator_registry().find("cvode") != nullptr)
    list.push_back({fmt::format("{{type: cvode, tolerance: {}}}", tolerance), 1e-4});
  return list;
}

std::string pulled(const std::string& force, const std::string& start, double end) {
  return fmt::format(
      "bristle: 1\nbodies: {{m: {{type: mass, mass: 1 kg, {}}}}}\nforces: {{f: {{type: load, on: m, force: \"{}\"}}}}\n"
      "analysis: {{type: transient, end: {} s, integrator: dormand_prince}}\n",
      start, force, end);
}

/// From x0 at rest under a force F towards the middle on 1 kg: parabolas, each for a quarter of the period.
struct Bounced {
  double x0, F, t;
  double quarter = std::sqrt(2 * x0 / F);
  double phase = std::fmod(t, 4 * quarter);
  int side = phase < quarter || phase > 3 * quarter ? 1 : -1;
  double from_turn = phase < quarter ? phase : phase > 3 * quarter ? phase - 4 * quarter : phase - 2 * quarter;
  double x = side * (x0 - 0.5 * F * from_turn * from_turn), v = -side * F * from_turn;
};

TEST(Decisions, are_those_that_the_motion_tells) {
  const Scope scope;
  const Signal signal = parse_signal("if(t > 1, abs(t), 0) + min(pin.angle, 2) + floor(3*pin.speed)", scope, {});
  std::vector<char> moves;
  for (const Signal::Input& in : signal.inputs()) moves.push_back(in.name.empty() ? 0 : 1);
  int told = 0;
  for (char moved : moved_decisions(signal, moves)) told += moved;
  EXPECT_EQ(told, 2);
}

TEST(Crossings, of_a_force_of_a_meganewton_that_jumps_are_met_by_the_ends_of_steps) {
  const Bounced expected{0.1, 1e6, 0.01};
  for (const char* force : {"if(m.position > 0, -1e6, 1e6)", "-1e6*sign(m.position)", "1e6 - 2e6*step(m.position)"}) {
    for (const auto& [method, off] : with_tolerance(1e-8)) {
      Trial trial(pulled(force, "position: 0.1 m", 0.01), {"analysis.integrator=" + method});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(0.01)) << method << ": " << run.message();
      EXPECT_NEAR(run.state().q()[0], expected.x, off * 0.1) << method << " " << force;
      EXPECT_NEAR(run.state().v()[0], expected.v, off * 450) << method << " " << force;
      const double before = 1e5, now = 0.5 * expected.v * expected.v + 1e6 * std::abs(expected.x);
      EXPECT_NEAR(now, before, 1e-9 * before);
    }
  }
}

TEST(Crossings, of_an_oscillator_with_a_jump_in_its_spring_follow_the_closed_form) {
  // x'' = -9 x - 4 sign(x) from 1 at rest: about -4/9 with the amplitude 13/9 for a quarter, and the same mirrored
  const double quarter = std::acos(4.0 / 13) / 3, t = 5, phase = std::fmod(t, 4 * quarter);
  const int side = phase < quarter || phase > 3 * quarter ? 1 : -1;
  const double from_turn = phase < quarter ? phase : phase > 3 * quarter ? phase - 4 * quarter : phase - 2 * quarter;
  const double x = side * (13.0 / 9 * std::cos(3 * from_turn) - 4.0 / 9), v = -side * 13.0 / 3 * std::sin(3 * from_turn);
  for (const auto& [method, off] : with_tolerance(1e-8)) {
    Trial trial(pulled("-9*m.position - 4*sign(m.position)", "position: 1 m", 5), {"analysis.integrator=" + method});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(5)) << method << ": " << run.message();
    // errors over a run go with the power 2/3 of the tolerance at order two: 5e-6, over some periods
    EXPECT_NEAR(run.state().q()[0], x, 1e-4) << method;
    EXPECT_NEAR(run.state().v()[0], v, 3e-4) << method;
  }
}

TEST(Crossings, of_a_pulse_shorter_than_any_step_are_both_found) {
  for (const auto& [method, off] : with_tolerance(1e-6)) {
    Trial trial(pulled("if(m.position > 1 and m.position < 1.001, 1e3, 0)", "velocity: 1 m/s", 2),
                {"analysis.integrator=" + method});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2)) << method << ": " << run.message();
    // 1 J over a millimetre; positions have the tolerance, beside that millimetre
    EXPECT_NEAR(run.state().v()[0], std::sqrt(3.0), 2e-3) << method;
  }
}

TEST(Crossings, are_found_from_a_start_on_one_of_them) {
  // a staircase of forces, odd about the middle
  const auto stored = [](double at) {
    const double x = std::abs(at), n = std::floor(10 * x);
    double U = (n / 10 + 0.05) * (x - n / 10);
    for (int k = 0; k < n; ++k) U += 0.1 * (k / 10.0 + 0.05);
    return U;
  };
  for (const auto& [method, off] : with_tolerance(1e-6)) {
    Trial trial(pulled("-(floor(m.position*10)/10 + 0.05)", "position: 1 m", 10), {"analysis.integrator=" + method});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(10)) << method << ": " << run.message();
    const double energy = 0.5 * run.state().v()[0] * run.state().v()[0] + stored(run.state().q()[0]);
    EXPECT_NEAR(energy, stored(1), std::max(off, 1e-9)) << method;
  }
}

TEST(Crossings, of_two_jumps_at_one_instant_are_passed_with_the_order_of_the_method) {
  // from rest at 1 m both the whole part and the sign jump at once; then x'' = x - 2
  for (const char* type :
       {"dormand_prince", "radau5", "hht", "newmark", "generalized_alpha", "energy_preserving", "energy_decaying"}) {
    for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
      Trial trial(pulled("-2 - mod(m.position, 1)*sign(m.velocity)", "position: 1 m", 1.2),
                  {fmt::format("analysis.integrator={{type: {}, tolerance: {}}}", type, tolerance)});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(1.2)) << type << ": " << run.message();
      // order two: the power 2/3 of the tolerance
      EXPECT_NEAR(run.state().q()[0], 2 - std::cosh(1.2), std::pow(tolerance, 2.0 / 3)) << type << ", " << tolerance;
    }
  }
}

TEST(Crossings, of_a_joint_of_a_body_in_space_are_found) {
  const std::string text = R"yaml(bristle: 1
bodies:
  wheel: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}
joints:
  axle: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z}
forces:
  pull: {type: load, on: axle.angle, force: "-4*sign(axle.angle - 1)"}
analysis: {type: transient, end: 3.3 s, integrator: dormand_prince}
)yaml";
  const Bounced expected{1, 4, 3.3};
  for (const auto& [method, off] : with_tolerance(1e-8)) {
    Mechanism m(text, {"analysis.integrator=" + method});
    ASSERT_TRUE(m.go(3.3)) << method << m.run().message();
    EXPECT_NEAR(m.read("axle.angle"), 1 - expected.x, 1e-4) << method;  // turns are of second order
    EXPECT_NEAR(m.read("axle.speed"), -expected.v, 3e-4) << method;
  }
}

TEST(Crossings, of_a_force_that_drives_back_to_where_it_jumps_end_in_rest_or_a_sentence) {
  // by the jump alone it could not stay: 4 N towards the middle and a damper, which comes to the middle ever faster
  for (const auto& [method, off] : with_tolerance(1e-6)) {
    Trial trial(pulled("-4*sign(m.position) - 2*m.velocity", "position: 1 m", 6), {"analysis.integrator=" + method});
    auto& run = trial.start();
    if (run.advance_to(6)) EXPECT_NEAR(run.state().q()[0], 0, 1e-2) << method;
    else EXPECT_NE(run.message(), "") << method;
  }
}

TEST(Crossings, are_where_they_were_after_a_stop) {
  const std::string text = pulled("-4*sign(m.position)", "position: 1 m", 10);
  for (const auto& [method, off] : with_tolerance(1e-6)) {
    if (method.find("cvode") != std::string::npos) continue;  // keeps a history of its own
    const std::vector<std::string> with = {"analysis.integrator=" + method};
    Trial whole(text, with), first(text, with), second(text, with);
    auto& unbroken = whole.start();
    ASSERT_TRUE(unbroken.advance_to(10)) << method;
    auto& begun = first.start();
    while (begun.state().t < 1.5) ASSERT_TRUE(begun.advance(10));
    Archive kept;
    begun.save(kept);
    auto& resumed = second.start();
    Archive again(kept.bytes());
    resumed.load(again);
    ASSERT_TRUE(resumed.advance_to(10));
    EXPECT_EQ(resumed.state().q()[0], unbroken.state().q()[0]) << method;
  }
}

}  // namespace
}  // namespace bristle
