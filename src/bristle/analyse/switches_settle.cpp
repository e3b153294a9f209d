// What happens where dry places come to rest, let go, land and part.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analyse/slip_limits.h"
#include "bristle/analyse/switches.h"
#include "bristle/base/index.h"

namespace bristle {

namespace {
// Slips in several directions near rest, under explicit methods. Friction takes the slip s towards its direction at the rate
// W L/s (W: mobility, L: limit), so that a step h follows it stably while h W L/s is below some 3 (rk4 2.8, dormand_prince 3.3): shares of
// W L h measure slips.
constexpr double kCreepFixed =
    0.4;  // a start is left to the kernel up to this share where steps cannot become shorter: as much as a step follows stably
constexpr int kTurning = 10;  // steps in a row before it is stopped: a slip that only passes by rest is there for two or three
constexpr double kAstray = 0.36;  // below this share (h W L/s = 2.8) a fixed step of rk4 no longer follows the direction
constexpr int kSwitches = 100;    // without the time moving on: there will be no end
constexpr int kFruitless = 10;    // switches in a row without the time moving on
constexpr int kAstraySteps =
    5;  // in a row: a slip that stops by itself is there for fewer, unless it is pulled on by nearly the limit
}  // namespace

Switches::Switches(RunContext& run, StepChoice& choice, Failure& failure) : run_(run), choice_(choice), failure_(failure) {
  const std::size_t count = run_.system.dry().size();
  watches_ = run_.options.rest == RestRule::events && count > 0 && !run_.method.owns_forces;
  inside_ = run_.system.make_state();
  rate_end_ = run_.here.rate;
  guards_.assign(count, 0);
  guards_before_ = guards_inside_ = guards_low_ = guards_high_ = guards_;
  fastest_ = speed_before_ = slip_inside_ = guards_;
  named_.assign(count, 0);
  stirred_ = named_;
  turning_.assign(count, 0);
  fired_.reserve(count);
  candidates_.reserve(3 * count);  // a place may be named by more than one reason
  for (auto* list : {&landed_, &astray_, &measured_}) list->reserve(count);
  released_.reserve(count);
}

void Switches::begin() {
  candidates_.clear();
  const Eval e = run_.system.look(*run_.x0, run_.work);
  for (int i = 0; i < static_cast<int>(run_.system.dry().size()); ++i) {
    const DryPlace& p = run_.system.dry()[u(i)];
    RestView view;
    p.owner->view(e, p.item, view);
    const double size = size_of(view, p.components);
    DryMarks marks = p.marks(*run_.x0);
    if (view.open) {
      marks.set_mode(DryMode::open);
      speed_before_[u(i)] = size;
      marks.aim(view.slip, size > 1e-12 ? size : 0);
    } else if (size <= (p.constant ? 0 : 1e-12)) {  // initial assembly leaves round-off
      candidates_.push_back(i);
    } else {
      marks.set_mode(DryMode::slip);
      fastest_[u(i)] = speed_before_[u(i)] = size;
      marks.aim(view.slip, size);
    }
  }
  run_.system.accept(*run_.x0, run_.work);
  if (run_.options.rest == RestRule::events && !candidates_.empty())
    run_.kernel.resolve_modes(run_.system, *run_.x0, run_.work, candidates_, {});
  std::fill(turning_.begin(), turning_.end(), 0);
}

void Switches::settle(bool located) {
  const bool parted = follow_slips();
  run_.kernel.keep_rest(run_.system, *run_.x0, run_.work);
  if (located && !fired_.empty()) {
    settle_fired();
    return;
  }
  settle_landed(parted);
  stop_astray();
}

/// Directions in the plane follow the slip; so do those of surfaces that are apart, until they land. True: surfaces that rested have parted.
bool Switches::follow_slips() {
  landed_.clear(), astray_.clear();
  const Eval e = run_.system.view(*run_.x0, run_.work);
  bool looked = false, measured = false, parted = false;
  for (std::size_t i = 0; i < run_.system.dry().size(); ++i) {
    const DryPlace& p = run_.system.dry()[i];
    DryMarks marks = p.marks(*run_.x0);
    const bool creeps = marks.creeps();
    if (marks.rests()) fastest_[i] = 0;
    if (!creeps && !p.opens && (p.components == 1 || marks.rests())) continue;
    if (!looked) run_.system.look(*run_.x0, run_.work), looked = true;
    RestView view;
    p.owner->view(e, p.item, view);
    const double size = size_of(view, p.components);
    if (creeps && !view.open) {
      const double share = run_.method.estimates_error ? SlipLimits::kFollowed : kCreepFixed;
      const double followed = share * run_.kernel.mobility(static_cast<int>(i)) * view.limit * run_.last.length;
      if (size > SlipLimits::kLanding) marks.aim(view.slip, size);
      if (size > std::max(followed, SlipLimits::kLanding)) marks.set_mode(DryMode::slip);
      else continue;
    }
    if (p.opens) {
      const bool was_open = marks.open();
      parted = parted || (view.open && marks.rests());
      if (view.open) marks.set_mode(DryMode::open);
      else if (was_open) marks.set_mode(DryMode::slip);
      if (was_open && !view.open && size <= SlipLimits::kLanding) landed_.push_back(static_cast<int>(i));
      if (!view.open && (marks.rests() || (p.components == 1 && !was_open))) continue;
      if (view.open || was_open) fastest_[i] = 0;
    }
    fastest_[i] = std::max(fastest_[i], size);
    speed_before_[i] = size;
    const bool slides = size > (view.open ? SlipLimits::kLanding : 0);
    if (slides || view.open) marks.aim(view.slip, slides ? size : 0);
    // a slip in several directions that has all but stopped turns ever faster. Steps that follow it are at the end of what is stable, and
    // may be so for ever: it is stopped, and asked where it goes on
    if (!run_.method.is_explicit || p.components == 1) continue;
    const bool given = !run_.method.estimates_error;
    const bool may_turn = marks.slides() && (given || run_.last.length < SlipLimits::kShort * run_.last.usual);
    if (may_turn && !measured) {
      measure([&](std::size_t k) { return run_.system.dry()[k].components > 1; });
      measured = true;
    }
    const double share = given ? kAstray : SlipLimits::kFollowed;
    const bool turns = may_turn && size < share * run_.kernel.mobility(static_cast<int>(i)) * view.limit * run_.last.length;
    turning_[i] = turns ? turning_[i] + 1 : 0;
    if (turning_[i] < (given ? kAstraySteps : kTurning)) continue;
    if (!given) turning_[i] = 0;
    astray_.push_back(static_cast<int>(i));
  }
  return parted;
}

/// What a stuck place was let have of slip is not stopped when it has become one of its own.
bool Switches::slides_on(int i) {
  const DryPlace& p = run_.system.dry()[u(i)];
  DryMarks marks = p.marks(*run_.x0);
  if (!marks.is_loose()) return false;
  RestView view;
  p.owner->view(run_.system.look(*run_.x0, run_.work), p.item, view);
  const double size = size_of(view, p.components);
  const bool slow = size < 0.5 * SlipLimits::kLooseTime * run_.kernel.mobility(i) * view.limit;
  // where places that share a load switch to and fro, nothing but this slip tells who of them gives way
  const bool fruitless = without_progress_ > kFruitless;
  if (!(size > SlipLimits::kLanding) || (slow && !fruitless && !(run_.kernel.looseness(i) > Multipliers::kWeak))) return false;
  marks.set_mode(DryMode::slip);
  fastest_[u(i)] = speed_before_[u(i)] = guards_before_[u(i)] = size;
  marks.aim(view.slip, size);
  return true;
}

/// Slips in several directions that are slow beside what friction does to them in a step. Given steps can no longer follow their directions: they would wander about for
/// ever, with friction in all directions but their own. Where friction holds what is left of them, they are stopped. Methods that control their error follow them in ever
/// shorter steps: they are stopped where what is left of their way is nothing to the method, and creep on where the kernel knows their direction.
void Switches::stop_astray() {
  if (astray_.empty()) return;
  inside_ = *run_.x0;
  released_.clear();
  candidates_ = astray_;
  for (int i = 0; i < static_cast<int>(run_.system.dry().size()); ++i) {
    if (run_.system.dry()[u(i)].marks(*run_.x0).sticks()) candidates_.push_back(i);
  }
  const double taken = run_.kernel.stop_slips(run_.system, *run_.x0, run_.work, candidates_);
  run_.kernel.resolve_modes(run_.system, *run_.x0, run_.work, candidates_, released_);
  const bool holds = std::all_of(candidates_.begin(), candidates_.end(),
                                 [&](int i) { return run_.system.dry()[u(i)].marks(*run_.x0).sticks(); });
  if (holds && (!run_.method.estimates_error || stops_within())) {
    run_.ledger.add_numerical(taken);
    run_.integrator->restart();
    return;
  }
  *run_.x0 = inside_;
  if (run_.method.estimates_error) creep_on();
}

/// Slips after modes have been resolved. Who slides with what rows that are not held have left it slides along that; who starts from nothing has no slip from before.
void Switches::note_starts() {
  const Eval e = run_.system.look(*run_.x0, run_.work);
  for (const auto* list : {&candidates_, &released_}) {
    for (int i : *list) {
      const DryPlace& p = run_.system.dry()[u(i)];
      DryMarks marks = p.marks(*run_.x0);
      if (p.components == 1 || !(marks.slides() || marks.creeps())) continue;
      RestView view;
      p.owner->view(e, p.item, view);
      const double size = size_of(view, p.components);
      const bool slips = size > SlipLimits::kLanding;
      if (slips) marks.set_mode(DryMode::slip), marks.aim(view.slip, size);
      fastest_[u(i)] = speed_before_[u(i)] = slips ? size : 0;
    }
  }
}

/// Would sliding friction have taken away the slips that have just been stopped within a way that is nothing to the method?
bool Switches::stops_within() {
  const Eval e = run_.system.look(inside_, run_.work);
  return std::all_of(astray_.begin(), astray_.end(), [&](int i) {
    const DryPlace& p = run_.system.dry()[u(i)];
    DryMarks marks = p.marks(inside_);
    RestView view;
    marks.set_mode(DryMode::creep);  // with the force of sliding
    p.owner->view(e, p.item, view);
    marks.set_mode(DryMode::slip);
    const double *F = run_.work.lambda.data() + p.lambda, size = size_of(view, p.components);
    const double slows = run_.kernel.mobility(i) * (view.limit - length_of(F, p.components));
    return size * size < 2 * slows * run_.method.absolute_tolerance;
  });
}

/// Slips along their acceleration are left to the kernel, as at their start.
void Switches::creep_on() {
  for (int i : astray_) run_.system.dry()[u(i)].marks(*run_.x0).set_mode(DryMode::creep);
  run_.kernel.evaluate(run_.system, *run_.x0, run_.work);
  Eval e = run_.system.view(*run_.x0, run_.work);
  e.lambda = run_.work.lambda.data();
  const bool known = run_.kernel.converged() && std::all_of(astray_.begin(), astray_.end(), [&](int i) {
                       const DryPlace& p = run_.system.dry()[u(i)];
                       RestView view;
                       p.owner->view(e, p.item, view);
                       return length_of(e.lambda + p.lambda, p.components) > SlipLimits::kAtLimit * view.limit &&
                              lag_of(i, e, run_.last.length) < 1;
                     });
  if (known) run_.integrator->restart();
  else *run_.x0 = inside_;
}

/// Nobody fired: places that have landed are stopped, and when a foot lifts off, rows that followed from its own are chosen anew.
void Switches::settle_landed(bool parted) {
  bool anew = false;
  for (const DryPlace& p : run_.system.dry()) anew = anew || (parted && p.marks(*run_.x0).is_loose());
  if (landed_.empty() && !anew) return;
  run_.last_switch.ended_step = unbalanced_ == 0;  // without a balance at its end there is no rate before it
  released_.clear();
  // whoever sticks goes on sticking through the stop
  candidates_ = landed_;
  for (int i = 0; i < static_cast<int>(run_.system.dry().size()); ++i) {
    const DryPlace& p = run_.system.dry()[u(i)];
    if (slides_on(i)) continue;
    if (p.marks(*run_.x0).sticks()) candidates_.push_back(i);
  }
  run_.ledger.add_numerical(run_.kernel.stop_slips(run_.system, *run_.x0, run_.work, candidates_));
  run_.kernel.resolve_modes(run_.system, *run_.x0, run_.work, candidates_, released_);
  note_starts();
  run_.integrator->restart();
}

/// The candidates are stopped and resolved, but for those in several directions that would not stay: these have only turned, or have just started. To stop them would take
/// from all they share a body with what they have since they were stopped last, and so for ever.
void Switches::stop_what_holds() {
  inside_ = *run_.x0;
  // Newton's method does not find slips that turn within a step from where they nearly vanish, and an error estimate asks for no other step: there they start anew
  const bool follows = run_.method.starts_by_kernel || (run_.method.enforces && !run_.method.estimates_error);
  for (bool stays = false; !stays;) {
    const double taken = run_.kernel.stop_slips(run_.system, *run_.x0, run_.work, candidates_);
    run_.kernel.resolve_modes(run_.system, *run_.x0, run_.work, candidates_, released_);
    const auto goes_on = [&](int i) {
      const DryPlace& p = run_.system.dry()[u(i)];
      return p.components > 1 && p.marks(inside_).slides() && !p.marks(*run_.x0).sticks() &&
             slip_inside_[u(i)] > SlipLimits::kLanding;
    };
    stays = !follows || std::none_of(candidates_.begin(), candidates_.end(), goes_on);
    if (stays) {
      run_.ledger.add_numerical(taken);
      note_starts();
      break;
    }
    candidates_.erase(std::remove_if(candidates_.begin(), candidates_.end(), goes_on), candidates_.end());
    *run_.x0 = inside_;
  }
}

void Switches::settle_fired() {
  run_.last_switch.ended_step = true;
  // whoever came to rest is stopped exactly; then all that rest are asked together who goes on resting
  candidates_ = landed_;
  released_.clear();
  for (int i : fired_) {
    const DryPlace& p = run_.system.dry()[u(i)];
    if (slides_on(i)) continue;
    if (p.marks(*run_.x0).open() || std::find(landed_.begin(), landed_.end(), i) != landed_.end()) continue;
    const bool stuck = p.marks(*run_.x0).sticks();
    (stuck ? released_ : candidates_).push_back(i);
  }
  // places that stop together do so within round-off: whoever has all but stopped is stopped as well, and whoever sticks goes on
  // sticking through the stop
  named_.assign(run_.system.dry().size(), 0);
  for (int i : candidates_) named_[u(i)] = 1;
  std::fill(stirred_.begin(), stirred_.end(), char{0});
  for (int i : fired_) stirred_[u(run_.kernel.cluster(i))] = 1;
  const Eval e = run_.system.look(*run_.x0, run_.work);  // velocities have been corrected
  // feet of one body stop together but for the differences of their depths
  const auto together = [&](std::size_t i) {
    const DryPlace& p = run_.system.dry()[i];
    return p.components > 1 && !p.constant && stirred_[u(run_.kernel.cluster(static_cast<int>(i)))] != 0;
  };
  measure([&](std::size_t i) {
    const DryMarks marks = run_.system.dry()[i].marks(*run_.x0);
    return marks.rests() ? marks.is_loose() : together(i);
  });
  for (int i = 0; i < static_cast<int>(run_.system.dry().size()); ++i) {
    const DryPlace& p = run_.system.dry()[u(i)];
    RestView view;
    p.owner->view(e, p.item, view);
    const double size = slip_inside_[u(i)] = size_of(view, p.components);
    if (p.marks(*run_.x0).open() || slides_on(i)) continue;
    if (p.marks(*run_.x0).rests()) {
      if (p.marks(*run_.x0).sticks()) candidates_.push_back(i);
    } else if (named_[u(i)] == 0) {
      // friction takes the rest away at once, or it is loose. A place elsewhere that has just started goes on
      const double grip = together(u(i)) && without_progress_ <= kFruitless ? run_.kernel.mobility(i) * view.limit : 0;
      const double at_once =
          SlipLimits::kStops * (run_.system.dry().size() > 1 ? std::max(choice_.wanted(), run_.last.usual) : choice_.wanted());
      if (size < std::max(1e-10 * guards_before_[u(i)], grip * at_once)) candidates_.push_back(i);
    }
  }
  stop_what_holds();
  ++run_.counts.events;
  choice_.set_reason(StepReason::event);
  run_.integrator->restart();
  const bool progress = run_.x0->t - last_time_ > 1e-13 * std::max(1.0, std::abs(run_.x0->t));
  without_progress_ = progress ? 0 : without_progress_ + 1;
  last_time_ = run_.x0->t;
  if (without_progress_ > kSwitches) tell_endless();
}

/// No modes are found that last: in words.
void Switches::tell_endless() {
  const int place = fired_[0];
  const DryPlace& p = run_.system.dry()[u(place)];
  std::string fellows;  // feet of one body
  for (std::size_t i = 0; i < run_.system.dry().size() && p.opens; ++i) {
    const DryPlace& other = run_.system.dry()[i];
    if (&other == &p || !other.opens || run_.kernel.cluster(static_cast<int>(i)) != run_.kernel.cluster(place)) continue;
    fellows += (fellows.empty() ? "'" : ", '") + other.name + "'";
  }
  const std::string switched =
      fmt::format("place '{}' switched between stick and slip {} times without the time moving on. ", p.name, without_progress_);
  const char* threshold = run_.method.takes_jumps ? "rest: threshold, " : "";
  if (!fellows.empty()) {
    failure_.say(fmt::format(
        "{}It shares what it carries with {}: as the body rocks on them, forces alone do not tell which of them gives way. Give the contact "
        "damping, which ends the rocking, or use energy_decaying with a fixed step, which asks over whole steps; or {}smoothing in the place.",
        switched, fellows, threshold));
    return;
  }
  failure_.say(fmt::format(
      "{}Try {}smoothing in the place, or a smaller {}. Swings that follow each other ever faster about a kink of a force, as in a profile with a "
      "sharp bottom, end like this as well: round it off.",
      switched, threshold, run_.method.estimates_error ? "tolerance" : "step"));
}

void Switches::save(Archive& a) const {
  a.put(without_progress_), a.put(unbalanced_), a.put(last_time_), a.put(fastest_), a.put(speed_before_), a.put(turning_);
}

void Switches::load(Archive& a) {
  a.get(without_progress_), a.get(unbalanced_), a.get(last_time_), a.get(fastest_), a.get(speed_before_), a.get(turning_);
}

}  // namespace bristle
