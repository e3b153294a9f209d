#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace bristle {

/// Solves W x = b for a small positive semidefinite W, in the sense of least norm where W is singular (redundant rows). Cholesky with
/// pivoting gives W = L L' with as many columns as W has independent rows; then x = L (L'L)^-2 L' b. W may be off symmetry by a
/// little: refinement takes that out.
class SemidefiniteSolver {
 public:
  /// Of a diagonal: what is left of a row that follows from others.
  void set_nothing(double share) { nothing_ = share; }
  void reserve(int n) {
    const auto s = static_cast<std::size_t>(n);
    factor_.resize(s * s);
    square_.resize(s * s);
    for (auto* part : {&left_, &whole_, &residual_, &inner_}) part->resize(s);
    taken_.resize(s);
  }

  /// W row-major, n x n. The solution overwrites x.
  void solve(int n, const double* W, const double* b, double* x) {
    if (n == 1) {
      x[0] = W[0] > 0 ? b[0] / W[0] : 0;
      return;
    }
    for (int i = 0; i < n; ++i) x[i] = 0;
    factor(n, W);
    if (rank_ == 0) return;  // nothing moves
    double* r = residual_.data();
    for (int pass = 0; pass < 3; ++pass) {
      for (int i = 0; i < n; ++i) {
        r[i] = b[i];
        for (int k = 0; k < n; ++k) r[i] -= W[i * n + k] * x[k];
      }
      double* y = inner_.data();
      for (int c = 0; c < rank_; ++c) {
        y[c] = 0;
        for (int i = 0; i < n; ++i) y[c] += L(i, c, n) * r[i];
      }
      apply(y);
      apply(y);
      for (int i = 0; i < n; ++i) {
        for (int c = 0; c < rank_; ++c) x[i] += L(i, c, n) * y[c];
      }
    }
  }

  /// The same system without what is next to nothing: W of the rank that counts, and of b what W can give.
  void clean(int n, double* W, double* b) {
    if (n == 1) return;
    factor(n, W);
    if (rank_ == n) return;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double s = 0;
        for (int c = 0; c < rank_; ++c) s += L(i, c, n) * L(j, c, n);
        W[i * n + j] = s;
      }
    }
    double* y = inner_.data();
    for (int c = 0; c < rank_; ++c) {
      y[c] = 0;
      for (int i = 0; i < n; ++i) y[c] += L(i, c, n) * b[i];
    }
    if (rank_ > 0) apply(y);
    for (int i = 0; i < n; ++i) {
      b[i] = 0;
      for (int c = 0; c < rank_; ++c) b[i] += L(i, c, n) * y[c];
    }
  }

 private:
  double nothing_ = 1e-10;
  double& L(int i, int c, int n) { return factor_[static_cast<std::size_t>(i * n + c)]; }
  double& G(int i, int c) { return square_[static_cast<std::size_t>(i * rank_ + c)]; }

  void factor(int n, const double* W) {
    double *left = left_.data(), *whole = whole_.data();
    for (int i = 0; i < n; ++i) left[i] = whole[i] = W[i * n + i], taken_[static_cast<std::size_t>(i)] = 0;
    for (rank_ = 0; rank_ < n; ++rank_) {
      int p = -1;
      for (int i = 0; i < n; ++i) {
        if (taken_[static_cast<std::size_t>(i)] || !(left[i] > nothing_ * whole[i])) continue;
        if (p < 0 || left[i] > left[p]) p = i;
      }
      if (p < 0) break;
      taken_[static_cast<std::size_t>(p)] = 1;
      const double root = std::sqrt(left[p]);
      for (int i = 0; i < n; ++i) {
        double s = W[std::max(i, p) * n + std::min(i, p)];
        for (int c = 0; c < rank_; ++c) s -= L(i, c, n) * L(p, c, n);
        if (i != p && taken_[static_cast<std::size_t>(i)]) s = 0;  // by its own column, up to round-off
        L(i, rank_, n) = i == p ? root : s / root;
        left[i] -= L(i, rank_, n) * L(i, rank_, n);
      }
    }
    // Cholesky of L'L
    for (int i = 0; i < rank_; ++i) {
      for (int j = 0; j <= i; ++j) {
        double s = 0;
        for (int k = 0; k < n; ++k) s += L(k, i, n) * L(k, j, n);
        for (int k = 0; k < j; ++k) s -= G(i, k) * G(j, k);
        G(i, j) = i == j ? std::sqrt(s) : s / G(j, j);
      }
    }
  }
  void apply(double* y) {
    for (int i = 0; i < rank_; ++i) {
      for (int k = 0; k < i; ++k) y[i] -= G(i, k) * y[k];
      y[i] /= G(i, i);
    }
    for (int i = rank_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < rank_; ++k) y[i] -= G(k, i) * y[k];
      y[i] /= G(i, i);
    }
  }

  int rank_ = 0;
  std::vector<double> factor_, square_, left_, whole_, residual_, inner_;
  std::vector<char> taken_;
};

}  // namespace bristle
