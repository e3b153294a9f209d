#pragma once
#include <string>

#include "bristle/measure/rim_on_wall.h"

namespace bristle {

/// Round plate of B between two planes of A across z: the planar joint with clearance. The plate may tilt until its rim touches.
/// Points "upper" (the plane at +z) and "lower": touch_rim_on_wall with walls (thickness + clearance) apart.
/// Cannot: plates that are not round; planes that end (the plate may slide as far as it likes).
struct PlateBetweenPlanes {
  double radius = 0;        ///< [m] of the plate
  double clearance = 0;     ///< [m] total: half of it above and below a centred plate
  double thickness = 0;     ///< [m] of the plate
  double smoothing = 1e-6;  ///< [rad] non-physical
  static constexpr int kPoints = 2;

  static std::string point_name(int point) { return point == 0 ? "upper" : "lower"; }
  ContactPair pair(int) const { return {0, radius, 0}; }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    for (int i = 0; i < 2; ++i)
      out[i] = touch_rim_on_wall(A, B, i == 0 ? 1.0 : -1.0, thickness + clearance, thickness, radius, smoothing);
  }
};

}  // namespace bristle
