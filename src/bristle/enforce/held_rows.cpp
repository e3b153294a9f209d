// Held rows after a step: positions and velocities back onto them.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/held_rows.h"

namespace bristle {

void HeldRows::prepare(const System& system, const Enforcement& enforcement) {
  const Layout& layout = system.layout();
  enforcement_ = enforcement;
  count_ = layout.held_count();
  completes_ = enforcement.completes;
  near_ = turned_ = false;
  usual_margin_ = watched_ = clear_margin_ = 0;
  distance_ = 1;
  crossing_ = kInfinity;
  trouble_.clear();
  for (auto* part : {&dv_, &clear_v_, &clear_a_, &guess_}) part->assign(u(layout.sizes.v + layout.spare), 0);
  for (auto* part : {&b_, &multipliers_}) part->assign(u(count_), 0);
  partition_.clear();
}

double HeldRows::correct_positions(const System& system, State& x, Workspace& w, int iterations, double enough) {
  const Layout& layout = system.layout();
  double worst = 0, before = kInfinity;
  corrected_ = false;
  enough = std::min(enough, enforcement_.position_tolerance);
  for (int pass = 0;; ++pass) {
    system.look(x, w);
    worst = 0;
    for (int k = 0; k < count_; ++k) {
      b_[u(k)] = w.row_value[u(layout.held[u(k)].row)];
      worst = std::max(worst, std::abs(b_[u(k)]));
    }
    if (worst <= enough || pass == iterations || !std::isfinite(worst)) return worst;
    if (worst < 1e-9 && worst > 0.5 * before) return worst;  // round-off
    // the factors of the first pass serve as long as they bring the violation down fast
    if (!corrected_ || worst > 1e-3 * before) {
      if (!solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction)) return worst;
      corrected_ = true;
    }
    before = worst;
    solver_.solve(b_.data(), multipliers_.data(), true);
    std::fill(dv_.begin(), dv_.end(), 0.0);
    solver_.push(multipliers_.data(), dv_.data());
    system.motion().shift(x, dv_.data());
  }
}

void HeldRows::correct_velocities(const System& system, State& x, Workspace& w) {
  if (count_ == 0) return;
  system.look(x, w);
  if (!solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction)) return;
  take_out_rates(system, x, w);
}

/// Velocities at a state whose rows are in the workspace, with factors made there or next to it.
void HeldRows::take_out_rates(const System& system, State& x, Workspace& w) {
  const Layout& layout = system.layout();
  for (int k = 0; k < count_; ++k) b_[u(k)] = w.row_rate[u(layout.held[u(k)].row)];
  solver_.solve(b_.data(), multipliers_.data(), true);
  solver_.push(multipliers_.data(), x.v());
}

double HeldRows::finish_step(const System& system, State& x, Workspace& w) {
  if (count_ == 0 || !(enforcement_.corrects || enforcement_.completes)) return 0;
  if (enforcement_.completes) {
    complete_state(system, x, w);
    if (!near_) {
      system.look(x, w);
      partition_.choose(system, w);
    }
    return 0;
  }
  const double before = system.calc_energy(x, w).total();
  if (near_) {
    follow_branch(system, x, w);
    return before - system.calc_energy(x, w).total();
  }
  correct_positions(system, x, w);
  if (!corrected_ && !solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction)) return 0;
  take_out_rates(system, x, w);
  return before - system.calc_energy(system.view(x, w), w).total();
}

}  // namespace bristle
