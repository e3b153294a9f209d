// Impacts and memory under time stepping: rest after bounces, no energy from impacts or from flight, contacts that are solved.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kGravity = 9.81;

std::string ball(double e, const std::string& impact) {
  return fmt::format(
      "bristle: 1\ngravity: [0, 0, -9.81]\n"
      "bodies: {{ball: {{type: rigid, mass: 2 kg, position: [0, 0, 1.05], shape: {{type: sphere, radius: 50 mm}}}}}}\n"
      "collisions: {{floor: {{bodies: ball, with: [{{type: plane}}], contact: {{type: rigid, restitution: {}, impact: {}}}}}}}\n"
      "analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: 1 ms}}}}\n",
      e, impact);
}

TEST(PoissonImpact, bounces_add_up_to_the_closed_form_and_end_in_rest) {
  for (double e : {0.5, 0.8, 0.9}) {
    Trial trial(ball(e, "poisson"), {});
    auto& run = trial.start();
    const double first = std::sqrt(2 / kGravity), all = first * (1 + e) / (1 - e);
    const int v = run.system().layout().frame_v(0) + 2, q = run.system().layout().frame_q(0) + 2;
    double last = 0;
    while (run.state().t < all + 2) {
      ASSERT_TRUE(run.advance(all + 2)) << run.message();
      if (std::abs(run.state().v()[v]) > 1e-6) last = run.state().t;
    }
    // bounces shorter than a few steps are one; each of those before comes up to a step and a half late
    EXPECT_NEAR(last, all, 0.03 * all) << e;
    EXPECT_LT(std::abs(run.state().v()[v]), 1e-12) << e;
    EXPECT_NEAR(run.state().q()[q], 0.05, 2e-5) << e;
    EXPECT_GE(run.ledger().dissipated(), 0) << e;
  }
}

TEST(PoissonImpact, is_newtons_for_one_contact_without_friction) {
  double x[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    Trial trial(ball(0.7, i == 0 ? "newton" : "poisson"), {});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(1.5)) << run.message();
    x[i] = run.state().q()[run.system().layout().frame_q(0) + 2];
  }
  EXPECT_NEAR(x[0], x[1], 1e-9);
}

/// A rod that comes down on one end while that end slides: friction turns the slip around within the impact.
std::string rod(double angle, double mu, double e, const std::string& impact) {
  const double L = 0.5;  // half of it
  return fmt::format(
      "bristle: 1\nbodies: {{rod: {{type: rigid, mass: 1 kg, inertia: [{0:.17g}, {0:.17g}, 1e-4], position: [0, 0, {1:.17g}], "
      "velocity: [-1, 0, -1]}}}}\n"
      "joints: {{tip: {{type: contact, between: [ground, rod], surfaces: [{{type: plane, axis: z}}, {{type: sphere, at: [{2:.17g}, 0, {3:.17g}], radius: "
      "1 mm}}], contact: {{type: rigid, restitution: {4}, impact: {5}}}, friction: {{type: coulomb, mu_kinetic: {6}}}}}}}\n"
      "analysis: {{type: transient, end: 0.05 s, integrator: {{type: moreau_jean, step: 0.1 ms}}}}\n",
      L * L / 3, L * std::sin(angle) + 0.001 + 1e-4, L * std::cos(angle), -L * std::sin(angle), e, impact, mu);
}

TEST(RigidImpact, never_gives_out_energy_where_friction_turns_the_slip) {
  for (const char* impact : {"newton", "poisson"}) {
    for (double degrees : {20.0, 35.0, 50.0, 60.0, 75.0, 105.0, 120.0}) {
      for (double mu : {0.2, 0.5, 1.0}) {
        for (double e : {0.5, 0.9, 1.0}) {
          Trial trial(rod(degrees * 3.14159265358979 / 180, mu, e, impact), {});
          auto& run = trial.start();
          const double before = run.ledger().energy().kinetic;
          ASSERT_TRUE(run.advance_to(0.02)) << run.message();
          EXPECT_LE(run.ledger().energy().kinetic, before * (1 + 1e-9)) << impact << ", " << degrees << ", " << mu << ", " << e;
          EXPECT_GE(run.ledger().dissipated(), -1e-9 * before) << impact << ", " << degrees << ", " << mu << ", " << e;
        }
      }
    }
  }
}

TEST(TravelInFlight, is_not_counted_and_makes_no_energy_at_touch_down) {
  for (const char* law : {"{type: valanis, stick_stiffness: 1e4 1/m, tangent_stiffness: 1e3 1/m, knee: 0.4}",
                          "{type: modified_lugre, mu_kinetic: 0.3, mu_static: 0.4, tangent_stiffness: 1e3 1/m}"}) {
    const std::string text = fmt::format(
        "bristle: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {{ball: {{type: rigid, mass: 0.1 kg, inertia: [1e-4, 1e-4, 1e-4], position: [0, 0, 0.55], velocity: [3, 0, 0]}}}}\n"
        "joints: {{floor: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 50 mm}}], "
        "contact: {{type: flores, stiffness: 0.1 MN/m^1.5, restitution: 0.5}}, friction: {}}}}}\n"
        "analysis: {{type: transient, end: 0.4 s, integrator: radau5}}\n",
        law);
    Trial trial(text, {});
    auto& run = trial.start();
    const double before = run.ledger().energy().kinetic;
    double least = 0, most = 0;
    while (run.state().t < 0.4) {
      ASSERT_TRUE(run.advance(0.4)) << law << ": " << run.message();
      least = std::min(least, run.ledger().dissipated());
      most = std::max(most, run.ledger().energy().kinetic);
    }
    // what it fell; and what these laws store is proportional to the load, which gives some of it back while the ball leaves
    EXPECT_LT(most, before + 0.1 * kGravity * 0.5 + 1e-3) << law;
    EXPECT_GT(least, -0.1) << law;
  }
}

TEST(MoreauJeanMemory, bristles_are_followed_at_coarse_steps) {
  // a block slides to rest on bristles: the sliding distance is v^2/(2 mu g) but for a bristle's length
  for (const char* law : {"lugre", "dahl", "elasto_plastic", "iwan", "generalised_maxwell_slip"}) {
    const FrictionEntry* entry = friction_registry().find(law);
    ASSERT_NE(entry, nullptr);
    for (double h : {1e-2, 1e-3, 1e-4}) {
      const std::string more = std::string(law) == "dahl" || std::string(law) == "iwan" ? "" : ", mu_static: 0.3";
      const std::string text = fmt::format(
          "bristle: 1\nbodies: {{block: {{type: mass, mass: 1 kg, velocity: 1 m/s}}}}\n"
          "joints: {{pad: {{type: sliding, on: block, load: 9.81 N, friction: {{type: {}, mu_kinetic: 0.3{}}}}}}}\n"
          "analysis: {{type: transient, end: 1 s, integrator: {{type: moreau_jean, step: {}}}}}\n",
          law, more, h);
      Trial trial(text, {});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(1)) << law << ", " << h << ": " << run.message();
      EXPECT_NEAR(run.state().q()[0], 1 / (2 * 0.3 * kGravity), 0.01 * 0.17) << law << ", " << h;
      EXPECT_NEAR(run.ledger().dissipated(), 0.5, 0.01) << law << ", " << h;
    }
  }
}

}  // namespace
}  // namespace bristle
