#pragma once
#include <cmath>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// A touch over a whole step.
template <class T = double>
struct StepTouch {
  Vec3<T>
      row;  ///< times the increment of B's place seen from A, at the point: the change of the gap, exactly. Not of unit length
  Vec3<T> normal;  ///< unit
  Vec3<T> point;   ///< [m] where the force acts
};

/** A and B are means of the frames at both ends of the step, rotation matrices too; A0, B0 are those of the start, A1, B1 of the end.
  |d1| - |d0| = (d0 + d1).(d1 - d0)/(|d0| + |d1|)
(Bauchau and Ju, Modeling Friction Phenomena in Flexible Multibody Dynamics, eq. 4); seen along z, |d|^2 is d.d - (d.z)^2, and d.z is
bilinear: it changes by its row at the means. The force acts in the middle between the points of the two surfaces, or `shift` gaps from it
along the normal. False where the points (nearly) coincide in the middle of the step. */
template <class T>
bool touch_over_step(const RoundPair& pair, double shift, const Frame<T>& A, const Frame<T>& B, const Frame<>& A0,
                     const Frame<>& B0, const Frame<T>& A1, const Frame<T>& B1, StepTouch<T>& out) {
  using std::sqrt;
  using Seen = RoundPair::Seen;
  Vec3<> d0 = B0.p - A0.p;
  Vec3<T> d = B.p - A.p, d1 = B1.p - A1.p;
  if (pair.seen != Seen::whole) {
    const bool of_a = pair.seen == Seen::along_a;
    const Vec3<> z0 = (of_a ? A0 : B0).R.column(2);
    const Vec3<T> z = (of_a ? A : B).R.column(2), z1 = (of_a ? A1 : B1).R.column(2);
    const double along0 = dot(d0, z0);
    const T along1 = dot(d1, z1);
    d0 = d0 - along0 * z0;
    d1 = d1 - along1 * z1;
    d = d - (0.5 * (along0 + along1)) * z;
  }
  const double shortest = 1e-12 * (std::abs(pair.a) + std::abs(pair.b));
  const T square = dot(d, d), square1 = dot(d1, d1);
  if (!(value_of(square) > shortest * shortest) || !(value_of(square1) > 0)) return false;
  const double side = pair.side();
  const T mean = 0.5 * (norm(d0) + sqrt(square1)), gap = side * mean - (pair.a + pair.b);
  out.row = (side / mean) * d;
  out.normal = (side / sqrt(square)) * d;
  if (pair.seen == Seen::along_b) out.point = A.p + (pair.a + (0.5 + shift) * gap) * out.row;
  else out.point = B.p - (pair.b + (0.5 - shift) * gap) * out.row;
  return true;
}

}  // namespace bristle
