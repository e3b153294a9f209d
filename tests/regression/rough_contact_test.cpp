// Contact whose friction feeds its own pressure, contact that begins at the start, and slips in the plane that come to rest at given steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

/// A uniform rod of 2 m and 1 kg on its tip at 63 degrees, tip ahead. With mu > 4/3 friction turns the tip into the floor faster than the pressure
/// pushes it out (Painlevé's paradox of rigid bodies); the stiffness of the floor decides.
std::string rod(double mu, double speed, const std::string& contact, const std::string& method) {
  const double angle = std::atan(2.0);
  return fmt::format(R"yaml(bristle: 1
gravity: [0, -9.81]
bodies:
  rod: {{type: planar, mass: 1, inertia: "1/3", position: [0, {:.17g}], angle: {:.17g}, velocity: [{}, 0]}}
joints:
  tip:
    type: contact
    between: [ground, rod]
    overlap: keep
    surfaces: [{{type: line}}, {{type: circle, radius: 1 mm, at: [1, 0]}}]
    contact: {}
    friction: {{type: coulomb, mu_kinetic: {}}}
analysis: {{type: transient, end: 0.3 s, integrator: {{type: {}}}}}
)yaml",
                     std::sin(angle) + 1e-3, -angle, speed, contact, mu, method);
}

struct Course {
  double angle = 0, place = 0, energy = 0;
  int turns = 0;  ///< of the slip, while the tip touches
  long long attempts = 0;
};
Course follow(const std::string& text, const std::string& what) {
  Mechanism m(text);
  auto& run = m.start();
  Course c;
  double before = 0, energy = 1e300;
  while (run.state().t < 0.3) {
    if (!run.advance(0.3)) {
      ADD_FAILURE() << what << ": " << run.message();
      break;
    }
    const double slip = m.read("tip.slip");
    const bool touches = m.read("tip.normal_force") > 0 && std::abs(slip) > 1e-9;
    if (touches && slip * before < 0) ++c.turns;
    before = touches ? slip : 0;
    c.energy = m.system().calc_energy(run.state(), m.work()).total();
    if (what.find("energy_") != std::string::npos) {
      EXPECT_LE(c.energy, energy + 1e-9) << what << ", t = " << run.state().t;
    }
    energy = c.energy;
  }
  c.angle = m.read("rod.angle"), c.place = m.read("rod.position.x");
  c.attempts = run.counts().attempts();
  return c;
}

TEST(RoughContact, of_a_rod_in_painleves_range_is_followed_and_its_slip_does_not_flip) {
  for (const char* contact : {"{type: kelvin_voigt, stiffness: 1e6, damping: 100}", "{type: hertz, stiffness: 1e8}"}) {
    for (const auto& [mu, speed] : {std::array{1.6, 2.0}, std::array{1.6, 0.5}, std::array{2.5, 1.0}}) {
      const auto by = [&, mu = mu, speed = speed](const std::string& method) {
        return follow(rod(mu, speed, contact, method), fmt::format("{}, mu {}, {} m/s, {}", contact, mu, speed, method));
      };
      const Course right = by("radau5, tolerance: 1e-9"), other = by("dormand_prince, tolerance: 1e-9");
      EXPECT_NEAR(other.angle, right.angle, 1e-6) << contact << mu << speed;
      for (const char* method : {"energy_preserving, step: 0.05 ms", "energy_decaying, step: 0.05 ms",
                                 "energy_decaying, tolerance: 1e-6", "generalized_alpha, step: 0.05 ms", "rk4, step: 0.05 ms"}) {
        const Course c = by(method);
        const std::string what = fmt::format("{}, mu {}, {} m/s, {}", contact, mu, speed, method);
        EXPECT_NEAR(c.angle, right.angle, 5e-3) << what;
        EXPECT_NEAR(c.place, right.place, 5e-3) << what;
        EXPECT_LE(c.turns, right.turns + 4) << what;
        EXPECT_LT(c.attempts, 20000) << what;
      }
    }
  }
}

/// A pin that lies on its hole when the run begins, to the bit: under a hanging arm, or beside one that falls.
std::string worn(const std::string& law, const std::string& contact, bool hangs, const std::string& method) {
  const double clearance = 0.5e-3;
  return fmt::format(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  arm: {{type: planar, mass: 1 kg, inertia: 0.02 kg m^2, position: {}}}
joints:
  pin:
    type: revolute
    between: [{{body: ground, at: [0, 0]}}, {{body: arm, at: {}}}]
    pin_radius: 10 mm
    clearance: {}
    contact: {}
    friction: {}
analysis: {{type: transient, end: 0.2 s, integrator: {{type: {}}}}}
)yaml",
                     hangs ? fmt::format("[0, {:.17g}]", -0.3 - clearance) : fmt::format("[0.3, {:.17g}]", -clearance),
                     hangs ? "[0, 0.3]" : "[-0.3, 0]", clearance, contact, law, method);
}

TEST(RoughContact, of_a_worn_joint_that_starts_touching_is_no_stall) {
  for (const char* law : {"{type: lugre, mu_kinetic: 0.1, mu_static: 0.15}",
                          "{type: lugre, mu_kinetic: 0.3, mu_static: 0.4, sigma1: 100}", "{type: dahl, mu_kinetic: 0.1}"}) {
    for (const char* contact : {"{type: lankarani_nikravesh, stiffness: 1e9 N/m^1.5, restitution: 0.8}",
                                "{type: hertz, stiffness: 1e9}", "{type: kelvin_voigt, stiffness: 1e7, damping: 1e3}"}) {
      for (bool hangs : {true, false}) {
        const std::string what = fmt::format("{} on {}, {}", law, contact, hangs ? "hangs" : "falls");
        const auto end = [&](const std::string& method) {
          Mechanism m(worn(law, contact, hangs, method));
          auto& run = m.start();
          EXPECT_TRUE(run.advance_to(0.2)) << what << ", " << method << ": " << run.message();
          EXPECT_LT(run.counts().attempts(), method == "radau5" ? 8000 : 40000) << what << ", " << method;
          return std::array{m.read("arm.position.x"), m.read("arm.position.y"), m.read("arm.angle")};
        };
        const auto found = end("radau5"), right = end("dormand_prince, tolerance: 1e-9");
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], right[i], 1e-4) << what;
      }
    }
  }
}

/// A block thrown over a table and pulled back by somewhat less than its friction: its slip turns as it slows down, and ends along the pull.
TEST(RoughContact, of_a_block_whose_slip_turns_as_it_stops_comes_to_rest_at_given_steps) {
  for (double share : {0.5, 0.9, 0.97}) {
    const double limit = 0.4 * 9.2, pull = share * limit;
    const auto stop = [&](const std::string& method) {
      Mechanism m(fmt::format(R"yaml(bristle: 1
bodies: {{x: {{type: mass, mass: 1 kg, velocity: 0.8}}, y: {{type: mass, mass: 1 kg, velocity: 0.6}}}}
forces: {{fx: {{type: load, on: x, force: {:.17g}}}, fy: {{type: load, on: y, force: {:.17g}}}}}
joints: {{pad: {{type: sliding, between: [[ground, ground], [x, y]], load: 9.2 N, friction: {{type: coulomb, mu_kinetic: 0.4}}}}}}
analysis: {{type: transient, end: 4 s, integrator: {{type: {}}}}}
)yaml",
                              -0.89 * pull, -std::sqrt(1 - 0.89 * 0.89) * pull, method));
      EXPECT_TRUE(m.go(4)) << method;
      EXPECT_EQ(m.read("pad.mode"), static_cast<double>(Mode::stick)) << method << ", " << share;
      EXPECT_NEAR(m.read("x.velocity"), 0, 1e-12) << method << ", " << share;
      return std::array{m.read("x.position"), m.read("y.position")};
    };
    const auto right = stop("radau5, tolerance: 1e-10");
    for (const char* method : {"rk4, step: 1 ms", "rk4, step: 0.5 ms", "rk4, step: 0.3 ms", "trapezoidal, step: 1 ms",
                               "energy_decaying, step: 1 ms"}) {
      const auto found = stop(method);
      // five steps that no longer follow the direction, at 0.36 h limit, and the way from there: 0.06 h^2 limit / (1 - share)
      const double most = (1.8 + 0.07 / (1 - share)) * 1e-6 * limit;
      for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(found[d], right[d], most) << method << ", " << share;
    }
  }
}

}  // namespace
}  // namespace bristle
