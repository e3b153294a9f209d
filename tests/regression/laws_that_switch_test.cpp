// Laws whose memory changes its course at switches: every method finds them.
#include <gtest/gtest.h>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

const char* kSeven = "{type: seven_parameter, mu_kinetic: 0.3, mu_static: 0.4}";

double lost(const std::string& model, double end, const std::string& method) {
  Trial trial(model, {fmt::format("analysis.integrator={{type: {}}}", method)});
  auto& run = trial.start();
  EXPECT_TRUE(run.advance_to(end)) << method << ": " << run.message();
  return run.ledger().dissipated();
}

/// Slower than its switch velocity throughout, and faster: what it loses does not depend on the steps.
TEST(SevenParameter, loses_the_same_with_every_method_where_the_slip_is_led) {
  for (const double speed : {1e-4, 1e-3, 1e-2}) {
    const std::string model = fmt::format(
        "bristle: 1\nbodies: {{hand: {{type: driven, position: \"{}*sin(t)\"}}, idle: {{type: mass, mass: 1 kg}}}}\n"
        "joints: {{pad: {{type: sliding, on: hand, load: 10 N, friction: {}}}}}\n"
        "analysis: {{type: transient, end: 10 s, integrator: rk4}}\n",
        speed, kSeven);
    const double expected = lost(model, 10, "rk4, step: 0.2 ms");
    for (const char* method : {"dormand_prince, tolerance: 1e-6", "dormand_prince, tolerance: 1e-8", "radau5, tolerance: 1e-6",
                               "rk4, step: 1 ms", "energy_decaying, step: 1 ms", "generalized_alpha, step: 1 ms"}) {
      EXPECT_NEAR(lost(model, 10, method), expected, 1e-3 * expected) << method << " " << speed;
    }
  }
}

/// A block that is pulled to and fro by a spring sticks, slips and turns back.
TEST(SevenParameter, loses_the_same_with_every_method_where_a_spring_pulls) {
  const std::string model = fmt::format(
      "bristle: 1\nbodies: {{hand: {{type: driven, position: \"0.01*sin(3*t)\"}}, b: {{type: mass, mass: 1 kg}}}}\n"
      "joints: {{pad: {{type: sliding, on: b, load: 10 N, friction: {}}}}}\n"
      "forces: {{s: {{type: spring, between: [hand, b], stiffness: 1000, damping: 5}}}}\n"
      "analysis: {{type: transient, end: 3 s, integrator: rk4}}\n",
      kSeven);
  const double expected = lost(model, 3, "dormand_prince, tolerance: 1e-9");
  EXPECT_NEAR(expected, 0.109133, 1e-5);  // rk4 at 0.1 ms and radau5 at 1e-8
  for (const char* method : {"dormand_prince, tolerance: 1e-6", "radau5, tolerance: 1e-6", "radau5, tolerance: 1e-8",
                             "rk4, step: 1 ms", "energy_decaying, step: 0.2 ms", "generalized_alpha, step: 0.2 ms"}) {
    EXPECT_NEAR(lost(model, 3, method), expected, 1e-3 * expected) << method;
  }
}

}  // namespace
}  // namespace bristle
