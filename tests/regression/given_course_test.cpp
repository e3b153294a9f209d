// What is given over time is not passed over: pulses, switches, corners of drives; and surfaces that meet inside a step.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analyse/given_course.h"
#include "bristle/signal/parse.h"
#include "bristle/signal/time_parts.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

std::vector<std::string> controlled() {
  std::vector<std::string> list = {"dormand_prince",
                                   "{type: dormand_prince, tolerance: 1e-10}",
                                   "radau5",
                                   "{type: radau5, form: ggl}",
                                   "{type: generalized_alpha, tolerance: 1e-6}",
                                   "{type: energy_preserving, tolerance: 1e-6}",
                                   "{type: energy_decaying, tolerance: 1e-6}"};
  if (integrator_registry().find("cvode") != nullptr) list.push_back("cvode");
  return list;
}

double end_of(const std::string& text, const std::string& method, double end, bool velocity) {
  Trial trial(text, {"analysis.integrator=" + method});
  auto& run = trial.start();
  EXPECT_TRUE(run.advance_to(end)) << method << ": " << run.message();
  return velocity ? run.state().v()[0] : run.state().q()[0];
}

TEST(TimeParts, are_the_largest_that_depend_on_time_alone) {
  const Scope scope;
  const auto parts = [&](const char* text) { return time_parts(parse_signal(text, scope, {})); };
  EXPECT_TRUE(parts("3").empty());
  EXPECT_TRUE(parts("2*pin.angle").empty());
  EXPECT_EQ(parts("sin(2*t) + 1").size(), 1u);
  EXPECT_EQ(parts("if(t > 1, 5, 0)*cos(pin.angle)").size(), 1u);
  EXPECT_EQ(parts("if(t > 1, pin.angle, 0) + t^2*pin.speed").size(), 2u);
  const Signal part = parts("if(t > 1, 5, 0)*cos(pin.angle)").front();
  for (double t : {0.0, 0.9, 1.1}) EXPECT_EQ(part.eval<double>(&t), t > 1 ? 5 : 0);
}

Layout layout_of(std::initializer_list<const char*> texts, bool position = false) {
  Layout layout;
  const Scope scope;
  for (const char* text : texts) layout.given.push_back({"force 'f'", parse_signal(text, scope, {}), position});
  return layout;
}

TEST(GivenCourse, finds_jumps_and_corners_however_short_a_pulse_is) {
  const Layout layout = layout_of({"if(t > 3 and t < 3.000001, 100, 0)", "abs(t - 7)", "step(t - 3)", "mod(t, 4)"});
  GivenCourse course;
  course.prepare(layout, 0, 10);
  std::vector<double> stops;
  for (double t = 0; std::isfinite(course.next(t)); t = course.behind(course.next(t))) stops.push_back(course.next(t));
  const double expected[] = {3, 3.000001, 4, 7, 8};
  ASSERT_EQ(stops.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(stops[i], expected[i], 1e-13) << i;
  for (const GivenCourse::Corner& c : course.corners()) {
    EXPECT_EQ(c.jump == 0, c.signal == 1) << c.before;
    if (c.signal == 1) {
      EXPECT_NEAR(c.speed_jump, 2, 1e-12);
    }
  }
}

TEST(GivenCourse, lets_no_step_pass_over_a_smooth_pulse) {
  const Layout layout = layout_of({"exp(-((t - 5)/0.02)^2)"});
  GivenCourse course;
  course.prepare(layout, 0, 10);
  EXPECT_LT(course.longest(4, 3, 1, 0), 1.05);    // up to the pulse
  EXPECT_LT(course.longest(4.96, 3, 1, 0), 0.1);  // and through it
  EXPECT_EQ(course.longest(6, 3, 1, 0), 3);
}

TEST(GivenCourse, refuses_drives_that_jump_and_notes_those_that_start_with_a_knock) {
  GivenCourse course;
  const Layout jumps = layout_of({"if(t < 0.35, 0, 0.5)"}, true), knocks = layout_of({"max(0, t - 0.35)"}, true),
               rounded = layout_of({"if(t < 0.35, 0, (t - 0.35)^2)"}, true);
  course.prepare(jumps, 0, 1);
  EXPECT_NE(course.refusal().find("jumps here, by 0.5"), std::string::npos) << course.refusal();
  course.prepare(knocks, 0, 1);
  EXPECT_EQ(course.refusal(), "");
  EXPECT_NE(course.note().find("the speed of the drive jumps"), std::string::npos) << course.note();
  course.prepare(rounded, 0, 1);
  EXPECT_EQ(course.refusal() + course.note(), "");
}

TEST(GivenCourse, refuses_what_grows_beyond_all_bounds) {
  const auto refusal = [](const char* expression) {
    GivenCourse course;
    const Layout layout = layout_of({expression}, false);
    course.prepare(layout, 0, 1);
    return course.refusal();
  };
  for (const char* pole :
       {"1/(t - 0.5)", "1/(t - 0.123456)", "-3/(t - 0.7)^2", "1/(t - 0.31415)^3", "tan(pi*t)", "5 + 1e-3/(t - 0.2)"})
    EXPECT_NE(refusal(pole).find("beyond all bounds"), std::string::npos) << pole;
  for (const char* bounded :
       {"1/(t + 1)", "1/(1e-4 + (t - 0.5)^2)", "1/(1e-10 + (t - 0.5)^2)", "tanh(1e9*(t - 0.5))", "if(t < 0.5, -1, 1)",
        "exp(-((t - 0.5)/1e-3)^2)", "1e9*exp(-((t - 0.5)/1e-2)^2)", "sin(3000*t)", "sin(1e5*t)", "sqrt(0.1 - t)",
        "if(t > 0.4 and t < 0.4001, 1e5, 0)", "t^3 - 0.1", "0", "1e-300*(t - 0.5)"})
    EXPECT_EQ(refusal(bounded), "") << bounded;
}

TEST(Pulse, is_felt_with_every_method_that_chooses_its_steps) {
  for (const std::string& method : controlled()) {
    for (const char* force :
         {"if(t > 1.1 and t < 1.3, 5, 0)", "5*step(t - 1.1)*step(1.3 - t)",
          "25*pi/2*if(t > 1.1 and t < 1.14, sin(pi*(t - 1.1)/0.04), 0)", "28.2094791773878*exp(-((t - 1.2)/0.02)^2)"}) {
      const std::string text = fmt::format(
          "bristle: 1\nbodies: {{m: {{type: mass, mass: 1 kg}}}}\nforces: {{f: {{type: load, on: m, force: \"{}\"}}}}\n"
          "analysis: {{type: transient, end: 2 s, integrator: dormand_prince}}\n",
          force);
      EXPECT_NEAR(end_of(text, method, 2, true), 1, 1e-3) << method << " " << force;
    }
  }
}

TEST(Pulse, breaks_dry_friction_loose) {
  const std::string text =
      "bristle: 1\nbodies: {m: {type: mass, mass: 1 kg}}\nforces: {f: {type: load, on: m, force: \"if(t > 1.1 and t < 1.3, 15, 0)\"}}\n"
      "joints: {pad: {type: sliding, on: m, load: 10 N, friction: {type: coulomb, mu_kinetic: 0.5}}}\n"
      "analysis: {type: transient, end: 2 s, integrator: dormand_prince}\n";
  for (const std::string& method : controlled()) EXPECT_NEAR(end_of(text, method, 2, false), 0.6, 1e-4) << method;
}

TEST(Pulse, of_a_driven_body_or_joint_is_followed) {
  // SciPy: spring of 400 N/m on 1 kg, base 0.1 sin^2 for 0.1 s
  const std::string base =
      "bristle: 1\nbodies:\n  base: {type: driven, position: \"if(t>1.1 and t<1.2, 0.1*sin(pi*(t-1.1)/0.1)^2, 0)\"}\n  m: {type: mass, mass: 1}\n"
      "forces: {s: {type: spring, between: [base, m], stiffness: 400}}\nanalysis: {type: transient, end: 2 s, integrator: dormand_prince}\n";
  for (const std::string& method : controlled()) EXPECT_NEAR(end_of(base, method, 2, false), -0.0900197, 2e-4) << method;
}

TEST(Switches, of_a_load_are_met_by_the_ends_of_steps) {
  const std::string text =
      "bristle: 1\nbodies: {arm: {type: inertia, inertia: 0.1}}\n"
      "forces: {motor: {type: load, on: arm, force: \"if(t > 1 and t < 2, 1, if(t > 3 and t < 4, -1, 0))\"}}\n"
      "analysis: {type: transient, end: 10 s, integrator: dormand_prince}\n";
  for (const std::string& method : controlled()) EXPECT_NEAR(end_of(text, method, 10, false), 20, 1e-2) << method;
}

TEST(Switches, are_where_they_were_after_a_stop) {
  const std::string text =
      "bristle: 1\nbodies: {arm: {type: inertia, inertia: 0.1}}\n"
      "forces: {motor: {type: load, on: arm, force: \"if(t > 1 and t < 2, 1, 0) + exp(-((t - 5)/0.02)^2)\"}}\n"
      "analysis: {type: transient, end: 10 s, integrator: dormand_prince}\n";
  Trial whole(text), first(text), second(text);
  auto& unbroken = whole.start();
  ASSERT_TRUE(unbroken.advance_to(10));
  auto& begun = first.start();
  while (begun.state().t < 1.5) ASSERT_TRUE(begun.advance(10));
  Archive kept;
  begun.save(kept);
  auto& resumed = second.start();
  Archive again(kept.bytes());
  resumed.load(again);
  ASSERT_TRUE(resumed.advance_to(10));
  EXPECT_EQ(resumed.state().q()[0], unbroken.state().q()[0]);
}

TEST(Contact, is_not_passed_through_inside_a_step) {
  const std::string text = R"(bristle: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0], velocity: [10, 0, 0]}
  b: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [5, 0, 0]}
joints:
  c: {type: contact, between: [a, b], surfaces: [{type: sphere, radius: 10 mm}, {type: sphere, radius: 10 mm}], contact: {type: hertz, stiffness: 1e7}}
analysis: {type: transient, end: 2 s, integrator: dormand_prince}
)";
  for (const std::string& method : controlled()) {
    Trial trial(text, {"analysis.integrator=" + method});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2)) << method << ": " << run.message();
    EXPECT_NEAR(run.state().v()[run.system().layout().frame_v(0)], 0, 1e-3) << method;
    EXPECT_NEAR(run.state().v()[run.system().layout().frame_v(1)], 10, 1e-3) << method;
  }
}

std::vector<std::string> with_fixed_steps(double h) {
  std::vector<std::string> list;
  for (const char* type : {"rk4", "trapezoidal", "radau3", "generalized_alpha", "hht", "newmark", "energy_preserving",
                           "energy_decaying", "moreau_jean"})
    list.push_back(fmt::format("{{type: {}, step: {}}}", type, h));
  return list;
}

std::string pushed_mass(const std::string& force, const std::string& more = "") {
  return fmt::format(
      "bristle: 1\nbodies: {{m: {{type: mass, mass: 1 kg}}}}\nforces:\n  f: {{type: load, on: m, force: \"{}\"}}\n{}"
      "analysis: {{type: transient, end: 2 s, integrator: dormand_prince}}\n",
      force, more);
}

TEST(FixedSteps, end_where_a_load_jumps) {
  for (const std::string& method : with_fixed_steps(0.07)) {
    // 5 N from 0.25 s to 0.56 s (on the way of the steps), and a pulse of 1 N s between two ends of them
    const std::string text = pushed_mass("if(t > 0.25 and t <= 0.56, 5, 0) + if(t > 1.3 and t < 1.301, 1000, 0)");
    const double v = 5 * 0.31, pulse = 1;
    EXPECT_NEAR(end_of(text, method, 2, true), v + pulse, 1e-9) << method;
    EXPECT_NEAR(end_of(text, method, 2, false), v * (2 - 0.5 * (0.25 + 0.56)) + pulse * (2 - 1.3005), 1e-9) << method;
  }
}

TEST(FixedSteps, begin_behind_a_load_that_jumps_at_the_start) {
  for (const std::string& method : with_fixed_steps(0.07)) {
    for (const char* force : {"if(t > 0, 3, 0)", "3*step(t)", "3*sign(t)"})
      EXPECT_NEAR(end_of(pushed_mass(force), method, 2, true), 6, 1e-9) << method << " " << force;
  }
}

TEST(FixedSteps, keep_their_order_over_a_load_that_jumps) {
  // 10 N from 0.3 s on, on 1 kg with 100 N/m: 0.1 (1 - cos 10 (t - 0.3))
  const std::string text = pushed_mass("10*step(t - 0.3)", "  s: {type: spring, on: m, stiffness: 100 N/m}\n");
  const double expected = 0.1 * (1 - std::cos(10 * 1.7));
  for (std::size_t i = 0; i < with_fixed_steps(1).size(); ++i) {
    const auto off = [&](double h) { return std::abs(end_of(text, with_fixed_steps(h)[i], 2, false) - expected); };
    const double coarse = off(0.008), fine = off(0.004);  // 0.3 s lies inside a step of either
    const int order = i == 0 ? 4 : i == 2 ? 3 : 2;
    EXPECT_LT(fine, coarse * std::pow(0.5, order - 0.3)) << with_fixed_steps(0)[i];
    EXPECT_LT(coarse, order == 2 ? 2e-3 : 2e-5) << with_fixed_steps(0)[i];
  }
}

TEST(FixedSteps, are_cut_in_two_without_crumbs) {
  const auto ends = [](const std::string& force) {
    Trial trial(pushed_mass(force), {"analysis.integrator={type: rk4, step: 100 ms}"});
    auto& run = trial.start();
    std::vector<double> list;
    while (run.state().t < 0.65) {
      EXPECT_TRUE(run.advance(2));
      list.push_back(run.state().t);
    }
    return list;
  };
  const auto expect = [](const std::vector<double>& got, const std::vector<double>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-12) << i;
  };
  expect(ends("step(t - 0.25)"), {0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7});
  expect(ends("step(t - 0.2)"), {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7});
  expect(ends("step(t - 0.201)"), {0.1, 0.201, 0.3, 0.4, 0.5, 0.6, 0.7});
  expect(ends("step(t - 0.199)"), {0.1, 0.199, 0.3, 0.4, 0.5, 0.6, 0.7});
  expect(ends("step(t - 0.25) - step(t - 0.26)"), {0.1, 0.2, 0.25, 0.26, 0.3, 0.4, 0.5, 0.6, 0.7});
}

TEST(FixedSteps, that_were_cut_are_the_same_after_a_stop) {
  const std::string text = pushed_mass("step(t - 0.25)");
  for (const std::string& method : with_fixed_steps(0.1)) {
    const std::vector<std::string> with = {"analysis.integrator=" + method};
    Trial whole(text, with), first(text, with), second(text, with);
    auto& unbroken = whole.start();
    ASSERT_TRUE(unbroken.advance_to(2)) << method;
    auto& begun = first.start();
    while (begun.state().t < 0.25) ASSERT_TRUE(begun.advance(2));
    ASSERT_LT(begun.state().t, 0.26);
    Archive kept;
    begun.save(kept);
    auto& resumed = second.start();
    Archive again(kept.bytes());
    resumed.load(again);
    ASSERT_TRUE(resumed.advance_to(2));
    EXPECT_EQ(resumed.state().q()[0], unbroken.state().q()[0]) << method;
    EXPECT_EQ(resumed.counts().accepted, unbroken.counts().accepted) << method;
  }
}

}  // namespace
}  // namespace bristle
