// Friction loaded by reactions that the rows do not decide: the least of them are used, and they find each other.
#include <gtest/gtest.h>

#include "support/models.h"

namespace bristle {
namespace {

const std::string kDoor = R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  door: {type: rigid, mass: 25 kg, shape: {type: box, size: [0.8, 0.04, 2.0]}, position: [0.4, 0, 1.0], angular_velocity: [0, 0, 0.5]}
joints:
  lower: {type: revolute, between: [ground, door], at: [0, 0, 0.2], axis: z, pin_radius: 6 mm, friction: {type: coulomb, mu_kinetic: 0.2}}
  upper: {type: revolute, between: [ground, door], at: [0, 0, 1.8], axis: z, pin_radius: 6 mm, friction: {type: coulomb, mu_kinetic: 0.2}}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince, tolerance: 1e-8}}
)";

/// The least reactions: every hinge takes half of weight and centripetal force, and of the overturning moment m g/2.5 its share by a
/// force at 0.8 m from the middle and by a moment of its own, k (0.8, 1) with 2 k (0.8^2 + 1) = m g/2.5.
TEST(RedundantFriction, of_a_door_on_two_hinges_is_that_of_the_least_reactions) {
  const double m = 25, weight = m * 9.81, turn = 0.4 * weight / (2 * (0.8 * 0.8 + 1)) * 0.8, center = m * 0.4 * 0.5 * 0.5;
  for (const char* method : {"projection", "pseudo_inverse", "augmented_lagrangian"}) {
    Trial trial(kDoor, {std::string("analysis.enforcement=") + method});
    auto& run = trial.start();
    const auto read = [&](const char* name) { return trial.outputs()[static_cast<std::size_t>(trial.channel(name))]; };
    // the soft method comes as near as its penalty
    const double near = method == std::string("augmented_lagrangian") ? 1e-3 : 1e-8;
    EXPECT_NEAR(read("lower.force.z"), 0.5 * weight, near) << method;
    EXPECT_NEAR(read("upper.force.z"), 0.5 * weight, near) << method;
    EXPECT_NEAR(read("lower.force.x"), turn - 0.5 * center, near) << method;
    EXPECT_NEAR(read("upper.force.x"), -turn - 0.5 * center, near) << method;
    for (const std::string hinge : {"lower", "upper"}) {
      const double radial = std::hypot(read((hinge + ".force.x").c_str()), read((hinge + ".force.y").c_str()));
      EXPECT_NEAR(read((hinge + ".normal_force").c_str()), 0.5 * weight + radial, near) << method;
      EXPECT_NEAR(std::abs(read((hinge + ".friction_force").c_str())), 0.2 * (0.5 * weight + radial), near) << method;
    }
    ASSERT_TRUE(run.advance_to(1)) << method << ": " << run.message();
    EXPECT_LT(run.counts().rejected, 20) << method;
    EXPECT_LT(std::abs(run.ledger().residual()), 1e-6) << method;
  }
}

}  // namespace
}  // namespace bristle
