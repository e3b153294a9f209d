// Dry friction that comes to rest, is at rest and lets go, with every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bristle/record/memory_sink.h"
#include "support/probe.h"
#include "support/tools.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846;

struct Method {
  std::string text;
  double accuracy;  // of a velocity, relative. rk4: while a slip creeps, its friction is that of no speed
};
std::vector<Method> methods() {
  std::vector<Method> list = {{"{type: dormand_prince, tolerance: 1e-8}", 1e-5}, {"{type: rk4, step: 1 ms}", 1e-4},
                              {"{type: radau5, tolerance: 1e-8}", 1e-5},         {"{type: trapezoidal, step: 1 ms}", 1e-5},
                              {"{type: generalized_alpha, step: 1 ms}", 1e-5},   {"{type: energy_preserving, step: 1 ms}", 1e-5},
                              {"{type: energy_decaying, step: 1 ms}", 1e-5}};
  if (integrator_registry().find("cvode") != nullptr) list.push_back({"{type: cvode, tolerance: 1e-8}", 1e-4});
  return list;
}

/// A puck of 1 kg as two scalar coordinates, pulled along a direction of the plane.
std::string puck(const std::string& law, double pull, double angle, const std::string& method, const std::string& more = "") {
  return fmt::format(R"yaml(bristle: 1
bodies:
  x: {{type: mass, mass: 1 kg}}
  y: {{type: mass, mass: 1 kg}}
forces:
  fx: {{type: load, on: x, force: {:.17g}}}
  fy: {{type: load, on: y, force: {:.17g}}}
{}joints:
  table: {{type: sliding, between: [[ground, ground], [x, y]], load: 1 N, friction: {}}}
analysis: {{type: transient, end: 1 s, integrator: {}}}
)yaml",
                     pull * std::cos(angle), pull * std::sin(angle), more, law, method);
}

TEST(DryRest, in_two_slip_components_of_scalar_coordinates_a_pull_above_the_limit_moves) {
  // constant friction along the pull: v = (pull - mu_k) t. Viscous: v = (pull - mu)/c (1 - exp(-c t))
  struct Law {
    std::string text;
    double kinetic, viscous;
  };
  for (const Law& law :
       {Law{"{type: coulomb, mu_kinetic: 0.2}", 0.2, 0}, Law{"{type: stiction, mu_kinetic: 0.15, mu_static: 0.2}", 0.15, 0},
        Law{"{type: two_term_coulomb, mu_kinetic: 0.1, adhesion: 0.1 N}", 0.2, 0},
        Law{"{type: viscous, mu_kinetic: 0.2, viscosity: 0.1}", 0.2, 0.1}}) {
    for (const Method& method : methods()) {
      for (double pull : {0.19, 0.21, 12.0}) {
        for (int k = 0; k < 5; ++k) {
          const double angle = 0.1 + 2 * kPi * k / 5, t = 0.1, c = law.viscous;
          Mechanism m(puck(law.text, pull, angle, method.text));
          ASSERT_TRUE(m.go(t)) << law.text << method.text << pull;
          const double x = m.read("x.velocity"), y = m.read("y.velocity");
          const double v = pull < 0.2 ? 0 : (pull - law.kinetic) * (c > 0 ? (1 - std::exp(-c * t)) / c : t);
          EXPECT_NEAR(x * std::cos(angle) + y * std::sin(angle), v, method.accuracy * v + 1e-12)
              << law.text << method.text << pull;
          EXPECT_NEAR(y * std::cos(angle) - x * std::sin(angle), 0, method.accuracy * v + 1e-12)
              << law.text << method.text << pull;
        }
      }
    }
  }
}

TEST(DryRest, a_puck_between_springs_that_starts_from_rest_moves_alike_with_every_method) {
  // against a tiny integrator of its own: forces of springs and friction along the slip, midpoint rule with steps of 1 us
  const double k = 300, mu = 0.2, fx = 9, fy = -5;
  double q[2] = {0, 0}, v[2] = {0, 0};
  const double h = 2e-6;
  v[0] = fx * 1e-9, v[1] = fy * 1e-9;  // starts along the pull
  const auto rate = [&](const double* at, const double* speed, double* a) {
    const double size = std::hypot(speed[0], speed[1]);
    a[0] = fx - k * at[0] - mu * speed[0] / size, a[1] = fy - 2 * k * at[1] - mu * speed[1] / size;
  };
  for (int i = 0; i < 35000; ++i) {
    double a[2], mq[2], mv[2];
    rate(q, v, a);
    for (int d = 0; d < 2; ++d) mq[d] = q[d] + 0.5 * h * v[d], mv[d] = v[d] + 0.5 * h * a[d];
    rate(mq, mv, a);
    for (int d = 0; d < 2; ++d) q[d] += h * mv[d], v[d] += h * a[d];
  }
  const std::string springs =
      "  sx: {type: spring, between: [ground, x], stiffness: 300 N/m}\n  sy: {type: spring, between: [ground, y], stiffness: 600 N/m}\n";
  for (const Method& method : methods()) {
    Mechanism m(puck("{type: coulomb, mu_kinetic: 0.2}", std::hypot(fx, fy), std::atan2(fy, fx), method.text, springs));
    ASSERT_TRUE(m.go(0.07)) << method.text;
    const bool coarse = method.text.find("1 ms") != std::string::npos;
    EXPECT_NEAR(m.read("x.velocity"), v[0], coarse ? 1e-4 : 2e-6) << method.text;
    EXPECT_NEAR(m.read("y.velocity"), v[1], coarse ? 1e-4 : 2e-6) << method.text;
  }
}

TEST(DryRest, a_driven_body_rubs_through_all_its_reversals) {
  // 1 N along 4 times 10 mm; the other body has its own motion
  for (const Method& method : methods()) {
    Mechanism m(fmt::format(R"yaml(bristle: 1
bodies:
  base: {{type: driven, position: "0.01*sin(2*pi*t)"}}
  other: {{type: mass, mass: 1 kg, position: 10 mm}}
forces:
  spring: {{type: spring, between: [ground, other], stiffness: 40 N/m}}
joints:
  pad: {{type: sliding, between: [ground, base], load: 10 N, friction: {{type: coulomb, mu_kinetic: 0.1}}}}
analysis: {{type: transient, end: 1 s, integrator: {}}}
)yaml",
                            method.text));
    ASSERT_TRUE(m.go(1)) << method.text;
    EXPECT_NEAR(m.run().ledger().dissipated(), 0.04, 1e-5) << method.text;
  }
}

TEST(DryRest, a_driven_body_that_stands_slides_when_its_drive_moves) {
  for (const Method& method : methods()) {
    Mechanism m(fmt::format(R"yaml(bristle: 1
bodies:
  base: {{type: driven, position: "if(t < 0.3, 0, 0.01*(t - 0.3)^3)"}}
  other: {{type: mass, mass: 1 kg, position: 10 mm}}
forces:
  spring: {{type: spring, between: [ground, other], stiffness: 40 N/m}}
joints:
  pad: {{type: sliding, between: [ground, base], load: 10 N, friction: {{type: coulomb, mu_kinetic: 0.1}}}}
analysis: {{type: transient, end: 1 s, integrator: {}}}
)yaml",
                            method.text));
    ASSERT_TRUE(m.go(0.2)) << method.text;
    EXPECT_EQ(m.read("pad.mode"), static_cast<double>(Mode::stick)) << method.text;
    ASSERT_TRUE(m.go(1)) << method.text;
    EXPECT_EQ(m.read("pad.mode"), static_cast<double>(Mode::slip)) << method.text;
    EXPECT_NEAR(m.run().ledger().dissipated(), 0.01 * 0.343, 1e-6) << method.text;
  }
}

std::string block(const std::string& method, const std::string& force, double velocity = 0.1) {
  return fmt::format(R"yaml(bristle: 1
bodies:
  block: {{type: mass, mass: 1 kg, velocity: {}}}
forces:
  push: {{type: load, on: block, force: "{}"}}
joints:
  pad: {{type: sliding, between: [ground, block], load: 10 N, friction: {{type: stiction, mu_kinetic: 0.15, mu_static: 0.2}}}}
analysis: {{type: transient, end: 10000 s, integrator: {}}}
)yaml",
                     velocity, force, method);
}

TEST(DryRest, energy_schemes_stop_where_the_closed_form_says_and_stay_there) {
  // pushed with half of what holds it: stops after v^2/(2 (0.15*10 - 1)) = 10 mm. The step in which it stops is lost at most
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    for (double step : {1e-4, 1e-3, 0.017, 0.3}) {
      Mechanism m(block(fmt::format("{{type: {}, step: {} s}}", type, step), "1"));
      ASSERT_TRUE(m.go(1)) << type << step;
      const double there = m.read("block.position");
      EXPECT_NEAR(there, 0.01, 0.1 * step) << type << step;
      EXPECT_NEAR(m.read("block.velocity"), 0, 1e-14) << type << step;
      ASSERT_TRUE(m.go(step < 1e-2 ? 20 : 1000)) << type << step;
      EXPECT_NEAR(m.read("block.position"), there, 1e-9) << type << step;
      EXPECT_EQ(m.read("pad.mode"), static_cast<double>(Mode::stick)) << type << step;
      EXPECT_LT(m.residual(), 1e-10) << type << step;
      EXPECT_NEAR(m.run().ledger().numerical(), 0, 1e-12) << type << step;  // the stop is friction's
    }
  }
}

TEST(DryRest, energy_schemes_let_go_at_the_limit_and_slide_as_the_closed_form_says) {
  // the push grows by 1 N/s: 2 N at 2 s; from then on a = t - 1.5
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    Mechanism m(block(fmt::format("{{type: {}, step: 1 ms}}", type), "t", 0));
    ASSERT_TRUE(m.go(1.99));
    EXPECT_EQ(m.read("block.position"), 0);
    EXPECT_NEAR(m.read("pad.friction_force"), 1.99, 1e-3);
    ASSERT_TRUE(m.go(3));
    EXPECT_NEAR(m.read("block.velocity"), 0.5 + 0.5, 2e-3);
  }
}

/// A block on a shaker under a load that changes: it sticks, is let go at 3.4148 s, sticks at 3.8312 s, is let go at 3.9522 s.
std::string shaken(const std::string& method) {
  return R"yaml(bristle: 1
bodies:
  block: {type: mass, mass: 1 kg, velocity: 0.5}
  base: {type: driven, position: "0.1*sin(4*t)"}
forces:
  spring: {type: spring, on: block, stiffness: 40}
joints:
  pad: {type: sliding, between: [base, block], load: "10*(1+0.5*sin(3*t))", friction: {type: stiction, mu_kinetic: 0.2, mu_static: 0.35}}
analysis: {type: transient, end: 4 s, integrator: )yaml" +
         method + "}\n";
}

TEST(DryRest, energy_schemes_break_away_with_the_kinetic_force_at_any_step) {
  std::vector<double> exact;
  Mechanism reference(shaken("{type: radau5, tolerance: 1e-9}"));
  for (int k = 1; k <= 80; ++k) {
    ASSERT_TRUE(reference.go(0.05 * k));
    exact.push_back(reference.read("block.position"));
  }
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    for (double step : {1e-2, 3e-3, 1e-3, 3e-4, 1e-4}) {
      Mechanism m(shaken(fmt::format("{{type: {}, step: {} s}}", type, step)));
      double off = 0;
      int changes = 0;
      bool sticks = false;
      for (int k = 1; k <= 800; ++k) {
        ASSERT_TRUE(m.go(0.005 * k)) << type << step;
        const bool now = m.read("pad.mode") == static_cast<double>(Mode::stick);
        changes += now != sticks ? 1 : 0;
        sticks = now;
        if (k % 10 == 0) off = std::max(off, std::abs(m.read("block.position") - exact[static_cast<std::size_t>(k / 10 - 1)]));
      }
      // no switch is off by more than a step, and the slip is below 0.5 m/s: a fifth of that is seen
      EXPECT_LT(off, 0.1 * step) << type << step;
      EXPECT_EQ(changes, 4) << type << step;
      EXPECT_LT(m.residual(), 1e-9) << type << step;
    }
  }
}

TEST(DryRest, a_pendulum_on_a_sticky_pin_turns_without_sticking_and_comes_to_rest_in_the_energy_schemes) {
  // dormand_prince and radau5 at 1e-9: at rest from 5.3544 s on, 0.05762 rad from the vertical; it passes its other turns
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    // equal steps: in energy_preserving, others leave a velocity that violates the joint, and reactions that alternate for ever
    for (double step : {2e-3, 1e-3, 2.5e-4}) {
      Mechanism m(fmt::format(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  p: {{type: planar, mass: 2.0, inertia: 0.02, position: [0.27961172579016785, -0.10870732634300208]}}
joints:
  pin: {{type: revolute, between: [ground, p], at: [0, 0, 0], pin_radius: 0.05, friction: {{type: stiction, mu_kinetic: 0.3, mu_static: 0.45}}}}
analysis: {{type: transient, end: 12 s, integrator: {{type: {}, step: {} s}}}}
)yaml",
                              type, step));
      for (int k = 1; k <= 534; ++k) {
        ASSERT_TRUE(m.go(0.01 * k)) << type << step;
        ASSERT_EQ(m.read("pin.mode"), static_cast<double>(Mode::slip)) << type << step << " at " << 0.01 * k;
      }
      for (double t : {5.36, 12.0}) {
        ASSERT_TRUE(m.go(t)) << type << step;
        EXPECT_EQ(m.read("pin.mode"), static_cast<double>(Mode::stick)) << type << step;
        EXPECT_NEAR(std::atan2(m.read("p.position.x"), -m.read("p.position.y")), -0.057623, 0.02 * step) << type << step;
      }
    }
  }
}

TEST(DryRest, places_that_repeat_each_other_hold_with_all_their_static_limits_in_the_energy_schemes) {
  // pushed with 1 N/s: 2 N and 0.6 N hold until 2.6 s, 1.5 N and 0.3 N resist afterwards
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    for (double step : {1e-2, 1e-3, 1e-4}) {
      Mechanism m(fmt::format(R"yaml(bristle: 1
bodies:
  block: {{type: mass, mass: 1 kg}}
forces:
  push: {{type: load, on: block, force: "t"}}
joints:
  a: {{type: sliding, between: [ground, block], load: 10 N, friction: {{type: stiction, mu_kinetic: 0.15, mu_static: 0.2}}}}
  b: {{type: sliding, between: [ground, block], load: 3 N, friction: {{type: stiction, mu_kinetic: 0.1, mu_static: 0.2}}}}
analysis: {{type: transient, end: 4 s, integrator: {{type: {}, step: {} s}}}}
)yaml",
                              type, step));
      for (int k = 1; k < 26; ++k) {
        ASSERT_TRUE(m.go(0.1 * k)) << type << step;
        EXPECT_EQ(m.read("a.mode"), static_cast<double>(Mode::stick)) << type << step;
        EXPECT_EQ(m.read("b.mode"), static_cast<double>(Mode::stick)) << type << step;
      }
      EXPECT_NEAR(m.read("block.position"), 0, 1e-9) << type << step;
      EXPECT_NEAR(m.read("a.friction_force") + m.read("b.friction_force"), 2.5, step) << type << step;
      ASSERT_TRUE(m.go(4)) << type << step;
      EXPECT_NEAR(m.read("block.velocity"), 0.5 * (2.2 * 2.2 - 0.8 * 0.8), step) << type << step;  // 0.8 m/s^2 at the break
    }
  }
}

/// Masses on rough ground, sprung one to the next, with rough sleeves between some of them.
std::string masses(int n, const std::string& method, const std::string& law, bool sleeves, double velocity = 1) {
  std::string bodies, forces, joints;
  for (int i = 0; i < n; ++i) {
    bodies +=
        fmt::format("  m{}: {{type: mass, mass: {} kg, velocity: {}}}\n", i, 1 + 0.3 * (i % 4), velocity * std::sin(1.7 * i + 1));
    forces += fmt::format("  k{}: {{type: spring, between: [{}, m{}], stiffness: {} N/m}}\n", i,
                          i == 0 ? "ground" : fmt::format("m{}", i - 1), i, 200 + 40 * (i % 3));
    joints += fmt::format("  g{}: {{type: sliding, between: [ground, m{}], load: {} N, friction: {}}}\n", i, i, 4 + i % 3, law);
    if (sleeves && i > 0)
      joints +=
          fmt::format("  s{}: {{type: sliding, between: [m{}, m{}], load: {} N, friction: {}}}\n", i, i - 1, i, 2 + i % 2, law);
  }
  return "bristle: 1\nbodies:\n" + bodies + "forces:\n" + forces + "joints:\n" + joints +
         "analysis: {type: transient, end: 100 s, integrator: " + method + "}\n";
}

TEST(DryRest, energy_never_grows_in_the_energy_schemes_whatever_the_step) {
  const char* laws[] = {"{type: stribeck, mu_kinetic: 0.25, mu_static: 0.4, stribeck_velocity: 0.05}",
                        "{type: stiction, mu_kinetic: 0.25, mu_static: 0.4}"};
  Dice dice(5);
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    for (int trial = 0; trial < 12; ++trial) {
      const std::string law = laws[trial / 6];
      Mechanism m(masses(5, fmt::format("{{type: {}, step: {:.4g} s}}", type, std::pow(10, dice.between(-2.5, -1))), law,
                         trial % 2 == 1));
      bristle::Run& run = m.start();
      const double start = run.ledger().energy().total();
      double energy = start;
      for (int k = 0; k < 400; ++k) {
        ASSERT_TRUE(run.advance(run.state().t + std::pow(10, dice.between(-3.5, -1)))) << run.message();
        const double now = run.ledger().energy().total();
        ASSERT_LE(now, energy + 1e-10 * start) << type << " at " << run.state().t;
        energy = now;
      }
      EXPECT_LT(m.residual(), 1e-9) << type;
      ASSERT_TRUE(m.go(run.state().t + 5)) << type;  // long enough to stop
      for (int i = 0; i < 5; ++i) EXPECT_LT(std::abs(m.read(fmt::format("m{}.velocity", i))), 1e-12) << type << " m" << i;
    }
  }
}

TEST(DryRest, three_masses_stick_and_slip_as_often_in_the_energy_schemes_as_with_located_events) {
  const std::string path = std::string(BRISTLE_SOURCE_DIR) + "/examples/three_masses/model.yaml";
  const auto events = [&](const std::string& method) {
    const std::vector<std::string> overrides = {"analysis.integrator=" + method};
    Model model = read_model(path, overrides);
    const System system = assemble(model);
    const TransientPlan plan = plan_transient(model);
    const auto run = make_run(model, system, plan);
    State x = system.make_state();
    system.set_time(x, plan.start);
    run->start(std::move(x));
    int count = 0;
    while (run->state().t < 15.08) {
      if (!run->advance(15.08)) {
        ADD_FAILURE() << run->message();
        break;
      }
      count += static_cast<int>(run->events().size());
    }
    return count;
  };
  const int located = events("{type: dormand_prince, tolerance: 1e-8}");
  EXPECT_EQ(located, 28);
  EXPECT_EQ(events("{type: energy_preserving, step: 1 ms}"), located);
  EXPECT_EQ(events("{type: energy_decaying, step: 1 ms}"), located);
}

TEST(DryRest, samples_inside_a_step_that_ends_in_a_switch_know_nothing_of_it) {
  // v = 3 - 5 t until it stops. The interpolant had the rate after the stop at its end: cvode recorded 0.325 m/s for 0.585 m/s
  std::vector<std::string> list = {"dormand_prince", "radau5", "{type: rk4, step: 10 ms}", "{type: trapezoidal, step: 10 ms}",
                                   "{type: generalized_alpha, step: 10 ms}"};
  if (integrator_registry().find("cvode") != nullptr) list.push_back("cvode");
  for (const std::string& method : list) {
    const std::vector<std::string> overrides = {"analysis.integrator=" + method};
    const Model model = read_model_text(
        "bristle: 1\nbodies: {block: {type: mass, mass: 1 kg, velocity: 3 m/s}}\n"
        "joints: {pad: {type: sliding, on: block, load: 10 N, friction: {type: coulomb, mu_kinetic: 0.5}}}\n"
        "analysis: {type: transient, end: 1 s, integrator: rk4}\nrecord: {every: 1 ms}\n",
        "test.yaml", overrides);
    const System system = assemble(model);
    const TransientPlan plan = plan_transient(model);
    const auto run = make_run(model, system, plan);
    MemorySink results;
    EXPECT_EQ(run_transient(*run, plan, {}, results).end, RunStatus::End::finished) << method;
    const RunFile& file = results.run();
    const RunChannel* velocity = file.find("block.velocity");
    ASSERT_NE(velocity, nullptr);
    for (std::size_t i = 0; i < file.time.size(); ++i) {
      const double v = std::max(0.0, 3 - 5 * file.time[i]);
      ASSERT_NEAR(velocity->values[i], v, 1e-6) << method << " at " << file.time[i];
    }
  }
}

TEST(DryRest, cvode_keeps_its_order_while_a_place_sticks_to_a_body_whose_speed_varies) {
  BRISTLE_NEEDS(integrator_registry().find("cvode") != nullptr, "SUNDIALS");
  // its velocity is set to that of the shaker after every step, after which it began anew with order one: 1e-3 m after 17330 steps
  for (double tolerance : {1e-6, 1e-8}) {
    Trial trial(
        "bristle: 1\nbodies: {b: {type: mass, mass: 1 kg, velocity: 0.4}, base: {type: driven, position: \"0.1*sin(4*t)\"}}\n"
        "forces: {s: {type: spring, on: b, stiffness: 40}}\n"
        "joints: {p: {type: sliding, between: [base, b], load: 30, friction: {type: coulomb, mu_kinetic: 0.5}}}\n"
        "analysis: {type: transient, end: 4 s, integrator: cvode}\n",
        {fmt::format("analysis.integrator={{type: cvode, tolerance: {}}}", tolerance)});
    auto& run = trial.start();
    double off = 0;
    while (run.state().t < 4) {
      ASSERT_TRUE(run.advance(4)) << run.message();
      off = std::max(off, std::abs(run.state().q()[0] - 0.1 * std::sin(4 * run.state().t)));
    }
    EXPECT_LT(off, 3 * tolerance);
    EXPECT_LT(run.counts().accepted, tolerance < 1e-7 ? 2000 : 800);
    EXPECT_EQ(run.counts().events, 0);
  }
}

/// A body that rests in a plane under a load that swings: its force reaches the limit and falls again within a third of a swing, about what a
/// step takes while nothing moves. Dissipated by radau5, trapezoidal, energy_decaying and generalized_alpha alike.
TEST(DryRest, lets_go_where_the_limit_is_passed_inside_a_long_step) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  link: {type: rigid, mass: 0.4443, inertia: [0.03157, 0.02067, 0.02456], position: [0.026, -0.201, 0.157]}
joints:
  hub: {type: constant_velocity, between: [ground, link], at: [-0.267, 0, 0.093], axis: [1, 0, 0]}
  foot: {type: point_in_plane, between: [ground, link], at: [0.31, -0.102, 0.106], axis: [2, 0, 0], preload: 3.199,
         friction: {type: coulomb, mu_kinetic: 0.4327}}
forces:
  damper: {type: damper, between: [ground, link], at: [0.394, -0.201, 0.157], at_b: [0.004, -0.177, 0.082], damping: 0.3506}
  coil: {type: spring, on: hub.bend_y, stiffness: 1.154, damping: 0.03849}
  motor: {type: load, on: hub.bend_y, force: "0.6843*sin(53.53*t)"}
analysis: {type: transient, end: 0.199 s, integrator: {type: dormand_prince}}
)yaml";
  for (const char* method :
       {"dormand_prince, tolerance: 1e-4", "dormand_prince, tolerance: 1e-6", "dormand_prince, tolerance: 1e-8",
        "dormand_prince, tolerance: 1e-10", "cvode, tolerance: 1e-6", "radau5, tolerance: 1e-6"}) {
    Trial trial(text, {fmt::format("analysis.integrator={{type: {}}}", method)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.199)) << method << ": " << run.message();
    EXPECT_NEAR(run.ledger().dissipated(), 2.1819e-3, 0.01 * 2.1819e-3) << method;
  }
}

TEST(DryRest, energy_schemes_with_a_tolerance_let_go_when_the_limit_is_used_up) {
  // Dry friction and a load over time: SciPy (DOP853, rtol 1e-12) from switch to switch for the second; dormand_prince at 1e-9, whose switches are located, for the others
  struct Case {
    const char *law, *load;
    double end, way, lost;
  };
  for (const Case& a : {Case{"{type: stribeck, mu_kinetic: 0.25, mu_static: 0.4, stribeck_velocity: 0.05}", "4.05*sin(3*t)", 3,
                             3.443270e-4, 4.126060e-3},
                        Case{"{type: stiction, mu_kinetic: 0.25, mu_static: 0.4}", "t + 1.5*sin(7*t)", 4.2, 0.976356, 2.440890},
                        Case{"{type: stiction, mu_kinetic: 0.25, mu_static: 0.4}", "4.2*sin(3*t)", 3, 0.1648995, 1.5751305},
                        Case{"{type: coulomb, mu_kinetic: 0.4}", "4.2*sin(3*t)", 3, 4.808078e-3, 5.769693e-2}}) {
    for (const std::string scheme : {"energy_decaying", "energy_preserving"}) {
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        Trial trial(fmt::format(
            "bristle: 1\nbodies: {{b: {{type: mass, mass: 1}}}}\nforces: {{q: {{type: load, on: b, force: \"{}\"}}}}\n"
            "joints: {{p: {{type: sliding, on: b, load: 10, friction: {}}}}}\n"
            "analysis: {{type: transient, end: {}, integrator: {{type: {}, tolerance: {}}}}}\n",
            a.load, a.law, a.end, scheme, tolerance));
        auto& run = trial.start();
        ASSERT_TRUE(run.advance_to(a.end)) << scheme << tolerance << run.message();
        const double off = tolerance > 1e-5 ? 3e-3 : tolerance > 1e-7 ? 2e-4 : 3e-6;  // as far as the tolerance goes
        EXPECT_NEAR(run.state().q()[0], a.way, off * a.way) << scheme << tolerance << a.load;
        EXPECT_NEAR(run.ledger().dissipated(), a.lost, off * a.lost) << scheme << tolerance << a.load;
      }
    }
  }
}

/// A scalar coordinate rubs on one that a joint ties to a body in space: it sticks and slips.
std::string geared(const std::string& method, const std::string& more = "") {
  return fmt::format(R"yaml(bristle: 1
bodies:
  wheel: {{type: rigid, mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2]}}
  shaft: {{type: inertia, inertia: 0.01 kg m^2}}
  block: {{type: mass, mass: 2 kg}}
joints:
  axle: {{type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z}}
  gear: {{type: constraint, zero: "axle.angle - shaft.angle"}}
  pad: {{type: sliding, between: [{{shaft: 0.1}}, block], load: 10 N, friction: {{type: coulomb, mu_kinetic: 0.3}}}}
forces:
  back: {{type: spring, between: [ground, block], stiffness: 100 N/m}}
  push: {{type: load, on: axle.angle, force: "0.8*sin(3*t)"}}
analysis: {{type: transient, end: 4 s, integrator: {}{}}}
)yaml",
                     method, more);
}

TEST(DryRest, between_a_scalar_coordinate_and_a_body_in_space_is_left_and_met_by_energy_schemes_with_a_tolerance) {
  constexpr double kLost = 7.89303;  // radau5 at 1e-7 and 1e-9, whose switches are located
  for (const char* scheme : {"energy_decaying", "energy_preserving"}) {
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      Trial trial(geared(fmt::format("{{type: {}, tolerance: {}}}", scheme, tolerance)));
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(4)) << scheme << tolerance << run.message();
      // errors over a run go with the power 2/3 of the tolerance, those of the instants of rest and release with that of the step, 1/3
      EXPECT_NEAR(run.ledger().dissipated(), kLost, 0.3 * std::cbrt(tolerance) * kLost) << scheme << tolerance;
      EXPECT_LT(run.counts().rejected_for(Cause::rest), 300) << scheme << tolerance;  // some ten for each of three releases
    }
  }
}

TEST(DryRest, that_cannot_be_left_in_steps_so_long_is_named) {
  Trial trial(geared("{type: energy_preserving, tolerance: 1e-6}", ", min_step: 5 ms"));
  auto& run = trial.start();
  EXPECT_FALSE(run.advance_to(4));
  EXPECT_NE(run.message().find("'pad' rests by friction here"), std::string::npos) << run.message();
  EXPECT_EQ(run.message().find("gear"), std::string::npos) << run.message();
}

}  // namespace
}  // namespace bristle
