// Orders of every integrator on the same problems. A new integrator enters by its line in `expected_order`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "support/numbers.h"
#include "support/stepping.h"

namespace bristle {
namespace {

using namespace test;

struct Expected {
  int order;   ///< of the state at the ends of steps
  int inside;  ///< of the state inside steps
};
const std::map<std::string, Expected> kOrders{{"rk4", {4, 4}},
                                              {"dormand_prince", {5, 4}},
                                              {"trapezoidal", {2, 2}},
                                              {"radau3", {3, 3}},
                                              {"radau5", {5, 4}},
                                              {"generalized_alpha", {2, 2}},
                                              {"hht", {2, 2}},
                                              {"newmark", {2, 2}},
                                              {"moreau_jean", {2, 2}},
                                              {"energy_preserving", {2, 2}},
                                              {"energy_decaying", {2, 2}}};

struct Problem {
  const char* name;
  std::string text;
  double end;
  int steps;                        ///< coarsest number of steps
  std::map<std::string, int> more;  ///< another coarsest number for some methods: before the round-off, after the transient
};

std::vector<Problem> problems() {
  const std::string tail = "analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}\n";
  return {
      {"linear",
       R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 2 kg, position: 0.3, velocity: 1 m/s}}
forces:
  s: {type: spring, between: [ground, m], stiffness: 18 N/m, damping: 1.2 N s/m}
  f: {type: load, on: m, force: "5*sin(4*t)"}
)yaml" + tail,
       2,
       40,
       {}},
      {"duffing",
       R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg, position: 1}}
forces:
  s: {type: spring, between: [ground, m], stiffness: 4 N/m, cubic: 6 N/m^3, damping: 0.1 N s/m}
  f: {type: load, on: m, force: "cos(2*t)"}
)yaml" + tail,
       2,
       40,
       {}},
      // the initial stick of the LuGre oscillator up to tau = 0.05 ("Efficient Simulation of a Dynamic System with LuGre Friction"); h = 2e-3 / omega is the coarsest
      {"lugre_stick", kLuGre, 0.05 / std::sqrt(2.0), 25, {}},
      {"chain_with_a_filter",
       R"yaml(bristle: 1
bodies:
  a: {type: mass, mass: 1 kg, velocity: 1 m/s}
  b: {type: mass, mass: 2 kg, position: 0.2}
states:
  filter: {rate: "3*(a.velocity - filter.value) + 0.1*b.position^2", start: 0.5}
forces:
  one: {type: spring, between: [ground, a], stiffness: 10 N/m}
  two: {type: spring, between: [a, b], stiffness: 15 N/m, damping: 0.3 N s/m}
  drag: {type: damper, on: b, damping: 0.2 N s/m}
  control: {type: load, on: b, force: "-2*filter.value + sin(3*t)"}
)yaml" + tail,
       2,
       40,
       {}}};
}

/// The same as a closed form: m x'' + c x' + k x = F sin(w t).
double linear_solution(double t, double& velocity) {
  const double m = 2, c = 1.2, k = 18, F = 5, w = 4, x0 = 0.3, v0 = 1;
  const double delta = c / (2 * m), wd = std::sqrt(k / m - delta * delta);
  const double re = k - m * w * w, im = c * w, n = re * re + im * im;
  const double A = F * re / n, B = -F * im / n;  // A sin + B cos
  const double a = x0 - B, b = (v0 - A * w + delta * a) / wd;
  const double e = std::exp(-delta * t), C = std::cos(wd * t), S = std::sin(wd * t);
  velocity = A * w * std::cos(w * t) - B * w * std::sin(w * t) + e * ((b * wd - delta * a) * C - (a * wd + delta * b) * S);
  return A * std::sin(w * t) + B * std::cos(w * t) + e * (a * C + b * S);
}

TEST(Order, the_linear_problem_has_its_closed_form) {
  const Problem p = problems()[0];
  Trial trial(p.text);
  const Walk fine = walk(trial.system(), "dormand_prince", p.end, 2000);
  double v = 0;
  const double x = linear_solution(p.end, v);
  EXPECT_NEAR(fine.end.q()[0], x, 2e-14) << "round-off of two thousand steps";
  EXPECT_NEAR(fine.end.v()[0], v, 2e-13);
}

TEST(Order, every_integrator_is_in_the_table) {
  for (const std::string& name : integrators())
    EXPECT_TRUE(kOrders.contains(name)) << name << ": add its order to kOrders in " << __FILE__;
}

TEST(Order, halving_the_step_divides_the_error_by_two_to_the_order) {
  const bool print = std::getenv("BRISTLE_PRINT") != nullptr;
  for (const Problem& p : problems()) {
    Trial trial(p.text);
    const Walk reference = walk(trial.system(), "radau5", p.end, 40 * p.steps);
    for (const auto& [name, expected] : kOrders) {
      const int first = p.more.contains(name) ? p.more.at(name) : p.steps;
      std::vector<double> h, error;
      for (int n = first; n <= 8 * first; n *= 2) {
        const double e = difference(trial.system().layout(), walk(trial.system(), name, p.end, n).end, reference.end);
        if (e < 3e-13) break;  // round-off
        h.push_back(p.end / n), error.push_back(e);
      }
      ASSERT_GE(h.size(), 2U) << p.name << ", " << name;
      const double order = std::log2(error[error.size() - 2] / error.back());
      if (print) {
        fmt::print("{:22} {:16} order {:.2f}:", p.name, name, order);
        for (double e : error) fmt::print(" {:.2e}", e);
        fmt::print("\n");
      }
      EXPECT_NEAR(order, expected.order, 0.25) << p.name << ", " << name << ": the last halving";
    }
  }
}

TEST(Order, states_inside_steps_have_the_order_of_the_interpolation) {
  const bool print = std::getenv("BRISTLE_PRINT") != nullptr;
  for (const Problem& p : problems()) {
    Trial trial(p.text);
    const System& system = trial.system();
    for (const auto& [name, expected] : kOrders) {
      std::vector<double> error;
      for (int n = p.steps; n <= 4 * p.steps; n *= 2) {
        const double part = 0.5;
        const Walk coarse = walk(system, name, p.end, n, part);
        // the true state in the middle of the steps: a fine walk of twice as many steps passes through it
        const Walk fine = walk(system, "radau5", p.end, 8 * n, 1.0);
        Scale scale;
        for (const State& x : fine.inside) scale.add(system.layout(), x);
        double worst = 0;
        for (int k = n / 4; k < n; ++k) {
          const State& truth = fine.inside[static_cast<std::size_t>(8 * k + 3)];
          worst = std::max(worst, difference(system.layout(), coarse.inside[static_cast<std::size_t>(k)], truth, scale));
        }
        error.push_back(worst);
      }
      const double order = std::log2(error[1] / error[2]);
      if (print)
        fmt::print("{:22} {:16} inside {:.2f}: {:.2e} {:.2e} {:.2e}\n", p.name, name, order, error[0], error[1], error[2]);
      EXPECT_GT(order, expected.inside - 0.3) << p.name << ", " << name;
    }
  }
}

TEST(Order, error_control_keeps_the_error_proportional_to_the_tolerance) {
  const bool print = std::getenv("BRISTLE_PRINT") != nullptr;
  for (const Problem& p : problems()) {
    Trial base(p.text);
    const Walk reference = walk(base.system(), "radau5", p.end, 40 * p.steps);
    for (const std::string& name : integrators(true)) {
      if (!controls_error(name)) continue;
      std::vector<double> tolerance, error;
      for (double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
        Trial trial(p.text, {setting(name, 0, tol)});
        auto& run = trial.start();
        ASSERT_TRUE(run.advance_to(p.end)) << p.name << ", " << name << ": " << run.message();
        const double e = std::max(difference(trial.system().layout(), run.state(), reference.end), 1e-14);
        tolerance.push_back(tol), error.push_back(e);
        EXPECT_LT(e, 3e3 * tol) << p.name << ", " << name;
      }
      const double slope = fitted_order(tolerance, error);
      if (print)
        fmt::print("{:22} {:16} slope {:.2f}: {:.2e} {:.2e} {:.2e} {:.2e}\n", p.name, name, slope, error[0], error[1], error[2],
                   error[3]);
      // error per step, estimated at order 4 (5) or 3: between 0.8 and 1.25; methods of changing order wander
      EXPECT_GT(slope, 0.65) << p.name << ", " << name;
      EXPECT_LT(slope, 1.5) << p.name << ", " << name;
    }
  }
}

TEST(Order, the_ledger_closes_with_the_order_of_the_method) {
  const bool print = std::getenv("BRISTLE_PRINT") != nullptr;
  for (const Problem& p : problems()) {
    Trial trial(p.text);
    for (const auto& [name, expected] : kOrders) {
      std::vector<double> residual;
      for (int n = p.steps; n <= 8 * p.steps; n *= 2) {
        const Walk w = walk(trial.system(), name, p.end, n);
        residual.push_back(w.ledger.worst_residual() / w.ledger.scale());
        if (residual.back() < 3e-14) break;
      }
      if (residual.back() < 3e-14) residual.pop_back();
      if (residual.empty()) continue;  // the midpoint rule keeps the energy of a linear system exactly
      std::vector<double> h;
      for (std::size_t i = 0; i < residual.size(); ++i) h.push_back(std::pow(0.5, static_cast<double>(i)));
      const double order = residual.size() >= 2 ? fitted_order(h, residual) : 99;  // 99: at round-off from the start
      if (print) {
        fmt::print("{:22} {:16} ledger {:.2f}:", p.name, name, order);
        for (double r : residual) fmt::print(" {:.2e}", r);
        fmt::print("\n");
      }
      EXPECT_GT(order, expected.order - 0.5) << p.name << ", " << name << ": " << residual.back();
    }
  }
}

TEST(Order, a_tiny_error_of_the_bristle_blows_up_with_rk4_at_1e_3_and_not_with_radau3_at_1e_2) {
  // "Efficient Simulation of a Dynamic System with LuGre Friction": h lambda = 26 is hidden only while z is exactly its equilibrium
  const double omega = std::sqrt(2.0);
  const auto deviation = [&](const char* name, double h, double push) {
    Trial trial(kLuGre, {fmt::format("analysis.integrator={{type: {}, step: {:.17g}}}", name, h / omega)});
    auto& run = trial.start();
    if (!run.advance_to(12 / omega)) return 1e300;
    State x = run.state();
    x.z()[0] += push;
    run.start(x);
    double worst = 0;
    for (int k = 0; k < 60 && run.state().t < 12.5 / omega; ++k) {
      if (!run.advance(12.5 / omega)) return 1e300;
      worst = std::max(worst, std::abs(run.state().z()[0] - 1));
    }
    return worst;
  };
  EXPECT_EQ(deviation("rk4", 1e-3, 0), 0) << "the bristle sits on its equilibrium to the bit";
  EXPECT_GT(deviation("rk4", 1e-3, 1e-12), 1e-2) << "diverges";
  EXPECT_LT(deviation("radau3", 1e-2, 1e-12), 1e-9) << "does not";
}

}  // namespace
}  // namespace bristle
