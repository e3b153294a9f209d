#include "bristle/record/decimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// where a series is smallest and largest within a stretch
struct Extremes {
  std::size_t low = kNone, high = kNone;
};

void widen(const std::vector<double>& x, Extremes& e, std::size_t i) {
  if (i == kNone || std::isnan(x[i])) return;
  if (e.low == kNone || x[i] < x[e.low]) e.low = i;
  if (e.high == kNone || x[i] > x[e.high]) e.high = i;
}

std::size_t distinct(std::vector<std::size_t>& indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices.size();
}

}  // namespace

std::vector<std::size_t> thin(std::size_t n, std::span<const std::vector<double>* const> series, int max_points) {
  const auto most = static_cast<std::size_t>(std::max(max_points, 2));
  std::vector<std::size_t> even;
  if (n <= most) {
    for (std::size_t i = 0; i < n; ++i) even.push_back(i);
    return even;
  }
  // half of the points are evenly spread, so that no time is left empty
  const std::size_t spread = series.empty() ? most : std::max<std::size_t>(most / 2, 2);
  for (std::size_t k = 0; k < spread; ++k) even.push_back(k * (n - 1) / (spread - 1));
  distinct(even);

  // extremes in many short stretches; stretches are joined in pairs until the points are few enough
  std::size_t stretches = std::max<std::size_t>(most / 4, 1);
  std::vector<std::vector<Extremes>> found(series.size(), std::vector<Extremes>(stretches));
  for (std::size_t s = 0; s < series.size(); ++s)
    for (std::size_t b = 0; b < stretches; ++b)
      for (std::size_t i = b * n / stretches; i < (b + 1) * n / stretches; ++i) widen(*series[s], found[s][b], i);
  for (;; stretches = (stretches + 1) / 2) {
    std::vector<std::size_t> all = even;
    for (std::size_t s = 0; s < series.size(); ++s)
      for (std::size_t b = 0; b < stretches; ++b)
        for (const std::size_t i : {found[s][b].low, found[s][b].high})
          if (i != kNone) all.push_back(i);
    if (distinct(all) <= most || stretches == 1) return all;
    for (std::size_t s = 0; s < series.size(); ++s)
      for (std::size_t b = 0; 2 * b < stretches; ++b) {
        Extremes joined = found[s][2 * b];
        if (2 * b + 1 < stretches) {
          widen(*series[s], joined, found[s][2 * b + 1].low);
          widen(*series[s], joined, found[s][2 * b + 1].high);
        }
        found[s][b] = joined;
      }
  }
}

}  // namespace bristle
