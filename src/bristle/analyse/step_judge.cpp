#include "bristle/analyse/step_judge.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

StepJudge::StepJudge(RunContext& run) : run_(run) {
  watched_.assign(u(run_.system.readings().watch_count()), 0);
  if (!run_.method.estimates_error) return;
  middle_ = run_.system.make_state();
  rate_end_ = run_.here.rate;
  before_.resize(u(run_.system.readings().pace_count()));
  speed_.assign(before_.size(), 0);
  look_ = std::make_unique<Workspace>(run_.system.make_workspace());
  run_.system.readings().calc_paces(run_.system.look(run_.system.make_state(), *look_), before_.data(), speed_.data());
  inside_ = behind_ = before_;
  may_let_go_ = run_.method.owns_forces && !run_.system.dry().empty() && run_.options.rest == RestRule::events;
  may_meet_ = std::any_of(before_.begin(), before_.end(), [](const Pace& p) { return p.opens; });
  reserves_before_.assign(run_.system.dry().size(), 0);
  reserves_ = reserves_inside_ = reserves_before_;
  if (!may_meet_ && !may_let_go_) look_.reset();
}

void StepJudge::begin_step() {
  if (!watched_.empty()) run_.system.readings().calc_watched(run_.system.look(*run_.x0, run_.work), watched_.data());
  if (may_meet_) run_.system.readings().calc_paces(run_.system.look(*run_.x0, *look_), before_.data(), speed_.data());
}

void StepJudge::judge(Outcome& out) {
  const auto accepted = [&] { return out.verdict == Outcome::Verdict::ok; };
  if (!watched_.empty() && accepted()) judge_memory(out);
  if (may_meet_ && accepted()) judge_meetings(out);
  if (look_ && run_.method.owns_forces && !run_.system.dry().empty() && accepted()) judge_rest(out);
}

/// The rates of some memories change inside a step (a slider reaches its limit, an element lets go) where no stage of the method sees
/// it, so that its estimate of the error does not, either. The laws say what that may have done.
void StepJudge::judge_memory(Outcome& out) {
  constexpr double kLeastShare = 0.02;  // of a step, in the next one
  // not physical: how far memory may go beyond a jump in steps that are given; smaller is nearer and dearer
  constexpr double kAtJump = 1e-7;
  const bool leads = run_.method.memory_tolerance < kInfinity;
  const double h = run_.x1->t - run_.x0->t, tolerance = leads ? run_.method.memory_tolerance : kAtJump;
  const Overrun o = run_.system.readings().calc_overrun(run_.system.look(*run_.x1, run_.work), h, watched_.data(), run_.x0->z());
  // energy schemes at steps that are given take them all the same; the run tells how often
  const bool given = run_.method.owns_forces && !run_.method.estimates_error;
  // steps that rules lead are as long as these say
  const double error = leads ? o.error : given || !run_.given_steps ? 0 : o.jump;
  const bool too_far = error > tolerance || (o.always && !given);
  if (o.always && given) ++run_.counts.passed_over;
  // error control finds the limit of stability by itself
  const bool unstable = run_.method.is_explicit && !run_.method.estimates_error && o.longest > 0 && h > o.longest;
  if (!too_far && !unstable) {
    if (o.part > 0 && o.error == 0 && o.jump == 0 && out.next > 0)
      out.next = std::min(out.next, std::max(o.part, kLeastShare) * h);
    return;
  }
  run_.integrator->restart();  // it may have counted on the step
  out.verdict = Outcome::Verdict::reject;
  out.cause = Cause::memory;
  double share = 1;
  if (unstable) share = 0.95 * o.longest / h;
  // a little beyond the change, so that it is there when the step is accepted
  const double beyond = o.always ? 0 : 0.3 * tolerance / error * (1 - o.part);
  if (too_far && o.part > 0) share = std::min(share, o.part + beyond);
  else if (too_far) share = std::min(share, 0.9 * std::sqrt(tolerance / error));
  const double most = !leads && o.jump > 0 ? 0.999 : 0.9;  // jumps are where they seem to be
  out.next = h * std::clamp(share, kLeastShare, most);
  if (too_far && !o.always) out.error = std::max(out.error, error / tolerance);
}

/// Error control sees a contact at the stages of its step. Where all of them lie before and behind it, two balls fly through each other. Between
/// two instants with the gaps g0 and g1 a gap cannot have closed while g0 + g1 is more than its speed times the time between; where it may have, the
/// step is looked at more closely.
void StepJudge::judge_meetings(Outcome& out) {
  constexpr int kLooks = 200;         // into a step
  constexpr double kFinest = 1e-4;    // of the step
  constexpr double kFaster = 1.5;     // a gap may change faster inside the step than at its ends
  constexpr double kTouched = 1e-12;  // [m] overlap that counts
  const double h = run_.x1->t - run_.x0->t;
  run_.system.readings().calc_paces(run_.system.look(*run_.x1, *look_), behind_.data(), speed_.data());
  const auto most = [&](std::size_t i) {  // that the gap may change by in the step
    const Pace &a = before_[i], &b = behind_[i];
    return kFaster * std::max({h * std::abs(a.gap_rate), h * std::abs(b.gap_rate), std::abs(b.gap - a.gap)});
  };
  const auto may_touch = [&](std::size_t i) {
    const Pace &a = before_[i], &b = behind_[i];
    return a.opens && a.gap > 0 && b.gap > 0 && a.gap + b.gap < most(i);
  };
  int looks = 0;
  const auto gap_at = [&](double part, std::size_t i) {
    if (looks++ == 0) {  // rates of positions at the end are its velocities; nobody asks for more
      const Layout& layout = run_.system.layout();
      std::fill(rate_end_.begin(), rate_end_.end(), 0.0);
      for (int k = 0; k < layout.free(); ++k) rate_end_[u(k)] = run_.x1->v()[layout.v_index(k)];
    }
    const StepContext c = look_context();
    run_.integrator->interpolate(c, *run_.x0, *run_.x1, rate_end_.data(), part, middle_);
    run_.system.readings().calc_paces(run_.system.look(middle_, *look_), inside_.data(), speed_.data());
    return inside_[i].gap;
  };
  struct Span {
    double from, to, gap_from, gap_to;
  };
  for (std::size_t i = 0; i < before_.size(); ++i) {
    if (!may_touch(i)) continue;
    Span stack[32];
    static_assert(kFinest * 0x1p30 > 1, "one more span waits for each time the step is halved");
    int waiting = 0;
    stack[waiting++] = {0, 1, before_[i].gap, behind_[i].gap};
    while (waiting > 0 && looks < kLooks) {
      const Span s = stack[--waiting];
      if (s.gap_from + s.gap_to >= most(i) * (s.to - s.from) || s.to - s.from < kFinest) continue;
      const double middle = 0.5 * (s.from + s.to), gap = gap_at(middle, i);
      if (gap < -kTouched) {
        run_.integrator->restart();  // it may have counted on the step
        out.verdict = Outcome::Verdict::reject;
        out.cause = Cause::meeting;
        out.next = middle * h;
        return;
      }
      stack[waiting++] = {middle, s.to, gap, s.gap_to};  // the earlier half is looked at first
      stack[waiting++] = {s.from, middle, s.gap_from, gap};
    }
  }
}

/// What is left to the limit at each dry place that rests where the step starts, over the limit, when they are all held at `x`; others: infinity. False: no
/// forces hold them there.
bool StepJudge::calc_reserves(const State& x, std::vector<double>& reserve) {
  if (&x != &middle_) middle_ = x;
  for (const DryPlace& p : run_.system.dry()) {
    if (p.marks(*run_.x0).rests()) p.marks(middle_).set_mode(DryMode::stick);
  }
  run_.kernel.evaluate_resting(run_.system, middle_, *look_);  // feet of one body hold together
  ++run_.counts.evaluations;
  const Eval e = run_.system.view(middle_, *look_);
  for (std::size_t i = 0; i < reserve.size(); ++i) {
    const DryPlace& p = run_.system.dry()[i];
    reserve[i] = kInfinity;
    if (!p.marks(*run_.x0).sticks()) continue;
    RestView view;
    p.owner->view(e, p.item, view);
    double size = 0;
    for (int d = 0; d < p.components; ++d) size += look_->lambda[u(p.lambda + d)] * look_->lambda[u(p.lambda + d)];
    if (!view.open && view.limit > 0) reserve[i] = 1 - std::sqrt(size) / view.limit;
  }
  return run_.kernel.converged();
}

/// Over a step that owns its forces a place rests while the mean of what it holds is within its limit. Rest has no error, steps grow, and loads may pass the limit
/// and fall again inside one. Such a step is made shorter until the place lets go at the instant at which its limit is used up, but for the tolerance.
void StepJudge::judge_rest(Outcome& out) {
  constexpr double kNear =
      0.6;  // of a limit: who has more to spare at both ends does not use it up inside, in steps that follow the loads
  constexpr double kSteeper = 1.5;   // than between ends and middle: how steep a held force may be anywhere inside
  constexpr double kDip = 0.01;      // of a limit: by how much it may be passed unseen
  constexpr double kAtLimit = 1e-9;  // of a limit: a place whose fellows hold the rest stays at its own but for round-off
  constexpr double kLeast = 0.02, kMost = 0.9;  // of this step, in the next attempt
  const double h = run_.x1->t - run_.x0->t;
  // After a step that has located something the velocities of bodies in space show the round-off of positions, the more the shorter it was, and held forces with them
  const double after_short =
      std::min(kDip, kAtLimit * std::max(1.0, run_.last.length > 0 ? run_.last.usual / run_.last.length : 1.0));
  const auto at_limit = [&](std::size_t i) { return run_.system.dry()[i].constant ? kAtLimit : after_short; };
  const double located =
      std::max(run_.method.memory_tolerance * std::max(run_.last.usual, h), 1e-9 * std::max(std::abs(run_.x0->t), 1e-3));
  if (!(h > located)) return;
  bool rests = false;
  for (const DryPlace& p : run_.system.dry()) rests = rests || p.marks(*run_.x0).rests();
  if (!rests || !calc_reserves(*run_.x0, reserves_before_) || !calc_reserves(*run_.x1, reserves_)) return;
  double share = 1;
  bool near = false;
  for (std::size_t i = 0; i < reserves_.size(); ++i) {
    const double before = reserves_before_[i], behind = reserves_[i];
    if (!(before > at_limit(i)) || before == kInfinity || behind == kInfinity)
      continue;  // it lets go at once, or others hold the rest
    if (behind < -kAtLimit) share = std::min(share, before / (before - behind));
    else if (!run_.system.dry()[i].marks(*run_.x1).rests()) share = std::min(share, 0.5);
    near = near || std::min(before, behind) < kNear;
  }
  if (share == 1 && near) {
    // what moves in the step moves it as a whole: its middle is that of the ends
    const StepContext c = look_context();
    std::fill(rate_end_.begin(), rate_end_.end(), 0.0);
    const Layout& layout = run_.system.layout();
    for (int k = 0; k < layout.free(); ++k) rate_end_[u(k)] = run_.x1->v()[layout.v_index(k)];
    run_.integrator->interpolate(c, *run_.x0, *run_.x1, rate_end_.data(), 0.5, middle_);
    if (calc_reserves(middle_, reserves_inside_)) {
      for (std::size_t i = 0; i < reserves_.size(); ++i) {
        const double a = reserves_before_[i], m = reserves_inside_[i], b = reserves_[i];
        if (!(a > at_limit(i)) || std::min(a, b) >= kNear || m == kInfinity || b == kInfinity) continue;
        const double steepest = kSteeper * std::max(std::abs(m - a), std::abs(b - m));
        if (std::min(a + m, m + b) < steepest - 2 * kDip) share = std::min(share, 0.5);
      }
    }
  }
  if (share == 1) return;
  run_.integrator->restart();  // it may have counted on the step
  out.verdict = Outcome::Verdict::reject;
  out.cause = Cause::rest;
  out.next = std::max(h * std::clamp(share, kLeast, kMost), 0.5 * located);
}

}  // namespace bristle
