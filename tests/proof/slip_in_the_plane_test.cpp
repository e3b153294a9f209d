// Dry friction with two slip components near rest, under explicit methods: it stops, starts and turns as closed forms say, in a number
// of steps that a user would expect.
#include <gtest/gtest.h>

#include <cmath>

#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kMu = 0.3, kG = 9.81, kLimit = kMu * kG;  // of 1 kg

/// A block of 1 kg on a plane that keeps it upright, pushed along x and y.
std::string block(const std::string& velocity, const std::string& fx, const std::string& fy, const std::string& integrator) {
  return fmt::format(R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  block: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], velocity: {}}}
joints:
  floor: {{type: planar, between: [ground, block], at: [0, 0, 0], friction: {{type: coulomb, mu_kinetic: {}}}}}
  upright: {{type: constraint, zero: floor.angle}}
forces:
  push: {{type: force, on: block, force: ["{}", "{}", 0]}}
analysis: {{type: transient, end: 100 s, integrator: {}}}
)",
                     velocity, kMu, fx, fy, integrator);
}

const char* const kMethods[] = {"{type: dormand_prince, tolerance: 1e-8}", "{type: rk4, step: 1 ms}"};

long long steps_of(Mechanism& m) { return m.run().counts().accepted; }

TEST(SlipInThePlane, stops_under_a_side_push_when_the_closed_form_says) {
  // |v| + r v_y falls evenly, by mu g (1 - r^2), r being the push over the limit: so it stops, turning ever faster into the push
  for (const char* method : kMethods) {
    for (double r : {0.3, 0.7, 0.95}) {
      Mechanism m(block("[1, 0, 0]", "0", fmt::format("{:.17g}", r * kLimit), method));
      m.start();
      const double stop = 1 / (kLimit * (1 - r * r));
      ASSERT_TRUE(m.go(0.9 * stop)) << method << r;
      EXPECT_NEAR(std::hypot(m.read("block.velocity.x"), m.read("block.velocity.y")) + r * m.read("block.velocity.y"), 0.1, 1e-5)
          << method << r;
      ASSERT_TRUE(m.go(1.001 * stop)) << method << r;
      EXPECT_LT(std::hypot(m.read("block.velocity.x"), m.read("block.velocity.y")), 1e-12) << method << r;
      const double x = m.read("block.position.x"), y = m.read("block.position.y");
      ASSERT_TRUE(m.go(2 * stop)) << method << r;
      EXPECT_NEAR(m.read("block.position.x"), x, 1e-12) << method << r;
      EXPECT_NEAR(m.read("block.position.y"), y, 1e-12) << method << r;
      EXPECT_LT(m.residual(), 1e-5) << method << r;
      if (method[7] == 'd') {
        EXPECT_LT(steps_of(m), 1500) << r;
      }
    }
  }
}

TEST(SlipInThePlane, starts_along_a_push_that_grows) {
  // at rest until the push is the limit; then v = (t - t0)^2/2 in its direction, whatever that is
  for (const char* method : kMethods) {
    for (double angle : {0.0, 0.3, 2.0}) {
      Mechanism m(
          block("[0, 0, 0]", fmt::format("{:.17g}*t", std::cos(angle)), fmt::format("{:.17g}*t", std::sin(angle)), method));
      ASSERT_TRUE(m.go(kLimit + 0.5)) << method << angle;
      EXPECT_NEAR(m.read("block.velocity.x"), 0.125 * std::cos(angle), 1e-6) << method << angle;
      EXPECT_NEAR(m.read("block.velocity.y"), 0.125 * std::sin(angle), 1e-6) << method << angle;
      EXPECT_LT(m.residual(), 1e-5) << method << angle;
      if (method[7] == 'd') {
        EXPECT_LT(steps_of(m), 1000) << angle;
      }
    }
  }
}

TEST(SlipInThePlane, follows_a_push_that_goes_round) {
  // a little above the limit and going round: in the end the block goes round as well, its friction balancing part of the push. With the
  // push P, angular velocity w and slip v: P^2 = L^2 + (m w v)^2
  const double w = 20, P = 1.05 * kLimit, v = std::sqrt(P * P - kLimit * kLimit) / w;
  for (const char* method : kMethods) {
    Mechanism m(block("[0, 0, 0]", fmt::format("{:.17g}*min(1, 5*t)*cos({}*t)", P, w),
                      fmt::format("{:.17g}*min(1, 5*t)*sin({}*t)", P, w), method));
    ASSERT_TRUE(m.go(4)) << method;
    EXPECT_NEAR(std::hypot(m.read("block.velocity.x"), m.read("block.velocity.y")), v, 1e-3 * v) << method;
    EXPECT_LT(m.residual(), 1e-5) << method;
    if (method[7] == 'd') {
      EXPECT_LT(steps_of(m), 4000);
    }
  }
}

TEST(SlipInThePlane, sticks_and_slips_again_and_again_under_a_turning_push) {
  // swells above the limit and falls below it twice a second while it turns. At rest the step grows tenfold each time: a step of that
  // kind after letting go once saw nothing but rest in all its stages, and the block stayed for a second
  const std::string swell = fmt::format("{:.17g}*(1+0.3*sin(12*t))", kLimit);
  Mechanism exact(block("[0, 0, 0]", swell + "*cos(3*t)", swell + "*sin(3*t)", kMethods[0]));
  Mechanism implicit(block("[0, 0, 0]", swell + "*cos(3*t)", swell + "*sin(3*t)", "{type: radau5, tolerance: 1e-9}"));
  ASSERT_TRUE(exact.go(5));
  ASSERT_TRUE(implicit.go(5));
  EXPECT_EQ(exact.run().counts().events, 10);  // 5 s are 9.5 swells: it lets go ten times
  for (const char* axis : {"x", "y"}) {
    const std::string channel = std::string("block.position.") + axis;
    EXPECT_NEAR(exact.read(channel), implicit.read(channel), 1e-5);
  }
  EXPECT_LT(exact.residual(), 1e-5);
  EXPECT_LT(steps_of(exact), 6000);
}

}  // namespace
}  // namespace bristle
