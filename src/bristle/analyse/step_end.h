#pragma once
#include <algorithm>
#include <cmath>

namespace bristle {

/// A step h from t, or what is left to `end` where that is no longer, or longer by no more than rounding.
inline double step_towards(double end, double t, double h) {
  const double left = end - t, rounding = 1e-10 * left + 4e-16 * std::abs(end);
  return h < left - rounding ? h : left;
}

/// The instant a step of a length that reached t ends at: exactly `end`, or where counting equal steps puts it, if these are the same but for
/// rounding.
inline double landing(double t, double counted, double end, double length) {
  const double rounding = 1e-13 * std::max(std::abs(end), length);
  const double off = std::abs(counted - t), few = 1e-15 * std::abs(counted);  // a few roundings are not worth a new evaluation
  return std::abs(end - t) <= rounding ? end : off > few && off <= rounding ? counted : t;
}

}  // namespace bristle
