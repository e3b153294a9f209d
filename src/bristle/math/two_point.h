#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/math/dual.h"
#include "bristle/math/vec.h"

namespace bristle {

/// The values of a quantity at both ends of a step, and the row with end - start = row . increments: to differences what Dual is to
/// derivatives (algorithmic differencing). A force along the row of a potential does exactly the work by which the potential falls;
/// where the step shrinks to nothing the row is the gradient. N increments in all, numbered by whoever makes the variables.
///
/// Comparisons hold when they hold at both ends. A formula with branches is therefore wrong where the ends lie on different branches:
/// put such functions of one number through `apply`, and use abs, larger, smaller and norm, which are right in any case. There is no
/// plain value of a TwoPoint (value_of, sign): a formula that asks for one does not compile.
template <int N>
struct TwoPoint {
  double start = 0, end = 0;
  std::array<double, N> row{};

  TwoPoint() = default;
  TwoPoint(double constant) : start(constant), end(constant) {}  // NOLINT: a constant does not change over the step

  /// Independent variable number i: its increment is end - start.
  static TwoPoint variable(double start, double end, int i) {
    TwoPoint x;
    x.start = start, x.end = end;
    x.row[static_cast<std::size_t>(i)] = 1;
    return x;
  }
  double mean() const { return 0.5 * (start + end); }
  double change() const { return end - start; }
  /// row . increments: what `change` is, up to round-off.
  double change(const std::array<double, N>& increments) const {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += row[i] * increments[i];
    return sum;
  }
};

namespace detail {
/// Values given, and quotient = (end - start) / (change of x): the chain rule of differences.
template <int N>
TwoPoint<N> chain(const TwoPoint<N>& x, double start, double end, double quotient) {
  TwoPoint<N> y;
  y.start = start, y.end = end;
  for (std::size_t i = 0; i < N; ++i) y.row[i] = quotient * x.row[i];
  return y;
}
/// Is the step so short that a difference of two values has lost its digits? Below this the slope at the mean is right to
/// (1e-5)^3/24 of the value, which is less than its round-off; above it the quotient is right to 1e-11 of itself.
inline bool is_short(double start, double end) {
  return std::abs(end - start) <= 1e-5 * std::max(std::abs(start), std::abs(end)) || end == start;
}
inline double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }
inline double sinhc(double x) { return std::abs(x) < 1e-4 ? 1 + x * x / 6 : std::sinh(x) / x; }
}  // namespace detail

/// Any function of one number, also one with branches: f takes double and Dual<1>.
template <int N, class F>
TwoPoint<N> apply(const F& f, const TwoPoint<N>& x) {
  const double a = f(x.start), b = f(x.end);
  const double quotient = detail::is_short(x.start, x.end) ? f(Dual<1>::variable(x.mean(), 0)).d[0] : (b - a) / x.change();
  return detail::chain(x, a, b, quotient);
}

#define BRISTLE_TWO_POINT template <int N>
BRISTLE_TWO_POINT TwoPoint<N> operator+(TwoPoint<N> a, const TwoPoint<N>& b) {
  a.start += b.start, a.end += b.end;
  for (std::size_t i = 0; i < N; ++i) a.row[i] += b.row[i];
  return a;
}
BRISTLE_TWO_POINT TwoPoint<N> operator-(TwoPoint<N> a, const TwoPoint<N>& b) {
  a.start -= b.start, a.end -= b.end;
  for (std::size_t i = 0; i < N; ++i) a.row[i] -= b.row[i];
  return a;
}
BRISTLE_TWO_POINT TwoPoint<N> operator-(const TwoPoint<N>& a) { return a * -1.0; }
BRISTLE_TWO_POINT TwoPoint<N> operator*(const TwoPoint<N>& a, const TwoPoint<N>& b) {
  TwoPoint<N> c;
  c.start = a.start * b.start, c.end = a.end * b.end;
  const double am = a.mean(), bm = b.mean();
  for (std::size_t i = 0; i < N; ++i) c.row[i] = a.row[i] * bm + am * b.row[i];
  return c;
}
/// The divisor must have the same sign at both ends.
BRISTLE_TWO_POINT TwoPoint<N> operator/(const TwoPoint<N>& a, const TwoPoint<N>& b) {
  TwoPoint<N> c;
  c.start = a.start / b.start, c.end = a.end / b.end;
  const double cm = c.mean(), inverse = 1 / b.mean();
  for (std::size_t i = 0; i < N; ++i) c.row[i] = (a.row[i] - cm * b.row[i]) * inverse;
  return c;
}
BRISTLE_TWO_POINT TwoPoint<N> operator+(TwoPoint<N> a, double b) {
  a.start += b, a.end += b;
  return a;
}
BRISTLE_TWO_POINT TwoPoint<N> operator+(double a, const TwoPoint<N>& b) { return b + a; }
BRISTLE_TWO_POINT TwoPoint<N> operator-(const TwoPoint<N>& a, double b) { return a + -b; }
BRISTLE_TWO_POINT TwoPoint<N> operator-(double a, const TwoPoint<N>& b) { return b * -1.0 + a; }
BRISTLE_TWO_POINT TwoPoint<N> operator*(TwoPoint<N> a, double b) {
  a.start *= b, a.end *= b;
  for (double& r : a.row) r *= b;
  return a;
}
BRISTLE_TWO_POINT TwoPoint<N> operator*(double a, const TwoPoint<N>& b) { return b * a; }
BRISTLE_TWO_POINT TwoPoint<N> operator/(const TwoPoint<N>& a, double b) { return a * (1 / b); }
BRISTLE_TWO_POINT TwoPoint<N> operator/(double a, const TwoPoint<N>& b) { return TwoPoint<N>(a) / b; }
BRISTLE_TWO_POINT TwoPoint<N>& operator+=(TwoPoint<N>& a, const TwoPoint<N>& b) { return a = a + b; }
BRISTLE_TWO_POINT TwoPoint<N>& operator-=(TwoPoint<N>& a, const TwoPoint<N>& b) { return a = a - b; }
BRISTLE_TWO_POINT TwoPoint<N>& operator*=(TwoPoint<N>& a, const TwoPoint<N>& b) { return a = a * b; }

#define BRISTLE_TWO_POINT_COMPARE(op)                                                                       \
  BRISTLE_TWO_POINT bool operator op(const TwoPoint<N>& a, const TwoPoint<N>& b) {                          \
    return a.start op b.start && a.end op b.end;                                                            \
  }                                                                                                         \
  BRISTLE_TWO_POINT bool operator op(const TwoPoint<N>& a, double b) { return a.start op b && a.end op b; } \
  BRISTLE_TWO_POINT bool operator op(double a, const TwoPoint<N>& b) { return a op b.start && a op b.end; }
BRISTLE_TWO_POINT_COMPARE(<)
BRISTLE_TWO_POINT_COMPARE(>)
BRISTLE_TWO_POINT_COMPARE(<=)
BRISTLE_TWO_POINT_COMPARE(>=)
BRISTLE_TWO_POINT_COMPARE(==)
BRISTLE_TWO_POINT_COMPARE(!=)
#undef BRISTLE_TWO_POINT_COMPARE

// functions: closed forms of the difference quotient where there are, so that no digits are lost in short steps
BRISTLE_TWO_POINT TwoPoint<N> sqrt(const TwoPoint<N>& x) {
  const double a = std::sqrt(x.start), b = std::sqrt(x.end);
  return detail::chain(x, a, b, 1 / (a + b));
}
BRISTLE_TWO_POINT TwoPoint<N> exp(const TwoPoint<N>& x) {
  return detail::chain(x, std::exp(x.start), std::exp(x.end), std::exp(x.mean()) * detail::sinhc(0.5 * x.change()));
}
BRISTLE_TWO_POINT TwoPoint<N> log(const TwoPoint<N>& x) {
  const double r = x.change() / x.start;
  const double quotient = std::abs(r) < 1e-8 ? 1 / x.mean() : std::log1p(r) / x.change();
  return detail::chain(x, std::log(x.start), std::log(x.end), quotient);
}
BRISTLE_TWO_POINT TwoPoint<N> sin(const TwoPoint<N>& x) {
  return detail::chain(x, std::sin(x.start), std::sin(x.end), std::cos(x.mean()) * detail::sinc(0.5 * x.change()));
}
BRISTLE_TWO_POINT TwoPoint<N> cos(const TwoPoint<N>& x) {
  return detail::chain(x, std::cos(x.start), std::cos(x.end), -std::sin(x.mean()) * detail::sinc(0.5 * x.change()));
}
BRISTLE_TWO_POINT TwoPoint<N> sinh(const TwoPoint<N>& x) {
  return detail::chain(x, std::sinh(x.start), std::sinh(x.end), std::cosh(x.mean()) * detail::sinhc(0.5 * x.change()));
}
BRISTLE_TWO_POINT TwoPoint<N> cosh(const TwoPoint<N>& x) {
  return detail::chain(x, std::cosh(x.start), std::cosh(x.end), std::sinh(x.mean()) * detail::sinhc(0.5 * x.change()));
}
BRISTLE_TWO_POINT TwoPoint<N> tanh(const TwoPoint<N>& x) {
  // tanh(b) - tanh(a) = tanh(b - a) (1 - tanh(a) tanh(b))
  const double a = std::tanh(x.start), b = std::tanh(x.end), d = x.change();
  const double share = std::abs(d) < 1e-5 ? 1 - d * d / 3 : std::tanh(d) / d;
  return detail::chain(x, a, b, share * (1 - a * b));
}
BRISTLE_TWO_POINT TwoPoint<N> tan(const TwoPoint<N>& x) {
  return apply(
      [](const auto& u) {
        using std::tan;
        return tan(u);
      },
      x);
}
BRISTLE_TWO_POINT TwoPoint<N> asin(const TwoPoint<N>& x) {
  return apply(
      [](const auto& u) {
        using std::asin;
        return asin(u);
      },
      x);
}
BRISTLE_TWO_POINT TwoPoint<N> acos(const TwoPoint<N>& x) {
  return apply(
      [](const auto& u) {
        using std::acos;
        return acos(u);
      },
      x);
}
BRISTLE_TWO_POINT TwoPoint<N> atan(const TwoPoint<N>& x) {
  return apply(
      [](const auto& u) {
        using std::atan;
        return atan(u);
      },
      x);
}
/// Angle of (x, y); the turn over the step is less than half a revolution, and `end` continues from `start` without a jump.
BRISTLE_TWO_POINT TwoPoint<N> atan2(const TwoPoint<N>& y, const TwoPoint<N>& x) {
  // turn = atan2(s, c) with s = x0 y1 - y0 x1 = xm dy - ym dx, so the row is the quotient turn/s times (xm dy - ym dx)
  const double s = x.start * y.end - y.start * x.end, c = x.start * x.end + y.start * y.end;
  const double turn = std::atan2(s, c);
  const double quotient = std::abs(s) <= 1e-8 * std::abs(c) ? 1 / c : turn / s;
  TwoPoint<N> a;
  a.start = std::atan2(y.start, x.start);
  a.end = a.start + turn;
  for (std::size_t i = 0; i < N; ++i) a.row[i] = quotient * (x.mean() * y.row[i] - y.mean() * x.row[i]);
  return a;
}
/// |x|, also across zero: the sum over the sum of the sizes.
BRISTLE_TWO_POINT TwoPoint<N> abs(const TwoPoint<N>& x) {
  const double a = std::abs(x.start), b = std::abs(x.end), size = a + b;
  return detail::chain(x, a, b, size > 0 ? (x.start + x.end) / size : 0.0);
}
BRISTLE_TWO_POINT TwoPoint<N> pow(const TwoPoint<N>& x, double n) {
  return apply(
      [n](const auto& u) {
        using std::pow;
        return pow(u, n);
      },
      x);
}
BRISTLE_TWO_POINT TwoPoint<N> pow(const TwoPoint<N>& x, const TwoPoint<N>& n) { return exp(n * log(x)); }
BRISTLE_TWO_POINT TwoPoint<N> larger(const TwoPoint<N>& a, const TwoPoint<N>& b) {
  TwoPoint<N> c = 0.5 * (a + b + abs(a - b));
  c.start = std::max(a.start, b.start), c.end = std::max(a.end, b.end);
  return c;
}
BRISTLE_TWO_POINT TwoPoint<N> smaller(const TwoPoint<N>& a, const TwoPoint<N>& b) { return -larger(-a, -b); }
#undef BRISTLE_TWO_POINT

/// Length of a vector, also where it starts or ends at zero.
template <int D, int N>
TwoPoint<N> norm(const Vec<D, TwoPoint<N>>& a) {
  if constexpr (D == 1) {
    return abs(a[0]);
  } else {
    const TwoPoint<N> square = dot(a, a);
    return square.start + square.end > 0 ? sqrt(square) : TwoPoint<N>(0.0);
  }
}

}  // namespace bristle
