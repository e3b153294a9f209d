#include "bristle/math/sparse_lu.h"

#include <klu.h>

#include <stdexcept>
#include <type_traits>

namespace bristle {

template <class T>
struct SparseLu<T>::Impl {
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<int> starts, rows;
  int n = 0;
  static constexpr bool kReal = std::is_same_v<T, double>;

  ~Impl() { release(); }
  void release() {
    if (numeric) {
      if constexpr (kReal) klu_free_numeric(&numeric, &common);
      else klu_z_free_numeric(&numeric, &common);
    }
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
  bool refill(const double* values, bool keep_pivots) {
    // KLU's reciprocal condition estimate says when pivots no longer serve
    if (numeric && !keep_pivots) {
      if constexpr (kReal) klu_free_numeric(&numeric, &common);
      else klu_z_free_numeric(&numeric, &common);
      numeric = nullptr;
    }
    if (numeric) {
      if constexpr (kReal) {
        if (klu_refactor(starts.data(), rows.data(), const_cast<double*>(values), symbolic, numeric, &common) &&
            klu_rcond(symbolic, numeric, &common) && common.rcond > 1e-14)
          return true;
        klu_free_numeric(&numeric, &common);
      } else {
        if (klu_z_refactor(starts.data(), rows.data(), const_cast<double*>(values), symbolic, numeric, &common) &&
            klu_z_rcond(symbolic, numeric, &common) && common.rcond > 1e-14)
          return true;
        klu_z_free_numeric(&numeric, &common);
      }
      numeric = nullptr;
    }
    if constexpr (kReal) numeric = klu_factor(starts.data(), rows.data(), const_cast<double*>(values), symbolic, &common);
    else numeric = klu_z_factor(starts.data(), rows.data(), const_cast<double*>(values), symbolic, &common);
    if (numeric == nullptr || common.status != KLU_OK) return false;
    if constexpr (kReal) klu_rcond(symbolic, numeric, &common);
    else klu_z_rcond(symbolic, numeric, &common);
    return true;
  }
};

template <class T>
SparseLu<T>::SparseLu() : impl_(std::make_unique<Impl>()) {}
template <class T>
SparseLu<T>::~SparseLu() = default;
template <class T>
SparseLu<T>::SparseLu(SparseLu&&) noexcept = default;
template <class T>
SparseLu<T>& SparseLu<T>::operator=(SparseLu&&) noexcept = default;

template <class T>
void SparseLu<T>::analyse(int n, const std::vector<int>& starts, const std::vector<int>& rows) {
  impl_->release();
  klu_defaults(&impl_->common);
  impl_->n = n;
  impl_->starts = starts;
  impl_->rows = rows;
  impl_->symbolic = klu_analyze(n, impl_->starts.data(), impl_->rows.data(), &impl_->common);
  if (!impl_->symbolic) throw std::runtime_error("the pattern of the Jacobian is structurally singular");
}

template <class T>
bool SparseLu<T>::factor(const T* values, bool keep_pivots) {
  return impl_->refill(reinterpret_cast<const double*>(values), keep_pivots);
}

template <class T>
void SparseLu<T>::solve(T* b) const {
  Impl& s = *impl_;
  if constexpr (Impl::kReal) klu_solve(s.symbolic, s.numeric, s.n, 1, b, &s.common);
  else klu_z_solve(s.symbolic, s.numeric, s.n, 1, reinterpret_cast<double*>(b), &s.common);
}

template <class T>
double SparseLu<T>::condition() const {
  return impl_->common.rcond;
}

template class SparseLu<double>;
template class SparseLu<std::complex<double>>;

}  // namespace bristle
