#pragma once
#include <algorithm>

#include "bristle/interface/patch.h"
#include "bristle/math/choose.h"

namespace bristle {

// Small helpers shared by laws without a rate.

/// Sliding force of a dry law: load times coefficient along the slip, zero at zero slip.
template <int D, class T>
void slide(const Patch<D, T>& p, const T& coefficient, Vec<D, T>& F) {
  const Vec<D, T> e = direction(p.slip);
  const T size = p.load * coefficient;
  for (int d = 0; d < D; ++d) F[d] = size * e[d];
}

/// Force of a law with a finite slope at rest: load times coefficient(speed) along the slip. It is written as gain times slip,
/// so that force and derivatives are finite and right at zero slip too; `slope` [s/m] is the gain there.
template <int D, class T, class Slope, class Coefficient>
void resist(const Patch<D, T>& p, const Slope& slope, Coefficient&& coefficient, Vec<D, T>& F) {
  constexpr double kNearlyZero = 1e-100;  // [m/s] below it a quotient of derivatives would overflow
  const T speed = norm(p.slip);
  T gain = choose(
      speed > kNearlyZero, [&] { return T(coefficient(speed) / speed); }, T(slope));
  gain = gain * p.load;
  for (int d = 0; d < D; ++d) F[d] = gain * p.slip[d];
}

/// A pull shortened to at most `limit`: min(|pull|, limit) sgn(pull).
template <int D>
Vec<D> cut_at(const Vec<D>& pull, double limit) {
  const double size = norm(pull);
  if (size <= limit) return pull;
  return (limit / size) * pull;
}

}  // namespace bristle
