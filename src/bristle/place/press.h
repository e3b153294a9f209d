#pragma once
#include <algorithm>
#include <cmath>
#include <memory>

#include "bristle/interface/contact_law.h"

namespace bristle {

/// Two surfaces that press on each other while they overlap: the load of a place that may open.
struct Press {
  int gap = 0;  ///< row
  std::unique_ptr<ContactLaw> law;
  int marks = 0;    ///< of the law
  int account = 0;  ///< of what the law takes out
  int slot = -1;    ///< in lambda, of rigid contact: the normal force of the last step

  /// Load over a whole step from the gaps at its ends: the elastic share does the work by which the potential falls, the rest is taken
  /// at the mean depth and resists the approach; never negative ("Modeling Friction Phenomena in Flexible Multibody Dynamics", the
  /// normal force before eq. 19, its sign corrected). slope: derivative by the gap at the end.
  double over_step(double gap0, double gap1, double h, const double* state_marks, double* slope = nullptr) const {
    const double* m = state_marks + marks;
    const double d0 = std::max(0.0, -gap0), d1 = std::max(0.0, -gap1), mean = 0.5 * (d0 + d1), way = gap0 - gap1;
    if (slope != nullptr) *slope = 0;
    if (mean == 0) return 0;
    double here[2] = {0, 0}, rest[2] = {0, 0};
    const bool still = std::abs(way) <= 1e-7 * std::max(std::abs(gap0), std::abs(gap1));
    const double elastic = still ? law->force(mean, 0, m, rest) : (law->potential(d1) - law->potential(d0)) / way;
    const double rate = way / h, resisting = law->force(mean, rate, m, here) - law->force(mean, 0, m, rest);
    const double load = elastic + resisting;
    if (!(load > 0)) return 0;
    if (slope != nullptr) {
      *slope = still ? -0.5 * rest[0] : (elastic - law->force(d1, 0, m)) / way;
      *slope -= (gap1 < 0 ? 0.5 * (here[0] - rest[0]) : 0.0) + here[1] / h;
    }
    return load;
  }
};

}  // namespace bristle
