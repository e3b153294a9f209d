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
  slots_ = layout_->sizes.lambda;
  jumps_ = jumps;
  size_ = (jumps ? 2 : 1) * (n_ + slots_);
  learning_ = true;
}

void StepMatrix::begin(double h, double* b) {
  h_ = h;
  b_ = b;
  next_ = next_block_ = next_run_ = 0;
  if (learning_) {
    entries_.clear();
    single_.clear();
    blocks_.clear();
  } else {
    lu_.begin();
  }
}

void StepMatrix::put(int row, int column, double value) {
  if (learning_) {
    entries_.push_back({column, row});
    single_.push_back(value);
  } else {
    single_[next_++] = value;
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
  const Block& block = blocks_[next_block_ - 1];
  for (int k = 0; k < block.steps; ++k) lu_.touch(touched_[u(block.first_step + k)]);
  const int runs = count * count / kRun;
  add_runs(factor_of(part), values, runs, runs_.data() + next_run_, lu_.values());
  next_run_ += u(runs);
}

/// Adds the single entries of a step, or of what is left.
void StepMatrix::land(int step) {
  double* values = lu_.values();
  const int from = step == 0 ? 0 : landing_end_[u(step - 1)], to = landing_end_[u(step)];
  for (int k = from; k < to; ++k) values[landing_[u(k)].to] += single_[u(landing_[u(k)].from)];
}

void StepMatrix::learn() {
  SparsePattern pattern;
  for (const auto& [column, row] : entries_) pattern.add(row, column);
  pattern.compress(size_);
  std::vector<int> group(u(size_), -1);
  if (size_ > kSmall) {
    int number = 0;
    for (const FrameCoordinates& f : layout_->frames) {
      for (int i = f.unknown; i < f.unknown + 6 + f.more; ++i) {
        group[u(i)] = number;
        if (jumps_) group[u(jump(i))] = number;
      }
      ++number;
    }
  }
  lu_.analyse(pattern, group);

  // values enter in the order of later rounds: a run that goes on from a checkpoint learns, too, and has the same bits
  const std::vector<double> values = std::move(single_);
  single_.clear();
  runs_.clear();
  touched_.clear();
  lu_.begin();
  struct Single {
    int step, from, to;
  };
  std::vector<Single> singles;
  std::size_t next = 0;
  const auto slot_of = [&](std::size_t k) { return lu_.index(entries_[k].second, entries_[k].first); };
  const auto step_of = [&](std::size_t k) { return lu_.step_of(entries_[k].second, entries_[k].first); };
  const auto keep = [&](std::size_t to) {
    for (; next < to; ++next) {
      const int step = step_of(next);
      singles.push_back({step < 0 ? lu_.steps() : step, static_cast<int>(single_.size()), slot_of(next)});
      single_.push_back(values[next]);
    }
  };
  for (Block& b : blocks_) {
    keep(u(b.first));
    std::vector<int> starts, steps;
    b.packed = true;
    for (int k = 0; k < b.count && b.packed; ++k) {
      const int slot = slot_of(next + u(k));
      if (k % kRun == 0) starts.push_back(slot), steps.push_back(step_of(next + u(k)));
      b.packed = slot == starts.back() + k % kRun;
    }
    if (!b.packed) continue;
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    if (steps.front() < 0) steps.erase(steps.begin());
    b.first_step = static_cast<int>(touched_.size()), b.steps = static_cast<int>(steps.size());
    touched_.insert(touched_.end(), steps.begin(), steps.end());
    runs_.insert(runs_.end(), starts.begin(), starts.end());
    for (int step : steps) lu_.touch(step);
    for (int k = 0; k < b.count; ++k, ++next) lu_.values()[starts[u(k / kRun)] + k % kRun] += values[next];
  }
  keep(entries_.size());
  std::stable_sort(singles.begin(), singles.end(), [](const Single& a, const Single& b) { return a.step < b.step; });
  landing_.clear();
  landing_end_.assign(u(lu_.steps() + 1), 0);
  for (const Single& s : singles) {
    landing_.push_back({s.from, s.to});
    ++landing_end_[u(s.step)];
  }
  for (int k = 0; k < lu_.steps(); ++k) landing_end_[u(k + 1)] += landing_end_[u(k)];
  entries_ = {};
  learning_ = false;
}

bool StepMatrix::finish() {
  if (learning_) learn();
  for (int k = 0; k < lu_.steps(); ++k) {
    lu_.touch(k);
    land(k);
    if (!lu_.eliminate(k)) return false;
    lu_.forward(k, b_);
  }
  land(lu_.steps());
  if (!lu_.factor_rest()) return false;
  lu_.back(b_);
  return true;
}

}  // namespace bristle
