#include "bristle/integrate/step_matrix.h"

#include <algorithm>

#include "bristle/base/index.h"
#include "bristle/math/wide.h"

namespace bristle {

namespace {

constexpr int kRun = 6;

/// Adds values by sixes that stand side by side.
BRISTLE_WIDE void add_runs(double factor, const double* values, int runs, const int* start, double* to) {
  for (int k = 0; k < runs; ++k) {
    double* x = to + start[k];
    WideRow<kRun> row;
    row.load(x);
    row.add(factor, values + kRun * k);
    row.store(x);
  }
}

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
  next_ = next_block_ = next_run_ = 0;
  if (learning_) {
    entries_.clear();
    first_.clear();
    blocks_.clear();
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
  if (part == Part::rest_jump) {
    if (const int c = unknown(column); jumps_ && c >= 0) put(multiplier(row), jump(c), value / h_);
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
  bool whole =
      count % kRun == 0 && (part == Part::force_step ||
                            (jumps_ && (part == Part::force_jump || part == Part::impulse_step || part == Part::impulse_jump)));
  for (int i = 0; i < count && whole; ++i) whole = layout_->unknown(index[i]) >= 0;
  if (whole && learning_) blocks_.push_back({static_cast<int>(entries_.size()), count * count, false});
  if (!whole || learning_ || !blocks_[next_block_++].packed) return JacobianSink::add_block(part, index, count, values);
  const int runs = count * count / kRun;
  add_runs(factor_of(part), values, runs, runs_.data() + next_run_, lu_.values());
  next_run_ += u(runs);
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
  slot_.clear();
  runs_.clear();
  std::size_t next = 0;
  const auto slot_of = [&](std::size_t k) { return lu_.place(entries_[k].second, entries_[k].first); };
  const auto keep = [&](std::size_t to) {
    for (; next < to; ++next) slot_.push_back(slot_of(next));
  };
  for (Block& b : blocks_) {
    keep(u(b.first));
    std::vector<int> starts;
    b.packed = true;
    for (int k = 0; k < b.count && b.packed; ++k) {
      const int slot = slot_of(next + u(k));
      if (k % kRun == 0) starts.push_back(slot);
      b.packed = slot == starts.back() + k % kRun;
    }
    if (!b.packed) continue;
    runs_.insert(runs_.end(), starts.begin(), starts.end());
    next += u(b.count);
  }
  keep(entries_.size());
  for (std::size_t k = 0; k < entries_.size(); ++k) lu_.values()[slot_of(k)] += first_[k];
  entries_.clear();
  first_.clear();
  learning_ = false;
}

bool StepMatrix::factor() {
  if (learning_) learn();
  return lu_.factor();
}

}  // namespace bristle
