// What forces at dry places do to their slips, in closed form: on scalar coordinates alone, and the same beside a body in space, where it is found anew at
// each configuration.
#include "bristle/enforce/mobilities.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kA = 2, kB = 5, kArm = 0.1;  // masses [kg]

/// A mass on the ground, felt at an arm, another one on it, a belt beside the second, and one place between two given motions.
std::string sliders(bool beside_a_body) {
  const std::string rubs = "load: 1 N, friction: {type: coulomb, mu_kinetic: 0.5}}\n";
  return fmt::format(
      "bristle: 1\nbodies:\n  a: {{type: mass, mass: {} kg}}\n  b: {{type: mass, mass: {} kg}}\n"
      "  belt: {{type: driven, velocity: 0.1 m/s}}\n{}joints:\n"
      "  floor: {{type: sliding, between: [ground, a], arm: {} m, force_arm: 0.3 m, {}  pair: {{type: sliding, between: [a, b], {}"
      "  side: {{type: sliding, between: [belt, b], {}  given: {{type: sliding, between: [ground, belt], {}"
      "analysis: {{type: transient, end: 1 s, integrator: {{type: rk4, step: 1 ms}}}}\n",
      kA, kB, beside_a_body ? "  stone: {type: rigid, mass: 1 kg, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0]}\n" : "", kArm,
      rubs, rubs, rubs, rubs);
}

TEST(Mobilities, are_those_of_a_row_of_sliders_alone_and_beside_a_body_in_space) {
  // slips: 0.1 v_a, v_b - v_a, v_b - belt, belt; forces are conjugate to them, so that force_arm does not count
  const double W[4][4] = {
      {kArm * kArm / kA, -kArm / kA, 0, 0}, {-kArm / kA, 1 / kA + 1 / kB, 1 / kB, 0}, {0, 1 / kB, 1 / kB, 0}, {0, 0, 0, 0}};
  for (const bool beside : {false, true}) {
    SCOPED_TRACE(beside);
    const Trial trial(sliders(beside));
    const System& system = trial.system();
    HeldSolver held;
    const auto mobilities = Mobilities::make(system, held, {});
    EXPECT_EQ(mobilities->changes, beside);
    ASSERT_EQ(mobilities->rows(), 4);
    const State x = system.make_state();
    Workspace w = system.make_workspace();
    std::vector<int> all(4);
    std::iota(all.begin(), all.end(), 0);
    mobilities->look(system, x, w);
    mobilities->renew(system, w, all);
    for (int r = 0; r < 4; ++r) {
      for (int s = 0; s < 4; ++s) EXPECT_NEAR(mobilities->mobility(r, s), W[r][s], 1e-15) << r << ", " << s;
      EXPECT_EQ(mobilities->mobility(r), mobilities->mobility(r, r));
      EXPECT_EQ(system.dry()[static_cast<std::size_t>(r)].constant, true);
      EXPECT_EQ(system.dry()[static_cast<std::size_t>(r)].driven, r == 3);
    }
    // what feels each other: all but the place between given motions
    EXPECT_EQ(mobilities->cluster[0], mobilities->cluster[2]);
    EXPECT_NE(mobilities->cluster[0], mobilities->cluster[3]);
    // a force at the second place pulls the masses apart
    std::vector<double> a(static_cast<std::size_t>(system.layout().sizes.v + system.layout().spare), 0);
    mobilities->push(1, 10, a.data());
    EXPECT_NEAR(a[0], 10 / kA, 1e-15);
    EXPECT_NEAR(a[1], -10 / kB, 1e-15);
  }
}

}  // namespace
}  // namespace bristle
