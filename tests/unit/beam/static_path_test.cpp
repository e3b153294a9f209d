// Loads that grow: the path at a share is the equilibrium at that share of the loads, whatever the loads do.
#include <cmath>

#include "beam_models.h"
#include "bristle/analyse/static_path.h"
#include "bristle/base/error.h"

namespace bristle {
namespace {

using namespace test;
using Control = StaticsOptions::Control;

StaticsOptions with(Control control, double step) {
  StaticsOptions options;
  options.control = control;
  options.step = step;
  return options;
}

/// A rod of steel, 10 mm thick and 1 m long, that 1 kN bend far.
std::string steel_rod(const std::string& section = "") {
  return "sections: {s: {type: circle, radius: 5 mm, young: 210 GPa, density: 7850 kg/m^3" + section +
         "}}\n"
         "bodies: {rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 10, section: s, up: y}}\n"
         "joints: {root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}}\n"
         "forces: {P: {type: force, on: rod.tip, force: [0, 1000, 0]}}\n";
}

TEST(StaticPath, lengths_are_measured_by_the_extent_of_the_mechanism) {
  const System system = system_of(steel_rod());
  double tip[3];
  int i = 0;
  for (const StaticsOptions& options : {with(Control::descent, 1), with(Control::load, 0.1), with(Control::arc_length, 0.1)}) {
    const Equilibrium e = equilibrium_of(system, options);
    EXPECT_LT(e.iterations, 200);
    tip[i++] = channels_of(system, e.state)["rod.tip.position.y"];
  }
  EXPECT_NEAR(tip[1], tip[0], 1e-8);
  EXPECT_NEAR(tip[2], tip[0], 1e-8);
  // a step of 0.1 along the arc is 0.1 m, or 0.1 rad: the tip turns by about 1.4 rad
  int points = 0;
  follow_loads(system, system.make_state(), with(Control::arc_length, 0.1), [&](double, const State&) { ++points; });
  EXPECT_GT(points, 10);
  EXPECT_LT(points, 40);
}

TEST(StaticPath, masses_have_no_part_in_it) {
  const auto text = [](const char* mass) {
    return cantilever(8, std::string("EA: 1e5, GA2: 1e5, GJ: 1, EI2: 1, mass_per_length: ") + mass,
                      "f: {type: force, on: rod.tip, force: [0, 10, 0]}");
  };
  const System light = system_of(text("1")), other = system_of(text("5, rotary_inertia: [2e-3, 1e-3, 1e-3]"));
  for (const StaticsOptions& options : {with(Control::descent, 1), with(Control::load, 0.1), with(Control::arc_length, 0.1)}) {
    const Equilibrium a = equilibrium_of(light, options), b = equilibrium_of(other, options);
    EXPECT_EQ(a.iterations, b.iterations);
    EXPECT_NEAR(channels_of(light, a.state)["rod.tip.position.y"], channels_of(other, b.state)["rod.tip.position.y"], 1e-12);
  }
}

/// Every kind of load, alone, in a model whose loads are `s` times as large.
struct Loaded {
  const char* name;
  const char* text;
  const char* start = "";
};

std::string loaded_rod(const Loaded& load, double s) {
  return fmt::format(
      "parameters: {{s: {:.17g}}}\ngravity: [0, 0, \"{}\"]\n"
      "sections: {{s: {{type: general, EA: 1e4, GA2: 1e4, GJ: 1, EI2: 1, mass_per_length: 1}}}}\n"
      "bodies: {{rod: {{type: beam, from: [0, 0, 0], to: [1, 0, 0], up: y, elements: 4, section: s}}}}\n"
      "joints: {{root: {{type: fixed, between: [ground, rod.start], at: [0, 0, 0]}}}}\n"
      "forces:\n  hold: {{type: spring, between: [{{body: ground, at: [1, 0.1, 0.2]}}, rod.tip], stiffness: 3, length: {}}}\n{}",
      s, std::string_view(load.name) == "weight" ? "-5*s" : "0", load.start[0] == 0 ? "\"sqrt(0.05)\"" : load.start, load.text);
}

TEST(StaticPath, the_path_at_a_share_is_the_equilibrium_at_that_share_of_the_loads) {
  for (const Loaded& load :
       {Loaded{"dead force", "  P: {type: force, on: rod.tip, force: [\"-s\", \"4*s\", \"s\"]}\n"},
        Loaded{"follower", "  P: {type: force, on: rod.tip, force: [0, \"6*s\", \"s\"], frame: body}\n"},
        Loaded{"torque", "  P: {type: torque, on: rod.tip, torque: [\"s/2\", 0, \"3*s\"]}\n"},
        Loaded{"torque that follows", "  P: {type: torque, on: rod.tip, torque: [\"s/2\", 0, \"3*s\"], frame: body}\n"},
        Loaded{"line load", "  P: {type: line_load, on: rod, force: [0, \"9*s\", \"2*s\"]}\n"},
        Loaded{"line load that follows", "  P: {type: line_load, on: rod, force: [0, \"20*s\", \"s\"], frame: body}\n"},
        Loaded{"pull", "  P: {type: load, between: [{body: ground, at: [0.5, 1, 0]}, rod.tip], force: \"-4*s\"}\n"},
        Loaded{"reads a channel", "  P: {type: force, on: rod.tip, force: [0, \"s*(4 + hold.extension)\", 0]}\n"},
        Loaded{"wind", "  P: {type: drag, on: rod.tip, area: 1, coefficient: \"2*s\", density: 2, wind: [0, 1, 1]}\n"},
        Loaded{"weight", ""},
        Loaded{"prestressed start", "  P: {type: force, on: rod.tip, force: [0, \"4*s\", 0], frame: body}\n", "1"}}) {
    const System full = system_of(loaded_rod(load, 1));
    for (Control control : {Control::load, Control::arc_length}) {
      int compared = 0;
      const Equilibrium path = follow_loads(full, full.make_state(), with(control, 0.4), [&](double share, const State& at) {
        const System part = system_of(loaded_rod(load, share));
        const Equilibrium e = equilibrium_of(part, with(Control::load, 0.2));
        auto c = channels_of(full, at), want = channels_of(part, e.state);
        for (const char* name : {"rod.tip.position.x", "rod.tip.position.y", "rod.tip.position.z", "rod.2.position.y"})
          EXPECT_NEAR(c[name], want[name], 1e-9) << load.name << " at " << share;
        ++compared;
      });
      EXPECT_TRUE(path.found) << load.name << ": " << path.message;
      EXPECT_EQ(path.load_factor, 1);
      EXPECT_GT(compared, 2) << load.name;
    }
  }
}

/// A force that stays square to the tip: seen from the tip the elastica is an initial value problem, phi'' = P cos(phi) / EI.
TEST(StaticPath, a_follower_force_bends_an_elastica) {
  const double P = 10;
  double phi = 0, slope = 0, x = 0, y = 0;
  const int steps = 4000;
  const double h = 1.0 / steps;
  for (int i = 0; i < steps; ++i) {  // Runge and Kutta's rule, from the tip to the root
    double k[4][4], u[4] = {phi, slope, x, y};
    for (int stage = 0; stage < 4; ++stage) {
      const double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
      double v[4];
      for (int j = 0; j < 4; ++j) v[j] = u[j] + (stage == 0 ? 0 : part * k[stage - 1][j]);
      k[stage][0] = v[1], k[stage][1] = P * std::cos(v[0]), k[stage][2] = std::cos(v[0]), k[stage][3] = std::sin(v[0]);
    }
    double* const out[4] = {&phi, &slope, &x, &y};
    for (int j = 0; j < 4; ++j) *out[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
  // (x, y) goes from the tip to the root against the tangent there, phi is how far the root is turned
  const double along = x * std::cos(phi) + y * std::sin(phi), across = x * std::sin(phi) - y * std::cos(phi);
  double off[2];
  for (int i = 0; i < 2; ++i) {
    const System system = system_of(cantilever(8 << i, "EA: 1e8, GA2: 1e8, GJ: 1, EI2: 1, mass_per_length: 1",
                                               "f: {type: force, on: rod.tip, force: [0, 10, 0], frame: body}"));
    for (const StaticsOptions& options : {with(Control::descent, 1), with(Control::load, 0.1), with(Control::arc_length, 0.1)}) {
      auto c = channels_of(system, equilibrium_of(system, options).state);
      off[i] = std::hypot(c["rod.tip.position.x"] - along, c["rod.tip.position.y"] - across);
    }
  }
  EXPECT_LT(off[1], 1e-5);
  EXPECT_NEAR(off[0] / off[1], 16, 1);  // the fourth power of the element length
}

TEST(StaticPath, results_have_the_share_of_the_loads) {
  const System system = system_of(cantilever(4, "EA: 1e4, GA2: 1e4, GJ: 1, EI2: 1, mass_per_length: 1",
                                             "f: {type: force, on: rod.tip, force: [0, \"2+t\", 0]}"));
  Workspace w = system.make_workspace();
  w.load_factor = 0.25;
  std::vector<double> out(system.layout().channels.size());
  system.readings().calc_outputs(system.look(system.make_state(), w), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (system.layout().channels[i].name == "f.force.y") {
      EXPECT_EQ(out[i], 0.5);
    }
  }
}

TEST(StaticPath, an_element_that_is_bent_too_far_is_named) {
  const System system = system_of(cantilever(4, "EA: 1e4, GA2: 5e3, GJ: 1, EI2: 1, mass_per_length: 1",
                                             "m: {type: torque, on: rod.tip, torque: [0, 0, \"8*pi\"]}"));
  for (Control control : {Control::load, Control::arc_length}) {
    const Equilibrium e = follow_loads(system, system.make_state(), with(control, 0.1));
    EXPECT_FALSE(e.found);
    EXPECT_NEAR(e.load_factor, 150.0 / 360, 1e-4);
    EXPECT_NE(e.message.find("turned by more than 150 degrees against each other. Use more elements"), std::string::npos)
        << e.message;
    EXPECT_EQ(e.message.find("arc_length"), std::string::npos) << e.message;
  }
  const Equilibrium downhill = find_equilibrium(system, system.make_state());
  EXPECT_FALSE(downhill.found);
  EXPECT_NE(downhill.message.find("150 degrees"), std::string::npos) << downhill.message;
}

TEST(StaticPath, too_few_points_name_a_way_out) {
  const System system = system_of(steel_rod());
  StaticsOptions options = with(Control::arc_length, 0.01);
  options.points = 5;
  const Equilibrium e = follow_loads(system, system.make_state(), options);
  EXPECT_FALSE(e.found);
  EXPECT_NE(e.message.find("5 points were not enough"), std::string::npos) << e.message;
  EXPECT_NE(e.message.find("Allow more points, or a larger step than 0.01"), std::string::npos) << e.message;
}

/// A cable under a load per length hangs as one that weighs as much.
TEST(StaticPath, a_line_load_on_a_cable_is_as_its_weight) {
  const auto text = [](const char* gravity, const char* forces) {
    return fmt::format(R"yaml(
gravity: [0, 0, {}]
bodies:
  chain: {{type: bar, from: [0, 0, 0], to: [1, 0, 0], elements: 40, EA: 1e5, mass_per_length: 1, length: 1.5, tension_only: true}}
joints:
  a: {{type: spherical, between: [ground, chain.start], at: [0, 0, 0]}}
  b: {{type: spherical, between: [ground, chain.tip], at: [1, 0, 0]}}
{})yaml",
                       gravity, forces);
  };
  const System heavy = system_of(text("-10", "")),
               loaded = system_of(text("0", "forces: {q: {type: line_load, on: chain, force: [0, 0, -10]}}\n"));
  auto want = channels_of(heavy, equilibrium_of(heavy).state), c = channels_of(loaded, equilibrium_of(loaded).state);
  for (int k = 1; k < 40; ++k)
    EXPECT_NEAR(c[fmt::format("chain.{}.position.z", k)], want[fmt::format("chain.{}.position.z", k)], 1e-9);
  // length 2 a sinh(1 / 2a) = 1.5: the pull at the lowest point is the load per length times a
  double a = 0.3;
  for (int i = 0; i < 50; ++i) a -= (2 * a * std::sinh(0.5 / a) - 1.5) / (2 * std::sinh(0.5 / a) - std::cosh(0.5 / a) / a);
  EXPECT_NEAR(c["chain.20.position.z"], -a * (std::cosh(0.5 / a) - 1), 2e-3);
  EXPECT_NEAR(c["chain.element.20.force"], 10 * a, 0.05);
  EXPECT_NEAR(c["a.force.z"] + c["b.force.z"], 15, 1e-6);

  try {
    system_of(text("0", "forces: {q: {type: line_load, on: chain, force: [0, 0, -10], frame: body}}\n"));
    ADD_FAILURE() << "not refused";
  } catch (const InputError& e) {
    EXPECT_NE(e.sentence().find("'chain' is a bar: its nodes are particles without axes"), std::string::npos) << e.sentence();
  }
}

/// A taut string under a load per length: a parabola of sag q L^2 / 8 T, T with what the sag stretches, while the sag is small.
TEST(StaticPath, a_taut_string_under_a_line_load_is_a_parabola) {
  const System system = system_of(R"yaml(
bodies:
  string: {type: bar, from: [0, 0, 0], to: [2, 0, 0], elements: 20, EA: 1e6, mass_per_length: 1, length: 1.998}
joints:
  a: {type: spherical, between: [ground, string.start], at: [0, 0, 0]}
  b: {type: spherical, between: [ground, string.tip], at: [2, 0, 0]}
forces: {q: {type: line_load, on: string, force: [0, 0, -1]}}
)yaml");
  auto c = channels_of(system, equilibrium_of(system, with(Control::load, 1)).state);
  // its length is 2 (1 + 8/3 (sag / 2)^2), which the pull stretches it to
  double T = 0;
  for (int i = 0; i < 20; ++i) {
    const double sag = T > 0 ? 0.5 / T * (1.998 / 2) : 0;
    T = 1e6 * (2 * (1 + 8.0 / 3 * sag * sag / 4) - 1.998) / 1.998;
  }
  for (int k = 1; k < 20; ++k) {
    const double x = 0.1 * k, want = -0.5 * x * (2 - x) / T * (1.998 / 2);  // per length at rest
    EXPECT_NEAR(c[fmt::format("string.{}.position.z", k)], want, 1e-5 * std::abs(want)) << k;
  }
}

}  // namespace
}  // namespace bristle
