#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// A body fixed on a marker, centred there: a core and a rounding around it. Constant after it is made. All but the tube are convex.
///   sphere: a point and its radius;  capsule: a segment along z and its radius;  box, cylinder (axis z), ellipsoid, mesh: the
///   core itself; plane: the half-space z < 0;  hollow_sphere: everything outside of a ball;
///   superquadric: (|x/a|^p + |y/b|^p)^(q/p) + |z/c|^q <= 1: an ellipsoid at p = q = 2, ever more a cylinder or a box above;
///   tube: a cylinder with a bore along z; its support is that of the cylinder without the bore, its distance its own.
class Solid {
 public:
  enum class Kind { sphere, hollow_sphere, plane, capsule, box, cylinder, ellipsoid, superquadric, mesh, tube };
  static Solid sphere(double radius) { return Solid(Kind::sphere, radius, {}); }
  static Solid hollow_sphere(double radius) { return Solid(Kind::hollow_sphere, radius, {}); }
  static Solid plane() { return Solid(Kind::plane, 0, {}); }
  static Solid capsule(double radius, double length) {
    return Solid(Kind::capsule, radius, three(0, 0, 0.5 * length));
  }  ///< length: of the segment
  static Solid box(double x, double y, double z) { return Solid(Kind::box, 0, three(0.5 * x, 0.5 * y, 0.5 * z)); }
  static Solid cylinder(double radius, double length) { return Solid(Kind::cylinder, 0, three(radius, radius, 0.5 * length)); }
  static Solid tube(double outer_radius, double inner_radius, double length) {
    Solid s(Kind::tube, 0, three(outer_radius, outer_radius, 0.5 * length));
    s.inner_ = inner_radius;
    return s;
  }
  static Solid ellipsoid(double half_x, double half_y, double half_z) {
    return Solid(Kind::ellipsoid, 0, three(half_x, half_y, half_z));
  }
  /// Exponents above 1: `across` is p, `along` is q.
  static Solid superquadric(double half_x, double half_y, double half_z, double across, double along) {
    Solid s(Kind::superquadric, 0, three(half_x, half_y, half_z));
    s.across_ = across, s.along_ = along;
    return s;
  }
  /// Convex; the faces are triangles of vertices, counter-clockwise seen from outside.
  static Solid mesh(std::vector<Vec3<>> vertices, std::vector<std::array<int, 3>> faces) {
    Solid s(Kind::mesh, 0, {});
    s.vertices_ = std::move(vertices), s.faces_ = std::move(faces);
    for (const Vec3<>& v : s.vertices_) s.reach_ = std::max(s.reach_, norm(v));
    return s;
  }

  Kind kind() const { return kind_; }
  double radius() const { return radius_; }  ///< [m] of the rounding
  const Vec3<>& half() const { return half_; }
  double inner() const { return inner_; }  ///< [m] radius of the bore of a tube
  bool is_round() const { return kind_ == Kind::cylinder || kind_ == Kind::tube; }
  const std::vector<Vec3<>>& vertices() const { return vertices_; }
  const std::vector<std::array<int, 3>>& faces() const { return faces_; }
  double reach() const { return reach_; }  ///< [m] of the farthest point from the marker
  bool has_core() const { return kind_ != Kind::plane && kind_ != Kind::hollow_sphere; }

  /// The point of the core that is farthest along a direction, in the frame of the marker. Smooth shapes carry derivatives
  /// through.
  template <class T>
  Vec3<T> support(const Vec3<T>& n) const;
  /// Distance of a point from the core (negative inside) and its gradient, in the frame of the marker; with the derivatives of
  /// both. Not of a superquadric.
  template <class T>
  T distance(const Vec3<T>& q, Vec3<T>& gradient) const;

 private:
  Solid(Kind kind, double radius, const Vec3<>& half) : kind_(kind), radius_(radius), half_(half), reach_(radius + norm(half)) {}
  static Vec3<> three(double x, double y, double z) {
    Vec3<> v;
    v[0] = x, v[1] = y, v[2] = z;
    return v;
  }
  /// |d| and its direction; in the direction of `spare` where d is nothing.
  template <class T>
  T length(const Vec3<T>& d, Vec3<T>& along, int spare = 2) const {
    Vec3<T> e;
    e[spare] = T(1.0);
    return length_along(d, 1e-12 * reach_, e, along);
  }
  template <class T>
  T box_distance(const Vec3<T>& q, Vec3<T>& gradient) const;
  template <class T>
  T cylinder_distance(const Vec3<T>& q, Vec3<T>& gradient) const;
  template <class T>
  T tube_distance(const Vec3<T>& q, Vec3<T>& gradient) const;
  template <class T>
  T ellipsoid_distance(const Vec3<T>& q, Vec3<T>& gradient) const;
  template <class T>
  T mesh_distance(const Vec3<T>& q, Vec3<T>& gradient) const;

  Kind kind_;
  double radius_;
  Vec3<> half_;
  double reach_;
  double inner_ = 0;               // of a tube
  double across_ = 2, along_ = 2;  // exponents of a superquadric
  std::vector<Vec3<>> vertices_;
  std::vector<std::array<int, 3>> faces_;
};

template <class T>
Vec3<T> Solid::support(const Vec3<T>& n) const {
  using std::sqrt;
  Vec3<T> s;
  switch (kind_) {
    case Kind::capsule: s[2] = T(std::copysign(half_[2], value_of(n[2]))); break;
    case Kind::box:
      for (int k = 0; k < 3; ++k) s[k] = T(std::copysign(half_[k], value_of(n[k])));
      break;
    case Kind::tube:
    case Kind::cylinder: {
      s[2] = T(std::copysign(half_[2], value_of(n[2])));
      const T across = n[0] * n[0] + n[1] * n[1];
      if (value_of(across) > 1e-30) {
        const T scale = half_[0] / sqrt(across);
        s[0] = scale * n[0], s[1] = scale * n[1];
      }
      break;
    }
    case Kind::ellipsoid: {
      T square(0.0);
      for (int k = 0; k < 3; ++k) square = square + (half_[k] * half_[k]) * (n[k] * n[k]);
      const T scale = 1.0 / sqrt(square);
      for (int k = 0; k < 3; ++k) s[k] = (half_[k] * half_[k]) * (scale * n[k]);
      break;
    }
    case Kind::superquadric: {
      // the unit ball of a norm: its support is the gradient of the dual norm, whose exponents are p/(p - 1)
      using std::pow;
      const auto power = [](const T& x, double by) { return value_of(x) > 1e-30 ? T(pow(x, by)) : T(0.0); };
      const auto dual_norm = [&](const T& x, const T& y, double p) {
        const T most = value_of(x) > value_of(y) ? x : y;
        if (!(value_of(most) > 1e-30)) return T(0.0);
        const double d = p / (p - 1);
        return most * power(power(x / most, d) + power(y / most, d), 1 / d);
      };
      T size[3];
      for (int k = 0; k < 3; ++k) size[k] = std::copysign(half_[k], value_of(n[k])) * n[k];
      const T flat = dual_norm(size[0], size[1], across_), whole = dual_norm(flat, size[2], along_);
      if (!(value_of(whole) > 1e-30)) break;
      const T out = power(flat / whole, 1 / (along_ - 1));
      for (int k = 0; k < 2 && value_of(flat) > 1e-30; ++k)
        s[k] = std::copysign(half_[k], value_of(n[k])) * (out * power(size[k] / flat, 1 / (across_ - 1)));
      s[2] = std::copysign(half_[2], value_of(n[2])) * power(size[2] / whole, 1 / (along_ - 1));
      break;
    }
    case Kind::mesh: {
      double most = -1e300;
      for (const Vec3<>& v : vertices_) {
        const double along = v[0] * value_of(n[0]) + v[1] * value_of(n[1]) + v[2] * value_of(n[2]);
        if (along > most) most = along, s = constant<T>(v);
      }
      break;
    }
    default: break;  // a point
  }
  return s;
}

template <class T>
T Solid::distance(const Vec3<T>& q, Vec3<T>& gradient) const {
  switch (kind_) {
    case Kind::plane:
      gradient = Vec3<T>();
      gradient[2] = T(1.0);
      return q[2];
    case Kind::hollow_sphere: {
      const T d = length(q, gradient, 0);
      gradient = times(-1, gradient);
      return radius_ - d;
    }
    case Kind::capsule: {
      Vec3<T> d = q;
      if (value_of(q[2]) > half_[2]) d[2] = q[2] - half_[2];
      else if (value_of(q[2]) < -half_[2]) d[2] = q[2] + half_[2];
      else d[2] = T(0.0);
      return length(d, gradient, 0);
    }
    case Kind::box: return box_distance(q, gradient);
    case Kind::cylinder: return cylinder_distance(q, gradient);
    case Kind::tube: return tube_distance(q, gradient);
    case Kind::ellipsoid: return ellipsoid_distance(q, gradient);
    case Kind::mesh: return mesh_distance(q, gradient);
    default: return length(q, gradient, 0);
  }
}

template <class T>
T Solid::box_distance(const Vec3<T>& q, Vec3<T>& gradient) const {
  Vec3<T> out;
  bool outside = false;
  int side = 0;
  double least = -1e300;
  for (int k = 0; k < 3; ++k) {
    const double v = value_of(q[k]), over = std::abs(v) - half_[k];
    if (over > least) least = over, side = k;
    if (over > 0) outside = true, out[k] = q[k] - std::copysign(half_[k], v);
  }
  if (outside && least > 1e-12 * reach_) return length(out, gradient, side);
  const double sign = std::copysign(1.0, value_of(q[side]));
  gradient = Vec3<T>();
  gradient[side] = T(sign);
  return sign * q[side] - half_[side];
}

template <class T>
T Solid::cylinder_distance(const Vec3<T>& q, Vec3<T>& gradient) const {
  using std::sqrt;
  Vec3<T> across = q, e;
  across[2] = T(0.0);
  const T r = length(across, e, 0);
  const double sign = std::copysign(1.0, value_of(q[2]));
  const T over = r - half_[0], above = sign * q[2] - half_[2];
  Vec3<T> up;
  up[2] = T(sign);
  if (value_of(over) > 0 && value_of(above) > 0) {
    const T d = sqrt(over * over + above * above);
    gradient = (over / d) * e + (above / d) * up;
    return d;
  }
  gradient = value_of(over) > value_of(above) ? e : up;
  return value_of(over) > value_of(above) ? over : above;
}

/// A rectangle in the plane of the axis and the point: nearer to the outside than to the bore, or the other way round.
template <class T>
T Solid::tube_distance(const Vec3<T>& q, Vec3<T>& gradient) const {
  using std::sqrt;
  Vec3<T> across = q, e;
  across[2] = T(0.0);
  const T r = length(across, e, 0);
  const double side = value_of(r) < 0.5 * (inner_ + half_[0]) ? -1 : 1, sign = std::copysign(1.0, value_of(q[2]));
  const T over = side < 0 ? inner_ - r : r - half_[0], above = sign * q[2] - half_[2];
  e = times(side, e);
  Vec3<T> up;
  up[2] = T(sign);
  if (value_of(over) > 0 && value_of(above) > 0) {
    const T d = sqrt(over * over + above * above);
    gradient = (over / d) * e + (above / d) * up;
    return d;
  }
  gradient = value_of(over) > value_of(above) ? e : up;
  return value_of(over) > value_of(above) ? over : above;
}

/// Foot x = q a^2/(a^2 + u) on the ellipsoid: the u above -min a^2 with sum (a q/(a^2 + u))^2 = 1, Newton on a falling convex
/// function.
template <class T>
T Solid::ellipsoid_distance(const Vec3<T>& q, Vec3<T>& gradient) const {
  using std::sqrt;
  double least = std::min({half_[0], half_[1], half_[2]}), far = 0;
  least *= least;
  Vec3<> v = value_of(q);
  // a point on a plane of symmetry inside has two equal feet: moved off it by less than round-off of the body
  for (int k = 0; k < 3; ++k) {
    if (std::abs(v[k]) < 1e-9 * reach_) v[k] = std::copysign(1e-9 * reach_, v[k]);
    far = std::max(far, half_[k] * std::abs(v[k]));
  }
  const auto f = [&](double u, double& slope) {
    double sum = -1;
    slope = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = half_[k] * half_[k] + u, w = half_[k] * v[k] / d;
      sum += w * w, slope -= 2 * w * w / d;
    }
    return sum;
  };
  double low = -least, high = -least + std::sqrt(3.0) * far, u = high;
  for (int i = 0; i < 200; ++i) {
    double slope = 0;
    const double value = f(u, slope);
    if (value > 0) low = u;
    else high = u;
    const double step = -value / slope;
    if (std::abs(step) <= 2e-16 * (least + std::abs(u))) break;
    const double next = u + step;
    u = next > low && next < high ? next : 0.5 * (low + high);
  }
  Vec3<> x0, n0;
  for (int k = 0; k < 3; ++k)
    x0[k] = half_[k] * half_[k] * v[k] / (half_[k] * half_[k] + u), n0[k] = x0[k] / (half_[k] * half_[k]);
  const double stretch = norm(n0);
  n0 = (1 / stretch) * n0;
  T gap(0.0);
  for (int k = 0; k < 3; ++k) gap = gap + n0[k] * (q[k] - x0[k]);
  gradient = constant<T>(n0);
  if constexpr (!std::is_same_v<T, double>) {
    // u of q by its implicit derivative, then n along q/(a^2 + u)
    double slope = 0;
    f(u, slope);
    T residual(-1.0);
    Vec3<T> n;
    for (int k = 0; k < 3; ++k) {
      const T w = (half_[k] / (half_[k] * half_[k] + u)) * (q[k] - value_of(q[k]) + v[k]);
      residual = residual + w * w;
    }
    const T moved = u + (T(value_of(residual)) - residual) / slope;
    for (int k = 0; k < 3; ++k) n[k] = (q[k] - value_of(q[k]) + v[k]) / (half_[k] * half_[k] + moved);
    gradient = direction(n);
  }
  return gap;
}

/// Inside: the nearest face plane. Outside: the nearest of all points of all faces.
template <class T>
T Solid::mesh_distance(const Vec3<T>& q, Vec3<T>& gradient) const {
  const Vec3<> v = value_of(q);
  double most = -1e300, nearest = 1e300;
  std::size_t face = 0, outer = 0;
  std::array<double, 3> share{};
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const Vec3<>&a = vertices_[static_cast<std::size_t>(faces_[i][0])], &b = vertices_[static_cast<std::size_t>(faces_[i][1])],
          &c = vertices_[static_cast<std::size_t>(faces_[i][2])];
    const Vec3<> n = direction(cross(b - a, c - a));
    const double over = dot(n, v - a);
    if (over > most) most = over, face = i;
    // barycentric shares of the nearest point of the triangle
    std::array<double, 3> w{};
    const Vec3<> x = v - over * n;
    const double area = norm(cross(b - a, c - a));
    w[0] = dot(n, cross(c - b, x - b)) / area, w[1] = dot(n, cross(a - c, x - c)) / area, w[2] = 1 - w[0] - w[1];
    if (w[0] < 0 || w[1] < 0 || w[2] < 0) {
      double best = 1e300;
      const Vec3<>* corner[3] = {&a, &b, &c};
      std::array<double, 3> edge{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3<> e = *corner[(k + 1) % 3] - *corner[k];
        const double s = std::clamp(dot(v - *corner[k], e) / dot(e, e), 0.0, 1.0);
        const Vec3<> d = v - *corner[k] - s * e;
        if (dot(d, d) < best) best = dot(d, d), edge = {}, edge[k] = 1 - s, edge[(k + 1) % 3] = s;
      }
      w = edge;
    }
    const Vec3<> d = v - w[0] * a - w[1] * b - w[2] * c;
    if (dot(d, d) < nearest) nearest = dot(d, d), outer = i, share = w;
  }
  const bool plane = !(most > 1e-12 * reach_) || (share[0] > 0 && share[1] > 0 && share[2] > 0);
  const auto& f = faces_[most > 1e-12 * reach_ ? outer : face];
  const Vec3<> p[3] = {vertices_[static_cast<std::size_t>(f[0])], vertices_[static_cast<std::size_t>(f[1])],
                       vertices_[static_cast<std::size_t>(f[2])]};
  if (plane) {
    const Vec3<T> n = constant<T>(direction(cross(p[1] - p[0], p[2] - p[0])));
    gradient = n;
    return dot(n, q - constant<T>(p[0]));
  }
  // an edge or a corner
  Vec3<T> d = q - constant<T>(share[0] * p[0] + share[1] * p[1] + share[2] * p[2]);
  for (std::size_t k = 0; k < 3; ++k) {
    if (share[k] == 0 && share[(k + 1) % 3] > 0 && share[(k + 2) % 3] > 0) {
      const Vec3<T> e = constant<T>(direction(p[(k + 2) % 3] - p[(k + 1) % 3]));
      d = q - constant<T>(p[(k + 1) % 3]);
      d = d - dot(d, e) * e;
    }
  }
  return length(d, gradient, 2);
}

}  // namespace bristle
