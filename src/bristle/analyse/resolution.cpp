#include "bristle/analyse/resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

namespace {
// An impact is about half a period of the mass on the stiffness of the contact. In n steps a method of second order is off by about
// (pi / n)^2 / 12 of that period, and by the like in what it gives back: 1 % here, 20 % at two.
constexpr int kEnough = 9;
constexpr int kChatter = 2;  // steps of a touch, and between two of them, that no method follows
constexpr long long kOften =
    10;  // such touches one after the other: no coming to rest, but a vibration that the steps themselves make or miss
constexpr double kMatters = 0.1;  // of the fastest impact: slower ones carry a hundredth of its energy
constexpr double kLargeTurn =
    1;  // [rad] in a step; directions that turn with the body are then off by (1/2)^2 / 6 = 4 % in the mean
}  // namespace

Resolution::Resolution(const Run& run)
    : run_(run),
      work_(run.system().make_workspace()),
      pace_(u(run.system().readings().pace_count())),
      speed_(pace_.size(), 0),
      touch_(pace_.size()) {}

void Resolution::after_step() {
  if (!run_.events().empty() && run_.integrator().contact_report() == nullptr) look_at_touches();
  look_at_turns();
}

/// Places that opened or closed in the last step.
void Resolution::look_at_touches() {
  bool seen = false;
  const long long step = run_.counts().accepted;
  for (const ModeEvent& e : run_.events()) {
    Touch& touch = touch_[u(e.place)];
    if (e.from == Mode::open && e.to != Mode::open) {
      if (!seen) run_.system().readings().calc_paces(run_.system().look(run_.previous(), work_), pace_.data(), speed_.data());
      seen = true;
      const Pace& pace = pace_[u(e.place)];
      if (!pace.opens) continue;
      touch.t = run_.previous().t, touch.approach = std::max(0.0, -pace.gap_rate), touch.step = step;
      if (step - touch.parted > kChatter) touch.chatter = 0, touch.since = touch.t;
    } else if (e.to == Mode::open && touch.step >= 0) {
      const long long steps = step - touch.step;
      fastest_ = std::max(fastest_, touch.approach);
      if (steps < kEnough && touch.approach > short_.approach)
        short_ = {touch.t, touch.approach, run_.state().t - touch.t, steps, e.place};
      touch.step = -1, touch.parted = step;
      touch.chatter = steps <= kChatter ? touch.chatter + 1 : 0;
      if (touch.chatter > chatter_.touches) chatter_ = {touch.since, run_.state().t, touch.chatter, e.place};
    }
  }
}

void Resolution::look_at_turns() {
  const double h = run_.last_step();
  const State& x = run_.state();
  for (const BodyInfo& b : run_.system().layout().bodies) {
    double w = 0;  // squared
    for (int d = b.v + b.shifts(); d < b.v + b.shifts() + b.turns(); ++d) w += x.v()[d] * x.v()[d];
    constexpr double kLight = 3e8;  // [rad/s] what turns faster has run away: no step would show anything
    if (w < kLight * kLight && w * h * h > turn_.angle * turn_.angle)
      turn_ = {h * std::sqrt(w), x.t, h, static_cast<int>(&b - run_.system().layout().bodies.data())};
  }
}

std::vector<std::string> Resolution::notes() const {
  std::vector<std::string> list;
  const Layout& layout = run_.system().layout();
  if (short_.place >= 0 && short_.approach > kMatters * fastest_) {
    list.push_back(fmt::format(
        "t = {:.6g} s: '{}' touches at {:.3g} m/s and lets go {} step{} later, after {:.2g} s. That is too few for its rebound and its losses: take "
        "steps of {:.1g} s or less, a step rule (adapt: contact), or a method with a tolerance.",
        short_.t, layout.places[u(short_.place)].name, short_.approach, short_.steps, short_.steps == 1 ? "" : "s", short_.lasted,
        short_.lasted / (2 * kEnough)));
  }
  if (chatter_.touches >= kOften && !layout.places[u(chatter_.place)].law.empty()) {
    const double steps = 2 * static_cast<double>(chatter_.touches);
    list.push_back(fmt::format(
        "'{}' touches and lets go {} times from t = {:.6g} s to {:.6g} s, for a step or two each time: a vibration of the contact that the steps are "
        "too long for, and friction there comes and goes with it. Do not trust whether it holds: take steps of {:.1g} s or less, or a method with a "
        "tolerance.",
        layout.places[u(chatter_.place)].name, chatter_.touches, chatter_.from, chatter_.to,
        (chatter_.to - chatter_.from) / (steps * kEnough)));
  }
  if (turn_.angle > kLargeTurn) {
    list.push_back(fmt::format(
        "t = {:.6g} s: '{}' turns by {:.3g} rad in a step of {:.2g} s. Directions that turn with it are followed that coarsely: a step of {:.1g} s "
        "shows whether it matters.",
        turn_.t, layout.bodies[u(turn_.body)].name, turn_.angle, turn_.step, 0.2 * turn_.step / turn_.angle));
  }
  return list;
}

void Resolution::save(Archive& a) const { a.put(touch_), a.put(short_), a.put(chatter_), a.put(fastest_), a.put(turn_); }
void Resolution::load(Archive& a) { a.get(touch_), a.get(short_), a.get(chatter_), a.get(fastest_), a.get(turn_); }

}  // namespace bristle
