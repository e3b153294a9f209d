// Contact in the jump of energy_decaying.
#include <gtest/gtest.h>

#include <random>

#include "support/mechanisms.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

std::string decaying(double h, const std::string& jump_contact) {
  return fmt::format("analysis.integrator={{type: energy_decaying, step: {:.17g}, newton_tolerance: 1e-13, jump_contact: {}}}", h,
                     jump_contact);
}

/// An elastic bar of 1 kg, 1 m and 100 N that flies at 1 m/s against a stop 500 times as stiff as its elements. Exact: contact from 0.1 to
/// 0.3 s, 10 N, then it flies back as it came.
const std::string kBar = R"yaml(bristle: 1
sections:
  bar: {type: general, EA: 100, GA2: 100, GJ: 1, EI2: 1, mass_per_length: 1, rotary_inertia: [0.01, 0.005, 0.005]}
bodies:
  bar: {type: beam, from: [0.1, 0, 0], to: [1.1, 0, 0], elements: 20, section: bar, velocity: [-1, 0, 0]}
joints:
  stop:
    type: contact
    between: [ground, bar.start]
    surfaces: [{type: plane, axis: x, at: [-0.01, 0, 0]}, {type: sphere, radius: 10 mm}]
    contact: {type: linear, stiffness: 1e6 N/m}
analysis: {type: transient, end: 0.4, integrator: {type: energy_decaying, step: 2 ms}}
)yaml";

struct Bounce {
  int separations = 0;
  double velocity = 0, energy = 0;
  double pull = 0;  // largest mean force towards the stop in a step [N]
};
Bounce bounce(double h, const std::string& jump_contact) {
  Trial trial(kBar, {decaying(h, jump_contact)});
  bristle::Run& run = trial.start();
  const auto momentum = [&] {
    double sum = 0;
    for (const MassBlock& m : run.system().masses().blocks()) sum += m.mass[0] * run.state().v()[m.v];
    return sum;
  };
  Bounce b;
  const int gap = trial.channel("stop.gap");
  double last = momentum(), energy = run.ledger().energy().total();
  bool closed = false;
  while (run.state().t < 0.4 - 1e-9) {
    const double t = run.state().t;
    EXPECT_TRUE(run.advance(0.4)) << run.message();
    const bool now = trial.read(gap) < 0;
    b.separations += closed && !now;
    closed = now;
    b.pull = std::min(b.pull, (momentum() - last) / (run.state().t - t));
    EXPECT_LE(run.ledger().energy().total(), energy + 1e-12);
    last = momentum(), energy = run.ledger().energy().total();
  }
  EXPECT_LT(std::abs(run.ledger().residual()), 1e-11);
  b.velocity = last, b.energy = energy / 0.5;
  return b;
}

TEST(ContactJump, stops_the_chatter_of_a_bar_as_the_prototype_does) {
  const Bounce b = bounce(2e-3, "closed");
  EXPECT_EQ(b.separations, 1);
  EXPECT_NEAR(b.velocity, 0.957606, 1e-6);
  EXPECT_NEAR(b.energy, 0.972205, 1e-6);
}

TEST(ContactJump, pushing_never_pulls) {
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Bounce b = bounce(h, "pushing"), none = bounce(h, "none");
    EXPECT_LE(b.separations, 2) << h;
    EXPECT_GT(none.separations, 15) << h;
    EXPECT_GT(b.pull, -1e-8) << h;
    EXPECT_NEAR(b.velocity, 0.957, 2e-3) << h;
  }
  EXPECT_LT(bounce(1e-3, "closed").pull, -10) << "which the other rule does";
}

/// Speed after over speed before an impact of a ball of 1 kg on a plane, 100 rad/s on its contact; the least and the largest of twelve places
/// at which it may be in a step as it touches.
struct Rebound {
  double least = 1e9, most = -1e9;
  double pull = 0;  // most that a step slows the rebound or speeds the approach by [m/s]
};
Rebound rebound(double angle_per_step, const std::string& jump_contact) {
  Rebound r;
  const double h = angle_per_step / 100;
  for (int k = 0; k < 12; ++k) {
    const double height = 0.01 + h * (2.03 + 0.94 * k / 11);
    Trial trial(
        fmt::format(
            "bristle: 1\nbodies: {{ball: {{type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, {:.17g}], velocity: [0, 0, -1]}}}}\n"
            "joints: {{floor: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 10 mm}}], contact: {{type: linear, stiffness: 1e4}}}}}}\n"
            "analysis: {{type: transient, end: 1e9 s, integrator: {{type: rk4, step: 1 ms}}}}\n",
            height),
        {decaying(h, jump_contact)});
    bristle::Run& run = trial.start();
    const int at = trial.system().layout().bodies[1].v + 2;
    double last = -1;
    for (int i = 0; i < static_cast<int>(8 / angle_per_step) + 12; ++i) {
      EXPECT_TRUE(run.advance(1e9)) << run.message();
      r.pull = std::min(r.pull, run.state().v()[at] - last);
      last = run.state().v()[at];
    }
    r.least = std::min(r.least, last), r.most = std::max(r.most, last);
  }
  return r;
}

/// What the step resolves bounces as it should; beyond that both rules lose, `pushing` less and with less scatter, and it never pulls.
TEST(ContactJump, restitution_of_an_impact_that_the_step_resolves_is_kept) {
  for (const char* rule : {"closed", "pushing"}) {
    const Rebound fine = rebound(0.1, rule), twice = rebound(0.2, rule);
    EXPECT_GT(fine.least, 0.99995) << rule;
    EXPECT_GT(twice.least, 0.9995) << rule;
    EXPECT_LE(twice.most, 1) << rule;
  }
  for (const double angle : {1.0, 2.0, 5.0}) {
    const Rebound closed = rebound(angle, "closed"), pushing = rebound(angle, "pushing");
    EXPECT_LT(pushing.most - pushing.least, angle < 5 ? closed.most - closed.least : 1);
    EXPECT_GT(pushing.least, closed.least);
    EXPECT_GT(pushing.pull, -1e-9);
    EXPECT_LT(closed.pull, -0.01);
  }
}

/// Bodies with a spin that hit and rub, over steps of any length.
TEST(ContactJump, energy_never_grows_over_random_steps) {
  const std::string text = R"yaml(bristle: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.015], position: [-0.05, 0, 0], velocity: [0.2, 0.1, -0.1], angular_velocity: [10, -20, 30]}
  b: {type: rigid, mass: 2, inertia: [0.02, 0.01, 0.025], position: [0.05, 0.01, 0]}
  c: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.05, 0.3, 0], velocity: [0, -2, 0]}
joints:
  ball: {type: spherical, between: [a, b], at: [0, 0, 0], pin_radius: 10 mm, clearance: 0.2 mm, contact: {type: linear, stiffness: 1e6}}
  hit: {type: contact, between: [b, c], surfaces: [{type: sphere, radius: 100 mm}, {type: sphere, radius: 80 mm}],
        contact: LAW, friction: FRICTION}
analysis: {type: transient, end: 1e9 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
  const std::vector<std::pair<std::string, std::string>> laws{
      {"{type: linear, stiffness: 1e5}", "{type: coulomb, mu_kinetic: 0.3}"},
      {"{type: hertz, stiffness: 1e7}",
       "{type: lugre, mu_static: 0.3, mu_kinetic: 0.2, sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s}"}};
  for (const char* rule : {"closed", "pushing"}) {
    for (const auto& [law, friction] : laws) {
      std::string model = text;
      model.replace(model.find("LAW"), 3, law);
      model.replace(model.find("FRICTION"), 8, friction);
      std::mt19937 random(11);
      std::uniform_real_distribution<double> length(-5, -2.3);
      State x;
      double before = 0;
      {
        Trial first(model, {decaying(1e-4, rule)});
        bristle::Run& run = first.start();
        ASSERT_TRUE(run.advance_to(0.05)) << run.message();
        x = run.state();
        before = run.ledger().energy().total();
      }
      const double start = before;
      int hits = 0;
      for (int k = 0; k < 80; ++k) {
        Trial next(model, {decaying(std::pow(10, length(random)), rule)});
        bristle::Run& one = next.start(x);
        ASSERT_TRUE(one.advance(1e9)) << one.message();
        EXPECT_LE(one.ledger().energy().total(), before + 1e-11 * start) << rule << ", " << law << ", step " << k;
        EXPECT_LT(std::abs(one.ledger().residual()), 1e-10 * start);
        // jump and stops of friction take out energy together: their sum never brings any in
        EXPECT_GE(one.ledger().numerical() + one.ledger().dissipated(), -1e-11 * start) << rule << ", " << law;
        hits += next.read(next.channel("hit.normal_force")) > 0;
        x = one.state();
        before = one.ledger().energy().total();
      }
      EXPECT_GT(hits, 0) << rule << ", " << law;
    }
  }
}

TEST(ContactJump, belongs_to_the_scheme_that_jumps) {
  try {
    Trial trial(kBar, {"analysis.integrator={type: energy_preserving, step: 1 ms, jump_contact: closed}"});
    trial.start();
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("jump_contact"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace bristle
