#pragma once
#include <cmath>
#include <random>
#include <vector>

#include "bristle/measure/solid.h"
#include "touch_check.h"

namespace bristle::touch_check {

/// Many points of a body's surface, in its frame.
inline std::vector<Vec3<>> cloud(const Solid& s, int count, Random& r) {
  std::vector<Vec3<>> out;
  std::normal_distribution<> n;
  for (int k = 0; k < count; ++k) {
    const Vec3<> d = direction(vec(n(r), n(r), n(r)));
    switch (s.kind()) {
      case Solid::Kind::box: {
        Vec3<> x = vec(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
        x[k % 3] = k % 2 == 0 ? 1 : -1;
        if (k % 4 == 0) x[(k + 1) % 3] = x[(k + 1) % 3] > 0 ? 1 : -1;
        for (int i = 0; i < 3; ++i) x[i] *= s.half()[i];
        out.push_back(x);
        break;
      }
      case Solid::Kind::cylinder: {
        const double a = between(r, 0, 2 * M_PI), z = k % 2 == 0 ? between(r, -1, 1) : (k % 4 == 1 ? 1 : -1);
        const double radius = k % 8 < 6 ? 1 : std::sqrt(between(r, 0, 1));
        out.push_back(vec(s.half()[0] * (k % 2 == 0 ? 1 : radius) * std::cos(a),
                          s.half()[0] * (k % 2 == 0 ? 1 : radius) * std::sin(a), s.half()[2] * z));
        break;
      }
      case Solid::Kind::tube: {
        // walls, faces, and edges more often
        const double a = between(r, 0, 2 * M_PI), inner = s.inner(), outer = s.half()[0];
        const bool end = k % 4 > 1;
        const double radius = k % 8 < 6 && end ? between(r, inner, outer) : (k % 2 == 0 ? inner : outer);
        const double z = end ? (k % 16 < 8 ? 1 : -1) : between(r, -1, 1);
        out.push_back(vec(radius * std::cos(a), radius * std::sin(a), z * s.half()[2]));
        break;
      }
      case Solid::Kind::ellipsoid: out.push_back(vec(s.half()[0] * d[0], s.half()[1] * d[1], s.half()[2] * d[2])); break;
      case Solid::Kind::capsule:
        if (k % 2 == 0) out.push_back(vec(0, 0, between(r, -1, 1) * s.half()[2]) + s.radius() * direction(vec(d[0], d[1], 0)));
        else out.push_back(s.support(d) + s.radius() * d);
        break;
      case Solid::Kind::mesh: {
        const auto& f = s.faces()[static_cast<std::size_t>(k) % s.faces().size()];
        double u = between(r, 0, 1), v = between(r, 0, 1);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        if (k % 3 == 0) v = 0;  // the edges more often
        const auto at = [&](std::size_t i) { return s.vertices()[static_cast<std::size_t>(f[i])]; };
        out.push_back((1 - u - v) * at(0) + u * at(1) + v * at(2));
        break;
      }
      default: out.push_back(s.support(d) + s.radius() * d);
    }
  }
  return out;
}

}  // namespace bristle::touch_check
