// Beams at rest against exact solutions and against numbers of independent programs.
#include <cmath>

#include "beam_models.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using namespace test;

const double kPi = std::acos(-1.0);
const std::string kRoll = "EA: 1e4, GA2: 5e3, GJ: 1, EI2: 1, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]";

/// The curvature is M / EI everywhere: the beam is an arc.
TEST(BeamStatics, an_end_moment_bends_a_cantilever_into_an_arc) {
  for (int elements : {3, 5, 10, 40}) {
    const System system = system_of(cantilever(elements, kRoll, "m: {type: torque, on: rod.tip, torque: [0, 0, \"pi\"]}"));
    const Equilibrium e = equilibrium_of(system);
    auto c = channels_of(system, e.state);
    EXPECT_NEAR(c["rod.tip.position.x"], 0, 1e-10) << elements;
    EXPECT_NEAR(c["rod.tip.position.y"], 2 / kPi, 1e-10) << elements;
    EXPECT_NEAR(e.stored, 0.5 * kPi * kPi, 1e-9);
    for (int k = 1; k <= elements; ++k) EXPECT_NEAR(c["rod.element." + std::to_string(k) + ".moment.3"], kPi, 1e-8);
    EXPECT_NEAR(c["root.moment.z"], -kPi, 1e-8);
  }
}

}  // namespace
}  // namespace bristle
