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

/// A tube with a ball, a capsule, a box or a convex mesh, up to four points.
/// - ball: the nearest point of the tube to its centre; where it is too large for the bore, three places of the mouth as well, so that it
///   can sit on it;
/// - capsule: both ends as balls, the rims of the tube on its side, sides across each other;
/// - box, mesh: corners on the tube, and the places of the rims that are nearest to them; outside of the bore the nearest points of all.
/// Each point keeps the contract of a touch by itself. Derivatives of gaps are exact, those of normals and points too, but for rims on
/// boxes and meshes and the nearest points of all, whose places count as frozen for one evaluation.
/// Cannot: rims that lie deep in an edge of a box: their normal is that of one of its faces.
struct TubeTouch {
  const Solid &tube, &other;
  bool mirrored;  ///< the tube is B

  /// F: of the tube; G: of the other one.
  template <class T>
  void touch(const Frame<T>& F, const Frame<T>& G, Touch<T>* out) const {
    Features all;
    NearestPair nearest;
    const bool past = find(value_of(F), value_of(G), all, nearest);
    std::array<std::size_t, 4> pick{};
    std::size_t count = pick_points(all, 1e-4 * std::min(tube.half()[0], tube.half()[2]), pick);
    for (std::size_t i = 0; i < count; ++i) out[i] = touch_feature(F, G, all[pick[i]]);
    if (past) {  // in place of the last one where all are taken
      count = std::min<std::size_t>(count, 3);
      const Vec3<T> n = constant<T>(nearest.normal), at = place_of(G, nearest.on_b);
      out[count++] = touch_over(T(dot(n, at - place_of(F, nearest.on_a))), n, at, other.radius(), mirrored);
    }
    const double size = tube.reach() + other.reach();
    for (std::size_t i = count; i < 4; ++i) out[i] = out[0], out[i].gap = out[0].gap + size;
  }

 private:
  enum class Kind { ball, mouth, rim_on_side, rim, sides };
  struct Feature {
    Kind kind = Kind::ball;
    Vec3<> at;            ///< centre of the ball in the frame of the other, place of the mouth or rim in that of the tube
    Circle circle;        ///< of the tube
    bool second = false;  ///< its second place on a side
    double gap = 0;
    Vec3<> point;
  };
  static constexpr std::size_t kMost = 32;
  using Features = Few<Feature, kMost>;

  template <class T>
  Touch<T> touch_feature(const Frame<T>& F, const Frame<T>& G, const Feature& f) const {
    switch (f.kind) {
      case Kind::ball: {
        const Vec3<T> centre = place_of(G, f.at);
        Vec3<T> n;
        const T height = tube.distance(transposed(F.R, centre - F.p), n);
        return touch_over(height, F.R * n, centre, other.radius(), mirrored);
      }
      case Kind::rim_on_side: {
        const Spot<T> s = circle_on_side(F, f.circle, G, other.radius(), f.second);
        return touch_over(s.height, s.normal, s.point, 0, !mirrored);
      }
      case Kind::sides: return crossed_sides(F, G);
      default: {
        const Vec3<T> at = place_of(F, f.at);
        Vec3<T> n;
        const T height = other.distance(transposed(G.R, at - G.p), n) - other.radius();
        return touch_over(height, G.R * n, at, 0, !mirrored);
      }
    }
  }
  /// The side of a capsule across the outside of the tube.
  template <class T>
  Touch<T> crossed_sides(const Frame<T>& F, const Frame<T>& G) const {
    const Vec3<T> u = F.R.column(2), w = G.R.column(2), d = G.p - F.p;
    Vec3<T> n = direction(cross(u, w));
    if (value_of(dot(n, d)) < 0) n = times(-1, n);
    const T c = dot(u, w), along = (c * dot(u, d) - dot(w, d)) / (1.0 - c * c);
    return touch_over(T(dot(n, d) - tube.half()[0]), n, Vec3<T>(G.p + along * w), other.radius(), mirrored);
  }

  /// Of more than there is room for, those with the least gaps stay.
  void offer(const Frame<>& F, const Frame<>& G, Feature f, Features& all) const {
    const Touch<> t = touch_feature(F, G, f);
    f.gap = t.gap, f.point = t.point;
    const double close = 1e-6 * std::min(tube.half()[0], tube.half()[2]);
    for (const Feature& g : all) {
      if (norm(g.point - f.point) < close && std::abs(g.gap - f.gap) < close) return;
    }
    if (all.push_back(f)) return;
    std::size_t worst = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].gap > all[worst].gap) worst = i;
    }
    if (f.gap < all[worst].gap) all[worst] = f;
  }
  std::array<Circle, 4> rims() const {
    const double half = tube.half()[2];
    return {Circle{tube.half()[0], half}, {tube.half()[0], -half}, {tube.inner(), half}, {tube.inner(), -half}};
  }
  int rim_count() const { return tube.inner() > 0 ? 4 : 2; }

  bool find(const Frame<>& F, const Frame<>& G, Features& all, NearestPair& nearest) const {
    using Body = Solid::Kind;
    if (other.kind() == Body::sphere) return meet_ball(F, G, all), false;
    if (other.kind() == Body::capsule) return meet_capsule(F, G, all), false;
    Feature f;
    const bool box = other.kind() == Body::box;
    const std::size_t corners = box ? 8 : other.vertices().size();
    for (std::size_t i = 0; i < corners; ++i) {
      if (box) {
        for (int k = 0; k < 3; ++k) f.at[k] = (i >> k & 1u ? -1 : 1) * other.half()[k];
      } else {
        f.at = other.vertices()[i];
      }
      offer(F, G, f, all);
    }
    for (int i = 0; i < rim_count(); ++i) meet_rim(F, G, rims()[static_cast<std::size_t>(i)], all);
    const Solid bore = Solid::cylinder(std::max(tube.inner(), 1e-9 * tube.reach()), 2 * tube.half()[2]);
    if (!Gjk(bore, F, other, G).apart()) return false;
    nearest = Gjk(tube, F, other, G).solve();
    const double round_off = 1e-6 * std::min(tube.half()[0], tube.half()[2]);
    for (const Feature& g : all) {
      if (g.gap < nearest.gap + round_off) return false;
    }
    Vec3<> unused;
    return tube.distance(transposed(F.R, place_of(G, nearest.on_b) - F.p), unused) < std::max(nearest.gap, 0.0) + round_off;
  }

  void meet_ball(const Frame<>& F, const Frame<>& G, Features& all) const {
    Feature f;
    offer(F, G, f, all);
    if (!(other.radius() > tube.inner()) || !(tube.inner() > 0)) return;
    f.kind = Kind::mouth;
    const double side = dot(F.R.column(2), G.p - F.p) < 0 ? -1 : 1;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * std::numbers::pi * k / 3;
      f.at[0] = tube.inner() * std::cos(angle), f.at[1] = tube.inner() * std::sin(angle), f.at[2] = side * tube.half()[2];
      offer(F, G, f, all);
    }
  }

  void meet_capsule(const Frame<>& F, const Frame<>& G, Features& all) const {
    Feature f;
    for (const double end : {1.0, -1.0}) {
      f.at = times(end, other.half());
      offer(F, G, f, all);
    }
    const Vec3<> axis = G.R.column(2);
    const auto beside = [&](const Vec3<>& at) { return std::abs(dot(axis, at - G.p)) <= other.half()[2]; };
    f.kind = Kind::rim_on_side;
    for (int i = 0; i < rim_count(); ++i) {
      f.circle = rims()[static_cast<std::size_t>(i)];
      for (const bool second : {false, true}) {
        f.second = second;
        if (second && !NearestToAxis(F, f.circle, G, true).exists) continue;
        const Spot<> s = circle_on_side(F, f.circle, G, other.radius(), second);
        // an outer rim is no part of the surface that a capsule in the bore may reach
        if (beside(s.point) && (i > 1 || s.height > -other.radius())) offer(F, G, f, all);
      }
    }
    const double c = dot(F.R.column(2), axis);
    if (!(1 - c * c > 1e-12)) return;
    f.kind = Kind::sides;
    const Touch<> t = crossed_sides(F, G);
    const double way = mirrored ? 1 : -1;
    const bool outside = t.gap + other.radius() > 0.5 * (tube.inner() - tube.half()[0]);
    if (outside && std::abs(dot(F.R.column(2), t.point + 0.5 * way * t.gap * t.normal - F.p)) <= tube.half()[2] &&
        beside(t.point - (0.5 * t.gap + other.radius()) * way * t.normal))
      offer(F, G, f, all);
  }

  /// Places of a rim that are nearest to the other body, each in its neighbourhood; and four that stay, for faces on faces.
  void meet_rim(const Frame<>& F, const Frame<>& G, const Circle& rim, Features& all) const {
    const auto local = [&](double angle) {
      Vec3<> at;
      at[0] = rim.radius * std::cos(angle), at[1] = rim.radius * std::sin(angle), at[2] = rim.offset;
      return at;
    };
    const auto height = [&](double angle) {
      Vec3<> unused;
      return other.distance(transposed(G.R, place_of(F, local(angle)) - G.p), unused);
    };
    Feature f;
    f.kind = Kind::rim;
    for (int k = 0; k < 4; ++k) {
      f.at = local(0.5 * std::numbers::pi * k);
      offer(F, G, f, all);
    }
    each_least(height, [&](double angle) {
      f.at = local(angle);
      offer(F, G, f, all);
    });
  }
};

}  // namespace bristle
