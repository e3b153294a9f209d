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

/// A round body (capsule, cylinder, tube) with a ball, a capsule, a box or a convex mesh, up to four points, or eight under a law with
/// stiffness.
/// - balls (a sphere, the ends of a capsule) and corners on the round body; a ball that is too large for a bore has three places of its
///   mouth as well, so that it can sit on it;
/// - the ends of a round capsule, and the rims of a cylinder or tube, where they are nearest to the other body;
/// - its side across that of a capsule, or across the edges of a box or mesh;
/// - where none of them is the nearest, the nearest points of all; not over the mouth of a bore.
/// Each point keeps the contract of a touch by itself. Derivatives of gaps are exact, those of normals and points too, but for rims on
/// boxes and meshes and the nearest points of all, whose places count as frozen for one evaluation.
/// Cannot: rims that lie deep in an edge of a box: their normal is that of one of its faces.
struct RodTouch {
  const Solid &rod, &other;
  bool mirrored;  ///< the round body is B

  bool rigid = false;  ///< four points that are chosen anew each time; else eight, of which each keeps its slot

  /// F: of the round body; G: of the other one.
  template <class T>
  void touch(const Frame<T>& F, const Frame<T>& G, Touch<T>* out) const {
    Features all;
    NearestPair nearest;
    if (find(value_of(F), value_of(G), all, nearest)) {
      Feature f;
      f.kind = Kind::nearest, f.home = 7, f.gap = nearest.gap - rod.radius() - other.radius();
      f.point = place_of(value_of(G), nearest.on_b);
      if (!all.push_back(f)) all[0] = f;
    }
    fill_slots(
        all, 1e-4 * small(), rod.reach() + other.reach(), rigid,
        [&](const Feature& f) { return touch_feature(F, G, f, nearest); }, out);
  }

 private:
  enum class Kind { ball, mouth, end, rim_on_side, rim, sides, nearest };
  struct Feature {
    Kind kind = Kind::ball;
    int home = 0;
    Vec3<> at;  ///< of the other: centre of a ball, corner, a point of an edge; of the round body: end, place of the mouth or rim
    Vec3<> along;         ///< of an edge, in the frame of the other
    Circle circle;        ///< of the round body
    bool second = false;  ///< its second place on a side
    double gap = 0;
    Vec3<> point;
  };
  static constexpr std::size_t kMost = 32;
  using Features = Few<Feature, kMost>;

  double thickness() const { return rod.is_round() ? rod.half()[0] : rod.radius(); }
  double small() const { return std::min(thickness(), rod.is_round() ? rod.half()[2] : rod.radius()); }

  template <class T>
  Touch<T> touch_feature(const Frame<T>& F, const Frame<T>& G, const Feature& f, const NearestPair& nearest = {}) const {
    switch (f.kind) {
      case Kind::nearest: {
        const Vec3<T> n = constant<T>(nearest.normal), at = place_of(G, nearest.on_b);
        return touch_over(T(dot(n, at - place_of(F, nearest.on_a)) - rod.radius()), n, at, other.radius(), mirrored);
      }
      case Kind::ball: {
        const Vec3<T> centre = place_of(G, f.at);
        Vec3<T> n;
        const T height = rod.distance(transposed(F.R, centre - F.p), n) - rod.radius();
        return touch_over(height, F.R * n, centre, other.radius(), mirrored);
      }
      case Kind::rim_on_side: {
        const Spot<T> s = circle_on_side(F, f.circle, G, other.radius(), f.second);
        return touch_over(s.height, s.normal, s.point, 0, !mirrored);
      }
      case Kind::sides: return crossed_sides(F, G, f);
      default: {
        const Vec3<T> at = place_of(F, f.at);
        Vec3<T> n;
        const T height = other.distance(transposed(G.R, at - G.p), n) - other.radius();
        return touch_over(height, G.R * n, at, f.kind == Kind::end ? rod.radius() : 0, !mirrored);
      }
    }
  }
  /// The side of the round body from outside across a line of the other one: the axis of a capsule, an edge.
  template <class T>
  Touch<T> crossed_sides(const Frame<T>& F, const Frame<T>& G, const Feature& f) const {
    const Vec3<T> u = F.R.column(2), w = to_world(G, f.along), start = place_of(G, f.at), d = start - F.p;
    Vec3<T> n = direction(cross(u, w));
    if (value_of(dot(n, d)) < 0) n = times(-1, n);
    const T c = dot(u, w), along = (c * dot(u, d) - dot(w, d)) / (1.0 - c * c);
    return touch_over(T(dot(n, d) - thickness()), n, Vec3<T>(start + along * w), other.radius(), mirrored);
  }

  /// Of more than there is room for, those with the least gaps stay.
  void offer(const Frame<>& F, const Frame<>& G, Feature f, Features& all) const {
    const Touch<> t = touch_feature(F, G, f);
    f.gap = t.gap, f.point = t.point;
    if (!is_foremost(F, G, f, t)) return;
    const double close = 1e-6 * small();
    for (const Feature& g : all) {
      if (!rigid && f.kind == Kind::rim) break;  // the lowest place passes over those that stay
      if (norm(g.point - f.point) < close && std::abs(g.gap - f.gap) < close) return;
    }
    if (all.push_back(f)) return;
    std::size_t worst = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].gap > all[worst].gap) worst = i;
    }
    if (f.gap < all[worst].gap) all[worst] = f;
  }
  /// A point touches with a normal along which its body does not reach far beyond it: a rim that is flush with the side of a box is no
  /// stop against that side.
  bool is_foremost(const Frame<>& F, const Frame<>& G, const Feature& f, const Touch<>& t) const {
    const Vec3<> to_other = times(mirrored ? -1 : 1, t.normal);  // from the round body
    const bool of_other = f.kind == Kind::ball;
    if (!of_other && (rod.inner() > 0 || (f.kind != Kind::end && f.kind != Kind::rim))) return true;
    const Vec3<> way = times(of_other ? -1 : 1, to_other);
    const Frame<>& H = of_other ? G : F;
    const Vec3<> local = transposed(H.R, way), farthest = (of_other ? other : rod).support(local);
    return dot(local, farthest - f.at) < 0.1 * std::min(small(), other.reach());
  }
  std::array<Circle, 4> rims() const {
    const double half = rod.half()[2];
    return {Circle{rod.half()[0], half}, {rod.half()[0], -half}, {rod.inner(), half}, {rod.inner(), -half}};
  }
  int rim_count() const { return rod.is_round() ? (rod.inner() > 0 ? 4 : 2) : 0; }

  /// True where `nearest` is to be taken as well.
  bool find(const Frame<>& F, const Frame<>& G, Features& all, NearestPair& nearest) const {
    const bool round = other.kind() == Solid::Kind::sphere || other.kind() == Solid::Kind::capsule;
    const bool inside = !round && rod.inner() > 0 && !Gjk(Solid::cylinder(rod.inner(), 2 * rod.half()[2]), F, other, G).apart();
    if (!rod.is_round()) meet_ends(F, G, all);
    if (other.kind() == Solid::Kind::sphere) {
      meet_ball(F, G, all);
    } else if (round) {
      meet_capsule(F, G, all);
    } else {
      meet_corners(F, G, all);
      if (!inside) meet_edges(F, G, all);
      meet_rims(F, G, all);
    }
    if (all.size() > 0 && (round || inside)) return false;
    nearest = Gjk(rod, F, other, G).solve();
    if (all.size() == 0) return true;
    const double gap = nearest.gap - rod.radius(), round_off = 1e-6 * small();
    for (const Feature& g : all) {
      if (g.gap < gap + round_off) return false;
    }
    Vec3<> unused;
    return rod.inner() == 0 ||
           rod.distance(transposed(F.R, place_of(G, nearest.on_b) - F.p), unused) < std::max(nearest.gap, 0.0) + round_off;
  }

  void meet_ends(const Frame<>& F, const Frame<>& G, Features& all) const {
    Feature f;
    f.kind = Kind::end;
    for (const double end : {1.0, -1.0}) {
      f.at = times(end, rod.half()), f.home = end > 0 ? 4 : 5;
      offer(F, G, f, all);
    }
  }

  void meet_ball(const Frame<>& F, const Frame<>& G, Features& all) const {
    Feature f;
    offer(F, G, f, all);
    if (!(other.radius() > rod.inner()) || !(rod.inner() > 0)) return;
    f.kind = Kind::mouth;
    const double side = dot(F.R.column(2), G.p - F.p) < 0 ? -1 : 1;
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * std::numbers::pi * k / 3;
      f.home = 1 + k;
      f.at[0] = rod.inner() * std::cos(angle), f.at[1] = rod.inner() * std::sin(angle), f.at[2] = side * rod.half()[2];
      offer(F, G, f, all);
    }
  }

  void meet_capsule(const Frame<>& F, const Frame<>& G, Features& all) const {
    Feature f;
    for (const double end : {1.0, -1.0}) {
      f.at = times(end, other.half()), f.home = end > 0 ? 0 : 1;
      offer(F, G, f, all);
    }
    const Vec3<> axis = G.R.column(2);
    f.kind = Kind::rim_on_side;
    for (int i = 0; i < rim_count(); ++i) {
      f.circle = rims()[static_cast<std::size_t>(i)];
      for (const bool second : {false, true}) {
        f.second = second, f.home = second ? 6 : 2 + i % 2;
        if (second && !NearestToAxis(F, f.circle, G, true).exists) continue;
        const Spot<> s = circle_on_side(F, f.circle, G, other.radius(), second);
        const bool beside = std::abs(dot(axis, s.point - G.p)) <= other.half()[2];
        // an outer rim is no part of the surface that a capsule in the bore may reach
        if (beside && (i > 1 || s.height > -other.radius())) offer(F, G, f, all);
      }
    }
    f = Feature{};
    f.home = 7;
    f.at = times(-1, other.half()), f.along[2] = 1;
    meet_line(F, G, f, 2 * other.half()[2], all);
  }

  /// Sides across a line of the other one that is `length` long.
  void meet_line(const Frame<>& F, const Frame<>& G, Feature f, double length, Features& all) const {
    f.kind = Kind::sides;
    const Vec3<> u = F.R.column(2), w = to_world(G, f.along);
    const double c = dot(u, w);
    if (!(1 - c * c > 1e-12)) return;
    const Touch<> t = crossed_sides(F, G, f);
    const Vec3<> n = times(mirrored ? -1 : 1, t.normal), foot = t.point + (0.5 * t.gap + other.radius()) * n;
    const double along = dot(w, foot - place_of(G, f.at));
    const bool outside = rod.inner() == 0 || t.gap + other.radius() > 0.5 * (rod.inner() - thickness());
    const double height = dot(u, foot - F.p), above = std::abs(height) - rod.half()[2], round_off = 1e-9 * rod.reach();
    if (!outside || above > round_off || along < 0 || along > length) return;
    // below the end of a cylinder that stands on the other body, the way out is past that end
    if (rod.is_round() && above > t.gap) {
      const Vec3<> out = std::copysign(1.0, height) * u, farthest = place_of(G, other.support(transposed(G.R, out)));
      if (dot(out, farthest - F.p) - rod.half()[2] > 1e-6 * small()) return;
    }
    offer(F, G, f, all);
  }

  void meet_corners(const Frame<>& F, const Frame<>& G, Features& all) const {
    const bool box = other.kind() == Solid::Kind::box;
    const std::size_t count = box ? 8 : other.vertices().size();
    Feature f;
    for (std::size_t i = 0; i < count; ++i) {
      f.home = static_cast<int>(i % kMostSlots);
      if (box) {
        for (int k = 0; k < 3; ++k) f.at[k] = (i >> k & 1u ? -1 : 1) * other.half()[k];
      } else {
        f.at = other.vertices()[i];
      }
      offer(F, G, f, all);
    }
  }
  void meet_edges(const Frame<>& F, const Frame<>& G, Features& all) const {
    Feature f;
    if (other.kind() == Solid::Kind::box) {
      for (int k = 0; k < 12; ++k) {
        const int a = k % 3, b = (a + 1) % 3, c = (a + 2) % 3;
        f.along = Vec3<>();
        f.home = k % 8;
        f.along[a] = 1, f.at[a] = -other.half()[a];
        f.at[b] = (k / 3 % 2 == 0 ? 1 : -1) * other.half()[b], f.at[c] = (k / 6 == 0 ? 1 : -1) * other.half()[c];
        meet_line(F, G, f, 2 * other.half()[a], all);
      }
      return;
    }
    for (const auto& face : other.faces()) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int from = face[k], to = face[(k + 1) % 3];
        if (from > to) continue;  // the neighbour has it
        f.at = other.vertices()[static_cast<std::size_t>(from)];
        const Vec3<> way = other.vertices()[static_cast<std::size_t>(to)] - f.at;
        const double length = norm(way);
        if (!(length > 0)) continue;
        f.along = (1 / length) * way, f.home = 6;
        meet_line(F, G, f, length, all);
      }
    }
  }

  /// Places of the rims that are nearest to a box or mesh, each in its neighbourhood; and four that stay where a rim lies on a face.
  void meet_rims(const Frame<>& F, const Frame<>& G, Features& all) const {
    Feature f;
    f.kind = Kind::rim;
    for (int i = 0; i < rim_count(); ++i) {
      const Circle rim = rims()[static_cast<std::size_t>(i)];
      const auto local = [&](double angle) {
        Vec3<> at;
        at[0] = rim.radius * std::cos(angle), at[1] = rim.radius * std::sin(angle), at[2] = rim.offset;
        return at;
      };
      const auto height = [&](double angle) {
        Vec3<> unused;
        return other.distance(transposed(G.R, place_of(F, local(angle)) - G.p), unused);
      };
      bool flat = true;
      f.home = 4 + i % 2;
      each_least(height, 1e-12 * rim.radius, [&](double angle) {
        f.at = local(angle);
        offer(F, G, f, all);
        Vec3<> n;
        other.distance(transposed(G.R, place_of(F, f.at) - G.p), n);
        flat = std::abs(dot(G.R * n, F.R.column(2))) > 0.9;
        f.home = f.home < 6 ? f.home + 2 : f.home - 2;
      });
      for (int k = 0; k < 4 && flat; ++k) {
        f.at = local(0.5 * std::numbers::pi * k), f.home = k;
        offer(F, G, f, all);
      }
    }
  }
};

}  // namespace bristle
