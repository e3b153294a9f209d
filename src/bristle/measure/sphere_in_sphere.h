#pragma once
#include "bristle/measure/touch_tools.h"

namespace bristle {

/// Ball of B in a hollow sphere of A: the spherical joint with clearance.
///   gap = R - r - |d|,  d from the centre of the socket to that of the ball;  normal = -d/|d|
/// The centres are the origins of the markers.
/// Cannot: a socket of less than a full sphere. Where the centres coincide (closer
/// than 1e-12 R) the normal is the -x axis of A.
/// Source: Bauchau and Ju, Modeling Friction Phenomena in Flexible Multibody Dynamics, eqs. (2)-(3) without the constraints (1).
struct SphereInSphere {
  double socket_radius = 0;  ///< [m] R, of A
  double ball_radius = 0;    ///< [m] r < R, of B
  static constexpr int kPoints = 1;

  ContactPair pair(int) const { return {-socket_radius, ball_radius, 0}; }
  RoundPair round() const { return {-socket_radius, ball_radius, RoundPair::Seen::whole}; }

  template <class T>
  void touch(const Frame<T>& A, const Frame<T>& B, const double*, Touch<T>* out) const {
    Vec3<T> e;
    const T distance = length_along(B.p - A.p, 1e-12 * socket_radius, A.R.column(0), e);
    out[0] = touch_of_b(T(socket_radius - ball_radius - distance), times(-1, e), B.p + times(ball_radius, e));
  }
};

}  // namespace bristle
