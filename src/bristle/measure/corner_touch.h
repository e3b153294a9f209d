#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/measure/gjk.h"
#include "bristle/measure/pick_points.h"
#include "bristle/measure/solid.h"

namespace bristle {

/// A convex mesh with another one or a box, up to four points: corners over the face of the other body that looks most along the least
/// distance, and the nearest points of all where no corner is as near. Each point keeps the contract of a touch by itself; the nearest
/// points of all count as frozen for derivatives.
/// Cannot: edges across edges but for the nearest ones; two faces that share a polygon rest on the corners that lie over the other face.
struct CornerTouch {
  const Solid &a, &b;

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, Touch<T>* out) const {
    Features all;
    const NearestPair nearest = Gjk(a, value_of(A), b, value_of(B)).solve();
    const bool past = find(value_of(A), value_of(B), nearest, all);
    std::array<std::size_t, 4> pick{};
    std::size_t count = pick_points(all, 1e-4 * std::min(a.reach(), b.reach()), pick);
    for (std::size_t i = 0; i < count; ++i) out[i] = touch_feature(A, B, all[pick[i]]);
    if (past) {  // in place of the last one where all are taken
      count = std::min<std::size_t>(count, 3);
      const Vec3<T> n = constant<T>(nearest.normal), at = place_of(B, nearest.on_b);
      out[count++] = touch_of_b(T(dot(n, at - place_of(A, nearest.on_a))), n, at);
    }
    for (std::size_t i = count; i < 4; ++i) out[i] = out[0], out[i].gap = out[0].gap + (a.reach() + b.reach());
  }

 private:
  struct Plane {
    Vec3<> n, at;  ///< unit, outwards; a point of it
  };
  struct Feature {
    bool mirrored = false;  ///< the corner is of A, the face of B
    Vec3<> corner;
    Plane face;
    double gap = 0;
    Vec3<> point;
  };
  using Features = Few<Feature, 32>;

  template <class T>
  Touch<T> touch_feature(const Frame<T>& A, const Frame<T>& B, const Feature& f) const {
    const Frame<T>&F = f.mirrored ? A : B, &G = f.mirrored ? B : A;
    const Vec3<T> corner = place_of(F, f.corner), n = to_world(G, f.face.n);
    return touch_over(T(dot(n, corner - place_of(G, f.face.at))), n, corner, 0, f.mirrored);
  }

  static std::size_t corners_of(const Solid& s) { return s.kind() == Solid::Kind::box ? 8 : s.vertices().size(); }
  static Vec3<> corner_of(const Solid& s, std::size_t i) {
    if (s.kind() != Solid::Kind::box) return s.vertices()[i];
    Vec3<> c;
    for (int k = 0; k < 3; ++k) c[k] = (i >> k & 1u ? -1 : 1) * s.half()[k];
    return c;
  }
  static std::size_t faces_of(const Solid& s) { return s.kind() == Solid::Kind::box ? 6 : s.faces().size(); }
  static Plane face_of(const Solid& s, std::size_t i) {
    Plane p;
    if (s.kind() == Solid::Kind::box) {
      const int k = static_cast<int>(i % 3);
      p.n[k] = i < 3 ? 1 : -1, p.at[k] = p.n[k] * s.half()[k];
      return p;
    }
    const auto corner = [&](std::size_t k) { return s.vertices()[static_cast<std::size_t>(s.faces()[i][k])]; };
    p.at = corner(0), p.n = direction(cross(corner(1) - p.at, corner(2) - p.at));
    return p;
  }

  bool find(const Frame<>& A, const Frame<>& B, const NearestPair& nearest, Features& all) const {
    const double size = std::min(a.reach(), b.reach()), near = std::abs(nearest.gap) + 1e-2 * size;
    double least = 1e300;
    for (const bool mirrored : {false, true}) {
      const Solid &from = mirrored ? a : b, &on = mirrored ? b : a;
      const Frame<>&F = mirrored ? A : B, &G = mirrored ? B : A;
      const Vec3<> n = times(mirrored ? -1 : 1, nearest.normal), local = transposed(G.R, n);
      Feature f;
      f.mirrored = mirrored;
      double best = 0.9;  // less, and no face looks along the least distance
      for (std::size_t i = 0; i < faces_of(on); ++i) {
        const Plane p = face_of(on, i);
        if (dot(p.n, local) > best) best = dot(p.n, local), f.face = p;
      }
      if (!(best > 0.9)) continue;
      for (std::size_t i = 0; i < corners_of(from); ++i) {
        f.corner = corner_of(from, i);
        const Touch<> t = touch_feature(A, B, f);
        f.gap = t.gap, f.point = t.point;
        if (t.gap > nearest.gap + near || !covers(on, f.face, transposed(G.R, place_of(F, f.corner) - G.p))) continue;
        bool known = false;
        for (const Feature& g : all)
          known = known || (norm(g.point - f.point) < 1e-6 * size && std::abs(g.gap - f.gap) < 1e-6 * size);
        if (!known && all.push_back(f)) least = std::min(least, f.gap);
      }
    }
    return !(least < nearest.gap + 1e-6 * size);
  }
  /// Is a point over the face, behind all others of its body?
  static bool covers(const Solid& s, const Plane& face, const Vec3<>& q) {
    for (std::size_t i = 0; i < faces_of(s); ++i) {
      const Plane p = face_of(s, i);
      const Vec3<> over = q - dot(face.n, q - face.at) * face.n;
      if (dot(p.n, over - p.at) > 1e-6 * s.reach()) return false;
    }
    return true;
  }
};

}  // namespace bristle
