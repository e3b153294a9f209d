#pragma once
#include <string>

#include "bristle/measure/touch_tools.h"

namespace bristle {

/// End of a beam (an inner cylinder of B) in an open sleeve of A, in the plane: both may move. Markers: z along the axes and out
/// of the mouth (i_1, i_2 of the source), x across (j_1, j_2), y out of the plane. A sits in the middle of the mouth, the sleeve
/// reaches from there to z = -sleeve_length; B sits where the beam leaves the cylinder (O_2), the cylinder reaches to z =
/// -cylinder_length. Points: the inner corners of the cylinder on the walls, "E" (lower, -x) and "F" (upper, +x), and the lips of
/// the sleeve on the sides of the cylinder, "C" (lower) and "D" (upper):
///   E: gap = d1/2 + x_A.(E - A), normal x_A;   F: gap = d1/2 - x_A.(F - A), normal -x_A
///   C: gap = -x_B.(C - B) - d2/2, normal x_B;  D: gap = x_B.(D - B) - d2/2, normal -x_B
/// E is eq. (2) of the source, with x_1, y_1 at the closed end and x_2 counted from the mouth of a sleeve at rest. Forces act at
/// the corners, and at the lips in the middle of the overlap; on the surface of the cylinder, as in the source, where the joint says
/// so (shift of the touch). Arms are the signed lengths along the side and not the distances from lip to corner that the source takes.
/// Walls and sides go on beyond their ends, as in the source; trouble() says when the cylinder has left the mouth. The closed end is soft
/// in the source (a spring), so that a cylinder may pass it.
/// Cannot: the closed end (a spring along z, or a stop).
/// Source: Ferri, Modeling and Analysis of Nonlinear Sleeve Joints of Large Space Structures (1988), eqs. (1)-(3), (5); gaps of
/// F, C, D by the same construction.
struct Sleeve {
  double bore = 0, diameter = 0;                  ///< [m] d1 of the sleeve, d2 of the cylinder
  double sleeve_length = 0, cylinder_length = 0;  ///< [m] L1, L2
  static constexpr int kPoints = 4;

  static std::string point_name(int point) { return std::string(1, "EFCD"[point]); }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    const Vec3<T> xa = A.R.column(0), xb = B.R.column(0);
    for (int i = 0; i < 2; ++i) {
      const double side = i == 0 ? -1.0 : 1.0;
      const Vec3<T> at = place_of(B, across(0.5 * side * diameter, -cylinder_length));
      out[i] = touch_of_b(T(0.5 * bore - side * dot(xa, at - A.p)), times(-side, xa), at);
      const Vec3<T> lip = place_of(A, across(0.5 * side * bore, 0));
      const T gap = side * dot(xb, lip - B.p) - 0.5 * diameter;
      out[2 + i] = {gap, times(-side, xb), lip - (0.5 * side * gap) * xb};
    }
  }

  const char* trouble(const Frame<>& A, const Frame<>& B, const double*) const {
    for (const double side : {-0.5, 0.5}) {
      const double z = dot(A.R.column(2), place_of(B, across(side * diameter, -cylinder_length)) - A.p);
      if (z > 0)
        return "the cylinder has left the sleeve. Use a longer one, hold the beam by a spring or a stop, or end the run before";
    }
    return nullptr;
  }

 private:
  static Vec3<> across(double x, double z) {
    Vec3<> v;
    v[0] = x, v[2] = z;
    return v;
  }
};

}  // namespace bristle
