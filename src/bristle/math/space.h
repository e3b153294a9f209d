#pragma once
#include <array>
#include <cmath>

#include "bristle/math/rotation.h"
#include "bristle/math/vec.h"

namespace bristle {

// Vectors and rotation matrices of space, on any number type.

template <class T = double>
using Vec3 = Vec<3, T>;
inline Vec3<> vec3(const double* x) { return {{x[0], x[1], x[2]}}; }

template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  Vec3<T> c;
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
  return c;
}

/// 3 x 3 matrix, row-major.
template <class T = double>
struct Mat3 {
  std::array<T, 9> m{};
  T& operator()(int i, int j) { return m[static_cast<std::size_t>(3 * i + j)]; }
  const T& operator()(int i, int j) const { return m[static_cast<std::size_t>(3 * i + j)]; }
  static Mat3 identity() {
    Mat3 r;
    r(0, 0) = r(1, 1) = r(2, 2) = T(1);
    return r;
  }
  Vec3<T> column(int j) const {
    Vec3<T> c;
    for (int i = 0; i < 3; ++i) c[i] = (*this)(i, j);
    return c;
  }
  void set_column(int j, const Vec3<T>& c) {
    for (int i = 0; i < 3; ++i) (*this)(i, j) = c[i];
  }
};

template <class T>
Vec3<T> operator*(const Mat3<T>& A, const Vec3<T>& x) {
  Vec3<T> y;
  for (int i = 0; i < 3; ++i) y[i] = A(i, 0) * x[0] + A(i, 1) * x[1] + A(i, 2) * x[2];
  return y;
}
/// A' x
template <class T>
Vec3<T> transposed(const Mat3<T>& A, const Vec3<T>& x) {
  Vec3<T> y;
  for (int i = 0; i < 3; ++i) y[i] = A(0, i) * x[0] + A(1, i) * x[1] + A(2, i) * x[2];
  return y;
}
template <class T>
Mat3<T> operator*(const Mat3<T>& A, const Mat3<T>& B) {
  Mat3<T> C;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
  }
  return C;
}
/// A' B
template <class T>
Mat3<T> transposed(const Mat3<T>& A, const Mat3<T>& B) {
  Mat3<T> C;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) C(i, j) = A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);
  }
  return C;
}

/// Body to world; the quaternion (scalar first) need not be exactly of length one.
inline Mat3<> matrix_of(const double* p) {
  const double w = p[0], x = p[1], y = p[2], z = p[3];
  Mat3<> R;
  R(0, 0) = 1 - 2 * (y * y + z * z), R(0, 1) = 2 * (x * y - w * z), R(0, 2) = 2 * (x * z + w * y);
  R(1, 0) = 2 * (x * y + w * z), R(1, 1) = 1 - 2 * (x * x + z * z), R(1, 2) = 2 * (y * z - w * x);
  R(2, 0) = 2 * (x * z - w * y), R(2, 1) = 2 * (y * z + w * x), R(2, 2) = 1 - 2 * (x * x + y * y);
  return R;
}
inline Mat3<> matrix_of(const Quaternion& p) { return matrix_of(p.data()); }

/// Unit quaternion of a rotation matrix.
inline Quaternion quaternion_of(const Mat3<>& R) {
  const double trace = R(0, 0) + R(1, 1) + R(2, 2);
  if (trace > 0) return normalised({1 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)});
  int i = 0;
  if (R(1, 1) > R(i, i)) i = 1;
  if (R(2, 2) > R(i, i)) i = 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  Quaternion q;
  q[0] = R(k, j) - R(j, k);
  q[static_cast<std::size_t>(1 + i)] = 1 + R(i, i) - R(j, j) - R(k, k);
  q[static_cast<std::size_t>(1 + j)] = R(j, i) + R(i, j);
  q[static_cast<std::size_t>(1 + k)] = R(k, i) + R(i, k);
  return normalised(q);
}

/// Rotation by a small angle number: e^(turn), exact to first order; for derivatives in any number type.
template <class T>
Mat3<T> turned(const Mat3<double>& R, const Vec3<T>& turn) {
  Mat3<T> out;
  for (int j = 0; j < 3; ++j) {
    Vec3<T> c;
    for (int i = 0; i < 3; ++i) c[i] = T(R(i, j));
    out.set_column(j, c + cross(turn, c));
  }
  return out;
}

}  // namespace bristle
