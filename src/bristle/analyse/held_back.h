#pragma once
#include <algorithm>

#include "bristle/integrate/integrator.h"

namespace bristle {

/// How long steps may be after one had to be cut because its equations were not solved. They stay short for a few steps and then
/// double; where a doubled one is cut again, the next try waits twice as long.
class HeldBack {
 public:
  double limit() const { return limit_; }
  /// A step of length h was taken at last, after longer ones had failed; `wanted`: what it should have been. The next ones are not held back by
  /// more than kShortest of that: reactions over very short steps have few digits.
  void cut(double h, double wanted) {
    patience_ = tries_ ? std::min(2 * patience_, kMost) : kFirst;
    tries_ = false;
    limit_ = std::max(h, kShortest * wanted);
    left_ = patience_;
  }
  /// A step of length h was taken at once; `wanted`: what it would have been without the limit.
  void taken(double h, double wanted) {
    if (limit_ == kInfinity || h < limit_) return;
    tries_ = false;
    if (--left_ > 0) return;
    limit_ *= 2;
    left_ = patience_;
    tries_ = true;
    if (limit_ > wanted) limit_ = kInfinity;
  }
  void save(Archive& a) const { a.put(limit_), a.put(left_), a.put(patience_), a.put(tries_); }
  void load(Archive& a) { a.get(limit_), a.get(left_), a.get(patience_), a.get(tries_); }

 private:
  static constexpr int kFirst = 3, kMost = 48;
  static constexpr double kShortest = 1.0 / 16;
  double limit_ = kInfinity;
  int left_ = 0, patience_ = kFirst;
  bool tries_ = false;  // the limit has just been doubled
};

}  // namespace bristle
