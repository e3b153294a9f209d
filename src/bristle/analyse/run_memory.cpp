#include <algorithm>
#include <cmath>

#include "bristle/analyse/run.h"

namespace bristle {

/// The rates of some memories change inside a step (a slider reaches its limit, an element lets go) where no stage of the method sees
/// it, so that its estimate of the error does not, either. The laws say what that may have done.
void Run::judge_memory(Outcome& out) {
  constexpr double kLeastShare = 0.02;  // of a step, in the next one
  const double h = x1_->t - x0_->t, tolerance = integrator_->memory_tolerance();
  const Overrun o = system_.calc_overrun(*x0_, *x1_, work_, watched_.data());
  // energy schemes at steps that are given take them all the same; the run tells how often
  const bool given = integrator_->owns_forces() && !integrator_->estimates_error();
  const bool too_far = o.error > tolerance || (o.always && !given);
  if (o.always && given) ++counts_.passed_over;
  // error control finds the limit of stability by itself
  const bool unstable = integrator_->is_explicit() && !integrator_->estimates_error() && o.longest > 0 && h > o.longest;
  if (!too_far && !unstable) {
    if (o.part > 0 && out.next > 0) out.next = std::min(out.next, std::max(o.part, kLeastShare) * h);
    return;
  }
  integrator_->restart();  // it may have counted on the step
  out.verdict = Outcome::Verdict::reject;
  out.cause = "the memory of a friction law changes its course inside the step";
  double share = 0.9;
  if (unstable) share = 0.95 * o.longest / h;
  // a little beyond the change, so that it is there when the step is accepted
  const double beyond = o.always ? 0 : 0.3 * tolerance / o.error * (1 - o.part);
  if (too_far && o.part > 0) share = std::min(share, o.part + beyond);
  else if (too_far) share = std::min(share, 0.9 * std::sqrt(tolerance / o.error));
  out.next = h * std::clamp(share, kLeastShare, 0.9);
  if (too_far && !o.always) out.error = std::max(out.error, o.error / tolerance);
}

}  // namespace bristle
