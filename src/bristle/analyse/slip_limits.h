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
  // slips in several directions under methods that control their error, as shares of what friction does to them in a step: half way to where explicit
  // steps are unstable (h W L/s = 1.5). With less, the direction leads the step, and a start is left to the kernel
  static constexpr double kFollowed = 0.67;
  static constexpr double kAtLimit = 1 - 1e-8;  // of a limit: forces of creeping places are at theirs but for round-off
  // [s] slip of a stuck place with loose rows: what its own friction would take away in this time. With more it slides. Not physical; larger: more slip
  // without friction; smaller: more switches
  static constexpr double kLooseTime = 1e-3;
};

inline double length_of(const double* x, int n) {
  double sum = 0;
  for (int d = 0; d < n; ++d) sum += x[d] * x[d];
  return std::sqrt(sum);
}
/// [m/s]
inline double size_of(const RestView& view, int components) { return length_of(view.slip, components); }

}  // namespace bristle
