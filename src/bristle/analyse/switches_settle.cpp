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
// a start is left to the kernel up to this share: its force along the acceleration in place of the slip is off by no more than that share
// of the step. Larger: wrong for longer; smaller: shorter steps
constexpr double kCreep = 0.05;
constexpr double kCreepFixed = 0.4;  // the same where steps cannot become shorter: as much as a step follows stably
constexpr double kTurns =
    0.67;  // below this share (h W L/s = 1.5, half way to where steps are unstable) the direction leads the step
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
  fastest_ = speed_before_ = guards_;
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
      const double share = run_.method.estimates_error ? kCreep : kCreepFixed;
      const double followed = share * run_.kernel.mobility(static_cast<int>(i)) * view.limit * run_.last.length;
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
    const double share = given ? kAstray : kTurns;
    const bool turns = may_turn && size < share * run_.kernel.mobility(static_cast<int>(i)) * view.limit * run_.last.length;
    turning_[i] = turns ? turning_[i] + 1 : 0;
    if (given && turning_[i] >= kAstraySteps) astray_.push_back(static_cast<int>(i));
    if (given) continue;
    if (turning_[i] < kTurning) continue;
    turning_[i] = 0;
    if (landed_.empty() || landed_.back() != static_cast<int>(i)) landed_.push_back(static_cast<int>(i));
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

/// A slip in several directions that given steps can no longer follow would wander about for ever, with friction in all directions but its own. Where friction holds
/// what is left of it, it is stopped; where not, it goes on.
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
  if (!holds) {
    *run_.x0 = inside_;
    return;
  }
  run_.ledger.add_numerical(taken);
  run_.integrator->restart();
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
  run_.integrator->restart();
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
    if (p.marks(*run_.x0).open() || slides_on(i)) continue;
    if (p.marks(*run_.x0).rests()) {
      if (p.marks(*run_.x0).sticks()) candidates_.push_back(i);
    } else if (named_[u(i)] == 0) {
      RestView view;
      p.owner->view(e, p.item, view);
      const double size = size_of(view, p.components);
      // friction takes the rest away at once, or it is loose. A place elsewhere that has just started goes on
      const double grip = together(u(i)) && without_progress_ <= kFruitless ? run_.kernel.mobility(i) * view.limit : 0;
      const double at_once =
          SlipLimits::kStops * (run_.system.dry().size() > 1 ? std::max(choice_.wanted(), run_.last.usual) : choice_.wanted());
      if (size < std::max(1e-10 * guards_before_[u(i)], grip * at_once)) candidates_.push_back(i);
    }
  }
  run_.ledger.add_numerical(run_.kernel.stop_slips(run_.system, *run_.x0, run_.work, candidates_));
  run_.kernel.resolve_modes(run_.system, *run_.x0, run_.work, candidates_, released_);
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
