// Time stepping over impacts: closed forms of bouncing, sliding, rolling and resting bodies; conservation; refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/base/error.h"
#include "support/models.h"
#include "support/sanitized.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kGravity = 9.81;

std::string moreau(double step, const std::string& more = "") {
  return fmt::format("analysis.integrator={{type: moreau_jean, step: {}{}}}", step, more.empty() ? "" : ", " + more);
}
const std::string kAnalysis = "analysis: {type: transient, end: 1 s, integrator: {type: moreau_jean, step: 1 ms}}\n";

std::string ball_on_floor(double restitution, double height, const std::string& friction = "") {
  return fmt::format(
             "bristle: 1\ngravity: [0, 0, -9.81]\n"
             "bodies:\n  ball: {{type: rigid, mass: 2 kg, position: [0, 0, {}], shape: {{type: sphere, radius: 50 mm}}}}\n"
             "collisions:\n  floor: {{bodies: ball, with: [{{type: plane}}], contact: {{type: rigid, restitution: {}}}{}}}\n",
             height + 0.05, restitution, friction.empty() ? "" : ", friction: " + friction) +
         kAnalysis;
}

TEST(MoreauJean, twenty_bounces_follow_the_closed_form_to_first_order) {
  const double height = 1, first = std::sqrt(2 * height / kGravity), speed = std::sqrt(2 * kGravity * height);
  for (double e : {0.5, 0.7, 0.9}) {
    for (double h : {1e-3, 2.5e-4}) {
      Trial trial(ball_on_floor(e, height), {moreau(h)});
      auto& run = trial.start();
      double before = 0, top = 0, time_bound = 1.5 * h, height_bound = 0, exact_time = first, exact_speed = speed;
      int bounces = 0;
      while (bounces < 20 && run.state().t < 20) {
        ASSERT_TRUE(run.advance(20)) << run.message();
        const double v = run.state().v()[run.system().layout().frame_v(0) + 2];
        top = std::max(top, run.state().q()[run.system().layout().frame_q(0) + 2] - 0.05);
        if (before < 0 && v > 0) {
          // gaps are looked at in the middle of a step, velocities change at its end: an impact comes at most one step and a half
          // late, as deep as the ball goes in that time. This much of its height is wrong from here on, in the share that the next
          // bounce keeps
          EXPECT_NEAR(run.state().t, exact_time, time_bound) << "bounce " << bounces + 1 << ", e = " << e << ", h = " << h;
          height_bound = e * e * (height_bound + 1.5 * h * exact_speed) + 1.5 * h * e * exact_speed;
          exact_speed *= e;
          exact_time += 2 * exact_speed / kGravity;
          const double expected = 0.5 * exact_speed * exact_speed / kGravity;
          // flights last 2 sqrt(2 H/g)
          time_bound += 2 * std::sqrt(2 / kGravity) *
                            (std::sqrt(expected + height_bound) - std::sqrt(std::max(0.0, expected - height_bound))) +
                        1.5 * h;
          ++bounces;
          top = 0;
          if (2 * exact_speed / kGravity < 4 * h) break;  // the next flight is no longer than a few steps
        } else if (before > 0 && v <= 0) {
          EXPECT_NEAR(top, 0.5 * exact_speed * exact_speed / kGravity, height_bound)
              << "after bounce " << bounces << ", e = " << e;
        }
        before = v;
      }
      EXPECT_GE(bounces, e > 0.6 ? 12 : 6) << e;
    }
  }
}

TEST(MoreauJean, infinitely_many_bounces_end_in_rest) {
  // e = 1/2: they add up to three times the first fall, 1.354 s
  Trial trial(ball_on_floor(0.5, 1), {moreau(1e-3)});
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(1.354 + 0.02)) << run.message();
  EXPECT_LT(std::abs(run.state().v()[run.system().layout().frame_v(0) + 2]), 0.02);  // twice what gravity does in a step
  ASSERT_TRUE(run.advance_to(3)) << run.message();
  EXPECT_EQ(run.counts().accepted, 3000);
  EXPECT_EQ(run.counts().rejected, 0);
  EXPECT_LT(std::abs(run.state().v()[run.system().layout().frame_v(0) + 2]), 1e-12);
  EXPECT_LT(std::abs(run.state().q()[run.system().layout().frame_q(0) + 2] - 0.05), 2e-5);  // g h^2
  // all of the energy went into the impacts; the rule itself took what it is wrong about the height of the first impact
  EXPECT_NEAR(run.ledger().dissipated(), 2 * kGravity, 2 * kGravity * 2e-2);
  EXPECT_NEAR(run.ledger().dissipated() + run.ledger().numerical(), 2 * kGravity, 2 * kGravity * 2e-5);
}

TEST(MoreauJean, an_impact_at_100_metres_per_second_returns_its_share_exactly) {
  for (const char* law : {"newton", "poisson"}) {
    const std::string text = fmt::format(
        "bristle: 1\nbodies:\n  ball: {{type: rigid, mass: 0.3 kg, position: [0, 0, 1.05], velocity: [0, 0, -100], shape: {{type: sphere, radius: 50 mm}}}}\n"
        "collisions:\n  floor: {{bodies: ball, with: [{{type: plane}}], contact: {{type: rigid, restitution: 0.6, impact: {}}}}}\n",
        law);
    Trial trial(text + kAnalysis, {moreau(1e-4)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.02)) << run.message();
    EXPECT_NEAR(run.state().v()[run.system().layout().frame_v(0) + 2], 60, 1e-11) << law;
    EXPECT_NEAR(run.ledger().dissipated(), 0.5 * 0.3 * (1e4 - 3600), 1e-9) << law;
    EXPECT_NEAR(run.ledger().numerical(), 0, 1e-9) << law;
  }
}

std::string block(double slope, double mu) {
  return fmt::format(
             "bristle: 1\ngravity: [{}, 0, {}]\n"
             "bodies:\n  block: {{type: rigid, mass: 3 kg, position: [0, 0, 0.05], shape: {{type: box, size: [0.3, 0.2, 0.1]}}}}\n"
             "collisions:\n  floor: {{bodies: block, with: [{{type: plane}}], contact: {{type: rigid, restitution: 0}}, friction: {{type: coulomb, mu_kinetic: {}}}}}\n",
             kGravity * std::sin(slope), -kGravity * std::cos(slope), mu) +
         kAnalysis;
}

TEST(MoreauJean, a_block_on_an_incline_sticks_below_mu_and_slides_above_with_the_closed_form) {
  const double mu = 0.5;
  for (double slope : {0.1, std::atan(0.499)}) {
    Trial trial(block(slope, mu), {moreau(1e-3)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2)) << run.message();
    EXPECT_LT(std::abs(run.state().q()[run.system().layout().frame_q(0)]), 1e-10) << slope;
    EXPECT_LT(std::abs(run.state().v()[run.system().layout().frame_v(0)]), 1e-10) << slope;
  }
  for (double slope : {std::atan(0.501), 0.6, 1.2}) {
    Trial trial(block(slope, mu), {moreau(1e-3)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2)) << run.message();
    const double a = kGravity * (std::sin(slope) - mu * std::cos(slope)), x = 0.5 * a * 4;
    EXPECT_NEAR(run.state().q()[run.system().layout().frame_q(0)], x, 1e-8 * (1 + x)) << slope;
    EXPECT_NEAR(run.state().v()[run.system().layout().frame_v(0)], 2 * a, 1e-8 * (1 + a)) << slope;
    // friction takes mu m g cos times the way
    EXPECT_NEAR(run.ledger().dissipated(), mu * 3 * kGravity * std::cos(slope) * x, 1e-7 * (1 + x)) << slope;
    EXPECT_NEAR(run.ledger().numerical(), 0, 1e-7 * (1 + x)) << slope;
  }
}

TEST(MoreauJean, a_sliding_ball_comes_to_roll_at_five_sevenths_of_its_speed) {
  const double mu = 0.3, v0 = 2, end = 2 * v0 / (7 * mu * kGravity);
  for (double h : {1e-3, 1e-4}) {
    Trial trial(ball_on_floor(0, 0, "{type: coulomb, mu_kinetic: 0.3}"), {"bodies.ball.velocity=[2, 0, 0]", moreau(h)});
    auto& run = trial.start();
    const Layout& layout = run.system().layout();
    double rolls = -1;
    while (run.state().t < 0.5) {
      ASSERT_TRUE(run.advance(0.5)) << run.message();
      const double* v = run.state().v() + layout.frame_v(0);
      const double slip = v[0] - 0.05 * std::hypot(v[3], v[4], v[5]);
      if (rolls < 0 && slip < 1e-9) rolls = run.state().t;
    }
    EXPECT_NEAR(rolls, end, h);
    const double* v = run.state().v() + layout.frame_v(0);
    EXPECT_NEAR(v[0], 5.0 / 7 * v0, 1e-9);
    EXPECT_NEAR(std::hypot(v[3], v[4], v[5]), 5.0 / 7 * v0 / 0.05, 1e-7);
    EXPECT_NEAR(run.ledger().dissipated(), 0.5 * 2 * v0 * v0 * 2 / 7, 1e-6);
  }
}

TEST(MoreauJean, a_stack_of_blocks_stays_where_it_is) {
  std::string bodies;
  for (int i = 0; i < 5; ++i)
    bodies +=
        fmt::format("  b{}: {{type: rigid, mass: {} kg, position: [0, 0, {}], shape: {{type: box, size: [0.2, 0.2, 0.1]}}}}\n", i,
                    1 + i, 0.05 + 0.1 * i);
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n" + bodies +
      "collisions:\n  stack: {bodies: b*, with: [{type: plane}], contact: {type: rigid, restitution: 0.2}, friction: "
      "{type: coulomb, mu_kinetic: 0.4}}\n" +
      kAnalysis;
  for (const char* solver : {"automatic", "sweeps"}) {
    Trial trial(text, {moreau(2e-3, std::string("solver: ") + solver)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(kSanitized ? 1 : 10)) << run.message();
    for (int i = 0; i < 5; ++i) {
      const double* q = run.state().q() + run.system().layout().frame_q(i);
      EXPECT_NEAR(q[2], 0.05 + 0.1 * i, 1e-6) << solver << ", block " << i;
      EXPECT_NEAR(std::hypot(q[0], q[1]), 0, 1e-6) << solver << ", block " << i;
      EXPECT_NEAR(std::abs(q[3]), 1, 1e-9) << solver << ", block " << i;
    }
  }
}

TEST(MoreauJean, a_light_ball_carries_a_million_times_its_mass) {
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  pebble: {type: rigid, mass: 1 g, position: [0, 0, 0.01], shape: {type: sphere, radius: 10 mm}}\n"
      "  rock: {type: rigid, mass: 1000 kg, position: [0, 0, 0.07], shape: {type: box, size: [0.2, 0.2, 0.1]}}\n"
      "collisions:\n  pile: {bodies: [pebble, rock], with: [{type: plane}], contact: {type: rigid, restitution: 0}, friction: {type: coulomb, mu_kinetic: 0.4}}\n" +
      kAnalysis;
  Trial trial(text, {moreau(1e-3)});
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(1)) << run.message();
  EXPECT_NEAR(run.state().q()[run.system().layout().frame_q(0) + 2], 0.01, 1e-8);
  EXPECT_NEAR(run.state().q()[run.system().layout().frame_q(1) + 2], 0.07, 1e-8);
}

TEST(MoreauJean, free_collisions_keep_momentum_and_never_gain_energy) {
  for (double e : {0.0, 0.5, 1.0}) {
    std::string bodies;
    for (int i = 0; i < 12; ++i)
      bodies += fmt::format(
          "  g{}: {{type: rigid, mass: {} kg, position: [{}, {}, {}], velocity: [{}, {}, {}], shape: {{type: sphere, radius: 40 mm}}}}\n",
          i, 0.1 + 0.1 * i, 0.2 * (i % 3), 0.2 * (i / 3 % 2), 0.2 * (i / 6), 0.6 - 0.6 * (i % 3) + 0.05 * i,
          0.5 - 1.0 * (i / 3 % 2), 0.4 - 0.8 * (i / 6) + 0.03 * i);
    const std::string text =
        "bristle: 1\nbodies:\n" + bodies +
        fmt::format(
            "collisions:\n  gas: {{bodies: g*, contact: {{type: rigid, restitution: {}}}, friction: {{type: coulomb, mu_kinetic: 0.3}}}}\n",
            e) +
        kAnalysis;
    Trial trial(text, {moreau(1e-3)});
    auto& run = trial.start();
    const Layout& layout = run.system().layout();
    const auto momentum = [&](int axis) {
      double sum = 0;
      for (int i = 0; i < 12; ++i) sum += (0.1 + 0.1 * i) * run.state().v()[layout.frame_v(i) + axis];
      return sum;
    };
    const double before[3] = {momentum(0), momentum(1), momentum(2)};
    const double energy = run.ledger().energy().kinetic;
    double last = energy, hits = 0;
    while (run.state().t < 1) {
      ASSERT_TRUE(run.advance(1)) << run.message();
      const double now = run.ledger().energy().kinetic;
      EXPECT_LE(now, last + 1e-12) << "t = " << run.state().t << ", e = " << e;
      hits += now < last - 1e-9;
      last = now;
    }
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(momentum(k), before[k], 1e-12) << e;
    EXPECT_GT(hits, 3);
    EXPECT_NEAR(last + run.ledger().dissipated(), energy, 1e-10 * energy) << e;  // impacts and friction explain all of it
  }
}

TEST(MoreauJean, a_pendulum_hits_a_wall_and_swings_back_with_its_share) {
  // joint, impact and drive-free swing in one: bar of 1 m, ball at its end, wall where it hangs straight down
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  bob: {type: rigid, mass: 1 kg, position: [0.6, 0, -0.8], shape: {type: sphere, radius: 50 mm}}\n"
      "joints:\n  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: y}\n"
      "collisions:\n  wall: {bodies: bob, with: [{type: plane, at: [-0.05, 0, 0], axis: x}], contact: {type: rigid, restitution: 0.5}}\n" +
      kAnalysis;
  for (double h : {1e-3, 2.5e-4}) {
    Trial trial(text, {moreau(h)});
    auto& run = trial.start();
    const Layout& layout = run.system().layout();
    double before = 0, after = 0;
    while (run.state().t < 1 && after == 0) {
      before = run.state().v()[layout.frame_v(0)];
      ASSERT_TRUE(run.advance(1)) << run.message();
      const double v = run.state().v()[layout.frame_v(0)];
      if (before < 0 && v > 0) after = v;
    }
    EXPECT_NEAR(after, -0.5 * before, 3 * h * std::abs(before)) << h;  // the wall and the path differ by the angle of a step
    EXPECT_NEAR(-before, std::sqrt(2 * kGravity * 0.2 / (1 + 0.4 * 0.0025)), 20 * h);
    // the bar keeps its length
    ASSERT_TRUE(run.advance_to(3)) << run.message();
    const double* q = run.state().q() + layout.frame_q(0);
    EXPECT_NEAR(std::hypot(q[0], q[2]), 1, 1e-9);
    EXPECT_LT(run.ledger().energy().total(), -0.8 * kGravity + 1e-6);
  }
}

TEST(MoreauJean, reports_the_reaction_of_a_joint_that_carries_a_contact) {
  // a lever on a pin, pressed on a stop by its weight: half of the weight on each
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  lever: {type: rigid, mass: 2 kg, position: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
      "joints:\n  pin: {type: revolute, between: [ground, lever], at: [0, 0, 0], axis: y}\n"
      "collisions:\n  stop: {bodies: lever, surface: {type: sphere, radius: 10 mm, at: [0.5, 0, 0]}, with: [{type: plane, at: [0, 0, -0.01]}], contact: {type: rigid, restitution: 0}}\n" +
      kAnalysis;
  Trial trial(text, {moreau(1e-3)});
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(0.1)) << run.message();
  const int force = trial.channel("pin.force.z");
  EXPECT_NEAR(trial.outputs()[static_cast<std::size_t>(force)], kGravity, 1e-8);
}

TEST(MoreauJean, stiff_springs_stay_stable_and_keep_their_energy) {
  // 1e5 rad/s at a step of 1 ms
  const std::string text =
      "bristle: 1\nbodies:\n  bob: {type: particle, mass: 1 kg, position: [1, 0, 0], velocity: [0, 0.1, 0]}\n"
      "forces:\n  spring: {type: spring, between: [ground, bob], stiffness: 1e10 N/m, length: 0.999999}\n" +
      kAnalysis;
  Trial trial(text, {moreau(1e-3)});
  auto& run = trial.start();
  const double energy = run.ledger().energy().total();
  ASSERT_TRUE(run.advance_to(1)) << run.message();
  EXPECT_LT(run.ledger().energy().total(), 1.5 * energy);
  // the residual is that of the midpoint rule: the bob goes 0.1 mm across in a step, which makes the stretch of 1 um wrong by
  // (v h)^2/8 = 1.25 nm in its middle
  EXPECT_LT(std::abs(run.ledger().residual()), 5e-3 * energy);
}

TEST(MoreauJean, is_of_second_order_between_impacts) {
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  top: {type: rigid, mass: 1 kg, inertia: [0.02, 0.03, 0.01], position: [0.1, 0, 0.2], angular_velocity: [1, 2, 20]}\n"
      "joints:\n  tip: {type: spherical, between: [ground, top], at: [0, 0, 0]}\n" +
      kAnalysis;
  std::vector<double> z;
  for (double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
    Trial trial(text, {moreau(h)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.2)) << run.message();
    z.push_back(run.state().q()[run.system().layout().frame_q(0)]);
  }
  const double order = std::log2((z[1] - z[2]) / (z[2] - z[3]));
  EXPECT_NEAR(order, 2, 0.2) << z[0] << " " << z[1] << " " << z[2] << " " << z[3];
}

TEST(MoreauJean, also_moves_masses_on_coordinates_with_memory_to_second_order) {
  // a mass on a spring over bristles, against radau5 at a tight tolerance
  Trial exact(kLuGre, {setting("radau5", 0, 1e-11)});
  auto& truth = exact.start();
  ASSERT_TRUE(truth.advance_to(0.5)) << truth.message();
  double off[2];
  int i = 0;
  for (double h : {2e-4, 1e-4}) {
    Trial trial(kLuGre, {moreau(h)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.5)) << run.message();
    off[i++] = std::abs(run.state().v()[0] - truth.state().v()[0]);
  }
  EXPECT_LT(off[1], 1e-5);
  EXPECT_NEAR(std::log2(off[0] / off[1]), 2, 0.5) << off[0] << " " << off[1];
}

TEST(MoreauJean, newton_and_sweeps_give_the_same_motion) {
  std::string bodies;
  for (int i = 0; i < 8; ++i)
    bodies += fmt::format("  g{}: {{type: rigid, mass: 1 kg, position: [{}, {}, {}], shape: {{type: sphere, radius: 50 mm}}}}\n",
                          i, 0.101 * (i % 2) + 0.003 * i, 0.101 * (i / 2 % 2), 0.05 + 0.101 * (i / 4));
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n" + bodies +
      "collisions:\n  heap: {bodies: g*, with: [{type: plane}, {type: plane, at: [-0.06, 0, 0], axis: x}], contact: {type: rigid, "
      "restitution: 0}, friction: {type: coulomb, mu_kinetic: 0.3}}\n" +
      kAnalysis;
  std::vector<State> ends;
  for (const char* solver : {"newton", "sweeps"}) {
    Trial trial(text, {moreau(1e-3, fmt::format("solver: {}, tolerance: 1e-13, iterations: 20000", solver))});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.1)) << run.message();
    ends.push_back(run.state());
  }
  for (int i = 0; i < ends[0].sizes().q; ++i) EXPECT_NEAR(ends[0].q()[i], ends[1].q()[i], 1e-7) << i;
}

TEST(MoreauJean, goes_on_from_a_checkpoint_bit_by_bit) {
  Trial trial(ball_on_floor(0.5, 0.1, "{type: coulomb, mu_kinetic: 0.3}"), {"bodies.ball.velocity=[1, 0.5, 0]"});
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(0.3));
  Archive a;
  run.save(a);
  ASSERT_TRUE(run.advance_to(0.6));
  const State whole = run.state();
  auto& other = trial.start();
  Archive copy(a.bytes());
  other.load(copy);
  ASSERT_TRUE(other.advance_to(0.6));
  for (std::size_t i = 0; i < whole.numbers().size(); ++i) EXPECT_EQ(whole.numbers()[i], other.state().numbers()[i]) << i;
}

TEST(MoreauJean, a_pin_bounces_in_its_hole_and_rests_with_its_weight) {
  // a place of a joint with clearance: from the middle of the play to its bottom, then ever smaller bounces
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  rod: {type: rigid, mass: 2 kg, position: [0, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
      "joints:\n  ball: {type: spherical, between: [ground, rod], at: [0, 0, 0], pin_radius: 20 mm, clearance: 1 mm, contact: {type: rigid, "
      "restitution: 0.5}, friction: {type: coulomb, mu_kinetic: 0.2}}\n" +
      kAnalysis;
  const double h = 1e-5, speed = std::sqrt(2 * kGravity * 1e-3), first = std::sqrt(2e-3 / kGravity);
  for (const char* impact : {"newton", "poisson"}) {
    Trial trial(text, {moreau(h), std::string("joints.ball.contact.impact=") + impact});
    auto& run = trial.start();
    const Layout& layout = run.system().layout();
    double before = 0, hit = -1;
    while (hit < 0 && run.state().t < 0.1) {
      before = run.state().v()[layout.frame_v(0) + 2];
      ASSERT_TRUE(run.advance(0.1)) << run.message();
      if (run.state().v()[layout.frame_v(0) + 2] > 0) hit = run.state().t;
    }
    EXPECT_NEAR(hit, first, 2 * h) << impact;
    EXPECT_NEAR(-before, speed, 2 * h * kGravity) << impact;
    EXPECT_NEAR(run.state().v()[layout.frame_v(0) + 2], 0.5 * speed, 2 * h * kGravity) << impact;
    ASSERT_TRUE(run.advance_to(0.1)) << run.message();
    EXPECT_NEAR(run.state().q()[layout.frame_q(0) + 2], -1e-3, 1e-7) << impact;
    EXPECT_NEAR(trial.outputs()[static_cast<std::size_t>(trial.channel("ball.normal_force"))], 2 * kGravity, 1e-6) << impact;
    EXPECT_NEAR(trial.outputs()[static_cast<std::size_t>(trial.channel("ball.gap"))], 0, 1e-7) << impact;
  }
}

std::string refusal(const std::string& text, const std::vector<std::string>& overrides) {
  try {
    Trial trial(text, overrides);
    trial.start();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RigidContact, is_refused_by_name_where_nobody_can_solve_it) {
  const std::string text = ball_on_floor(0.5, 1);
  for (const std::string& name : integrators(true)) {
    const std::string words = refusal(text, {setting(name, 1e-3, 1e-6)});
    EXPECT_NE(words.find("integrator '" + name + "' cannot follow the rigid contact of 'floor'"), std::string::npos) << words;
    EXPECT_NE(words.find("moreau_jean"), std::string::npos) << words;
  }
  const std::string soft = refusal(text, {"collisions.floor.contact={type: linear, stiffness: 1e5}", setting("radau5", 0, 1e-6)});
  EXPECT_NE(soft.find("collision group 'floor'"), std::string::npos) << soft;
  EXPECT_NE(refusal(text, {"collisions.floor.contact={type: flores, stiffness: 1e9, restitution: 0.5}"}).find("remembers"),
            std::string::npos);
  const std::string dry = refusal(kLuGre, {moreau(1e-3), "joints.shoe.friction={type: coulomb, mu_kinetic: 0.3}"});
  EXPECT_NE(dry.find("'shoe' rubs with a jump at rest and is no rigid contact"), std::string::npos) << dry;
  EXPECT_NE(refusal(text, {"collisions.floor.bodies=bal"}).find("Did you mean 'ball'"), std::string::npos);
}

TEST(CollisionGroup, with_stiffness_is_followed_by_explicit_methods) {
  // equal balls head on: they exchange their velocities
  const std::string text =
      "bristle: 1\nbodies:\n"
      "  a: {type: rigid, mass: 1 kg, position: [-0.1, 0, 0], velocity: [1, 0, 0], shape: {type: sphere, radius: 50 mm}}\n"
      "  b: {type: rigid, mass: 1 kg, position: [0.1, 0, 0], shape: {type: sphere, radius: 50 mm}}\n"
      "collisions:\n  pair: {bodies: [a, b], contact: {type: linear, stiffness: 1e6}}\n" +
      kAnalysis;
  for (const char* name : {"rk4", "dormand_prince"}) {
    Trial trial(text, {setting(name, 1e-5, 1e-9)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.2)) << run.message();
    const double *a = run.state().v() + run.system().layout().frame_v(0), *b = run.state().v() + run.system().layout().frame_v(1);
    EXPECT_NEAR(a[0], 0, 1e-5) << name;
    EXPECT_NEAR(b[0], 1, 1e-5) << name;
    EXPECT_LT(std::abs(run.ledger().residual()), 1e-5) << name;
  }
}

}  // namespace
}  // namespace bristle
