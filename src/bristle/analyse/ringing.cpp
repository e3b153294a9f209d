#include "bristle/analyse/ringing.h"

#include <fmt/format.h>

#include <algorithm>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr long long kLook = 256;  // steps
constexpr double kLater = 1.5;    // when the next look is, by the number of steps
constexpr int kSwings = 16;       // in a look: fewer are no ringing
constexpr double kAlive = 0.85;   // of the peak before; friction alone leaves 1/kLater of it
constexpr double kSeen = 3e4;     // absolute tolerances: what rings faster is followed, and driven by something
constexpr double kFaint = 300;    // the same: what rings more slowly than that leads nowhere
}  // namespace

Ringing::Ringing(const Run& run)
    : run_(run),
      work_(run.system().make_workspace()),
      pace_(u(run.system().readings().pace_count())),
      speed_(pace_.size(), 0),
      watch_(pace_.size()) {}

void Ringing::after_step() {
  if (watch_.empty() || run_.system().layout().sizes.z == 0) return;
  for (std::size_t i = 0; i < watch_.size(); ++i) watch_[i].stuck = watch_[i].stuck && run_.modes()[i] == Mode::stick;
  const long long step = run_.counts().accepted;
  if (step < next_) return;
  if (step == next_) begin_look();
  run_.system().readings().calc_paces(run_.system().look(run_.state(), work_), pace_.data(), speed_.data());
  for (std::size_t i = 0; i < watch_.size(); ++i) {
    Watch& w = watch_[i];
    w.sticks = w.sticks && run_.modes()[i] == Mode::stick;
    w.peak = std::max(w.peak, speed_[i]);
    if (w.last < w.last_but_one && w.last < speed_[i]) ++w.swings;
    w.last_but_one = w.last, w.last = speed_[i];
  }
  if (step >= next_ + kLook) end_look();
}

void Ringing::begin_look() {
  for (Watch& w : watch_) w.peak = w.last = w.last_but_one = 0, w.swings = 0, w.sticks = true;
}

void Ringing::end_look() {
  for (std::size_t i = 0; i < watch_.size(); ++i) {
    Watch& w = watch_[i];
    const bool rings = w.sticks && w.swings >= kSwings && w.peak < kSeen * run_.integrator().traits().absolute_tolerance &&
                       w.peak > kFaint * run_.integrator().traits().absolute_tolerance;
    if (rings && w.stuck && w.peak > kAlive * w.before && w.peak > kept_.speed)
      kept_ = {w.peak, run_.state().t, static_cast<int>(i)};
    w.before = w.peak;
    w.stuck = w.sticks;
  }
  next_ = static_cast<long long>(kLater * static_cast<double>(next_ + kLook));
}

std::vector<std::string> Ringing::notes() const {
  if (kept_.place < 0) return {};
  return {fmt::format(
      "t = {:.6g} s: '{}' sticks and rings on its bristles at {:.2g} m/s, kept alive by steps as long as the tolerance allows (absolute_tolerance {:.2g}); it "
      "creeps with every swing. Where the creep matters, damp the bristles (sigma1), or set absolute_tolerance to {:.0e} or less and see what it does.",
      kept_.t, run_.system().layout().places[u(kept_.place)].name, kept_.speed, run_.integrator().traits().absolute_tolerance,
      1e-3 * run_.integrator().traits().absolute_tolerance)};
}

void Ringing::save(Archive& a) const { a.put(watch_), a.put(next_), a.put(kept_); }
void Ringing::load(Archive& a) { a.get(watch_), a.get(next_), a.get(kept_); }

}  // namespace bristle
