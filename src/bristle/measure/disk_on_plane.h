#pragma once
#include "bristle/measure/rim_on_wall.h"

namespace bristle {

/// Thin disk of B, its normal along z of its marker, on the plane z = 0 of A, solid below: a wheel. touch_rim_on_wall with one wall.
/// A disk that lies flat touches everywhere; the point then moves to its centre.
struct DiskOnPlane {
  double radius = 0;        ///< [m] of the disk
  double smoothing = 1e-9;  ///< [rad] non-physical
  static constexpr int kPoints = 1;
  ContactPair pair(int) const { return {0, radius, 0}; }
  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    out[0] = touch_rim_on_wall(A, B, -1, 0, 0, radius, smoothing);
    out[0].gap = out[0].gap - radius * smoothing;  // exact where it stands; it never lies flat
  }
  const char* trouble(const Frame<>& A, const Frame<>& B, const double*) const {
    return norm(cross(A.R.column(2), B.R.column(2))) < 1e-6 ? "the disk lies flat on the plane" : nullptr;
  }
};

}  // namespace bristle
