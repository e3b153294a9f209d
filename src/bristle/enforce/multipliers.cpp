#include "bristle/enforce/sharing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/base/index.h"

namespace bristle {

namespace {
constexpr double kEarly = 1e-6;   // of a limit: places that carry a load together let go this much before its end
constexpr double kStill = 1e-12;  // [m/s] slip that counts as none
constexpr double kSlow = 0.2;     // acceleration of a slip that starts, over what friction does to it
}  // namespace

void Multipliers::prepare(const System& system, const Enforcement& enforcement) {
  const Layout& layout = system.layout();
  const int nv = layout.sizes.v;
  enforcement_ = enforcement;
  completes_ = enforcement.completes;
  near_ = turned_ = false;
  usual_margin_ = watched_ = clear_margin_ = 0;
  distance_ = 1;
  crossing_ = kInfinity;
  trouble_.clear();
  spatial_ = system.spatial();
  lambdas_ = system.held_count();
  rows_ = layout.sizes.lambda - lambdas_;
  if (spatial_) {
    held_solver_.prepare(system, enforcement);
    for (auto* part : {&f0_, &a0_, &dv_}) part->assign(u(nv + layout.spare), 0);
    for (auto* part : {&clear_v_, &clear_a_, &guess_}) part->assign(u(nv + layout.spare), 0);
    for (auto* part : {&lambda0_, &last_lambda_, &b_}) part->assign(u(lambdas_), 0);
    slopes_.assign(system.load_slopes().size(), 0);
    last_slopes_ = slopes_;
    own_.assign(u(rows_), 0);
    partition_.clear();
  }
  first_row_.clear();
  int r = 0;
  for (const DryPlace& p : system.dry()) {
    first_row_.push_back(r);
    r += p.components;
  }
  const int dense = std::min(rows_, Sharing::kLarge);  // more where a group needs it
  solver_.reserve(dense);
  solver_.set_nothing(1e-10);
  sub_.assign(u(dense * dense), 0);
  prepare_sharing(system);
  held_.reserve(u(rows_));
  candidates_.reserve(system.dry().size());
  free_.assign(u(rows_), 0);
  force_.assign(u(rows_), 0);
  rhs_.assign(u(rows_), 0);
  solution_.assign(u(rows_), 0);
  fixed_.assign(system.dry().size(), 0);
  creeping_ = asked_ = fixed_;
  responding_.reserve(system.dry().size());
  renewed_ = true;
  view_.resize(system.dry().size());
  prepare_loose(system);
  known_.assign(u(nv), 0);
}

void Multipliers::solve_held_system(const System& system, const State& x, Workspace& w) {
  const Layout& layout = system.layout();
  double* a = w.a.data();
  if (!spatial_) system.solve_mass(x.q(), w.f.data(), a);
  for (int k = layout.scalars; k < layout.ground; ++k) a[k] = x.a()[k];
  a[layout.ground] = 0;  // an undefined force of a rejected step must not stay behind
  if (spatial_) solve_space(system, x, w);
  else if (rows_ > 0) hold(system, x, w);
  const int n = layout.free();
  double* rate = w.rate.data();
  for (int i = 0; i < n; ++i) {
    const int k = layout.v_index(i);
    rate[i] = x.v()[k];
    rate[n + i] = a[k];
  }
}

void Multipliers::accelerations(const System& system, const State& x, const Workspace& w, double* a) const {
  const Layout& layout = system.layout();
  const int n = layout.free();
  for (int k = layout.scalars; k < layout.ground; ++k) a[k] = x.a()[k];
  for (int i = 0; i < n; ++i) a[layout.v_index(i)] = w.rate[u(n + i)];
}

void Multipliers::hold(const System& system, const State& x, Workspace& w) {
  const std::vector<DryPlace>& dry = system.dry();
  const Eval& e = w.eval;

  // who rests
  held_.clear();
  sharing_->any_loose = false;
  if (!spatial_) converged_ = true;
  std::fill(w.lambda.begin() + lambdas_, w.lambda.end(), 0.0);
  for (int i = 0; i < static_cast<int>(dry.size()); ++i) {
    const DryPlace& p = dry[u(i)];
    fixed_[u(i)] = creeping_[u(i)] = 0;
    if (w.rest == RestRule::events) {
      creeping_[u(i)] = p.marks(x).creeps();
      w.resting[u(i)] = p.marks(x).rests();
      if (w.resting[u(i)]) look_at(p, e, view_[u(i)]);
    } else {
      look_at(p, e, view_[u(i)]);
      w.resting[u(i)] = view_[u(i)].resting;
    }
    if (!w.resting[u(i)]) continue;
    if (spatial_) read_loose(system, x.marks(), i);
    for (int d = 0; d < p.components; ++d) held_.push_back({i, d, first_row_[u(i)] + d});
  }
  if (held_.empty()) return;

  // slip accelerations without the held forces
  if (!spatial_) {
    forget_limits();
  } else if (renewed_) {
    responding_.clear();
    for (int i = 0; i < static_cast<int>(dry.size()); ++i) {
      if (w.resting[u(i)] || asked_[u(i)]) responding_.push_back(i);
    }
    respond(system, w, responding_);
    renewed_ = false;
  }
  for (const Entry& h : held_) {
    const DryPlace& p = dry[u(h.place)];
    free_[u(h.row)] = slip_of(p, h.component, w, w.a.data());
    if (spatial_) free_[u(h.row)] += p.rows[u(h.component)].arm * w.row_drift[u(p.row[u(h.component)])];
    force_[u(h.row)] = 0;
  }

  if (w.rest == RestRule::threshold) hold_below_limits(system, w);
  else hold_whatever_it_takes(system, w);

  // push the forces back
  for (const Entry& h : held_) {
    const DryPlace& p = dry[u(h.place)];
    const RestRow& row = p.rows[u(h.component)];
    const double F = force_[u(h.row)];
    if (spatial_) system.layout().rows.push(p.row[u(h.component)], F * row.arm, w.D.data(), w.f.data());
    for (std::size_t k = 0; k < row.index.size() && !spatial_; ++k) w.f[u(row.index[k])] -= row.slip[k] * F;
    push_held(h.row, F, w.a.data());
    w.lambda[u(p.lambda + h.component)] = F / row.lever();
    w.power[u(p.account)] += F * view_[u(h.place)].slip[h.component];
  }
  if (!spatial_) settle_exactly(system, w.a.data());
}

/// Threshold rule: hold all; release those that cannot, one round after the other.
void Multipliers::hold_below_limits(const System& system, Workspace& w) {
  const std::vector<DryPlace>& dry = system.dry();
  for (std::size_t round = 0; round <= dry.size(); ++round) {
    solve_held();
    update_held_limits(system, w);
    bool changed = false;
    for (std::size_t k = 0; k < held_.size(); k += u(dry[u(held_[k].place)].components)) {
      const int i = held_[k].place;
      const DryPlace& p = dry[u(i)];
      if (fixed_[u(i)]) continue;
      double *F = &force_[u(first_row_[u(i)])], holding[3] = {0, 0, 0}, at_rest[3] = {0, 0, 0};
      const double lever = sharing_->lever[u(i)];
      for (int d = 0; d < p.components; ++d) holding[d] = F[d] / lever;  // the law speaks of its own force
      if (p.owner->at_rest(w.eval, p.item, holding, mobility(i), at_rest)) continue;
      for (int d = 0; d < p.components; ++d) F[d] = at_rest[d] * lever;
      fixed_[u(i)] = 1;
      changed = true;
    }
    if (!changed) return;
  }
}

/// Takes the round-off out of held slips (or slip accelerations): a coordinate that rests on known ones follows from them exactly, and is
/// then known itself. Who creeps or has its force cut is not at rest. To and fro over what is left, so that stacks of places are followed
/// from either end.
void Multipliers::settle_exactly(const System& system, double* value) {
  const Layout& layout = system.layout();
  for (int k = 0; k < layout.sizes.v; ++k) known_[u(k)] = layout.unknown(k) < 0;
  std::vector<int>& open = sharing_->open;
  open.clear();
  for (int k = static_cast<int>(held_.size()) - 1; k >= 0; --k) {
    if (fixed_[u(held_[u(k)].place)] == 0 && creeping_[u(held_[u(k)].place)] == 0) open.push_back(k);
  }
  for (bool found = true; found && !open.empty();) {
    found = false;
    std::reverse(open.begin(), open.end());
    std::size_t left = 0;
    for (int at_entry : open) {
      const Entry& h = held_[u(at_entry)];
      const RestRow& row = system.dry()[u(h.place)].rows[u(h.component)];
      int own = -1, count = 0;
      double rest = 0, coefficient = 1;
      for (std::size_t k = 0; k < row.index.size(); ++k) {
        const int at = row.index[k];
        if (known_[u(at)]) {
          rest += row.slip[k] * value[at];
        } else if (row.slip[k] != 0) {
          own = at;
          coefficient = row.slip[k];
          ++count;
        }
      }
      if (count > 1) open[left++] = at_entry;
      if (count != 1) continue;
      value[own] = -rest / coefficient + 0.0;
      known_[u(own)] = 1;
      found = true;
    }
    open.resize(left);
  }
}

void Multipliers::evaluate_resting(const System& system, State& x, Workspace& w) {
  keep_all(system, x.marks());
  evaluate(system, x, w);
  if (!spatial_ || held_.empty() || w.rest != RestRule::events) return;
  for (const Entry& h : held_) sharing_->slips[u(h.row)] = slip_of(system.dry()[u(h.place)], h.component, w, x.v());
  if (choose_rows(system, x.marks(), sharing_->slips.data())) evaluate(system, x, w);
}

void Multipliers::resolve_modes(const System& system, State& x, Workspace& w, const std::vector<int>& candidates,
                                const std::vector<int>& released) {
  const std::vector<DryPlace>& dry = system.dry();
  const auto set = [&](int i, DryMode mode, const double* dir) {
    DryMarks marks = dry[u(i)].marks(x);
    marks.set_mode(mode);
    for (int d = 0; d < dry[u(i)].components; ++d) marks.set_direction(d, dir ? dir[d] : 0);
  };
  const auto sticks = [&](int i) { return dry[u(i)].marks(x).rests(); };
  const auto is_released = [&](int i) { return std::find(released.begin(), released.end(), i) != released.end(); };
  const auto along = [&](int i) {  // slip acceleration along the direction of a slider, and what it is made of
    const DryPlace& p = dry[u(i)];
    double sum = 0, scale = 0;
    for (int d = 0; d < p.components; ++d) {
      const RestRow& row = p.rows[u(d)];
      const double dir = x.marks()[p.mark + 1 + d];
      if (spatial_) {
        const auto part = [&](double a) { sum += row.arm * a * dir, scale += std::abs(row.arm * a * dir); };
        system.layout().rows.each(p.row[u(d)], w.D.data(), [&](int k, double c) { part(c * w.a[u(k)]); });
        part(w.row_drift[u(p.row[u(d)])]);
        continue;
      }
      for (std::size_t k = 0; k < row.index.size(); ++k) {
        const double part = row.slip[k] * w.a[u(row.index[k])] * dir;
        sum += part;
        scale += std::abs(part);
      }
    }
    return std::pair{sum, scale};
  };

  const auto parts_of = [&](int i, int d) {  // of a slip acceleration, added up
    const RestRow& row = dry[u(i)].rows[u(d)];
    double sum = 0;
    if (spatial_) {
      const int r = dry[u(i)].row[u(d)];
      sum = std::abs(row.arm * w.row_drift[u(r)]);
      system.layout().rows.each(r, w.D.data(), [&](int k, double c) { sum += std::abs(row.arm * c * w.a[u(k)]); });
    } else {
      for (std::size_t k = 0; k < row.index.size(); ++k) sum += std::abs(row.slip[k] * w.a[u(row.index[k])]);
    }
    return sum;
  };

  if (spatial_) {
    std::fill(asked_.begin(), asked_.end(), char{0});
    for (int i : candidates) asked_[u(i)] = 1;
  }
  const auto grip = [&](int i) {  // slip acceleration that all candidates at their limits can make, added up
    double most = 0;
    for (int d = 0; d < dry[u(i)].components; ++d) {
      const int row = first_row_[u(i)] + d;
      double sum = 0;
      for (int j : candidates) {
        for (int k = 0; k < dry[u(j)].components; ++k) sum += std::abs(coupling(row, first_row_[u(j)] + k)) * view_[u(j)].limit;
      }
      most = std::max(most, sum);
    }
    return most;
  };

  // all together: forces within the limits that leave the least slip acceleration. Who is at its limit and still accelerates slides, and
  // so does who was just released
  for (int i : candidates) set(i, DryMode::stick, nullptr);
  evaluate_resting(system, x, w);
  const auto done = [&] { std::fill(asked_.begin(), asked_.end(), char{0}); };
  if (held_.empty()) return done();
  forget_limits();
  solve_limited(system, w);
  for (int i : candidates) {
    const double *F = &force_[u(first_row_[u(i)])], limit = view_[u(i)].limit;
    const int n = dry[u(i)].components;
    double size = 0, left = 0, scale = 0, dir[3] = {0, 0, 0};
    for (int d = 0; d < n; ++d) size += F[d] * F[d];
    size = std::sqrt(size);
    if (mobility(i) == 0) {  // no force moves the slip: its acceleration decides, or what there is of it already
      double moves = 0, parts = 0, slips = 0;
      for (int d = 0; d < n; ++d) {
        dir[d] = free_[u(first_row_[u(i)] + d)];
        moves += dir[d] * dir[d];
        parts += parts_of(i, d);
        slips += view_[u(i)].slip[d] * view_[u(i)].slip[d];
      }
      if (!(std::sqrt(moves) > 1e-9 * parts)) {
        if (!(std::sqrt(slips) > kStill)) continue;
        for (int d = 0; d < n; ++d) dir[d] = view_[u(i)].slip[d];
        moves = slips;
      }
      for (int d = 0; d < n; ++d) dir[d] /= std::sqrt(moves);
      set(i, DryMode::slip, dir);
      continue;
    }
    // places that carry a load together reach the end of it together: when one is released, all that are at their limit let go
    const bool lets_go = !released.empty();
    if (size < (lets_go ? 1 - kEarly : 1 - 1e-9) * limit) continue;
    for (int d = 0; d < n; ++d) {
      const auto [r, of] = left_over(first_row_[u(i)] + d);
      scale += of;
      // without a limit there is no force to tell the direction: the acceleration does
      dir[d] = size > 0 ? F[d] / size : r;
      left += r * r;
    }
    left = std::sqrt(left);
    if (!(size > 0)) {
      for (int d = 0; d < n; ++d) dir[d] = left > 0 ? dir[d] / left : 0;
    }
    if (lets_go || left > 1e-9 * scale) set(i, DryMode::slip, dir);
  }
  // sliding friction may be less than what was held: others may give way too, and nobody starts against its friction
  std::fill(sharing_->turned.begin(), sharing_->turned.end(), std::size_t{0});
  for (std::size_t round = 0; round < 2 * candidates.size() + 2; ++round) {
    evaluate_resting(system, x, w);
    bool changed = false;
    for (int i : candidates) {
      // one after the other, but for those that do not feel each other
      if (sharing_->turned[u(sharing_->cluster[u(i)])] == round + 1) continue;
      if (!sticks(i)) {
        const auto [sum, scale] = along(i);
        if (sum >= -1e-9 * scale || (is_released(i) && round == 0)) continue;
        if (sum >= -(released.empty() ? 1e-9 : kEarly) * grip(i)) continue;  // nothing, beside the forces that cancel
        set(i, DryMode::stick, nullptr);
      } else {
        const double* F = &w.lambda[u(dry[u(i)].lambda)];
        double size = 0, dir[3] = {0, 0, 0};
        for (int d = 0; d < dry[u(i)].components; ++d) size += F[d] * F[d];
        size = std::sqrt(size);
        if (size * sharing_->lever[u(i)] <= view_[u(i)].limit * (1 + 1e-9)) continue;
        for (int d = 0; d < dry[u(i)].components; ++d) dir[d] = F[d] / size;
        set(i, DryMode::slip, dir);
      }
      changed = true;
      sharing_->turned[u(sharing_->cluster[u(i)])] = round + 1;
    }
    if (!changed) break;
    if (round + 1 == 2 * candidates.size() + 2) evaluate_resting(system, x, w);
  }
  if (!lets_creep_) return done();
  bool some_creep = false;
  for (int i : candidates) {
    if (dry[u(i)].components == 1 || sticks(i)) continue;
    // it starts slowly beside what friction does to it
    const auto [sum, scale] = along(i);
    if (sum < kSlow * mobility(i) * limit_of(system, i, w)) dry[u(i)].marks(x).set_mode(DryMode::creep), some_creep = true;
  }
  if (some_creep) evaluate_resting(system, x, w);
  done();
}

void Multipliers::project(const System& system, const Workspace& w, double* a) {
  const std::vector<DryPlace>& dry = system.dry();
  held_.clear();
  std::fill(fixed_.begin(), fixed_.end(), char{0});
  if (spatial_ && lambdas_ > 0) {
    for (int k = 0; k < lambdas_; ++k) b_[u(k)] = system.layout().rows.read(system.layout().held[u(k)].row, w.D.data(), a);
    held_solver_.solve(b_.data(), last_lambda_.data(), true);
    held_solver_.push(last_lambda_.data(), a);
  }
  for (int i = 0; i < static_cast<int>(dry.size()); ++i) {
    if (!w.resting[u(i)]) continue;
    for (int d = 0; d < dry[u(i)].components; ++d) {
      held_.push_back({i, d, first_row_[u(i)] + d});
      free_[u(first_row_[u(i)] + d)] = slip_of(dry[u(i)], d, w, a);
    }
  }
  if (held_.empty()) return;
  solve_held();
  for (const Entry& h : held_) push_held(h.row, force_[u(h.row)], a);
}

void Multipliers::keep_rest(const System& system, State& x, Workspace& w) {
  held_.clear();
  candidates_.clear();
  sharing_->any_loose = false;
  for (int i = 0; i < static_cast<int>(system.dry().size()); ++i) {
    const DryPlace& p = system.dry()[u(i)];
    fixed_[u(i)] = creeping_[u(i)] = 0;
    if (!p.marks(x).sticks()) continue;
    candidates_.push_back(i);
    if (spatial_) read_loose(system, x.marks(), i);
    for (int d = 0; d < p.components; ++d) held_.push_back({i, d, first_row_[u(i)] + d});
  }
  if (held_.empty()) return;
  if (spatial_) stop(system, x, w, candidates_);
  else settle_exactly(system, x.v());
}

double Multipliers::stop_slips(const System& system, State& x, Workspace& w, const std::vector<int>& places) {
  if (places.empty()) return 0;
  const double before = system.calc_energy(x, w).kinetic;
  if (spatial_) {
    // what no friction could stop within a step goes on
    for (int i : places) {
      DryMarks marks = system.dry()[u(i)].marks(x);
      marks.set_mode(DryMode::stick);
      marks.aim(nullptr, 0);
    }
    keep_all(system, x.marks());
    gather_slips(system, x, w, places);
    std::fill(sharing_->slips.begin(), sharing_->slips.end(), 0.0);
    for (const Entry& h : held_) {
      if (h.component == 0) look_at(system.dry()[u(h.place)], w.eval, view_[u(h.place)]);
      sharing_->slips[u(h.row)] = std::exchange(free_[u(h.row)], 0.0);
    }
    choose_rows(system, x.marks(), sharing_->slips.data());
    sharing_->any_loose = false;
    for (int i : places) read_loose(system, x.marks(), i);
  }
  stop(system, x, w, places);
  return before - system.calc_energy(x, w).kinetic;
}

/// Rows of places, and their slips in `free_`.
void Multipliers::gather_slips(const System& system, State& x, Workspace& w, const std::vector<int>& places) {
  const std::vector<DryPlace>& dry = system.dry();
  if (spatial_) {
    system.look(x, w);
    held_solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction);
    respond(system, w, places);
  }
  held_.clear();
  std::fill(fixed_.begin(), fixed_.end(), char{0});
  std::fill(creeping_.begin(), creeping_.end(), char{0});
  for (int i : places) {
    for (int d = 0; d < dry[u(i)].components; ++d) held_.push_back({i, d, first_row_[u(i)] + d});
  }
  for (const Entry& h : held_) free_[u(h.row)] = slip_of(dry[u(h.place)], h.component, w, x.v());
}

void Multipliers::stop(const System& system, State& x, Workspace& w, const std::vector<int>& places) {
  gather_slips(system, x, w, places);
  solve_held();
  for (const Entry& h : held_) push_held(h.row, force_[u(h.row)], x.v());
  if (!spatial_) settle_exactly(system, x.v());
}

}  // namespace bristle
