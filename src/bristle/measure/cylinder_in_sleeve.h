#pragma once
#include <string>

#include "bristle/measure/disk_in_cylinder.h"
#include "bristle/measure/rim_on_line.h"

namespace bristle {

/// The sleeve of measure/sleeve.h in space: a round cylinder of B in the bore of A. Markers: z along the axes and out of the mouth. A sits
/// in the middle of the mouth, the sleeve reaches from there to z = -sleeve_length; B sits where the beam leaves the cylinder, which reaches to
/// z = -cylinder_length. Points: "end", the rim of the inner end on the wall (E and F of the planar one), "mouth", the rim of the mouth on the
/// side of the cylinder (C and D).
/// Walls and sides go on beyond their ends; trouble() says when the cylinder has left the mouth.
/// Cannot: the closed end (a spring along z, or a stop).
struct CylinderInSleeve {
  double bore = 0, diameter = 0;                  ///< [m]
  double sleeve_length = 0, cylinder_length = 0;  ///< [m]
  static constexpr int kPoints = 2;

  static std::string point_name(int point) { return point == 0 ? "end" : "mouth"; }
  ContactPair pair(int) const { return {-0.5 * bore, 0.5 * diameter, 0}; }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double* marks, Touch<T>* out) const {
    disk().touch(A, B, marks, out);
    out[1] = touch_rim_on_axis({0.5 * bore, 0.5 * diameter, 1}, A, B);
  }

  const char* trouble(const Frame<>& A, const Frame<>& B, const double* marks) const {
    if (dot(A.R.column(2), B.p - cylinder_length * B.R.column(2) - A.p) > 0)
      return "the cylinder has left the sleeve. Use a longer one, hold the beam by a spring or a stop, or end the run before";
    return disk().trouble(A, B, marks);
  }

 private:
  DiskInCylinder disk() const { return {0.5 * bore, 0.5 * diameter, -cylinder_length}; }
};

}  // namespace bristle
