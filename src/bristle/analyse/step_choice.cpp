#include "bristle/analyse/step_choice.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "bristle/analyse/step_end.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
const char* const kConstantReason = "constant";
const char* const kRetryReason = "retry";
const char* const kTurnReason = "turn of a body";
// not physical: attitudes are followed as increments, no more than part of a turn at once
constexpr double kLongestTurn = 2;  // [rad] by the speed at its start
constexpr double kSwing = 1;        // [rad] change of speed, times the step

/// A step that is free to choose, past a position in which held rows depend on each other: with it in the middle, away from the nodes of methods
/// with stages, or well before it.
double clear_of(double ahead, double h) {
  if (!(h > 0.6 * ahead)) return h;
  return h >= 2 * ahead ? 2 * ahead : 0.5 * ahead;
}
}  // namespace

StepChoice::StepChoice(RunContext& run, std::vector<std::unique_ptr<StepController>> controllers)
    : run_(run), controllers_(std::move(controllers)) {
  pace_.resize(u(run_.system.pace_count()));
  speed_.assign(pace_.size(), 0);
  reasons_.reserve(RunCounts::kReasons);
  reasons_ = {"end", "error", "largest step", "event", kRetryReason, kConstantReason, "velocity", "time constant", kTurnReason};
  for (const auto& c : controllers_) {
    if (dynamic_cast<const ConstantStep*>(c.get()) == nullptr) needs_pace_ = true;
    number_of(c->reason());  // numbered now, so that a resumed run counts as the unbroken one does
  }
  if (controllers_.size() == 1 && !needs_pace_ && !run_.method.estimates_error && run_.options.max_step == kInfinity) {
    run_.fixed_step = dynamic_cast<const ConstantStep&>(*controllers_[0]).step;
  }
}

void StepChoice::prepare(double start) { course_.prepare(run_.system.layout(), start, run_.options.end); }

double StepChoice::choose(double end) {
  if (run_.fixed_step > 0) {  // one constant step: nothing to compare
    run_.wanted = run_.fixed_step;
    const double h = std::min(run_.fixed_step, held_back_.limit());
    run_.last_reason = h < run_.fixed_step ? kRetryReason : kConstantReason;
    const double next = step_towards(end, run_.x0->t, h);
    if (next != h && h > next + 1e-10 * next + 4e-16 * std::abs(end)) run_.last_reason = "end";
    return next;
  }
  Proposal best{run_.options.max_step, "largest step"};
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
    if (longest < best.h) best = {longest, kTurnReason};
  }
  if (needs_pace_) run_.system.calc_paces(*run_.x0, run_.work, pace_.data(), speed_.data());
  const StepView view{run_.last, run_.last_step, pace_, speed_};
  for (const auto& c : controllers_) {
    const Proposal p = c->propose(view);
    if (p.h < best.h) best = p;
  }
  if (run_.method.estimates_error) {
    const Proposal p = error_.propose(view);
    if (p.h < best.h) best = p;
    if (const double corner = course_.next(run_.x0->t); corner > run_.x0->t) end = std::min(end, corner);
    const double longest = std::min(best.h, end - run_.x0->t);
    if (!run_.system.layout().given.empty())
      best.h = course_.longest(run_.x0->t, longest, run_.method.drive_angle, run_.method.absolute_tolerance);
  }
  if (run_.method.estimates_error && !run_.method.enforces) best.h = clear_of(run_.kernel.crossing(), best.h);
  run_.wanted = best.h;
  if (held_back_.limit() < best.h) best = {held_back_.limit(), kRetryReason};
  run_.last_reason = best.reason;
  const double left = end - run_.x0->t, rounding = 1e-10 * left + 4e-16 * std::abs(end);
  if (best.h >= left - rounding) {
    if (best.h > left + rounding) run_.last_reason = "end";
    return left;
  }
  // no crumbs: two halves rather than a step and a sliver, where the step is free to choose
  if (run_.method.estimates_error && best.h > 0.6 * left) return 0.5 * left;
  return best.h;
}

int StepChoice::number_of(const char* reason) {
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    if (reasons_[i] == reason || std::strcmp(reasons_[i], reason) == 0) return static_cast<int>(i);
  }
  if (reasons_.size() < RunCounts::kReasons) reasons_.push_back(reason);
  return static_cast<int>(reasons_.size()) - 1;
}

void StepChoice::retries() { run_.last_reason = kRetryReason; }

double StepChoice::shorter(double advice) {
  const double h = run_.method.estimates_error && !run_.method.enforces ? clear_of(run_.kernel.crossing(), advice) : advice;
  error_.h = h;
  return h;
}

void StepChoice::taken(double h, int tries) {
  // explicit methods solve no equations of their own: what they meet, rest without an answer, is over in a moment
  if (run_.method.estimates_error || run_.method.is_explicit) return;
  if (tries > 0) held_back_.cut(h, run_.wanted);
  else held_back_.taken(h, run_.wanted);
}

void StepChoice::count_reason() {
  if (run_.last_reason != counted_reason_) last_reason_index_ = number_of(run_.last_reason), counted_reason_ = run_.last_reason;
  ++run_.counts.by_reason[last_reason_index_];
}

void StepChoice::save(Archive& a) const {
  a.put(error_.h), a.put(course_.start());
  held_back_.save(a);
  for (const auto& c : controllers_) c->save(a);
}

void StepChoice::load(Archive& a) {
  double start = 0;
  a.get(error_.h), a.get(start);
  prepare(start);
  held_back_.load(a);
  for (const auto& c : controllers_) c->load(a);
}

}  // namespace bristle
