#pragma once
#include "bristle/measure/touch_tools.h"

namespace bristle {

/// Pin of B in a hole of A, both seen along z of A: the planar clearance joint. Play along z and tilt belong to somebody else
/// (held rows).
///   gap = R - r - |d_xy|,  d_xy: displacement of B from A without its part along z of A;  normal = -d_xy/|d_xy|
/// The point lies in the plane through the origin of B's marker. Concentric (closer than 1e-12 R): normal along -x of A.
/// Source: Bauchau and Ju, Modeling Friction Phenomena in Flexible Multibody Dynamics, eqs. (2)-(3).
struct CircleInCircle {
  double bearing_radius = 0;  ///< [m] R, of A
  double journal_radius = 0;  ///< [m] r < R, of B
  double length = 0;          ///< [m] of the bearing, for contact laws of lines; 0: a point
  static constexpr int kPoints = 1;

  ContactPair pair(int) const { return {-bearing_radius, journal_radius, length}; }
  RoundPair round() const { return {-bearing_radius, journal_radius, RoundPair::Seen::along_a}; }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    const Vec3<T> z = A.R.column(2), d = B.p - A.p;
    Vec3<T> e;
    const T distance = length_along(d - dot(d, z) * z, 1e-12 * bearing_radius, A.R.column(0), e);
    out[0] = touch_of_b(T(bearing_radius - journal_radius - distance), times(-1, e), B.p + times(journal_radius, e));
  }
};

}  // namespace bristle
