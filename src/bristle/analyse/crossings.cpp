#include "bristle/analyse/crossings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bristle/base/index.h"

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
constexpr double kUnseen = 10;  // times what decides nothing: a number that comes no further from where it jumps rests there
constexpr double kAside =
    100;  // times as far from the jump: there a rate that jumps is the same, a steady one a hundred times as large
constexpr double kSameRate = 3;          // times: how much rates may differ that count as the same
constexpr double kShortened = 1e-3;      // of what a fixed step does to a number: beyond its jump
constexpr int kLingers = 32;             // steps in a row that change no side: then it is looked whether one is near
constexpr double kNearSteps = 3;         // steps from a jump
constexpr int kGlances = 16, kHits = 4;  // of fixed steps one in so many is looked at; so many that chatter are told
constexpr double kGlance = 1e-2;         // of the longest step: over which the slope of a number is taken
constexpr double kFarthest = 1e-3;       // of the step that found a crossing: no more is moved to get behind it
}  // namespace

Crossings::Crossings(RunContext& run, StepChoice& choice) : run_(run), choice_(choice) {
  const Layout& layout = run_.system.layout();
  if (layout.switched.empty() || run_.options.late_clock) return;
  watches_ = run_.method.estimates_error && !(choice_.fixed_step() > 0);
  look_ = run_.system.make_workspace();
  look_.rest = run_.options.rest;
  inside_ = beyond_ = run_.system.make_state();
  decisions_.prepare(layout);
  before_.assign(decisions_.size(), 0);
  here_ = low_ = high_ = end_ = most_ = before_;
  rate_start_ = rate_end_ = run_.here.rate;
}

void Crossings::begin() {
  waits_ = false;
  last_ = -kInfinity;
  in_vain_ = pause_ = 0;
  longest_pause_ = 1;
  longest_ = 0;
  passed_ = -1;
  lingers_ = steps_ = hits_ = 0;
  note_.clear();
  std::fill(most_.begin(), most_.end(), 0.0);
}

/// What is round-off beside the numbers that a decision has had decides nothing, nor what is below the absolute tolerance of the method if it is small
/// beside them.
double Crossings::nothing(std::size_t i) const {
  return std::max(kNone, std::min(kSmall, run_.method.absolute_tolerance / most_[i])) * most_[i];
}

/// Does a decision fall otherwise with this number than before the step?
bool Crossings::turns(std::size_t i, double to) const {
  const double from = before_[i];
  return decisions_.differs(i, from, to) && (decisions_.is_whole(i) || std::max(std::abs(from), std::abs(to)) > nothing(i));
}

bool Crossings::goes_elsewhere(const std::vector<double>& to) const {
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    if (turns(i, to[i])) return true;
  }
  return false;
}

void Crossings::save(Archive& a) const {
  a.put(most_), a.put(last_), a.put(in_vain_), a.put(pause_), a.put(longest_pause_), a.put(longest_), a.put(lingers_);
  a.put(steps_), a.put(hits_), a.put(std::vector<char>(note_.begin(), note_.end()));
}

void Crossings::load(Archive& a) {
  a.get(most_), a.get(last_), a.get(in_vain_), a.get(pause_), a.get(longest_pause_), a.get(longest_), a.get(lingers_);
  std::vector<char> note;
  a.get(steps_), a.get(hits_), a.get(note);
  note_.assign(note.begin(), note.end());
  passed_ = -1;
  if (most_.size() != decisions_.size()) throw std::runtime_error("the checkpoint belongs to another model");
}

/// The number at which a decision that turns until the end of the bracket does so.
double Crossings::level_of(std::size_t i) const {
  return decisions_.is_whole(i) ? std::floor(before_[i]) + (high_[i] > before_[i] ? 1 : 0) : 0;
}

/// The earliest of the crossings between lo and hi, each on the straight line between its numbers there.
double Crossings::first_zero(double lo, double hi) const {
  double first = hi;
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    if (!turns(i, high_[i])) continue;
    const double part = (level_of(i) - low_[i]) / (high_[i] - low_[i]);
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
  decisions_.measure(run_.system, *run_.x1, look_, here_);
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
    decisions_.measure(run_.system, inside_, look_, high_);
    if (goes_elsewhere(high_)) return part * h;
  }
  return kInfinity;
}

bool Crossings::locate(Outcome& advice) {
  waits_ = false;
  const double whole = run_.x1->t - run_.x0->t, usual = std::max(whole, run_.last.usual);
  decisions_.measure(run_.system, *run_.x0, look_, before_);
  decisions_.measure(run_.system, *run_.x1, look_, end_);
  longest_ = std::max(longest_, whole);
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    most_[i] = std::max({most_[i], std::abs(before_[i]), std::abs(end_[i])});
  }
  passed_ = -1;
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    if (decisions_.differs(i, before_[i], end_[i])) passed_ = static_cast<int>(i);
  }
  lingers_ = passed_ < 0 ? lingers_ + 1 : 0;
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  const bool ends_elsewhere = goes_elsewhere(end_);
  const double inside = look_inside(whole);
  if (!ends_elsewhere && inside == kInfinity) return false;
  StepContext c = run_.step_context(true);
  c.anew = true;
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
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    if (turns(i, high_[i])) passed_ = static_cast<int>(i);
  }
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
  c.anew = true;
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
    decisions_.measure(run_.system, inside_, look_, here_);
    if (!goes_elsewhere(here_)) continue;
    x = inside_;
    return;
  }
}

/// The number of a decision some time after a state, by rates and accelerations that do not change; the state there is `inside_`.
double Crossings::number_after(std::size_t i, const State& from, const std::vector<double>& rate, double dt) {
  const int n = run_.system.layout().free();
  rate_end_ = rate;
  for (int k = 0; k < n; ++k) rate_end_[u(k)] += 0.5 * dt * rate[u(n + k)];
  inside_ = from;
  run_.system.motion().move(from, dt, rate_end_.data(), inside_);
  run_.system.set_time(inside_, from.t + dt);
  decisions_.measure(run_.system, inside_, look_, here_);
  return here_[i];
}

/// How a number changes.
struct Crossings::Slope {
  double first = 0, second = 0;  // derivatives by time
};

Crossings::Slope Crossings::slope_of(std::size_t i, const State& from, const std::vector<double>& rate) {
  const double dt = kGlance * longest_;
  const double ahead = number_after(i, from, rate, dt), back = number_after(i, from, rate, -dt),
               here = number_after(i, from, rate, 0);
  return {(ahead - back) / (2 * dt), (ahead - 2 * here + back) / (dt * dt)};
}

/// Do the forces behind the jump of a decision drive its number back to it, within what the method resolves? `rate`: from before the jump, which takes
/// it on; `behind`: from behind it, where that is known. So they do where a rate of the number changes its sign in the jump, and where it comes to rest there bouncing. About an equilibrium without a jump
/// forces drive back from both sides, too; but there they grow with the distance.
bool Crossings::drives_back(std::size_t i, const std::vector<double>& rate, const std::vector<double>* behind) {
  const State& x = *run_.x0;
  const Slope on = slope_of(i, x, rate);
  const int side = on.first > 0 ? 1 : -1;
  const double most = kUnseen * nothing(i);
  const auto comes = [&](double second) { return 0.5 * on.first * on.first / std::abs(second); };  // so far, and back
  if (behind != nullptr) {
    const Slope near = slope_of(i, x, *behind);
    const bool rests = side * near.second < 0 && comes(near.second) < most;
    if (!(side * near.first < 0) && !rests) return false;
  }
  const double number = number_after(i, x, rate, 0), level = decisions_.is_whole(i) ? std::round(number) : 0;
  const double share = watches_ ? kNone : kShortened;  // of what a step does to it
  const double least =
      std::max({nothing(i), behind != nullptr ? 2 * std::abs(number - level) : 0, share * std::abs(on.first) * longest_});
  Slope there[2];
  for (int k = 0; k < 2; ++k) {
    const double away = k == 0 ? least : kAside * least;
    double dt = kRoundings * std::max(std::abs(x.t), longest_);
    while (dt < 2 * kNearSteps * longest_ && side * (number_after(i, x, rate, dt) - level) < away) dt *= 2;
    if (!(side * (here_[i] - level) >= away)) return false;
    beyond_ = inside_;
    run_.kernel.evaluate(run_.system, beyond_, look_);
    if (!run_.kernel.converged()) return false;
    there[k] = slope_of(i, beyond_, look_.rate);
  }
  const auto returns = [&](double near, double far) {
    return side * near < 0 && side * far < 0 && std::abs(far) < kSameRate * std::abs(near);
  };
  if (side * on.first > 0 && returns(there[0].first, there[1].first)) return true;
  return side * on.second > 0 && returns(there[0].second, there[1].second) &&
         std::max(comes(on.second), comes(there[0].second)) < most;
}

/// Comes its number to the jump within a few steps as it goes now?
bool Crossings::is_near(std::size_t i) {
  const double number = number_after(i, *run_.x0, run_.here.rate, 0), level = decisions_.is_whole(i) ? std::round(number) : 0;
  const double most = kNearSteps * run_.last.length, rate = slope_of(i, *run_.x0, run_.here.rate).first;
  return std::abs(number - level) <= std::max(kUnseen * nothing(i), (number - level) * rate < 0 ? most * std::abs(rate) : 0);
}

std::string Crossings::text_of(std::size_t i, const char* why) {
  const double level = decisions_.is_whole(i) ? std::round(number_after(i, *run_.x0, run_.here.rate, 0)) : 0;
  return fmt::format("{} chatters about {}: the jump in '{}' drives back to it from both sides, {} {}", decisions_.owner(i),
                     decisions_.place(i, level), decisions_.expression(i), why, decisions_.way_out(i));
}

void Crossings::measure_present() {
  decisions_.measure(run_.system, *run_.x0, look_, before_);
  for (std::size_t i = 0; i < decisions_.size(); ++i) most_[i] = std::max(most_[i], std::abs(before_[i]));
  longest_ = std::max(longest_, std::isfinite(choice_.wanted()) ? choice_.wanted() : run_.last.length);
}

std::string Crossings::chatter(bool failed) {
  constexpr const char* kWhy = "so that it would be passed again and again without the time moving on.";
  const bool feels = lingers_ > 0 && lingers_ % kLingers == 0;
  if (decisions_.size() == 0 || (!failed && passed_ < 0 && !feels)) return {};
  if (!watches_ || !(longest_ > 0)) measure_present();
  if (!(longest_ > 0)) return {};
  if (!failed && passed_ >= 0) {
    const auto i = static_cast<std::size_t>(passed_);
    const std::vector<double>& before = run_.last_switch.ended_step ? run_.last_switch.rate : run_.before.rate;
    return drives_back(i, before, &run_.here.rate) ? text_of(i, kWhy) : std::string();
  }
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    // where it fails it may be on the jump: rates from before the last step lead over it
    const bool found = failed ? drives_back(i, run_.here.rate, nullptr) || drives_back(i, run_.before.rate, nullptr)
                              : is_near(i) && drives_back(i, run_.here.rate, nullptr);
    if (found && (failed || ++hits_ >= kHits)) return text_of(i, kWhy);
    if (found) return {};
  }
  hits_ = 0;
  return {};
}

void Crossings::look_at_fixed_step() {
  if (decisions_.size() == 0 || watches_ || hits_ >= kHits || ++steps_ % kGlances != 0) return;
  measure_present();
  for (std::size_t i = 0; i < decisions_.size(); ++i) {
    if (!is_near(i) || !drives_back(i, run_.here.rate, nullptr)) continue;
    if (++hits_ == kHits)
      note_ = fmt::format("t = {:.6g} s: {}", run_.x0->t,
                          text_of(i, "and the steps pass it to and fro. What it does there depends on them."));
    return;
  }
}

}  // namespace bristle
