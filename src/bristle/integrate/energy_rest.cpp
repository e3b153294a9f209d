// Dry places that come to rest, are at rest and let go in the steps of the energy schemes.
#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/integrate/energy_scheme.h"

namespace bristle {

namespace {
constexpr double kSoft = 1e-6;        // places that repeat each other: of a mobility
constexpr double kWithin = 1 + 1e-9;  // of a limit: what counts as kept
constexpr double kStill = 1e-9;       // of what the limit does to a slip in a step: what counts as none
constexpr int kStops = 8;             // rounds in which places may come to rest; afterwards they only let go
}  // namespace

/// The coefficients of a slip at the start of the step: take(velocity, of the slip, of the force).
template <class Take>
void EnergyScheme::each_slip(const System& system, int place, int component, const Take& take) const {
  const RestRow& row = system.dry()[u(place)].rows[u(component)];
  system.layout().rows.each(row.row, eval_.D_start, [&](int v, double d) { take(v, d * row.arm, d * row.force_arm); });
}

/// One step: with the places at rest that were at rest before it, and then with those that it shows to be. Over a step a place slides with the
/// force of its law along the mean slip, which never drives; or it rests. A slip that has turned back within the step has
/// been at zero: if an impulse at the start and a force over the step, both together within what the place can hold, keep it
/// there, it stays there.
bool EnergyScheme::settle(StepContext& c, const State& x0, State& x1, Outcome& out) {
  const std::vector<DryPlace>& dry = c.system.dry();
  for (int i = 0; i < static_cast<int>(dry.size()); ++i) {
    keep(dry[u(i)], i, dry[u(i)].marks(x0).rests() ? Hold::all : Hold::none);
    let_go_[u(i)] = returned_[u(i)] = 0;
  }
  if (!shared_.empty()) {
    const Eval e0 = c.system.view(x0, start_);
    for (std::size_t i = 0; i < dry.size(); ++i) {
      RestView view;
      dry[i].owner->view(e0, dry[i].item, view);
      limit_start_[i] = view.open ? 0.0 : view.limit;
    }
  }
  share_rest(c.system);
  bool converged = false;
  const auto solve = [&] {
    share_rest(c.system);
    converged = iterate(c.system, c.work, x0, x1, out);
    for (int attempt = 0; attempt < 2 && !converged; ++attempt) {
      predict(x0, c.rate0, h_, attempt == 0);
      converged = iterate(c.system, c.work, x0, x1, out);
    }
  };
  predict(x0, c.rate0, h_, true);
  converged = iterate(c.system, c.work, x0, x1, out);
  if (!converged) {
    predict(x0, c.rate0, h_, false);
    converged = iterate(c.system, c.work, x0, x1, out);
  }
  const int rounds = kStops + 4 * static_cast<int>(dry.size());
  for (int round = 0; round < rounds && converged && reconsider(c.system, x0, x1, round < kStops); ++round) solve();
  if (converged || dry.empty()) return converged;
  // a motion that is prescribed keeps nobody at rest
  for (int i = 0; i < static_cast<int>(dry.size()); ++i) keep(dry[u(i)], i, Hold::none);
  share_rest(c.system);
  predict(x0, c.rate0, h_, true);
  return iterate(c.system, c.work, x0, x1, out);
}

void EnergyScheme::keep(const DryPlace& p, int place, Hold hold) {
  kept_[u(place)] = hold == Hold::all;
  yields_[u(place)] = hold == Hold::yields;
  for (int d = 0; d < p.components; ++d) {
    kept_slot_[u(p.lambda + d)] = hold != Hold::none;
    mu_[u(p.lambda + d)] = 0;
  }
  p.marks(middle_).set_mode(hold == Hold::yields ? DryMode::yield : hold == Hold::all ? DryMode::stick : DryMode::slip);
}

/// After what is held has changed.
void EnergyScheme::share_rest(const System& system) {
  if (!shared_.empty()) shared_.choose(system, eval_.D_start, lightness_.data(), kept_, limit_start_);
}

/// What the forces of places that rest together let them creep, by time.
void EnergyScheme::calc_creep(const std::vector<double>& forces) {
  if (shared_.empty()) return;
  std::fill(creep_.begin(), creep_.end(), 0.0);
  shared_.each([&](int slot, int other, double C) { creep_[u(slot)] += C * forces[u(other)]; });
}

/// Who cannot be held lets go, who has turned back is held: has anything changed? Who is to hold too much first holds what it can: it lets go
/// if it slides with that, and stays if others hold the rest or if it was loaded by one that has let go since. Those that came to rest in this step come first and alone: one that should
/// not have been held loads those that rested before.
bool EnergyScheme::reconsider(const System& system, const State& x0, const State& x1, bool may_stop) {
  const int count = static_cast<int>(system.dry().size());
  const auto place = [&](int i) -> const DryPlace& { return system.dry()[u(i)]; };
  const auto seen = [&](int i) {  // over the step
    RestView view;
    place(i).owner->step_view(eval_, place(i).item, view);
    return view;
  };
  const auto overloaded = [&](int i) {
    double stop = 0, hold = 0;  // with the impulse that stops it; once it stands
    for (int d = 0; d < place(i).components; ++d) {
      const double force = lambda_[u(place(i).lambda + d)], all = force + mu_[u(place(i).lambda + d)];
      stop += all * all;
      hold += force * force;
    }
    return !(std::sqrt(std::max(stop, hold)) <= kWithin * seen(i).limit);
  };
  const auto rested = [&](int i) { return place(i).marks(x0).rests(); };
  bool changed = false;
  for (int i = 0; i < count; ++i) {
    if (kept_[u(i)] == 0 || rested(i) || !overloaded(i)) continue;
    keep(place(i), i, Hold::yields);
    changed = true;
  }
  if (changed) return true;
  const Eval e1 = system.view(x1, end_);
  for (int i = 0; i < count; ++i) {
    const DryPlace& p = place(i);
    if (kept_[u(i)] != 0) {
      if (!overloaded(i)) continue;
      keep(p, i, Hold::yields);
    } else if (yields_[u(i)] != 0) {
      if (stays(system, i, seen(i).limit)) continue;
      double residual[3], along[3];
      const bool again = rested(i) && returned_[u(i)] == 0 && p.owner->step_rest(eval_, p.item, residual, along);
      (again ? returned_ : let_go_)[u(i)] = 1;
      keep(p, i, again ? Hold::all : Hold::none);
    } else {
      if (let_go_[u(i)] != 0 || !may_stop || !(seen(i).limit > 0)) continue;
      RestView after;
      p.owner->view(e1, p.item, after);
      double turn = 0, before = 0;
      for (int d = 0; d < p.components; ++d) {
        double slip = given_slip(p.rows[u(d)]);
        each_slip(system, i, d, [&](int v, double k, double) { slip += k * x0.v()[v]; });
        turn += slip * after.slip[d];
        before += slip * slip;
      }
      double residual[3], along[3];
      const bool stands = p.owner->step_rest(eval_, p.item, residual, along);
      if (!stands && (turn > 0 || before == 0)) continue;
      keep(p, i, Hold::all);
    }
    changed = true;
  }
  return changed;
}

/// Does a place that yields rest: no slip after the jump and none over the step, beside what Newton's method leaves?
bool EnergyScheme::stays(const System& system, int place, double limit) const {
  const DryPlace& p = system.dry()[u(place)];
  double way = 0, after = 0, mean = 0;
  for (double d : increments_) way = std::max(way, std::abs(d));
  RestView now;
  p.owner->step_view(eval_, p.item, now);
  for (int d = 0; d < p.components; ++d) {
    double slip = given_slip(p.rows[u(d)]);
    each_slip(system, place, d, [&](int v, double k, double) { slip += k * v_jump_[u(v)]; });
    after += slip * slip;
    mean += now.slip[d] * now.slip[d];
  }
  const double none = std::max(kStill * h_ * mobility_[u(p.lambda)] * limit, std::max(noise_, newton_tolerance_ * way) / h_);
  return limit > 0 && std::sqrt(std::max(after, mean)) <= none;
}

/// A mean slip of zero is rest where it has begun and ends at rest; it may also be a slip that has turned back.
bool EnergyScheme::stands_still(const System& system, const DryPlace& p, const State& x1, double limit) {
  RestView after;
  p.owner->view(system.view(x1, end_), p.item, after);
  double slip = 0;
  for (int d = 0; d < p.components; ++d) slip += after.slip[d] * after.slip[d];
  return std::sqrt(slip) <= kStill * h_ * mobility_[u(p.lambda)] * limit;
}

/// Slips of resting places after the jump, and the impulses that stop them.
void EnergyScheme::balance_stops(const System& system) {
  const Layout& layout = system.layout();
  calc_creep(mu_);
  for (std::size_t i = 0; i < system.dry().size(); ++i) {
    const DryPlace& p = system.dry()[i];
    for (int d = 0; d < p.components; ++d) {
      const auto slot = u(p.lambda + d);
      double slip = given_slip(p.rows[u(d)]);
      each_slip(system, static_cast<int>(i), d, [&](int v, double by_v, double by_force) {
        slip += by_v * v_jump_[u(v)];
        if (const int k = layout.unknown(v); k >= 0) b_[u(matrix_.jump(k))] -= h_ * h_ * by_force * mu_[slot];
      });
      b_[u(matrix_.jump_multiplier(p.lambda + d))] =
          kept_[i] != 0 ? -h_ * (slip - h_ * creep_[slot]) : -h_ * h_ * mobility_[slot] * mu_[slot];
    }
  }
}

void EnergyScheme::linearise_stops(const System& system) {
  const Layout& layout = system.layout();
  for (std::size_t i = 0; i < system.dry().size(); ++i) {
    const DryPlace& p = system.dry()[i];
    for (int d = 0; d < p.components; ++d) {
      const int at = matrix_.jump_multiplier(p.lambda + d);
      const bool kept = kept_[i] != 0;
      each_slip(system, static_cast<int>(i), d, [&](int v, double by_v, double by_force) {
        const int k = layout.unknown(v);
        if (k < 0) return;
        matrix_.put(matrix_.jump(k), at, by_force);
        matrix_.put(at, matrix_.jump(k), kept ? by_v : 0);
      });
      matrix_.put(at, at, (kept ? -kSoft : 1) * mobility_[u(p.lambda + d)]);
    }
  }
  shared_.each(
      [&](int slot, int other, double C) { matrix_.put(matrix_.jump_multiplier(slot), matrix_.jump_multiplier(other), -C); });
}

/// The energy that the stops have taken, as the places' own. What a place gives to others is left to the method.
double EnergyScheme::finish_stops(StepContext& c, const State& x0) {
  const Layout& layout = c.system.layout();
  double sum = 0;
  for (std::size_t i = 0; i < c.system.dry().size(); ++i) {
    const DryPlace& p = c.system.dry()[i];
    double taken = 0;
    for (int d = 0; d < p.components; ++d) {
      const double impulse = h_ * mu_[u(p.lambda + d)];
      if (impulse == 0) continue;
      const RestRow& row = p.rows[u(d)];
      double way = row.force_arm * start_.row_partial[u(row.row)];
      each_slip(c.system, static_cast<int>(i), d, [&](int v, double, double by_force) {
        way += by_force * x0.v()[v];
        if (v >= layout.scalars && v < layout.scalars + layout.driven)
          c.ledger.step_work()[v - layout.scalars] += by_force * impulse * x0.v()[v];
      });
      taken += 0.5 * impulse * way;
    }
    if (!(taken > 0)) continue;
    c.ledger.step_work()[p.account] += taken;
    sum += taken;
  }
  return sum;
}

}  // namespace bristle
