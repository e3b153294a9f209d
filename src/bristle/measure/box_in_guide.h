#pragma once
#include <cmath>
#include <string>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// Box of B in a straight guide of A with a rectangular bore along z: the prismatic joint with clearance. Markers in the middles.
/// Each corner of the box may touch the wall beside it across x and the one across y: 16 points, first the eight of the x walls.
/// Point i < 8 belongs to the corner whose signs along x, y, z are the bits 0, 1, 2 of i (0: +, 1: -). Names: wall, then the rest
/// of the corner, as in "right.top.front"; right/left: +-x, top/bottom: +-y, front/back: +-z.
///   gap = bore/2 - sign x_A.(corner - A),   normal = -sign x_A
/// Planar (a slider in the xz plane, its middle plane): four points "right.front", "left.front", "right.back", "left.back".
/// Cannot: a box that reaches out of its guide, where the edges of the guide press on the box (sleeve, in the plane); with
/// `guide_length` trouble() says so. Walls have no backs: a corner beyond a wall is inside, as far as it may be.
struct BoxInGuide {
  double guide_width = 0, guide_height = 0;              ///< [m] of the bore along x, y of A
  double box_width = 0, box_height = 0, box_length = 0;  ///< [m] along x, y, z of B
  bool planar = false;                                   ///< only the x walls, only corners with y = 0
  double guide_length = 0;                               ///< [m] centred at A; 0: endless

  int points() const { return planar ? 4 : 16; }
  std::string point_name(int point) const {
    const Corner c = corner(point);
    const std::string x = c.x > 0 ? "right" : "left", y = c.y > 0 ? "top" : "bottom", z = c.z > 0 ? "front" : "back";
    if (planar) return x + "." + z;
    return (c.wall == 0 ? x + "." + y : y + "." + x) + "." + z;
  }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    const double half[2] = {0.5 * guide_width, 0.5 * guide_height};
    for (int i = 0; i < points(); ++i) {
      const Corner c = corner(i);
      const Vec3<T> at = place_of(B, local(c));
      const double sign = c.wall == 0 ? c.x : c.y;
      const Vec3<T> normal = times(-sign, A.R.column(c.wall));
      out[i] = touch_of_b(T(half[c.wall] + dot(normal, at - A.p)), normal, at);
    }
  }

  const char* trouble(const Frame<>& A, const Frame<>& B, const double*) const {
    if (!(guide_length > 0)) return nullptr;
    for (int i = 0; i < points(); ++i) {
      if (std::abs(dot(A.R.column(2), place_of(B, local(corner(i))) - A.p)) > 0.5 * guide_length)
        return "the box reaches out of the guide. Use a longer guide, or put a stop on its way";
    }
    return nullptr;
  }

 private:
  struct Corner {
    int wall;
    double x, y, z;
  };
  Corner corner(int point) const {
    const auto sign = [&](int bit) { return (point >> bit) % 2 == 0 ? 1.0 : -1.0; };
    if (planar) return {0, sign(0), 0, sign(1)};
    return {point / 8, sign(0), sign(1), sign(2)};
  }
  Vec3<> local(const Corner& c) const {
    Vec3<> s;
    s[0] = 0.5 * c.x * box_width, s[1] = 0.5 * c.y * box_height, s[2] = 0.5 * c.z * box_length;
    return s;
  }
};

}  // namespace bristle
