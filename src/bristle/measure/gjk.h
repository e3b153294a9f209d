#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bristle/measure/solid.h"

namespace bristle {

/// A list of up to N things without allocation; what does not fit is left out.
template <class V, std::size_t N>
class Few {
 public:
  Few() = default;
  Few(const Few& other) { *this = other; }
  Few& operator=(const Few& other) {  // no more than there is
    count_ = other.count_;
    std::copy(other.begin(), other.end(), things_.begin());
    return *this;
  }
  bool push_back(const V& v) {
    if (count_ == N) return false;
    things_[count_++] = v;
    return true;
  }
  void erase(std::size_t i) { things_[i] = things_[--count_]; }
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  bool full() const { return count_ == N; }
  V& operator[](std::size_t i) { return things_[i]; }
  const V& operator[](std::size_t i) const { return things_[i]; }
  const V* begin() const { return things_.data(); }
  const V* end() const { return things_.data() + count_; }

 private:
  std::array<V, N> things_;
  std::size_t count_ = 0;
};

/// Nearest (or, overlapping, least deep) points of two convex cores, by their support functions.
struct NearestPair {
  double gap = 0;     ///< [m] of the cores, without roundings
  Vec3<> normal;      ///< from A to B, world
  Vec3<> on_a, on_b;  ///< in the frames of their markers
};

/// Gilbert-Johnson-Keerthi distance, then the expanding polytope where the cores overlap. Plain numbers only.
/// Sources: Gilbert, Johnson and Keerthi, A fast procedure for computing the distance between complex objects in
/// three-dimensional space (1988); van den Bergen, Proximity queries and penetration depth computation on 3D game objects (2001).
class Gjk {
 public:
  Gjk(const Solid& a, const Frame<>& A, const Solid& b, const Frame<>& B) : a_(a), b_(b), A_(A), B_(B) {}

  NearestPair solve() {
    NearestPair p;
    if (separate(p)) return p;
    return refined(overlap());
  }
  /// Do the cores leave each other free?
  bool apart() {
    NearestPair unused;
    return separate(unused);
  }

 private:
  /// Distance of cores that do not overlap; false where they do.
  bool separate(NearestPair& p) {
    const double size = a_.reach() + b_.reach(), far = norm(B_.p - A_.p);
    Vec3<> v = B_.p + shift_ - A_.p;
    if (!(norm(v) > 1e-12 * size)) v = A_.R.column(0);
    simplex_.clear();
    simplex_.push_back(support(v));
    v = closest();
    for (int i = 0; i < 200; ++i) {
      const double square = dot(v, v);
      if (simplex_.size() == 4 || !(square > 1e-24 * size * size)) return false;
      const Vertex w = support(v);
      bool known = false;
      for (const Vertex& x : simplex_) known = known || norm(x.w - w.w) <= 1e-15 * (size + far);
      if (known || square - dot(v, w.w) <= 1e-15 * square) break;
      const Few<Vertex, 4> before = simplex_;
      const std::array<double, 4> shares = share_;
      simplex_.push_back(w);
      const Vec3<> next = closest();
      if (!(dot(next, next) < square)) {  // nothing is left but round-off
        simplex_ = before, share_ = shares;
        break;
      }
      v = next;
    }
    p = make(norm(v), direction(v));
    return true;
  }
  /// Overlapping cores, moved just apart along the normal found so far, show the normal they would touch with: to round-off while
  /// the depth is small beside the curvature, kept only while the depth becomes less.
  NearestPair refined(NearestPair p) {
    const double margin = 1e-3 * (a_.reach() + b_.reach());
    p.gap = dot(p.normal, support(p.normal).w);
    for (int i = 0; i < 12; ++i) {
      NearestPair next;
      shift_ = (margin - p.gap) * p.normal;
      const bool apart = separate(next);
      shift_ = Vec3<>();
      if (!apart) break;
      next.gap = dot(next.normal, support(next.normal).w);
      if (!(next.gap > p.gap - 1e-12 * margin)) break;
      const double change = norm(next.normal - p.normal);
      p = next;
      if (change < 1e-15) break;
    }
    return p;
  }

  struct Vertex {
    Vec3<> w, a, b;  // difference B - A in the world; points in the frames
  };
  /// The point of B - A that is farthest against n.
  Vertex support(const Vec3<>& n) const {
    Vertex x;
    x.a = a_.support(transposed(A_.R, n));
    x.b = b_.support(transposed(B_.R, times(-1, n)));
    x.w = (B_.p - A_.p) + shift_ + B_.R * x.b - A_.R * x.a;
    return x;
  }
  NearestPair make(double gap, const Vec3<>& normal) const {
    NearestPair p{gap, normal, {}, {}};
    for (std::size_t i = 0; i < simplex_.size(); ++i)
      p.on_a = p.on_a + share_[i] * simplex_[i].a, p.on_b = p.on_b + share_[i] * simplex_[i].b;
    return p;
  }
  /// Point of the simplex nearest to the origin: the best of all its corners, edges, faces whose shares are positive. Keeps only
  /// what it needs.
  Vec3<> closest() {
    const std::size_t n = simplex_.size();
    double best = 1e300;
    unsigned keep = 1;
    Vec3<> at;
    std::array<double, 4> share{};
    for (unsigned set = 1; set < (1u << n); ++set) {
      std::array<std::size_t, 4> id{};
      std::size_t m = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (set >> i & 1u) id[m++] = i;
      }
      // least squares over the edges from the first corner, by orthogonal directions q
      std::array<Vec3<>, 3> q;
      double R[3][3] = {}, y[3] = {};
      std::array<double, 4> s{1, 0, 0, 0};
      const Vec3<> o = simplex_[id[0]].w;
      Vec3<> rest = times(-1, o);
      bool good = true;
      for (std::size_t i = 0; i + 1 < m && good; ++i) {
        q[i] = simplex_[id[i + 1]].w - o;
        const double whole = norm(q[i]);
        for (std::size_t k = 0; k < i; ++k) R[k][i] = dot(q[k], q[i]), q[i] = q[i] - R[k][i] * q[k];
        R[i][i] = norm(q[i]);
        good = R[i][i] > 1e-10 * whole;
        if (!good) break;
        q[i] = (1 / R[i][i]) * q[i];
        y[i] = dot(q[i], rest);
        rest = rest - y[i] * q[i];
      }
      if (!good) continue;
      for (std::size_t i = m - 1; i-- > 0;) {
        double x = y[i];
        for (std::size_t j = i + 1; j + 1 < m; ++j) x -= R[i][j] * s[j + 1];
        s[i + 1] = x / R[i][i];
      }
      for (std::size_t i = 1; i < m; ++i) s[0] -= s[i], good = good && s[i] >= 0;
      if (!good || s[0] < 0) continue;
      Vec3<> p;
      for (std::size_t i = 0; i < m; ++i) p = p + s[i] * simplex_[id[i]].w;
      if (dot(p, p) < best * (1 - 1e-14)) best = dot(p, p), keep = set, at = p, share = s;
    }
    Few<Vertex, 4> kept;
    for (std::size_t i = 0; i < n; ++i) {
      if (keep >> i & 1u) kept.push_back(simplex_[i]);
    }
    simplex_ = kept, share_ = share;
    return at;
  }

  // --- overlap

  static constexpr std::size_t kMostFaces = 280;

  struct Face {
    std::array<std::size_t, 3> v;
    Vec3<> n;
    double d;
  };
  bool add_face(std::size_t i, std::size_t j, std::size_t k) {
    const Vec3<> n = cross(points_[j].w - points_[i].w, points_[k].w - points_[i].w);
    const double length = norm(n);
    if (!(length > 0)) return false;
    const Vec3<> unit = (1 / length) * n;
    return faces_.push_back({{i, j, k}, unit, dot(unit, points_[i].w)});
  }
  NearestPair overlap() {
    const double size = a_.reach() + b_.reach();
    points_.clear();
    for (const Vertex& x : simplex_) points_.push_back(x);
    span_volume(size);
    if (points_.size() < 4) return flat();
    if (dot(cross(points_[1].w - points_[0].w, points_[2].w - points_[0].w), points_[3].w - points_[0].w) > 0)
      std::swap(points_[1], points_[2]);
    faces_.clear();
    if (!(add_face(0, 1, 2) && add_face(0, 3, 1) && add_face(0, 2, 3) && add_face(1, 3, 2))) return flat();
    for (int i = 0; i < 128; ++i) {
      const Face face = faces_[nearest_face()];
      const Vertex x = support(times(-1, face.n));
      if (dot(face.n, x.w) - face.d <= 1e-10 * size) break;
      const Few<Face, kMostFaces> before = faces_;
      if (!grow(x, face, size)) {
        faces_ = before;
        break;
      }
    }
    // where the origin falls on the face
    const Face& f = faces_[nearest_face()];
    const Vec3<> p = f.d * f.n, a = points_[f.v[0]].w, b = points_[f.v[1]].w, c = points_[f.v[2]].w;
    const double area = dot(f.n, cross(b - a, c - a));
    share_ = {dot(f.n, cross(c - b, p - b)) / area, dot(f.n, cross(a - c, p - c)) / area, 0, 0};
    share_[2] = 1 - share_[0] - share_[1];
    simplex_.clear();
    for (const std::size_t k : f.v) simplex_.push_back(points_[k]);
    return make(-f.d, times(-1, f.n));
  }

  /// Corners until they span a volume around the origin.
  void span_volume(double size) {
    const auto add = [&](const Vec3<>& n) {
      const Vertex x = support(n);
      for (const Vertex& y : points_) {
        if (norm(x.w - y.w) < 1e-9 * size) return;
      }
      if (points_.size() == 2 && norm(cross(points_[1].w - points_[0].w, x.w - points_[0].w)) < 1e-9 * size * size) return;
      if (points_.size() == 3 && std::abs(dot(cross(points_[1].w - points_[0].w, points_[2].w - points_[0].w),
                                              x.w - points_[0].w)) < 1e-12 * size * size * size) {
        return;
      }
      points_.push_back(x);
    };
    for (int round = 0; round < 2 && points_.size() < 4; ++round) {
      if (points_.size() == 3) {
        const Vec3<> n = cross(points_[1].w - points_[0].w, points_[2].w - points_[0].w);
        add(n);
        if (points_.size() < 4) add(times(-1, n));
      }
      for (int k = 0; k < 6 && points_.size() < 4; ++k) {
        Vec3<> n;
        n[k / 2] = k % 2 == 0 ? 1 : -1;
        add(n);
      }
      for (int k = 0; k < 8 && points_.size() < 4; ++k) {
        Vec3<> n;
        n[0] = k % 2 == 0 ? 1 : -0.9, n[1] = k / 2 % 2 == 0 ? 0.8 : -1, n[2] = k / 4 == 0 ? 0.7 : -1.1;
        add(n);
      }
    }
  }
  std::size_t nearest_face() const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < faces_.size(); ++k) {
      if (faces_[k].d < faces_[best].d) best = k;
    }
    return best;
  }
  /// Takes away what a new point sees, and closes the hole along its rim.
  bool grow(const Vertex& x, const Face& face, double size) {
    Few<std::array<std::size_t, 2>, 3 * kMostFaces> rim;
    Few<Face, kMostFaces> left;
    for (const Face& f : faces_) {
      if (!(dot(f.n, x.w) - f.d > 1e-12 * size)) {
        left.push_back(f);
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const std::array<std::size_t, 2> edge{f.v[k], f.v[(k + 1) % 3]};
        std::size_t twin = 0;
        while (twin < rim.size() && (rim[twin][0] != edge[1] || rim[twin][1] != edge[0])) ++twin;
        if (twin < rim.size()) rim.erase(twin);
        else rim.push_back(edge);
      }
    }
    faces_ = left;
    bool good = rim.size() > 0 && points_.push_back(x);
    for (const auto& edge : rim) good = good && add_face(edge[0], edge[1], points_.size() - 1);
    // the nearest face can only move away: nearer ones are slivers of round-off
    for (const Face& f : faces_) good = good && f.d > face.d - 1e-9 * size;
    return good;
  }
  /// Two cores without volume between them (crossing segments): a normal across both, no depth.
  NearestPair flat() {
    Vec3<> n = points_.size() >= 3 ? cross(points_[1].w - points_[0].w, points_[2].w - points_[0].w) : A_.R.column(0);
    if (points_.size() == 2)
      n = cross(points_[1].w - points_[0].w,
                std::abs(points_[1].w[0] - points_[0].w[0]) < norm(points_[1].w - points_[0].w) * 0.6 ? axis(0) : axis(1));
    n = norm(n) > 0 ? direction(n) : A_.R.column(0);
    return make(0, n);
  }
  static Vec3<> axis(int k) {
    Vec3<> e;
    e[k] = 1;
    return e;
  }

  const Solid &a_, &b_;
  const Frame<>&A_, &B_;
  Vec3<> shift_;  // of B
  Few<Vertex, 4> simplex_;
  Few<Vertex, 140> points_;
  std::array<double, 4> share_{1, 0, 0, 0};
  Few<Face, kMostFaces> faces_;
};

}  // namespace bristle
