#pragma once
#include <array>
#include <cmath>

namespace bristle {

/// A short vector of any number type. Laws and measures use it so that one formula serves double, Dual and TwoPoint.
template <int D, class T = double>
struct Vec {
  std::array<T, D> x{};

  constexpr T& operator[](int i) { return x[static_cast<std::size_t>(i)]; }
  constexpr const T& operator[](int i) const { return x[static_cast<std::size_t>(i)]; }
};

template <int D, class T>
Vec<D, T> operator+(const Vec<D, T>& a, const Vec<D, T>& b) {
  Vec<D, T> c;
  for (int i = 0; i < D; ++i) c[i] = a[i] + b[i];
  return c;
}
template <int D, class T>
Vec<D, T> operator-(const Vec<D, T>& a, const Vec<D, T>& b) {
  Vec<D, T> c;
  for (int i = 0; i < D; ++i) c[i] = a[i] - b[i];
  return c;
}
template <int D, class T>
Vec<D, T> operator*(const T& s, const Vec<D, T>& a) {
  Vec<D, T> c;
  for (int i = 0; i < D; ++i) c[i] = s * a[i];
  return c;
}
template <int D, class T>
T dot(const Vec<D, T>& a, const Vec<D, T>& b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < D; ++i) sum = sum + a[i] * b[i];
  return sum;
}

/// Length of a vector. In one dimension it is the absolute value; the derivative at zero is zero.
template <int D, class T>
T norm(const Vec<D, T>& a) {
  using std::abs;
  using std::sqrt;
  if constexpr (D == 1) {
    return abs(a[0]);
  } else {
    const T square = dot(a, a);
    if (!(square > T(0))) return T(0);
    return sqrt(square);
  }
}

/// Unit vector along a; zero where a is zero.
template <int D, class T>
Vec<D, T> direction(const Vec<D, T>& a) {
  const T length = norm(a);
  Vec<D, T> e;
  if (!(length > T(0))) return e;
  for (int i = 0; i < D; ++i) e[i] = a[i] / length;
  return e;
}

}  // namespace bristle
