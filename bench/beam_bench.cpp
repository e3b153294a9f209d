// Time of one two-node beam element: force, and force with tangent, at one configuration and over a step. Then steps of implicit methods over a
// flexible pendulum in large rotation, and how their cost grows with its elements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "bristle/body/beam.h"
#include "timing.h"
#include "validation/trial.h"

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

/// Steps in the middle of the fall.
class Fall {
 public:
  Fall(int elements, const std::string& method, int steps) : trial_(pendulum(elements, method)), steps_(steps) {
    Run& run = trial_.start();
    if (!run.advance_to(0.2)) throw std::runtime_error(run.message());
    from_ = run.state();
  }
  void time() {
    Run& run = trial_.start(from_);
    run.advance(1e3);  // the first step learns the pattern
    const long long before = run.counts().newton;
    const double begin = cpu();
    for (int i = 0; i < steps_; ++i) {
      if (!run.advance(1e3)) throw std::runtime_error(run.message());
    }
    cost_.step = std::min(cost_.step, (cpu() - begin) / steps_);
    cost_.iterations = static_cast<double>(run.counts().newton - before) / steps_;
  }
  const Cost& cost() const { return cost_; }
  double each() const { return 1e6 * cost_.step / cost_.iterations; }  ///< [us] per iteration

 private:
  Trial trial_;
  State from_;
  int steps_;
  Cost cost_;
};

void report_pendulum() {
  fmt::print("\n{:<52} {:>10} {:>12} {:>13} {:>14}\n", "pendulum of 50 elements, step 1 ms", "steps/s", "iterations",
             "us/iteration", "steps/s at 2");
  for (const char* method :
       {"generalized_alpha", "generalized_alpha, newton_tolerance: 1e-6", "energy_preserving",
        "energy_preserving, newton_tolerance: 1e-6", "energy_preserving, keep_factors: false", "energy_decaying",
        "energy_decaying, newton_tolerance: 1e-6", "energy_decaying, keep_factors: false"}) {
    Fall fall(50, method, 200);
    for (int k = 0; k < 5; ++k) fall.time();
    fmt::print("{:<52} {:10.0f} {:12.2f} {:13.1f} {:14.0f}\n", method, 1 / fall.cost().step, fall.cost().iterations, fall.each(),
               0.5e6 / fall.each());
  }
  fmt::print("\n{:<40} {:>10} {:>10} {:>10} {:>16} {:>16}\n", "us per iteration, elements", 50, 500, 5000, "exponent from 50",
             "exponent from 500");
  for (const char* method : {"generalized_alpha", "energy_preserving", "energy_preserving, keep_factors: false",
                             "energy_decaying", "energy_decaying, keep_factors: false"}) {
    Fall small(50, method, 100), middle(500, method, 20), large(5000, method, 4);
    for (int k = 0; k < 5; ++k) small.time(), middle.time(), large.time();  // in turns: others may use the machine
    fmt::print("{:<40} {:10.0f} {:10.0f} {:10.0f} {:16.2f} {:16.2f}\n", method, small.each(), middle.each(), large.each(),
               0.5 * std::log10(large.each() / small.each()), std::log10(large.each() / middle.each()));
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
  StepEval step;
  step.h = 1e-2;
  std::vector<double> room(static_cast<std::size_t>(block.step_room()));
  step.room = room.data();
  step.pose_ends[0] = pose.data(), step.pose_ends[1] = next.data();
  step.impulse = impulse.data(), step.numerical = &numerical;
  Eval& e = step;
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
  e.pose = middle.data();
  report("step, energy-preserving: force", [&] { block.calc_step(step); });
  report("step, energy-preserving: force and tangent", [&] { block.calc_step(step), block.calc_step_jacobian(step, sink); });
  step.v_jump = v.data(), step.jump = 1.0 / 6;
  report("step, energy-decaying: force", [&] { block.calc_step(step); });
  report("step, energy-decaying: force and tangent", [&] { block.calc_step(step), block.calc_step_jacobian(step, sink); });
  if (sink.sum == 1e300 || numerical < 0) fmt::print("\n");  // all of it is needed
}

}  // namespace

int main() {
  report_element();
  report_pendulum();
}
