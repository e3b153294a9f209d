// Located switches of dry places: guards, the search for the first one that turns, and what happens there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analyse/run.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kStick = static_cast<double>(Mode::stick), kSlip = static_cast<double>(Mode::slip),
                 kOpen = static_cast<double>(Mode::open);
constexpr double kLanding = 1e-12;   // [m/s] slip at touch-down that counts as none
constexpr double kVanished = 1e-12;  // of the fastest slip since the last rest: what counts as none in the plane
// Slips in several directions near rest, under explicit methods. Friction takes the slip s towards its direction at the rate
// W L/s (W: mobility, L: limit), so that a step h follows it stably while h W L/s is below some 3 (rk4 2.8, dormand_prince 3.3): shares of
// W L h measure slips.
// a start is left to the kernel up to this share: its force along the acceleration in place of the slip is off by no more than that share
// of the step. Larger: wrong for longer; smaller: shorter steps
constexpr double kCreep = 0.05;
constexpr double kCreepFixed = 0.4;  // the same where steps cannot become shorter: as much as a step follows stably
// a slip that has turned back and is below this share is stopped: what that takes out of it, at most its square, is less than what methods
// are off by, and is booked as numerical
constexpr double kStops = 1e-3;
constexpr double kShort = 0.05;  // a step beside the usual one: something has become fast
constexpr double kTurns =
    0.67;  // below this share (h W L/s = 1.5, half way to where steps are unstable) the direction leads the step
constexpr int kTurning = 10;    // steps in a row before it is stopped: a slip that only passes by rest is there for two or three
constexpr int kUnbalanced = 5;  // steps in a row
// [s] slip of a stuck place with loose rows: what its own friction would take away in this time. With more it slides. Not physical; larger: more slip
// without friction; smaller: more switches
constexpr double kLooseTime = 1e-3;
constexpr double kKnown = 1e-6;  // of what a guard is at the end of a step: less at its start is no place to draw a line from
constexpr double kInside = 0.4;  // of a step: where places at rest are looked at again
constexpr double kBent = 0.2;    // of a limit: how far a held force may stray from a straight line within a step
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

bool is_loose(const DryPlace& p, const double* marks) {
  bool loose = false;
  for (int d = 0; d < p.components; ++d) loose = loose || Multipliers::is_loose(p, d, marks);
  return loose;
}
}  // namespace

/// Guards of the dry places: positive while the mode is right. Stuck: what is left to the limit, over the limit. Sliding: the slip
/// along its direction. Needs the evaluation at x1 in the workspace for stuck places; returns the smallest.
double Run::guard(const State& x0, const State& x1, std::vector<double>& g) {
  Eval e = system_.look(x1, work_);
  const Eval e0 = system_.view(x0, work_);
  if (&x0 != &x1) e.lambda = work_.lambda.data();
  double least = kInfinity;
  for (std::size_t i = 0; i < g.size(); ++i) {
    const DryPlace& p = system_.dry()[i];
    RestView view;
    p.owner->view(e, p.item, view);
    const double* mark = x1.marks() + p.mark;
    if (mark[0] == kOpen) {
      g[i] = 1;
    } else if (Multipliers::creeps(p, x1.marks())) {
      g[i] = kLanding;
      for (int d = 0; d < p.components; ++d) g[i] += view.slip[d] * mark[1 + d];
    } else if (mark[0] == kStick) {
      const double* F = (&x0 == &x1 ? x1.lambda() : work_.lambda.data()) + p.lambda;
      double size = 0;
      for (int d = 0; d < p.components; ++d) size += F[d] * F[d];
      g[i] = view.limit > 0 ? 1 - std::sqrt(size) / view.limit : (size > 0 ? -1.0 : 1.0);
      if (is_loose(p, x1.marks())) {
        double slip = 0;
        for (int d = 0; d < p.components; ++d) slip += view.slip[d] * view.slip[d];
        const double most = kLooseTime * kernel_.mobility(static_cast<int>(i)) * view.limit;
        g[i] = std::min({g[i], 1 - kernel_.looseness(static_cast<int>(i)) / Multipliers::kTooLoose,
                         most > 0 ? 1 - std::sqrt(slip) / most : 1.0});
      }
      if (kernel_.mobility(static_cast<int>(i)) == 0) {  // no force moves it: it slides when it is made to
        double slip = 0;
        for (int d = 0; d < p.components; ++d) slip += view.slip[d] * view.slip[d];
        g[i] = 1 - std::sqrt(slip) / kLanding;
      }
    } else if (p.components == 1) {
      g[i] = view.slip[0] * mark[1];
    } else {
      // in the plane: the slip has turned back, or has all but vanished
      RestView before;
      if (system_.spatial()) {  // the rows are those of x1; the slip before was noted
        for (int d = 0; d < p.components; ++d) before.slip[d] = mark[1 + d] * speed_before_[i];
      } else {
        p.owner->view(e0, p.item, before);
      }
      double size0 = 0, size1 = 0, along = 0;
      for (int d = 0; d < p.components; ++d) {
        size0 += before.slip[d] * before.slip[d];
        size1 += view.slip[d] * view.slip[d];
        along += before.slip[d] * view.slip[d];
      }
      size0 = std::sqrt(size0);
      size1 = std::sqrt(size1);
      const double nothing = std::max(kVanished * fastest_[i], p.opens ? kLanding : 0.0);
      g[i] = size0 > 0 ? along / size0 : 1;
      if (size0 > nothing) g[i] = std::min(g[i], size1 - nothing);
    }
    least = std::min(least, g[i]);
  }
  return least;
}

/// Error control sees the motion. While a place rests its force follows the loads, and a long step might pass over a time at which they
/// are more than it can hold; a slip between driven coordinates moves nothing, and a long step might pass over its reversals. Needs the evaluation at the end of the step in the workspace, and the guards at both ends.
bool Run::misses_rest(double h) {
  const double resolved = 1e-9 * std::max(1.0, std::abs(x0_->t));
  if (fixed_step_ > 0 || h < resolved) return false;
  const auto rests = [&](std::size_t i) {
    const DryPlace& p = system_.dry()[i];
    return x0_->marks()[p.mark] == kStick && !Multipliers::creeps(p, x0_->marks());
  };
  const auto driven = [&](std::size_t i) {
    return !system_.spatial() && x0_->marks()[system_.dry()[i].mark] == kSlip && kernel_.mobility(static_cast<int>(i)) == 0;
  };
  bool watched = false;
  for (std::size_t i = 0; i < guards_.size() && !watched; ++i) watched = rests(i) || driven(i);
  if (!watched) return false;
  rate_before_ = work_.rate;
  const StepContext c{system_, kernel_, work_, ledger_, rate_.data(), power_.data()};
  // a force that comes near its limit at an end of the step may reach it inside and fall again
  const auto may_let_go = [&](std::size_t i) {
    return rests(i) && std::min(guards_before_[i], guards_[i]) < kNear && !(guards_[i] < 0);
  };
  bool near = false;  // a step that is short beside the usual one has been looked at closely
  for (std::size_t i = 0; i < guards_.size() && !near && h > kShort * usual_step_; ++i) near = may_let_go(i);
  if (near) {
    integrator_->interpolate(c, *x0_, *x1_, rate_before_.data(), 0.5, inside_);
    kernel_.evaluate(system_, inside_, work_);
    ++counts_.evaluations;
    if (kernel_.converged()) {
      guard(*x0_, inside_, guards_inside_);
      for (std::size_t i = 0; i < guards_.size(); ++i) {
        if (!may_let_go(i)) continue;
        if (may_vanish(guards_before_[i], guards_inside_[i], guards_[i])) return true;
      }
    }
  }
  // the longer it is beside the step before, the more closely it is looked at
  for (double part = kInside; part * h > kInside * last_step_ && part * h > resolved; part *= kInside) {
    integrator_->interpolate(c, *x0_, *x1_, rate_before_.data(), part, inside_);
    kernel_.evaluate(system_, inside_, work_);
    ++counts_.evaluations;
    if (!kernel_.converged()) break;
    guard(*x0_, inside_, guards_inside_);
    for (std::size_t i = 0; i < guards_.size(); ++i) {
      const double g = guards_inside_[i], straight = (1 - part) * guards_before_[i] + part * guards_[i];
      if (driven(i) && std::abs(g - straight) > kBent * std::max(std::abs(guards_before_[i]), std::abs(guards_[i]))) return true;
      if (!rests(i)) continue;
      if ((g < 0 && !(guards_[i] < 0)) || std::abs(g - straight) > kBent) return true;
    }
  }
  kernel_.evaluate(system_, *x1_, work_);
  return false;
}

/// When a guard has turned negative over the step just made, finds the time of the first one and makes the step anew up to it.
bool Run::locate(double h, Outcome& out) {
  fired_.clear();
  StepContext c{system_, kernel_, work_, ledger_, rate_.data(), power_.data(), true};
  kernel_.evaluate(system_, *x1_, work_);
  ++counts_.evaluations;
  if (integrator_->enforces()) {  // it has reactions of its own; where there are none at an instant, nothing tells who lets go
    unbalanced_ = kernel_.converged() ? 0 : unbalanced_ + 1;
    if (unbalanced_ > kUnbalanced) {
      out.cause = kNoBalance;
      fail(out, h);
    }
    if (unbalanced_ > 0) return false;
  }
  double g1 = guard(*x0_, *x1_, guards_);
  const auto redo = [&](double s) {
    ledger_.drop_step();
    integrator_->restart();  // every trial on its own: nothing is learnt from one that is thrown away
    out = take_step(c, s);
    counts_.newton += out.newton;
    counts_.evaluations += out.evaluations + 1;
    if (out.verdict != Outcome::Verdict::ok) return kInfinity;
    kernel_.evaluate(system_, *x1_, work_);
    return guard(*x0_, *x1_, guards_);
  };
  while (misses_rest(h)) {
    const double shorter = kInside * h;
    const double g = redo(shorter);
    if (g == kInfinity) break;
    h = shorter, g1 = g, last_reason_ = "error";
    last_.next = std::min(last_.next > 0 ? last_.next : kInfinity, h);
    error_.h = std::min(error_.h, h);
  }
  if (out.verdict != Outcome::Verdict::ok) redo(h);
  if (!(g1 < 0)) {
    rate_end_ = work_.rate;  // places may land there
    return false;
  }

  // A slip in the plane has a direction only while it lasts, and steps beyond its end have no solution. There it need not be found to the
  // last bit: a little before it the slip is stopped if friction takes it away at once, and followed on if not.
  constexpr double kNearRest = 1e-3;
  const auto next_is_planar = [&] {
    const DryPlace& p =
        system_.dry()[static_cast<std::size_t>(std::min_element(guards_.begin(), guards_.end()) - guards_.begin())];
    return p.components > 1 && x0_->marks()[p.mark] == kSlip;
  };

  // Guards are on different scales and most of them have nothing to do with the switch: each that is down at the end is followed along its own
  // secant, and the earliest zero is tried next. Illinois, with bisections where the bracket shrinks too slowly: a guard may jump.
  double lo = 0, hi = h;
  guards_low_ = guards_before_, guards_high_ = guards_;
  double weight_low = 1, weight_high = 1;  // Illinois
  int side = 0;
  const double resolution = 4e-16 * std::max(std::abs(x0_->t), h);
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
    const double g = redo(s);
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
  if (at != hi || out.verdict != Outcome::Verdict::ok) redo(hi);
  if (out.verdict != Outcome::Verdict::ok) {
    // stop just before the switch, and let whoever is nearest to it fire
    if (!(lo > 0) || redo(lo) == kInfinity) {
      fail(out, hi);
      return false;
    }
    double* nearest = &*std::min_element(guards_.begin(), guards_.end());
    *nearest = std::min(*nearest, -1e-300);
  }
  rate_end_ = work_.rate;
  // who fired: everybody whose guard is down, and whoever is as good as down
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    if (!(guards_[i] < 0)) continue;
    const DryPlace& p = system_.dry()[i];
    if (x1_->marks()[p.mark] == kSlip && p.components > 1) {
      // in the plane the slip may turn without stopping: it stops when it is as good as nothing, or so small that friction takes it
      // away in a fraction of the step
      const Eval e = system_.look(*x1_, work_);
      RestView now;
      p.owner->view(e, p.item, now);
      double size = 0;
      for (int d = 0; d < p.components; ++d) size += now.slip[d] * now.slip[d];
      kernel_.refresh_mobility(system_, work_);
      const double grip = kernel_.mobility(static_cast<int>(i)) * now.limit;
      // feet of one body make each other's steps short while they stop
      const double usual = system_.spatial() && system_.dry().size() > 1 ? std::max(h, usual_step_) : h;
      const double stoppable = grip * std::max(0.1 * (x1_->t - x0_->t), kStops * usual);
      if (std::sqrt(size) > std::max({1.01 * kVanished * fastest_[i], p.opens ? 1.01 * kLanding : 0.0, stoppable})) continue;
    }
    fired_.push_back(static_cast<int>(i));
  }
  return true;
}

/// After a step: slips that came to rest are stopped, modes resolved.
void Run::settle_rest(bool located) {
  // directions in the plane follow the slip; so do those of surfaces that are apart, until they land
  landed_.clear();
  const Eval e = system_.view(*x0_, work_);
  bool looked = false, measured = false, parted = false;
  for (std::size_t i = 0; i < system_.dry().size(); ++i) {
    const DryPlace& p = system_.dry()[i];
    double* mark = x0_->marks() + p.mark;
    const bool creeps = Multipliers::creeps(p, x0_->marks());
    if (mark[0] == kStick) fastest_[i] = 0;
    if (!creeps && !p.opens && (p.components == 1 || mark[0] == kStick)) continue;
    if (!looked) system_.look(*x0_, work_), looked = true;
    RestView view;
    p.owner->view(e, p.item, view);
    double size = 0;
    for (int d = 0; d < p.components; ++d) size += view.slip[d] * view.slip[d];
    size = std::sqrt(size);
    if (creeps && !view.open) {
      const double share = integrator_->estimates_error() ? kCreep : kCreepFixed;
      const double followed = share * kernel_.mobility(static_cast<int>(i)) * view.limit * last_step_;
      if (size > std::max(followed, kLanding)) mark[0] = kSlip;
      else continue;
    }
    if (p.opens) {
      const bool was_open = mark[0] == kOpen;
      parted = parted || (view.open && mark[0] == kStick && system_.spatial());
      if (view.open) mark[0] = kOpen;
      else if (was_open) mark[0] = kSlip;
      if (was_open && !view.open && size <= kLanding) landed_.push_back(static_cast<int>(i));
      if (!view.open && (mark[0] == kStick || (p.components == 1 && !was_open))) continue;
      if (view.open || was_open) fastest_[i] = 0;
    }
    fastest_[i] = std::max(fastest_[i], size);
    speed_before_[i] = size;
    const bool slides = size > (view.open ? kLanding : 0);
    if (slides || view.open) {
      for (int d = 0; d < p.components; ++d) mark[1 + d] = slides ? view.slip[d] / size : 0;
    }
    // a slip in several directions that has all but stopped turns ever faster. Steps that follow it are at the end of what is stable, and
    // may be so for ever: it is stopped, and asked where it goes on
    if (!integrator_->is_explicit() || p.components == 1) continue;
    const bool may_turn = mark[0] == kSlip && last_step_ < kShort * usual_step_;
    if (may_turn && !measured) kernel_.refresh_mobility(system_, work_), measured = true;
    const bool turns = may_turn && size < kTurns * kernel_.mobility(static_cast<int>(i)) * view.limit * last_step_;
    turning_[i] = turns ? turning_[i] + 1 : 0;
    if (turning_[i] < kTurning) continue;
    turning_[i] = 0;
    if (landed_.empty() || landed_.back() != static_cast<int>(i)) landed_.push_back(static_cast<int>(i));
  }
  kernel_.keep_rest(system_, *x0_, work_);
  // what a stuck place was let have of slip is not stopped when it has become one of its own
  const auto slid_on = [&](int i) {
    const DryPlace& p = system_.dry()[u(i)];
    double size = 0, *mark = x0_->marks() + p.mark;
    if (!is_loose(p, x0_->marks())) return false;
    RestView view;
    p.owner->view(system_.look(*x0_, work_), p.item, view);
    for (int d = 0; d < p.components; ++d) size += view.slip[d] * view.slip[d];
    size = std::sqrt(size);
    const bool slow = size < 0.5 * kLooseTime * kernel_.mobility(i) * view.limit;
    if (!(size > kLanding) || (slow && !(kernel_.looseness(i) > Multipliers::kWeak))) return false;
    mark[0] = kSlip;
    fastest_[u(i)] = speed_before_[u(i)] = guards_before_[u(i)] = size;
    for (int d = 0; d < p.components; ++d) mark[1 + d] = view.slip[d] / size;
    return true;
  };
  if (!located || fired_.empty()) {
    // when a foot lifts off, rows that followed from its own are chosen anew
    bool anew = false;
    for (const DryPlace& p : system_.dry()) anew = anew || (parted && is_loose(p, x0_->marks()));
    if (landed_.empty() && !anew) return;
    switched_ = unbalanced_ == 0;  // without a balance at its end there is no rate before it
    released_.clear();
    // whoever sticks goes on sticking through the stop
    candidates_ = landed_;
    for (int i = 0; i < static_cast<int>(system_.dry().size()); ++i) {
      const DryPlace& p = system_.dry()[u(i)];
      if (slid_on(i)) continue;
      if (x0_->marks()[p.mark] == kStick && !Multipliers::creeps(p, x0_->marks())) candidates_.push_back(i);
    }
    ledger_.add_numerical(kernel_.stop_slips(system_, *x0_, work_, candidates_));
    kernel_.resolve_modes(system_, *x0_, work_, candidates_, released_);
    integrator_->restart();
  } else {
    switched_ = true;
    // whoever came to rest is stopped exactly; then all that rest are asked together who goes on resting
    candidates_ = landed_;
    released_.clear();
    for (int i : fired_) {
      const DryPlace& p = system_.dry()[u(i)];
      if (slid_on(i)) continue;
      if (x0_->marks()[p.mark] == kOpen || std::find(landed_.begin(), landed_.end(), i) != landed_.end()) continue;
      const bool stuck = x0_->marks()[p.mark] == kStick && !Multipliers::creeps(p, x0_->marks());
      (stuck ? released_ : candidates_).push_back(i);
    }
    // places that stop together do so within round-off: whoever has all but stopped is stopped as well, and whoever sticks goes on
    // sticking through the stop
    named_.assign(system_.dry().size(), 0);
    for (int i : candidates_) named_[u(i)] = 1;
    system_.look(*x0_, work_);  // velocities have been corrected
    const bool spatial = system_.spatial();
    if (spatial) kernel_.refresh_mobility(system_, work_);
    for (int i = 0; i < static_cast<int>(system_.dry().size()); ++i) {
      const DryPlace& p = system_.dry()[u(i)];
      if (x0_->marks()[p.mark] == kOpen || slid_on(i)) continue;
      if (x0_->marks()[p.mark] == kStick) {
        if (!Multipliers::creeps(p, x0_->marks())) candidates_.push_back(i);
      } else if (named_[u(i)] == 0) {
        RestView view;
        p.owner->view(e, p.item, view);
        double size = 0;
        for (int d = 0; d < p.components; ++d) size += view.slip[d] * view.slip[d];
        // feet of one body stop together but for the differences of their depths: friction takes the rest away at once, or it is loose
        const double grip = spatial && p.components > 1 ? kernel_.mobility(i) * view.limit : 0;
        const double at_once = kStops * (system_.dry().size() > 1 ? std::max(wanted_, usual_step_) : wanted_);
        if (std::sqrt(size) < std::max(1e-10 * guards_before_[u(i)], grip * at_once)) candidates_.push_back(i);
      }
    }
    ledger_.add_numerical(kernel_.stop_slips(system_, *x0_, work_, candidates_));
    kernel_.resolve_modes(system_, *x0_, work_, candidates_, released_);
    ++counts_.events;
    last_reason_ = "event";
    integrator_->restart();
    const bool progress = x0_->t - last_switch_time_ > 1e-13 * std::max(1.0, std::abs(x0_->t));
    switches_without_progress_ = progress ? 0 : switches_without_progress_ + 1;
    last_switch_time_ = x0_->t;
    if (switches_without_progress_ > 100) {
      message_ = fmt::format(
          "t = {:.9g} s: place '{}' switched between stick and slip {} times without the time moving on. "
          "Try {}smoothing in the place, or a smaller {}. Swings that follow each other ever faster about a kink of a force, as in a "
          "profile with a sharp bottom, end like this as well: round it off.",
          x0_->t, system_.dry()[u(fired_[0])].name, switches_without_progress_,
          integrator_->takes_jumps() ? "rest: threshold, " : "", integrator_->estimates_error() ? "tolerance" : "step");
    }
  }
}

}  // namespace bristle
