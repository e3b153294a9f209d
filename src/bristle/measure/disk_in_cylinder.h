#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// Thin disk of B in a hollow cylinder of A; two of them make a journal bearing. Axes: z of the markers.
///   gap = min over psi of R - d1.u - r h1,   d1 = cos psi x_A + sin psi y_A,  h1 = sqrt(1 - g1^2),  g1 = d1.z_B
/// with u from A to the centre of the disk; the normal is -d1 and the point of the disk is its centre + r (d1 - g1 z_B)/h1.
/// The rim, seen along the axis, is an ellipse. Its farthest point from the axis lies in the quadrant of the ellipse that points
/// away from the axis, where the stationarity has exactly one root: so the angle is always the global one and needs no start
/// value.
/// Cannot: end faces (journal_in_bearing). A disk that stands along the axis (tilt near a quarter turn) has corners:
/// trouble() says so. A centred and tilted disk is equally close on two sides; the gap is continuous there, the point jumps.
/// Sources: Bauchau and Ju, Modeling Friction Phenomena in Flexible Multibody Dynamics, eqs. (8)-(14); Frictional
/// Contacts in Multibody Dynamics (University of Minho, 2015), eqs. (4.24)-(4.29) as a farthest point.
struct DiskInCylinder {
  double cylinder_radius = 0;  ///< [m] R, of A
  double disk_radius = 0;      ///< [m] r, of B
  double offset = 0;           ///< [m] of the disk along z of B
  double length = 0;           ///< [m] of the cylinder, centred at A; 0: endless. Beyond it trouble() speaks, the gap goes on
  double thickness = 0;        ///< [m] of the disk, only for contact laws of lines
  static constexpr int kPoints = 1;
  static constexpr double kLeastCosine = 1e-3;  ///< of the tilt

  ContactPair pair(int) const { return {-cylinder_radius, disk_radius, thickness}; }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    using std::sqrt;
    const Vec3<T> zb = B.R.column(2), centre = B.p + times(offset, zb), u = centre - A.p;
    const Vec3<T> xa = A.R.column(0), ya = A.R.column(1);
    const T ux = dot(xa, u), uy = dot(ya, u), ex = dot(xa, zb), ey = dot(ya, zb);
    double c0 = 1, s0 = 0;
    direction_to(value_of(ux), value_of(uy), value_of(ex), value_of(ey), c0, s0);
    // the gap with the direction frozen: its derivative by the angle is zero
    const T g0 = ex * c0 + ey * s0, h0 = rim_height(g0);
    const T gap = cylinder_radius - disk_radius * h0 - (ux * c0 + uy * s0);
    // the direction moves so that eq. (12) stays true: 0 = d2.(r g1/h1 z_B - u)
    const T residual = (disk_radius * g0 / h0) * (ey * c0 - ex * s0) - (uy * c0 - ux * s0);
    const double k = value_of(ey) * c0 - value_of(ex) * s0, h = value_of(h0), g = value_of(g0);
    const double slope = disk_radius * (k * k / (h * h * h) - g * g / h) + value_of(ux) * c0 + value_of(uy) * s0;
    T turn(0.0);  // d(psi): no value, only derivatives
    if (slope > 1e-12 * cylinder_radius) turn = (T(value_of(residual)) - residual) / slope;
    const T c = c0 - s0 * turn, s = s0 + c0 * turn;
    const Vec3<T> d1 = c * xa + s * ya;
    const T g1 = ex * c + ey * s, h1 = rim_height(g1);
    out[0] = touch_of_b(gap, times(-1, d1), centre + (disk_radius / h1) * (d1 - g1 * zb));
  }

  const char* trouble(const Frame<>& A, const Frame<>& B, const double*) const {
    const Vec3<> za = A.R.column(2), zb = B.R.column(2);
    if (std::abs(dot(za, zb)) < kLeastCosine)
      return "the disk stands along the axis of the cylinder: the place where it touches is not unique. Keep it from turning so far by a "
             "second bearing or a stop, or use a spherical joint, whose surfaces touch in every attitude";
    if (length > 0 && std::abs(dot(za, B.p + times(offset, zb) - A.p)) > 0.5 * length)
      return "the disk has left the cylinder. Use a longer one, or put a stop on its way";
    return nullptr;
  }

  /// Unit direction (c, s) in the xy plane of A towards the point of the rim that is farthest from the axis. u: centre, e: normal
  /// of the disk, both as components along x and y of A.
  void direction_to(double ux, double uy, double ex, double ey, double& c, double& s) const {
    const double sine = std::hypot(ex, ey);
    double fx = 1, fy = 0;  // in the plane of the tilt; any for an aligned disk
    if (sine > 1e-14) fx = ex / sine, fy = ey / sine;
    const double a = disk_radius * std::sqrt(std::max(0.0, 1 - sine * sine)), b = disk_radius;
    const double c1 = ux * fx + uy * fy, c2 = uy * fx - ux * fy;
    const double p = a * std::abs(c1), q = b * std::abs(c2), difference = disk_radius * disk_radius * sine * sine;
    // slope by the angle of half the squared distance of the rim point (|c1| + a cos, |c2| + b sin)
    double low = 0, high = 0.5 * std::numbers::pi, angle = std::atan2(q, p);
    if (p == 0 && q == 0 && difference > 0) angle = high;  // centred: the ends of the long axis
    for (int k = 0; k < 60; ++k) {
      const double co = std::cos(angle), si = std::sin(angle);
      const double f = difference * si * co + q * co - p * si;
      if (f == 0) break;
      if (f > 0) low = angle;
      else high = angle;
      const double slope = difference * (co * co - si * si) - q * si - p * co;
      const double step = -f / slope, next = angle + step;
      if (slope < 0 && std::abs(step) <= 1e-16) break;
      angle = slope < 0 && next > low && next < high ? next : 0.5 * (low + high);
    }
    const double x = std::copysign(std::abs(c1) + a * std::cos(angle), c1),
                 y = std::copysign(std::abs(c2) + b * std::sin(angle), c2);
    const double r = std::hypot(x, y);
    if (!(r > 0)) return;
    c = (x * fx - y * fy) / r, s = (x * fy + y * fx) / r;
  }

 private:
  template <class T>
  static T rim_height(const T& g) {  // h1; kept off zero where the disk stands along the axis
    using std::sqrt;
    const T square = 1.0 - g * g;
    if (!(value_of(square) > 1e-12)) return T(1e-6);
    return sqrt(square);
  }
};

}  // namespace bristle
