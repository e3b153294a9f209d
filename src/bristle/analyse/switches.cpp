// Guards, and the search for the first one that turns inside a step.
#include "bristle/analyse/switches.h"

#include <algorithm>
#include <cmath>

#include "bristle/analyse/slip_limits.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kVanished = 1e-12;  // of the fastest slip since the last rest: what counts as none in the plane
constexpr int kUnbalanced = 5;       // steps in a row
constexpr double kKnown = 1e-6;      // of what a guard is at the end of a step: less at its start is no place to draw a line from
constexpr double kInside = 0.4;      // of a step: where places at rest are looked at again
constexpr double kBent = 0.2;        // of a limit: how far a held force may stray from a straight line within a step
// of a limit: places at rest with more to spare at both ends of a step do not use it up inside, since steps pass no more than a quarter of a period
constexpr double kNear = 0.6;
constexpr double kSteeper = 1.5;  // than between the ends and the middle of a step: how steep a held force may be anywhere inside
constexpr double kDip =
    0.01;  // of a limit: by how much it may be passed unseen, or a force that has just come below it would lead the steps

/// May a value have fallen clearly below zero inside a step, from those at its start, middle and end? Between two instants it has not while their sum
/// is more than its steepest change over that time.
bool may_vanish(double start, double middle, double end) {
  const double steepest = kSteeper * std::max(std::abs(middle - start), std::abs(end - middle));
  return std::min(start + middle, middle + end) < steepest - 2 * kDip;
}
}  // namespace

/// Guards of the dry places: positive while the mode is right. Stuck: what is left to the limit, over the limit. Sliding: the slip
/// along its direction. Needs the evaluation at x1 in the workspace for stuck places; returns the smallest.
double Switches::guard(const State& x0, const State& x1, std::vector<double>& g) {
  Eval e = run_.system.look(x1, run_.work);
  const Eval e0 = run_.system.view(x0, run_.work);
  if (&x0 != &x1) e.lambda = run_.work.lambda.data();
  double least = kInfinity;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const DryPlace& p = run_.system.dry()[i];
    RestView view;
    p.owner->view(e, p.item, view);
    const ConstDryMarks marks = p.marks(x1);
    if (marks.open()) {
      g[i] = 1;
    } else if (marks.creeps()) {
      g[i] = SlipLimits::kLanding;
      for (int d = 0; d < p.components; ++d) g[i] += view.slip[d] * marks.direction(d);
      // pulled by less than its limit, what slips is slowed down: it creeps no more
      if (size_of(view, p.components) > SlipLimits::kLanding)
        g[i] = std::min(g[i], length_of(e.lambda + p.lambda, p.components) - SlipLimits::kAtLimit * view.limit);
    } else if (marks.rests()) {
      const double* F = (&x0 == &x1 ? x1.lambda() : run_.work.lambda.data()) + p.lambda;
      double size = 0;
      for (int d = 0; d < p.components; ++d) size += F[d] * F[d];
      g[i] = view.limit > 0 ? 1 - std::sqrt(size) / view.limit : (size > 0 ? -1.0 : 1.0);
      if (marks.is_loose()) {
        const double slip = size_of(view, p.components);
        const double most = SlipLimits::kLooseTime * run_.kernel.mobility(static_cast<int>(i)) * view.limit;
        g[i] = std::min(
            {g[i], 1 - run_.kernel.looseness(static_cast<int>(i)) / Multipliers::kTooLoose, most > 0 ? 1 - slip / most : 1.0});
      }
      if (run_.kernel.mobility(static_cast<int>(i)) == 0) {  // no force moves it: it slides when it is made to
        const double slip = size_of(view, p.components);
        g[i] = 1 - slip / SlipLimits::kLanding;
      }
    } else if (p.components == 1) {
      g[i] = view.slip[0] * marks.direction(0);
    } else {
      // in the plane: the slip has turned back, or has all but vanished
      RestView before;
      if (p.constant) p.owner->view(e0, p.item, before);
      // rows that change are those of x1; the slip before was noted
      for (int d = 0; d < p.components && !p.constant; ++d) before.slip[d] = marks.direction(d) * speed_before_[i];
      double size0 = 0, size1 = 0, along = 0;
      for (int d = 0; d < p.components; ++d) {
        size0 += before.slip[d] * before.slip[d];
        size1 += view.slip[d] * view.slip[d];
        along += before.slip[d] * view.slip[d];
      }
      size0 = std::sqrt(size0);
      size1 = std::sqrt(size1);
      const double nothing = std::max(kVanished * fastest_[i], p.opens ? SlipLimits::kLanding : 0.0);
      g[i] = size0 > 0 ? along / size0 : 1;
      if (size0 > nothing) g[i] = std::min(g[i], size1 - nothing);
    }
    least = std::min(least, g[i]);
  }
  return least;
}

/// Error control sees the motion. While a place rests its force follows the loads, and a long step might pass over a time at which they
/// are more than it can hold; a slip between driven coordinates moves nothing, and a long step might pass over its reversals. Needs the evaluation at the end of the step in the workspace, and the guards at both ends.
bool Switches::misses_rest(double h) {
  const double resolved = 1e-9 * std::max(1.0, std::abs(run_.x0->t));
  if (choice_.fixed_step() > 0 || h < resolved) return false;
  const auto rests = [&](std::size_t i) {
    const DryPlace& p = run_.system.dry()[i];
    return p.marks(*run_.x0).sticks();
  };
  const auto driven = [&](std::size_t i) {
    const DryPlace& p = run_.system.dry()[i];
    return p.driven && p.marks(*run_.x0).slides();
  };
  bool watched = false;
  for (std::size_t i = 0; i < guards_.size() && !watched; ++i) watched = rests(i) || driven(i);
  if (!watched) return false;
  rate_end_ = run_.work.rate;
  const StepContext c = run_.step_context();
  // a force that comes near its limit at an end of the step may reach it inside and fall again
  const auto may_let_go = [&](std::size_t i) {
    return rests(i) && std::min(guards_before_[i], guards_[i]) < kNear && !(guards_[i] < 0);
  };
  bool near = false;  // a step that is short beside the usual one has been looked at closely
  for (std::size_t i = 0; i < guards_.size() && !near && h > SlipLimits::kShort * run_.last.usual; ++i) near = may_let_go(i);
  if (near) {
    run_.integrator->interpolate(c, *run_.x0, *run_.x1, rate_end_.data(), 0.5, inside_);
    run_.kernel.evaluate(run_.system, inside_, run_.work);
    ++run_.counts.evaluations;
    if (run_.kernel.converged()) {
      guard(*run_.x0, inside_, guards_inside_);
      for (std::size_t i = 0; i < guards_.size(); ++i) {
        if (!may_let_go(i)) continue;
        if (may_vanish(guards_before_[i], guards_inside_[i], guards_[i])) return true;
      }
    }
  }
  // the longer it is beside the step before, the more closely it is looked at
  for (double part = kInside; part * h > kInside * run_.last.length && part * h > resolved; part *= kInside) {
    run_.integrator->interpolate(c, *run_.x0, *run_.x1, rate_end_.data(), part, inside_);
    run_.kernel.evaluate(run_.system, inside_, run_.work);
    ++run_.counts.evaluations;
    if (!run_.kernel.converged()) break;
    guard(*run_.x0, inside_, guards_inside_);
    for (std::size_t i = 0; i < guards_.size(); ++i) {
      const double g = guards_inside_[i], straight = (1 - part) * guards_before_[i] + part * guards_[i];
      if (driven(i) && std::abs(g - straight) > kBent * std::max(std::abs(guards_before_[i]), std::abs(guards_[i]))) return true;
      if (!rests(i)) continue;
      if ((g < 0 && !(guards_[i] < 0)) || std::abs(g - straight) > kBent) return true;
    }
  }
  run_.kernel.evaluate(run_.system, *run_.x1, run_.work);
  return false;
}

/// A creeping place has the force along its slip acceleration in place of the slip: both part where the slip turns. What that makes of its way in a step that
/// is too long to follow the slip itself, over what the method does not resolve; of the step that has been evaluated at its end.
double Switches::lag(double h) const {
  double most = 0;
  Eval e = run_.system.view(*run_.x1, run_.work);
  e.lambda = run_.work.lambda.data();
  for (int i = 0; i < static_cast<int>(run_.system.dry().size()); ++i) {
    const DryPlace& p = run_.system.dry()[u(i)];
    if (p.components > 1 && p.marks(*run_.x1).creeps()) most = std::max(most, lag_of(i, e, h));
  }
  return most;
}

double Switches::lag_of(int place, const Eval& e, double h) const {
  const DryPlace& p = run_.system.dry()[u(place)];
  RestView view;
  p.owner->view(e, p.item, view);
  const double size = size_of(view, p.components), *F = e.lambda + p.lambda, force = length_of(F, p.components);
  if (!(size > 0) || !(force > 0) || size > SlipLimits::kFollowed * run_.kernel.mobility(place) * view.limit * h) return 0;
  double apart = 0;
  for (int d = 0; d < p.components; ++d) {
    const double off = view.slip[d] / size - F[d] / force;
    apart += off * off;
  }
  return size * std::sqrt(apart) * h / run_.method.absolute_tolerance;
}

/// The part of the step that has been taken that shows all there is to see of places that rest or creep; 1: the whole.
double Switches::seen_part(double h) {
  if (misses_rest(h)) return kInside;
  if (!run_.method.estimates_error) return 1;
  // from nothing on it grows with the fourth power of the time
  const double off = lag(h);
  return off > 1 ? std::max(0.8 * std::pow(off, -0.25), 0.1) : 1;
}

/// The step made anew, of another length: its smallest guard; infinite where there is no such step.
double Switches::redo(StepContext& c, double h, Outcome& out) {
  run_.ledger.drop_step();
  run_.integrator->restart();  // every trial on its own: nothing is learnt from one that is thrown away
  out = run_.take_step(c, h);
  run_.counts.newton += out.newton;
  run_.counts.evaluations += out.evaluations + 1;
  if (out.verdict != Outcome::Verdict::ok) return kInfinity;
  run_.kernel.evaluate(run_.system, *run_.x1, run_.work);
  return guard(*run_.x0, *run_.x1, guards_);
}

bool Switches::locate(Outcome& advice) {
  guard(*run_.x0, *run_.x0, guards_before_);
  Outcome out = advice;  // what the whole step said stays the advice for the next one
  double h = run_.x1->t - run_.x0->t;
  const double whole = h;
  fired_.clear();
  StepContext c = run_.step_context(true);
  run_.kernel.evaluate(run_.system, *run_.x1, run_.work);
  ++run_.counts.evaluations;
  if (run_.method.enforces) {  // it has reactions of its own; where there are none at an instant, nothing tells who lets go
    unbalanced_ = run_.kernel.converged() ? 0 : unbalanced_ + 1;
    if (unbalanced_ > kUnbalanced) {
      out.cause = Cause::balance;
      failure_.tell(out, h);
    }
    if (unbalanced_ > 0) return false;
  }
  double least = guard(*run_.x0, *run_.x1, guards_);
  for (double part = seen_part(h); part < 1; part = seen_part(h)) {
    const double shorter = part * h, g = redo(c, shorter, out);
    if (g == kInfinity) break;
    h = shorter, least = g, choice_.set_reason(StepReason::error);
    advice.next = std::min(advice.next > 0 ? advice.next : kInfinity, h);
    choice_.limit_error_step(h);
  }
  if (out.verdict != Outcome::Verdict::ok) redo(c, h, out);
  if (!(least < 0)) {
    run_.last_switch.rate = run_.work.rate;  // places may land there
    return false;
  }
  search(c, h, out);
  if (failure_.has_spoken()) return false;
  run_.last_switch.rate = run_.work.rate;
  find_fired(h);
  // rest has no error and lets the step grow; what follows a switch has not been seen yet
  advice.next = std::min(advice.next, whole);
  return true;
}

/// Ends the step at the first zero of the guards inside it.
void Switches::search(StepContext& c, double h, Outcome& out) {
  // A slip in the plane has a direction only while it lasts, and steps beyond its end have no solution. There it need not be found to the
  // last bit: a little before it the slip is stopped if friction takes it away at once, and followed on if not.
  constexpr double kNearRest = 1e-3;
  const auto next_is_planar = [&] {
    const DryPlace& p =
        run_.system.dry()[static_cast<std::size_t>(std::min_element(guards_.begin(), guards_.end()) - guards_.begin())];
    return p.components > 1 && p.marks(*run_.x0).slides();
  };

  // Guards are on different scales and most of them have nothing to do with the switch: each that is down at the end is followed along its own
  // secant, and the earliest zero is tried next. Illinois, with bisections where the bracket shrinks too slowly: a guard may jump.
  double lo = 0, hi = h;
  guards_low_ = guards_before_, guards_high_ = guards_;
  double weight_low = 1, weight_high = 1;  // Illinois
  int side = 0;
  const double resolution = 4e-16 * std::max(std::abs(run_.x0->t), h);
  double at = h, width = 2 * h;  // of the bracket, two trials ago
  bool lost = false, blind = false;
  bool known = true;  // where the guard with the first zero starts from
  const auto first_zero = [&] {
    double first = hi;
    for (std::size_t i = 0; i < guards_high_.size(); ++i) {
      if (!(guards_high_[i] < 0)) continue;
      const double low = weight_low * std::max(guards_low_[i], 1e-300), high = weight_high * guards_high_[i];
      const double zero = lo + (hi - lo) * (low / (low - high));
      if (zero < first) first = zero, known = lo > 0 || low > kKnown * -high;
    }
    return first;
  };
  for (int k = 0; k < 80 && hi - lo > resolution; ++k) {
    if (lost && lo > 0 && hi - lo < kNearRest * hi && next_is_planar()) break;
    double s = 0.5 * (lo + hi);
    const bool slow = k % 3 == 2 && hi - lo > 0.5 * width;
    if (k % 3 == 2) width = hi - lo;
    if (blind && k % 4 != 3) {
      s = hi - 0.01 * (hi - lo);
    } else if (!blind && !slow) {
      s = first_zero();
      // after a trial before the zero the next one is a little beyond it, so that both ends of the bracket close in
      if (side == -1) s += 0.01 * (s - lo) + 0.5 * resolution;
      // a place that has just let go starts without any slip: its guard says nothing about where it will come to rest
      const double least = known ? 0.5 * resolution : 0.01 * (hi - lo);
      s = std::clamp(s, lo + std::min(least, 0.5 * (hi - lo)), hi - std::min(0.5 * resolution, 0.5 * (hi - lo)));
    }
    if (!(s > lo) || !(s < hi)) break;
    const double g = redo(c, s, out);
    at = s;
    if (out.verdict != Outcome::Verdict::ok) {  // beyond the switch the system may have no solution at all
      hi = s;
      side = 0;
      lost = blind = true;
      continue;
    }
    if (g < 0) {
      hi = s, blind = false;
      guards_high_ = guards_;
      weight_high = 1;
      weight_low = side == 1 ? 0.5 * weight_low : 1;
      side = 1;
      if (g > -1e-15) break;
    } else {
      lo = s;
      guards_low_ = guards_;
      weight_low = 1;
      weight_high = side == -1 ? 0.5 * weight_high : 1;
      side = -1;
    }
  }
  if (at != hi || out.verdict != Outcome::Verdict::ok) redo(c, hi, out);
  if (out.verdict != Outcome::Verdict::ok) {
    // stop just before the switch, and let whoever is nearest to it fire
    if (!(lo > 0) || redo(c, lo, out) == kInfinity) {
      failure_.tell(out, hi);
      return;
    }
    double* nearest = &*std::min_element(guards_.begin(), guards_.end());
    *nearest = std::min(*nearest, -1e-300);
  }
}

/// What has crept and is slowed down from here on slides until it stops.
bool Switches::goes_on(int place, const Eval& e) {
  const DryPlace& p = run_.system.dry()[u(place)];
  DryMarks marks = p.marks(*run_.x1);
  if (!marks.creeps()) return false;
  RestView view;
  p.owner->view(e, p.item, view);
  const double size = size_of(view, p.components);
  double along = 0;
  for (int d = 0; d < p.components; ++d) along += view.slip[d] * marks.direction(d);
  if (!(size > SlipLimits::kLanding) || !(along > 0)) return false;
  marks.set_mode(DryMode::slip);
  marks.aim(view.slip, size);
  return true;
}

void Switches::find_fired(double h) {
  // who fired: everybody whose guard is down, and whoever is as good as down
  const auto planar = [&](std::size_t i) {
    const DryPlace& p = run_.system.dry()[i];
    return guards_[i] < 0 && p.components > 1 && p.marks(*run_.x1).slides();
  };
  const Eval e = run_.system.look(*run_.x1, run_.work);
  measure(planar);
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    if (!(guards_[i] < 0)) continue;
    const DryPlace& p = run_.system.dry()[i];
    if (goes_on(static_cast<int>(i), e)) continue;
    if (planar(i)) {
      // in the plane the slip may turn without stopping: it stops when it is as good as nothing, or so small that friction takes it
      // away in a fraction of the step
      RestView now;
      p.owner->view(e, p.item, now);
      const double size = size_of(now, p.components);
      const double grip = run_.kernel.mobility(static_cast<int>(i)) * now.limit;
      // feet of one body make each other's steps short while they stop
      const double usual = !p.constant && run_.system.dry().size() > 1 ? std::max(h, run_.last.usual) : h;
      const double stoppable = grip * std::max(0.1 * (run_.x1->t - run_.x0->t), SlipLimits::kStops * usual);
      if (size > std::max({1.01 * kVanished * fastest_[i], p.opens ? 1.01 * SlipLimits::kLanding : 0.0, stoppable})) continue;
    }
    fired_.push_back(static_cast<int>(i));
  }
}

}  // namespace bristle
