#pragma once
#include <algorithm>
#include <cmath>
#include <memory>

#include "bristle/core/jump_strain.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

/// How two surfaces press over a whole step of an energy scheme. Derivatives are by the change of the gap and by its rate after the jump.
struct PressStep {
  double load = 0, load_change = 0;                          ///< [N] of the law; never negative
  double stress = 0, stress_change = 0, stress_rate = 0;     ///< [N] resists the change of the gap, beside the load
  double impulse = 0, impulse_change = 0, impulse_rate = 0;  ///< [N s] of the jump, along the gap
  double taken = 0;                                          ///< [J] by the scheme
  double mean = 0, mean_change = 0, mean_rate = 0;  ///< [N] impulse of all three per time: what friction sees; never negative
};

/// Two surfaces that press on each other while they overlap: the load of a place that may open.
struct Press {
  int gap = 0;  ///< row
  std::unique_ptr<ContactLaw> law;
  int marks = 0;    ///< of the law
  int account = 0;  ///< of what the law takes out
  int slot = -1;    ///< in lambda, of rigid contact: the normal force of the last step

  /// Does it take part in the jump?
  static bool jumps(const StepEval& e) { return e.jump > 0 && e.jump_contact != JumpContact::none; }

  PressStep over_step(const StepEval& e) const {
    const double gap0 = e.value_ends[0][gap], gap1 = e.value_ends[1][gap], *m = e.marks + marks;
    PressStep s;
    find_load(gap0, gap1, e, m, s);
    s.mean = s.load, s.mean_change = s.load_change;
    if (jumps(e)) {
      double rate = 0;  // after the jump
      e.rows->each(gap, e.D_start, [&](int i, double c) { rate += c * e.v_jump[i]; });
      find_stage(e, stiffness(e, m), gap1 - gap0, rate, s);
    }
    return s;
  }

 private:
  /// The elastic share does the work by which the potential falls, the rest is taken at the mean depth and resists the approach; never
  /// negative ("Modeling Friction Phenomena in Flexible Multibody Dynamics", the normal force before eq. 19, its sign corrected).
  void find_load(double gap0, double gap1, const StepEval& e, const double* m, PressStep& s) const {
    const double d0 = std::max(0.0, -gap0), d1 = std::max(0.0, -gap1), depth = 0.5 * (d0 + d1), way = gap0 - gap1;
    if (depth == 0) return;
    double here[2] = {0, 0}, rest[2] = {0, 0};
    const bool still = std::abs(way) <= 1e-7 * std::max(std::abs(gap0), std::abs(gap1));
    const double elastic = still ? law->force(depth, 0, m, rest) : (law->potential(d1, m) - law->potential(d0, m)) / way;
    const double rate = way / e.h, resisting = law->force(depth, rate, m, here) - law->force(depth, 0, m, rest);
    const double load = elastic + resisting;
    if (!(load > 0)) return;
    s.load = load;
    if (!e.tangent) return;
    s.load_change = still ? -0.5 * rest[0] : (elastic - law->force(d1, 0, m)) / way;
    s.load_change -= (gap1 < 0 ? 0.5 * (here[0] - rest[0]) : 0.0) + here[1] / e.h;
  }

  /// Stiffness of the jump, from the start of the step: that of the law at its depth there, or the mean one on the way that the gap would go
  /// at its present rate.
  double stiffness(const StepEval& e, const double* m) const {
    const double gap0 = e.value_ends[0][gap], way = e.h * e.rate_start[gap], d0 = std::max(0.0, -gap0);
    double slope[2] = {0, 0};
    // what closed in the last billionth of a step (an impact that falls on its end) has not been closed
    if (e.jump_contact == JumpContact::closed) {
      if (-gap0 > 1e-9 * std::abs(way)) law->force(d0, 0, m, slope);
      return std::max(0.0, slope[0]);
    }
    const double d1 = std::max(0.0, -gap0 - way);
    if (std::abs(d1 - d0) > 1e-7 * std::max(d0, d1)) return std::max(0.0, (law->force(d0, 0, m) - law->force(d1, 0, m)) / way);
    law->force(0.5 * (d0 + d1), 0, m, slope);
    return std::max(0.0, slope[0]);
  }

  static void find_stage(const StepEval& e, double C, double change, double rate, PressStep& s) {
    const double a = e.jump, h = e.h, y = change - h * rate;
    double C_change = 0, C_rate = 0;
    if (e.jump_contact == JumpContact::pushing && s.load + a * C * y < 0) {  // as stiff as it can be without pulling
      C = -s.load / (a * y);
      C_change = -s.load_change / (a * y) - C / y;
      C_rate = h * C / y;
    }
    const JumpStrain one(e, 1, change, rate);
    s.stress = C * one.stress;
    s.stress_change = C * one.stress_change + C_change * one.stress;
    s.stress_rate = C * one.stress_rate + C_rate * one.stress;
    s.impulse = C * one.impulse;
    s.impulse_change = C * one.impulse_change + C_change * one.impulse;
    s.impulse_rate = C * one.impulse_rate + C_rate * one.impulse;
    s.taken = C * one.taken;
    s.mean = s.load + a * C * y;
    if (s.mean > 0) {
      s.mean_change += a * (C + C_change * y);
      s.mean_rate = a * (C_rate * y - h * C);
    } else {
      s.mean = s.mean_change = 0;
    }
  }
};

}  // namespace bristle
