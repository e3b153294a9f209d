// Parameters of laws that an expression gives: harnoy_friedland, whose eccentricity comes from outside.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/base/error.h"
#include "bristle/friction/harnoy_friedland.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/interface/smoothed_law.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

/// 2 kg pushed by 20 N over a bearing that carries 50 N.
std::string slider(const std::string& eccentricity, double speed, const std::string& more = "") {
  return fmt::format(R"(bristle: 1
bodies:
  m: {{type: mass, mass: 2, velocity: {}}}
forces:
  push: {{type: load, on: m, force: 20}}
states:
  e: {{rate: "(0.95 - 0.3*m.velocity - e.value)/0.1", start: 0.9}}
joints:
  shoe: {{type: sliding, between: [ground, m], load: 50, friction: {{type: harnoy_friedland, asperity: 20, film: 0.3, eccentricity: "{}"}}{}}}
analysis: {{type: transient, end: 2, integrator: {{type: rk4, step: 1 ms}}}}
)",
                     speed, eccentricity, more);
}

struct End {
  double position, velocity;
};
End run_to_the_end(const std::string& text, const std::string& override) {
  Trial trial(text, {override});
  bristle::Run& run = trial.start();
  while (run.state().t < trial.plan().end && run.advance(trial.plan().end)) continue;
  EXPECT_EQ(run.message(), "") << override;
  EXPECT_LE(run.ledger().worst_fall().joule, 1e-12 * run.ledger().scale()) << override;
  return {run.state().q()[0], run.state().v()[0]};
}

/// Of time, of a velocity, of a state: SciPy 1.x, DOP853, rtol 1e-13, steps of 1 ms at most.
struct Course {
  const char* expression;
  double start;
  End end;
};
constexpr Course kCourses[] = {{"0.93 + 0.05*sin(7*t)", 0.5, {0.847965340061, 0.204953118479}},
                               {"0.97 - 0.2*abs(m.velocity)", 0.1, {1.467552108943, 0.771179741466}},
                               {"e.value", 0.5, {1.906260640891, 1.019909999970}}};

TEST(LawInput, is_followed_by_every_method) {
  for (const Course& c : kCourses) {
    for (const std::string& method : integrators(true)) {
      const End end = run_to_the_end(slider(c.expression, c.start), setting(method, 1e-3, 1e-10));
      // second order at 1 ms: the film decays within 20 ms, 1e-3 of which, squared, times the velocity
      const double off = second_order(method) ? 2e-5 : 2e-8;
      EXPECT_NEAR(end.position, c.end.position, off) << method << ", " << c.expression;
      EXPECT_NEAR(end.velocity, c.end.velocity, off) << method << ", " << c.expression;
    }
  }
}

TEST(LawInput, goes_through_smoothing_and_a_film_beside_it) {
  const std::string smooth = ", smoothing: {shape: saturation, velocity: 1 um/s}";
  for (const Course& c : kCourses) {
    const End end = run_to_the_end(slider(c.expression, c.start, smooth), setting("radau5", 0, 1e-10));
    EXPECT_NEAR(end.velocity, c.end.velocity, 1e-8) << c.expression;  // no slower than the band at any time
  }
}

TEST(LawInput, has_derivatives) {
  HarnoyFriedland law;
  law.asperity = 20, law.film = 0.3, law.outside = true;
  const FrictionLawOf<HarnoyFriedland, 2> made(law);
  Patch<2> p;
  p.load = 50, p.slip[0] = 0.3, p.slip[1] = -0.4;
  EXPECT_TRUE(made.memory().input);
  const SmoothedLaw<2> smooth(std::make_unique<FrictionLawOf<HarnoyFriedland, 2>>(law), Smoothing{.velocity = 0.7});
  for (const FrictionLaw<2>* any : {static_cast<const FrictionLaw<2>*>(&made), static_cast<const FrictionLaw<2>*>(&smooth)}) {
    for (const double e : {0.5, 0.95}) {
      const auto force = [&](double eccentricity) {
        Patch<2> q = p;
        q.input = eccentricity;
        Vec<2> F;
        any->eval(q, nullptr, nullptr, F, nullptr);
        return F;
      };
      p.input = e;
      const Vec<2> slope = any->by_input(p, nullptr);
      for (int d = 0; d < 2; ++d)
        EXPECT_NEAR(slope[d], (force(e + 1e-6)[d] - force(e - 1e-6)[d]) / 2e-6, 1e-7 * std::abs(slope[d]));
    }
  }
}

/// Rates of a system against differences: what an expression reads is in the Jacobian.
TEST(LawInput, that_reads_the_motion_is_in_the_jacobian) {
  Trial trial(slider("0.93 + 0.02*e.value - 0.1*m.velocity + 0.03*m.position", 0.2));
  const System& system = trial.system();
  Workspace w = system.make_workspace();
  struct Sum final : JacobianSink {
    double q = 0, v = 0, z = 0;
    void add(Part part, int row, int column, double value) override {
      if (row != 0 || column != 0) return;
      if (part == Part::force_q) q += value;
      if (part == Part::force_v) v += value;
      if (part == Part::force_z) z += value;
    }
  } sum;
  State x = trial.start().state();
  x.q()[0] = 0.1, x.v()[0] = 0.2, x.z()[0] = 0.5;
  system.view(x, w);
  system.calc_jacobian(x, w, sum);
  const auto force = [&](State y) {
    Eval e = system.view(y, w);
    system.calc_forces(e);
    return w.f[0];
  };
  const double h = 1e-6;
  State a = x, b = x;
  a.q()[0] -= h, b.q()[0] += h;
  EXPECT_NEAR(sum.q, (force(b) - force(a)) / (2 * h), 1e-6 * std::abs(sum.q));
  a = b = x;
  a.v()[0] -= h, b.v()[0] += h;
  EXPECT_NEAR(sum.v, (force(b) - force(a)) / (2 * h), 1e-6 * std::abs(sum.v));
  a = b = x;
  a.z()[0] -= h, b.z()[0] += h;
  EXPECT_NEAR(sum.z, (force(b) - force(a)) / (2 * h), 1e-6 * std::abs(sum.z));
  EXPECT_NE(sum.q, 0);
  EXPECT_NE(sum.z, 0);
}

/// Held by its asperities while 50 * 20 (e - 0.9)^2 > 2: until e has fallen to 0.9 + sqrt(0.002).
TEST(LawInput, lets_go_when_the_limit_has_fallen_to_what_is_held) {
  const std::string text = R"(bristle: 1
bodies:
  m: {type: mass, mass: 2}
forces:
  push: {type: load, on: m, force: 2}
joints:
  shoe: {type: sliding, between: [ground, m], load: 50, friction: {type: harnoy_friedland, asperity: 20, film: 0.3, eccentricity: "0.98 - 0.02*t"}}
analysis: {type: transient, end: 5, integrator: {type: rk4, step: 10 ms}}
)";
  const double expected = (0.08 - std::sqrt(0.002)) / 0.02;
  for (const std::string& method : locating_integrators(true)) {
    Trial trial(text, {setting(method, 1e-2, 1e-8)});
    bristle::Run& run = trial.start();
    double released = 0;
    while (run.state().t < 5 && run.advance(5)) {
      if (run.state().v()[0] == 0) released = run.state().t;
    }
    EXPECT_EQ(run.message(), "");
    EXPECT_NEAR(released, expected, 1e-7) << method;
    EXPECT_GT(run.state().v()[0], 0) << method;
  }
}

const char* const kForms[] = {
    "type: revolute, between: [ground, a], at: [0, 0, 0], axis: [1, 2, 2], pin_radius: 10 mm, preload: 40",
    "type: prismatic, between: [ground, a], at: [0, 0, 0], axis: x, width: 10 mm, length: 20 mm, preload: 40",
    "type: spherical, between: [ground, a], at: [0.1, 0, 0], pin_radius: 10 mm, preload: 40",
    "type: contact, between: [ground, a], surfaces: [{type: plane, at: [0, 0, -0.04999], axis: z}, {type: sphere, radius: 50 mm}], overlap: keep, "
    "contact: {type: linear, stiffness: 1 MN/m, dissipation: 1 s/m}"};

/// Where its value stands still an expression is a number: in joints with reactions, with overlaps, in one, two and three directions.
TEST(LawInput, is_taken_by_joints_of_every_form) {
  for (const char* form : kForms) {
    const auto text = [&](const char* eccentricity) {
      return fmt::format(R"(bristle: 1
bodies:
  a: {{type: rigid, mass: 2, inertia: [0.01, 0.02, 0.015]}}
joints:
  j: {{{}, friction: {{type: harnoy_friedland, asperity: 20, film: 0.3, eccentricity: {}}}}}
forces:
  push: {{type: force, on: a, force: [30, 0, -9]}}
  turn: {{type: torque, on: a, torque: [0.5, 1, 1]}}
analysis: {{type: transient, end: 0.05, integrator: {{type: rk4, step: 0.1 ms}}}}
)",
                         form, eccentricity);
    };
    for (const char* method : {"rk4", "dormand_prince", "radau5", "generalized_alpha", "energy_decaying"}) {
      Trial number(text("0.93"), {setting(method, 1e-4, 1e-7)}), given(text("\"0.93 + 0*t\""), {setting(method, 1e-4, 1e-7)}),
          other(text("\"0.93 + 0.5*t\""), {setting(method, 1e-4, 1e-7)});
      double ends[3];
      for (Trial* trial : {&number, &given, &other}) {
        bristle::Run& run = trial->start();
        while (run.state().t < 0.05 && run.advance(0.05)) continue;
        ASSERT_EQ(run.message(), "") << form << ", " << method;
        double sum = 0;
        for (int i = 0; i < trial->system().layout().free(); ++i) sum += run.state().v()[trial->system().layout().v_index(i)];
        ends[trial == &number ? 0 : trial == &given ? 1 : 2] = sum;
      }
      EXPECT_NEAR(ends[0], ends[1], 1e-7) << form << ", " << method;  // steps may land elsewhere
      EXPECT_GT(std::abs(ends[2] - ends[0]), 1e-5) << form << ", " << method;
    }
  }
}

TEST(LawInput, beyond_what_the_law_takes_ends_the_run_with_a_sentence) {
  Trial trial(slider("0.9 + 0.1*t", 0.1), {setting("dormand_prince", 0, 1e-8)});
  bristle::Run& run = trial.start();
  while (run.state().t < 2 && run.advance(2)) continue;
  EXPECT_NEAR(run.state().t, 1, 0.2);
  EXPECT_NE(run.message().find("'shoe': eccentricity is 1"), std::string::npos) << run.message();
  EXPECT_NE(run.message().find("Keep the expression"), std::string::npos) << run.message();
}

TEST(LawInput, of_a_number_is_checked_when_the_model_is_read) {
  for (const auto& [value, words] :
       {std::pair{"1.2", "eccentricity must be"}, std::pair{"2*0.6", "eccentricity must be"},
        std::pair{"x.y", "no channel 'x.y'"}, std::pair{"shoe.normal_force/60", "depends on this very"}}) {
    try {
      Trial trial(slider(value, 0.1));
      FAIL() << value;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace bristle
