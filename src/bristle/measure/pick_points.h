#pragma once
#include <algorithm>
#include <array>
#include <cstddef>

#include "bristle/measure/gjk.h"
#include "bristle/measure/touch.h"

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

inline constexpr std::size_t kMostSlots = 8;

/// Slots for points under a law with stiffness: each has the `home` of its kind where that is free, so that what a slot stores changes
/// steadily, and up to eight with the least gaps have one. slot[i] is the place of a point in the list, or -1.
template <class F, std::size_t N>
std::array<int, kMostSlots> place_points(const Few<F, N>& all) {
  std::array<int, kMostSlots> slot;
  slot.fill(-1);
  std::array<bool, N> placed{};
  for (std::size_t count = 0; count < std::min(all.size(), kMostSlots); ++count) {
    std::size_t next = N;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!placed[i] && (next == N || all[i].gap < all[next].gap)) next = i;
    }
    placed[next] = true;
    std::size_t at = static_cast<std::size_t>(all[next].home);
    for (std::size_t i = kMostSlots; slot[at] >= 0; --i) at = i - 1;  // the last ones are those of rare kinds
    slot[at] = static_cast<int>(next);
  }
  return slot;
}

/// The points of a pair in their slots, four chosen ones where `rigid`, else up to eight; slots that are not needed repeat the first one, opened by
/// `open`.
template <class T, class F, std::size_t N, class Make>
void fill_slots(const Few<F, N>& all, double near, double open, bool rigid, const Make& make, Touch<T>* out) {
  std::array<int, kMostSlots> slot;
  slot.fill(-1);
  const std::size_t slots = rigid ? 4 : kMostSlots;
  if (rigid) {
    std::array<std::size_t, 4> pick{};
    const std::size_t count = pick_points(all, near, pick);
    for (std::size_t i = 0; i < count; ++i) slot[i] = static_cast<int>(pick[i]);
  } else {
    slot = place_points(all);
  }
  std::size_t first = slots;
  for (std::size_t i = 0; i < slots; ++i) {
    if (slot[i] < 0) continue;
    out[i] = make(all[static_cast<std::size_t>(slot[i])]);
    first = std::min(first, i);
  }
  for (std::size_t i = 0; i < slots; ++i) {
    if (slot[i] < 0) out[i] = out[first], out[i].gap = out[first].gap + open;
  }
}

}  // namespace bristle
