#include <algorithm>
#include <cmath>

#include "bristle/analyse/run.h"
#include "bristle/base/index.h"

namespace bristle {

/// What is left to the limit at each dry place that rests where the step starts, over the limit, when they are all held at `x`; others: infinity. False: no
/// forces hold them there.
bool Run::calc_reserves(const State& x, std::vector<double>& reserve) {
  constexpr double kStick = static_cast<double>(Mode::stick);
  if (&x != &inside_) inside_ = x;
  for (const DryPlace& p : system_.dry()) {
    if (x0_->marks()[p.mark] == kStick) inside_.marks()[p.mark] = kStick;
  }
  kernel_.evaluate_resting(system_, inside_, *look_);  // feet of one body hold together
  ++counts_.evaluations;
  const Eval e = system_.view(inside_, *look_);
  for (std::size_t i = 0; i < reserve.size(); ++i) {
    const DryPlace& p = system_.dry()[i];
    reserve[i] = kInfinity;
    if (x0_->marks()[p.mark] != kStick || Multipliers::creeps(p, x0_->marks())) continue;
    RestView view;
    p.owner->view(e, p.item, view);
    double size = 0;
    for (int d = 0; d < p.components; ++d) size += look_->lambda[u(p.lambda + d)] * look_->lambda[u(p.lambda + d)];
    if (!view.open && view.limit > 0) reserve[i] = 1 - std::sqrt(size) / view.limit;
  }
  return kernel_.converged();
}

/// Over a step that owns its forces a place rests while the mean of what it holds is within its limit. Rest has no error, steps grow, and loads may pass the limit
/// and fall again inside one. Such a step is made shorter until the place lets go at the instant at which its limit is used up, but for the tolerance.
void Run::judge_rest(Outcome& out) {
  constexpr double kStick = static_cast<double>(Mode::stick);
  constexpr double kNear =
      0.6;  // of a limit: who has more to spare at both ends does not use it up inside, in steps that follow the loads
  constexpr double kSteeper = 1.5;              // than between ends and middle: how steep a held force may be anywhere inside
  constexpr double kDip = 0.01;                 // of a limit: by how much it may be passed unseen
  constexpr double kLeast = 0.02, kMost = 0.9;  // of this step, in the next attempt
  const double h = x1_->t - x0_->t;
  const double located =
      std::max(integrator_->memory_tolerance() * std::max(usual_step_, h), 1e-9 * std::max(std::abs(x0_->t), 1e-3));
  if (!(h > located)) return;
  bool rests = false;
  for (const DryPlace& p : system_.dry()) rests = rests || x0_->marks()[p.mark] == kStick;
  if (!rests || !calc_reserves(*x0_, guards_before_) || !calc_reserves(*x1_, guards_)) return;
  double share = 1;
  bool near = false;
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    const double before = guards_before_[i], behind = guards_[i];
    if (!(before > 0) || before == kInfinity || behind == kInfinity) continue;  // it lets go at once
    if (behind < 0) share = std::min(share, before / (before - behind));
    else if (x1_->marks()[system_.dry()[i].mark] != kStick) share = std::min(share, 0.5);
    near = near || std::min(before, behind) < kNear;
  }
  if (share == 1 && near) {
    // what moves in the step moves it as a whole: its middle is that of the ends
    const StepContext c{system_, kernel_, *look_, ledger_, rate_.data(), power_.data()};
    std::fill(rate_before_.begin(), rate_before_.end(), 0.0);
    const Layout& layout = system_.layout();
    for (int k = 0; k < layout.free(); ++k) rate_before_[u(k)] = x1_->v()[layout.v_index(k)];
    integrator_->interpolate(c, *x0_, *x1_, rate_before_.data(), 0.5, inside_);
    if (calc_reserves(inside_, guards_inside_)) {
      for (std::size_t i = 0; i < guards_.size(); ++i) {
        const double a = guards_before_[i], m = guards_inside_[i], b = guards_[i];
        if (!(a > 0) || std::min(a, b) >= kNear || m == kInfinity || b == kInfinity) continue;
        const double steepest = kSteeper * std::max(std::abs(m - a), std::abs(b - m));
        if (std::min(a + m, m + b) < steepest - 2 * kDip) share = std::min(share, 0.5);
      }
    }
  }
  if (share == 1) return;
  integrator_->restart();  // it may have counted on the step
  out.verdict = Outcome::Verdict::reject;
  out.cause = "a place at rest uses up its limit inside the step";
  out.next = std::max(h * std::clamp(share, kLeast, kMost), 0.5 * located);
}

}  // namespace bristle
