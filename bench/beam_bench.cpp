// Time of one two-node beam element: force, and force with tangent, at one configuration and over a step.
#include <fmt/format.h>

#include <vector>

#include "bristle/body/beam.h"
#include "timing.h"

namespace {

using namespace bristle;

struct Sum final : JacobianSink {
  double sum = 0;
  void add(Part, int, int, double value) override { sum += value; }
  void add_block(Part, const int*, int count, const double* values) override { sum += values[count * count - 1]; }
};

}  // namespace

int main() {
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
  return sink.sum == 1e300 || numerical < 0;
}
