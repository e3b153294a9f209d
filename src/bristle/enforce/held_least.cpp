// Rows that follow from others: they are left out of the factors, and of all multipliers that do the same the least are taken.
#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/base/index.h"
#include "bristle/enforce/held_factors.h"

namespace bristle {

const double* HeldSolver::Orthogonal::mask(const std::vector<double>& full, int m) {
  matrix = full;
  for (int d : choice.left_out()) {
    for (int i = 0; i < m; ++i) matrix[u(d * m + i)] = matrix[u(i * m + d)] = 0;
    matrix[u(d * m + d)] = 1;
  }
  return matrix.data();
}

const double* HeldSolver::Orthogonal::mask(const std::vector<double>& full, const SparsePattern& pattern, int first) {
  matrix = full;
  const auto out = [&](int i) { return i >= first && choice.leaves_out(i - first); };
  for (int c = 0; c < pattern.columns(); ++c) {
    const bool column = out(c);
    for (int k = pattern.begin(c); k < pattern.end(c); ++k) {
      if (column || out(pattern.row(k))) matrix[u(k)] = pattern.row(k) == c ? 1 : 0;
    }
  }
  return matrix.data();
}

const double* HeldSolver::Orthogonal::mask(const double* b, int m) {
  std::copy_n(b, m, rhs.begin());
  drop(rhs.data());
  return rhs.data();
}

void HeldSolver::Orthogonal::prepare_least(const HeldSolver& s) {
  if (!choice.any()) return;
  const std::size_t out = choice.left_out().size(), m = u(s.m_);
  rhs.assign(m, 0);
  a_ = b_ = rhs;
  K_.assign(out <= u(kFew) || s.storage_ == Storage::dense || !s.add_slope_.empty() ? m * out : 0, 0);
  G_.assign(K_.empty() ? 0 : out * out, 0);
  F_ = G_;
  for (auto* part : {&x_, &r_, &p_, &q_}) part->assign(out, 0);
}

bool HeldSolver::Orthogonal::by_columns(const HeldSolver& s) const {
  return static_cast<int>(choice.left_out().size()) <= kFew || s.storage_ == Storage::dense || !s.symmetric_;
}

void HeldSolver::Orthogonal::apply(HeldSolver& s, const double* x, double* kept) {
  std::fill_n(b_.begin(), s.m_, 0.0);
  for (std::size_t j = 0; j < choice.left_out().size(); ++j) b_[u(choice.left_out()[j])] = x[j];
  s.multiply(b_.data(), a_.data());
  drop(a_.data());
  s.solve_once(a_.data(), kept);
}

void HeldSolver::Orthogonal::apply_back(HeldSolver& s, const double* kept, double* x) {
  std::copy_n(kept, s.m_, b_.begin());
  drop(b_.data());
  s.solve_once(b_.data(), a_.data());
  s.multiply(a_.data(), b_.data());
  for (std::size_t j = 0; j < choice.left_out().size(); ++j) x[j] = b_[u(choice.left_out()[j])];
}

/// K, and the factors of 1 + K'K by Cholesky's method.
void HeldSolver::Orthogonal::find_columns(HeldSolver& s) {
  const std::size_t out = choice.left_out().size(), m = u(s.m_);
  for (std::size_t j = 0; j < out; ++j) {
    std::fill(x_.begin(), x_.end(), 0.0);
    x_[j] = 1;
    apply(s, x_.data(), &K_[j * m]);
    drop(&K_[j * m]);
  }
  if (!s.symmetric_) {  // 1 + C'K
    for (std::size_t j = 0; j < out; ++j) {
      apply_back(s, &K_[j * m], x_.data());
      for (std::size_t i = 0; i < out; ++i) G_[i * out + j] = x_[i] + (i == j ? 1 : 0);
    }
    least_known = true;
    return;
  }
  for (std::size_t i = 0; i < out; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = 0; k < m; ++k) sum += K_[i * m + k] * K_[j * m + k];
      for (std::size_t k = 0; k < j; ++k) sum -= G_[i * out + k] * G_[j * out + k];
      G_[i * out + j] = i == j ? std::sqrt(sum) : sum / G_[j * out + j];
    }
  }
  least_known = true;
}

/// G x = r by elimination; G is near to what Cholesky's method could do, pivots are found all the same.
void HeldSolver::Orthogonal::eliminate(double* x) {
  const std::size_t n = choice.left_out().size();
  F_ = G_;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(F_[i * n + k]) > std::abs(F_[best * n + k])) best = i;
    }
    if (best != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(F_[k * n + j], F_[best * n + j]);
      std::swap(x[k], x[best]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double part = F_[i * n + k] / F_[k * n + k];
      for (std::size_t j = k; j < n; ++j) F_[i * n + j] -= part * F_[k * n + j];
      x[i] -= part * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= F_[k * n + j] * x[j];
    x[k] /= F_[k * n + k];
  }
}

/// Conjugate gradients, from the last answer: loops that are alike make few different eigenvalues.
void HeldSolver::Orthogonal::iterate(HeldSolver& s, const double* lambda) {
  const std::size_t out = choice.left_out().size();
  const auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t j = 0; j < out; ++j) sum += a[j] * b[j];
    return sum;
  };
  const auto times = [&](const std::vector<double>& x, std::vector<double>& y) {
    apply(s, x.data(), rhs.data());
    apply_back(s, rhs.data(), y.data());
    for (std::size_t j = 0; j < out; ++j) y[j] += x[j];
  };
  apply_back(s, lambda, r_.data());
  const double enough = 1e-26 * dot(r_, r_);
  times(x_, q_);
  for (std::size_t j = 0; j < out; ++j) r_[j] -= q_[j];
  p_ = r_;
  double size = dot(r_, r_);
  for (int round = 0; round < 60 && size > enough; ++round) {
    times(p_, q_);
    const double along = size / dot(p_, q_);
    if (!std::isfinite(along)) break;
    for (std::size_t j = 0; j < out; ++j) x_[j] += along * p_[j], r_[j] -= along * q_[j];
    const double next = dot(r_, r_);
    for (std::size_t j = 0; j < out; ++j) p_[j] = r_[j] + next / size * p_[j];
    size = next;
  }
}

void HeldSolver::Orthogonal::least(HeldSolver& s, double* lambda) {
  const std::size_t out = choice.left_out().size(), m = u(s.m_);
  drop(lambda);
  if (by_columns(s)) {
    if (!least_known) find_columns(s);
    if (!s.symmetric_) {
      apply_back(s, lambda, x_.data());
      eliminate(x_.data());
    } else {
      for (std::size_t i = 0; i < out; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < m; ++k) sum += K_[i * m + k] * lambda[k];
        for (std::size_t k = 0; k < i; ++k) sum -= G_[i * out + k] * x_[k];
        x_[i] = sum / G_[i * out + i];
      }
      for (std::size_t i = out; i-- > 0;) {
        for (std::size_t k = i + 1; k < out; ++k) x_[i] -= G_[k * out + i] * x_[k];
        x_[i] /= G_[i * out + i];
      }
    }
    for (std::size_t j = 0; j < out; ++j) {
      for (std::size_t k = 0; k < m; ++k) lambda[k] -= x_[j] * K_[j * m + k];
    }
  } else {
    if (!std::isfinite(x_[0])) std::fill(x_.begin(), x_.end(), 0.0);
    iterate(s, lambda);
    apply(s, x_.data(), rhs.data());
    for (std::size_t k = 0; k < m; ++k) lambda[k] -= rhs[k];
  }
  for (std::size_t j = 0; j < out; ++j) lambda[choice.left_out()[j]] = x_[j];
}

}  // namespace bristle
