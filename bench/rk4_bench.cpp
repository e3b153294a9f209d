// One RK4 step of the engine, model file and ledger included, against a loop written by hand for the same scheme and law.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "timing.h"
#include "validation/trial.h"

namespace {

constexpr double kSigma0 = 1e5, kSigma1 = 316.22776601683796, kSigma2 = 0.4, kStribeck = 1e-3, kStep = 1e-4 / 1.4142135623730951;

const char* kOne = R"(bristle: 1
bodies:
  mass: {type: mass, mass: 1 kg}
  end: {type: driven, velocity: 0.1 m/s}
forces:
  spring: {type: spring, between: [mass, end], stiffness: 2 N/m}
joints:
  shoe:
    type: sliding
    between: [ground, mass]
    load: 1 N
    friction: {type: lugre, mu_kinetic: 1, mu_static: 1.5, stribeck_velocity: 1 mm/s, sigma0: 1e5, sigma1: 316.22776601683796, sigma2: 0.4}
)";

std::string analysis() {
  return fmt::format("analysis: {{type: transient, end: 1e6, integrator: {{type: rk4, step: {:.17g}}}}}\n", kStep);
}

/// Ten masses in a row, each pulled by a spring from its neighbour and rubbing on the ground; the first one is pulled.
std::string ten_masses() {
  std::string bodies = "bristle: 1\nbodies:\n  end: {type: driven, velocity: 0.1 m/s}\n", forces = "forces:\n",
              joints = "joints:\n";
  for (int i = 0; i < 10; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: 1 kg}}\n", i);
    forces += fmt::format("  s{}: {{type: spring, between: [m{}, {}], stiffness: 20 N/m}}\n", i, i,
                          i == 0 ? "end" : fmt::format("m{}", i - 1));
    joints += fmt::format(
        "  f{}: {{type: sliding, between: [ground, m{}], load: 1 N, friction: {{type: lugre, mu_kinetic: 1, mu_static: 1.5, stribeck_velocity: 1 mm/s, "
        "sigma0: 1e5, sigma1: 316.22776601683796, sigma2: 0.4}}}}\n",
        i, i);
  }
  return bodies + forces + joints;
}

inline void law(double v, double z, double& force, double& rate) {
  const double r = v / kStribeck, g = 1 + 0.5 * std::exp(-(r * r));
  const double slide = v - std::abs(v) / g * z;
  rate = kSigma0 * slide;
  force = z + kSigma1 * slide + kSigma2 * v;
}

double hand_one(long steps, bool begin) {
  static double kept[4];
  if (begin) std::fill_n(kept, 4, 0.0);
  double x = kept[0], v = kept[1], z = kept[2], t = kept[3];
  const double h = kStep;
  const auto rate = [](double at, double q, double speed, double memory, double& a, double& zdot) {
    double force;
    law(speed, memory, force, zdot);
    a = 2 * (0.1 * at - q) - force;
  };
  for (long i = 0; i < steps; ++i) {
    double a1, b1, a2, b2, a3, b3, a4, b4;
    rate(t, x, v, z, a1, b1);
    const double v2 = v + 0.5 * h * a1;
    rate(t + 0.5 * h, x + 0.5 * h * v, v2, z + 0.5 * h * b1, a2, b2);
    const double v3 = v + 0.5 * h * a2;
    rate(t + 0.5 * h, x + 0.5 * h * v2, v3, z + 0.5 * h * b2, a3, b3);
    const double v4 = v + h * a3;
    rate(t + h, x + h * v3, v4, z + h * b3, a4, b4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    z += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    t += h;
  }
  kept[0] = x, kept[1] = v, kept[2] = z, kept[3] = t;
  return x + z;
}

double hand_ten(long steps, bool begin) {
  constexpr int N = 10;
  static double kept[3 * N], kept_t;
  if (begin) std::fill_n(kept, 3 * N, 0.0), kept_t = 0;
  double y[3 * N], k[4][3 * N], s[3 * N];
  std::copy_n(kept, 3 * N, y);
  double t = kept_t;
  const double h = kStep;
  const auto rate = [](double at, const double* u, double* d) {
    double pull = 20 * (0.1 * at - u[0]);
    for (int i = 0; i < N; ++i) {
      const double next = i + 1 < N ? 20 * (u[i] - u[i + 1]) : 0;
      double force;
      law(u[N + i], u[2 * N + i], force, d[2 * N + i]);
      d[i] = u[N + i];
      d[N + i] = pull - next - force;
      pull = next;
    }
  };
  const auto shift = [&](const double* d, double by) {
    for (int i = 0; i < 3 * N; ++i) s[i] = y[i] + by * d[i];
  };
  for (long n = 0; n < steps; ++n) {
    rate(t, y, k[0]);
    shift(k[0], 0.5 * h);
    rate(t + 0.5 * h, s, k[1]);
    shift(k[1], 0.5 * h);
    rate(t + 0.5 * h, s, k[2]);
    shift(k[2], h);
    rate(t + h, s, k[3]);
    for (int i = 0; i < 3 * N; ++i) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    t += h;
  }
  std::copy_n(y, 3 * N, kept);
  kept_t = t;
  return y[0] + y[3 * N - 1];
}

/// Both sides go on in turns of about a millisecond, and of each turn the best time of several runs counts: so short a time finds a quiet
/// moment of a busy machine.
void report(const char* name, const std::string& model, double (*by_hand)(long, bool), int turns, long steps, double goal) {
  bristle::Trial trial(model + analysis());
  double hand_result = 0, engine_result = 0, hand_time = 0, engine_time = 0;
  const int masses = trial.system().layout().scalars, memory = trial.system().layout().sizes.z;
  std::vector<double> best_hand(static_cast<std::size_t>(turns), 1e300), best_engine = best_hand;
  for (int round = 0; round < 40; ++round) {
    bristle::Run& run = trial.start();
    for (std::size_t i = 0; i < best_hand.size(); ++i) {
      best_hand[i] = std::min(best_hand[i], time_of([&] { hand_result = by_hand(steps, i == 0); }));
      best_engine[i] = std::min(best_engine[i], time_of([&] {
                                  for (long k = 0; k < steps; ++k) run.advance(1e6);
                                }));
    }
    engine_result = run.state().q()[0] + run.state().z()[memory - 1] + 0 * run.ledger().residual();
  }
  for (double t : best_hand) hand_time += t;
  for (double t : best_engine) engine_time += t;
  const double scale = static_cast<double>(turns) * static_cast<double>(steps);
  fmt::print("| {} ({} masses) | {:.0f} ns | {:.0f} ns | {:.2f} | {:.1f} | {:.1e} |\n", name, masses, hand_time / scale * 1e9,
             engine_time / scale * 1e9, engine_time / hand_time, goal, std::abs(hand_result - engine_result));
}

}  // namespace

int main() {
  fmt::print(
      "RK4 step with LuGre friction, ledger on\n\n| model | by hand | engine | ratio | goal | difference of results |\n|---|---|---|---|---|---|\n");
  report("oscillator", kOne, hand_one, 40, 5000, 1.5);
  report("chain", ten_masses(), hand_ten, 20, 1500, 2.0);
  return 0;
}
