#pragma once
#include <time.h>

#include <algorithm>
#include <cmath>
#include <vector>

/// Spheres in a box: the scenes that all engines get, and one measure of penetration for all of them.
namespace grains {

constexpr double kRadius = 0.02, kSpacing = 0.045, kMu = 0.5, kRestitution = 0.3, kDensity = 2500, kGravity = 9.81;

struct Grain {
  double x, y, z;
};

struct Scene {
  int edge = 10;             ///< spheres along an edge of the grid they came from: the size of the box
  double tilt = 0;           ///< [rad] of gravity towards x
  double end = 1;            ///< [s]
  std::vector<Grain> start;  ///< where the spheres are, at rest
};

/// A loose grid.
inline Scene falling(int n, double end) {
  Scene s{n, 0, end, {}};
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        // a little off the grid, or columns would stand on each other for ever
        const double shift = 0.002 * std::sin(12.9898 * i + 78.233 * j + 37.719 * k);
        s.start.push_back({kSpacing * (i - 0.5 * (n - 1)) + shift, kSpacing * (j - 0.5 * (n - 1)) - shift, 0.03 + kSpacing * k});
      }
    }
  }
  return s;
}

/// Distance of the walls from the middle.
inline double wall(int n) { return 0.5 * kSpacing * n + 0.01; }

/// What one run was like. Depths in radii.
struct Figures {
  double seconds = 0;             ///< simulated
  double cpu = 0;                 ///< processor time of them
  double solver = 0;              ///< of that, inside the solver of contacts, where it is known
  double deepest = 0;             ///< of all looks
  double mean = 0, contacts = 0;  ///< of the overlaps at the end, and how many there are
  double kinetic = 0;             ///< [J] at the end
  long steps = 0, lost = 0;       ///< lost: steps without room for all contacts
  std::vector<Grain> last;
};

/// Overlaps of any two spheres, and of one with a wall or the floor, from the positions alone.
inline void look(const std::vector<Grain>& all, const Scene& scene, Figures& f) {
  double sum = 0;
  f.contacts = 0;
  const auto take = [&](double depth) {
    if (!(depth > 0)) return;
    f.deepest = std::max(f.deepest, depth / kRadius);
    sum += depth / kRadius;
    ++f.contacts;
  };
  const double w = wall(scene.edge);
  for (std::size_t a = 0; a < all.size(); ++a) {
    const Grain& g = all[a];
    for (double depth : {kRadius - g.z, kRadius - w + g.x, kRadius - w - g.x, kRadius - w + g.y, kRadius - w - g.y}) take(depth);
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      const double x = g.x - all[b].x, y = g.y - all[b].y, z = g.z - all[b].z, square = x * x + y * y + z * z;
      if (square < 4 * kRadius * kRadius) take(2 * kRadius - std::sqrt(square));
    }
  }
  f.mean = f.contacts > 0 ? sum / f.contacts : 0;
}

/// A look every 10 ms of the scene.
inline long look_after(double step) { return std::max(1L, std::lround(0.01 / step)); }

/// Processor time of this thread [s]: means something on a busy machine too.
inline double cpu_now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace grains
