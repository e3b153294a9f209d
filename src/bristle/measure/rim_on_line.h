#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// A point of a line in space: where it is, and its derivatives by the length along the line.
template <class T = double>
struct LinePoint {
  Vec3<T> p, d1, d2;
};

/** A round rim of A, in the plane x, y of a frame, and a round surface of B about a line: a ring around a cylinder, or a disk inside a
hollow one. With P(psi) on the rim and c(S) on the line,
  side  1: gap = min over psi and S of |P - c| - r      the rim is outside, r the radius of the cylinder
  side -1: gap = r - max over psi, min over S of |P - c|    the rim is inside, r the radius of the bore
Both are stationary in psi and S, so that the gap changes by the motion of the material points alone: normal = side (c - P)/|c - P|.
Seen along the line the rim is an ellipse; in the quadrant where its nearest (farthest) point lies stationarity has exactly one root, so that
the angle is always the global one and needs no start value. S is found from a start value.
Where the line ends the rim meets the half ball about its last point: it slides off a rounded end, and on again.
Cannot: touch on two sides at once, as a thin ring that leans does: at a lean of acos(r/R) the other side meets, too.
Sources: Bauchau and Ju, Modeling Friction Phenomena in Flexible Multibody Dynamics, eqs. (8)-(14), for a disk in a straight cylinder;
the others by the same construction. */
struct Rim {
  double radius = 0;       ///< [m] of the rim
  double line_radius = 0;  ///< [m] of the surface about the line
  double side = 1;         ///< 1: the rim is around the line; -1: it is inside the bore
};

/// The nearest points of a rim and a line, on plain numbers.
struct RimSpot {
  double along = 0;     ///< [m] S
  double c = 1, s = 0;  ///< psi: cosine and sine
  bool at_end = false;  ///< the line ends there: S stays where it is
  double slide = 0;     ///< [m] of the rim along its axis, and whether it stays where the point of the line is
  bool slides = false;
};

/// Direction of the point of the rim that is nearest to a straight line (side 1) or farthest from it. In axes of the rim: u from its centre
/// to any point of the line, t along the line, of length one.
inline void look_along(const Rim& rim, const Vec3<>& u, const Vec3<>& t, double& c, double& s) {
  const double sine = std::hypot(t[0], t[1]);
  double fx = 1, fy = 0;  // in the plane of the lean; any where there is none
  if (sine > 1e-14) fx = t[0] / sine, fy = t[1] / sine;
  const double cosine = std::max(std::abs(t[2]), 1e-3);
  // the line seen from the centre: along the short half axis of the ellipse, and along the long one
  const double c1 = (u[0] * fx + u[1] * fy - sine * dot(u, t)) / cosine, c2 = u[1] * fx - u[0] * fy;
  const double R = rim.radius, p = R * cosine * std::abs(c1), q = R * std::abs(c2), difference = rim.side * R * R * sine * sine;
  double low = 0, high = 0.5 * std::numbers::pi, angle = std::atan2(q, p);
  if (p == 0 && q == 0 && difference < 0) angle = high;  // centred: the ends of the long axis are the farthest
  for (int k = 0; k < 60; ++k) {
    const double co = std::cos(angle), si = std::sin(angle);
    const double f = difference * si * co + p * si - q * co;  // rises through zero
    if (f == 0) break;
    if (f < 0) low = angle;
    else high = angle;
    const double slope = difference * (co * co - si * si) + p * co + q * si;
    const double step = -f / slope, next = angle + step;
    if (slope > 0 && std::abs(step) <= 1e-16) break;
    angle = slope > 0 && next > low && next < high ? next : 0.5 * (low + high);
  }
  const double x = rim.side * std::copysign(std::cos(angle), c1), y = rim.side * std::copysign(std::sin(angle), c2);
  c = x * fx - y * fy, s = x * fy + y * fx;
}

/// The wall between two rims, from `low` to `high` along their axis, and the half ball at the end of a line: the rim next to the last point.
inline RimSpot spot_at_end(const Rim& rim, const Frame<>& A, const Vec3<>& last, double along, double low, double high) {
  const Vec3<> u = transposed(A.R, last - A.p);
  const double across = std::hypot(u[0], u[1]);
  RimSpot spot{.along = along, .at_end = true};
  if (across > 0) spot.c = rim.side * u[0] / across, spot.s = rim.side * u[1] / across;
  spot.slides = u[2] > low && u[2] < high;
  spot.slide = std::clamp(u[2], low, high);
  return spot;
}

/// `line` has at(S), first(), last(), and longest(): how far a step along it may go. The search starts at `start`.
template <class Line>
RimSpot find_rim_spot(const Rim& rim, const Frame<>& A, const Line& line, double start) {
  constexpr int kMost = 60;
  const double first = line.first(), last = line.last(), longest = line.longest();
  RimSpot spot;
  spot.along = std::clamp(start, first, last);
  for (int k = 0; k < kMost; ++k) {
    const LinePoint<> at = line.at(spot.along);
    const Vec3<> u = transposed(A.R, at.p - A.p), d = transposed(A.R, at.d1), bend = transposed(A.R, at.d2);
    const double square = dot(d, d);
    Vec3<> r;  // from the line to the rim
    const auto off = [&] {
      r = Vec3<>{{rim.radius * spot.c - u[0], rim.radius * spot.s - u[1], -u[2]}};
      return dot(r, d);
    };
    look_along(rim, u, (1 / std::sqrt(square)) * d, spot.c, spot.s);
    double f = off();
    const auto beyond = [&] { return (spot.along >= last && f > 0) || (spot.along <= first && f < 0); };
    if (beyond()) {  // the point of the rim nearest to the last point of the line
      const RimSpot end = spot_at_end(rim, A, at.p, spot.along, 0, 0);
      spot.c = end.c, spot.s = end.s;
      f = off();
      if (beyond()) return end;
    }
    const double slope = std::max(square - dot(r, bend), 0.1 * square), step = std::clamp(f / slope, -longest, longest);
    const double next = std::clamp(spot.along + step, first, last), moved = std::abs(next - spot.along);
    spot.along = next;
    if (moved <= 4e-16 * (rim.radius + std::abs(next))) break;
  }
  return spot;
}

/// What touches, and where along the line: its value is that of the spot, its derivatives are exact.
template <class T>
struct RimTouch {
  Touch<T> touch;
  T along{};
};

template <class T>
RimTouch<T> touch_rim(const Rim& rim, const Frame<T>& A, const LinePoint<T>& at, const RimSpot& spot) {
  const double R = rim.radius;
  const Vec3<T> x = A.R.column(0), y = A.R.column(1), z = A.R.column(2);
  const Vec3<T> out = times(spot.c, x) + times(spot.s, y), across = times(-spot.s, x) + times(spot.c, y);
  Vec3<T> centre = A.p + times(spot.slide, z);
  const Vec3<T> r = at.p - centre - times(R, out);
  if (spot.slides) {
    const T ahead = dot(r, z);
    centre = centre + (ahead - value_of(ahead)) * z;
  }
  // both derivatives of half the squared distance stay what they are: how psi and S move
  const T by_turn = -R * dot(r, across), by_way = dot(r, at.d1);
  const T e1 = T(value_of(by_turn)) - by_turn, e2 = T(value_of(by_way)) - by_way;
  const Vec3<> r0 = value_of(r), d0 = value_of(at.d1);
  const double h11 = R * R + R * dot(r0, value_of(out)), h12 = -R * dot(d0, value_of(across)),
               h22 = dot(d0, d0) + dot(r0, value_of(at.d2)), det = h11 * h22 - h12 * h12;
  T turn(0.0), way(0.0);
  if (spot.at_end) {
    if (std::abs(h11) > 1e-12 * R * R) turn = e1 / h11;
  } else if (std::abs(det) > 1e-12 * R * R * std::abs(h22)) {
    turn = (h22 * e1 - h12 * e2) / det;
    way = (h11 * e2 - h12 * e1) / det;
  } else if (h22 > 0) {
    way = e2 / h22;
  }
  const Vec3<T> towards = out + turn * across, on_rim = centre + times(R, towards);
  const Vec3<T> moved = at.p + way * at.d1 - on_rim;
  Vec3<T> direction;
  const T distance = length_along(moved, 1e-12 * R, times(-1, out), direction);
  const Vec3<T> normal = times(rim.side, direction);
  const T gap = rim.side * (distance - rim.line_radius);
  return {{gap, normal, on_rim + (0.5 * gap) * normal}, spot.along + way};
}

/// An endless straight line.
struct StraightLine {
  Vec3<> p, t;
  static double first() { return -std::numeric_limits<double>::infinity(); }
  static double last() { return std::numeric_limits<double>::infinity(); }
  static double longest() { return last(); }
  LinePoint<> at(double along) const { return {p + along * t, t, {}}; }
};

/// The rim on the z axis of a frame.
template <class T>
Touch<T> touch_rim_on_axis(const Rim& rim, const Frame<T>& A, const Frame<T>& B) {
  const Vec3<T> z = B.R.column(2);
  const RimSpot spot = find_rim_spot(rim, value_of(A), StraightLine{value_of(B.p), value_of(z)}, 0);
  return touch_rim(rim, A, LinePoint<T>{B.p + times(spot.along, z), z, {}}, spot).touch;
}

}  // namespace bristle
