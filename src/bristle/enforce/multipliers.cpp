#include "bristle/enforce/multipliers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/base/index.h"
#include "bristle/enforce/sharing.h"

namespace bristle {

void Multipliers::prepare(const System& system, const Enforcement& enforcement) {
  const Layout& layout = system.layout();
  const auto nv = u(layout.sizes.v + layout.spare);
  held_.prepare(system, enforcement);
  lambdas_ = layout.held_count();
  rows_ = layout.sizes.lambda - lambdas_;
  mobilities_ = Mobilities::make(system, held_.solver(), enforcement);
  bare_ = rows_ == 0 && !mobilities_->changes;
  for (auto* part : {&f0_, &a0_, &dv_}) part->assign(nv, 0);
  for (auto* part : {&lambda0_, &last_lambda_, &b_}) part->assign(u(lambdas_), 0);
  slopes_.assign(system.reactive().slopes().size(), 0);
  last_slopes_ = slopes_;
  const int dense = std::min(rows_, Sharing::kLarge);  // more where a group needs it
  solver_.reserve(dense);
  solver_.set_nothing(1e-10);
  sub_.assign(u(dense * dense), 0);
  prepare_sharing(system);
  for (auto* list : {&resting_, &at_rest_}) list->reserve(u(rows_));
  candidates_.reserve(system.dry().size());
  for (auto* part : {&free_, &force_, &rhs_, &solution_}) part->assign(u(rows_), 0);
  fixed_.assign(system.dry().size(), 0);
  creeping_ = asked_ = fixed_;
  responding_.reserve(system.dry().size());
  renewed_ = true;
  view_.resize(system.dry().size());
  prepare_loose(system);
}

void Multipliers::solve(const System& system, const State& x, Workspace& w) {
  const Layout& layout = system.layout();
  balance(system, x, w);
  const int n = layout.free();
  double* rate = w.rate.data();
  for (int i = 0; i < n; ++i) {
    const int k = layout.v_index(i);
    rate[i] = x.v()[k];
    rate[n + i] = w.a[u(k)];
  }
}

void Multipliers::accelerations(const System& system, const State& x, const Workspace& w, double* a) const {
  const Layout& layout = system.layout();
  const int n = layout.free();
  for (int k = layout.scalars; k < layout.ground; ++k) a[k] = x.a()[k];
  for (int i = 0; i < n; ++i) a[layout.v_index(i)] = w.rate[u(n + i)];
}

/// Held rows, friction whose load is their reaction, and resting dry places, all at once: Newton over the multipliers. Friction is
/// taken as affine in the multipliers, f = f(lambda) + S (lambda' - lambda), which for loads that are sums of reactions is exact
/// until one of them changes its sign (Frictional Contacts in Multibody Dynamics, eqs. 4.3 to 4.6, with the signs of this
/// evaluation in place of those of the last step).
void Multipliers::balance(const System& system, const State& x, Workspace& w) {
  const Layout& layout = system.layout();
  Eval& e = w.eval;
  double* lambda = w.lambda.data();
  e.lambda = lambda;
  converged_ = renewed_ = true;
  forget_limits();
  const bool reactive = !system.reactive().empty();
  std::copy_n(x.lambda(), reactive ? static_cast<int>(w.lambda.size()) : lambdas_, lambda);
  if (reactive) std::copy_n(w.f.data(), layout.sizes.v, f0_.data());
  for (int round = 0;; ++round) {
    const double* slopes = reactive ? react(system, w) : nullptr;
    system.masses().solve(e.q, reactive ? dv_.data() : w.f.data(), w.a.data());
    for (int k = layout.scalars; k < layout.ground; ++k) w.a[u(k)] = x.a()[k];
    w.a[u(layout.ground)] = 0;  // an undefined force of a rejected step must not stay behind
    if (lambdas_ > 0 && !solve_held(system, w, slopes, round == 0)) {
      converged_ = false;
      return;
    }
    converged_ = true;
    if (rows_ > 0) keep_resting(system, x, w);
    if (!reactive || agree(lambda, round)) break;
  }
  for (int k = 0; k < lambdas_; ++k) layout.rows.push(layout.held[u(k)].row, lambda[k], w.D.data(), w.f.data());
}

/// Forces that follow the multipliers, at what these are now; in dv_ without their share that is proportional to them. Returns their slopes.
const double* Multipliers::react(const System& system, Workspace& w) {
  const int nv = system.layout().sizes.v;
  std::copy_n(f0_.data(), nv, w.f.data());
  system.calc_reactive(w.eval);
  system.reactive().calc_slopes(w.eval, slopes_.data());
  const std::vector<LoadSlope>& list = system.reactive().slopes();
  std::copy_n(w.f.data(), nv, dv_.data());
  for (std::size_t s = 0; s < list.size(); ++s) {
    if (list[s].slot < lambdas_ && slopes_[s] != 0)
      system.layout().rows.push(list[s].row, -slopes_[s] * w.lambda[u(list[s].slot)], w.D.data(), dv_.data());
  }
  return slopes_.data();
}

/// Multipliers of the held rows, and accelerations with them. False: no solution.
bool Multipliers::solve_held(const System& system, Workspace& w, const double* slopes, bool first) {
  const Layout& layout = system.layout();
  const Enforcement& enforcement = held_.enforcement();
  const double damping = enforcement.damping(step_), stiffness = enforcement.stiffness(step_);
  double* lambda = w.lambda.data();
  // only with friction that follows reactions in another way are the factors others
  if (first || slopes_ != last_slopes_) {
    renewed_ = true;
    if (!held_.solver().refresh(system, w, slopes)) return false;
  }
  last_slopes_ = slopes_;
  for (int k = 0; k < lambdas_; ++k) {
    const int r = layout.held[u(k)].row;
    b_[u(k)] = layout.rows.read(r, w.D.data(), w.a.data()) + w.row_drift[u(r)] + damping * w.row_rate[u(r)] +
               stiffness * w.row_value[u(r)];
  }
  std::copy_n(lambda, lambdas_, last_lambda_.data());
  held_.solver().solve(b_.data(), lambda, enforcement.iterations > 1);
  held_.solver().push(lambda, w.a.data());
  std::copy_n(lambda, lambdas_, lambda0_.data());
  return true;
}

/// Have multipliers and the friction that follows them found each other, or will they never? If not, the next guess.
bool Multipliers::agree(double* lambda, int round) {
  constexpr int kMost = 40;
  double change = 0, size = 0;
  for (int k = 0; k < lambdas_; ++k) {
    change = std::max(change, std::abs(lambda[k] - last_lambda_[u(k)]));
    size = std::max(size, std::abs(lambda[k]));
  }
  if (!(change > 1e-12 * size)) {
    converged_ = converged_ && std::isfinite(change);
    return true;
  }
  if (limits_missing()) {
    converged_ = false;
    return true;
  }
  if (round == kMost) {
    converged_ = converged_ && change < 1e-8 * size;
    return true;
  }
  if (round > 12) {  // reactions that change sign to and fro: half way
    for (int k = 0; k < lambdas_; ++k) lambda[k] = 0.5 * (lambda[k] + last_lambda_[u(k)]);
  }
  return false;
}

inline void Multipliers::take_rows(int place) {
  const int* first = &mobilities_->first_row[u(place)];
  for (int r = first[0]; r < first[1]; ++r) resting_.push_back(r);
}

void Multipliers::find_resting(const System& system, const State& x, Workspace& w) {
  const std::vector<DryPlace>& dry = system.dry();
  resting_.clear();
  sharing_->any_loose = false;
  for (int i = 0; i < static_cast<int>(dry.size()); ++i) {
    const DryPlace& p = dry[u(i)];
    bool rests = false, creeps = false;
    if (w.rest == RestRule::events) {
      rests = p.marks(x).rests();
      creeps = rests && p.marks(x).creeps();
      if (rests) look_at(p, w.eval, view_[u(i)]);
    } else {
      look_at(p, w.eval, view_[u(i)]);
      rests = view_[u(i)].resting;
    }
    fixed_[u(i)] = 0;
    creeping_[u(i)] = creeps;
    w.resting[u(i)] = rests;
    if (!rests) continue;
    read_loose(system, x.marks(), i);
    take_rows(i);
  }
}

/// The forces of places at rest.
void Multipliers::keep_resting(const System& system, const State& x, Workspace& w) {
  const Mobilities& c = *mobilities_;
  std::fill(w.lambda.begin() + lambdas_, w.lambda.end(), 0.0);
  find_resting(system, x, w);
  if (resting_.empty()) return;
  if (renewed_) {
    responding_.clear();
    for (int i = 0; i < static_cast<int>(system.dry().size()); ++i) {
      if (w.resting[u(i)] || asked_[u(i)]) responding_.push_back(i);
    }
    mobilities_->renew(system, w, responding_);
    renewed_ = false;
  }
  // slip accelerations without them
  for (int r : resting_) {
    const RestRow& row = c.rest[u(r)];
    free_[u(r)] = row.arm * sharing_->read(r, w.D.data(), w.a.data()) + row.arm * w.row_drift[u(row.row)];
    force_[u(r)] = 0;
  }
  if (w.rest == RestRule::threshold) keep_below_limits(system, w);
  else keep_whatever_it_takes(system, w);

  // push the forces back
  for (auto next = resting_.begin(); next != resting_.end();) {
    const int i = c.place_of[u(*next)];
    const DryPlace& p = system.dry()[u(i)];
    const double lever = sharing_->lever[u(i)];
    for (int d = 0; d < p.components; ++d, ++next) {
      const double F = force_[u(*next)];
      sharing_->push(*next, F * p.rows[u(d)].arm, w.D.data(), w.f.data());
      c.push(*next, F, w.a.data());
      w.lambda[u(p.lambda + d)] = F / lever;
      w.power[u(p.account)] += F * view_[u(i)].slip[d];
    }
  }
  settle(system, w.a.data());
}

/// Threshold rule: keep all; release those that cannot, one round after the other.
void Multipliers::keep_below_limits(const System& system, Workspace& w) {
  const std::vector<DryPlace>& dry = system.dry();
  for (std::size_t round = 0; round <= dry.size(); ++round) {
    solve_resting();
    update_limits(system, w, resting_.data(), resting_.data() + resting_.size());
    bool changed = false;
    for (std::size_t k = 0; k < resting_.size();) {
      const int r = resting_[k], i = mobilities_->place_of[u(r)];
      const DryPlace& p = dry[u(i)];
      k += u(p.components);
      if (fixed_[u(i)]) continue;
      double *F = &force_[u(r)], keeping[3] = {0, 0, 0}, at_rest[3] = {0, 0, 0};
      const double lever = sharing_->lever[u(i)];
      for (int d = 0; d < p.components; ++d) keeping[d] = F[d] / lever;  // the law speaks of its own force
      if (p.owner->at_rest(w.eval, p.item, keeping, mobility(i), at_rest)) continue;
      for (int d = 0; d < p.components; ++d) F[d] = at_rest[d] * lever;
      fixed_[u(i)] = 1;
      changed = true;
    }
    if (!changed) return;
  }
}

/// Takes the round-off out of slips (or slip accelerations) at rest. Who creeps or has its force cut is not at rest. False: this does not go.
bool Multipliers::settle(const System& system, double* value) {
  at_rest_.clear();
  for (int r : resting_) {
    const int i = mobilities_->place_of[u(r)];
    if (fixed_[u(i)] == 0 && creeping_[u(i)] == 0) at_rest_.push_back(r);
  }
  return mobilities_->settle(system.layout(), at_rest_, value);
}

void Multipliers::project(const System& system, const Workspace& w, double* a) {
  const Layout& layout = system.layout();
  resting_.clear();
  std::fill(fixed_.begin(), fixed_.end(), char{0});
  if (lambdas_ > 0) {
    for (int k = 0; k < lambdas_; ++k) b_[u(k)] = layout.rows.read(layout.held[u(k)].row, w.D.data(), a);
    held_.solver().solve(b_.data(), last_lambda_.data(), true);
    held_.solver().push(last_lambda_.data(), a);
  }
  for (int i = 0; i < static_cast<int>(system.dry().size()); ++i) {
    if (w.resting[u(i)] && creeping_[u(i)] == 0) take_rows(i);
  }
  if (resting_.empty()) return;
  for (int r : resting_) free_[u(r)] = mobilities_->slip(layout, r, w, a);
  solve_resting();
  for (int r : resting_) mobilities_->push(r, force_[u(r)], a);
}

void Multipliers::keep_rest(const System& system, State& x, Workspace& w) {
  resting_.clear();
  candidates_.clear();
  sharing_->any_loose = false;
  for (int i = 0; i < static_cast<int>(system.dry().size()); ++i) {
    fixed_[u(i)] = creeping_[u(i)] = 0;
    if (!system.dry()[u(i)].marks(x).sticks()) continue;
    candidates_.push_back(i);
    read_loose(system, x.marks(), i);
    take_rows(i);
  }
  if (!resting_.empty() && !settle(system, x.v())) stop(system, x, w, candidates_);
}

double Multipliers::stop_slips(const System& system, State& x, Workspace& w, const std::vector<int>& places) {
  if (places.empty()) return 0;
  const double before = system.calc_energy(x, w).kinetic;
  if (mobilities_->repeats_within > 0) {
    // what no friction could stop within a step goes on
    for (int i : places) {
      DryMarks marks = system.dry()[u(i)].marks(x);
      marks.set_mode(DryMode::stick);
      marks.aim(nullptr, 0);
    }
    keep_all(system, x.marks());
    gather_slips(system, x, w, places);
    for (int i : places) look_at(system.dry()[u(i)], w.eval, view_[u(i)]);
    std::fill(sharing_->slips.begin(), sharing_->slips.end(), 0.0);
    for (int r : resting_) sharing_->slips[u(r)] = std::exchange(free_[u(r)], 0.0);
    choose_rows(system, x.marks(), sharing_->slips.data());
    sharing_->any_loose = false;
    for (int i : places) read_loose(system, x.marks(), i);
  }
  stop(system, x, w, places);
  return before - system.calc_energy(x, w).kinetic;
}

/// Rows of places, and their slips in `free_`.
void Multipliers::gather_slips(const System& system, State& x, Workspace& w, const std::vector<int>& places) {
  mobilities_->look(system, x, w);
  mobilities_->renew(system, w, places);
  resting_.clear();
  std::fill(fixed_.begin(), fixed_.end(), char{0});
  std::fill(creeping_.begin(), creeping_.end(), char{0});
  for (int i : places) take_rows(i);
  for (int r : resting_) free_[u(r)] = mobilities_->slip(system.layout(), r, w, x.v());
}

void Multipliers::stop(const System& system, State& x, Workspace& w, const std::vector<int>& places) {
  gather_slips(system, x, w, places);
  solve_resting();
  for (int r : resting_) mobilities_->push(r, force_[u(r)], x.v());
  settle(system, x.v());
}

}  // namespace bristle
