#pragma once
#include <cmath>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// The round end of a pin or plate of B, at z = side length_b/2 of its marker, against the wall of A at z = side length_a/2 that
/// looks inwards (side +1 or -1). With s the sine of the tilt and eps the smoothing:
///   gap = length_a/2 - side E.a_i - r (sqrt(s^2 + eps^2) - eps),   E: centre of the end from A's marker
///   point of the end = E + side r w/sqrt(s^2 + eps^2),  w = a_i - (a_i.a_j) a_j
/// the rim point of Frictional Contacts in Multibody Dynamics (University of Minho, 2015), eqs. (4.19)-(4.23), moving to the
/// centre of the face as the axes align, eqs. (4.17)-(4.18). The smoothing is not physical: it turns the jump of the point at
/// alignment into a fast change over tilts of its size and opens the gap by at most r eps. Smaller is closer to the jump.
template <class T>
Touch<T> touch_rim_on_wall(const Frame<T>& A, const Frame<T>& B, double side, double length_a, double length_b, double radius,
                           double smoothing) {
  using std::sqrt;
  const Vec3<T> ai = A.R.column(2), aj = B.R.column(2);
  const Vec3<T> centre = B.p + times(0.5 * side * length_b, aj), w = ai - dot(ai, aj) * aj;
  const T reach = sqrt(dot(w, w) + smoothing * smoothing);
  const T gap = 0.5 * length_a - side * dot(centre - A.p, ai) - radius * (reach - smoothing);
  return touch_of_b(gap, times(-side, ai), centre + (side * radius / reach) * w);
}

}  // namespace bristle
