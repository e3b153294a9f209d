#pragma once
#include <time.h>

#include <algorithm>
#include <cmath>
#include <vector>

/// A box full of spheres in a loose grid: the scene that all engines get.
namespace grains {

constexpr double kRadius = 0.02, kSpacing = 0.045, kMu = 0.5, kRestitution = 0.3, kDensity = 2500, kGravity = 9.81;
constexpr int kLook = 25;  ///< steps between two looks at the penetration

struct Grain {
  double x, y, z;
};

inline std::vector<Grain> start(int n) {
  std::vector<Grain> list;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        // a little off the grid, or columns would stand on each other for ever
        const double shift = 0.002 * std::sin(12.9898 * i + 78.233 * j + 37.719 * k);
        list.push_back({kSpacing * (i - 0.5 * (n - 1)) + shift, kSpacing * (j - 0.5 * (n - 1)) - shift, 0.03 + kSpacing * k});
      }
    }
  }
  return list;
}

/// Distance of the walls from the middle.
inline double wall(int n) { return 0.5 * kSpacing * n + 0.01; }

/// The deepest overlap of any two spheres, or of one with a wall or the floor.
inline double deepest(const std::vector<Grain>& all, int n) {
  double depth = 0;
  for (std::size_t a = 0; a < all.size(); ++a) {
    const Grain& g = all[a];
    depth = std::max({depth, kRadius - g.z, kRadius - wall(n) + std::abs(g.x), kRadius - wall(n) + std::abs(g.y)});
    for (std::size_t b = a + 1; b < all.size(); ++b)
      depth = std::max(depth, 2 * kRadius - std::hypot(g.x - all[b].x, g.y - all[b].y, g.z - all[b].z));
  }
  return depth;
}

/// What one run was like.
struct Figures {
  double seconds = 0;  ///< simulated
  double cpu = 0;      ///< processor time of them
  double solver = 0;   ///< of that, inside the solver of contacts, where it is known
  double contacts = 0, deepest = 0, kinetic = 0;
  long steps = 0;
};

/// Processor time of this thread [s]: means something on a busy machine too.
inline double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace grains
