#pragma once
#include <cmath>

#include "bristle/measure/touch.h"

namespace bristle {

// Small vector functions that the touching geometries share.

/// s a, with a plain number s.
template <class T>
Vec3<T> times(double s, const Vec3<T>& a) {
  Vec3<T> b;
  for (int i = 0; i < 3; ++i) b[i] = s * a[i];
  return b;
}

/// A fixed vector of a frame, in world axes.
template <class T>
Vec3<T> to_world(const Frame<T>& F, const Vec3<>& local) {
  Vec3<T> w;
  for (int i = 0; i < 3; ++i) w[i] = F.R(i, 0) * local[0] + F.R(i, 1) * local[1] + F.R(i, 2) * local[2];
  return w;
}

/// A fixed point of a frame, in the world.
template <class T>
Vec3<T> place_of(const Frame<T>& F, const Vec3<>& local) {
  return F.p + to_world(F, local);
}

/// The same vector on another number type.
template <class T>
Vec3<T> constant(const Vec3<>& a) {
  Vec3<T> b;
  for (int i = 0; i < 3; ++i) b[i] = T(a[i]);
  return b;
}

/// The plain numbers behind a vector and a frame.
template <class T>
Vec3<> value_of(const Vec3<T>& a) {
  Vec3<> b;
  for (int i = 0; i < 3; ++i) b[i] = value_of(a[i]);
  return b;
}
template <class T>
Frame<> value_of(const Frame<T>& F) {
  Frame<> G;
  for (std::size_t i = 0; i < 9; ++i) G.R.m[i] = value_of(F.R.m[i]);
  G.p = value_of(F.p);
  return G;
}

/// Length and direction of d. Shorter than `shortest` (below round-off of the bodies' sizes) it counts along `spare`, a unit
/// vector, so that the length keeps a gradient: the direction. Non-physical; moves the length by no more than `shortest`.
template <class T>
T length_along(const Vec3<T>& d, double shortest, const Vec3<T>& spare, Vec3<T>& along) {
  using std::sqrt;
  const T square = dot(d, d);
  if (!(value_of(square) > shortest * shortest)) {
    along = spare;
    return dot(d, spare);
  }
  const T length = sqrt(square);
  along = T(1.0 / length) * d;
  return length;
}

/// A touch from a surface point of B: the point of action is the middle between it and its partner on A, one gap against the
/// normal.
template <class T>
Touch<T> touch_of_b(const T& gap, const Vec3<T>& normal, const Vec3<T>& on_b) {
  return {gap, normal, on_b - (0.5 * gap) * normal};
}

/// A touch of a point with a radius around it over a surface that belongs to A, or to B where `mirrored`; `height` of the point over the
/// surface, `n` its gradient.
template <class T>
Touch<T> touch_over(const T& height, const Vec3<T>& n, const Vec3<T>& point, double radius, bool mirrored) {
  const T gap = height - radius;
  return {gap, mirrored ? times(-1, n) : n, point - (0.5 * gap + radius) * n};
}

}  // namespace bristle
