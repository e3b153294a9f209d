// Laws whose memory stops at a limit: reversals and yield inside a step, with every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "support/models.h"
#include "support/tools.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kGravity = 9.81;

/// A block of 1 kg thrown up a slope, on a spring in series with a slider: return mapping and leapfrog with very small steps.
double thrown_up(double slope, double mu, double stiffness, double speed, double end) {
  const double load = kGravity * std::cos(slope), pull = -kGravity * std::sin(slope), limit = mu / stiffness;
  const int steps = 2000000;
  const double h = end / steps;
  double x = 0, v = speed, stretch = 0;
  for (int i = 0; i < steps; ++i) {
    x += 0.5 * h * v;
    stretch = std::clamp(stretch + 0.5 * h * v, -limit, limit);
    v += h * (pull - load * stiffness * stretch);
    x += 0.5 * h * v;
    stretch = std::clamp(stretch + 0.5 * h * v, -limit, limit);
  }
  return x;
}

std::string slope_model(const std::string& law, double speed) {
  const double slope = 20 * std::numbers::pi / 180;
  return fmt::format(
      "bristle: 1\nbodies: {{block: {{type: mass, mass: 1 kg, velocity: {} m/s}}}}\n"
      "joints: {{pad: {{type: sliding, on: block, load: {:.17g} N, friction: {}}}}}\n"
      "forces: {{weight: {{type: load, on: block, force: {:.17g} N}}}}\n"
      "analysis: {{type: transient, end: 1 s, integrator: radau5}}\n",
      speed, kGravity * std::cos(slope), law, -kGravity * std::sin(slope));
}

TEST(Sliders, a_block_thrown_up_a_slope_stops_where_it_should_at_default_tolerances) {
  const double slope = 20 * std::numbers::pi / 180, stiffness = 1e5 / 9.81;
  for (const char* law : {"iwan", "parallel_series_iwan"}) {
    for (double speed : {0.7, 1.0, 1.9, 3.1}) {
      const double expected = thrown_up(slope, 0.4, stiffness, speed, 1);
      for (const char* method : {"dormand_prince", "radau5", "cvode", "{type: generalized_alpha, tolerance: 1e-6}"}) {
        if (std::string(method) == "cvode" && integrator_registry().find("cvode") == nullptr) continue;
        Trial trial(slope_model(fmt::format("{{type: {}, mu_kinetic: 0.4}}", law), speed),
                    {fmt::format("analysis.integrator={}", method)});
        auto& run = trial.start();
        ASSERT_TRUE(run.advance_to(1)) << run.message();
        // it rings on its springs, with the stretch of its weight, 4e-5 m. Several springs yield one after the other and are softer near their
        // limit: all methods agree on some 0.3 mm less, CVODE within another 0.3
        const double near = std::string(law) == "iwan" ? 2e-4 : 6e-4;
        EXPECT_NEAR(run.state().q()[0], expected, near) << law << ", " << method << ", " << speed << " m/s";
      }
    }
  }
}

/// The same block on one bond, its law written down once more and moved by very small steps: `slide(stretch, way, v)` moves the stretch, `force`
/// is per unit of load.
template <class Slide, class Force>
double thrown_on_a_bond(double slope, double speed, const Slide& slide, const Force& force) {
  const double load = kGravity * std::cos(slope), pull = -kGravity * std::sin(slope);
  const int steps = 4000000;
  const double h = 1.0 / steps;
  double x = 0, v = speed, stretch = 0;
  for (int i = 0; i < steps; ++i) {
    x += 0.5 * h * v;
    slide(stretch, 0.5 * h * v, v);
    v += h * (pull - load * force(stretch, v));
    x += 0.5 * h * v;
    slide(stretch, 0.5 * h * v, v);
  }
  return x;
}

TEST(Sliders, a_block_on_one_bond_with_a_static_limit_stops_on_a_slope_where_it_should) {
  const double slope = 20 * std::numbers::pi / 180, mu = 0.4, mu_static = 0.45, k = 1e5 / 9.81, soft = 5e4 / 9.81, c = 80 / 9.81;
  const double reset = mu / k;
  const auto most = [&](double v) { return (std::abs(v) > 1e-3 ? mu : mu_static) / soft; };
  for (double speed : {0.7, 1.0, 1.9}) {
    const double by_reset = thrown_on_a_bond(
        slope, speed, [&](double& s, double way, double) { s = std::clamp(s + way, -reset, reset); },
        [&](double s, double) { return std::abs(s) < reset ? mu_static * s / reset : std::copysign(mu, s); });
    const double by_liang = thrown_on_a_bond(
        slope, speed, [&](double& s, double way, double v) { s = std::clamp(s + way, -most(v), most(v)); },
        [&](double s, double v) { return soft * s + (std::abs(s) < most(v) || s * v < 0 ? c * v : 0.0); });
    for (const char* method :
         {"dormand_prince", "radau5", "cvode", "{type: dormand_prince, tolerance: 1e-7}", "{type: radau5, tolerance: 1e-7}",
          "{type: generalized_alpha, tolerance: 1e-6}", "{type: hht, tolerance: 1e-6}", "{type: newmark, tolerance: 1e-6}",
          "{type: energy_decaying, tolerance: 1e-6}"}) {
      if (std::string(method) == "cvode" && integrator_registry().find("cvode") == nullptr) continue;
      for (const char* law : {"reset_integrator", "liang"}) {
        Trial trial(slope_model(fmt::format("{{type: {}, mu_kinetic: 0.4, mu_static: 0.45}}", law), speed),
                    {fmt::format("analysis.integrator={}", method)});
        auto& run = trial.start();
        ASSERT_TRUE(run.advance_to(1)) << run.message();
        // the stretch at which they yield, 4e-5 and 8e-5 m: within it they ring
        EXPECT_NEAR(run.state().q()[0], law[0] == 'r' ? by_reset : by_liang, 4e-5) << law << ", " << method << ", " << speed;
      }
    }
  }
}

/// CVODE forgot its history whenever a law cut its memory, in the plane in every step: it went on by its first order.
TEST(Sliders, cvode_comes_the_closer_the_tighter_its_tolerance) {
  BRISTLE_NEEDS(integrator_registry().find("cvode") != nullptr, "SUNDIALS");
  const std::string plane =
      "bristle: 1\nbodies: {x: {type: mass, mass: 1 kg, velocity: 0.8 m/s}, y: {type: mass, mass: 1 kg, velocity: 0.6 m/s}}\n"
      "joints: {pad: {type: sliding, between: [[ground, ground], [x, y]], load: 9.2 N, friction: LAW}}\n"
      "forces: {wx: {type: load, on: x, force: -2.95 N}, wy: {type: load, on: y, force: -1.5 N}}\n"
      "analysis: {type: transient, end: 1 s, integrator: radau5}\n";
  const std::string spring =
      "bristle: 1\nbodies: {x: {type: mass, mass: 1 kg, position: 20 mm, velocity: 1 m/s}, y: {type: mass, mass: 1 kg}}\n"
      "forces: {k: {type: spring, on: x, stiffness: 1000}}\njoints: {pad: {type: sliding, on: x, load: 10 N, friction: LAW}}\n"
      "analysis: {type: transient, end: 1 s, integrator: radau5}\n";
  for (const char* law : {"iwan, mu_kinetic: 0.4", "parallel_series_iwan, mu_kinetic: 0.4",
                          "reset_integrator, mu_kinetic: 0.4, mu_static: 0.45", "liang, mu_kinetic: 0.4, mu_static: 0.45"}) {
    for (std::string text : {plane, spring}) {
      const std::string what = fmt::format("{}, {}", law, text == plane ? "in the plane" : "on a spring");
      text.replace(text.find("LAW"), 3, fmt::format("{{type: {}}}", law));
      const auto end = [&](const std::string& method, long long most) {
        Trial trial(text, {fmt::format("analysis.integrator={{type: {}}}", method)});
        auto& run = trial.start();
        EXPECT_TRUE(run.advance_to(1)) << what << ", " << method << ": " << run.message();
        EXPECT_LT(run.counts().attempts(), most) << what << ", " << method;
        return std::array<double, 3>{run.state().q()[0], run.state().q()[1], run.ledger().dissipated()};
      };
      const auto right = end("radau5, tolerance: 1e-10", 1000000);
      // errors of all steps add up, some thousand of them
      for (const auto& [tolerance, near] : {std::pair{1e-6, 5e-5}, std::pair{1e-8, 2e-6}, std::pair{1e-10, 1e-7}}) {
        const auto found = end(fmt::format("cvode, tolerance: {}", tolerance), tolerance > 1e-9 ? 15000 : 50000);
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], right[i], near) << what << ", " << tolerance << ", " << i;
      }
    }
  }
}

TEST(Sliders, energy_schemes_see_a_slip_that_turns_back_inside_a_step_at_every_tolerance) {
  const double slope = 20 * std::numbers::pi / 180;
  const auto stop = [&](const std::string& law, const std::string& method) {
    Trial trial(slope_model(law, 1), {"analysis.integrator=" + method});
    auto& run = trial.start();
    EXPECT_TRUE(run.advance_to(1)) << law << ", " << method << ": " << run.message();
    return run.state().q()[0];
  };
  // what is the same with both schemes, where nothing is elastic but the bristles, is tried with one of them
  const std::string iwan = "{type: iwan, mu_kinetic: 0.4}";
  const double expected = thrown_up(slope, 0.4, 1e5 / 9.81, 1, 1);
  for (const char* tolerance : {"1e-4", "1e-5", "1e-6", "1e-7"}) {
    for (const char* type : {"energy_decaying", "energy_preserving"})
      EXPECT_NEAR(stop(iwan, fmt::format("{{type: {}, tolerance: {}}}", type, tolerance)), expected, 2e-5)
          << type << ", " << tolerance;
  }
  for (const char* law : {"dahl, mu_kinetic: 0.4", "parallel_series_iwan, mu_kinetic: 0.4",
                          "lugre, mu_kinetic: 0.4, mu_static: 0.45", "generalised_maxwell_slip, mu_kinetic: 0.4, mu_static: 0.45",
                          "elasto_plastic, mu_kinetic: 0.4, mu_static: 0.45", "bliman_sorine, mu_kinetic: 0.4, mu_static: 0.45",
                          "leuven, mu_kinetic: 0.4, mu_static: 0.45", "gonthier, mu_kinetic: 0.4, mu_static: 0.45"}) {
    const std::string text = fmt::format("{{type: {}}}", law);
    const double right = stop(text, "{type: radau5, tolerance: 1e-8}");
    for (const char* tolerance : {"1e-4", "1e-6"})  // within the stretch of the bristles, 4e-5 m
      EXPECT_NEAR(stop(text, fmt::format("{{type: energy_decaying, tolerance: {}}}", tolerance)), right, 2e-5)
          << law << ", " << tolerance;
  }
}

TEST(Sliders, energy_schemes_see_a_slip_turn_back_in_the_plane_and_in_joints_in_space) {
  const std::string plane =
      "bristle: 1\nbodies: {x: {type: mass, mass: 1 kg, velocity: 0.8 m/s}, y: {type: mass, mass: 1 kg, velocity: 0.6 m/s}}\n"
      "joints: {pad: {type: sliding, between: [[ground, ground], [x, y]], load: 9.2 N, friction: LAW}}\n"
      "forces: {wx: {type: load, on: x, force: -2.95 N}, wy: {type: load, on: y, force: -1.5 N}}\n"
      "analysis: {type: transient, end: 1 s, integrator: radau5}\n";
  const std::string space =
      "bristle: 1\ngravity: [-3.35, 0, -9.2]\n"
      "bodies: {block: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], velocity: [1, 0, 0]}}\n"
      "joints: {guide: {type: prismatic, between: [ground, block], at: [0, 0, 0], axis: x, width: 50 mm, friction: LAW}}\n"
      "analysis: {type: transient, end: 1 s, integrator: radau5}\n";
  for (std::string text : {plane, space}) {
    for (const char* law : {"{type: iwan, mu_kinetic: 0.4}", "{type: lugre, mu_kinetic: 0.4, mu_static: 0.45}"}) {
      const auto stop = [&](const std::string& method) {
        std::string model = text;
        model.replace(model.find("LAW"), 3, law);
        Trial trial(model, {"analysis.integrator=" + method});
        auto& run = trial.start();
        EXPECT_TRUE(run.advance_to(1)) << law << ", " << method << ": " << run.message();
        const auto& bodies = run.system().layout().bodies;  // in space alone
        const double* q = run.state().q() + (bodies.empty() ? 0 : bodies.back().q);
        EXPECT_GT(q[0], 0.01);  // it has moved
        return std::array<double, 2>{q[0], q[1]};
      };
      const auto right = stop("{type: radau5, tolerance: 1e-7}");
      for (const char* tolerance : {"1e-4", "1e-5"}) {
        const auto found = stop(fmt::format("{{type: energy_decaying, tolerance: {}}}", tolerance));
        for (std::size_t d = 0; d < 2; ++d) EXPECT_NEAR(found[d], right[d], 3e-5) << text << law << ", " << tolerance;
      }
    }
  }
}

/// A surface led to and fro. Loss of a closed loop of amplitude X: 4 mu N (X - x_s), x_s = mu / stiffness per unit of load.
std::string led(const std::string& law, double amplitude) {
  return fmt::format(
      "bristle: 1\nbodies: {{hand: {{type: driven, position: \"{}*sin(2*pi*t)\"}}, idle: {{type: mass, mass: 1 kg}}}}\n"
      "joints: {{pad: {{type: sliding, between: [ground, hand], load: 10 N, friction: {}}}}}\n"
      // nothing that is solved for depends on the friction: error control alone would let steps grow
      "analysis: {{type: transient, end: 3 s, max_step: 1 ms, integrator: radau5}}\n",
      amplitude, law);
}
TEST(Sliders, loops_of_one_slider_follow_masing_close_and_lose_what_the_closed_form_says) {
  const double mu = 0.4, N = 10, k = 1e4, limit = mu / k;
  const auto virgin = [&](double x) { return std::clamp(k * N * x, -mu * N, mu * N); };
  for (double X : {0.9 * limit, 1.5 * limit, 3e-4}) {
    const double tip = virgin(X), loss = 4 * mu * N * std::max(0.0, X - limit);
    for (const char* method : {"{type: radau5, tolerance: 1e-10}", "{type: dormand_prince, tolerance: 1e-10}"}) {
      Trial trial(led("{type: iwan, mu_kinetic: 0.4, stiffness: 1e4 1/m}", X), {fmt::format("analysis.integrator={}", method)});
      auto& run = trial.start();
      const auto force = [&] { return mu * N * run.state().z()[0]; };
      ASSERT_TRUE(run.advance_to(0.25)) << run.message();
      EXPECT_NEAR(force(), tip, 1e-6 * mu * N) << method << ", X = " << X;
      const double before = run.ledger().dissipated();
      for (double t : {0.35, 0.45, 0.6, 0.75, 0.85, 1.0, 1.2, 1.25}) {
        ASSERT_TRUE(run.advance_to(t)) << run.message();
        const double x = X * std::sin(2 * std::numbers::pi * t);
        const double branch = t <= 0.75 ? tip - 2 * virgin(0.5 * (X - x)) : -tip + 2 * virgin(0.5 * (X + x));
        EXPECT_NEAR(force(), branch, 1e-6 * mu * N) << method << ", X = " << X << ", t = " << t;
      }
      EXPECT_NEAR(run.ledger().dissipated() - before, loss, 1e-6 * 4 * mu * N * X) << method << ", X = " << X;
    }
  }
}

TEST(Sliders, loops_lose_what_the_closed_form_says_with_every_method) {
  const double mu = 0.4, N = 10, k = 1e4;
  for (double X : {3e-4, 0.02}) {
    const double loss = 4 * mu * N * (X - mu / k);
    for (const IntegratorEntry& entry : integrator_registry().all()) {
      if (entry.name == "moreau_jean") continue;
      const std::string text = led("{type: iwan, mu_kinetic: 0.4, stiffness: 1e4 1/m}", X);
      // fixed steps follow the corner of the loop to (step times slip over the stretch at the corner)^2
      Trial trial(text, {setting(entry.name, X < 1e-3 ? 5e-5 : 5e-6 * 4, 1e-8)});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(1.25)) << entry.name << ": " << run.message();
      const double before = run.ledger().dissipated();
      ASSERT_TRUE(run.advance_to(2.25)) << entry.name << ": " << run.message();
      EXPECT_NEAR((run.ledger().dissipated() - before) / loss, 1, 1e-6) << entry.name << ", X = " << X;
      EXPECT_NEAR(run.state().z()[0], 1, 1e-9) << entry.name;  // at the end of the way out it slides
    }
  }
}

TEST(Sliders, radau5_loses_at_default_tolerances_what_the_closed_form_says) {
  // It was accepted after one iteration as fast as the last step had been, on the other branch of the rates: liang lost ten times as much.
  const double mu = 0.2, N = 10, turn = std::numbers::pi / 12;  // [s] from the middle to the first reversal
  for (const char* law : {"reset_integrator, mu_static: 0.3", "iwan", "liang, mu_static: 0.3", "parallel_series_iwan"}) {
    const std::string type = std::string(law).substr(0, std::string(law).find(','));
    for (double X : {3e-5, 1e-3, 0.1, 1.0}) {
      const std::string text = fmt::format(
          "bristle: 1\nbodies: {{hand: {{type: driven, position: \"{}*sin(6*t)\"}}, idle: {{type: mass, mass: 1 kg}}}}\n"
          "joints: {{pad: {{type: sliding, on: hand, load: 10 N, friction: {{type: {}, mu_kinetic: 0.2}}}}}}\n"
          "analysis: {{type: transient, end: 3 s, integrator: radau5}}\n",
          X, law);
      const auto loss = [&](const char* method) {
        Trial trial(text, {fmt::format("analysis.integrator={}", method)});
        auto& run = trial.start();
        EXPECT_TRUE(run.advance_to(11 * turn)) << law << ", " << X << " m, " << method << ": " << run.message();
        EXPECT_LT(run.counts().accepted, std::string(method) == "radau5" ? 2000 : 100000) << law << ", " << X << " m";
        return run.ledger().dissipated();
      };
      const double lost = loss("radau5"), near = 1e-4;
      if (type == "iwan" || type == "reset_integrator") {  // one way of X and five of 2 X, each less the stretch
        EXPECT_NEAR(lost / (11 * mu * N * (X - mu / (1e5 / 9.81))), 1, near) << law << ", " << X << " m";
      } else {
        EXPECT_NEAR(lost / loss("{type: dormand_prince, tolerance: 1e-8}"), 1, near) << law << ", " << X << " m";
      }
    }
  }
}

TEST(Sliders, a_reversal_in_the_plane_follows_the_radial_return) {
  // an independent radial return with very small steps, along a path that turns and goes back on itself
  const double k = 1e4 / 0.4, X = 2e-4, Y = 1.2e-4;
  const auto place = [&](double t) {
    return std::array<double, 2>{X * std::sin(6 * t), Y * std::sin(6 * t + 1) * std::cos(2 * t)};
  };
  std::array<double, 2> z{0, 0}, at = place(0);
  const int steps = 2000000;
  for (int i = 1; i <= steps; ++i) {
    const auto next = place(1.3 * i / steps);
    for (std::size_t d = 0; d < 2; ++d) z[d] += k * (next[d] - at[d]);
    const double length = std::hypot(z[0], z[1]);
    if (length > 1) z[0] /= length, z[1] /= length;
    at = next;
  }
  const std::string text = fmt::format(
      "bristle: 1\nbodies: {{x: {{type: driven, position: \"{}*sin(6*t)\"}}, y: {{type: driven, position: \"{}*sin(6*t+1)*cos(2*t)\"}},\n  idle: {{type: mass, mass: 1 kg}}}}\n"
      "joints: {{pad: {{type: sliding, between: [[ground, ground], [x, y]], load: 10 N, friction: {{type: iwan, mu_kinetic: 0.4, "
      "stiffness: 1e4 1/m}}}}}}\nanalysis: {{type: transient, end: 3 s, integrator: radau5}}\n",
      X, Y);
  for (const char* method : {"dormand_prince", "radau5", "{type: rk4, step: 0.2 ms}", "{type: radau3, step: 0.2 ms}",
                             "{type: trapezoidal, step: 0.1 ms}", "{type: energy_decaying, step: 0.1 ms}"}) {
    Trial trial(text, {fmt::format("analysis.integrator={}", method)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(1.3)) << method << ": " << run.message();
    for (int d = 0; d < 2; ++d) EXPECT_NEAR(run.state().z()[d], z[static_cast<std::size_t>(d)], 1e-3) << method;
  }
}

TEST(Sliders, bonds_that_break_at_random_keep_their_mean_force_whatever_the_step) {
  for (const char* method : {"dormand_prince", "radau5", "{type: rk4, step: 10 ms}", "{type: radau3, step: 10 ms}",
                             "{type: energy_decaying, tolerance: 1e-4}", "{type: energy_preserving, tolerance: 1e-4}"}) {
    const std::string text =
        "bristle: 1\nbodies: {belt: {type: driven, velocity: 0.1 m/s}, idle: {type: mass, mass: 1 kg}}\n"
        "joints: {pad: {type: sliding, between: [ground, belt], load: 10 N, friction: {type: haessig_friedland, mu_kinetic: 0.3, "
        "sigma0: 1e3 1/m}}}\nanalysis: {type: transient, end: 1 s, integrator: radau5}\n";
    Trial trial(text, {fmt::format("analysis.integrator={}", method)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(1)) << method << ": " << run.message();
    EXPECT_NEAR(run.ledger().dissipated() / (0.3 * 10 * 0.1), 1, 0.05)
        << method;  // 200 breaks of 20 bonds each, and a first peak
  }
}

TEST(Sliders, a_slipping_element_is_not_driven_backwards_for_a_step) {
  // Maxwell slip led back from fast sliding: just after the reversal its force follows the stiffness of the elements, at every step
  const std::string text =
      "bristle: 1\nbodies: {hand: {type: driven, position: \"0.01*sin(2*pi*t)\"}, idle: {type: mass, mass: 1 kg}}\n"
      "joints: {pad: {type: sliding, between: [ground, hand], load: 10 N, friction: {type: generalised_maxwell_slip, mu_kinetic: 0.3, "
      "mu_static: 0.3, sigma0: 1e4 1/m, attraction: 0.1 m/s}}}\n"
      "analysis: {type: transient, end: 1 s, integrator: radau5}\n";
  for (const char* method : {"{type: rk4, step: 0.9 ms}", "{type: radau3, step: 0.9 ms}", "{type: trapezoidal, step: 0.9 ms}"}) {
    Trial trial(text, {fmt::format("analysis.integrator={}", method)});
    auto& run = trial.start();
    while (run.state().t < 0.2503) ASSERT_TRUE(run.advance(1)) << method << ": " << run.message();
    const double back = 0.01 * (1 - std::sin(2 * std::numbers::pi * run.state().t));  // [m] from the end of its way
    double force = 0;
    const double share[4] = {0.25, 0.25, 0.25, 0.25};
    for (int i = 0; i < 4; ++i) force += 0.3 * 10 * share[i] * run.state().z()[i];
    // 3 N less the stiffness of all times the way; within what the last step before the reversal moved
    EXPECT_NEAR(force, 3 - 1e4 * 10 * back, 0.03 * 3) << method << ", " << back;
  }
}

TEST(Sliders, maxwell_slip_holds_a_load_without_creep_whatever_its_damping) {
  // 2 N on elements of 1e4/m times 10 N hold at 20 micrometres
  for (const double sigma1 : {30.0, 100.0, 300.0}) {
    const std::string text = fmt::format(
        "bristle: 1\nbodies: {{b: {{type: mass, mass: 1 kg}}}}\n"
        "joints: {{pad: {{type: sliding, between: [ground, b], load: 10 N, friction: {{type: generalised_maxwell_slip, mu_kinetic: 0.3, "
        "mu_static: 0.4, sigma0: 1e4 1/m, sigma1: {}}}}}}}\nforces: {{pull: {{type: load, on: b, force: \"2*min(t, 1)\"}}}}\n"
        "analysis: {{type: transient, end: 100 s, integrator: radau5}}\n",
        sigma1);
    for (const char* method : {"dormand_prince", "radau5", "cvode", "{type: generalized_alpha, step: 1 ms}",
                               "{type: trapezoidal, step: 1 ms}", "{type: energy_preserving, tolerance: 1e-6}"}) {
      Trial trial(text, {fmt::format("analysis.integrator={}", method)});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(100)) << method << ": " << run.message();
      EXPECT_NEAR(run.state().q()[0], 2e-5, 1e-10) << method << sigma1;
      EXPECT_LT(std::abs(run.state().v()[0]), 2e-9) << method << sigma1;
    }
  }
}

}  // namespace
}  // namespace bristle
