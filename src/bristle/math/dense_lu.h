#pragma once
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

namespace bristle {

/// LU factors with partial pivoting of a small dense matrix, row-major; no allocation after reserve.
template <class T>
class DenseLu {
 public:
  void reserve(int n) {
    n_ = n;
    a_.assign(static_cast<std::size_t>(n * n), T(0));
    pivot_.assign(static_cast<std::size_t>(n), 0);
  }
  int size() const { return n_; }
  T* matrix() { return a_.data(); }  ///< fill, then factor

  /// False when the matrix is singular; `column` then names the column without pivot.
  bool factor(int* column = nullptr) {
    const int n = n_;
    for (int k = 0; k < n; ++k) {
      int p = k;
      double best = size_of(at(k, k));
      for (int i = k + 1; i < n; ++i) {
        const double s = size_of(at(i, k));
        if (s > best) best = s, p = i;
      }
      if (!(best > 0) || !std::isfinite(best)) {
        if (column) *column = k;
        return false;
      }
      pivot_[static_cast<std::size_t>(k)] = p;
      if (p != k) {
        for (int j = 0; j < n; ++j) std::swap(at(k, j), at(p, j));
      }
      const T inverse = T(1) / at(k, k);
      for (int i = k + 1; i < n; ++i) {
        T& l = at(i, k);
        if (l == T(0)) continue;
        l *= inverse;
        const T factor = l;
        T *row = &at(i, 0), *top = &at(k, 0);
        for (int j = k + 1; j < n; ++j) row[j] -= factor * top[j];
      }
    }
    return true;
  }
  void solve(T* b) const {
    const int n = n_;
    for (int k = 0; k < n; ++k) {
      const int p = pivot_[static_cast<std::size_t>(k)];
      if (p != k) std::swap(b[k], b[p]);
    }
    for (int i = 1; i < n; ++i) {
      T s = b[i];
      for (int j = 0; j < i; ++j) s -= at(i, j) * b[j];
      b[i] = s;
    }
    for (int i = n - 1; i >= 0; --i) {
      T s = b[i];
      for (int j = i + 1; j < n; ++j) s -= at(i, j) * b[j];
      b[i] = s / at(i, i);
    }
  }

 private:
  static double size_of(double x) { return std::abs(x); }
  static double size_of(const std::complex<double>& x) { return std::abs(x.real()) + std::abs(x.imag()); }
  T& at(int i, int j) { return a_[static_cast<std::size_t>(i * n_ + j)]; }
  const T& at(int i, int j) const { return a_[static_cast<std::size_t>(i * n_ + j)]; }
  int n_ = 0;
  std::vector<T> a_;
  std::vector<int> pivot_;
};

}  // namespace bristle
