// Places that let go in several directions: the slip starts from nothing, along the excess of the pull, and turns with it.
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

struct Pull {
  const char* name;
  std::vector<std::string> force;  ///< [N] over time
  std::vector<double> mass;        ///< [kg]
  std::string law;
  std::vector<double> way;  ///< [m] after 2 s
};

// M v' = f(t) - L v/|v| - 5 v. Along one direction v' = 5 t - 2 - 5 v from 0.4 s on: v = (t - 0.4) - (1 - exp(-5 (t - 0.4)))/5. The others by SciPy (Radau, rtol 1e-12),
// started 0.2, 0.1 and 0.05 ms after the place lets go from the series of the start: the same to 1e-9
const double kStraight = 0.5 * 1.6 * 1.6 - 1.6 / 5 + (1 - std::exp(-5 * 1.6)) / 25;
const char* const kConstant = "{type: coulomb, mu_kinetic: 0.2}";
const std::vector<Pull> kPulls = {
    {"straight", {"4*t", "3*t"}, {1, 1}, kConstant, {0.8 * kStraight, 0.6 * kStraight}},
    {"turning", {"4*t", "3*t + 2*t^2"}, {1, 1}, kConstant, {0.8990172912, 1.2965958701}},
    {"unequal", {"4*t", "3*t + 2*t^2"}, {1, 2}, kConstant, {0.8610765025, 1.0485171404}},
    {"stiction",
     {"4*t", "3*t + 2*t^2"},
     {1, 2},
     "{type: stiction, mu_kinetic: 0.2, mu_static: 0.3}",
     {0.8504651825, 1.0368466670}},
    {"three", {"4*t", "3*t + 2*t^2", "t^2"}, {1, 2, 1}, kConstant, {0.8667004546, 1.0540319356, 0.3026443563}},
};

/// 10 N on coordinates that slip together; with `pads` of them, as many places share that.
std::string slider(const Pull& pull, int pads = 1) {
  std::string bodies, forces, joints, on, grounds;
  for (std::size_t i = 0; i < pull.force.size(); ++i) {
    bodies += fmt::format("  x{}: {{type: mass, mass: {} kg}}\n", i, pull.mass[i]);
    forces += fmt::format("  f{}: {{type: load, on: x{}, force: \"{}\"}}\n", i, i, pull.force[i]);
    on += fmt::format("{}x{}", i > 0 ? ", " : "", i);
    grounds += i > 0 ? ", ground" : "ground";
  }
  const double whole = pads * (pads + 1) / 2;
  for (int k = 1; k <= pads; ++k) {
    joints += fmt::format(
        "  pad{}: {{type: sliding, between: [[{}], [{}]], load: {:.17g} N, viscosity: {:.17g} N s/m, friction: {}}}\n", k,
        grounds, on, 10 * k / whole, 5 * k / whole, pull.law);
  }
  return "bristle: 1\nbodies:\n" + bodies + "forces:\n" + forces + "joints:\n" + joints +
         "analysis: {type: transient, end: 2 s, integrator: radau5}\n";
}

/// The same with a body that turns in space on a plane.
std::string stone(const Pull& pull) {
  return fmt::format(R"yaml(bristle: 1
bodies: {{stone: {{type: rigid, mass: 1 kg, inertia: [0.01, 0.02, 0.03]}}}}
forces: {{f: {{type: force, on: stone, force: ["{}", "{}", 0]}}}}
joints:
  ice: {{type: planar, between: [ground, stone], at: [0, 0, 0], axis: z, x_axis: x, preload: 10 N, viscosity: 5 N s/m, friction: {}}}
analysis: {{type: transient, end: 2 s, integrator: radau5}}
)yaml",
                     pull.force[0], pull.force[1], pull.law);
}

struct Allowed {
  const char* method;
  double off;  ///< [m]
};
// energy schemes see within which step a place lets go: with less kinetic friction than static their way is off by a share of the step
const std::vector<Allowed> kMethods = {{"dormand_prince", 1e-6},
                                       {"dormand_prince, tolerance: 1e-9", 1e-9},
                                       {"radau5", 1e-7},
                                       {"radau5, tolerance: 1e-9", 1e-8},
                                       {"cvode, tolerance: 1e-9", 1e-8},
                                       {"rk4, step: 1 ms", 2e-6},
                                       {"energy_decaying, step: 1 ms", 1e-4}};

void follows(const std::string& model, const Pull& pull, const std::string& more = "") {
  for (const Allowed& allowed : kMethods) {
    const std::string method = allowed.method;
    if (integrator_registry().find(method.substr(0, method.find(','))) == nullptr) continue;
    // energy schemes let places on scalar coordinates go one after the other, each at its own limit
    if (!more.empty() && pull.name == std::string("stiction") && method.find("energy") == 0) continue;
    Trial trial(model, {fmt::format("analysis.integrator={{type: {}}}", method)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2)) << pull.name << more << method << ": " << run.message();
    double off = 0;
    const std::vector<FrameCoordinates>& frames = trial.system().layout().frames;
    const double* q = run.state().q() + (frames.empty() ? 0 : frames[0].q);
    for (std::size_t i = 0; i < pull.way.size(); ++i) off = std::max(off, std::abs(q[i] - pull.way[i]));
    EXPECT_LT(off, allowed.off) << pull.name << more << method;
  }
}

TEST(LettingGo, of_scalar_coordinates_is_followed_as_far_as_the_method_goes) {
  for (const Pull& pull : kPulls) follows(slider(pull), pull);
}

TEST(LettingGo, of_places_that_hold_together_is_that_of_one) {
  for (const Pull& pull : kPulls) follows(slider(pull, 3), pull, " together ");
}

TEST(LettingGo, of_a_body_in_space_is_that_of_coordinates) {
  for (const Pull& pull : kPulls) {
    if (pull.force.size() == 2 && pull.mass[1] == 1) follows(stone(pull), pull, " in space ");
  }
}

}  // namespace
}  // namespace bristle
