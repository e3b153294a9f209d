#pragma once
#include <cmath>

#include "bristle/constraint/touches.h"
#include "bristle/constraint/wrench.h"
#include "bristle/measure/touch_tools.h"

// What the rows of touches are made of, at an instant and over a step.

namespace bristle {

using TouchDual = Dual<kTouchDirections>;

/// Normal and tangents at a point: t1 is the given direction, kept square to the normal.
template <class T>
struct Triad {
  Vec3<T> axis[3];  ///< normal, t1, t2
};

template <class T>
Triad<T> triad(const Vec3<T>& normal, const Vec3<T>& along) {
  using std::sqrt;
  Triad<T> t;
  t.axis[0] = normal;
  Vec3<T> a = along - dot(along, normal) * normal;
  T square = dot(a, a);
  if (value_of(square) < 1e-6) {  // the old tangent has become the normal: any other will do
    Vec3<T> other;
    int least = 0;
    for (int k = 1; k < 3; ++k) {
      if (std::abs(value_of(normal[k])) < std::abs(value_of(normal[least]))) least = k;
    }
    other[least] = T(1);
    a = other - dot(other, normal) * normal;
    square = dot(a, a);
  }
  t.axis[1] = (1.0 / sqrt(square)) * a;
  t.axis[2] = cross(normal, t.axis[1]);
  return t;
}

template <class T>
Triad<T> triad_of(const Touches::Point& p, const Vec3<T>& normal, const Frame<T>& A, const double* marks) {
  if (p.basis < 0) {  // planar: the tangent lies in the plane, z x normal
    Triad<T> t;
    t.axis[0] = normal;
    t.axis[1][0] = -normal[1];
    t.axis[1][1] = normal[0];
    return t;
  }
  Vec3<T> mark;
  for (int k = 0; k < 3; ++k) mark[k] = T(marks[p.basis + k]);
  return triad(normal, A.R * mark);
}

/// The touches of an item, acting where it says.
template <class T>
void touch_at(const Touches::Item& it, const Frame<T>& A, const Frame<T>& B, const double* marks, Touch<T>* touch) {
  it.geometry->touch(A, B, marks + it.marks + 1, touch);
  if (it.shift == 0) return;
  for (std::size_t k = 0; k < it.points.size(); ++k)
    touch[k].point = touch[k].point + (it.shift * touch[k].gap) * touch[k].normal;
}

/// Adds a force f and its moment m to a wrench and its slopes.
inline void add_wrench(const Vec3<TouchDual>& f, const Vec3<TouchDual>& m, Vec3<>& F, Vec3<>& M, RelationSlope& slope) {
  for (int i = 0; i < 3; ++i) {
    F[i] += f[i].value, M[i] += m[i].value;
    for (int j = 0; j < 3; ++j) {
      const auto at = static_cast<std::size_t>(j);
      slope.F_d(i, j) += f[i].d[at], slope.F_A(i, j) += f[i].d[3 + at], slope.F_B(i, j) += f[i].d[6 + at];
      slope.M_d(i, j) += m[i].d[at], slope.M_A(i, j) += m[i].d[3 + at], slope.M_B(i, j) += m[i].d[6 + at];
    }
  }
}

inline Frame<TouchDual> varied(const Frame<>& F, bool shifts, int first_turn) {
  Frame<TouchDual> out;
  Vec3<TouchDual> turn;
  for (int i = 0; i < 3; ++i) {
    turn[i] = TouchDual::variable(0, first_turn + i);
    out.p[i] = shifts ? TouchDual::variable(F.p[i], i) : TouchDual(F.p[i]);
  }
  out.R = turned(F.R, turn);
  return out;
}

/// Is there a force on its rows?
inline bool is_loaded(const Touches::Point& p, const Eval& e) {
  return e.row_force[p.gap] != 0 || (p.slip[0] >= 0 && e.row_force[p.slip[0]] != 0) ||
         (p.slip[1] >= 0 && e.row_force[p.slip[1]] != 0);
}

/// What pushes at a point, summed over its rows.
inline Vec3<TouchDual> pushed(const Touches::Point& p, const Triad<TouchDual>& t, const Eval& e) {
  const int rows[3] = {p.gap, p.slip[0], p.slip[1]};
  Vec3<TouchDual> f;
  for (int r = 0; r < 3; ++r) {
    if (rows[r] >= 0) f = f + times(e.row_force[rows[r]], t.axis[r]);
  }
  return f;
}

/// Adds what pushes at all points, and how that turns with the bodies, to a wrench and its slopes.
inline void add_pushes(const Touches::Item& it, const MarkerPair& pair, const Eval& e, Vec3<>& F, Vec3<>& M,
                       RelationSlope& slope) {
  bool loaded = false;
  for (const Touches::Point& p : it.points) loaded = loaded || is_loaded(p, e);
  if (!loaded) return;
  Touch<TouchDual> touch[Touches::kMostPoints];
  const Frame<TouchDual> A = varied(pair.A, false, 3), B = varied(pair.B, true, 6);
  touch_at(it, A, B, e.marks, touch);
  for (std::size_t k = 0; k < it.points.size(); ++k) {
    const Touches::Point& p = it.points[k];
    if (!is_loaded(p, e)) continue;
    const Vec3<TouchDual> f = pushed(p, triad_of(p, touch[k].normal, A, e.marks), e);
    add_wrench(f, cross(touch[k].point - B.p, f), F, M, slope);
  }
}

}  // namespace bristle
