#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "bristle/measure/disk_in_cylinder.h"
#include "bristle/measure/touch_tools.h"

namespace bristle {

/// A circle of a round body: the edge of an end face.
struct Circle {
  double radius = 0;  ///< [m]
  double offset = 0;  ///< [m] of its centre along the axis z of the body
};

/// A point of a body over a surface of another one: how high, the gradient of that, and where.
template <class T = double>
struct Spot {
  T height{};
  Vec3<T> normal, point;
};

template <class T>
Vec3<T> centre_of(const Frame<T>& F, const Circle& c) {
  return F.p + times(c.offset, F.R.column(2));
}
/// From the centre, for an angle given as cosine and sine.
template <class T>
Vec3<T> arm_of(const Frame<T>& F, const Circle& c, const T& cosine, const T& sine) {
  return (c.radius * cosine) * F.R.column(0) + (c.radius * sine) * F.R.column(1);
}

/// Where a circle of F is nearest to the axis z of G. Seen along that axis the circle is an ellipse with half axes a = r cos(tilt) and b = r;
/// in the quadrant that points to the axis, at c = (c1, c2) from the centre,
///   (b^2 - a^2) sin cos + a |c1| sin - b |c2| cos = 0
/// has exactly one root: over sin cos its left side only grows. So the place is always the nearest of all. Across the long axis there may
/// be a second place that is nearest in its neighbourhood, -|c1| in the equation: where the axis passes over the circle twice.
struct NearestToAxis {
  std::array<double, 2> at{1, 0};  ///< cosine and sine
  bool exists = true;

  NearestToAxis(const Frame<>& F, const Circle& c, const Frame<>& G, bool second) {
    const Vec3<> x = F.R.column(0), y = F.R.column(1), k = G.R.column(2);
    Vec3<> m = centre_of(F, c) - G.p;
    m = m - dot(m, k) * k;
    const double ex = dot(x, k), ey = dot(y, k), sine = std::hypot(ex, ey);
    double fx = 1, fy = 0;  // along the tilt; any for a circle across the axis
    if (sine > 1e-14) fx = ex / sine, fy = ey / sine;
    const double r = c.radius, p = -r * dot(m, fx * x + fy * y), q = -r * dot(m, fx * y - fy * x), K = r * r * sine * sine;
    const double Q = std::abs(q), P = second ? -std::abs(p) : std::abs(p);
    const auto slope_at = [&](double co, double si) { return K * si * co + P * si - Q * co; };
    double low = 0, high = 0.5 * std::numbers::pi, angle = Q > 0 ? std::atan2(Q, std::abs(P)) : 0;
    if (second) {
      high = std::atan2(std::cbrt(Q), std::cbrt(-P));  // where the left side over sin cos is largest
      exists = K > 0 && slope_at(std::cos(high), std::sin(high)) > 0;
      if (!exists) return;
      angle = 0.5 * high;
    }
    for (int i = 0; i < 60; ++i) {
      const double co = std::cos(angle), si = std::sin(angle), f = slope_at(co, si);
      if (f == 0) break;
      if (f < 0) low = angle;
      else high = angle;
      const double slope = K * (co * co - si * si) + P * co + Q * si, step = -f / slope, next = angle + step;
      if (slope > 0 && std::abs(step) <= 1e-16) break;
      angle = slope > 0 && next > low && next < high ? next : 0.5 * (low + high);
    }
    const double u = (second ? -1 : 1) * std::copysign(std::cos(angle), p), v = std::copysign(std::sin(angle), q);
    at = {u * fx - v * fy, u * fy + v * fx};
  }
};

/// The place of a circle of F that is nearest to the side of a cylinder around the axis z of G, or the second one. Derivatives are exact:
/// the place moves as its equation says.
template <class T>
Spot<T> circle_on_side(const Frame<T>& F, const Circle& c, const Frame<T>& G, double radius, bool second = false) {
  const NearestToAxis nearest(value_of(F), c, value_of(G), second);
  const double c0 = nearest.at[0], s0 = nearest.at[1];
  const Vec3<T> k = G.R.column(2), centre = centre_of(F, c);
  const auto across = [&](const Vec3<T>& v) { return v - dot(v, k) * k; };
  Vec3<T> arm = arm_of(F, c, T(c0), T(s0));
  if constexpr (!std::is_same_v<T, double>) {
    const Vec3<T> w = across(centre + arm - G.p), along = arm_of(F, c, T(-s0), T(c0));
    const T residual = dot(w, along);
    const Vec3<T> seen = across(along);
    const double slope = value_of(dot(seen, seen)) - value_of(dot(w, arm));
    T turn(0.0);
    if (slope > 1e-12 * c.radius * c.radius) turn = (T(value_of(residual)) - residual) / slope;
    arm = arm_of(F, c, T(c0 - s0 * turn), T(s0 + c0 * turn));
  }
  Spot<T> spot;
  spot.point = centre + arm;
  spot.height = length_along(across(spot.point - G.p), 1e-12 * (c.radius + radius), G.R.column(0), spot.normal) - radius;
  return spot;
}

/// The place of a circle of F that is nearest to the wall of a bore around the axis z of G, from inside.
template <class T>
Spot<T> circle_in_bore(const Frame<T>& F, const Circle& c, const Frame<T>& G, double bore) {
  Touch<T> t;
  DiskInCylinder{bore, c.radius, c.offset, 0, 0}.touch(G, F, nullptr, &t);
  return {t.gap, t.normal, t.point + (0.5 * t.gap) * t.normal};
}

/// A point over the face of a round body of G at z = side half.
template <class T>
Spot<T> point_on_face(const Vec3<T>& point, const Frame<T>& G, double side, double half) {
  const Vec3<T> n = times(side, G.R.column(2));
  return {dot(n, point - G.p) - half, n, point};
}
/// The place of a circle of F that is lowest over such a face; the circle must be tilted against it.
template <class T>
Spot<T> circle_on_face(const Frame<T>& F, const Circle& c, const Frame<T>& G, double side, double half) {
  const Vec3<T> axis = F.R.column(2), k = G.R.column(2), w = k - dot(k, axis) * axis;
  Vec3<T> down;
  length_along(w, 1e-14, F.R.column(0), down);
  return point_on_face(Vec3<T>(centre_of(F, c) + times(-side * c.radius, down)), G, side, half);
}

/// The angles at which a function around a circle is least, each in its neighbourhood: to about the root of round-off, where the
/// function itself is exact. Of places that are alike the first; one where all differ by less than `level`.
template <class F, class Use>
void each_least(const F& function, double level, const Use& use) {
  constexpr int kSamples = 32;
  constexpr double kGolden = 0.6180339887498949, part = 2 * std::numbers::pi / kSamples;
  std::array<double, kSamples> sample;
  for (int k = 0; k < kSamples; ++k) sample[static_cast<std::size_t>(k)] = function(k * part);
  const auto [least, most] = std::minmax_element(sample.begin(), sample.end());
  if (*most - *least < level) {
    use(part * static_cast<double>(least - sample.begin()));
    return;
  }
  const auto at = [&](int k) { return sample[static_cast<std::size_t>((k + kSamples) % kSamples)]; };
  for (int k = 0; k < kSamples; ++k) {
    if (at(k) >= at(k - 1) || at(k) > at(k + 1)) continue;
    double low = (k - 1) * part, high = (k + 1) * part;
    double x = high - kGolden * (high - low), y = low + kGolden * (high - low), fx = function(x), fy = function(y);
    for (int i = 0; i < 44; ++i) {
      if (fx < fy) high = y, y = x, fy = fx, x = high - kGolden * (high - low), fx = function(x);
      else low = x, x = y, fx = fy, y = low + kGolden * (high - low), fy = function(y);
    }
    use(0.5 * (low + high));
  }
}

/// Edges that cross: the places of two circles, given as cosines and sines, moved to where they are nearest to each other. The normal
/// points from the second circle, of G, to the side of its axis `side`.
struct CrossedCircles {
  Circle first, second;
  double side = 1;
  std::array<double, 4> at{1, 0, 1, 0};  ///< cosine and sine on each

  /// One step of Newton's method to (p1 - p2).t1 = (p1 - p2).t2 = 0 from `at`; false where the circles run along each other.
  template <class T>
  bool step(const Frame<T>& F, const Frame<T>& G, T& by1, T& by2) const {
    const Vec3<T> r1 = arm_of(F, first, T(at[0]), T(at[1])), r2 = arm_of(G, second, T(at[2]), T(at[3]));
    const Vec3<T> t1 = arm_of(F, first, T(-at[1]), T(at[0])), t2 = arm_of(G, second, T(-at[3]), T(at[2]));
    const Vec3<T> d = centre_of(F, first) + r1 - centre_of(G, second) - r2;
    const Vec3<> D = value_of(d), T1 = value_of(t1), T2 = value_of(t2);
    const double a = dot(T1, T1) - dot(D, value_of(r1)), b = -dot(T1, T2), e = -dot(T2, T2) - dot(D, value_of(r2)),
                 det = a * e + b * b;  // the matrix is (a, b; -b, e)
    by1 = by2 = T(0.0);
    if (!(std::abs(det) > 0.03 * dot(T1, T1) * dot(T2, T2))) return false;
    const T f = dot(d, t1), g = dot(d, t2);
    by1 = (b * g - e * f) / det, by2 = (T(0.0) - b * f - a * g) / det;
    return true;
  }
  bool settle(const Frame<>& F, const Frame<>& G) {
    for (int i = 0; i < 12; ++i) {
      double by1 = 0, by2 = 0;
      if (!step(F, G, by1, by2) || !(std::abs(by1) + std::abs(by2) < 1)) return false;
      for (int k = 0; k < 2; ++k) {
        const double by = k == 0 ? by1 : by2, c = at[u2(k)], s = at[u2(k) + 1];
        at[u2(k)] = c * std::cos(by) - s * std::sin(by), at[u2(k) + 1] = s * std::cos(by) + c * std::sin(by);
      }
      if (std::abs(by1) + std::abs(by2) < 1e-10) return true;
    }
    return false;
  }
  template <class T>
  Spot<T> spot(const Frame<T>& F, const Frame<T>& G) const {
    T by1(0.0), by2(0.0);
    if constexpr (!std::is_same_v<T, double>) {
      if (step(F, G, by1, by2)) by1 = by1 - value_of(by1), by2 = by2 - value_of(by2);
    }
    const T c1 = at[0] - at[1] * by1, s1 = at[1] + at[0] * by1, c2 = at[2] - at[3] * by2, s2 = at[3] + at[2] * by2;
    const Vec3<T> p1 = centre_of(F, first) + arm_of(F, first, c1, s1), p2 = centre_of(G, second) + arm_of(G, second, c2, s2);
    const Vec3<T> t1 = arm_of(F, first, T(-s1), c1), t2 = arm_of(G, second, T(-s2), c2);
    Vec3<T> n = direction(cross(t1, t2));
    if (side * dot(value_of(n), value_of(G.R.column(2))) < 0) n = times(-1, n);
    return {dot(n, p1 - p2), n, p1};
  }

 private:
  static constexpr std::size_t u2(int k) { return k == 0 ? 0 : 2; }
};

}  // namespace bristle
