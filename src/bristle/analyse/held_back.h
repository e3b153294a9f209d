#pragma once
#include <algorithm>

#include "bristle/integrate/integrator.h"

namespace bristle {

/// How long steps may be after one had to be cut because its equations were not solved. They stay short for a few steps and then
/// double. Where one of the length that failed, or half of it, fails again, the next try of that length waits twice as long; shorter ones do
/// not wait longer.
class HeldBack {
 public:
  double limit() const { return limit_; }
  /// A step of length h was taken at last, after longer ones had failed; `wanted`: what it should have been. The next ones are not held back by
  /// more than kShortest of that: reactions over very short steps have few digits.
  void cut(double h, double wanted) {
    const double tried = std::min(limit_, wanted);
    patience_ = 2 * tried >= failed_ ? std::min(2 * patience_, kMost) : kFirst;
    failed_ = tried;
    limit_ = std::max(h, kShortest * wanted);
    wait();
  }
  /// A step of length h was taken at once; `wanted`: what it would have been without the limit.
  void taken(double h, double wanted) {
    if (h >= failed_ || limit_ == kInfinity) {
      failed_ = kInfinity;
      wait();
    }
    if (limit_ == kInfinity) return;
    // other rules may ask for shorter steps meanwhile: what counts is the time
    left_ -= h / limit_;
    if (left_ > kRounding) return;
    limit_ *= 2;
    if (limit_ > wanted) limit_ = kInfinity;
    else wait();
  }
  void save(Archive& a) const { a.put(limit_), a.put(failed_), a.put(left_), a.put(patience_); }
  void load(Archive& a) { a.get(limit_), a.get(failed_), a.get(left_), a.get(patience_); }

 private:
  static constexpr int kFirst = 3, kMost = 48;
  static constexpr double kShortest = 1.0 / 16, kRounding = 1e-9;
  void wait() { left_ = 2 * limit_ >= failed_ ? patience_ : kFirst; }

  double limit_ = kInfinity;
  double failed_ = kInfinity;  // length of the step that failed last, until one as long is taken
  double left_ = 0;            // steps of the present limit until it doubles
  int patience_ = kFirst;
};

}  // namespace bristle
