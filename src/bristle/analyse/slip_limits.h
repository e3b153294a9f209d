#pragma once
#include <cmath>

#include "bristle/core/block.h"

// What counts as rest and as slip where switches of dry places are located.
namespace bristle {

struct SlipLimits {
  static constexpr double kLanding = 1e-12;  // [m/s] slip at touch-down that counts as none
  // a slip that has turned back and is below this share is stopped: what that takes out of it, at most its square, is less than what methods
  // are off by, and is booked as numerical
  static constexpr double kStops = 1e-3;
  static constexpr double kShort = 0.05;  // a step beside the usual one: something has become fast
  // [s] slip of a stuck place with loose rows: what its own friction would take away in this time. With more it slides. Not physical; larger: more slip
  // without friction; smaller: more switches
  static constexpr double kLooseTime = 1e-3;
};

/// [m/s]
inline double size_of(const RestView& view, int components) {
  double size = 0;
  for (int d = 0; d < components; ++d) size += view.slip[d] * view.slip[d];
  return std::sqrt(size);
}

}  // namespace bristle
