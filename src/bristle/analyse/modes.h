#pragma once
#include <string>
#include <vector>

#include "bristle/analyse/linearise.h"
#include "bristle/core/system.h"

namespace bristle {

/// One linear mode of a system.
struct LinearMode {
  double frequency = 0;       ///< [rad/s] without damping; negative: unstable, the displacement grows as exp(|frequency| t)
  double damping_ratio = 0;   ///< over critical; 0 when the system has no damping
  double damped = 0;          ///< [rad/s] of the damped oscillation; 0 when it does not swing
  std::vector<double> shape;  ///< one number per coordinate, the largest is 1
  std::vector<double> phase;  ///< [rad] of each, where they do not swing in step; empty otherwise
  double whirl = 0;           ///< about an axis of rotation: 1 circles along it, -1 against it, 0 on lines
  double across = 0;          ///< share of the motion that is across that axis
};

struct ModesResult {
  std::vector<std::string> coordinates;
  std::vector<LinearMode> modes;  ///< by frequency
  bool damping = false;           ///< the system has any
  bool general = false;           ///< from complex eigenvalues: the state moves, or the stiffness is not symmetric
  bool moving = false;            ///< the state has velocities: eigenvalues belong to this instant, unless the motion is steady
  double unbalance = 0;  ///< [1/s^2] largest acceleration at the state, of turns or of displacements over the length scale
  double time = 0;       ///< [s] of the state
  double speed = 0;      ///< [rad/s] of a steady rotation, in whose frame the modes are
  std::string frame;     ///< of a steady rotation: turning or stationary; empty: there is none
};

/// Linear modes about the initial state: undamped frequencies and shapes from M and K, damping ratios from the complex
/// eigenvalues of M, C, K. Leave friction out of the system (AssembleOptions::friction); states of the user are held.
/// Systems without bodies in space: throws InputError when the stiffness is not symmetric, as with a load that reads channels.
ModesResult calc_modes(const System& system);
/// The same about any state that fulfils the joints. Where it moves, gyroscopic terms are part of it and eigenvalues are complex.
ModesResult calc_modes(const System& system, const State& x, LinearAxes axes = LinearAxes::world);

/// Mass and stiffness of the independent coordinates at a state at rest. At an equilibrium K is analytic, with the part of the
/// joint forces in it, unless expressions make it differ from differences of the accelerations.
struct ReducedStiffness {
  Eigen::MatrixXd M, C, K;
  Linearisation linear;
};
ReducedStiffness calc_reduced_stiffness(const System& system, const State& x, LinearAxes axes = LinearAxes::world);

/// A complex shape: the largest number becomes 1, phases are kept where the coordinates do not swing in step.
void put_shape(Eigen::VectorXcd shape, LinearMode& mode);
/// Takes out coordinates that take part in no mode.
void drop_still(ModesResult& result);

/// A table for people.
std::string modes_text(const ModesResult& result);

}  // namespace bristle
