#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "bristle/measure/circle_touch.h"
#include "bristle/measure/gjk.h"
#include "bristle/measure/pick_points.h"
#include "bristle/measure/solid.h"

namespace bristle {

/// Two cylinders, tubes or one of each, up to four points, or eight under a law with stiffness: rims on sides, in bores and on faces, sides across sides, rims across rims.
/// A shaft in a bore touches with its own rims inside and with the mouths of the bore along its side: two points at the ends of what they share
/// where it lies along the wall, two points across where it is tilted.
/// Each point has the gap and normal of just those two features, so that it keeps the contract of a touch by itself. A feature counts
/// where it is the true distance: where the point of one body is as far from all of the other as from that surface of it. Bodies that
/// stand past each other have their nearest points by support functions. Points that are not needed repeat the first one, opened by the
/// size of the bodies.
/// Cannot: rings that are linked like a chain; bodies that overlap by more than the wall of a tube.
struct RoundRound {
  const Solid &a, &b;
  bool rigid = false;  ///< four points that are chosen anew each time; else eight, of which each keeps its slot

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, Touch<T>* out) const {
    Features all;
    NearestPair nearest;
    if (find(value_of(A), value_of(B), all, nearest)) {
      Feature f;
      f.kind = Kind::nearest, f.home = 7, f.gap = nearest.gap, f.point = place_of(value_of(B), nearest.on_b);
      if (!all.push_back(f)) all[0] = f;
    }
    if (all.size() == 0) {  // nothing is near: a distance that keeps them apart
      Vec3<T> n;
      const T far = length_along(B.p - A.p, 1e-12 * size(), A.R.column(0), n);
      out[0] = {far + size(), n, A.p};
      for (std::size_t i = 1; i < (rigid ? 4 : kMostSlots); ++i) out[i] = out[0];
      return;
    }
    fill_slots(
        all, 1e-4 * least_size(), size(), rigid, [&](const Feature& f) { return touch_feature(A, B, f, nearest); }, out);
  }

 private:
  enum class Kind { side, bore, face, fixed, edges, rim, sides, nearest };
  struct Feature {
    Kind kind = Kind::sides;
    int home = 7;
    bool mirrored = false;   ///< the circle is of A, and what it meets of B
    bool second = false;     ///< the second place of a circle on a side
    CrossedCircles circles;  ///< the first one is on what it meets; its angle is that of a fixed place
    double gap = 0;
    Vec3<> point;
  };
  using Features = Few<Feature, 64>;

  double size() const { return a.reach() + b.reach(); }
  double least_size() const { return std::min({a.half()[0], a.half()[2], b.half()[0], b.half()[2]}); }

  template <class T>
  Touch<T> touch_feature(const Frame<T>& A, const Frame<T>& B, const Feature& f, const NearestPair& nearest = {}) const {
    if (f.kind == Kind::sides) return crossed_sides(A, B);
    if (f.kind == Kind::nearest) {
      const Vec3<T> n = constant<T>(nearest.normal), on_b = place_of(B, nearest.on_b);
      return touch_of_b(T(dot(n, on_b - place_of(A, nearest.on_a))), n, on_b);
    }
    const Frame<T>&F = f.mirrored ? A : B, &G = f.mirrored ? B : A;
    const Solid& on = f.mirrored ? b : a;
    const Circle& c = f.circles.first;
    Spot<T> spot;
    switch (f.kind) {
      case Kind::side: spot = circle_on_side(F, c, G, on.half()[0], f.second); break;
      case Kind::bore: spot = circle_in_bore(F, c, G, on.inner()); break;
      case Kind::face: spot = circle_on_face(F, c, G, f.circles.side, on.half()[2]); break;
      case Kind::fixed: {
        const Vec3<T> at = centre_of(F, c) + arm_of(F, c, T(f.circles.at[0]), T(f.circles.at[1]));
        spot = point_on_face(at, G, f.circles.side, on.half()[2]);
        break;
      }
      case Kind::rim: {
        spot.point = centre_of(F, c) + arm_of(F, c, T(f.circles.at[0]), T(f.circles.at[1]));
        spot.height = on.distance(transposed(G.R, spot.point - G.p), spot.normal);
        spot.normal = G.R * spot.normal;
        break;
      }
      default: spot = f.circles.spot(F, G);
    }
    return touch_over(spot.height, spot.normal, spot.point, 0, f.mirrored);
  }

  /// Two sides across each other, at the common perpendicular of the axes.
  template <class T>
  Touch<T> crossed_sides(const Frame<T>& A, const Frame<T>& B) const {
    const Vec3<T> ua = A.R.column(2), ub = B.R.column(2), d = B.p - A.p;
    Vec3<T> n = direction(cross(ua, ub));
    if (value_of(dot(n, d)) < 0) n = times(-1, n);
    const T c = dot(ua, ub), along = (c * dot(ua, d) - dot(ub, d)) / (1.0 - c * c);
    return touch_over(T(dot(n, d) - a.half()[0]), n, Vec3<T>(B.p + along * ub), b.half()[0], false);
  }

  void offer(const Frame<>& A, const Frame<>& B, Feature f, Features& all) const {
    const Touch<> t = touch_feature(A, B, f);
    f.gap = t.gap, f.point = t.point;
    for (const Feature& g : all) {
      if (!rigid && (f.kind == Kind::face || f.kind == Kind::fixed)) break;  // the lowest place passes over those that stay
      if (norm(g.point - f.point) < 1e-6 * least_size() && std::abs(g.gap - f.gap) < 1e-6 * least_size()) return;
    }
    all.push_back(f);
  }
  /// The same, where the point of the circle is as far from all of the other body as from the surface that it meets. Where the ends of
  /// both look the same way, as where they are flush, the face of the other one is no way out.
  void offer_true(const Frame<>& A, const Frame<>& B, const Feature& f, Features& all) const {
    const Touch<> t = touch_feature(A, B, f);
    const Vec3<> at = t.point + (f.mirrored ? -0.5 : 0.5) * t.gap * t.normal;
    const Frame<>&F = f.mirrored ? A : B, &G = f.mirrored ? B : A;
    const Solid& on = f.mirrored ? b : a;
    const Vec3<> q = transposed(G.R, at - G.p);
    const double round_off = 1e-9 * (size() + std::abs(t.gap)), above = std::abs(q[2]) - on.half()[2];
    const bool same_way = q[2] * f.circles.first.offset * dot(F.R.column(2), G.R.column(2)) > 0;
    if (f.kind != Kind::face && f.kind != Kind::fixed && same_way && t.gap < 0) {
      const double wall = f.kind == Kind::bore ? on.half()[0] - on.inner() : on.half()[0];
      if (above < round_off && t.gap > -0.5 * wall) offer(A, B, f, all);
      return;
    }
    Vec3<> unused;
    if (std::abs(on.distance(q, unused) - t.gap) < round_off) offer(A, B, f, all);
  }

  /// Does the body of G reach into the bore of the one of F?
  static bool enters(const Solid& hollow, const Frame<>& F, const Solid& other, const Frame<>& G) {
    if (hollow.kind() != Solid::Kind::tube || !(hollow.inner() > 0)) return false;
    const Solid bore = Solid::cylinder(hollow.inner(), 2 * hollow.half()[2]);
    return !Gjk(bore, F, other, G).apart();
  }

  static int circles_of(const Solid& s, std::array<Circle, 4>& c) {
    const double half = s.half()[2];
    c = {Circle{s.half()[0], half}, {s.half()[0], -half}, {s.inner(), half}, {s.inner(), -half}};
    return s.inner() > 0 ? 4 : 2;
  }

  /// Every pair of features that may touch; true where the nearest points of all are none of them.
  bool find(const Frame<>& A, const Frame<>& B, Features& all, NearestPair& nearest) const {
    const bool b_in_a = enters(a, A, b, B), a_in_b = enters(b, B, a, A);
    meet_sides(A, B, b_in_a, a_in_b, all);
    for (const bool mirrored : {false, true}) meet_faces(A, B, mirrored, all);
    const bool inside = b_in_a || a_in_b;
    if (!inside) {
      meet_crossed(A, B, all);
      nearest = Gjk(a, A, b, B).solve();
      if (least_gap(all) < nearest.gap + 1e-6 * least_size()) return false;
      if (is_met(A, B, nearest)) return true;
    }
    // over the mouth of a bore, or in it: rims that are about to cross are nearer than what was found so far
    const double near = std::max(0.0, least_gap(all));
    for (const bool mirrored : {false, true}) meet_rims(A, B, mirrored, near, all);
    return false;
  }
  static double least_gap(const Features& all) {
    double least = 1e300;
    for (const Feature& f : all) least = std::min(least, f.gap);
    return least;
  }

  void meet_crossed(const Frame<>& A, const Frame<>& B, Features& all) const {
    const double c = dot(A.R.column(2), B.R.column(2));
    if (1 - c * c > 1e-12) {
      Feature f;
      f.home = 7;
      const Touch<> t = crossed_sides(A, B);
      const auto covers = [&](const Solid& s, const Frame<>& F) {
        return std::abs(dot(F.R.column(2), t.point - F.p)) <= s.half()[2];
      };
      const bool outside = t.gap > -std::min(a.half()[0], b.half()[0]);
      if (outside && covers(a, A) && covers(b, B)) offer(A, B, f, all);
    }
  }

  /// Rims on sides and in bores; the mouths of a bore on what passes through it.
  void meet_sides(const Frame<>& A, const Frame<>& B, bool b_in_a, bool a_in_b, Features& all) const {
    for (const bool mirrored : {false, true}) {
      const Solid& from = mirrored ? a : b;
      const bool inside = mirrored ? a_in_b : b_in_a, around = mirrored ? b_in_a : a_in_b;
      std::array<Circle, 4> circles;
      const int count = circles_of(from, circles);
      for (int i = 0; i < count; ++i) {
        Feature f;
        f.mirrored = mirrored, f.circles.first = circles[static_cast<std::size_t>(i)];
        f.home = (mirrored ? 2 : 0) + i % 2;
        if (i < 2 && inside) {
          f.kind = Kind::bore;
          offer_true(A, B, f, all);
        }
        f.kind = Kind::side;
        if (i < 2 ? inside : !around) continue;
        offer_true(A, B, f, all);
        f.second = true, f.home += 4;
        if (NearestToAxis(mirrored ? A : B, f.circles.first, mirrored ? B : A, true).exists) offer_true(A, B, f, all);
      }
    }
  }

  /// Rims on the faces that look at them, and across the rims of these faces.
  void meet_faces(const Frame<>& A, const Frame<>& B, bool mirrored, Features& all) const {
    const Solid &from = mirrored ? a : b, &on = mirrored ? b : a;
    const Frame<>&F = mirrored ? A : B, &G = mirrored ? B : A;
    std::array<Circle, 4> circles, rims;
    const int count = circles_of(from, circles), others = circles_of(on, rims);
    const double cosine = dot(F.R.column(2), G.R.column(2)), sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    for (int i = 0; i < count; ++i) {
      for (const double side : {1.0, -1.0}) {
        Feature f;
        f.mirrored = mirrored, f.circles.first = circles[static_cast<std::size_t>(i)], f.circles.side = side;
        const Circle& c = f.circles.first;
        const double opposed = -side * std::copysign(1.0, c.offset) * cosine;
        const double height = side * dot(G.R.column(2), centre_of(F, c) - G.p) - on.half()[2];
        if (opposed < -0.1 || std::abs(height) > c.radius * sine + 0.1 * size()) continue;
        if (sine > 1e-9 || !rigid) {
          f.kind = Kind::face, f.home = mirrored ? 5 : 4;
          offer_true(A, B, f, all);
        }
        f.kind = Kind::edges, f.home = 6;
        for (int k = 0; k < others && !mirrored; ++k) {  // each pair once
          f.circles.second = rims[static_cast<std::size_t>(k)];
          if (f.circles.second.offset * side > 0 && (i < 2 || k < 2)) meet_edges(A, B, f, all);
        }
        if (opposed < 0.9) continue;
        f.kind = Kind::fixed;
        for (int k = 0; k < 4; ++k) {
          f.home = k;
          f.circles.at = {k % 2 == 0 ? 1.0 - k : 0.0, k % 2 == 1 ? 2.0 - k : 0.0, 1, 0};
          offer_true(A, B, f, all);
        }
      }
    }
  }

  /// Where a circle of B crosses a rim of A, seen along the axis of A.
  void meet_edges(const Frame<>& A, const Frame<>& B, Feature f, Features& all) const {
    constexpr int kSamples = 16;
    const Circle &c = f.circles.first, rim = f.circles.second;
    const Vec3<> centre = centre_of(B, c), axis = A.R.column(2);
    Vec3<> out;
    const auto beyond = [&](double angle) {
      out = centre + arm_of(B, c, std::cos(angle), std::sin(angle)) - A.p;
      out = out - dot(out, axis) * axis;
      return norm(out) - rim.radius;
    };
    const double part = 2 * std::numbers::pi / kSamples;
    double before = beyond(0);
    for (int k = 0; k < kSamples; ++k) {
      double low = k * part, high = low + part;
      const double after = beyond(high), first = before;
      before = after;
      if ((first > 0) == (after > 0)) continue;
      for (int i = 0; i < 30; ++i) {
        const double middle = 0.5 * (low + high);
        ((beyond(middle) > 0) == (first > 0) ? low : high) = middle;
      }
      beyond(low);
      f.circles.at = {std::cos(low), std::sin(low), dot(out, A.R.column(0)) / norm(out), dot(out, A.R.column(1)) / norm(out)};
      if (!f.circles.settle(B, A)) continue;
      offer_edges(A, B, f, all);
      f.home = f.home == 6 ? 7 : 6;  // they come in pairs
    }
  }
  /// Edges count where each of the two places is in the other body, or the nearest to it.
  void offer_edges(const Frame<>& A, const Frame<>& B, const Feature& f, Features& all) const {
    const Touch<> t = touch_feature(A, B, f);
    Vec3<> unused;
    const double in_a = a.distance(transposed(A.R, t.point + 0.5 * t.gap * t.normal - A.p), unused),
                 in_b = b.distance(transposed(B.R, t.point - 0.5 * t.gap * t.normal - B.p), unused);
    const double round_off = 1e-9 * size();
    const bool apart = t.gap > 0 && std::abs(in_a - t.gap) < round_off && std::abs(in_b - t.gap) < round_off;
    const bool overlap = t.gap <= 0 && t.gap > -0.25 * least_size() && in_a < round_off && in_b < round_off;
    if (apart || overlap) offer(A, B, f, all);
  }

  /// Places of rims that are nearest to the other body, for rims that a face of the other cuts through, or comes near to.
  void meet_rims(const Frame<>& A, const Frame<>& B, bool mirrored, double near, Features& all) const {
    const Solid &from = mirrored ? a : b, &on = mirrored ? b : a;
    const Frame<>&F = mirrored ? A : B, &G = mirrored ? B : A;
    std::array<Circle, 4> circles;
    const int count = circles_of(from, circles);
    const double cosine = dot(F.R.column(2), G.R.column(2)), sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
    for (int i = 0; i < count; ++i) {
      Feature f;
      f.kind = Kind::rim, f.mirrored = mirrored, f.circles.first = circles[static_cast<std::size_t>(i)];
      const Circle& c = f.circles.first;
      const Vec3<> centre = centre_of(F, c);
      const double height = std::abs(dot(G.R.column(2), centre - G.p)) - on.half()[2];
      if (std::abs(height) > c.radius * sine + near) continue;
      const auto distance = [&](double angle) {
        Vec3<> unused;
        return on.distance(transposed(G.R, centre + arm_of(F, c, std::cos(angle), std::sin(angle)) - G.p), unused);
      };
      each_least(distance, 1e-12 * c.radius, [&](double angle) {
        f.circles.at = {std::cos(angle), std::sin(angle), 1, 0};
        if (distance(angle) > 0) offer(A, B, f, all);  // those that cross are features of their own
      });
    }
  }

  /// Is each of the nearest points of the bodies without their bores at or in the other body? Not over the mouth of a bore.
  bool is_met(const Frame<>& A, const Frame<>& B, const NearestPair& nearest) const {
    Vec3<> unused;
    const double from_a = a.distance(transposed(A.R, place_of(B, nearest.on_b) - A.p), unused),
                 from_b = b.distance(transposed(B.R, place_of(A, nearest.on_a) - B.p), unused);
    const double most = std::max(nearest.gap, 0.0) + 1e-6 * least_size();
    return from_a < most && from_b < most;
  }
};

}  // namespace bristle
