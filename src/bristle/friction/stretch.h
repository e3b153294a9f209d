#pragma once
#include <algorithm>
#include <cmath>

#include "bristle/math/dual.h"
#include "bristle/math/vec.h"

namespace bristle {

/// Part `i` of a memory made of vectors.
template <int D, class T>
Vec<D, T> part(const T* z, int i = 0) {
  Vec<D, T> a;
  for (int d = 0; d < D; ++d) a[d] = z[i * D + d];
  return a;
}

/// A stretch cut at its limit: the radial return of plasticity, which no rotation of the axes can tell apart.
template <int D, class T>
Vec<D, T> clipped(const Vec<D, T>& stretch, const T& limit) {
  const T length = norm(stretch);
  if (!(length > limit)) return stretch;
  Vec<D, T> cut;
  for (int d = 0; d < D; ++d) cut[d] = stretch[d] * (limit / length);
  return cut;
}
template <int D>
void clip_in_place(double* z, double limit) {
  const Vec<D> cut = clipped<D, double>(part<D, double>(z), limit);
  for (int d = 0; d < D; ++d) z[d] = cut[d];
}

/// |x|^(n-1) for x >= 0, straight below kSmallBase where n < 1 would give an infinite slope. The straight piece is not physics:
/// it makes derivatives finite; a smaller kSmallBase is nearer to the power and stiffer.
inline constexpr double kSmallBase = 1e-4;
template <class T>
T power_less_one(const T& x, double n) {
  using std::pow;
  if (n == 1) return T(1);
  if (n < 1 && !(x > kSmallBase)) return T(std::pow(kSmallBase, n - 1));
  if (!(x > 0.0)) return T(0);
  return pow(x, n - 1);
}

}  // namespace bristle
