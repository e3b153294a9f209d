#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/measure/gjk.h"
#include "bristle/measure/pick_points.h"

namespace bristle {

/// Two boxes, up to four points: corners on faces and edges across edges, each with the gap and normal of just those two
/// features, so that every point keeps the contract of a touch by itself. The faces come from the separating axis with the
/// largest separation; corners and crossings are those of the two faces seen along it. Points that are not needed repeat the
/// first one, opened by the size of the boxes.
struct BoxBox {
  Vec3<> half_a, half_b;  ///< [m] half sizes

  /// find_nearest(): the NearestPair of the boxes, asked for only where no faces meet.
  template <class T, class Find>
  void touch(const Frame<T>& A, const Frame<T>& B, const Find& find_nearest, Touch<T>* out) const {
    Few<Feature, 24> all;
    find(value_of(A), value_of(B), all);
    std::array<std::size_t, 4> pick{};
    const std::size_t count = pick_points(all, 1e300, pick);
    for (std::size_t i = 0; i < count; ++i) out[i] = touch_feature(A, B, all[pick[i]]);
    if (count == 0) {  // past each other: the nearest points of all
      const NearestPair nearest = find_nearest();
      const Vec3<T> n = constant<T>(nearest.normal);
      const Vec3<T> on_b = place_of(B, nearest.on_b);
      out[0] = touch_of_b(T(dot(n, on_b - place_of(A, nearest.on_a))), n, on_b);
    }
    for (std::size_t i = std::max<std::size_t>(count, 1); i < 4; ++i)
      out[i] = out[0], out[i].gap = out[0].gap + (norm(half_a) + norm(half_b));
  }

 private:
  enum class Kind { corner_of_b, corner_of_a, edges };
  struct Feature {
    Kind kind = Kind::edges;
    int axis_a = 0, axis_b = 0;
    double sign = 1;
    Vec3<> a, b;  // corner, or a point of the edge, in its frame
    double gap = 0;
    Vec3<> point;
  };

  template <class T>
  Touch<T> touch_feature(const Frame<T>& A, const Frame<T>& B, const Feature& f) const {
    if (f.kind == Kind::corner_of_b) {
      const Vec3<T> n = times(f.sign, A.R.column(f.axis_a)), at = place_of(B, f.b);
      return touch_of_b(T(dot(n, at - A.p) - half_a[f.axis_a]), n, at);
    }
    if (f.kind == Kind::corner_of_a) {
      const Vec3<T> n = times(f.sign, B.R.column(f.axis_b)), at = place_of(A, f.a);
      const T gap = dot(n, at - B.p) - half_b[f.axis_b];
      return {gap, times(-1, n), at - (0.5 * gap) * n};
    }
    using std::sqrt;
    const Vec3<T> ea = A.R.column(f.axis_a), eb = B.R.column(f.axis_b), d = place_of(B, f.b) - place_of(A, f.a),
                  c = times(f.sign, cross(ea, eb));
    const T square = dot(c, c);
    const Vec3<T> n = (1.0 / sqrt(square)) * c;
    const T cosine = dot(ea, eb), along = (cosine * dot(ea, d) - dot(eb, d)) / square;
    return touch_of_b(T(dot(n, d)), n, place_of(B, f.b) + along * eb);
  }

  void offer(const Frame<>& A, const Frame<>& B, Feature f, Few<Feature, 24>& all) const {
    const Touch<> t = touch_feature(A, B, f);
    f.gap = t.gap, f.point = t.point;
    const double size = norm(half_a) + norm(half_b);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (norm(all[i].point - f.point) < 1e-6 * size) return;
    }
    all.push_back(f);
  }

  void find(const Frame<>& A, const Frame<>& B, Few<Feature, 24>& all) const {
    const Vec3<> d = B.p - A.p;
    const double small = std::min({half_a[0], half_a[1], half_a[2], half_b[0], half_b[1], half_b[2]});
    double best = -1e300;
    int face = 0;
    const auto separation = [&](const Vec3<>& n) {
      double s = std::abs(dot(n, d));
      for (int k = 0; k < 3; ++k) s -= half_a[k] * std::abs(dot(n, A.R.column(k))) + half_b[k] * std::abs(dot(n, B.R.column(k)));
      return s;
    };
    for (int k = 0; k < 6; ++k) {
      const double s = separation(k < 3 ? A.R.column(k) : B.R.column(k - 3));
      if (s > best + (k == 3 ? 1e-9 * small : 0)) best = s, face = k;
    }
    double best_edge = -1e300;
    int edge = 0;
    for (int k = 0; k < 9; ++k) {
      const Vec3<> c = cross(A.R.column(k / 3), B.R.column(k % 3));
      if (!(norm(c) > 1e-6)) continue;
      const double s = separation(direction(c));
      if (s > best_edge) best_edge = s, edge = k;
    }
    if (best_edge > best) {
      Feature f;
      f.axis_a = edge / 3, f.axis_b = edge % 3;
      Vec3<> m = cross(A.R.column(f.axis_a), B.R.column(f.axis_b));
      f.sign = dot(m, d) < 0 ? -1 : 1;
      m = f.sign * m;
      for (int k = 0; k < 3; ++k) {
        f.a[k] = k == f.axis_a ? 0 : std::copysign(half_a[k], dot(m, A.R.column(k)));
        f.b[k] = k == f.axis_b ? 0 : -std::copysign(half_b[k], dot(m, B.R.column(k)));
      }
      offer(A, B, f, all);
      if (best_edge > best + 0.01 * small) return;  // else the faces are nearly as good, and know more points
    }
    // the pair of faces: one across the axis, the other the most opposed to it
    Vec3<> n = face < 3 ? A.R.column(face) : B.R.column(face - 3);
    if (dot(n, d) < 0) n = times(-1, n);
    Side a{&A, half_a, 0, 1}, b{&B, half_b, 0, 1};
    a.aim(n), b.aim(times(-1, n));
    if (face < 3) a.axis = face, a.sign = std::copysign(1.0, dot(n, A.R.column(face)));
    else b.axis = face - 3, b.sign = -std::copysign(1.0, dot(n, B.R.column(face - 3)));
    for (int k = 0; k < 4; ++k) {
      Feature f;
      f.kind = Kind::corner_of_b, f.axis_a = a.axis, f.sign = a.sign, f.b = b.corner(k);
      if (a.covers(place_of(B, f.b), n)) offer(A, B, f, all);
      f.kind = Kind::corner_of_a, f.axis_b = b.axis, f.sign = b.sign, f.a = a.corner(k);
      if (b.covers(place_of(A, f.a), n)) offer(A, B, f, all);
    }
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        Feature f;
        f.axis_a = a.edge(i, f.a), f.axis_b = b.edge(j, f.b);
        const Vec3<> ea = A.R.column(f.axis_a), eb = B.R.column(f.axis_b), c = cross(ea, eb),
                     gap = place_of(B, f.b) - place_of(A, f.a);
        const double det = dot(n, c);
        if (!(std::abs(det) > 0.1)) continue;  // nearly along each other: their ends are corners over the faces
        f.sign = det < 0 ? -1 : 1;
        // where they cross, seen along n
        const double s = dot(n, cross(gap, eb)) / det, t = dot(n, cross(gap, ea)) / det;
        if (std::abs(s) <= half_a[f.axis_a] && std::abs(t) <= half_b[f.axis_b]) offer(A, B, f, all);
      }
    }
  }

  /// A face of a box.
  struct Side {
    const Frame<>* frame;
    Vec3<> half;
    int axis;
    double sign;
    void aim(const Vec3<>& n) {
      for (int k = 0; k < 3; ++k) {
        if (std::abs(dot(n, frame->R.column(k))) > std::abs(dot(n, frame->R.column(axis)))) axis = k;
      }
      sign = std::copysign(1.0, dot(n, frame->R.column(axis)));
    }
    Vec3<> corner(int k) const {
      Vec3<> c;
      c[axis] = sign * half[axis];
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      c[u] = (k % 2 == 0 ? 1 : -1) * half[u], c[v] = (k / 2 == 0 ? 1 : -1) * half[v];
      return c;
    }
    int edge(int k, Vec3<>& middle) const {
      middle = Vec3<>();
      middle[axis] = sign * half[axis];
      const int along = (axis + 1 + k % 2) % 3, across = (axis + 2 - k % 2) % 3;
      middle[across] = (k / 2 == 0 ? 1 : -1) * half[across];
      return along;
    }
    /// Is a point over this face, seen along n?
    bool covers(const Vec3<>& point, const Vec3<>& n) const {
      const Vec3<> out = frame->R.column(axis), d = point - frame->p;
      const double toward = dot(out, n);
      if (!(std::abs(toward) > 1e-3)) return false;
      const Vec3<> x = d - ((dot(out, d) - sign * half[axis]) / toward) * n;
      for (int k = 1; k < 3; ++k) {
        const int u = (axis + k) % 3;
        if (std::abs(dot(frame->R.column(u), x)) > half[u] * (1 + 1e-9)) return false;
      }
      return true;
    }
  };
};

}  // namespace bristle
