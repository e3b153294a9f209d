#pragma once
// Models of linkages that several tests share.
#include <fmt/format.h>

#include <string>

namespace bristle::test {

/// Problem "N four-bar" of the IFToMM library: parallelograms that lie flat twice in a turn; all rods move as one pendulum.
inline std::string windows(int n) {
  std::string bodies, joints;
  for (int i = 0; i <= n; ++i) {
    bodies +=
        fmt::format("  r{0}: {{type: planar, mass: 1, inertia: \"1/12\", position: [{0}, 0.5], angular_velocity: -1}}\n", i);
    joints += fmt::format("  a{0}: {{type: revolute, between: [ground, r{0}], at: [{0}, 0, 0], axis: z}}\n", i);
  }
  for (int i = 0; i < n; ++i) {
    bodies += fmt::format("  t{0}: {{type: planar, mass: 1, inertia: \"1/12\", position: [{1}, 1]}}\n", i, i + 0.5);
    joints += fmt::format("  b{0}: {{type: revolute, between: [r{0}, t{0}], at: [{0}, 1, 0], axis: z}}\n", i);
    joints += fmt::format("  c{0}: {{type: revolute, between: [r{1}, t{0}], at: [{1}, 1, 0], axis: z}}\n", i, i + 1);
  }
  return "bristle: 1\ngravity: [0, -9.81, 0]\nbodies:\n" + bodies + "joints:\n" + joints +
         "analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}\n";
}

/// Two balls on arms about a shaft, tied to a collar by stiff dampers.
inline const std::string kGovernor = R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  shaft: {type: rigid, mass: 300, inertia: [25, 25, 0.5], position: [0, 0, 0.5], angular_velocity: [0, 0, 1]}
  arm1: {type: rigid, mass: 5.3, inertia: [0.03, 0.03, 0.03], position: [0.48, 0, 0.16], velocity: [0, 0.48, 0], angular_velocity: [0, 0, 1], frames: {m: {at: [-0.24, 0, 0.42]}}}
  arm2: {type: rigid, mass: 5.3, inertia: [0.03, 0.03, 0.03], position: [-0.48, 0, 0.16], velocity: [0, -0.48, 0], angular_velocity: [0, 0, 1], frames: {m: {at: [0.24, 0, 0.42]}}}
  collar: {type: rigid, mass: 3, inertia: [0.005, 0.005, 0.005], position: [0, 0, 0.16], angular_velocity: [0, 0, 1], frames: {m: {at: [0, 0, 0]}}}
joints:
  base: {type: revolute, between: [ground, shaft], at: [0, 0, 0], axis: z}
  guide: {type: prismatic, between: [shaft, collar], at: [0, 0, 0.16], axis: z}
  hinge1: {type: revolute, between: [shaft, arm1], at: [0, 0, 1], axis: y}
  hinge2: {type: revolute, between: [shaft, arm2], at: [0, 0, 1], axis: y}
forces:
  s1: {type: spring, between: [arm1.m, collar.m], stiffness: 8e5, damping: 4e4, length: 0.5}
  s2: {type: spring, between: [arm2.m, collar.m], stiffness: 8e5, damping: 4e4, length: 0.5}
analysis: {type: transient, end: 1 s, integrator: {type: radau5, tolerance: 1e-6}}
)";

}  // namespace bristle::test
