#pragma once
// Random numbers and comparisons for tests.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace bristle::test {

/// The same numbers on every machine.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53); }
  double sign() { return between(-1, 1) < 0 ? -1.0 : 1.0; }
  std::array<double, 3> direction() {
    for (;;) {
      const std::array<double, 3> u = {between(-1, 1), between(-1, 1), between(-1, 1)};
      const double n = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      if (n > 0.1 && n <= 1) return {u[0] / n, u[1] / n, u[2] / n};
    }
  }

 private:
  std::mt19937_64 engine_;
};

inline double relative_difference(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b));
  return size > 0 ? std::abs(a - b) / size : 0;
}

/// Slope of log(error) over log(step) by least squares.
inline double fitted_order(const std::vector<double>& step, const std::vector<double>& error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(step.size());
  for (std::size_t i = 0; i < step.size(); ++i) {
    const double x = std::log(step[i]), y = std::log(error[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace bristle::test
