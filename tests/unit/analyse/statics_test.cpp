// Equilibria against closed forms, from poor starts.
#include <gtest/gtest.h>

#include "support/models.h"
#include "unit/analyse/analysis_models.h"

namespace bristle {
namespace {

using namespace test;

Equilibrium equilibrium_of(const System& system) { return find_equilibrium(system, system.make_state()); }

/// n rods of length 1 between two supports, starting along two straight lines that meet below (or above) the middle.
std::string hanging_chain(int n, double span, bool above, const char* kind) {
  const bool planar = std::string(kind) == "planar";
  const double rise = std::sqrt(n * n - span * span) / 2 * (above ? 1 : -1);
  const auto at = [&](int k) {
    const double part = static_cast<double>(k) / n;
    return std::pair{span * part, rise * (1 - std::abs(1 - 2 * part))};
  };
  std::string bodies, joints;
  for (int k = 0; k < n; ++k) {
    const auto [x0, y0] = at(k);
    const auto [x1, y1] = at(k + 1);
    const double angle = std::atan2(y1 - y0, x1 - x0);
    bodies += fmt::format(
        "  r{}: {{type: {}, mass: 2, inertia: {}, position: [{:.17g}, {:.17g}{}], {}}}\n", k, kind,
        planar ? "0.1667" : "[0.01, 0.1667, 0.1667]", (x0 + x1) / 2, (y0 + y1) / 2, planar ? "" : ", 0",
        planar ? fmt::format("angle: {:.17g}", angle) : fmt::format("orientation: {{axis: z, angle: {:.17g}}}", angle));
    joints += fmt::format("  j{}: {{type: revolute, between: [{}, r{}], at: [{:.17g}, {:.17g}, 0]}}\n", k,
                          k == 0 ? "ground" : fmt::format("r{}", k - 1), k, x0, y0);
  }
  joints += fmt::format("  end: {{type: revolute, between: [r{}, ground], at: [{}, 0, 0]}}\n", n - 1, span);
  return "bristle: 1\ngravity: [0, -9.81, 0]\nbodies:\n" + bodies + "joints:\n" + joints + "analysis: {type: statics}\n";
}

/// Pull at the supports: rods of weight w hang at tan(angle) = (half of the weight between them) / H.
double chain_pull(int n, double span, double w) {
  double low = 1e-6, high = 1e6;
  for (int i = 0; i < 200; ++i) {
    const double H = std::sqrt(low * high);
    double reach = 0;
    for (int k = 0; k < n; ++k) reach += std::cos(std::atan(0.5 * (n - 1 - 2 * k) * w / H));
    (reach < span ? low : high) = H;
  }
  return std::sqrt(low * high);
}

TEST(Statics, a_hanging_chain_finds_its_shape_from_below_and_from_above) {
  for (const char* kind : {"planar", "rigid"}) {
    for (bool above : {false, true}) {
      const int n = 10;
      const double span = 6, w = 2 * 9.81, H = chain_pull(n, span, w);
      const System system = plain_system(hanging_chain(n, span, above, kind));
      const Equilibrium result = equilibrium_of(system);
      ASSERT_TRUE(result.found) << result.message;
      EXPECT_EQ(result.kind, Equilibrium::Kind::stable);
      Channels read(system);
      read.at(result.state);
      double x = 0, y = 0, stored = 0;
      for (int k = 0; k < n; ++k) {
        const double angle = -std::atan(0.5 * (n - 1 - 2 * k) * w / H);
        x += 0.5 * std::cos(angle), y += 0.5 * std::sin(angle);
        EXPECT_NEAR(read[fmt::format("r{}.position.x", k)], x, 1e-9) << kind << above;
        EXPECT_NEAR(read[fmt::format("r{}.position.y", k)], y, 1e-9) << kind << above;
        stored += w * y;
        x += 0.5 * std::cos(angle), y += 0.5 * std::sin(angle);
      }
      EXPECT_NEAR(result.stored, stored, 1e-8);
      EXPECT_NEAR(read["end.force.y"], -w * n / 2, 1e-7) << "the chain pulls the support down by half its weight";
      EXPECT_NEAR(std::abs(read["end.force.x"]), H, 1e-7);
    }
  }
}

TEST(Statics, a_long_chain_is_solved_by_sparse_factors) {
  const int n = 150;
  const System system = plain_system(hanging_chain(n, 90, false, "rigid"));
  StaticsOptions options;
  options.stability = false;
  const Equilibrium result = find_equilibrium(system, system.make_state(), options);
  ASSERT_TRUE(result.found) << result.message;
  Channels read(system);
  EXPECT_NEAR(std::abs(read.at(result.state)["end.force.x"]), chain_pull(n, 90, 2 * 9.81), 1e-6);
}

const std::string kDoublePendulum = R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  upper: {type: rigid, mass: 1.5, inertia: [0.02, 0.02, 0.03], position: ["0.4*sin(0.2)", "0.4*cos(0.2)", 0], orientation: {axis: z, angle: -0.2}}
  lower: {type: rigid, mass: 0.7, inertia: [0.01, 0.02, 0.02], position: ["0.8*sin(0.2) - 0.3*sin(0.1)", "0.8*cos(0.2) + 0.3*cos(0.1)", 0], orientation: {axis: z, angle: 0.1}}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0, 0]}
  elbow: {type: revolute, between: [upper, lower], at: ["0.8*sin(0.2)", "0.8*cos(0.2)", 0]}
analysis: {type: statics}
)yaml";

TEST(Statics, a_double_pendulum_falls_from_upright_to_hanging) {
  const System system = plain_system(kDoublePendulum);
  const Equilibrium result = equilibrium_of(system);
  ASSERT_TRUE(result.found) << result.message;
  EXPECT_EQ(result.kind, Equilibrium::Kind::stable);
  Channels read(system);
  read.at(result.state);
  EXPECT_NEAR(read["upper.position.y"], -0.4, 1e-10);
  EXPECT_NEAR(read["lower.position.y"], -1.1, 1e-10);
  EXPECT_NEAR(read["lower.position.x"], 0, 1e-9);
  EXPECT_NEAR(read["shoulder.force.y"], 2.2 * 9.81, 1e-8);
  EXPECT_NEAR(read["elbow.force.y"], 0.7 * 9.81, 1e-8);
}

TEST(Statics, a_start_that_is_an_unstable_equilibrium_is_told_as_one_or_left) {
  const System system = plain_system(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {arm: {type: planar, mass: 1, inertia: 0.1, position: [0, 0.5]}}
joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}}
analysis: {type: statics}
)yaml");
  StaticsOptions options;
  options.leave = false;
  const Equilibrium result = find_equilibrium(system, system.make_state(), options);
  ASSERT_TRUE(result.found) << result.message;
  EXPECT_EQ(result.kind, Equilibrium::Kind::unstable);
  ASSERT_EQ(result.squares.size(), 1u);
  EXPECT_NEAR(result.squares[0], -9.81 * 0.5 / (0.1 + 0.25), 1e-9);
  const Equilibrium other = equilibrium_of(system);
  EXPECT_EQ(other.kind, Equilibrium::Kind::stable) << "unless another one is asked for";
  EXPECT_NEAR(Channels(system).at(other.state)["arm.position.y"], -0.5, 1e-10);
}

TEST(Statics, a_bar_on_springs_sags) {
  // bar of length 2 on vertical springs at its ends, free to slide along none but its height and angle
  const System system = plain_system(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {bar: {type: planar, mass: 10, inertia: 3.3, position: [0, 0]}}
forces:
  left: {type: spring, on: {bar.y: 1, bar.angle: -1}, stiffness: 2000 N/m}
  right: {type: spring, on: {bar.y: 1, bar.angle: 1}, stiffness: 3000 N/m}
  side: {type: spring, on: bar.x, stiffness: 500 N/m}
  push: {type: load, on: bar.x, force: 20 N}
analysis: {type: statics}
)yaml");
  const Equilibrium result = equilibrium_of(system);
  ASSERT_TRUE(result.found) << result.message;
  EXPECT_EQ(result.kind, Equilibrium::Kind::stable);
  Channels read(system);
  read.at(result.state);
  const double left = -0.5 * 98.1 / 2000, right = -0.5 * 98.1 / 3000;
  EXPECT_NEAR(read["bar.position.y"], (left + right) / 2, 1e-12);
  EXPECT_NEAR(read["bar.angle"], (right - left) / 2, 1e-12);
  EXPECT_NEAR(read["bar.position.x"], 20.0 / 500, 1e-12);
}

TEST(Statics, masses_without_space_find_their_place_too) {
  const System system = plain_system(R"yaml(bristle: 1
bodies: {a: {type: mass, mass: 1}, b: {type: mass, mass: 2, position: 3 m}, end: {type: driven, position: "0.1 + 2*t"}}
forces:
  one: {type: spring, between: [ground, a], stiffness: 100, cubic: 1e4}
  two: {type: spring, between: [a, b], stiffness: 50}
  three: {type: spring, between: [b, end], stiffness: 200}
  load: {type: load, on: b, force: "7 + t"}
analysis: {type: statics}
)yaml");
  const Equilibrium result = equilibrium_of(system);
  ASSERT_TRUE(result.found) << result.message;
  const double a = result.state.q()[0], b = result.state.q()[1];
  EXPECT_NEAR(100 * a + 1e4 * a * a * a, 50 * (b - a), 1e-9);
  EXPECT_NEAR(50 * (b - a) + 200 * (b - 0.1), 7, 1e-9);
}

TEST(Statics, what_nobody_supports_is_named) {
  const System system = plain_system(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {held: {type: rigid, mass: 1, inertia: [1, 1, 1]}, falls: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]}}
joints: {weld: {type: fixed, between: [ground, held], at: [0, 0, 0]}}
analysis: {type: statics}
)yaml");
  const Equilibrium result = equilibrium_of(system);
  EXPECT_FALSE(result.found);
  EXPECT_NE(result.message.find("'falls' is off by -19.62"), std::string::npos) << result.message;
}

TEST(Statics, a_run_from_equilibrium_stays_there) {
  std::string text = kDoublePendulum;
  text.replace(text.find("{type: statics}"), 15,
               "{type: transient, end: 1 s, from: equilibrium, integrator: {type: rk4, step: 1 ms}}");
  const Model model = model_of(text);
  const TransientPlan plan = plan_transient(model);
  EXPECT_TRUE(plan.from_equilibrium);
  const System system = assemble(model);
  const auto run = make_run(model, system, plan);
  run->start(equilibrium_start(system, system.make_state()));
  ASSERT_TRUE(run->advance_to(1)) << run->message();
  EXPECT_LT(run->ledger().energy().kinetic, 1e-15);
}

}  // namespace
}  // namespace bristle
