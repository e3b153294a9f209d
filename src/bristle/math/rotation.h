#pragma once
#include <array>
#include <cmath>

namespace bristle {

/// Unit quaternion, scalar part first. Turns body components into world components.
using Quaternion = std::array<double, 4>;
using Vector3 = std::array<double, 3>;

/// How an increment of rotation (body axes) becomes a rotation.
enum class Chart {
  exponential,  ///< the increment is axis times angle
  cayley        ///< the increment r has the angle 2 atan(|r|/2): what the energy schemes use
};

inline Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}
inline Quaternion conjugate(const Quaternion& a) { return {a[0], -a[1], -a[2], -a[3]}; }

inline Quaternion normalised(const Quaternion& a) {
  const double n = 1 / std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
  return {a[0] * n, a[1] * n, a[2] * n, a[3] * n};
}

/// Rotation of an increment.
inline Quaternion rotation_of(const Vector3& r, Chart chart) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (chart == Chart::cayley) return normalised({1, 0.5 * r[0], 0.5 * r[1], 0.5 * r[2]});
  const double angle = std::sqrt(square);
  // sin(x/2)/x by its series near zero
  const double s = angle < 1e-4 ? 0.5 - square / 48 + square * square / 3840 : std::sin(0.5 * angle) / angle;
  return normalised({std::cos(0.5 * angle), s * r[0], s * r[1], s * r[2]});
}

/// Increment of a rotation, the inverse of rotation_of; angles up to pi.
inline Vector3 increment_of(Quaternion q, Chart chart) {
  if (q[0] < 0) q = {-q[0], -q[1], -q[2], -q[3]};
  if (chart == Chart::cayley) return {2 * q[1] / q[0], 2 * q[2] / q[0], 2 * q[3] / q[0]};
  const double s = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double factor = s < 1e-9 ? 2.0 : 2 * std::atan2(s, q[0]) / s;
  return {factor * q[1], factor * q[2], factor * q[3]};
}

/// Rate of the increment r that makes the body's axes turn with the angular velocity w (in body axes) when the rotation is R0 times
/// the rotation of r: the inverse of the right Jacobian of the chart.
inline Vector3 increment_rate(const Vector3& r, const Vector3& w, Chart chart) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  const Vector3 rw = {r[1] * w[2] - r[2] * w[1], r[2] * w[0] - r[0] * w[2], r[0] * w[1] - r[1] * w[0]};
  if (chart == Chart::cayley) {
    const double along = 0.25 * (r[0] * w[0] + r[1] * w[1] + r[2] * w[2]);
    return {w[0] + 0.5 * rw[0] + along * r[0], w[1] + 0.5 * rw[1] + along * r[1], w[2] + 0.5 * rw[2] + along * r[2]};
  }
  const Vector3 rrw = {r[1] * rw[2] - r[2] * rw[1], r[2] * rw[0] - r[0] * rw[2], r[0] * rw[1] - r[1] * rw[0]};
  double eta = 1.0 / 12 + square * (1.0 / 720 + square / 30240);
  if (square > 1e-2) {
    const double half = 0.5 * std::sqrt(square);
    eta = (1 - half * std::cos(half) / std::sin(half)) / square;
  }
  return {w[0] + 0.5 * rw[0] + eta * rrw[0], w[1] + 0.5 * rw[1] + eta * rrw[1], w[2] + 0.5 * rw[2] + eta * rrw[2]};
}

/// The inverse of it for the exponential, as a matrix, row-major: the rotation (body axes) that a change of the increment r makes,
/// rotation of (r + d) = rotation of r, then of T d.
inline std::array<double, 9> increment_turn(const Vector3& r) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  // (1 - cos x)/x^2 and (x - sin x)/x^3
  double a = 0.5 - square * (1.0 / 24 - square * (1.0 / 720 - square / 40320));
  double b = 1.0 / 6 - square * (1.0 / 120 - square * (1.0 / 5040 - square / 362880));
  if (square > 1e-2) {
    const double angle = std::sqrt(square), sine = std::sin(0.5 * angle);
    a = 2 * sine * sine / square;
    b = (angle - std::sin(angle)) / (square * angle);
  }
  const double diagonal = 1 - b * square;
  return {diagonal + b * r[0] * r[0], b * r[0] * r[1] + a * r[2], b * r[0] * r[2] - a * r[1],
          b * r[1] * r[0] - a * r[2], diagonal + b * r[1] * r[1], b * r[1] * r[2] + a * r[0],
          b * r[2] * r[0] + a * r[1], b * r[2] * r[1] - a * r[0], diagonal + b * r[2] * r[2]};
}

/// Body components to world components.
inline Vector3 rotate(const Quaternion& q, const Vector3& u) {
  const Vector3 t = {2 * (q[2] * u[2] - q[3] * u[1]), 2 * (q[3] * u[0] - q[1] * u[2]), 2 * (q[1] * u[1] - q[2] * u[0])};
  return {u[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1], u[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2],
          u[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0]};
}

}  // namespace bristle
