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
}

void StepMatrix::begin(double h) {
  h_ = h;
  next_ = 0;
  if (learning_) {
    entries_.clear();
    first_.clear();
  } else {
    lu_.clear();
  }
}

void StepMatrix::put(int row, int column, double value) {
  if (learning_) {
    entries_.push_back({column, row});
    first_.push_back(value);
  } else {
    lu_.values()[slot_[next_++]] += value;
  }
}

/// What stands in front of derivatives by unknowns of the step.
double StepMatrix::factor_of(Part part) const {
  const double half = 0.5 * h_ * h_;
  switch (part) {
    case Part::force_q: return -0.5 * half;
    case Part::force_v:
    case Part::force_jump: return -half / h_;
    case Part::force_step: return -half;
    case Part::impulse_step: return -h_;
    default: return -1;
  }
}

void StepMatrix::add(Part part, int row, int column, double value) {
  const auto unknown = [&](int k) { return layout_->unknown(k); };
  if (part == Part::rest_lambda) return put(multiplier(row), multiplier(column), value / (0.5 * h_ * h_));
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
  const bool impulse = part == Part::impulse_step || part == Part::impulse_jump;
  const bool by_jump = part == Part::force_jump || part == Part::impulse_jump;
  put(impulse ? jump(r) : r, by_jump ? jump(c) : c, factor_of(part) * value);
}

void StepMatrix::add_block(Part part, const int* index, int count, const double* values) {
  bool whole = !learning_ && (part == Part::force_step ||
                              (jumps_ && (part == Part::force_jump || part == Part::impulse_step || part == Part::impulse_jump)));
  for (int i = 0; i < count && whole; ++i) whole = layout_->unknown(index[i]) >= 0;
  if (!whole) return JacobianSink::add_block(part, index, count, values);
  const double factor = factor_of(part);
  const int* slot = slot_.data() + next_;
  double* to = lu_.values();
  for (int k = 0; k < count * count; ++k) to[slot[k]] += factor * values[k];
  next_ += u(count * count);
}

void StepMatrix::learn() {
  std::vector<std::pair<int, int>> places = entries_;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<int> group(u(size_), -1);
  if (size_ > kSmall) {
    for (int i = layout_->scalars; i < n_; ++i) {
      group[u(i)] = (i - layout_->scalars) / 6;
      if (jumps_) group[u(jump(i))] = group[u(i)];
    }
  }
  lu_.analyse(size_, places, group);
  slot_.resize(entries_.size());
  for (std::size_t k = 0; k < entries_.size(); ++k) slot_[k] = lu_.place(entries_[k].second, entries_[k].first);
  for (std::size_t k = 0; k < entries_.size(); ++k) lu_.values()[slot_[k]] += first_[k];
  entries_.clear();
  first_.clear();
  learning_ = false;
}

bool StepMatrix::factor() {
  if (learning_) learn();
  return lu_.factor();
}

}  // namespace bristle
