#include "bristle/analyse/step_choice.h"

#include <algorithm>
#include <cmath>

#include "bristle/analyse/step_end.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
// not physical: attitudes are followed as increments, no more than part of a turn at once
constexpr double kLongestTurn = 2;  // [rad] by the speed at its start
constexpr double kOfStable = 0.9;   // of the longest step that is stable: what the next attempt takes of it
constexpr double kCrumb =
    1.0 / 16;  // of a fixed step: where it is cut in two no part is shorter, for reactions over very short steps have few digits

/// A step that is free to choose, past a position in which held rows depend on each other: with it in the middle, away from the nodes of methods
/// with stages, or well before it.
double clear_of(double ahead, double h) {
  if (!(h > 0.6 * ahead)) return h;
  return h >= 2 * ahead ? 2 * ahead : 0.5 * ahead;
}
}  // namespace

StepChoice::StepChoice(RunContext& run, std::vector<std::unique_ptr<StepController>> controllers) : run_(run) {
  pace_.resize(u(run_.system.readings().pace_count()));
  speed_.assign(pace_.size(), 0);
  rules_.reserve(controllers.size());
  for (auto& rule : controllers) {
    needs_pace_ = needs_pace_ || !(rule->fixed_step() > 0);
    const StepReason reason = reasons_.add(rule->reason());
    rules_.push_back({std::move(rule), reason});
  }
  bool stable = false, forces = false;
  for (const Rule& rule : rules_)
    stable = stable || rule.proposes->minds_stability(), forces = forces || rule.proposes->minds_forces();
  if (stable && run_.method.is_explicit && !run_.method.estimates_error)
    stability_ = std::make_unique<StepStability>(run_, forces);
  if (rules_.size() == 1 && !run_.method.estimates_error && run_.options.max_step == kInfinity)
    fixed_step_ = rules_[0].proposes->fixed_step();
  run_.given_steps = rules_.size() == 1 && !run_.method.estimates_error && rules_[0].proposes->fixed_step() > 0;
}

void StepChoice::prepare(double start) {
  course_.prepare(run_.system.layout(), start, run_.options.end);
  whole_end_ = -kInfinity;
  if (stability_) stability_->begin();
  reasons_.clear_counts();
}

/// One constant step: nothing to compare. One that would pass over an instant at which something given over time goes another way is cut in two there; the
/// second part ends where the whole one would have ended.
double StepChoice::choose_fixed(double end) {
  const double t = run_.x0->t, least = kCrumb * fixed_step_;
  wanted_ = fixed_step_;
  double whole = whole_end_ - t;
  if (!(whole > 0)) whole = fixed_step_;
  else if (whole < least) whole += fixed_step_;
  const double h = std::min(whole, held_back_.limit());
  reason_ = h < whole ? StepReason::retry : rules_[0].reason;
  if (const double corner = next_corner(t); corner < end && corner - t < (1 + kCrumb) * h) {
    whole_end_ = t + whole + (corner < t + whole ? 0 : fixed_step_);
    reason_ = StepReason::end;
    return corner - t;
  }
  const double next = step_towards(end, t, h);
  if (next != h && h > next + 1e-10 * next + 4e-16 * std::abs(end)) reason_ = StepReason::end;
  return next;
}

double StepChoice::next_corner(double t) const {
  if (run_.options.late_clock) return kInfinity;  // its steps are at wrong times on purpose
  const double corner = course_.next(t);
  return corner > t ? corner : kInfinity;
}

double StepChoice::choose(double end) {
  if (fixed_step_ > 0) return choose_fixed(end);
  Proposal best{run_.options.max_step, StepReason::largest};
  if (!run_.system.layout().frames.empty()) {  // attitudes are followed as increments: no more than part of a turn at once
    const Layout& layout = run_.system.layout();
    double fastest = 0, faster = 0;
    for (const FrameCoordinates& f : layout.frames) {
      const double *w = run_.x0->v() + f.v + 3, *a = run_.x0->a() + f.v + 3;
      fastest = std::max(fastest, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
      faster = std::max(faster, a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    double longest = kInfinity;
    if (fastest > 0) longest = kLongestTurn / std::sqrt(fastest);
    if (faster > 0)
      longest = std::min(longest, std::sqrt(0.8 * kSwing / std::sqrt(faster)));  // a little less than what is rejected
    if (longest < best.h) best = {longest, StepReason::turn};
  }
  if (needs_pace_) run_.system.readings().calc_paces(run_.system.look(*run_.x0, run_.work), pace_.data(), speed_.data());
  if (stability_) {
    const double rate = stability_->fastest_at_start(pace_), h = kOfStable * StepStability::kStands / rate;
    if (rate > 0 && h < best.h) best = {h, StepReason::stable};
  }
  const StepView view{run_.last.outcome, run_.last.length, pace_, speed_};
  for (const Rule& rule : rules_) {
    const double h = rule.proposes->propose(view);
    if (h < best.h) best = {h, rule.reason};
  }
  const double corner = next_corner(run_.x0->t);
  const bool to_corner = corner < end;
  end = std::min(end, corner);
  if (run_.method.estimates_error) {
    const double h = error_.propose(view);
    if (h < best.h) best = {h, StepReason::error};
    const double longest = std::min(best.h, end - run_.x0->t);
    if (!run_.system.layout().given.empty())
      best.h = course_.longest(run_.x0->t, longest, run_.method.drive_angle, run_.method.absolute_tolerance);
  }
  if (run_.method.estimates_error && !run_.method.enforces) best.h = clear_of(run_.kernel.held().crossing(), best.h);
  wanted_ = best.h;
  if (held_back_.limit() < best.h) best = {held_back_.limit(), StepReason::retry};
  reason_ = best.reason;
  const double left = end - run_.x0->t, rounding = 1e-10 * left + 4e-16 * std::abs(end);
  if (best.h >= left - rounding) {
    if (best.h > left + rounding) reason_ = StepReason::end;
    return left;
  }
  // no crumbs: two halves rather than a step and a sliver, where the step is free to choose
  if ((run_.method.estimates_error || to_corner) && best.h > 0.6 * left) return 0.5 * left;
  return best.h;
}

void StepChoice::judge_end(Outcome& out) {
  constexpr double kLeast = 0.1;  // of this step, in the next attempt: a state that has blown up is no measure
  if (!stability_ || out.verdict != Outcome::Verdict::ok) return;
  const double h = run_.x1->t - run_.x0->t, times = h * stability_->fastest_at_end() / StepStability::kStands;
  double excess = 0;
  for (const Rule& rule : rules_) excess = std::max(excess, rule.proposes->excess(pace_, stability_->end(), h));
  if (!(times > 1) && !(excess > 1)) return;
  run_.integrator->restart();
  out.verdict = Outcome::Verdict::reject;
  out.cause = Cause::unstable;
  // rates grow with the step where slips turn back and surfaces meet
  const double share = std::min(times > 1 ? kOfStable / std::sqrt(times) : 1.0, excess > 1 ? kOfStable / excess : 1.0);
  out.next = h * std::clamp(share, kLeast, kOfStable);
}

bool StepChoice::is_as_asked() const {
  const auto leads = [&](const Rule& rule) { return rule.reason == reason_ && rule.proposes->fixed_step() > 0; };
  return reason_ == StepReason::largest || std::any_of(rules_.begin(), rules_.end(), leads);
}

double StepChoice::shorter(double advice) {
  const double h =
      run_.method.estimates_error && !run_.method.enforces ? clear_of(run_.kernel.held().crossing(), advice) : advice;
  error_.h = h;
  return h;
}

void StepChoice::taken(double h, int tries) {
  // explicit methods solve no equations of their own: what they meet, rest without an answer, is over in a moment
  if (run_.method.estimates_error || run_.method.is_explicit) return;
  if (tries > 0) held_back_.cut(h, wanted_);
  else held_back_.taken(h, wanted_);
}

void StepChoice::save(Archive& a) const {
  a.put(error_.h), a.put(course_.start()), a.put(whole_end_);
  held_back_.save(a);
  reasons_.save(a);
  if (stability_) stability_->save(a);
  for (const Rule& rule : rules_) rule.proposes->save(a);
}

void StepChoice::load(Archive& a) {
  double start = 0;
  double whole_end = 0;
  a.get(error_.h), a.get(start), a.get(whole_end);
  prepare(start);
  whole_end_ = whole_end;
  held_back_.load(a);
  reasons_.load(a);
  if (stability_) stability_->load(a);
  for (const Rule& rule : rules_) rule.proposes->load(a);
}

}  // namespace bristle
