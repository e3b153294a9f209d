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
  T input{};            ///< what laws that ask for it take from outside, in the unit of that parameter
};

/// What a step size should know about a place: how fast the law's memory moves (1/time constant), the speed on which its character
/// changes, and how near the surfaces are. Laws fill the first two, and the third where it is not simply the first at that speed; places the
/// rest.
struct Pace {
  double rate = 0;           ///< [1/s] 0: no memory of its own
  double speed = 0;          ///< [m/s] 0: none
  double rate_at_speed = 0;  ///< [1/s] the rate when the slip has that speed
  double gap = 0;            ///< [m] of places that may open
  double gap_rate = 0;       ///< [m/s]
  bool opens = false;
};

/// What a step did to a memory whose rate changes inside it (a slider that reaches its limit, an element that lets go), where the
/// method saw none of that: its stages all lie on one branch.
struct Overrun {
  double error = 0;  ///< about how far the memory, or the work of the force over its limit stretch, is off at the end
  double part = 0;   ///< of the step: where the change is, or with no error where the next one will be; 0: somewhere
  double jump =
      0;  ///< how far the memory has gone beyond where the force jumps, or its course: where steps are given, they end there too
  double longest = 0;   ///< [s] the longest step that an explicit method follows stably; 0: any
  bool always = false;  ///< no method may take this step, whatever its tolerance
  /// Of two places the worse in every respect.
  void merge(const Overrun& o) {
    error = o.error > error ? o.error : error;
    jump = o.jump > jump ? o.jump : jump;
    always = always || o.always;
    if (o.part > 0 && (part == 0 || o.part < part)) part = o.part;
    if (o.longest > 0 && (longest == 0 || o.longest < longest)) longest = o.longest;
  }
};

enum class Mode : int { stick = 0, slip = 1, open = 2 };

}  // namespace bristle
