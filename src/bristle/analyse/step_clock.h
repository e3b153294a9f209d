#pragma once
#include <cmath>

#include "bristle/core/archive.h"

namespace bristle {

/// Where steps end. A sum of equal steps drifts by their rounding; they are counted from the first of them instead.
class StepClock {
 public:
  /// End of a step h that starts at t, which may be a few roundings off the last end.
  double end_of(double t, double h) {
    if (h != step_ || std::abs(t - last_) > 2e-15 * std::abs(t)) from_ = t, step_ = h, count_ = 0;
    ++count_;
    return last_ = from_ + static_cast<double>(count_) * step_;
  }
  void save(Archive& a) const { a.put(from_), a.put(step_), a.put(last_), a.put(count_); }
  void load(Archive& a) { a.get(from_), a.get(step_), a.get(last_), a.get(count_); }

 private:
  double from_ = 0, step_ = 0, last_ = 0;  // [s]
  long long count_ = 0;                    // steps of this length since from_
};

}  // namespace bristle
