#pragma once
#include <cmath>
#include <vector>

namespace bristle {

/// Solves W x = b for a small symmetric positive semidefinite W, in the sense of least norm where W is singular (redundant
/// rows). Regularised Cholesky with iterative refinement: the shift falls out after the refinements, up to round-off.
class SemidefiniteSolver {
 public:
  void reserve(int n) {
    const auto s = static_cast<std::size_t>(n);
    factor_.resize(s * s);
    residual_.resize(s);
  }

  /// W row-major, n x n. The solution overwrites x.
  void solve(int n, const double* W, const double* b, double* x) {
    if (n == 1) {
      x[0] = W[0] > 0 ? b[0] / W[0] : 0;
      return;
    }
    double trace = 0;
    for (int i = 0; i < n; ++i) trace += W[i * n + i];
    for (int i = 0; i < n; ++i) x[i] = 0;
    if (!(trace > 0)) return;  // nothing moves
    const double shift = 1e-10 * trace / n;
    double* L = factor_.data();
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        double s = W[i * n + j] + (i == j ? shift : 0);
        for (int k = 0; k < j; ++k) s -= L[i * n + k] * L[j * n + k];
        L[i * n + j] = i == j ? std::sqrt(s > 0 ? s : shift) : s / L[j * n + j];
      }
    }
    for (int pass = 0; pass < 3; ++pass) {
      double* r = residual_.data();
      for (int i = 0; i < n; ++i) {
        r[i] = b[i];
        for (int k = 0; k < n; ++k) r[i] -= W[i * n + k] * x[k];
      }
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) r[i] -= L[i * n + k] * r[k];
        r[i] /= L[i * n + i];
      }
      for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) r[i] -= L[k * n + i] * r[k];
        r[i] /= L[i * n + i];
      }
      for (int i = 0; i < n; ++i) x[i] += r[i];
    }
  }

 private:
  std::vector<double> factor_, residual_;
};

}  // namespace bristle
