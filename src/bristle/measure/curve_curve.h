#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "bristle/measure/profile.h"
#include "bristle/measure/touch_tools.h"

namespace bristle {

/// Two closed outlines, one in the xy plane of each marker: cams and followers, Geneva drives, pins in slots, blocks on a floor.
///   gap = signed distance of a point of one outline from the other, at the point where it is least;  normal = gradient of that
///   distance
/// - a circle counts as its centre with a radius; the gap is exact and needs no start;
/// - two smooth outlines (ellipse, spline, line, hollow circle): the common normal, t_A.(p_B - p_A) = 0 and t_A x t_B = 0, by
///   Newton from two marks. start and accept look for the least distance over all samples, so a new valley is found from step to
///   step;
/// - polygons: every corner against the other outline, and every side against the bulge of a smooth one. The two least of them
///   are the two points (a flat side rests on both), in the order of the corners so that they keep their memory.
/// The depth is that of the point that is deepest inside, exact while it is small beside the radii of curvature.
/// Off one plane the point of one body is seen along z of the other, as in circle_in_circle.
/// Cannot: more than one point for smooth outlines (two at once on a concave flank); corners that pass through sides within a
/// step.
/// Source: Bauchau and Ju, Modeling Friction Phenomena in Flexible Multibody Dynamics, planar contact joint; common normal:
/// our completion.
struct CurveCurve {
  Profile a, b;  ///< of markers A and B

  /// What is wrong with this pair, or null.
  const char* problem() const {
    using Kind = Profile::Kind;
    if (a.kind() == Kind::line && b.kind() == Kind::line) return "two lines never meet in a point";
    if (a.is_hollow() && b.is_hollow()) return "both outlines are hollow";
    if ((a.is_hollow() && b.kind() == Kind::line) || (b.is_hollow() && a.kind() == Kind::line))
      return "a line does not fit into a hollow outline";
    return nullptr;
  }

  int points() const { return point_of() == 0 && !(a.smooth() && b.smooth()) ? 2 : 1; }
  static constexpr int kMarks = 2;  ///< parameters on a and b, of two smooth outlines
  /// Circles and roundings have radii; those of ellipses and splines change along them and read 0.
  ContactPair pair(int) const { return {a.outward() * a.radius(), b.outward() * b.radius(), 0}; }

  std::optional<RoundPair> round() const {
    if (a.kind() != Profile::Kind::circle || b.kind() != Profile::Kind::circle) return {};
    return RoundPair{pair(0).radius_a, pair(0).radius_b, point_of() == 1 ? RoundPair::Seen::along_b : RoundPair::Seen::along_a};
  }

  void start(const Frame<>& A, const Frame<>& B, double* marks) const {
    marks[0] = marks[1] = 0;
    if (common_normal()) scan(A, B, marks);
  }
  void accept(const Frame<>& A, const Frame<>& B, double* marks) const { start(A, B, marks); }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double* marks, Touch<T>* out) const {
    if (const int which = point_of()) {
      const Vec3<T> centre = which == 1 ? A.p : B.p;
      out[0] = which == 1 ? point_on(b, B, true, centre, a.radius()) : point_on(a, A, false, centre, b.radius());
    } else if (common_normal()) {
      out[0] = touch_smooth(A, B, marks);
    } else {
      touch_corners(A, B, out);
    }
  }

 private:
  template <class T>
  static Vec2<T> seen(const Frame<T>& F, const Vec3<T>& point) {
    Vec2<T> q;
    for (int k = 0; k < 2; ++k) q[k] = dot(F.R.column(k), point - F.p);
    return q;
  }
  template <class T>
  static Vec3<T> in_plane(const Frame<T>& F, const Vec2<T>& v) {
    return v[0] * F.R.column(0) + v[1] * F.R.column(1);
  }
  /// 1: a counts as a point with a radius, 2: b does, 0: none.
  int point_of() const {
    if (b.kind() == Profile::Kind::circle && !b.is_hollow()) return 2;
    if (a.kind() == Profile::Kind::circle && !a.is_hollow()) return 1;
    return 0;
  }
  bool common_normal() const { return point_of() == 0 && a.smooth() && b.smooth(); }

  /// A point with a radius against an outline that is fixed on frame F, which is B's where `mirrored`.
  template <class T>
  static Touch<T> point_on(const Profile& outline, const Frame<T>& F, bool mirrored, const Vec3<T>& point, double radius) {
    Vec2<T> g;
    const T gap = outline.distance(seen(F, point), g) - radius;
    const Vec3<T> out = in_plane(F, g);
    return {gap, mirrored ? times(-1, out) : out, point - (0.5 * gap + radius) * out};
  }

  // --- corners

  struct Candidate {
    double gap = std::numeric_limits<double>::max();
    int kind = 0;  // 0: corner of b on a, 1: corner of a on b, 2: side of b under a, 3: side of a under b
    int index = 0;
    Vec3<> point;
  };
  template <class T>
  Touch<T> touch_candidate(const Frame<T>& A, const Frame<T>& B, int kind, int index) const {
    const auto i = static_cast<std::size_t>(index);
    if (kind == 0) return point_on(a, A, false, B.p + in_plane(B, constant2<T>(b.corners()[i])), b.radius());
    if (kind == 1) return point_on(b, B, true, A.p + in_plane(A, constant2<T>(a.corners()[i])), a.radius());
    if (kind == 2) return bulge_on_side(b, B, true, a, A, i);
    return bulge_on_side(a, A, false, b, B, i);
  }
  /// The point of a smooth outline (on frame G) that is lowest over side i of a polygon (on frame F).
  template <class T>
  static Touch<T> bulge_on_side(const Profile& polygon, const Frame<T>& F, bool mirrored, const Profile& bulge, const Frame<T>& G,
                                std::size_t i) {
    const auto& corners = polygon.corners();
    const Vec2<> from = corners[i], e = direction(corners[(i + 1) % corners.size()] - from);
    Vec2<> n;
    n[0] = polygon.outward() * e[1], n[1] = -polygon.outward() * e[0];
    const Vec3<T> out = in_plane(F, constant2<T>(n));
    Vec2<T> m;
    for (int k = 0; k < 2; ++k) m[k] = dot(out, G.R.column(k));
    Vec2<> m0;
    for (int k = 0; k < 2; ++k) m0[k] = value_of(m[k]);
    const double s0 = bulge.lowest(m0);
    // the lowest point moves so that its tangent stays along the side: 0 = m.t
    Vec2<> p0, t0, c0;
    bulge.at(s0, p0, t0, c0);
    const T residual = m[0] * t0[0] + m[1] * t0[1];
    const double slope = dot(m0, c0);
    T s(s0);
    if (slope > 1e-12 * dot(t0, t0)) s = s0 + (T(value_of(residual)) - residual) / slope;
    Vec2<T> p, t, c;
    bulge.at(s, p, t, c);
    const Vec3<T> lowest = G.p + in_plane(G, p), frozen = G.p + in_plane(G, constant2<T>(p0));
    const T gap = dot(out, frozen - (F.p + in_plane(F, constant2<T>(from)))) - polygon.outward() * polygon.radius();
    return {gap, mirrored ? times(-1, out) : out, lowest - (0.5 * gap) * out};
  }

  template <class T>
  void touch_corners(const Frame<T>& A, const Frame<T>& B, Touch<T>* out) const {
    const Frame<> A0 = value_of(A), B0 = value_of(B);
    std::array<Candidate, 2> best;
    const auto offer = [&](int kind, int index) {
      const Touch<> t = touch_candidate(A0, B0, kind, index);
      const Candidate c{t.gap, kind, index, t.point};
      if (best[0].gap < 1e300 && norm(c.point - best[0].point) < 1e-9 * reach()) {  // corner on corner is met from both sides
        if (c.gap < best[0].gap) best[0] = c;
      } else if (c.gap < best[0].gap) {
        best[1] = best[0], best[0] = c;
      } else if (c.gap < best[1].gap) {
        best[1] = c;
      }
    };
    if (!b.smooth()) {
      for (int i = 0; i < static_cast<int>(b.corners().size()); ++i) offer(0, i);
    }
    if (!a.smooth()) {
      for (int i = 0; i < static_cast<int>(a.corners().size()); ++i) offer(1, i);
    }
    offer_sides(b, B0, a, A0, 2, offer);
    offer_sides(a, A0, b, B0, 3, offer);
    if (best[1].gap > 1e300) best[1] = best[0];
    if (std::pair(best[1].kind, best[1].index) < std::pair(best[0].kind, best[0].index)) std::swap(best[0], best[1]);
    for (std::size_t k = 0; k < 2; ++k) out[k] = touch_candidate(A, B, best[k].kind, best[k].index);
  }
  /// Sides under the lowest point of a rounded outline; where that falls beside them the corners speak.
  template <class Offer>
  static void offer_sides(const Profile& polygon, const Frame<>& F, const Profile& bulge, const Frame<>& G, int kind,
                          const Offer& offer) {
    if (polygon.smooth() || !bulge.smooth() || bulge.is_hollow() || bulge.kind() == Profile::Kind::line) return;
    const auto& corners = polygon.corners();
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Touch<> t = bulge_on_side(polygon, F, true, bulge, G, i);
      const Vec2<> e = corners[(i + 1) % corners.size()] - corners[i];
      const double share = dot(seen(F, t.point) - corners[i], e) / dot(e, e);
      if (share >= 0 && share <= 1 && (t.gap > -bulge.reach())) offer(kind, static_cast<int>(i));
    }
  }
  double reach() const { return std::max(a.reach(), b.reach()); }
  template <class T>
  static Vec2<T> constant2(const Vec2<>& v) {
    Vec2<T> w;
    for (int k = 0; k < 2; ++k) w[k] = T(v[k]);
    return w;
  }

  // --- two smooth outlines: s on a, t on b, all in the plane of A

  template <class T>
  struct Pair {
    Vec2<T> pa, ta, ca, pb, tb, cb;
    T F1{}, F2{};
  };
  template <class T>
  Pair<T> at(const Frame<T>& A, const Frame<T>& B, const T& s, const T& t) const {
    Pair<T> x;
    a.at(s, x.pa, x.ta, x.ca);
    Vec2<T> p, d, c;
    b.at(t, p, d, c);
    x.pb = seen(A, B.p + in_plane(B, p));
    for (int k = 0; k < 2; ++k) {
      const Vec3<T> axis = A.R.column(k);
      x.tb[k] = dot(axis, in_plane(B, d)), x.cb[k] = dot(axis, in_plane(B, c));
    }
    x.F1 = dot(x.ta, x.pb - x.pa);
    x.F2 = cross(x.ta, x.tb);
    return x;
  }
  /// Slopes of F1, F2 by s and t, and their determinant over its natural size.
  static double slopes(const Pair<double>& x, double J[4]) {
    J[0] = dot(x.ca, x.pb - x.pa) - dot(x.ta, x.ta), J[1] = dot(x.ta, x.tb);
    J[2] = cross(x.ca, x.tb), J[3] = cross(x.ta, x.cb);
    return J[0] * J[3] - J[1] * J[2];
  }
  double gap_at(const Frame<>& A, const Frame<>& B, double s, double t) const {
    const Pair<double> x = at(A, B, s, t);
    return a.outward() * cross(x.pb - x.pa, x.ta) / norm(x.ta);
  }
  /// Newton; false where it does not end in a common normal with outlines facing each other.
  bool solve(const Frame<>& A, const Frame<>& B, double& s, double& t) const {
    const double facing = -a.outward() * b.outward();
    for (int k = 0; k < 40; ++k) {
      const Pair<double> x = at(A, B, s, t);
      double J[4];
      const double det = slopes(x, J);
      if (det == 0 || !std::isfinite(det)) return false;
      double ds = -(J[3] * x.F1 - J[1] * x.F2) / det, dt = -(J[0] * x.F2 - J[2] * x.F1) / det;
      if (!std::isfinite(ds) || !std::isfinite(dt)) return false;
      // no farther than a part of the outline at once
      const double span_s = a.period(), span_t = b.period(), most = std::max(std::abs(ds) / span_s, std::abs(dt) / span_t);
      const bool bound = a.kind() != Profile::Kind::line && b.kind() != Profile::Kind::line;
      if (bound && most > 0.05) ds *= 0.05 / most, dt *= 0.05 / most;
      s += ds, t += dt;
      if (std::abs(ds) <= 1e-15 * (span_s + std::abs(s)) && std::abs(dt) <= 1e-15 * span_t) return dot(x.ta, x.tb) * facing > 0;
      if (k > 6 && std::abs(ds) <= 1e-13 * (span_s + std::abs(s)) && std::abs(dt) <= 1e-13 * span_t)
        return dot(x.ta, x.tb) * facing > 0;
    }
    return false;
  }
  /// Least signed distance over all samples of b, and of a where b has none, then Newton.
  void scan(const Frame<>& A, const Frame<>& B, double* marks) const {
    if (b.kind() == Profile::Kind::line) {  // the lowest point of a over the line
      Vec2<> n;
      for (int k = 0; k < 2; ++k) n[k] = dot(B.R.column(1), A.R.column(k));
      marks[0] = a.lowest(n);
      Vec2<> p, t, c;
      a.at(marks[0], p, t, c);
      marks[1] = b.nearest(seen(B, A.p + in_plane(A, p)));
      return;
    }
    double least = std::numeric_limits<double>::max();
    for (const Profile::Sample& x : b.samples()) {
      const Vec2<> q = seen(A, B.p + in_plane(B, x.p));
      double s = -q[0], gap = q[1];
      if (a.kind() != Profile::Kind::line) {
        double nearest = std::numeric_limits<double>::max();
        for (const Profile::Sample& y : a.samples()) {
          const Vec2<> d = q - y.p;
          if (dot(d, d) < nearest)
            nearest = dot(d, d), s = y.s, gap = a.outward() * std::copysign(std::sqrt(nearest), dot(d, y.n));
        }
      }
      if (gap < least) least = gap, marks[0] = s, marks[1] = x.s;
    }
    double s = marks[0], t = marks[1];
    if (solve(A, B, s, t) && gap_at(A, B, s, t) <= least + 0.1 * std::abs(least) + 1e-3 * reach()) marks[0] = s, marks[1] = t;
  }

  template <class T>
  Touch<T> touch_smooth(const Frame<T>& A, const Frame<T>& B, const double* marks) const {
    using std::sqrt;
    const Frame<> A0 = value_of(A), B0 = value_of(B);
    double s0 = marks[0], t0 = marks[1];
    if (!solve(A0, B0, s0, t0)) {
      double again[2] = {marks[0], marks[1]};
      scan(A0, B0, again);
      s0 = again[0], t0 = again[1];
      if (!solve(A0, B0, s0, t0)) s0 = again[0], t0 = again[1];
    }
    double J[4];
    const Pair<double> x0 = at(A0, B0, s0, t0);
    const double det = slopes(x0, J);
    const Pair<T> frozen = at(A, B, T(s0), T(t0));
    T s(s0), t(t0);
    if (std::abs(det) > 1e-12 * (std::abs(J[0] * J[3]) + std::abs(J[1] * J[2])) && det != 0) {
      const T r1 = T(value_of(frozen.F1)) - frozen.F1, r2 = T(value_of(frozen.F2)) - frozen.F2;
      s = s0 + (J[3] * r1 - J[1] * r2) / det, t = t0 + (J[0] * r2 - J[2] * r1) / det;
    }
    const Pair<T> x = at(A, B, s, t);
    const T scale = a.outward() / sqrt(dot(x.ta, x.ta));
    Vec2<T> n;
    n[0] = scale * x.ta[1], n[1] = -(scale * x.ta[0]);
    const T gap = value_of(n[0]) * (frozen.pb[0] - frozen.pa[0]) + value_of(n[1]) * (frozen.pb[1] - frozen.pa[1]);
    Vec2<T> p, d, c;
    b.at(t, p, d, c);
    return touch_of_b(gap, in_plane(A, n), B.p + in_plane(B, p));
  }
};

}  // namespace bristle
