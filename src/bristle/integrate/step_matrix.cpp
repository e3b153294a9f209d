#include "bristle/integrate/step_matrix.h"

#include <algorithm>

namespace bristle {

namespace {
std::size_t u(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void StepMatrix::prepare(const System& system, bool jumps) {
  layout_ = &system.layout();
  n_ = layout_->free();
  held_ = system.held_count();
  slots_ = layout_->sizes.lambda;
  jumps_ = jumps;
  size_ = (jumps ? 2 : 1) * n_ + slots_ + (jumps ? held_ : 0);
  learning_ = true;
  if (dense()) dense_.reserve(size_);
}

void StepMatrix::begin(double h) {
  h_ = h;
  next_ = 0;
  if (learning_) {
    entries_.clear();
    first_.clear();
  } else {
    std::fill(values_.begin(), values_.end(), 0.0);
  }
}

void StepMatrix::put(int row, int column, double value) {
  if (learning_) {
    entries_.push_back({column, row});
    first_.push_back(value);
  } else {
    values_[u(slot_[next_++])] += value;
  }
}

void StepMatrix::add(Part part, int row, int column, double value) {
  const double half = 0.5 * h_ * h_;
  const auto unknown = [&](int k) { return layout_->unknown(k); };
  if (part == Part::rest_lambda) return put(multiplier(row), multiplier(column), value / half);
  if (part == Part::rest_step) {
    if (const int c = unknown(column); c >= 0) put(multiplier(row), c, value);
    return;
  }
  const int r = unknown(row);
  if (r < 0) return;
  switch (part) {
    case Part::force_lambda: return put(r, multiplier(column), -value);
    case Part::force_q:
    case Part::force_v:
    case Part::force_step: break;
    case Part::force_jump:
    case Part::impulse_step:
    case Part::impulse_jump:
      if (!jumps_) return;
      break;
    default: return;  // memory follows the increments
  }
  const int c = unknown(column);
  if (c < 0) return;
  switch (part) {
    case Part::force_q: return put(r, c, -0.5 * half * value);
    case Part::force_v: return put(r, c, -half / h_ * value);
    case Part::force_step: return put(r, c, -half * value);
    case Part::force_jump: return put(r, jump(c), -half / h_ * value);
    case Part::impulse_step: return put(jump(r), c, -h_ * value);
    default: return put(jump(r), jump(c), -value);
  }
}

void StepMatrix::learn() {
  std::vector<std::pair<int, int>> places = entries_;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  slot_.resize(entries_.size());
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    slot_[k] = static_cast<int>(std::lower_bound(places.begin(), places.end(), entries_[k]) - places.begin());
  }
  starts_.assign(u(size_ + 1), 0);
  rows_.resize(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    ++starts_[u(places[k].first + 1)];
    rows_[k] = places[k].second;
  }
  for (int c = 0; c < size_; ++c) starts_[u(c + 1)] += starts_[u(c)];
  values_.assign(places.size(), 0);
  for (std::size_t k = 0; k < entries_.size(); ++k) values_[u(slot_[k])] += first_[k];
  entries_.clear();
  first_.clear();
  learning_ = false;
  if (!dense()) sparse_.analyse(size_, starts_, rows_);
}

bool StepMatrix::factor() {
  if (learning_) learn();
  if (!dense()) return sparse_.factor(values_.data());
  double* a = dense_.matrix();
  std::fill_n(a, size_ * size_, 0.0);
  for (int c = 0; c < size_; ++c) {
    for (int k = starts_[u(c)]; k < starts_[u(c + 1)]; ++k) a[rows_[u(k)] * size_ + c] = values_[u(k)];
  }
  return dense_.factor();
}

void StepMatrix::solve(double* b) const {
  if (dense()) dense_.solve(b);
  else sparse_.solve(b);
}

}  // namespace bristle
