#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "bristle/measure/box_box.h"
#include "bristle/measure/corner_touch.h"
#include "bristle/measure/gjk.h"
#include "bristle/measure/rims_on_plane.h"
#include "bristle/measure/rod_touch.h"
#include "bristle/measure/round_round.h"
#include "bristle/measure/solid.h"

namespace bristle {

/// Two bodies, one on each marker: feet on floors, balls in bowls, stacked blocks, shafts in bores, anything that may hit anything.
/// What a pair does, and how many points it has:
/// - a sphere with anything (also inside a hollow sphere): signed distance of its centre; 1;
/// - the plane with a capsule: both ends; 2. With a box or a mesh: the four lowest corners; 4. With an ellipsoid: its support; 1.
///   A superquadric: its support as well; 1. With a cylinder: the lowest and the highest point of each rim; 4 ("+z" end first), smoothed at alignment as in
///   touch_rim_on_wall, or four places that stay (RimsOnPlane);
/// - two boxes: corners on faces, edges across edges; 4;
/// - cylinders and tubes with each other (RoundRound); capsules, cylinders and tubes with capsules, boxes and meshes, a tube with a sphere
///   (RodTouch), of which a law with stiffness has eight; a mesh with a mesh or a box (CornerTouch); 4;
/// - all others: nearest or least deep points by support functions (Gjk); 1. Two of ellipsoid, superquadric and sphere are then solved
///   to round-off.
/// Derivatives of gaps are exact. So are those of normals and points, but for the last group without ellipsoid pairs and for
/// boxes that stand past each other: there the features count as frozen for one evaluation, and Newton's method ends at the right
/// place, somewhat slower. The last group finds its normal to about the root of round-off (3e-7 measured) where a cylinder or an
/// ellipsoid is in it. Open boxes are measured along the faces that look at each other, which may be more than their least
/// distance; it is the same as they touch.
/// Cannot: bodies that are not convex other than the tube and the hollow sphere (give them as several convex shapes); flat ends of a
/// superquadric on a face, which rest on one point that jumps.
/// Source: Bauchau and Ju, Modeling Friction Phenomena in Flexible Multibody Dynamics, spatial contact joint; the pairs are our
/// completion.
struct SurfacePair {
  const Solid &a, &b;       ///< of markers A and B
  double smoothing = 1e-6;  ///< [rad] non-physical, of a cylinder that stands on a plane
  bool stands =
      false;  ///< for rigid contact: a cylinder on a plane stands on places of its rim that stay, and needs no smoothing

  /// What is wrong with this pair, or null.
  const char* problem() const {
    using Kind = Solid::Kind;
    const auto only = [&](const Solid& x, const Solid& y) { return x.kind() == Kind::hollow_sphere && y.kind() != Kind::sphere; };
    if (a.kind() == Kind::plane && b.kind() == Kind::plane) return "two planes never meet in a point";
    if (only(a, b) || only(b, a)) return "only a sphere fits into a hollow sphere";
    const auto refused = [](const Solid& x, const Solid& y) {
      return x.kind() == Kind::tube && (y.kind() == Kind::ellipsoid || y.kind() == Kind::superquadric);
    };
    if (refused(a, b) || refused(b, a))
      return "a tube meets planes, spheres, capsules, cylinders, boxes, convex meshes and tubes; an ellipsoid or a superquadric may be "
             "replaced by several of these";
    return nullptr;
  }

  static constexpr int kMostPoints = static_cast<int>(kMostSlots);
  int points() const {
    using Kind = Solid::Kind;
    constexpr int kFew = 4;
    if (a.kind() == Kind::plane || b.kind() == Kind::plane) {
      const Kind other = a.kind() == Kind::plane ? b.kind() : a.kind();
      if (other == Kind::capsule) return 2;
      return has_corners(other) || other == Kind::cylinder || other == Kind::tube ? kFew : 1;
    }
    if ((a.is_round() && b.is_round()) || is_rod(a, b) || is_rod(b, a)) return stands ? kFew : kMostPoints;
    return has_corners(a.kind()) && has_corners(b.kind()) ? kFew : 1;
  }
  /// Radii of spheres, capsules and the sides of cylinders; those of ellipsoids change along them and read 0. A tube counts with its
  /// bore where the other one fits into it.
  ContactPair pair(int) const {
    const auto outer = [](const Solid& s) {
      if (s.kind() == Solid::Kind::hollow_sphere) return -s.radius();
      return s.is_round() ? s.half()[0] : s.radius();
    };
    const auto radius = [&](const Solid& s, const Solid& other) {
      return s.inner() > outer(other) && outer(other) > 0 ? -s.inner() : outer(s);
    };
    return {radius(a, b), radius(b, a), 0};
  }

  std::optional<RoundPair> round() const {
    const auto ball = [](const Solid& s) { return s.kind() == Solid::Kind::sphere || s.kind() == Solid::Kind::hollow_sphere; };
    if (!ball(a) || !ball(b)) return {};
    return RoundPair{pair(0).radius_a, pair(0).radius_b, RoundPair::Seen::whole};
  }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    using Kind = Solid::Kind;
    if (a.is_round() && b.is_round()) RoundRound{a, b, stands}.touch(A, B, out);
    else if (is_rod(a, b)) RodTouch{a, b, false, stands}.touch(A, B, out);
    else if (is_rod(b, a)) RodTouch{b, a, true, stands}.touch(B, A, out);
    else if (b.kind() == Kind::sphere && a.kind() != Kind::superquadric) out[0] = centre_on(a, A, false, B.p, b.radius());
    else if (a.kind() == Kind::sphere && b.kind() != Kind::superquadric) out[0] = centre_on(b, B, true, A.p, a.radius());
    else if (a.kind() == Kind::plane) on_plane(A, false, b, B, out);
    else if (b.kind() == Kind::plane) on_plane(B, true, a, A, out);
    else if (a.kind() == Kind::box && b.kind() == Kind::box)
      BoxBox{a.half(), b.half()}.touch(
          A, B, [&] { return nearest(A, B); }, out);
    else if (has_corners(a.kind()) && has_corners(b.kind())) CornerTouch{a, b}.touch(A, B, out);
    else out[0] = convex(A, B);
  }

 private:
  static constexpr bool has_corners(Solid::Kind k) { return k == Solid::Kind::box || k == Solid::Kind::mesh; }
  /// Does RodTouch know the pair, `rod` being round?
  static bool is_rod(const Solid& rod, const Solid& other) {
    if (rod.kind() == Solid::Kind::tube && other.kind() == Solid::Kind::sphere) return true;
    const bool known = has_corners(other.kind()) || other.kind() == Solid::Kind::capsule;
    return known && (rod.is_round() || rod.kind() == Solid::Kind::capsule);
  }
  template <class T>
  NearestPair nearest(const Frame<T>& A, const Frame<T>& B) const {
    const Frame<> A0 = value_of(A), B0 = value_of(B);
    return Gjk(a, A0, b, B0).solve();
  }

  template <class T>
  static Touch<T> centre_on(const Solid& shape, const Frame<T>& F, bool mirrored, const Vec3<T>& centre, double radius) {
    Vec3<T> g;
    T height = shape.distance(transposed(F.R, centre - F.p), g);
    if (shape.kind() != Solid::Kind::hollow_sphere) height = height - shape.radius();
    return touch_over(height, F.R * g, centre, radius, mirrored);
  }

  template <class T>
  void on_plane(const Frame<T>& F, bool mirrored, const Solid& shape, const Frame<T>& G, Touch<T>* out) const {
    using std::sqrt;
    using Kind = Solid::Kind;
    const Vec3<T> n = F.R.column(2);
    const auto corner = [&](const Vec3<>& local) {
      const Vec3<T> p = place_of(G, local);
      return touch_over(T(dot(n, p - F.p)), n, p, shape.radius(), mirrored);
    };
    if (shape.is_round() && stands) {
      RimsOnPlane{shape, mirrored}.touch(F, G, out);
    } else if (shape.kind() == Kind::capsule) {
      out[0] = corner(shape.half()), out[1] = corner(times(-1, shape.half()));
    } else if (shape.is_round()) {
      const Vec3<T> axis = G.R.column(2), w = n - dot(n, axis) * axis;
      const T reach = sqrt(dot(w, w) + smoothing * smoothing);
      for (int i = 0; i < 4; ++i) {
        const Vec3<T> end = G.p + times((i < 2 ? 1 : -1) * shape.half()[2], axis);
        const double r = (i % 2 == 0 ? -1 : 1) * shape.half()[0];
        out[i] = touch_over(T(dot(n, end - F.p) + r * (reach - smoothing)), n, end + (r / reach) * w, 0, mirrored);
      }
    } else if (shape.kind() == Kind::ellipsoid || shape.kind() == Kind::superquadric) {
      const Vec3<T> p = G.p + G.R * shape.support(transposed(G.R, times(-1, n)));
      // the support point moves along the surface only: frozen for the height
      Vec3<T> height_at = place_of(G, value_of(transposed(G.R, p - G.p)));
      out[0] = touch_over(T(dot(n, height_at - F.p)), n, p, 0, mirrored);
    } else {
      lowest_corners(value_of(F), shape, value_of(G), corner, out);
    }
  }
  static Vec3<> box_corner(const Solid& s, std::size_t i) {
    Vec3<> c;
    for (int k = 0; k < 3; ++k) c[k] = (i >> k & 1u ? -1 : 1) * s.half()[k];
    return c;
  }
  template <class T, class Corner>
  static void lowest_corners(const Frame<>& F, const Solid& shape, const Frame<>& G, const Corner& corner, Touch<T>* out) {
    const bool box = shape.kind() == Solid::Kind::box;
    const std::size_t count = box ? 8 : shape.vertices().size();
    const auto local = [&](std::size_t i) { return box ? box_corner(shape, i) : shape.vertices()[i]; };
    std::array<std::size_t, 4> best{};
    std::array<double, 4> height{1e300, 1e300, 1e300, 1e300};
    const Vec3<> n = F.R.column(2);
    for (std::size_t i = 0; i < count; ++i) {
      double h = dot(n, place_of(G, local(i)) - F.p);
      std::size_t at = i;
      for (std::size_t k = 0; k < 4; ++k) {
        if (h < height[k]) std::swap(h, height[k]), std::swap(at, best[k]);
      }
    }
    std::sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(4, count)));
    for (std::size_t k = 0; k < 4; ++k) out[k] = corner(local(best[k]));
  }

  template <class T>
  Touch<T> convex(const Frame<T>& A, const Frame<T>& B) const {
    NearestPair p = nearest(A, B);
    Vec3<T> n = constant<T>(p.normal), on_b = constant<T>(p.on_b);
    if (smooth(a) && smooth(b)) common_normal(A, B, p, n, on_b);
    const Vec3<T> n0 = constant<T>(p.normal);
    const T height = dot(n0, place_of(B, p.on_b) - place_of(A, p.on_a)) - a.radius();
    return touch_over(height, n, B.p + B.R * on_b, b.radius(), false);
  }

  static bool smooth(const Solid& s) {
    return s.kind() == Solid::Kind::ellipsoid || s.kind() == Solid::Kind::superquadric || s.kind() == Solid::Kind::sphere;
  }
  /// What is left across n of the way between the support points of two smooth bodies; n = direction of n0 + x e1 + y e2.
  template <class T>
  void across(const Frame<T>& A, const Frame<T>& B, const Vec3<>& n0, const Vec3<>& e1, const Vec3<>& e2, const T& x, const T& y,
              T F[2], Vec3<T>& n, Vec3<T>& on_b) const {
    n = direction(constant<T>(n0) + x * constant<T>(e1) + y * constant<T>(e2));
    on_b = b.support(transposed(B.R, times(-1, n)));
    const Vec3<T> way = B.p + B.R * on_b - A.p - A.R * a.support(transposed(A.R, n));
    const Vec3<T> rest = way - dot(way, n) * n;
    F[0] = dot(constant<T>(e1), rest), F[1] = dot(constant<T>(e2), rest);
  }
  /// Newton to the common normal, and its derivatives.
  template <class T>
  void common_normal(const Frame<T>& A, const Frame<T>& B, NearestPair& p, Vec3<T>& n, Vec3<T>& on_b) const {
    using Two = Dual<2>;
    const Frame<> A0 = value_of(A), B0 = value_of(B);
    Frame<Two> A2, B2;
    for (std::size_t i = 0; i < 9; ++i) A2.R.m[i] = A0.R.m[i], B2.R.m[i] = B0.R.m[i];
    A2.p = constant<Two>(A0.p), B2.p = constant<Two>(B0.p);
    double last = 1e300;
    for (int k = 0; k < 30; ++k) {
      Vec3<> spare;
      spare[std::abs(p.normal[0]) < 0.6 ? 0 : 1] = 1;
      const Vec3<> n0 = p.normal, e1 = direction(cross(n0, spare)), e2 = cross(n0, e1);
      Two F[2];
      Vec3<Two> n2, b2;
      across(A2, B2, n0, e1, e2, Two::variable(0, 0), Two::variable(0, 1), F, n2, b2);
      const double now = std::hypot(F[0].value, F[1].value), det = F[0].d[0] * F[1].d[1] - F[0].d[1] * F[1].d[0];
      if (!(now < last) || det == 0 || k == 29) {  // round-off: the derivatives from here
        if (det == 0) return;
        T G[2];
        Vec3<T> unused_n, unused_b;
        across(A, B, n0, e1, e2, T(0.0), T(0.0), G, unused_n, unused_b);
        const T r0 = T(value_of(G[0])) - G[0], r1 = T(value_of(G[1])) - G[1];
        const T x = (F[1].d[1] * r0 - F[0].d[1] * r1) / det, y = (F[0].d[0] * r1 - F[1].d[0] * r0) / det;
        across(A, B, n0, e1, e2, x, y, G, n, on_b);
        p.on_a = a.support(transposed(A0.R, n0)), p.on_b = b.support(transposed(B0.R, times(-1, n0)));
        return;
      }
      last = now;
      double x = -(F[1].d[1] * F[0].value - F[0].d[1] * F[1].value) / det,
             y = -(F[0].d[0] * F[1].value - F[1].d[0] * F[0].value) / det;
      const double step = std::hypot(x, y);
      if (step > 0.3) x *= 0.3 / step, y *= 0.3 / step;
      p.normal = direction(n0 + x * e1 + y * e2);
    }
  }
};

/// The same with bodies of its own, as a geometry.
struct SurfaceSurface {
  Solid a, b;
  double smoothing = 1e-6;  ///< of SurfacePair
  bool stands = false;      ///< of SurfacePair
  static constexpr int kMostPoints = SurfacePair::kMostPoints;

  SurfacePair both() const { return {a, b, smoothing, stands}; }
  const char* problem() const { return both().problem(); }
  int points() const { return both().points(); }
  ContactPair pair(int point) const { return both().pair(point); }
  std::optional<RoundPair> round() const { return both().round(); }
  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double* marks, Touch<T>* out) const {
    both().touch(A, B, marks, out);
  }
};

}  // namespace bristle
