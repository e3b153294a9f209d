#pragma once
#include <string>
#include <vector>

#include "bristle/core/system.h"

namespace bristle {

/// One linear mode of a system.
struct LinearMode {
  double frequency = 0;       ///< [rad/s] without damping; negative: unstable, the displacement grows as exp(|frequency| t)
  double damping_ratio = 0;   ///< over critical; 0 when the system has no damping
  double damped = 0;          ///< [rad/s] of the damped oscillation; 0 when it does not swing
  std::vector<double> shape;  ///< one number per coordinate, the largest is 1
};

struct ModesResult {
  std::vector<std::string> coordinates;
  std::vector<LinearMode> modes;  ///< by frequency
  bool damping = false;           ///< the system has any
};

/// Linear modes about the initial state: undamped frequencies and shapes from M and K, damping ratios from the complex
/// eigenvalues of M, C, K. Leave friction out of the system (AssembleOptions::friction); states of the user are held.
/// Throws InputError when the stiffness is not symmetric, as with a load that reads channels.
ModesResult calc_modes(const System& system);

/// A table for people.
std::string modes_text(const ModesResult& result);

}  // namespace bristle
