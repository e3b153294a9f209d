#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "bristle/math/dual.h"
#include "bristle/math/vec.h"

namespace bristle {

template <class T = double>
using Vec2 = Vec<2, T>;
template <class T>
T cross(const Vec2<T>& a, const Vec2<T>& b) {
  return a[0] * b[1] - a[1] * b[0];
}

/// A closed outline in a plane: solid inside, or hollow (solid around it). Made by the functions below, constant afterwards.
///   line: the half-plane y < 0;  circle, ellipse: around the origin;  polygon: corners rounded by a radius;
///   spline: periodic cubic through points, curvature continuous, parameter: length of the chords.
/// Points may run either way round.
class Profile {
 public:
  enum class Kind { line, circle, ellipse, polygon, spline };
  static Profile line() { return Profile(Kind::line); }
  static Profile circle(double radius) {
    Profile p(Kind::circle);
    p.radius_ = radius, p.axes_ = {{radius, radius}};
    p.sample(128);
    return p;
  }
  static Profile ellipse(double half_x, double half_y) {
    Profile p(Kind::ellipse);
    p.axes_ = {{half_x, half_y}};
    p.sample(128);
    return p;
  }
  /// The outline goes through straight sides between the corners; rounding < half of the shortest side, 0: sharp.
  static Profile polygon(std::vector<Vec2<>> corners, double rounding = 0);
  static Profile spline(std::vector<Vec2<>> points);
  Profile hollow() const {
    Profile p = *this;
    p.outward_ = -1;
    return p;
  }

  Kind kind() const { return kind_; }
  bool is_hollow() const { return outward_ < 0; }
  /// Has tangent and curvature everywhere by a parameter.
  bool smooth() const { return kind_ != Kind::polygon; }
  double radius() const { return radius_; }                       ///< [m] of the circle, of the rounding; else 0
  double outward() const { return outward_; }                     ///< -1: hollow
  double period() const { return period_; }                       ///< of the parameter; 0: not periodic
  double reach() const { return reach_; }                         ///< [m] of its farthest point from the marker, about
  const std::vector<Vec2<>>& corners() const { return points_; }  ///< polygon: of its core, which the rounding surrounds

  /// Point of a smooth outline at parameter s, its first and second derivative. Counter-clockwise.
  template <class T>
  void at(const T& s, Vec2<T>& p, Vec2<T>& t, Vec2<T>& c) const;

  struct Sample {
    double s = 0;
    Vec2<> p, n;  ///< n: out of the curve, also where it is hollow
  };
  const std::vector<Sample>& samples() const { return samples_; }

  /// Distance from the outline (negative in the solid) and its gradient at a point, both exact; the gradient with its
  /// derivatives.
  template <class T>
  T distance(const Vec2<T>& q, Vec2<T>& gradient) const;
  /// Parameter of the nearest point of a smooth outline.
  double nearest(const Vec2<>& q) const;
  /// Parameter of the point of a smooth outline that is lowest along n.
  double lowest(const Vec2<>& n) const;

 private:
  explicit Profile(Kind kind) : kind_(kind) {}
  void sample(int count);
  template <class F>
  double refine(std::size_t k, const F& f) const;
  template <class T>
  T polygon_distance(const Vec2<T>& q, Vec2<T>& gradient) const;

  Kind kind_;
  double radius_ = 0, outward_ = 1, period_ = 2 * std::numbers::pi, reach_ = 0;
  Vec2<> axes_;
  std::vector<Vec2<>> points_, bend_;  // spline: points and second derivatives
  std::vector<double> knots_;
  std::vector<Sample> samples_;
};

// --- making

namespace detail {
inline void counter_clockwise(std::vector<Vec2<>>& points) {
  double area = 0;
  for (std::size_t i = 0; i < points.size(); ++i) area += cross(points[i], points[(i + 1) % points.size()]);
  if (area < 0) std::reverse(points.begin(), points.end());
}
}  // namespace detail

inline Profile Profile::polygon(std::vector<Vec2<>> corners, double rounding) {
  Profile p(Kind::polygon);
  p.radius_ = rounding;
  detail::counter_clockwise(corners);
  const std::size_t n = corners.size();
  for (std::size_t i = 0; i < n; ++i) {
    // the core: every side moved inwards by the rounding
    const Vec2<> a = direction(corners[i] - corners[(i + n - 1) % n]), b = direction(corners[(i + 1) % n] - corners[i]);
    const double sine = cross(a, b), scale = std::abs(sine) > 1e-12 ? rounding / sine : 0.0;
    p.points_.push_back(corners[i] + scale * (b - a));
    p.reach_ = std::max(p.reach_, norm(corners[i]));
  }
  return p;
}

inline Profile Profile::spline(std::vector<Vec2<>> points) {
  Profile p(Kind::spline);
  detail::counter_clockwise(points);
  const std::size_t n = points.size();
  std::vector<double> h(n);
  p.knots_.assign(n + 1, 0.0);
  for (std::size_t i = 0; i < n; ++i) h[i] = norm(points[(i + 1) % n] - points[i]), p.knots_[i + 1] = p.knots_[i] + h[i];
  p.period_ = p.knots_[n];
  // second derivatives m: h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (change of slope); the matrix is dominated by its
  // diagonal, so sweeps over the ring converge by a factor of at least two each
  std::vector<Vec2<>> m(n), right(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2<> up = (1 / h[i]) * (points[(i + 1) % n] - points[i]);
    const Vec2<> down = (1 / h[(i + n - 1) % n]) * (points[i] - points[(i + n - 1) % n]);
    right[i] = 6.0 * (up - down);
  }
  for (int sweep = 0; sweep < 80; ++sweep) {
    for (std::size_t i = 0; i < n; ++i) {
      const double before = h[(i + n - 1) % n];
      m[i] = (1 / (2 * (before + h[i]))) * (right[i] - before * m[(i + n - 1) % n] - h[i] * m[(i + 1) % n]);
    }
  }
  p.points_ = std::move(points), p.bend_ = std::move(m);
  p.sample(std::max(128, 4 * static_cast<int>(n)));
  return p;
}

inline void Profile::sample(int count) {
  for (int k = 0; k < count; ++k) {
    Sample x;
    x.s = period_ * k / count;
    Vec2<> t, c;
    at(x.s, x.p, t, c);
    x.n[0] = t[1], x.n[1] = -t[0];
    x.n = (1 / norm(t)) * x.n;
    samples_.push_back(x);
    reach_ = std::max(reach_, norm(x.p));
  }
}

// --- evaluating

template <class T>
void Profile::at(const T& s, Vec2<T>& p, Vec2<T>& t, Vec2<T>& c) const {
  using std::cos;
  using std::sin;
  if (kind_ == Kind::line) {
    p[0] = -s, p[1] = T(0.0), t[0] = T(-1.0), t[1] = T(0.0), c = Vec2<T>();
  } else if (kind_ == Kind::spline) {
    const double turns = std::floor(value_of(s) / period_), value = value_of(s) - turns * period_;
    const std::size_t n = points_.size();
    const auto above = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, value);
    const auto i = static_cast<std::size_t>(above - knots_.begin()) - 1, j = (i + 1) % n;
    const double h = knots_[i + 1] - knots_[i];
    const T v = (s - (turns * period_ + knots_[i])) / h, u = 1.0 - v;
    for (int k = 0; k < 2; ++k) {
      const double a = points_[i][k], b = points_[j][k], ma = bend_[i][k] * h * h / 6, mb = bend_[j][k] * h * h / 6;
      p[k] = u * a + v * b + (u * u * u - u) * ma + (v * v * v - v) * mb;
      t[k] = ((b - a) + (1.0 - 3.0 * (u * u)) * ma + (3.0 * (v * v) - 1.0) * mb) / h;
      c[k] = (u * (6 * ma) + v * (6 * mb)) / (h * h);
    }
  } else {
    const T co = cos(s), si = sin(s);
    p[0] = axes_[0] * co, p[1] = axes_[1] * si;
    t[0] = -(axes_[0] * si), t[1] = axes_[1] * co;
    c[0] = -p[0], c[1] = -p[1];
  }
}

/// Root of f, which falls through zero near sample k: Newton between the neighbours, halving where it leaves them.
template <class F>
double Profile::refine(std::size_t k, const F& f) const {
  const double step = period_ / static_cast<double>(samples_.size());
  double s = samples_[k].s, low = s - step, high = s + step;
  for (int i = 0; i < 60; ++i) {
    double slope = 0;
    const double value = f(s, slope);
    if (value == 0) break;
    if (value > 0) low = s;
    else high = s;
    const double change = -value / slope;
    if (slope < 0 && std::abs(change) <= 1e-16 * period_) break;
    const double next = s + change;
    s = slope < 0 && next > low && next < high ? next : 0.5 * (low + high);
  }
  return s;
}

inline double Profile::nearest(const Vec2<>& q) const {
  if (kind_ == Kind::line) return -q[0];
  std::size_t best = 0;
  double least = 1e300;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    const Vec2<> d = q - samples_[k].p;
    const double square = dot(d, d);
    if (square < least) least = square, best = k;
  }
  return refine(best, [&](double s, double& slope) {
    Vec2<> p, t, c;
    at(s, p, t, c);
    slope = dot(c, q - p) - dot(t, t);
    return dot(t, q - p);
  });
}

inline double Profile::lowest(const Vec2<>& n) const {
  std::size_t best = 0;
  for (std::size_t k = 1; k < samples_.size(); ++k) {
    if (dot(n, samples_[k].p) < dot(n, samples_[best].p)) best = k;
  }
  return refine(best, [&](double s, double& slope) {
    Vec2<> p, t, c;
    at(s, p, t, c);
    slope = -dot(n, c);
    return -dot(n, t);
  });
}

template <class T>
T Profile::distance(const Vec2<T>& q, Vec2<T>& gradient) const {
  using std::sqrt;
  if (kind_ == Kind::polygon) return polygon_distance(q, gradient);
  if (kind_ == Kind::circle) {
    const T square = dot(q, q);
    gradient[0] = T(outward_), gradient[1] = T(0.0);
    if (!(value_of(square) > 1e-24 * radius_ * radius_ && value_of(square) > 0)) return outward_ * (q[0] - radius_);
    const T length = sqrt(square);
    gradient = (outward_ / length) * q;
    return outward_ * (length - radius_);
  }
  Vec2<> value;
  for (int k = 0; k < 2; ++k) value[k] = value_of(q[k]);
  const double s0 = nearest(value);
  // the foot moves so that the chord stays normal: 0 = t.(q - p)
  Vec2<> p0, t0, c0;
  at(s0, p0, t0, c0);
  const T residual = q[0] * t0[0] + q[1] * t0[1];
  const double slope = dot(c0, value - p0) - dot(t0, t0);
  T s(s0);
  if (slope < -1e-9 * dot(t0, t0)) s = s0 + (T(value_of(residual)) - residual) / slope;
  Vec2<T> p, t, c;
  at(s, p, t, c);
  const T scale = outward_ / sqrt(dot(t, t));
  gradient[0] = scale * t[1], gradient[1] = -(scale * t[0]);
  // along the frozen normal: the foot does not count
  return (q[0] - p0[0]) * value_of(gradient[0]) + (q[1] - p0[1]) * value_of(gradient[1]);
}

template <class T>
T Profile::polygon_distance(const Vec2<T>& q, Vec2<T>& gradient) const {
  using std::sqrt;
  const std::size_t n = points_.size();
  Vec2<> v;
  for (int k = 0; k < 2; ++k) v[k] = value_of(q[k]);
  std::size_t best = 0;
  double least = 1e300, best_share = 0;
  bool inside = false;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2<> a = points_[i], b = points_[(i + 1) % n], e = b - a;
    if ((a[1] > v[1]) != (b[1] > v[1]) && v[0] < a[0] + (v[1] - a[1]) / e[1] * e[0]) inside = !inside;
    const double share = std::clamp(dot(v - a, e) / dot(e, e), 0.0, 1.0);
    const Vec2<> d = v - (a + share * e);
    if (dot(d, d) < least) least = dot(d, d), best = i, best_share = share;
  }
  const Vec2<> a = points_[best], e = direction(points_[(best + 1) % n] - a);
  T core(0.0);
  const double shortest = 1e-14 * (std::abs(a[0]) + std::abs(a[1]));
  if ((best_share > 0 && best_share < 1) || !(least > shortest * shortest)) {
    gradient[0] = T(e[1]), gradient[1] = T(-e[0]);
    core = (q[0] - a[0]) * e[1] - (q[1] - a[1]) * e[0];
  } else {
    const Vec2<> corner = best_share > 0 ? points_[(best + 1) % n] : a;
    Vec2<T> d;
    for (int k = 0; k < 2; ++k) d[k] = q[k] - corner[k];
    const T length = sqrt(dot(d, d));
    const double sign = inside ? -1.0 : 1.0;
    gradient = (sign / length) * d;
    core = sign * length;
  }
  gradient[0] = outward_ * gradient[0], gradient[1] = outward_ * gradient[1];
  return outward_ * (core - radius_);
}

}  // namespace bristle
