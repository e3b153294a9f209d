// Trusses and cables against closed forms.
#include <cmath>

#include "beam_models.h"
#include "bristle/analyse/modes.h"
#include "bristle/analyse/static_path.h"

namespace bristle {
namespace {

using namespace test;

/// A flat arch of two bars: P(w) = 2 EA (L0 / L - 1) (height - w) / L0 with L^2 = 1 + (height - w)^2, exactly; it snaps through.
TEST(BarModel, two_bars_snap_through) {
  const System system = system_of(R"yaml(
bodies:
  left: {type: bar, from: [-1, 0, 0], to: [0, 0.2, 0], EA: 1000, mass_per_length: 1}
  right: {type: bar, from: [1, 0, 0], to: [0, 0.2, 0], EA: 1000, mass_per_length: 1}
joints:
  a: {type: spherical, between: [ground, left.start], at: [-1, 0, 0]}
  b: {type: spherical, between: [ground, right.start], at: [1, 0, 0]}
  top: {type: spherical, between: [left.tip, right.tip], at: [0, 0.2, 0]}
  guide: {type: point_on_line, between: [ground, left.tip], at: [0, 0.2, 0], axis: y}
forces:
  P: {type: force, on: left.tip, force: [0, -10, 0]}
)yaml");
  StaticsOptions options;
  options.control = StaticsOptions::Control::arc_length;
  options.step = 0.05;
  options.stability = false;
  double highest = 0, lowest = 0;
  int points = 0;
  const Equilibrium e = follow_loads(system, system.make_state(), options, [&](double share, const State& x) {
    auto c = channels_of(system, x);
    const double height = c["left.tip.position.y"], L0 = std::hypot(1, 0.2), L = std::hypot(1, height);
    EXPECT_NEAR(10 * share, 2 * 1000 * (L0 - L) / L0 * height / L, 1e-9);
    highest = std::max(highest, height > 0 ? share : 0);
    lowest = std::min(lowest, share);
    ++points;
  });
  EXPECT_TRUE(e.found) << e.message;
  EXPECT_GT(points, 10);
  EXPECT_LT(lowest, -0.2);
  EXPECT_NEAR(highest, -lowest, 0.02);
}

/// A chain between two supports hangs as the polygon whose joints lie on a catenary, in the limit.
TEST(BarModel, a_hanging_chain_is_a_catenary) {
  const int n = 40;
  const System system = system_of(fmt::format(R"yaml(
gravity: [0, 0, -10]
bodies:
  chain: {{type: bar, from: [0, 0, 0], to: [1, 0, 0], elements: {}, EA: 1e5, mass_per_length: 1, length: 1.5, tension_only: true}}
joints:
  a: {{type: spherical, between: [ground, chain.start], at: [0, 0, 0]}}
  b: {{type: spherical, between: [ground, chain.tip], at: [1, 0, 0]}}
)yaml",
                                              n));
  auto c = channels_of(system, equilibrium_of(system).state);
  // length 2 a sinh(1 / 2a) = 1.5, sag a (cosh(1 / 2a) - 1)
  double a = 0.3;
  for (int i = 0; i < 50; ++i) {
    const double f = 2 * a * std::sinh(0.5 / a) - 1.5, slope = 2 * std::sinh(0.5 / a) - std::cosh(0.5 / a) / a;
    a -= f / slope;
  }
  EXPECT_NEAR(c["chain.20.position.z"], -a * (std::cosh(0.5 / a) - 1), 2e-3);
  EXPECT_NEAR(c["chain.element.20.force"], 10 * a, 0.05);  // horizontal pull: weight per length times a
  EXPECT_NEAR(c["a.force.z"] + c["b.force.z"], 15, 1e-6);
}

}  // namespace
}  // namespace bristle
