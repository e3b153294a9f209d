// The error of a step of the energy schemes: its estimate, slips that it does not see, and the next step.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/integrate/energy_scheme.h"

namespace bristle {

namespace {
constexpr int kEqual = 4;  // equal steps whose differences tell the error of velocities
}  // namespace

/// Of second order: h^3/12 times third derivatives, from differences of mean rates over this step and those before, and the angle that a
/// Cayley vector falls short of. Differences of means over short steps show the round-off of increments, over h once more: what is no more than
/// that is no error of the step. Velocities themselves would not do: where they violate a joint, energy_preserving reflects them for ever.
double EnergyScheme::estimate(const StepContext& c, const State& x0, const State& x1, int* worst) {
  const Layout& layout = c.system.layout();
  const double now = x0.t + 0.5 * h_, cube = h_ * h_ * h_;
  const bool fresh = equal_ + 1 >= kEqual && std::abs(h_ - last_h_) <= 1e-6 * h_;
  // accelerations at the start are those of the step before: of one that located something they are round-off
  const double rounded = x0.t == accepted_.end ? 4 * noise_ / (accepted_.h * accepted_.h) : 0;
  std::fill(error_.begin(), error_.end(), 0.0);
  for (int i = 0; i < n_ + memory_; ++i) {
    const auto at = u(i);
    const bool moves = i < n_;
    const double mean = (moves ? increments_[at] : z_[u(i - n_)] - x0.z()[i - n_]) / h_;
    double &by_rate = error_[moves ? at : u(n_ + i)], *by_speed = moves ? &error_[u(n_ + i)] : nullptr;
    new_mean_[at] = mean;
    const auto beyond = [](double error, double noise) { return std::copysign(std::max(std::abs(error) - noise, 0.0), error); };
    if (known_ == 0) {  // the first step: against the rates at its start, after the jump of velocities there
      const double rate = !moves ? c.rate0[n_ + i] : jumps_ ? v_after_[at] : c.rate0[i], slope = (mean - rate) / (0.5 * h_);
      new_slope_[at] = slope;
      const double change = beyond(moves ? slope - c.rate0[n_ + i] : slope, 4 * noise_ / (h_ * h_) + rounded);
      by_rate = 0.25 * h_ * h_ * change;
      if (by_speed) *by_speed = h_ / 12 * change;
      continue;
    }
    const double slope = (mean - mean_[at]) / (now - middles_[0]), bend = (slope - slope_[at]) / (now - middles_[1]);
    new_slope_[at] = slope;
    new_bend_[at] = bend;
    by_rate = beyond(cube / 6 * bend, noise_);
    if (!by_speed) continue;
    // round-off goes in at the length of the steps that show it: at another one it would count with the fourth power of their ratio
    if (fresh) third_[at] = beyond(6 * (bend - bend_[at]) / (now - middles_[2]), 12 * noise_ / (cube * h_));
    *by_speed = cube / 12 * third_[at];
  }
  for (int i : planar_) error_[u(i)] += std::pow(increments_[u(i)], 3) / 12;
  for (const FrameCoordinates& f : layout.frames) {
    const int k = f.unknown;
    const double* rho = increments_.data() + k + 3;
    const double part = (rho[0] * rho[0] + rho[1] * rho[1] + rho[2] * rho[2]) / 12;
    for (int i = 0; i < 3; ++i) error_[u(k + 3 + i)] += part * rho[i];
  }
  return std::max(scaled_norm(c.system, tolerances_, x0, x1, error_.data(), worst), 1e-10);
}

/// Friction sees the mean slip of a step. Where the slip turns back inside it, friction of the old sign would go on and drive: neither the motion nor
/// the memory shows that, as both stay smooth. The next attempt ends where the slip turns; the memory is off by the square of what is left
/// behind that.
bool EnergyScheme::turns_back(const System& system, const State& x1, Outcome& out) {
  constexpr double kLeastShare = 0.02, kMostShare = 0.9;  // of this step, in the next attempt
  const Overrun o = system.steps().calc_turn(eval_, system.view(x1, end_));
  if (!(o.error > tolerances_.relative)) return false;
  const double off = o.error / tolerances_.relative;
  rejected_ = true;
  out.verdict = Outcome::Verdict::reject;
  out.cause = Cause::turned_slip;
  out.next = h_ * std::clamp(o.part + 0.5 * (1 - o.part) / std::sqrt(off), kLeastShare, kMostShare);
  out.error = std::max(out.error, off);
  return true;
}

/// What the error says about this step and the next one. Steps change seldom: errors of velocities show in equal steps only.
void EnergyScheme::control(const StepContext& c, const State& x0, Outcome& out) {
  const double factor = std::clamp(0.9 / std::cbrt(out.error), 0.2, first_ ? 10.0 : 4.0);
  if (out.error >= 1 && !c.forced) {
    rejected_ = true;
    out.verdict = Outcome::Verdict::reject;
    out.cause = Cause::error;
    out.next = h_ * std::min(factor, 0.8);
    return;
  }
  equal_ = std::abs(h_ - last_h_) <= 1e-6 * h_ ? equal_ + 1 : 1;
  const bool may_grow = (equal_ >= kEqual || known_ == 0) && factor > 1.3 && !rejected_;
  out.next = may_grow ? h_ * factor : h_;
  first_ = rejected_ = false;
  std::swap(mean_, new_mean_);
  std::swap(slope_, new_slope_);
  std::swap(bend_, new_bend_);
  middles_[2] = middles_[1], middles_[1] = known_ > 0 ? middles_[0] : x0.t, middles_[0] = x0.t + 0.5 * h_;
  known_ = std::min(known_ + (known_ == 0 ? 2 : 1), 3);
  last_h_ = h_;
}

void EnergyScheme::save(Archive& a) const {
  for (const auto* part : {&mean_, &slope_, &bend_, &third_}) a.put(*part);
  a.put(last_h_), a.put(equal_), a.put(middles_[0]), a.put(middles_[1]), a.put(middles_[2]), a.put(known_), a.put(first_),
      a.put(rejected_), a.put(finished_);
}

void EnergyScheme::load(Archive& a) {
  for (auto* part : {&mean_, &slope_, &bend_, &third_}) a.get(*part);
  a.get(last_h_), a.get(equal_), a.get(middles_[0]), a.get(middles_[1]), a.get(middles_[2]), a.get(known_), a.get(first_),
      a.get(rejected_), a.get(finished_);
}

}  // namespace bristle
