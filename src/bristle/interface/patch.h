#pragma once
#include "bristle/math/dual.h"
#include "bristle/math/vec.h"

namespace bristle {

/// One spot where two surfaces touch, as a law sees it. D slip components (1, 2; 3 in a ball joint). Slip is the motion of B
/// relative to A; the friction force of a law points along the slip and acts on A, its opposite on B: it resists. SI units.
template <int D, class T = double>
struct Patch {
  Vec<D, T> slip;       ///< [m/s]
  Vec<D, T> travel;     ///< [m] displacement along the slip; filled only for laws that ask for it
  T load{};             ///< [N] normal force, never negative
  T gap{}, gap_rate{};  ///< [m], [m/s]; gap < 0 is penetration
};

/// What a step size should know about a place: how fast the law's memory moves (1/time constant), the speed on which its character
/// changes, and how near the surfaces are. Laws fill the first two, places the rest.
struct Pace {
  double rate = 0;           ///< [1/s] 0: no memory of its own
  double speed = 0;          ///< [m/s] 0: none
  double rate_at_speed = 0;  ///< [1/s] the rate when the slip has that speed
  double gap = 0;            ///< [m] of places that may open
  bool opens = false;
};

enum class Mode : int { stick = 0, slip = 1, open = 2 };

}  // namespace bristle
