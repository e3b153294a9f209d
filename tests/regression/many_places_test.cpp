// Many dry places that stick and slip, and long chains: work that grows with their number, not with its square.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "bristle/assemble/assemble.h"
#include "bristle/base/stopwatch.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

/// Masses on springs, each rubbing on the ground, that start at all speeds and come to rest one after the other.
std::string scattered(int n, const std::string& method) {
  std::string bodies, forces, joints;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: 1 kg, velocity: {:.6f}}}\n", i, 0.3 * std::sin(1.7 * i + 1));
    forces += fmt::format("  k{}: {{type: spring, between: [{}, m{}], stiffness: 1000 N/m}}\n", i,
                          i == 0 ? "ground" : fmt::format("m{}", i - 1), i);
    joints += fmt::format(
        "  g{}: {{type: sliding, between: [ground, m{}], load: 10 N, friction: {{type: coulomb, mu_kinetic: 0.3}}}}\n", i, i);
  }
  return fmt::format("bristle: 1\nbodies:\n{}forces:\n{}joints:\n{}analysis: {{type: transient, end: 1 s, integrator: {}}}\n",
                     bodies, forces, joints, method);
}

TEST(ManyPlaces, that_come_to_rest_take_as_many_evaluations_each_as_few_do) {
  for (const std::string method : {"dormand_prince", "radau5"}) {
    for (int n : {30, 120}) {
      Trial trial(scattered(n, method));
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(1)) << run.message();
      EXPECT_GE(run.counts().events, n) << method;
      // two or three steps per switch and some ten trials to find it, of 7 to 13 evaluations each
      EXPECT_LT(run.counts().evaluations, 150 * run.counts().events) << method << ", " << n << " places";
    }
  }
}

TEST(ManyPlaces, LongFiveHundredThatComeToRestTakeAsManyEvaluationsEachAsFewDo) {
  Trial trial(scattered(500, "dormand_prince"));
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(0.5)) << run.message();
  EXPECT_GE(run.counts().events, 400);
  EXPECT_LT(run.counts().evaluations, 150 * run.counts().events);
}

/// A thousand places of a chain that hardly moves: while they rest, steps are as long and evaluations as few as with ten.
TEST(ManyPlaces, LongAThousandAtRestCostNoStepsOfTheirOwn) {
  for (const int n : {10, 1000}) {
    std::string text = scattered(n, "dormand_prince");
    for (std::size_t at = text.find(", velocity: "); at != std::string::npos; at = text.find(", velocity: "))
      text.erase(at, text.find('}', at) - at);
    text.replace(text.find("forces:\n"), 8, "forces:\n  push: {type: load, on: m0, force: \"2*sin(5*t)\"}\n");
    Trial trial(text);
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.5)) << run.message();
    EXPECT_LT(run.counts().attempts(), 20) << n;
    EXPECT_LT(run.counts().evaluations, 200) << n;
    for (int i = 0; i < n; ++i) EXPECT_EQ(run.state().v()[i], 0) << i;
  }
}

TEST(ManyPlaces, on_scalar_coordinates_are_stored_by_what_they_move) {
  // each moves its own mass, and no other place
  for (int n : {50, 400}) {
    Trial trial(scattered(n, "dormand_prince"));
    EXPECT_EQ(trial.start().kernel().entries(), static_cast<std::size_t>(2 * n));
  }
}

/// Particles on a floor, each pulled across it by a force that grows with the time, the later ones more slowly.
std::string pulled(int n, const std::string& method) {
  std::string bodies, forces, joints;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  m{}: {{type: particle, mass: 1 kg, position: [{}, 0, 0]}}\n", i, i);
    forces += fmt::format("  f{}: {{type: force, on: m{}, force: [\"{:.17g}*0.6*t\", \"{:.17g}*0.8*t\", 0]}}\n", i, i,
                          10 - 5.0 * i / n, 10 - 5.0 * i / n);
    joints += fmt::format(
        "  g{}: {{type: point_in_plane, between: [ground, m{}], at: [{}, 0, 0], axis: z, friction: {{type: coulomb, mu_kinetic: 0.3}}}}\n",
        i, i, i);
  }
  return fmt::format(
      "bristle: 1\ngravity: [0, 0, -10]\nbodies:\n{}forces:\n{}joints:\n{}analysis: {{type: transient, end: 0.7 s, integrator: {}}}\n",
      bodies, forces, joints, method);
}

TEST(ManyPlaces, of_bodies_in_space_let_go_each_at_its_time) {
  // r t is more than 0.3 m g from t = 3/r on: from there on the way along the force is r (t - 3/r)^3/6
  constexpr double end = 0.7;
  for (const std::string method :
       {"dormand_prince", "radau5", "{type: rk4, step: 10 ms}", "{type: generalized_alpha, step: 10 ms}"}) {
    for (int n : {10, 40}) {
      Trial trial(pulled(n, method));
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(end)) << run.message();
      EXPECT_EQ(run.counts().events, n) << method;
      // a step or two per switch and a few trials to find it: nobody asks twice on account of the others
      EXPECT_LT(run.counts().evaluations, 60 * n) << method << ", " << n << " places";
      for (int i = 0; i < n; ++i) {
        const double r = 10 - 5.0 * i / n, way = r * std::pow(end - 3 / r, 3) / 6;
        const double* position = run.state().q() + 3 * i;
        // exact but for generalized_alpha, of order two, whose error is that of a cube over its steps
        const double enough = method.find("alpha") != std::string::npos ? 1e-4 : 1e-9;
        EXPECT_NEAR(position[0] - i, 0.6 * way, enough) << method << ", place " << i;
        EXPECT_NEAR(position[1], 0.8 * way, enough) << method << ", place " << i;
      }
    }
  }
}

TEST(ManyPlaces, of_bodies_in_space_are_stored_by_what_they_move) {
  const auto entries = [](int n) {
    Trial trial(pulled(n, "dormand_prince"));
    return trial.start().kernel().entries();
  };
  EXPECT_EQ(entries(400), 40 * entries(10));
}

TEST(ManyPlaces, of_a_stack_let_go_at_the_weakest_one) {
  // n masses on top of each other, the last one pulled by t. Every place carries t until the lowest one gives way at t = 1; then all move
  // as one, x = (t - 1)^3/(6 n), and place i carries 1 + i (t - 1)/n, less than its limit 1 + 0.01 i up to t = 1.6
  constexpr int n = 60;
  std::string bodies, joints;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: 1 kg}}\n", i);
    joints +=
        fmt::format("  g{}: {{type: sliding, between: [{}, m{}], load: {:.17g} N, friction: {{type: coulomb, mu_kinetic: 1}}}}\n",
                    i, i == 0 ? "ground" : fmt::format("m{}", i - 1), i, 1 + 0.01 * i);
  }
  for (const std::string method : {"dormand_prince", "radau5", "{type: generalized_alpha, step: 10 ms}"}) {
    Trial trial(
        fmt::format("bristle: 1\nbodies:\n{}forces:\n  pull: {{type: load, on: m{}, force: t}}\njoints:\n{}analysis: {{type: "
                    "transient, end: 1.5 s, integrator: {}}}\n",
                    bodies, n - 1, joints, method));
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(1.5)) << run.message();
    EXPECT_EQ(run.counts().events, 1) << method;
    // a load that grows linearly: exact but for generalized_alpha, of order two, whose error is that of a cube over its steps
    const double x = std::pow(0.5, 3) / (6 * n);
    for (int i : {0, n / 2, n - 1}) EXPECT_NEAR(run.state().q()[i], x, method[0] == '{' ? 1e-3 * x : 1e-9 * x) << method;
  }
}

TEST(LongChains, of_rigid_bodies_are_followed_in_the_steps_asked_for) {
  // A kilometre of links, held at one end, under gravity: what is far from there falls freely. Round-off of coordinates that large leaves
  // changes in reactions that no iteration takes out
  constexpr int n = 1000;
  std::string bodies, joints;
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  l{}: {{type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [{}, 0, 0]}}\n", i, i + 0.5);
    joints += fmt::format("  j{}: {{type: {}, between: [{}, l{}], at: [{}, 0, 0]{}}}\n", i, i % 2 ? "revolute" : "spherical",
                          i == 0 ? "ground" : fmt::format("l{}", i - 1), i, i, i % 2 ? ", axis: z" : "");
  }
  Trial trial(
      fmt::format("bristle: 1\ngravity: [0, -9.81, 1]\nbodies:\n{}joints:\n{}analysis: {{type: transient, end: 4 ms, "
                  "integrator: {{type: energy_decaying, step: 1 ms}}}}\n",
                  bodies, joints));
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(4e-3)) << run.message();
  EXPECT_EQ(run.counts().accepted, 4);
  EXPECT_EQ(run.counts().rejected, 0);
  const double* position = run.state().q() + run.system().layout().frame_q(800);
  EXPECT_NEAR(position[1], -9.81 * 16e-6 / 2, 1e-13);  // [m] round-off of a kilometre
  EXPECT_NEAR(position[2], 16e-6 / 2, 1e-13);
}

/// Links of a metre that turn about parallel axes: across them the chain is a beam, whose far end is a long lever. Whether rows depend on each
/// other is found without orthogonal factors, whose work grows with the cube: they took a hundred times as long from some length on.
TEST(LongChains, of_a_thousand_links_are_assembled_as_fast_as_those_of_half_as_many) {
  const auto model = [](int n) {
    std::string bodies, joints;
    for (int i = 0; i < n; ++i) {
      bodies += fmt::format("  l{}: {{type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [{}, 0, 0]}}\n", i, i + 0.5);
      joints += fmt::format("  j{}: {{type: revolute, between: [{}, l{}], at: [{}, 0, 0], axis: z}}\n", i,
                            i == 0 ? "ground" : fmt::format("l{}", i - 1), i, i);
    }
    return read_model_text("bristle: 1\nbodies:\n" + bodies + "joints:\n" + joints + "analysis: {type: transient, end: 1 s}\n",
                           "chain.yaml");
  };
  const auto seconds = [&](int n) {
    const Model chain = model(n);
    Stopwatch watch;
    const System system = assemble(chain);
    EXPECT_TRUE(system.layout().redundant.empty());
    return watch.processor();
  };
  const double half = seconds(600);
  EXPECT_LT(seconds(1200), 12 * half);
}

/// A force for which no implicit step has a solution: it pushes forwards up to the place where the mass is, and backwards beyond it.
std::string unsolvable(const std::string& method) {
  return fmt::format(R"yaml(bristle: 1
bodies:
  m: {{type: mass, mass: 1 kg}}
forces:
  p: {{type: load, on: m, force: "1 - 2*sign(m.position)"}}
analysis: {{type: transient, end: 1 s, integrator: {{type: {}, step: 1 ms}}}}
)yaml",
                     method);
}

TEST(ShortestSteps, are_a_billionth_of_those_asked_for) {
  for (const std::string method : {"generalized_alpha", "energy_decaying", "energy_preserving"}) {
    Trial trial(unsolvable(method));
    auto& run = trial.start();
    EXPECT_FALSE(run.advance(1)) << method;
    const std::string text = "Newton did not converge at a step of ";
    const std::size_t at = run.message().find(text);
    ASSERT_NE(at, std::string::npos) << run.message();
    EXPECT_GE(std::stod(run.message().substr(at + text.size())), 1e-12) << method;
    EXPECT_LT(run.counts().rejected, 32) << method << ": halved thirty times";
  }
}

/// A force that changes its sign 1e13 times a second: error control goes down to its period, and the end, 1e16 periods away, is given up.
TEST(ShortestSteps, end_a_run_that_will_not_see_its_end_with_every_method_that_controls_its_error) {
  for (const IntegratorEntry& entry : integrator_registry().all()) {
    const bool led = controls_error(entry.name) || entry.name == "generalized_alpha" || entry.name == "hht" ||
                     entry.name == "newmark" || entry.name.starts_with("energy_");
    if (!led) continue;
    Trial quick(R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg}}
forces: {buzz: {type: load, on: block, force: "1e13*sin(1e13*t)"}}
analysis: {type: transient, end: 1000 s, integrator: radau5}
)yaml",
                {"analysis.integrator={type: " + entry.name + ", tolerance: 1e-6}"});
    auto& run = quick.start();
    EXPECT_FALSE(run.advance_to(1000)) << entry.name;
    EXPECT_NE(run.message().find("the end is out of reach"), std::string::npos) << entry.name << ": " << run.message();
    EXPECT_NE(run.message().find("'block'"), std::string::npos) << entry.name << ": " << run.message();
    EXPECT_LT(run.counts().attempts(), 10000) << entry.name;
  }
}

TEST(ShortestSteps, end_every_implicit_method_that_finds_no_solution_or_it_steps_over) {
  for (const std::string method : {"hht", "newmark", "trapezoidal", "radau3", "moreau_jean"}) {
    Trial trial(unsolvable(method));
    auto& run = trial.start();
    const bool passed = run.advance_to(0.1);
    EXPECT_LT(run.counts().attempts(), 60000) << method;
    if (passed) {  // chatters about the place at which the force jumps, 1 N for a step or two to each side
      EXPECT_LT(std::abs(run.state().q()[0]), 1e-5) << method;
      EXPECT_LT(std::abs(run.state().v()[0]), 1e-2) << method;
    } else {
      EXPECT_NE(run.message().find("force balance of 'm'"), std::string::npos) << method << ": " << run.message();
      EXPECT_NE(run.message().find("Try "), std::string::npos) << method << ": " << run.message();
    }
  }
}

TEST(ShortestSteps, are_not_waited_for_when_the_run_is_stopped) {
  const std::atomic<bool> stop = true;
  Trial trial(unsolvable("energy_decaying"));
  auto& run = trial.start();
  run.heed(&stop);
  EXPECT_FALSE(run.advance(1));
  EXPECT_EQ(run.message(), "");
  // a few attempts belong to a step, which is not stopped in its middle for the sake of a resumed run's bits; some sixty do not
  EXPECT_LE(run.counts().rejected, 4);
  EXPECT_EQ(run.state().t, 0);
}

}  // namespace
}  // namespace bristle
