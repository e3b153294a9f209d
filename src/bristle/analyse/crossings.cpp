#include "bristle/analyse/crossings.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bristle/base/index.h"
#include "bristle/signal/decisions.h"

namespace bristle {

namespace {
constexpr double kLooksAt[] = {0.25, 0.5, 0.75};  // of a step: where it is looked at besides its end
constexpr double kRoundings = 4e-16;              // of the time: as near as steps come to a crossing
constexpr double kNoProgress = 1e-6;              // of the usual step: less time between crossings is no progress
constexpr int kInVain = 4;                        // crossings in a row without progress
constexpr int kLongestPause = 1024;               // steps
constexpr double kMargin = 1e-6;                  // of a step: how far it may end before a crossing
constexpr double kNone = 1e-12;                   // of the largest number that a decision has had: less is round-off
constexpr double kSmall = 1e-6;                   // of the same
constexpr double kFarthest = 1e-3;                // of the step that found a crossing: no more is moved to get behind it
}  // namespace

Crossings::Crossings(RunContext& run, StepChoice& choice) : run_(run), choice_(choice) {
  const Layout& layout = run_.system.layout();
  watches_ = !layout.switched.empty() && run_.method.estimates_error && !(choice_.fixed_step() > 0) && !run_.options.late_clock;
  if (!watches_) return;
  look_ = run_.system.make_workspace();
  inside_ = run_.system.make_state();
  for (const SwitchedSignal& s : layout.switched) {
    const std::vector<double> zero(s.signal.readings().size(), 0.0);
    std::size_t k = 0;
    each_decision(s.signal.signal(), zero.data(), [&](std::size_t, Decides how, double) {
      if (s.moved[k++] != 0) whole_.push_back(how == Decides::whole ? 1 : 0);
    });
  }
  before_.assign(whole_.size(), 0);
  here_ = low_ = high_ = end_ = most_ = before_;
  rate_start_ = rate_end_ = run_.here.rate;
}

void Crossings::begin() {
  waits_ = false;
  last_ = -kInfinity;
  in_vain_ = pause_ = 0;
  longest_pause_ = 1;
  std::fill(most_.begin(), most_.end(), 0.0);
}

void Crossings::measure(const State& x, Workspace& w, std::vector<double>& to) const {
  const Eval e = run_.system.look(x, w);
  double in[BoundSignal::kMaxReadings];
  std::size_t at = 0;
  for (const SwitchedSignal& s : run_.system.layout().switched) {
    s.signal.read_inputs(e, in);
    std::size_t k = 0;
    each_decision(s.signal.signal(), in, [&](std::size_t, Decides, double number) {
      if (s.moved[k++] != 0) to[at++] = number;
    });
  }
}

/// Does a decision fall otherwise with this number than before the step? What is round-off beside the numbers that it has had decides nothing, nor what is
/// below the absolute tolerance of the method if it is small beside them.
bool Crossings::turns(std::size_t i, double to) const {
  const double from = before_[i];
  if (whole_[i] != 0) return std::floor(from) != std::floor(to);
  const double nothing = std::max(kNone, std::min(kSmall, run_.method.absolute_tolerance / most_[i])) * most_[i];
  return (from > 0) != (to > 0) && std::max(std::abs(from), std::abs(to)) > nothing;
}

bool Crossings::goes_elsewhere(const std::vector<double>& to) const {
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    if (turns(i, to[i])) return true;
  }
  return false;
}

void Crossings::save(Archive& a) const { a.put(most_), a.put(last_), a.put(in_vain_), a.put(pause_), a.put(longest_pause_); }

void Crossings::load(Archive& a) {
  a.get(most_), a.get(last_), a.get(in_vain_), a.get(pause_), a.get(longest_pause_);
  if (most_.size() != whole_.size()) throw std::runtime_error("the checkpoint belongs to another model");
}

/// The earliest of the crossings between lo and hi, each on the straight line between its numbers there.
double Crossings::first_zero(double lo, double hi) const {
  double first = hi;
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    if (!turns(i, high_[i])) continue;
    double level = 0;
    if (whole_[i] != 0) level = std::floor(before_[i]) + (high_[i] > before_[i] ? 1 : 0);
    const double part = (level - low_[i]) / (high_[i] - low_[i]);
    if (std::isfinite(part)) first = std::min(first, lo + std::clamp(part, 0.0, 1.0) * (hi - lo));
  }
  return first;
}

/// The step made anew, of another length. False: there is none, or something goes another way at its end; see high_known_.
bool Crossings::redo(StepContext& c, double h, Outcome& out) {
  run_.ledger.drop_step();
  run_.integrator->restart();  // every trial on its own: nothing is learnt from one that is thrown away
  out = run_.take_step(c, h);
  run_.counts.newton += out.newton;
  run_.counts.evaluations += out.evaluations;
  high_known_ = out.verdict == Outcome::Verdict::ok;
  if (!high_known_) return false;
  measure(*run_.x1, look_, here_);
  return !goes_elsewhere(here_);
}

/// The first instant, of those looked at in the step, at which something seems to go another way [s]; infinity where there is none. Positions are between
/// the ends as their velocities say, velocities and memory on straight lines: they do not overshoot.
double Crossings::look_inside(double h) {
  const Layout& layout = run_.system.layout();
  const State &x0 = *run_.x0, &x1 = *run_.x1;
  const int n = layout.free();
  for (int i = 0; i < n; ++i) {
    const int k = layout.v_index(i);
    rate_start_[u(i)] = x0.v()[k], rate_end_[u(i)] = x1.v()[k];
    rate_start_[u(n + i)] = rate_end_[u(n + i)] = (x1.v()[k] - x0.v()[k]) / h;
  }
  for (int i = 0; i < layout.sizes.z; ++i) rate_start_[u(2 * n + i)] = rate_end_[u(2 * n + i)] = (x1.z()[i] - x0.z()[i]) / h;
  const StepContext c{run_.system, run_.kernel, look_, run_.ledger, rate_start_.data(), run_.here.power.data()};
  for (double part : kLooksAt) {
    run_.integrator->interpolate(c, x0, x1, rate_end_.data(), part, inside_);
    measure(inside_, look_, high_);
    if (goes_elsewhere(high_)) return part * h;
  }
  return kInfinity;
}

bool Crossings::locate(Outcome& advice) {
  waits_ = false;
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  const double whole = run_.x1->t - run_.x0->t, usual = std::max(whole, run_.last.usual);
  measure(*run_.x0, look_, before_);
  measure(*run_.x1, look_, end_);
  for (std::size_t i = 0; i < whole_.size(); ++i) {
    most_[i] = std::max({most_[i], std::abs(before_[i]), std::abs(end_[i])});
  }
  const bool ends_elsewhere = goes_elsewhere(end_);
  const double inside = look_inside(whole);
  if (!ends_elsewhere && inside == kInfinity) return false;
  StepContext c = run_.step_context(true);
  Outcome out = advice;
  lo_ = 0, hi_ = whole;
  low_ = before_;
  bool found = true;
  if (inside < kInfinity) {
    if (redo(c, inside, out)) {
      lo_ = inside, low_ = here_;
      found = ends_elsewhere;
    } else {
      hi_ = inside;
      if (high_known_) high_ = here_;
    }
  }
  if (hi_ == whole) high_ = end_;
  if (found) {
    search(c, hi_ == whole || high_known_, out);
    found = lo_ > 0 ? stop_before(out) : redo(c, hi_, out) || high_known_;
  }
  if (!found) {  // the step as it was
    redo(c, whole, out);
    if (out.verdict == Outcome::Verdict::ok) return false;
    advice = out;
    return true;
  }
  waits_ = true;
  at_ = run_.x1->t;
  advice.evaluated = out.evaluated;
  tried_ = whole;
  note_progress(usual);
  if (in_vain_ == 0) {  // what follows has not been seen yet
    advice.next = std::min(advice.next > 0 ? advice.next : kInfinity, whole);
    choice_.limit_error_step(whole);
  }
  return true;
}

/// Narrows [lo_, hi_] down to a few roundings: the step to lo_ ends before all crossings, that to hi_ does not, or there is none. known: high_ has the
/// numbers at hi_.
void Crossings::search(StepContext& c, bool known, Outcome& out) {
  const double resolution = kRoundings * std::max(std::abs(run_.x0->t), hi_);
  int side = 0;
  double width = 2 * hi_;  // of the bracket, two trials ago
  for (int k = 0; k < 100 && hi_ - lo_ > resolution; ++k) {
    double s = 0.5 * (lo_ + hi_);
    const bool slow = k % 3 == 2 && hi_ - lo_ > 0.5 * width;
    if (k % 3 == 2) width = hi_ - lo_;
    if (known && !slow) {
      // after a trial before the crossing the next one is a little beyond it and the other way round, so that both ends of the bracket close in
      s = first_zero(lo_, hi_);
      if (side < 0) s += 0.01 * (s - lo_) + 0.5 * resolution;
      if (side > 0) s -= 0.01 * (hi_ - s) + 0.5 * resolution;
      s = std::clamp(s, lo_ + std::min(0.5 * resolution, 0.5 * (hi_ - lo_)), hi_ - std::min(0.5 * resolution, 0.5 * (hi_ - lo_)));
    }
    if (!(s > lo_) || !(s < hi_)) break;
    if (redo(c, s, out)) {
      lo_ = s, side = -1;
      low_ = here_;
    } else {
      hi_ = s, side = 1;
      known = high_known_;
      if (known) high_ = here_;
    }
  }
}

/// The step up to lo_, but for as much as its stages may be off by rounding: one of them beyond the crossing would be felt.
bool Crossings::stop_before(Outcome& out) {
  StepContext c = run_.step_context();
  const double farthest = kMargin * lo_;
  for (double margin = 8 * kRoundings * std::max(std::abs(run_.x0->t), lo_); margin < farthest; margin *= 8) {
    if (redo(c, lo_ - margin, out)) return true;
  }
  c.forced = true;
  return redo(c, lo_, out);
}

/// A force that drives back to where it jumps is crossed again and again: it is left to error control for a while, each time for longer.
void Crossings::note_progress(double usual) {
  ++run_.counts.events;
  choice_.set_reason(StepReason::event);
  in_vain_ = at_ - last_ > kNoProgress * usual ? 0 : in_vain_ + 1;
  if (in_vain_ == 0 && at_ - last_ > usual) longest_pause_ = 1;
  last_ = at_;
  if (in_vain_ < kInVain) return;
  in_vain_ = 0;
  pause_ = longest_pause_;
  longest_pause_ = std::min(2 * longest_pause_, kLongestPause);
}

void Crossings::pass(State& x, double end) {
  waits_ = false;
  if (!(lo_ > 0)) return;  // it has been passed
  // by the velocities and accelerations here, as far as it takes
  const std::vector<double>& rate = run_.last_switch.rate;
  const int n = run_.system.layout().free();
  // what starts on a crossing, slowly, is still there in its digits after the step
  const double farthest = std::max(kFarthest * tried_, lo_);
  for (double dt = kRoundings * std::max(std::abs(x.t), hi_); dt < farthest && x.t + dt < end; dt *= 2) {
    rate_end_ = rate;
    for (int i = 0; i < n; ++i) rate_end_[u(i)] += dt * rate[u(n + i)];
    inside_ = x;
    run_.system.motion().move(x, dt, rate_end_.data(), inside_);
    run_.system.set_time(inside_, x.t + dt);
    measure(inside_, look_, here_);
    if (!goes_elsewhere(here_)) continue;
    x = inside_;
    return;
  }
}

}  // namespace bristle
