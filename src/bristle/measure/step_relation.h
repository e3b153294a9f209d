#pragma once
#include "bristle/measure/relation.h"

namespace bristle {

/// Row of a relation over a whole step: its product with the increments (displacement of B's marker and turn by Cayley vectors, both as
/// seen from A, taken at the mean of the markers) is the change of the measure, exactly. `A`, `B` are means of the frames at both ends,
/// rotation matrices too; `A0`, `B0` the frames at the start, `A1`, `B1` at the end. For the relations that `has_step_row`.
///
/// What is bilinear in vectors of the two bodies changes by its row at the means: R1 a - R0 a = r x (R0 a + R1 a)/2 for a Cayley vector r.
/// A distance has the row (d0 + d1)/(|d0| + |d1|); an angle with sine s and cosine c changes by (c ds - s dc) at the means of s and c, times
/// angle/sine of the change.
template <class T>
RelationRow<T> calc_step_relation(const Relation& r, const Frame<T>& A, const Frame<T>& B, const Frame<>& A0, const Frame<>& B0,
                                  const Frame<T>& A1, const Frame<T>& B1) {
  using Kind = Relation::Kind;
  using std::atan2;
  using std::sqrt;
  RelationRow<T> row;
  switch (r.kind) {
    case Kind::along: row.F = A.R.column(r.i); break;
    case Kind::dot: row.M = cross(B.R.column(r.j), A.R.column(r.i)); break;
    case Kind::distance: {
      const Vec3<> d0 = B0.p - A0.p;
      const Vec3<T> d1 = B1.p - A1.p;
      row.F = (2.0 / (sqrt(dot(d0, d0)) + sqrt(dot(d1, d1)))) * (B.p - A.p);
      break;
    }
    case Kind::angle: {
      const double s0 = dot(A0.R.column(1), B0.R.column(0)), c0 = dot(A0.R.column(0), B0.R.column(0));
      const T s1 = dot(A1.R.column(1), B1.R.column(0)), c1 = dot(A1.R.column(0), B1.R.column(0));
      const T sine = c0 * s1 - s0 * c1, cosine = c0 * c1 + s0 * s1;
      T ratio{};  // angle over sine of the change
      if (std::abs(value_of(sine)) < 1e-3 * value_of(cosine)) {
        const T t2 = (sine / cosine) * (sine / cosine);
        ratio = (1.0 - t2 * (1.0 / 3) + t2 * t2 * 0.2) / cosine;
      } else {
        ratio = atan2(sine, cosine) / sine;
      }
      row.M = ratio * cross(B.R.column(0), 0.5 * (c0 + c1) * A.R.column(1) - 0.5 * (s0 + s1) * A.R.column(0));
      break;
    }
    case Kind::twist: row.M = cross(B.R.column(0), A.R.column(1)) - cross(B.R.column(1), A.R.column(0)); break;
    default: break;
  }
  return row;
}
inline bool has_step_row(const Relation& r) { return r.kind <= Relation::Kind::twist; }

}  // namespace bristle
