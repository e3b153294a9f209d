// Time of one two-node beam element: force, and force with tangent, at one configuration and over a step. Then steps of implicit methods over a
// flexible pendulum in large rotation, and how their cost grows with its elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "bristle/body/beam.h"
#include "bristle/validate/cases.h"
#include "timing.h"

namespace {

using namespace bristle;

struct Sum final : JacobianSink {
  double sum = 0;
  void add(Part, int, int, double value) override { sum += value; }
  void add_block(Part, const int*, int count, const double* values) override { sum += values[count * count - 1]; }
};

double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// A rod of rubber on a pin, released level: it bends by more than a right angle while it falls.
std::string pendulum(int elements, const std::string& integrator) {
  return fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  rubber: {{type: general, EA: 1260, GA2: 350, GJ: 0.006, EI2: 0.0085, mass_per_length: 9.97, rotary_inertia: [1.36e-4, 6.8e-5, 6.8e-5]}}
bodies:
  rod: {{type: beam, from: [0, 0, 0], to: [1.2, 0, 0], elements: {}, section: rubber}}
joints:
  pin: {{type: revolute, between: [ground, rod.start], at: [0, 0, 0], axis: y}}
analysis: {{type: transient, end: 1e3, integrator: {{type: {}, step: 1 ms}}}}
)yaml",
                     elements, integrator);
}

struct Cost {
  double step = 1e9;      ///< [s] the best of some rounds
  double iterations = 0;  ///< per step
};

/// Of steps in the middle of the fall.
Cost cost_of(const std::string& text, int steps, int rounds) {
  bristle::Trial trial(text);
  bristle::Run& run = trial.start();
  if (!run.advance_to(0.2)) throw std::runtime_error(run.message());
  const bristle::State x = run.state();
  Cost cost;
  for (int k = 0; k < rounds; ++k) {
    bristle::Run& again = trial.start(x);
    again.advance(1e3);  // its first step learns the pattern
    const long long before = again.counts().newton;
    const double begin = cpu();
    for (int i = 0; i < steps; ++i) {
      if (!again.advance(1e3)) throw std::runtime_error(again.message());
    }
    cost.step = std::min(cost.step, (cpu() - begin) / steps);
    cost.iterations = static_cast<double>(again.counts().newton - before) / steps;
  }
  return cost;
}

void report_pendulum() {
  fmt::print("\n{:<52} {:>10} {:>12} {:>13} {:>14}\n", "pendulum of 50 elements, step 1 ms", "steps/s", "iterations",
             "us/iteration", "steps/s at 2");
  for (const char* method :
       {"generalized_alpha", "generalized_alpha, newton_tolerance: 1e-6", "energy_preserving",
        "energy_preserving, newton_tolerance: 1e-6", "energy_preserving, keep_factors: false", "energy_decaying",
        "energy_decaying, newton_tolerance: 1e-6", "energy_decaying, keep_factors: false"}) {
    const Cost c = cost_of(pendulum(50, method), 200, 5);
    const double each = c.step / c.iterations;
    fmt::print("{:<52} {:10.0f} {:12.2f} {:13.1f} {:14.0f}\n", method, 1 / c.step, c.iterations, 1e6 * each, 0.5 / each);
  }
  fmt::print("\n{:<38} {:>14} {:>14} {:>10}\n", "us per iteration", "500 elements", "5000 elements", "exponent");
  for (const char* method :
       {"generalized_alpha", "energy_preserving, keep_factors: false", "energy_decaying, keep_factors: false"}) {
    double each[2];
    for (int k = 0; k < 2; ++k) {
      const Cost c = cost_of(pendulum(k == 0 ? 500 : 5000, method), k == 0 ? 20 : 3, 3);
      each[k] = 1e6 * c.step / c.iterations;
    }
    fmt::print("{:<38} {:14.0f} {:14.0f} {:10.2f}\n", method, each[0], each[1], std::log10(each[1] / each[0]));
  }
}

void report_element() {
  constexpr int kElements = 50;
  Beams::Beam beam;
  std::vector<Pose> pose, next, middle;
  for (int k = 0; k <= kElements; ++k) {
    Pose p;
    p.R = matrix_of(rotation_of({0.1, 0.05 * k, 0.02 * k}, Chart::exponential));
    p.p = {{0.1 * k, 0.01 * k, 0.003 * k * k}};
    pose.push_back(p);
    Pose q = p;
    q.R = p.R * matrix_of(rotation_of({0.01, 0.02, -0.01}, Chart::cayley));
    q.p = p.p + Vec3<>{{0.001, 0.002, 0.0005 * k}};
    next.push_back(q);
    for (std::size_t i = 0; i < 9; ++i) q.R.m[i] = 0.5 * (q.R.m[i] + p.R.m[i]);
    middle.push_back(q);
  }
  for (int k = 0; k < kElements; ++k) {
    BeamElement el;
    for (int I = 0; I < 2; ++I) el.end[I].body = k + I, el.end[I].v = 6 * (k + I);
    el.length = 0.1;
    for (std::size_t i = 0; i < 6; ++i) el.C[7 * i] = 1e3;
    el.at_rest = {1, 0, 0, 0, 0, 0};
    beam.elements.push_back(el);
  }
  const Beams block({beam});
  std::vector<double> v(6 * (kElements + 1), 0.01), f(v.size()), impulse(v.size());
  double numerical = 0;
  Pair pair;
  pair.h = 1e-2;
  pair.pose[0] = pose.data(), pair.pose[1] = next.data();
  pair.v_jump = v.data(), pair.impulse = impulse.data(), pair.numerical = &numerical;
  Eval e;
  e.pose = pose.data(), e.v = v.data(), e.f = f.data();
  Sum sink;
  const auto report = [&](const char* what, auto run) {
    const double seconds = best_of(300, {[&] {
                                     for (int i = 0; i < 10; ++i) run();
                                   }})[0];
    fmt::print("{:<44} {:7.3f} us\n", what, 1e6 * seconds / (10 * kElements));
  };
  report("force", [&] { block.calc_forces(e); });
  report("force and tangent", [&] { block.calc_forces(e), block.calc_jacobian(e, sink); });
  e.pair = &pair, e.pose = middle.data();
  pair.v_jump = nullptr;
  report("step, energy-preserving: force", [&] { block.calc_forces(e); });
  report("step, energy-preserving: force and tangent", [&] { block.calc_forces(e), block.calc_jacobian(e, sink); });
  pair.v_jump = v.data(), pair.jump = 1.0 / 6;
  report("step, energy-decaying: force", [&] { block.calc_forces(e); });
  report("step, energy-decaying: force and tangent", [&] { block.calc_forces(e), block.calc_jacobian(e, sink); });
  if (sink.sum == 1e300 || numerical < 0) fmt::print("\n");  // all of it is needed
}

}  // namespace

int main() {
  report_element();
  report_pendulum();
}
