#pragma once
#include <complex>
#include <memory>
#include <vector>

#include "bristle/math/sparse_pattern.h"

namespace bristle {

/// LU factors of a sparse matrix of fixed pattern (compressed columns): one symbolic analysis, then refilled. KLU behind it.
template <class T>
class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  void analyse(int n, const std::vector<int>& starts, const std::vector<int>& rows);
  void analyse(const SparsePattern& p) { analyse(p.columns(), p.starts(), p.rows()); }
  /// Pivots of the factors before are kept while they serve, unless told otherwise.
  bool factor(const T* values, bool keep_pivots = true);
  void solve(T* b) const;
  double condition() const;  ///< smallest over largest pivot of the last factors

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class SparseLu<double>;
extern template class SparseLu<std::complex<double>>;

}  // namespace bristle
