#pragma once
#include <cmath>
#include <vector>

namespace bristle {

/// A share of a load that reactions make: factor times the length of up to three multipliers of held rows.
struct BearingTerm {
  int slot[3] = {0, 0, 0};
  int count = 1;
  double factor = 1;  ///< [1] of a force, [1/m] of a moment
  double length(const double* lambda) const {
    if (count == 1) return std::abs(lambda[slot[0]]);
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += lambda[slot[k]] * lambda[slot[k]];
    return std::sqrt(sum);
  }
};

/// Friction acts at a face beside the axis: friction force per load times `factor` times a multiplier resists the measure `row`.
struct BearingMoment {
  int row = 0, slot = 0;
  double factor = 0;  ///< [m]
};

/// How hard a joint presses where it rubs, from what it carries.
struct Bearing {
  double preload = 0;  ///< [N]
  std::vector<BearingTerm> terms;
  std::vector<BearingMoment> moments;

  double load(const double* lambda) const {
    double sum = preload;
    for (const BearingTerm& t : terms) sum += t.factor * t.length(lambda);
    return sum;
  }
  /// visit(slot, derivative of the load by its multiplier); zero where the share vanishes
  template <class F>
  void each(const double* lambda, F&& visit) const {
    for (const BearingTerm& t : terms) {
      const double length = t.length(lambda);
      for (int k = 0; k < t.count; ++k) visit(t.slot[k], length > 0 ? t.factor * lambda[t.slot[k]] / length : 0.0);
    }
  }
};

}  // namespace bristle
