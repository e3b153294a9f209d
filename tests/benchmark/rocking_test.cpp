// The rocking block of Housner: period, energy lost at each impact, with rigid corners and with compliant ones.
#include <gtest/gtest.h>

#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

/// A slender block of half width b and half height h that rocks from corner to corner. Source: G. W. Housner, The behavior of inverted
/// pendulum structures during earthquakes, Bulletin of the Seismological Society of America 53 (1963).
struct Block {
  double b = 0.1, h = 1.0, mass = 3, g = 9.81;
  double R() const { return std::hypot(b, h); }
  double alpha() const { return std::atan2(b, h); }
  double inertia() const { return mass * (b * b + h * h) / 3; }  ///< about its centre
  double corner_inertia() const { return 4.0 / 3 * mass * R() * R(); }
  double p() const { return std::sqrt(3 * g / (4 * R())); }                  ///< I_corner = 4/3 m R^2
  double keeps() const { return 1 - 1.5 * std::pow(std::sin(alpha()), 2); }  ///< angular velocity after an impact over before

  /// Time from rest at the tilt to upright: theta'' = -p^2 sin(alpha - theta), by the substitution theta = tilt (1 - s^2).
  double fall(double tilt) const {
    const int n = 2000;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const double s = (i + 0.5) / n, theta = tilt * (1 - s * s);
      sum += 2 * tilt * s / std::sqrt(2 * (std::cos(alpha() - tilt) - std::cos(alpha() - theta))) / n;
    }
    return sum / p();
  }
  /// Speed at the impact, and the tilt it rises to from a speed.
  double speed(double tilt) const { return p() * std::sqrt(2 * (std::cos(alpha() - tilt) - std::cos(alpha()))); }
  double rise(double w) const { return alpha() - std::acos(std::cos(alpha()) + w * w / (2 * p() * p())); }

  /// Upright on its left corner at the tilt, which turns it clockwise.
  std::string text(double tilt, const std::string& contact, double mu, const std::string& integrator) const {
    const double x = -b + R() * std::sin(alpha() - tilt), y = R() * std::cos(alpha() - tilt);
    return fmt::format(R"(bristle: 1
gravity: [0, -{0}, 0]
bodies:
  block: {{type: planar, mass: {1}, inertia: {2:.17g}, position: [{3:.17g}, {4:.17g}], angle: {5:.17g}}}
joints:
  floor:
    type: contact
    between: [ground, block]
    surfaces: [{{type: line}}, {{type: polygon, corners: [[-{6}, -{7}], [{6}, -{7}], [{6}, {7}], [-{6}, {7}]]}}]
    overlap: keep
    contact: {8}
    friction: {{type: coulomb, mu_kinetic: {9}}}
analysis: {{type: transient, end: 20 s, integrator: {10}}}
)",
                       g, mass, inertia(), x, y, tilt, b, h, contact, mu, integrator);
  }
};

/// Impacts as a run shows them: their times, and the angular velocities before and after.
struct Impacts {
  std::vector<double> time, before, after, top;
};
/// `settle` is how long an impact lasts.
Impacts rock(Mechanism& m, int count, double settle) {
  Impacts seen;
  m.start();
  double angle = 1, speed = 0, top = 0;
  while (static_cast<int>(seen.time.size()) < count && m.run().state().t < 19) {
    if (!m.run().advance(20)) {
      ADD_FAILURE() << m.run().message();
      break;
    }
    const double now = m.read("block.angle");
    if (now * angle < 0) {
      seen.time.push_back(m.run().state().t);
      seen.before.push_back(std::abs(speed));
      if (!m.go(m.run().state().t + settle)) break;
      seen.after.push_back(std::abs(m.read("block.angular_velocity")));
      seen.top.push_back(top);
      top = 0;
    }
    top = std::max(top, std::abs(now));
    angle = m.read("block.angle"), speed = m.read("block.angular_velocity");
  }
  return seen;
}

/// Impacts that are seen late, or last, for up to `late` seconds: the block turns on by that much, then its corners are lifted out of the floor,
/// its centre by half of that, and this energy is in all that follows. Nothing else is allowed for, but half as much again.
void expect_housner(const Block& block, double tilt, const Impacts& seen, double late) {
  ASSERT_GE(seen.time.size(), 4u);
  double exact = block.fall(tilt), top = tilt, lifted = 0, slack = 1.5 * late;
  const auto with = [&](double joule) {  // the top that so much energy more leads to
    const double w = block.speed(top);
    return block.rise(std::sqrt(w * w + 2 * joule / block.corner_inertia()));
  };
  for (std::size_t k = 0; k < 4; ++k) {
    const double w = block.speed(top), higher = with(lifted);
    EXPECT_NEAR(seen.time[k], exact, slack) << "impact " << k;
    EXPECT_NEAR(seen.top[k], top, higher - top + 1e-3 * top) << "impact " << k;
    // speeds are read up to `late` beside the impact, while gravity changes them by p^2 sin(alpha) in a second
    const double drift = 2 * late * block.p() * block.p() * std::sin(block.alpha()) / w;
    EXPECT_NEAR(seen.before[k], w, block.speed(higher) - w + drift * w) << "impact " << k;
    EXPECT_NEAR(seen.after[k] / seen.before[k], block.keeps(), 2 * drift) << "impact " << k;
    lifted = block.keeps() * block.keeps() * lifted + 1.5 * block.mass * block.g * block.b * late * w;
    top = block.rise(block.keeps() * w);
    exact += 2 * block.fall(top);
    slack += 1.5 * late + 2 * (block.fall(with(lifted)) - block.fall(top));
  }
}

TEST(RockingBlock, closed_form_of_a_slender_block_is_housners) {
  const Block block;
  for (double share : {0.2, 0.5, 0.9}) {
    const double tilt = share * block.alpha(), housner = std::acosh(1 / (1 - share)) / block.p();  // a quarter of his period
    EXPECT_NEAR(block.fall(tilt), housner, block.alpha() * block.alpha() / 6 * housner) << share;  // sin(x) = x - x^3/6
  }
}

TEST(RockingBlock, with_rigid_corners_has_the_period_and_the_loss_of_housner) {
  const Block block;
  for (double share : {0.3, 0.6}) {
    const double tilt = share * block.alpha();
    for (double step : {4e-4, 1e-4}) {
      Mechanism m(block.text(tilt, "{type: rigid, restitution: 0}", 0.8, fmt::format("{{type: moreau_jean, step: {}}}", step)));
      const Impacts seen = rock(m, 4, 2 * step);
      // an impact is seen at most a step and a half late
      const double late = 1.5 * step,
                   left = block.mass * block.g * block.R() * (std::cos(block.alpha() - tilt) - std::cos(block.alpha()));
      expect_housner(block, tilt, seen, late);
      // the ledger: what is gone went into the impacts, and what the floor lifted in between
      const double lifted = 4 * 1.5 * block.mass * block.g * block.b * late * block.speed(tilt);
      EXPECT_NEAR(m.run().ledger().dissipated(), left * (1 - std::pow(block.keeps(), 8)), lifted);
      EXPECT_LT(m.residual(), 1e-6);
    }
  }
}

TEST(RockingBlock, with_stiff_and_damped_corners_comes_to_the_same) {
  const Block block;
  const double tilt = 0.4 * block.alpha();
  // no bounce: aperiodic on the mass that a corner feels, 1/(1/m + b^2/I)
  const double k = 3e8, felt = 1 / (1 / block.mass + block.b * block.b / block.inertia()), c = 2 * std::sqrt(k * felt);
  Mechanism m(block.text(tilt, fmt::format("{{type: kelvin_voigt, stiffness: {:.17g}, damping: {:.17g}}}", k, c), 0.8,
                         "{type: dormand_prince, tolerance: 1e-8}"));
  const double lasts = 20 * std::sqrt(felt / k);
  const Impacts seen = rock(m, 4, lasts);
  expect_housner(block, tilt, seen, lasts);
  EXPECT_LT(m.residual(), 1e-5);
}

}  // namespace
}  // namespace bristle
