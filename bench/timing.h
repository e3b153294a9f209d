#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

/// Wall time of one call [s].
inline double time_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Best times of several pieces of work that take turns, so that whatever else the machine does hits all of them.
inline std::vector<double> best_of(int rounds, const std::vector<std::function<void()>>& work) {
  std::vector<double> best(work.size(), 1e300);
  for (int r = 0; r < rounds; ++r) {
    for (std::size_t i = 0; i < work.size(); ++i) best[i] = std::min(best[i], time_of(work[i]));
  }
  return best;
}
