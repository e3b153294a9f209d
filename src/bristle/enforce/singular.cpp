// Positions in which rows depend on each other that do not elsewhere, as a parallelogram that lies flat. The rows then leave two ways open, along
// x and along y say: what they ask for is x y = 0 to leading order. A state that is off the rows by d is on the hyperbola x y = d, which turns
// from one way to the other at a distance of sqrt(d).
#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/base/index.h"
#include "bristle/enforce/held_rows.h"

namespace bristle {

namespace {
constexpr double kNearSingular = 0.02;  // of the usual margin, which falls with the square of the distance
constexpr double kTooFar = 0.1;         // violation, over the square of the distance: the hyperbola is about to turn
constexpr double kTurned = 0.05;        // of the speed: corrections follow errors of a step and are much smaller
constexpr double kRounding = 4e-16;
constexpr double kWatched = 0.3;  // of the usual margin: from here on the way is watched
constexpr double kTold = 0.002;   // of the usual margin: nearer by, the tangents of both ways fulfil the rows, more or less
constexpr double kOtherWay =
    0.25;                        // share of the kinetic energy that the rows do not allow; the way itself bends by less in a step
constexpr double kLinger = 10;   // times as long as it should take to pass: the rows may have turned in any way
constexpr double kBend = 0.5;    // [rad] of turning bodies
constexpr double kBeside = 0.2;  // distance that is left, over what the step went
}  // namespace

int HeldRows::weakest(const State& x) const {
  int named = solver_.weakest();
  for (int k = 0; k < count_ && solver_.weakest() < 0; ++k) {
    if (named < 0 || std::abs(x.lambda()[k]) > std::abs(x.lambda()[named])) named = k;
  }
  return named;
}

std::string HeldRows::weakest_row(const System& system, const State& x) const {
  const HeldRow& row = system.layout().held[u(weakest(x))];
  return row.owner + " (" + row.name + ")";
}

bool HeldRows::ends_beside() const {
  if (count_ == 0 || usual_margin_ == 0) return false;
  const double margin = std::max(solver_.margin(), 0.0);
  if (!(margin < kNearSingular * usual_margin_)) return false;
  const double left = std::sqrt(margin / usual_margin_);
  return left < kBeside * std::max(distance_ - left, 0.0);
}

void HeldRows::remember(const State& x) {
  std::copy_n(x.v(), x.sizes().v, clear_v_.begin());
  std::copy_n(x.a(), x.sizes().v, clear_a_.begin());
  clear_margin_ = solver_.margin();
  clear_time_ = x.t;
  clear_until_ = crossing_ < kInfinity ? x.t + kLinger * crossing_ : kInfinity;
}

/// Velocities from before a singular position must fulfil the rows behind it as well, but for how the way bends: another way has other tangents.
/// What the rows take out of them is held against the kinetic energy of the same bodies.
bool HeldRows::left_branch(const System& system, const State& x, const Workspace& w) {
  const Layout& layout = system.layout();
  double least = kInfinity;
  for (double h : {0.0, x.t - clear_time_}) {  // as they were, and as they went on
    for (int k = 0; k < layout.sizes.v; ++k) guess_[u(k)] = clear_v_[u(k)] + h * clear_a_[u(k)] - x.v()[k];
    for (int k = 0; k < count_; ++k) {
      const int row = layout.held[u(k)].row;
      b_[u(k)] = w.row_rate[u(row)] + layout.rows.read(row, w.D.data(), guess_.data());
    }
    solver_.solve(b_.data(), multipliers_.data(), true);
    std::fill(dv_.begin(), dv_.end(), 0.0);
    solver_.push(multipliers_.data(), dv_.data());
    double changed = 0, there = 0;
    for (std::size_t block = 0; block < system.masses().blocks().size(); ++block) {
      const MassBlock& start = system.masses().blocks()[block];
      MassBlock renewed;  // of bodies whose inertia changes; empty for all others
      if (!start.constant) system.masses().calc(block, x.q(), renewed = start);
      const MassBlock& m = start.constant ? start : renewed;
      const auto energy = [&](const double* v) {
        double sum = 0;
        for (int i = 0; i < m.count; ++i) {
          for (int j = 0; j < m.count; ++j) sum += v[m.v + i] * m.mass[u(i * m.count + j)] * v[m.v + j];
        }
        return sum;
      };
      const double change = energy(dv_.data());
      changed += change * change;
      there += change * std::max(energy(clear_v_.data()), energy(x.v()));
    }
    least = std::min(least, there > 0 ? changed / there : 0);
  }
  return least > kOtherWay;
}

void HeldRows::watch(const System& system, const State& x, const Workspace& w, bool keeps) {
  if (count_ == 0) return;
  const Layout& layout = system.layout();
  const double margin = solver_.margin();
  usual_margin_ = std::max(usual_margin_, margin);
  near_ = margin < kNearSingular * usual_margin_;
  const bool missed = x.t - watched_ > 1.5 * step_;  // methods that evaluate their own equations are not watched in every step
  if (missed) clear_margin_ = 0;
  const double distance = std::sqrt(std::max(margin, 0.0) / usual_margin_), rate = (distance_ - distance) / (x.t - watched_);
  crossing_ = near_ && !missed && x.t > watched_ && rate > 0 ? distance / rate : kInfinity;
  distance_ = distance, watched_ = x.t;
  if (margin > kTold * usual_margin_) {
    const bool watched = clear_margin_ > 0 && std::min(margin, clear_margin_) < kWatched * usual_margin_ && x.t < clear_until_;
    if (watched && left_branch(system, x, w)) {
      trouble_ =
          "the mechanism has gone through a position in which some of its joints follow from the others, as a linkage that lies flat (next to " +
          weakest_row(system, x) +
          "), and has left it on another way than it came: what comes from here on is another motion. Use enforcement: projection or "
          "another step or tolerance, or integrator generalized_alpha.";
      return;
    }
    remember(x);
    // half a radian later the way has bent by itself as far as another one departs from it
    double fastest = 0;
    for (const BodyInfo& b : layout.bodies) {
      if (b.turns() == 1) fastest = std::max(fastest, std::abs(x.v()[b.v + b.shifts()]));
    }
    for (const FrameCoordinates& f : layout.frames) {
      const double* turn = x.v() + f.v + 3;
      fastest = std::max(fastest, std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]));
    }
    if (fastest > 0) clear_until_ = std::min(clear_until_, x.t + kBend / fastest);
  }
  completes_ = enforcement_.completes || (near_ && enforcement_.corrects);
  if (!near_) return;
  double most = 0, off = 0;
  moving_ = -1;
  for (int i = 0; i < layout.free(); ++i) {
    const double v = std::abs(x.v()[layout.v_index(i)]);
    if (v > most) most = v, moving_ = i;
  }
  for (int k = 0; k < count_; ++k) off = std::max(off, std::abs(w.row_value[u(layout.held[u(k)].row)]));
  if (keeps || enforcement_.corrects || enforcement_.completes || most == 0) {
    completes_ = completes_ && most > 0;
    near_ = near_ && most > 0;
    return;
  }
  if (!(off > kTooFar * margin / usual_margin_)) return;
  trouble_ =
      "the mechanism comes to a position in which " + weakest_row(system, x) +
      " follows from the other joints, as a linkage that lies flat: there are several ways to go on from there. Enforcement '" +
      enforcement_.name +
      "' lets the joints drift apart, so that the way the mechanism was on can no longer be told. Use enforcement: projection, or "
      "start where it does not pass there.";
}

/// Back onto the rows on the way it was on: what moves most stays, and only what departs from the way is moved, however near the ways are.
void HeldRows::follow_branch(const System& system, State& x, Workspace& w) {
  solver_.leave(moving_);
  correct_positions(system, x, w, 10, kRounding);
  solver_.leave(-1);
  double before = 0, change = 0;
  std::copy_n(x.v(), system.layout().sizes.v, dv_.begin());
  correct_velocities(system, x, w);
  for (int k = 0; k < system.layout().sizes.v; ++k) {
    before = std::max(before, std::abs(dv_[u(k)]));
    change = std::max(change, std::abs(x.v()[k] - dv_[u(k)]));
  }
  turned_ = turned_ || change > kTurned * before;
}

void HeldRows::bring_back(const System& system, State& x, Workspace& w) {
  if (count_ == 0) return;
  if (near_) return follow_branch(system, x, w);
  correct_positions(system, x, w);
  correct_velocities(system, x, w);
}

void HeldRows::save(Archive& a) const {
  a.put(usual_margin_), a.put(near_), a.put(completes_), a.put(moving_), a.put(distance_), a.put(watched_), a.put(crossing_);
  a.put(clear_margin_), a.put(clear_time_), a.put(clear_until_), a.put(clear_v_), a.put(clear_a_);
  if (count_ > 0) solver_.save(a);
}

void HeldRows::load(Archive& a) {
  a.get(usual_margin_), a.get(near_), a.get(completes_), a.get(moving_), a.get(distance_), a.get(watched_), a.get(crossing_);
  a.get(clear_margin_), a.get(clear_time_), a.get(clear_until_), a.get(clear_v_), a.get(clear_a_);
  if (count_ > 0) solver_.load(a);
}

}  // namespace bristle
