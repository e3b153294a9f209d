#pragma once
#include <cmath>
#include <limits>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// A face: plane across one axis of a frame, at an offset along it, outward in the direction `side`. `half` cuts a rectangle out
/// of it, along the next two axes (x, y, z, x, ...) around the axis itself.
struct Face {
  int axis = 2;       ///< 0, 1, 2: x, y, z
  double side = 1;    ///< +1: solid lies below, free space along +axis; -1: the other way
  double offset = 0;  ///< [m] along the axis
  double half[2] = {std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::infinity()};  ///< [m] half sizes; endless

  /// Distance of a point from the face, its gradient by the point, in the world. Beyond the edges the face
  /// is seen from its rim, and a point is never inside: one that slides over the edge comes free.
  template <class T>
  T distance(const Frame<T>& F, const Vec3<T>& point, Vec3<T>& gradient) const {
    using std::sqrt;
    const Vec3<T> out = times(side, F.R.column(axis)), d = point - F.p;
    const T height = dot(d, out) - side * offset;
    gradient = out;
    T beyond[2] = {T(0.0), T(0.0)};
    for (int k = 0; k < 2; ++k) {
      const T x = dot(d, F.R.column((axis + 1 + k) % 3));
      if (value_of(x) > half[k]) beyond[k] = x - half[k];
      else if (value_of(x) < -half[k]) beyond[k] = x + half[k];
    }
    if (value_of(beyond[0]) == 0 && value_of(beyond[1]) == 0) return height;
    const T length = sqrt(height * height + beyond[0] * beyond[0] + beyond[1] * beyond[1]);
    if (!(value_of(length) > 1e-150)) return height;
    gradient = (1.0 / length) * (height * out + beyond[0] * F.R.column((axis + 1) % 3) + beyond[1] * F.R.column((axis + 2) % 3));
    return length;
  }
};

/// A point of one marker against a face of the other: stops, corners, feet.
///   gap = distance of the point from the face (negative below it), normal = its gradient, reversed when the face belongs to B
/// Cannot: a face with thickness; whatever is behind it is inside, as deep as it may be.
struct PointOnPlane {
  Vec3<> point;           ///< [m] in the frame of its marker
  Face face;              ///< of the other marker
  bool mirrored = false;  ///< false: point of B, face of A; true: point of A, face of B
  double radius = 0;      ///< [m] of curvature of the point, for contact laws; it does not shift the gap
  static constexpr int kPoints = 1;

  ContactPair pair(int) const { return mirrored ? ContactPair{radius, 0, 0} : ContactPair{0, radius, 0}; }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    const Vec3<T> at = place_of(mirrored ? A : B, point);
    Vec3<T> gradient;
    const T gap = face.distance(mirrored ? B : A, at, gradient);
    out[0] = {gap, mirrored ? times(-1, gradient) : gradient, at - (0.5 * gap) * gradient};
  }
};

}  // namespace bristle
