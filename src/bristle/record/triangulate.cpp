#include "bristle/record/triangulate.h"

#include <cmath>
#include <numbers>

#include "bristle/math/rotation.h"

namespace bristle {

namespace {

constexpr int kAround = 32, kOverPoles = 16;

// Appends corners that are given in the frame of the shape; corner numbers count from the first of this shape.
class Surface {
 public:
  Surface(const Shape& shape, Triangles& to) : shape_(shape), to_(to), first_(static_cast<int>(to.points.size() / 3)) {}

  int point(double x, double y, double z) {
    const auto& r = shape_.rotation;
    const Vector3 turned = rotate({r[0], r[1], r[2], r[3]}, {x, y, z});
    for (std::size_t i = 0; i < 3; ++i) to_.points.push_back(turned[i] + shape_.position[i]);
    return static_cast<int>(to_.points.size() / 3) - 1 - first_;
  }
  void triangle(int a, int b, int c) {
    for (const int i : {a, b, c}) to_.corners.push_back(first_ + i);
  }
  void quad(int a, int b, int c, int d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  /// A circle of kAround corners about z; the number of the first.
  int ring(double radius, double z) {
    const int first = static_cast<int>(to_.points.size() / 3) - first_;
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2 * std::numbers::pi * i / kAround;
      point(radius * std::cos(angle), radius * std::sin(angle), z);
    }
    return first;
  }
  /// The strip between two circles; it looks outward when `upper` is above `lower`, or inside it and seen from above.
  void strip(int lower, int upper) {
    for (int i = 0; i < kAround; ++i) {
      const int j = (i + 1) % kAround;
      quad(lower + i, lower + j, upper + j, upper + i);
    }
  }
  void fan(int ring, int centre, bool up) {
    for (int i = 0; i < kAround; ++i) {
      const int j = (i + 1) % kAround;
      if (up) triangle(ring + i, ring + j, centre);
      else triangle(ring + j, ring + i, centre);
    }
  }

 private:
  const Shape& shape_;
  Triangles& to_;
  int first_;
};

void box(Surface& s, const double* edge) {
  for (int i = 0; i < 8; ++i) s.point(edge[0] * ((i & 1) - 0.5), edge[1] * ((i >> 1 & 1) - 0.5), edge[2] * ((i >> 2 & 1) - 0.5));
  s.quad(0, 2, 3, 1);
  s.quad(4, 5, 7, 6);
  s.quad(0, 1, 5, 4);
  s.quad(2, 6, 7, 3);
  s.quad(0, 4, 6, 2);
  s.quad(1, 3, 7, 5);
}

void cylinder(Surface& s, double radius, double length) {
  const int lower = s.ring(radius, -0.5 * length), upper = s.ring(radius, 0.5 * length);
  s.strip(lower, upper);
  s.fan(lower, s.point(0, 0, -0.5 * length), false);
  s.fan(upper, s.point(0, 0, 0.5 * length), true);
}

void sphere(Surface& s, double radius) {
  const int south = s.point(0, 0, -radius), north = s.point(0, 0, radius);
  int below = -1;
  for (int k = 1; k < kOverPoles; ++k) {
    const double angle = std::numbers::pi * k / kOverPoles;
    const int ring = s.ring(radius * std::sin(angle), -radius * std::cos(angle));
    if (below < 0) s.fan(ring, south, false);
    else s.strip(below, ring);
    below = ring;
  }
  s.fan(below, north, true);
}

void tube(Surface& s, double outer, double inner, double length) {
  const int outer_low = s.ring(outer, -0.5 * length), outer_high = s.ring(outer, 0.5 * length);
  const int inner_low = s.ring(inner, -0.5 * length), inner_high = s.ring(inner, 0.5 * length);
  s.strip(outer_low, outer_high);
  s.strip(outer_high, inner_high);
  s.strip(inner_high, inner_low);
  s.strip(inner_low, outer_low);
}

void mesh(Surface& s, const Shape& shape) {
  for (std::size_t i = 0; i + 2 < shape.points.size(); i += 3) s.point(shape.points[i], shape.points[i + 1], shape.points[i + 2]);
  for (std::size_t i = 0; i + 2 < shape.triangles.size(); i += 3)
    s.triangle(shape.triangles[i], shape.triangles[i + 1], shape.triangles[i + 2]);
}

}  // namespace

void triangulate(const Shape& shape, Triangles& to) {
  Surface s(shape, to);
  switch (shape.kind) {
    case Shape::Kind::box: return box(s, shape.size);
    case Shape::Kind::cylinder: return cylinder(s, shape.size[0], shape.size[1]);
    case Shape::Kind::sphere: return sphere(s, shape.size[0]);
    case Shape::Kind::tube: return tube(s, shape.size[0], shape.size[1], shape.size[2]);
    case Shape::Kind::mesh: return mesh(s, shape);
  }
}

}  // namespace bristle
