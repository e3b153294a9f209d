#pragma once
#include <utility>
#include <vector>

namespace bristle {

// Measures of scalar coordinates: a reading is how far B has moved relative to A. A force T that resists the reading pulls B back
// and A along: f = -coefficient * T. Each measure offers read, push and each(index, coefficient).

/// x_b - x_a: two coordinates, inlined everywhere.
struct Relative {
  int a = 0, b = 0;
  int push_a = a,
      push_b = b;  ///< where the force goes: an end on the ground has a slot of its own, so that elements do not wait in line
  double read(const double* x) const { return x[b] - x[a]; }
  void push(double T, double* f) const {
    f[push_a] += T;
    f[push_b] -= T;
  }
  template <class F>
  void each(F&& visit) const {
    visit(a, -1.0);
    visit(b, 1.0);
  }
};

/// Sum of coefficient * x: modal rows, given matrices, levers.
struct LinearForm {
  std::vector<std::pair<int, double>> terms;
  double read(const double* x) const {
    double sum = 0;
    for (const auto& [i, c] : terms) sum += c * x[i];
    return sum;
  }
  void push(double T, double* f) const {
    for (const auto& [i, c] : terms) f[i] -= c * T;
  }
  template <class F>
  void each(F&& visit) const {
    for (const auto& [i, c] : terms) visit(i, c);
  }
};

}  // namespace bristle
