#pragma once
#include <array>
#include <cmath>
#include <type_traits>

namespace bristle {

/// A value and N partial derivatives: arithmetic on it gives exact derivatives of whatever formula it is put through.
/// S is double, or a Dual itself (second derivatives). Comparisons look at the value only.
template <int N, class S = double>
struct Dual {
  S value{};
  std::array<S, N> d{};

  Dual() = default;
  Dual(double v) : value(v) {}  // NOLINT: a constant is a Dual without derivatives
  template <class V>
  requires(!std::is_same_v<S, double> && std::is_same_v<V, S>) Dual(const V& v) : value(v) {}  // NOLINT

  /// Independent variable number i.
  static Dual variable(const S& v, int i) {
    Dual x;
    x.value = v;
    x.d[static_cast<std::size_t>(i)] = S(1);
    return x;
  }
};

/// The plain number behind any number type.
inline double value_of(double x) { return x; }
template <int N, class S>
double value_of(const Dual<N, S>& x) {
  return value_of(x.value);
}

namespace detail {
/// f(x) with f' given: the chain rule.
template <int N, class S>
Dual<N, S> chain(const Dual<N, S>& x, const S& value, const S& slope) {
  Dual<N, S> y;
  y.value = value;
  for (std::size_t i = 0; i < N; ++i) y.d[i] = slope * x.d[i];
  return y;
}
}  // namespace detail

#define BRISTLE_DUAL template <int N, class S>
BRISTLE_DUAL Dual<N, S> operator+(Dual<N, S> a, const Dual<N, S>& b) {
  a.value = a.value + b.value;
  for (std::size_t i = 0; i < N; ++i) a.d[i] = a.d[i] + b.d[i];
  return a;
}
BRISTLE_DUAL Dual<N, S> operator-(Dual<N, S> a, const Dual<N, S>& b) {
  a.value = a.value - b.value;
  for (std::size_t i = 0; i < N; ++i) a.d[i] = a.d[i] - b.d[i];
  return a;
}
BRISTLE_DUAL Dual<N, S> operator-(Dual<N, S> a) {
  a.value = -a.value;
  for (std::size_t i = 0; i < N; ++i) a.d[i] = -a.d[i];
  return a;
}
BRISTLE_DUAL Dual<N, S> operator*(const Dual<N, S>& a, const Dual<N, S>& b) {
  Dual<N, S> c;
  c.value = a.value * b.value;
  for (std::size_t i = 0; i < N; ++i) c.d[i] = a.d[i] * b.value + a.value * b.d[i];
  return c;
}
BRISTLE_DUAL Dual<N, S> operator/(const Dual<N, S>& a, const Dual<N, S>& b) {
  Dual<N, S> c;
  c.value = a.value / b.value;
  for (std::size_t i = 0; i < N; ++i) c.d[i] = (a.d[i] - c.value * b.d[i]) / b.value;
  return c;
}
// mixed with plain numbers: the derivatives only scale
BRISTLE_DUAL Dual<N, S> operator+(Dual<N, S> a, double b) {
  a.value = a.value + S(b);
  return a;
}
BRISTLE_DUAL Dual<N, S> operator+(double a, const Dual<N, S>& b) { return b + a; }
BRISTLE_DUAL Dual<N, S> operator-(Dual<N, S> a, double b) {
  a.value = a.value - S(b);
  return a;
}
BRISTLE_DUAL Dual<N, S> operator-(double a, const Dual<N, S>& b) { return -b + a; }
BRISTLE_DUAL Dual<N, S> operator*(Dual<N, S> a, double b) {
  a.value = a.value * S(b);
  for (std::size_t i = 0; i < N; ++i) a.d[i] = a.d[i] * S(b);
  return a;
}
BRISTLE_DUAL Dual<N, S> operator*(double a, const Dual<N, S>& b) { return b * a; }
BRISTLE_DUAL Dual<N, S> operator/(const Dual<N, S>& a, double b) { return a * (1.0 / b); }
BRISTLE_DUAL Dual<N, S> operator/(double a, const Dual<N, S>& b) { return Dual<N, S>(a) / b; }
BRISTLE_DUAL Dual<N, S>& operator+=(Dual<N, S>& a, const Dual<N, S>& b) { return a = a + b; }
BRISTLE_DUAL Dual<N, S>& operator-=(Dual<N, S>& a, const Dual<N, S>& b) { return a = a - b; }
BRISTLE_DUAL Dual<N, S>& operator*=(Dual<N, S>& a, const Dual<N, S>& b) { return a = a * b; }

#define BRISTLE_DUAL_COMPARE(op)                                                                                 \
  BRISTLE_DUAL bool operator op(const Dual<N, S>& a, const Dual<N, S>& b) { return value_of(a) op value_of(b); } \
  BRISTLE_DUAL bool operator op(const Dual<N, S>& a, double b) { return value_of(a) op b; }                      \
  BRISTLE_DUAL bool operator op(double a, const Dual<N, S>& b) { return a op value_of(b); }
BRISTLE_DUAL_COMPARE(<)
BRISTLE_DUAL_COMPARE(>)
BRISTLE_DUAL_COMPARE(<=)
BRISTLE_DUAL_COMPARE(>=)
BRISTLE_DUAL_COMPARE(==)
BRISTLE_DUAL_COMPARE(!=)
#undef BRISTLE_DUAL_COMPARE

// functions: found by argument-dependent look-up beside `using std::...`
BRISTLE_DUAL Dual<N, S> sqrt(const Dual<N, S>& x) {
  using std::sqrt;
  const S r = sqrt(x.value);
  return detail::chain(x, r, S(0.5) / r);
}
BRISTLE_DUAL Dual<N, S> exp(const Dual<N, S>& x) {
  using std::exp;
  const S e = exp(x.value);
  return detail::chain(x, e, e);
}
BRISTLE_DUAL Dual<N, S> log(const Dual<N, S>& x) {
  using std::log;
  return detail::chain(x, S(log(x.value)), S(1) / x.value);
}
BRISTLE_DUAL Dual<N, S> sin(const Dual<N, S>& x) {
  using std::cos;
  using std::sin;
  return detail::chain(x, S(sin(x.value)), S(cos(x.value)));
}
BRISTLE_DUAL Dual<N, S> cos(const Dual<N, S>& x) {
  using std::cos;
  using std::sin;
  return detail::chain(x, S(cos(x.value)), S(-sin(x.value)));
}
BRISTLE_DUAL Dual<N, S> tan(const Dual<N, S>& x) {
  using std::tan;
  const S t = tan(x.value);
  return detail::chain(x, t, S(1) + t * t);
}
BRISTLE_DUAL Dual<N, S> asin(const Dual<N, S>& x) {
  using std::asin;
  using std::sqrt;
  return detail::chain(x, S(asin(x.value)), S(1) / sqrt(S(1) - x.value * x.value));
}
BRISTLE_DUAL Dual<N, S> acos(const Dual<N, S>& x) {
  using std::acos;
  using std::sqrt;
  return detail::chain(x, S(acos(x.value)), S(-1) / sqrt(S(1) - x.value * x.value));
}
BRISTLE_DUAL Dual<N, S> atan(const Dual<N, S>& x) {
  using std::atan;
  return detail::chain(x, S(atan(x.value)), S(1) / (S(1) + x.value * x.value));
}
BRISTLE_DUAL Dual<N, S> atan2(const Dual<N, S>& y, const Dual<N, S>& x) {
  using std::atan2;
  const S r2 = x.value * x.value + y.value * y.value;
  Dual<N, S> a;
  a.value = atan2(y.value, x.value);
  for (std::size_t i = 0; i < N; ++i) a.d[i] = (x.value * y.d[i] - y.value * x.d[i]) / r2;
  return a;
}
BRISTLE_DUAL Dual<N, S> sinh(const Dual<N, S>& x) {
  using std::cosh;
  using std::sinh;
  return detail::chain(x, S(sinh(x.value)), S(cosh(x.value)));
}
BRISTLE_DUAL Dual<N, S> cosh(const Dual<N, S>& x) {
  using std::cosh;
  using std::sinh;
  return detail::chain(x, S(cosh(x.value)), S(sinh(x.value)));
}
BRISTLE_DUAL Dual<N, S> tanh(const Dual<N, S>& x) {
  using std::tanh;
  const S t = tanh(x.value);
  return detail::chain(x, t, S(1) - t * t);
}
/// |x|; the derivative at zero is zero.
BRISTLE_DUAL Dual<N, S> abs(const Dual<N, S>& x) {
  const double v = value_of(x);
  if (v > 0) return x;
  if (v < 0) return -x;
  return Dual<N, S>(0.0);
}
BRISTLE_DUAL Dual<N, S> pow(const Dual<N, S>& x, double n) {
  using std::pow;
  if (n == 0) return Dual<N, S>(1.0);
  return detail::chain(x, S(pow(x.value, n)), S(n) * S(pow(x.value, n - 1)));
}
BRISTLE_DUAL Dual<N, S> pow(const Dual<N, S>& x, const Dual<N, S>& n) { return exp(n * log(x)); }
#undef BRISTLE_DUAL

/// Larger and smaller of two, with the derivatives of the chosen one.
template <class T>
T larger(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
T smaller(const T& a, const T& b) {
  return b < a ? b : a;
}
/// -1, 0, 1.
template <class T>
double sign(const T& x) {
  const double v = value_of(x);
  return v > 0 ? 1.0 : (v < 0 ? -1.0 : 0.0);
}

}  // namespace bristle
