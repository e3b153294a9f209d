#include "bristle/enforce/row_choice.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kNear = 0.03;  // of the pivot at the last choice: rows are looked at again
constexpr double kBetter = 4;   // what another choice has to be better by
}  // namespace

void RowChoice::prepare(const System& system) {
  const Layout& layout = system.layout();
  m_ = system.layout().held_count();
  n_ = layout.free();
  left_out_.clear();
  for (int k = 0; k < m_; ++k) {  // as initial assembly names them
    const HeldRow& row = layout.held[u(k)];
    const std::string name = row.owner + " (" + row.name + ")";
    if (std::find(layout.redundant.begin(), layout.redundant.end(), name) != layout.redundant.end()) left_out_.push_back(k);
  }
  out_.assign(u(m_), 0);
  for (int k : left_out_) out_[u(k)] = 1;
  best_ = 0;
  if (!any() || m_ > kMost) return;
  D_.assign(u(m_ * n_), 0);
  gram_.assign(u(m_ * m_), 0);
  factor_ = gram_;
  order_.assign(u(m_), 0);
}

void RowChoice::save(Archive& a) const { a.put(left_out_), a.put(best_); }

void RowChoice::load(Archive& a) {
  a.get(left_out_), a.get(best_);
  std::fill(out_.begin(), out_.end(), char{0});
  for (int k : left_out_) out_[u(k)] = 1;
}

/// Of the kept rows, by Cholesky's method: one minus the square of the cosine between a row and the span of those before it.
double RowChoice::smallest_pivot() {
  double least = 1;
  factor_ = gram_;
  for (int j = 0; j < m_; ++j) {
    if (out_[u(j)]) continue;
    double* L = &factor_[u(j * m_)];
    double s = L[j];
    for (int k = 0; k < j; ++k) {
      if (!out_[u(k)]) s -= L[k] * L[k];
    }
    least = std::min(least, s);
    if (!(s > 1e-15)) return 0;
    const double root = std::sqrt(s);
    for (int i = j + 1; i < m_; ++i) {
      if (out_[u(i)]) continue;
      double* row = &factor_[u(i * m_)];
      double t = row[j];
      for (int k = 0; k < j; ++k) {
        if (!out_[u(k)]) t -= row[k] * L[k];
      }
      row[j] = t / root;
    }
  }
  return least;
}

bool RowChoice::review(const System& system, const Workspace& w) {
  if (!any() || m_ > kMost) return false;
  const Layout& layout = system.layout();
  std::fill(D_.begin(), D_.end(), 0.0);
  for (int k = 0; k < m_; ++k) {
    double* d = &D_[u(k * n_)];
    double size = 0;
    layout.rows.each(layout.held[u(k)].row, w.D.data(), [&](int v, double c) {
      if (const int i = layout.unknown(v); i >= 0) d[i] += c;
    });
    for (int i = 0; i < n_; ++i) size += d[i] * d[i];
    const double scale = size > 0 ? 1 / std::sqrt(size) : 0;
    for (int i = 0; i < n_; ++i) d[i] *= scale;
    for (int j = 0; j <= k; ++j) {
      const double* e = &D_[u(j * n_)];
      double sum = 0;
      for (int i = 0; i < n_; ++i) sum += d[i] * e[i];
      gram_[u(k * m_ + j)] = gram_[u(j * m_ + k)] = sum;
    }
  }
  const double now = smallest_pivot();
  if (!std::isfinite(now)) return false;
  if (best_ == 0) best_ = now;
  if (now > kNear * best_) return false;
  // elimination with pivots on the diagonal takes the rows that differ most
  const int rank = m_ - static_cast<int>(left_out_.size());
  factor_ = gram_;
  for (int k = 0; k < m_; ++k) order_[u(k)] = k;
  double least = 1;
  for (int step = 0; step < rank; ++step) {
    const auto pivot = [&](int k) { return factor_[u(order_[u(k)] * m_ + order_[u(k)])]; };
    int best = step;
    for (int k = step + 1; k < m_; ++k) {
      if (pivot(k) > pivot(best)) best = k;
    }
    std::swap(order_[u(step)], order_[u(best)]);
    const int p = order_[u(step)];
    const double s = factor_[u(p * m_ + p)];
    least = std::min(least, s);
    if (!(s > 1e-15)) break;
    for (int a = step + 1; a < m_; ++a) {
      const int i = order_[u(a)];
      const double t = factor_[u(i * m_ + p)] / s;
      for (int b = step + 1; b < m_; ++b) factor_[u(i * m_ + order_[u(b)])] -= t * factor_[u(p * m_ + order_[u(b)])];
    }
  }
  best_ = now;  // no other choice is sought until it has become much worse
  if (!(least > kBetter * now)) return false;
  left_out_.assign(order_.begin() + rank, order_.end());
  std::sort(left_out_.begin(), left_out_.end());
  std::fill(out_.begin(), out_.end(), char{0});
  for (int k : left_out_) out_[u(k)] = 1;
  best_ = smallest_pivot();
  return true;
}

}  // namespace bristle
