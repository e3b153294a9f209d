#pragma once
#include <cmath>
#include <numbers>

#include "bristle/base/visitor.h"
#include "bristle/body/inertia.h"

namespace bristle {

/// A cone around its z axis: the base at z = 0, the tip at z = length. Seen, and touching others, it is round as 48 corners are.
struct Cone {
  double radius = kRequired, length = kRequired;
  void visit(Visitor& v) {
    v("radius", radius, unit::metre, positive, "of the base");
    v("length", length, unit::metre, positive, "from the base to the tip");
  }
  MassProperties solid() const {  // at density one
    constexpr double kPi = std::numbers::pi;
    MassProperties m;
    m.mass = kPi * radius * radius * length / 3;
    m.center[2] = length / 4;
    m.inertia(2, 2) = 0.3 * m.mass * radius * radius;
    m.inertia(0, 0) = m.inertia(1, 1) = 3 * m.mass / 20 * (radius * radius + length * length / 4);
    return m;
  }
  Mesh surface() const {
    constexpr int kCorners = 48;
    Mesh m;
    m.points = {Vec3<>{{0, 0, 0}}, Vec3<>{{0, 0, length}}};
    for (int i = 0; i < kCorners; ++i) {
      const double angle = 2 * std::numbers::pi * i / kCorners;
      m.points.push_back(Vec3<>{{radius * std::cos(angle), radius * std::sin(angle), 0}});
      const int here = 2 + i, next = 2 + (i + 1) % kCorners;
      m.triangles.insert(m.triangles.end(), {0, next, here, 1, here, next});  // base and side, seen from outside
    }
    return m;
  }
};

}  // namespace bristle
