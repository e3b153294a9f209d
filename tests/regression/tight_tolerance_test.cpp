// Tolerances so tight that the round-off of velocities is larger than the errors they ask for.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

/// Angle of a pendulum let go from the horizontal, by the classical rule of Runge and Kutta in steps of 10 us: 1e-14 rad.
double angle_after(double end, double rate) {  // rate [1/s^2]: g m l over the inertia about the pin
  const int steps = static_cast<int>(std::lround(end / 1e-5));
  const double h = end / steps;
  double q = 0, v = 0;
  const auto a = [&](double angle) { return -rate * std::cos(angle); };
  for (int i = 0; i < steps; ++i) {
    const double a1 = a(q), v2 = v + 0.5 * h * a1, a2 = a(q + 0.5 * h * v), v3 = v + 0.5 * h * a2, a3 = a(q + 0.5 * h * v2),
                 v4 = v + h * a3, a4 = a(q + h * v3);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return q;
}

TEST(TightTolerance, pendulums_reach_it_where_their_velocity_vanishes_with_methods_of_second_order) {
  const double end = 1.3;  // it stands still at 1.2 s: there the errors of velocities are held against next to nothing
  const double angle = angle_after(end, 9.81 / 1.01);
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\n"
      "bodies: {bob: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [1, 0, 0]}}\n"
      "joints: {pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}}\n"
      "analysis: {type: transient, end: 1.3 s, integrator: radau5}\n";
  for (const char* type : {"energy_preserving", "energy_decaying", "newmark", "hht"}) {
    double before = 1;
    for (double tolerance : {1e-8, 1e-10, 1e-12}) {
      Trial trial(text, {fmt::format("analysis.integrator={{type: {}, tolerance: {}}}", type, tolerance)});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(end)) << type << ", " << tolerance << ": " << run.message();
      // steps go with the power -1/3 of the tolerance and errors with 2/3 of it; hht, which damps round-off, takes half as many
      const double* bob = run.state().q() + run.system().layout().bodies.back().q;
      const double error = std::hypot(bob[0] - std::cos(angle), bob[2] - std::sin(angle));
      EXPECT_LT(static_cast<double>(run.counts().accepted), 15 / std::cbrt(tolerance)) << type << ", " << tolerance;
      EXPECT_LT(error, 3 * std::pow(tolerance, 2.0 / 3)) << type << ", " << tolerance;
      EXPECT_LT(error, 0.5 * before) << type << ", " << tolerance;
      before = error;
    }
  }
}

}  // namespace
}  // namespace bristle
