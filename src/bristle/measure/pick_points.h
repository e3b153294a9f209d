#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include "bristle/measure/gjk.h"

namespace bristle {

/// Up to four of many points at which two bodies touch, in the order found. F has `gap` and `point`. Of points whose gap is within `near`
/// [m] of the least, or that overlap: the deepest, the farthest from it, the farthest from the line of both, and the farthest on the other side;
/// then, where these are fewer, those with the least gaps.
template <class F, std::size_t N>
std::size_t pick_points(const Few<F, N>& all, double near, std::array<std::size_t, 4>& pick) {
  const std::size_t n = all.size();
  if (n <= 4) {
    for (std::size_t i = 0; i < n; ++i) pick[i] = i;
    return n;
  }
  pick[0] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (all[i].gap < all[pick[0]].gap) pick[0] = i;
  }
  const double limit = std::max(0.0, all[pick[0]].gap) + near;
  std::size_t close = 0;
  for (const F& f : all) close += f.gap <= limit;
  const auto most = [&](std::size_t slot, const auto& value) {
    double best = -1e300;
    const auto taken = pick.begin() + static_cast<std::ptrdiff_t>(slot);
    for (std::size_t i = 0; i < n; ++i) {
      if ((close > 4 && all[i].gap > limit) || std::find(pick.begin(), taken, i) != taken) continue;
      if (value(all[i]) > best) best = value(all[i]), pick[slot] = i;
    }
  };
  if (close <= 4) {
    for (std::size_t slot = 1; slot < 4; ++slot) most(slot, [](const F& f) { return -f.gap; });
  } else {
    const Vec3<> p = all[pick[0]].point;
    most(1, [&](const F& f) { return norm(f.point - p); });
    const Vec3<> line = all[pick[1]].point - p;
    most(2, [&](const F& f) { return norm(cross(f.point - p, line)); });
    const Vec3<> up = cross(all[pick[2]].point - p, line);
    most(3, [&](const F& f) { return -dot(cross(f.point - p, line), up); });
  }
  std::sort(pick.begin(), pick.end());
  return 4;
}

}  // namespace bristle
