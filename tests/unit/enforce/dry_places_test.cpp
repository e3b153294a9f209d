// Dry places, several at once: who sticks, who slips, and exactly when and where.
#include <gtest/gtest.h>

#include <set>

#include "support/models.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using namespace test;

std::string coulomb(double mu) { return fmt::format("{{type: coulomb, mu_kinetic: {}}}", mu); }

/// The time at which a mass first moves, for every integrator that locates events.
double first_motion(Trial& trial, double end, int coordinate = 0) {
  auto& run = trial.start();
  while (run.state().t < end) {
    if (!run.advance(end)) ADD_FAILURE() << run.message();
    if (std::abs(run.state().v()[coordinate]) > 1e-13) return run.previous().t;  // above the round-off of a place on a place
  }
  return end;
}

TEST(DryPlaces, two_places_under_one_mass_let_go_at_the_sum_of_their_limits) {
  // pull 2 t; limits 0.3*5 and 0.1*8 N: it moves at t = (1.5 + 0.8)/2, whichever place would carry more by itself
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 2 kg}}
forces: {pull: {type: load, on: m, force: "2*t"}}
joints:
  one: {type: sliding, between: [ground, m], load: 5 N, friction: {type: coulomb, mu_kinetic: 0.3}}
  two: {type: sliding, between: [ground, m], load: 8 N, friction: {type: coulomb, mu_kinetic: 0.1}}
analysis: {type: transient, end: 2 s, integrator: {type: rk4, step: 10 ms}}
)yaml";
  for (const std::string& name : locating_integrators()) {
    Trial trial(text, {setting(name, 0.01, 1e-8)});
    // redundant places count as overloaded when a billionth of the forces is missing
    EXPECT_NEAR(first_motion(trial, 2), 1.15, 5e-9) << name;
    // and then: 2 a = 2 t - 2.3
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2)) << name;
    const double s = 2 - 1.15;
    // the trapezoidal rule is off by h^2/12 of the change of the acceleration, methods that damp by a few times that
    EXPECT_NEAR(run.state().v()[0], 0.5 * s * s, second_order(name) ? 5e-6 : 1e-7) << name;
    EXPECT_NEAR(run.state().q()[0], s * s * s / 6, second_order(name) ? 1e-5 : 1e-7) << name;
  }
}

TEST(DryPlaces, redundant_places_share_what_they_hold_and_their_sum_is_the_pull) {
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 2 kg}}
forces: {pull: {type: load, on: m, force: "2*t"}}
joints:
  one: {type: sliding, between: [ground, m], load: 5 N, friction: {type: coulomb, mu_kinetic: 0.3}}
  two: {type: sliding, between: [ground, m], load: 8 N, friction: {type: coulomb, mu_kinetic: 0.1}}
  three: {type: sliding, between: [ground, m], load: 1 N, friction: {type: coulomb, mu_kinetic: 0.1}}
analysis: {type: transient, end: 2 s, integrator: {type: rk4, step: 10 ms}}
)yaml";
  Trial trial(text);
  auto& run = trial.start();
  const int f[3] = {trial.channel("one.friction_force"), trial.channel("two.friction_force"),
                    trial.channel("three.friction_force")};
  while (run.state().t < 1.19) {
    ASSERT_TRUE(run.advance(1.19));
    double sum = 0;
    const double limit[3] = {1.5, 0.8, 0.1};
    for (int i = 0; i < 3; ++i) {
      const double F = -trial.read(f[i]);  // the friction force is positive along the slip
      sum += std::abs(F);
      EXPECT_LE(std::abs(F), limit[i] * (1 + 1e-9)) << "t = " << run.state().t;
    }
    EXPECT_NEAR(sum, 2 * run.state().t, 1e-9) << "t = " << run.state().t;
    EXPECT_EQ(run.state().v()[0], 0);
  }
}

TEST(DryPlaces, a_slider_under_a_constant_load_stops_at_the_exact_time_and_place) {
  // thrown at v0 against friction mu N with a constant pull p < mu N: stops after v0/a at v0^2/(2a), a = (mu N - p)/m
  const double m = 2, v0 = 1.3, limit = 0.4 * 7, pull = 0.9, a = (limit - pull) / m;
  const std::string text = fmt::format(R"yaml(bristle: 1
bodies: {{m: {{type: mass, mass: {} kg, velocity: {} m/s}}}}
forces: {{pull: {{type: load, on: m, force: {} N}}}}
joints: {{floor: {{type: sliding, between: [ground, m], load: 7 N, friction: {}}}}}
analysis: {{type: transient, end: 4 s, integrator: {{type: rk4, step: 10 ms}}}}
)yaml",
                                       m, v0, pull, coulomb(0.4));
  for (const std::string& name : locating_integrators(true)) {
    Trial trial(text, {setting(name, 0.013, 1e-8)});
    auto& run = trial.start();
    double stopped = -1;
    while (run.state().t < 4) {
      ASSERT_TRUE(run.advance(4)) << name << run.message();
      if (run.state().v()[0] == 0 && stopped < 0) stopped = run.state().t;
    }
    const double tolerance = name == "cvode" ? 1e-7 : 1e-10;  // CVODE's own interpolation is good to its tolerance
    EXPECT_NEAR(stopped, v0 / a, tolerance) << name;
    EXPECT_NEAR(run.state().q()[0], v0 * v0 / (2 * a), tolerance) << name;
    EXPECT_EQ(run.state().v()[0], 0) << name << ": held to the bit";
    EXPECT_NEAR(trial.read(trial.channel("floor.friction_force")), pull, 1e-12) << name << ": holds what pulls";
    EXPECT_NEAR(run.ledger().dissipated(), limit * v0 * v0 / (2 * a), name == "cvode" ? 1e-4 : 1e-9) << name;
  }
}

TEST(DryPlaces, a_slider_in_the_plane_stops_on_a_straight_line) {
  const double v = 1.2, angle = 0.7, a = 0.4 * 7 / 2;
  const std::string text = fmt::format(R"yaml(bristle: 1
bodies:
  x: {{type: mass, mass: 2 kg, velocity: {:.17g} m/s}}
  y: {{type: mass, mass: 2 kg, velocity: {:.17g} m/s}}
joints: {{table: {{type: sliding, between: [[ground, ground], [x, y]], load: 7 N, friction: {}}}}}
analysis: {{type: transient, end: 2 s, integrator: {{type: rk4, step: 10 ms}}}}
)yaml",
                                       v * std::cos(angle), v * std::sin(angle), coulomb(0.4));
  for (const std::string& name : locating_integrators()) {
    Trial trial(text, {setting(name, 0.013, 1e-8)});
    auto& run = trial.start();
    double stopped = -1;
    while (run.state().t < 2) {
      ASSERT_TRUE(run.advance(2)) << name << run.message();
      const double* q = run.state().q();
      EXPECT_NEAR(q[1] * std::cos(angle), q[0] * std::sin(angle), 1e-12) << name << ": on the line";
      if (run.state().v()[0] == 0 && stopped < 0) stopped = run.state().t;
    }
    const double s = v * v / (2 * a);
    EXPECT_NEAR(stopped, v / a, 1e-10) << name;
    EXPECT_NEAR(run.state().q()[0], s * std::cos(angle), 1e-10) << name;
    EXPECT_NEAR(run.state().q()[1], s * std::sin(angle), 1e-10) << name;
    EXPECT_EQ(run.state().v()[0], 0) << name;
    EXPECT_EQ(run.state().v()[1], 0) << name;
  }
}

TEST(DryPlaces, stick_holds_to_the_bit_while_an_oscillating_pull_stays_below_the_limit) {
  for (const std::string& name : locating_integrators()) {
    for (int D : {1, 2}) {
      const std::string text = D == 1 ? R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 0.3 kg, position: 0.1}}
forces: {pull: {type: load, on: m, force: "1.99*sin(7*t)"}}
joints: {p: {type: sliding, between: [ground, m], load: 10 N, friction: {type: coulomb, mu_kinetic: 0.2}}}
analysis: {type: transient, end: 3 s, integrator: {type: rk4, step: 10 ms}}
)yaml"
                                      : R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 0.3 kg, position: 0.1}, n: {type: mass, mass: 0.5 kg}}
forces: {pull: {type: load, on: m, force: "1.99*sin(7*t)"}, other: {type: load, on: n, force: "1.99*cos(7*t)"}}
joints: {p: {type: sliding, between: [[ground, ground], [m, n]], load: 10 N, friction: {type: coulomb, mu_kinetic: 0.2}}}
analysis: {type: transient, end: 3 s, integrator: {type: rk4, step: 10 ms}}
)yaml";
      Trial trial(text, {setting(name, 0.01, 1e-6)});
      auto& run = trial.start();
      while (run.state().t < 3) {
        ASSERT_TRUE(run.advance(3)) << name;
        ASSERT_EQ(run.state().v()[0], 0) << name;
        ASSERT_EQ(run.state().q()[0], 0.1) << name;
      }
      EXPECT_EQ(run.counts().events, 0) << name;
    }
  }
}

TEST(DryPlaces, a_mass_on_a_belt_of_changing_speed_is_carried_until_the_limit_and_no_longer) {
  // belt x = A sin(w t): carried while m A w^2 |sin| <= mu N, that is until sin(w t) = mu N / (m A w^2)
  const double A = 0.1, w = 4, m = 1, limit = 1.0;
  const std::string text = fmt::format(R"yaml(bristle: 1
bodies:
  m: {{type: mass, mass: {} kg, velocity: {} m/s}}
  belt: {{type: driven, position: "{}*sin({}*t)"}}
joints: {{p: {{type: sliding, between: [belt, m], load: 10 N, friction: {}}}}}
analysis: {{type: transient, end: 5 s, integrator: {{type: rk4, step: 5 ms}}}}
)yaml",
                                       m, A * w, A, w, coulomb(0.1));
  const double release = std::asin(limit / (m * A * w * w)) / w;
  for (const std::string& name : locating_integrators()) {
    Trial trial(text, {setting(name, 5e-3, 1e-9)});
    auto& run = trial.start();
    double first = -1, again = -1;
    while (run.state().t < 5) {
      ASSERT_TRUE(run.advance(5)) << name << run.message();
      for (const ModeEvent& e : run.events()) {
        if (e.to == Mode::slip && first < 0) first = e.t;
        if (e.to == Mode::stick && first >= 0 && again < 0) again = e.t;
      }
      if (first < 0) {
        // the speed is integrated with the acceleration of the belt: h^2/12 A w^3 for the trapezoidal rule, little for the others
        EXPECT_NEAR(run.state().v()[0], A * w * std::cos(w * run.state().t), second_order(name) ? 2e-5 : 1e-8)
            << name << ": carried";
      }
    }
    EXPECT_NEAR(first, release, 1e-9) << name;
    // then it slides with a = -limit/m until the belt has come back to its speed
    const auto gap = [&](double t) {
      return A * w * std::cos(w * release) - limit / m * (t - release) - A * w * std::cos(w * t);
    };
    double lo = release + 0.05, hi = release + 1.2;
    for (int k = 0; k < 100; ++k) (gap(0.5 * (lo + hi)) > 0 ? lo : hi) = 0.5 * (lo + hi);
    EXPECT_NEAR(again < 0 ? first : again, lo, 1e-2) << name << ": meets the belt again, or turns about";
    // what the drive gives is what friction takes, beside what moves
    EXPECT_LT(run.ledger().worst_residual(),
              1e-7 * run.ledger().scale() + (controls_error(name) ? 0 : 1e-4 * run.ledger().scale()))
        << name;
  }
}

TEST(DryPlaces, a_slider_that_reverses_goes_through_zero_without_sticking) {
  // the pull at zero speed is above the limit: decelerates with p + mu N, accelerates back with p - mu N
  const double m = 1, v0 = 1, pull = 3, limit = 1;
  const std::string text = fmt::format(R"yaml(bristle: 1
bodies: {{m: {{type: mass, mass: 1 kg, velocity: {} m/s}}}}
forces: {{pull: {{type: load, on: m, force: -{} N}}}}
joints: {{p: {{type: sliding, between: [ground, m], load: 10 N, friction: {}}}}}
analysis: {{type: transient, end: 1 s, integrator: {{type: rk4, step: 10 ms}}}}
)yaml",
                                       v0, pull, coulomb(0.1));
  for (const std::string& name : locating_integrators()) {
    Trial trial(text, {setting(name, 0.017, 1e-8)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(1)) << name;
    const double t1 = v0 * m / (pull + limit), s = 1 - t1, back = (pull - limit) / m;
    EXPECT_NEAR(run.state().v()[0], -back * s, 1e-10) << name;
    EXPECT_NEAR(run.state().q()[0], 0.5 * v0 * t1 - 0.5 * back * s * s, 1e-10) << name;
    EXPECT_EQ(run.counts().events, 1) << name;
  }
}

TEST(DryPlaces, a_chain_of_three_masses_visits_all_combinations_of_stick_and_slip) {
  // three masses on the ground, friction between neighbours as well: five places, shaken at three frequencies
  const std::string text = R"yaml(bristle: 1
bodies:
  a: {type: mass, mass: 1 kg}
  b: {type: mass, mass: 1.5 kg}
  c: {type: mass, mass: 0.7 kg}
forces:
  fa: {type: load, on: a, force: "2.2*sin(3*t)"}
  fb: {type: load, on: b, force: "2.5*sin(5.1*t + 1)"}
  fc: {type: load, on: c, force: "1.9*sin(7.3*t + 2)"}
joints:
  ga: {type: sliding, between: [ground, a], load: 10 N, friction: {type: coulomb, mu_kinetic: 0.1}}
  gb: {type: sliding, between: [ground, b], load: 10 N, friction: {type: coulomb, mu_kinetic: 0.1}}
  gc: {type: sliding, between: [ground, c], load: 10 N, friction: {type: coulomb, mu_kinetic: 0.1}}
  ab: {type: sliding, between: [a, b], load: 5 N, friction: {type: coulomb, mu_kinetic: 0.1}}
  bc: {type: sliding, between: [b, c], load: 5 N, friction: {type: coulomb, mu_kinetic: 0.1}}
analysis: {type: transient, end: 40 s, integrator: {type: rk4, step: 5 ms}}
)yaml";
  std::vector<double> reference;
  for (const std::string& name : locating_integrators()) {
    Trial trial(text, {setting(name, 5e-3, 1e-9)});
    auto& run = trial.start();
    std::set<int> ground;  // which of the three stick on the ground, as bits
    std::set<int> inner;
    const int first = trial.channel("ga.friction_force"), slip = trial.channel("ga.slip");
    const std::ptrdiff_t stride = trial.channel("gb.slip") - slip;
    double worst = 0;
    while (run.state().t < 40) {
      ASSERT_TRUE(run.advance(40)) << name << ": " << run.message();
      int g = 0, n = 0;
      for (std::size_t i = 0; i < 5; ++i) (i < 3 ? g : n) |= (run.modes()[i] == Mode::stick) << (i < 3 ? i : i - 3);
      ground.insert(g), inner.insert(n);
      const auto& out = trial.outputs();
      for (int i = 0; i < 5; ++i) {
        const double F = out[static_cast<std::size_t>(first + i * stride)], v = out[static_cast<std::size_t>(slip + i * stride)],
                     limit = i < 3 ? 1 : 0.5;
        // the law: at rest within the limit, in sliding at the limit and along the slip
        worst = std::max(worst, std::abs(F) - limit);
        if (run.modes()[static_cast<std::size_t>(i)] == Mode::slip && std::abs(v) > 1e-9)
          worst = std::max(worst, std::abs(F - limit * (v > 0 ? 1 : -1)));
        if (run.modes()[static_cast<std::size_t>(i)] == Mode::stick) worst = std::max(worst, std::abs(v));
      }
    }
    EXPECT_LT(worst, 1e-8) << name << ": the law holds at every place and step";
    EXPECT_EQ(ground.size(), 8U) << name << ": all combinations of the three on the ground";
    EXPECT_EQ(inner.size(), 4U) << name;
    EXPECT_GT(run.counts().events, 300) << name;
    // loads of time alone: between events the motion is smooth, and all integrators find the same one. The trapezoidal rule is good
    // to h^2/12 of sines of rate 7: 1e-4
    std::vector<double> q(run.state().q(), run.state().q() + 3);
    if (reference.empty()) reference = q;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(q[i], reference[i], second_order(name) ? 1e-2 : 1e-5) << name;
  }
}

TEST(DryPlaces, release_thresholds_of_a_stack_are_exact) {
  // b lies on a, a on the ground; b is pulled by t. Upper limit 0.5, lower limit 1: b slips on a at t = 0.5 and a never moves.
  // With the upper limit 2 both move together at t = 1, and b slips on a when its share of the force exceeds 2: t - 2 = mb (2 - 1)/ma
  const auto text = [](double mu) {
    return fmt::format(R"yaml(bristle: 1
bodies: {{a: {{type: mass, mass: 2 kg}}, b: {{type: mass, mass: 1 kg}}}}
forces: {{pull: {{type: load, on: b, force: "t"}}}}
joints:
  low: {{type: sliding, between: [ground, a], load: 10 N, friction: {{type: coulomb, mu_kinetic: 0.1}}}}
  up: {{type: sliding, between: [a, b], load: 10 N, friction: {{type: coulomb, mu_kinetic: {}}}}}
analysis: {{type: transient, end: 4 s, integrator: {{type: rk4, step: 10 ms}}}}
)yaml",
                       mu);
  };
  for (const std::string& name : locating_integrators()) {
    Trial weak(text(0.05), {setting(name, 0.01, 1e-8)});
    // several held places count as overloaded when a billionth of the forces is missing
    EXPECT_NEAR(first_motion(weak, 4, 1), 0.5, 5e-9) << name;
    auto& run = weak.start();
    ASSERT_TRUE(run.advance_to(4)) << name;
    EXPECT_EQ(run.state().v()[0], 0) << name << ": the lower mass stays where it is";

    Trial strong(text(0.2), {setting(name, 0.01, 1e-8)});
    auto& both = strong.start();
    double low = -1, up = -1;
    while (both.state().t < 4) {
      ASSERT_TRUE(both.advance(4)) << name << ": " << both.message();
      for (const ModeEvent& e : both.events()) {
        if (e.to != Mode::slip) continue;
        (e.place == 0 ? low : up) = e.t;
      }
    }
    EXPECT_NEAR(low, 1.0, 5e-9) << name;
    EXPECT_NEAR(up, 2 + 0.5, 1e-8) << name;
  }
}

TEST(DryPlaces, under_the_threshold_rule_halving_the_step_halves_the_error_of_the_switching_time) {
  // "Efficient Simulation of a Dynamic System with LuGre Friction", fig. 4: without location a switch is noticed at the end of its step; located ones are exact
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg}}
forces: {pull: {type: load, on: m, force: "t"}}
joints: {p: {type: sliding, between: [ground, m], load: 10 N, friction: {type: stiction, mu_kinetic: 0.08, mu_static: 0.1, stick_velocity: 0.1 mm/s}}}
analysis: {type: transient, end: 1.5 s, integrator: {type: rk4, step: 10 ms}}
)yaml";
  // after the release at t = 1 the speed is 0.2 s + s^2/2, s = t - 1; a delay d of the switch lowers it by 0.2 d + ..
  const auto speed = [&](const std::string& rest, double h) {
    Trial trial(text, {fmt::format("analysis.integrator={{type: rk4, step: {:.17g}}}", h), "analysis.rest=" + rest});
    auto& run = trial.start();
    if (!run.advance_to(1.5)) ADD_FAILURE() << run.message();
    return run.state().v()[0];
  };
  const double exact = 0.2 * 0.5 + 0.125;
  // the error hangs on where in its step the switch falls: a mean over steps of 1/(n + 1/16), 1/(n + 3/16) .., in which it falls
  // everywhere alike
  const auto mean_error = [&](int n) {
    double sum = 0;
    for (int k = 0; k < 8; ++k) sum += std::abs(speed("threshold", 1 / (n + (k + 0.5) / 8)) - exact);
    return sum / 8;
  };
  const double e1 = mean_error(125), e2 = mean_error(250), e4 = mean_error(500);
  EXPECT_GT(e1, 1e-5) << "there is a delay";
  // the square of the delay, and 1/16 beside 125 steps, leave 0.2 and 0.3 %
  EXPECT_NEAR(e1 / e2, 2, 0.01) << e1 << " " << e2;
  EXPECT_NEAR(e1 / e4, 4, 0.02) << e1 << " " << e4;
  EXPECT_NEAR(speed("events", 8e-3), exact, 1e-11);
  EXPECT_NEAR(speed("events", 2e-3), exact, 1e-11);
}

TEST(DryPlaces, a_load_that_goes_on_and_off_opens_and_closes_the_place) {
  // pressed for half of each second, pulled by a spring
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg, position: 0.1}}
forces: {tie: {type: spring, between: [ground, m], stiffness: 40 N/m}}
joints: {p: {type: sliding, between: [ground, m], load: "10*sin(2*pi*t)", friction: LAW}}
analysis: {type: transient, end: 3 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
  for (const auto& [law, parameters] : spanning_laws()) {
    std::string model = text;
    model.replace(model.find("LAW"), 3, parameters);
    for (const std::string& name : locating_integrators()) {
      Trial trial(model, {setting(name, 1e-3, 1e-6)});
      auto& run = trial.start();
      std::set<Mode> seen;
      while (run.state().t < 3) {
        ASSERT_TRUE(run.advance(3)) << name << ", " << law << ": " << run.message();
        seen.insert(run.modes()[0]);
      }
      EXPECT_TRUE(seen.contains(Mode::open)) << name << ", " << law;
      EXPECT_TRUE(seen.contains(Mode::slip)) << name << ", " << law;
      EXPECT_LT(std::abs(run.state().q()[0]), 0.11) << name << ", " << law;
    }
  }
}

TEST(DryPlaces, a_place_without_load_does_nothing) {
  for (const auto& [law, parameters] : spanning_laws()) {
    const std::string text =
        "bristle: 1\nbodies: {m: {type: mass, mass: 1 kg, velocity: 1 m/s}}\njoints: {p: {type: sliding, between: [ground, m], load: \"0*t\", friction: " +
        parameters + "}}\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 10 ms}}\n";
    for (const std::string& name : locating_integrators()) {
      // the memory of an open place goes on: explicit steps must still be short enough for it
      Trial trial(text, {setting(name, 2e-4, 1e-6)});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(1)) << name << ", " << law << ": " << run.message();
      EXPECT_NEAR(run.state().v()[0], 1, 1e-14) << name << ", " << law;
      EXPECT_EQ(run.modes()[0], Mode::open) << name << ", " << law;
      EXPECT_EQ(run.ledger().dissipated(), 0) << name << ", " << law;
    }
  }
}

}  // namespace
}  // namespace bristle
