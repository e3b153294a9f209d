#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace bristle {

/// A point x = map(x) of a few numbers, by Broyden's method from x + (map(x) - x); no allocation after reserve.
/// C. G. Broyden, A class of methods for solving nonlinear simultaneous equations, Math. Comp. 19 (1965).
class FixedPoint {
 public:
  void reserve(int n) {
    const auto size = static_cast<std::size_t>(n);
    for (auto* part : {&off_, &last_off_, &step_, &push_}) part->assign(size, 0);
    inverse_.assign(size * size, 0);
  }
  void start(int n) {
    if (u(n) > off_.size()) reserve(n);
    n_ = n;
    rounds_ = 0;
    std::fill_n(inverse_.begin(), n * n, 0.0);
    for (int i = 0; i < n; ++i) at(i, i) = 1;
  }
  /// The next x from the one before and its image; none becomes negative.
  void improve(double* x, const double* image) {
    for (int i = 0; i < n_; ++i) off_[u(i)] = image[i] - x[i];
    if (rounds_ > 0) learn();
    ++rounds_;
    for (int i = 0; i < n_; ++i) {
      double s = 0;
      for (int k = 0; k < n_; ++k) s += at(i, k) * off_[u(k)];
      // no further than a few times the way to the image: the map has kinks
      const double most = 4 * std::abs(off_[u(i)]) + 0.5 * x[i];
      const double next = std::max(0.0, x[i] + std::clamp(s, -most, most));
      step_[u(i)] = next - x[i];
      x[i] = next;
    }
    std::swap(off_, last_off_);
  }

 private:
  static std::size_t u(int i) { return static_cast<std::size_t>(i); }
  double& at(int i, int k) { return inverse_[u(i * n_ + k)]; }
  /// inverse is that of -d(off)/dx: it takes the last change of `off` to the step that made it.
  void learn() {
    double denominator = 0;
    for (int i = 0; i < n_; ++i) {
      double s = 0;
      for (int k = 0; k < n_; ++k) s += at(i, k) * (last_off_[u(k)] - off_[u(k)]);
      push_[u(i)] = s;
      denominator += step_[u(i)] * s;
    }
    double size = 0;
    for (int i = 0; i < n_; ++i) size += step_[u(i)] * step_[u(i)];
    if (!(std::abs(denominator) > 1e-3 * size)) return;
    for (int k = 0; k < n_; ++k) {
      double row = 0;
      for (int i = 0; i < n_; ++i) row += step_[u(i)] * at(i, k);
      last_off_[u(k)] = row / denominator;  // used up
    }
    for (int i = 0; i < n_; ++i) {
      for (int k = 0; k < n_; ++k) at(i, k) += (step_[u(i)] - push_[u(i)]) * last_off_[u(k)];
    }
  }
  int n_ = 0, rounds_ = 0;
  std::vector<double> off_, last_off_, step_, push_, inverse_;
};

}  // namespace bristle
