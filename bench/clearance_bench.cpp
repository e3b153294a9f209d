// What clearance costs: one step of the spatial slider-crank with an ideal main bearing and with a worn one, same method, same step.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>

#include "validation/trial.h"

namespace {

double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string model(const std::string& bearing, const std::string& integrator) {
  return fmt::format(R"yaml(bristle: 1
gravity: [0, 0, -9.81]
parameters: {{y3: "sqrt(0.29^2 - 0.25^2)"}}
bodies:
  crank: {{type: rigid, mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0, 0.05], velocity: ["-0.1*pi", 0, 0], angular_velocity: [0, "-2*pi", 0]}}
  rod: {{type: rigid, mass: 0.5, inertia: [4e-3, 4e-4, 4e-3], position: [0, y3/2, -0.025], orientation: [0.8679836, -0.4965929, 0, 0]}}
  slider: {{type: rigid, mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], position: [0, y3, -0.15]}}
joints:
  main: {{type: revolute, between: [crank, ground], at: [0, 0, 0], axis: y{}}}
  pin: {{type: spherical, between: [crank, rod], at: [0, 0, 0.1]}}
  wrist: {{type: universal, between: [rod, slider], at: [0, y3, -0.15], axis: x, second_axis: [0, 0.697, 0.717072]}}
  guide: {{type: prismatic, between: [ground, slider], at: [0, y3, -0.15], axis: y}}
analysis: {{type: transient, end: 1e3, enforcement: {{type: baumgarte, alpha: 5, beta: 5}}, integrator: {{type: {}}}}}
)yaml",
                     bearing, integrator);
}

/// [us] per step, the best of five.
double per_step(const std::string& text, int steps) {
  bristle::Trial trial(text);
  double best = 1e9;
  for (int k = 0; k < 5; ++k) {
    bristle::Run& run = trial.start();
    const double begin = cpu();
    for (int i = 0; i < steps; ++i) {
      if (!run.advance(1e3)) return -1;
    }
    best = std::min(best, 1e6 * (cpu() - begin) / steps);
  }
  return best;
}

}  // namespace

int main() {
  const std::string sizes =
      ", pin_radius: 9.5 mm, length: 19 mm, clearance: 0.5 mm, axial_clearance: 1 mm, contact: {type: "
      "lankarani_nikravesh, stiffness: 6.71e10, restitution: 0.9}";
  const std::string rubs =
      sizes + ", friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s}";
  fmt::print("| method | ideal | with clearance, four points | ratio | and LuGre in each | ratio |\n|---|---|---|---|---|---|\n");
  for (const char* m : {"rk4, step: 2 us", "trapezoidal, step: 2 us"}) {
    const int steps = 20000;
    const double ideal = per_step(model("", m), steps), worn = per_step(model(sizes, m), steps),
                 rubbed = per_step(model(rubs, m), steps);
    fmt::print("| {} | {:.2f} us | {:.2f} us | {:.2f} | {:.2f} us | {:.2f} |\n", m, ideal, worn, worn / ideal, rubbed,
               rubbed / ideal);
  }
}
