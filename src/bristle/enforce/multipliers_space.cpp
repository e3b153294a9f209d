#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/sharing.h"

namespace bristle {

double Multipliers::slip_of(const DryPlace& p, int component, const Workspace& w, const double* v) const {
  const RestRow& row = p.rows[u(component)];
  if (spatial_) return row.arm * w.eval.rows->read(p.row[u(component)], w.D.data(), v);
  double s = 0;
  for (std::size_t k = 0; k < row.index.size(); ++k) s += row.slip[k] * v[row.index[k]];
  return s;
}

/// Held rows, friction whose load is their reaction, and resting dry places, all at once: Newton over the multipliers. Friction is
/// taken as affine in the multipliers, f = f(lambda) + S (lambda' - lambda), which for loads that are sums of reactions is exact
/// until one of them changes its sign (Frictional Contacts in Multibody Dynamics, eqs. 4.3 to 4.6, with the signs of this
/// evaluation in place of those of the last step).
void Multipliers::solve_space(const System& system, const State& x, Workspace& w) {
  const Layout& layout = system.layout();
  const RowPattern& rows = layout.rows;
  Eval& e = w.eval;
  e.lambda = w.lambda.data();
  converged_ = true;
  forget_limits();
  const int nv = layout.sizes.v;
  const bool reactive = system.reactive();
  std::copy_n(x.lambda(), w.lambda.size(), w.lambda.begin());
  if (reactive) std::copy_n(w.f.data(), nv, f0_.data());
  const double damping = enforcement_.damping(step_), stiffness = enforcement_.stiffness(step_);
  double* lambda = w.lambda.data();

  constexpr int kMost = 40;
  renewed_ = true;
  for (int round = 0;; ++round) {
    const double* slopes = nullptr;
    if (reactive) {
      std::copy_n(f0_.data(), nv, w.f.data());
      system.calc_reactive(e);
      system.calc_load_slopes(e, slopes_.data());
      slopes = slopes_.data();
      const std::vector<LoadSlope>& list = system.load_slopes();
      std::copy_n(w.f.data(), nv, dv_.data());
      for (std::size_t s = 0; s < list.size(); ++s) {
        if (list[s].slot < lambdas_ && slopes[s] != 0)
          rows.push(list[s].row, -slopes[s] * lambda[list[s].slot], w.D.data(), dv_.data());
      }
      system.solve_mass(e.q, dv_.data(), w.a.data());
    } else {
      system.solve_mass(e.q, w.f.data(), w.a.data());
    }
    for (int k = layout.scalars; k < layout.ground; ++k) w.a[u(k)] = x.a()[k];
    w.a[u(layout.ground)] = 0;
    if (lambdas_ > 0) {
      // only with friction that follows reactions in another way are the factors others
      if (round == 0 || slopes_ != last_slopes_) {
        renewed_ = true;
        if (!held_solver_.refresh(system, w, slopes)) {
          converged_ = false;
          return;
        }
      }
      last_slopes_ = slopes_;
      for (int k = 0; k < lambdas_; ++k) {
        const int r = layout.held[u(k)].row;
        b_[u(k)] =
            rows.read(r, w.D.data(), w.a.data()) + w.row_drift[u(r)] + damping * w.row_rate[u(r)] + stiffness * w.row_value[u(r)];
      }
      std::copy_n(lambda, lambdas_, last_lambda_.data());
      held_solver_.solve(b_.data(), lambda, enforcement_.iterations > 1);
      held_solver_.push(lambda, w.a.data());
      std::copy_n(lambda, lambdas_, lambda0_.data());
    }
    converged_ = true;
    if (rows_ > 0) hold(system, x, w);
    if (!reactive) break;
    double change = 0, size = 0;
    for (int k = 0; k < lambdas_; ++k) {
      change = std::max(change, std::abs(lambda[k] - last_lambda_[u(k)]));
      size = std::max(size, std::abs(lambda[k]));
    }
    if (!(change > 1e-12 * size)) {
      converged_ = converged_ && std::isfinite(change);
      break;
    }
    if (limits_missing()) {
      converged_ = false;
      break;
    }
    if (round == kMost) {
      converged_ = converged_ && change < 1e-8 * size;
      break;
    }
    if (round > 12) {  // reactions that change sign to and fro: half way
      for (int k = 0; k < lambdas_; ++k) lambda[k] = 0.5 * (lambda[k] + last_lambda_[u(k)]);
    }
  }
  for (int k = 0; k < lambdas_; ++k) rows.push(layout.held[u(k)].row, lambda[k], w.D.data(), w.f.data());
}

/// Accelerations, slip accelerations and multipliers per force at the rows of the given places; rows of different islands at once.
void Multipliers::respond(const System& system, const Workspace& w, const std::vector<int>& places) {
  const std::vector<DryPlace>& dry = system.dry();
  const RowPattern& rows = system.layout().rows;
  Sharing& s = *sharing_;
  std::fill(s.wanted.begin(), s.wanted.end(), char{0});
  for (int i : places) std::fill_n(s.wanted.begin() + first_row_[u(i)], dry[u(i)].components, char{1});
  const auto place_of = [&](int row) -> const DryPlace& { return dry[u(s.place_of[u(row)])]; };
  const auto component_of = [&](int row) { return row - first_row_[u(s.place_of[u(row)])]; };
  double* y = s.y.data();
  for (std::size_t colour = 0; colour + 1 < s.first_of_colour.size(); ++colour) {
    const auto each = [&](const auto& use) {
      for (int k = s.first_of_colour[colour]; k < s.first_of_colour[colour + 1]; ++k) {
        if (const int row = s.of_colour[u(k)]; s.wanted[u(row)] != 0) use(row);
      }
    };
    bool some = false, reactions = false;
    each([&](int r) {
      const DryPlace& p = place_of(r);
      const int d = component_of(r);
      held_solver_.respond(w, p.row[u(d)], p.rows[u(d)].arm, y);
      own_[u(r)] = slip_of(p, d, w, y);
      some = true;
      reactions = reactions || s.first_slot[u(r)] < s.first_slot[u(r + 1)];
    });
    if (!some) continue;
    if (reactions) {
      std::fill(b_.begin(), b_.end(), 0.0);
      each([&](int r) {
        for (int k = s.first_slot[u(r)]; k < s.first_slot[u(r + 1)]; ++k)
          b_[u(s.slot[u(k)])] = rows.read(system.layout().held[u(s.slot[u(k)])].row, w.D.data(), y);
      });
      held_solver_.solve(b_.data(), s.lambda.data(), enforcement_.iterations > 1);
      held_solver_.push(s.lambda.data(), y);
    }
    each([&](int r) {
      for (int k = s.first_slot[u(r)]; k < s.first_slot[u(r + 1)]; ++k) s.by_force[u(k)] = s.lambda[u(s.slot[u(k)])];
      for (int k = s.first_response[u(r)]; k < s.first_response[u(r + 1)]; ++k) s.response[u(k)].value = y[s.response[u(k)].v];
      for (int k = s.first_island[u(r)]; k < s.first_island[u(r + 1)]; ++k) s.reached[u(s.island[u(k)])] = r;
      for (int k = s.first_near[u(r)]; k < s.first_near[u(r + 1)]; ++k) {
        const int other = s.near[u(k)], d = component_of(other);
        if (s.wanted[u(other)] == 0) continue;  // nobody asks for its slip
        const DryPlace& p = place_of(other);
        // of another island there may be what another row of this colour does
        double sum = 0;
        const int* on = &s.piece_on[u(s.first_piece[u(other)])];
        for (const RowPiece* q = rows.begin(p.row[u(d)]); q != rows.end(p.row[u(d)]); ++q, ++on) {
          if (*on < 0 || s.reached[u(*on)] != r) continue;
          const double *D = w.D.data() + q->at, *a = y + q->v;
          for (int c = 0; c < q->count; ++c) sum += D[c] * a[c];
        }
        s.near_value[u(s.mirror[u(k)])] = p.rows[u(d)].arm * sum;
        if (other == r) s.own[u(r)] = p.rows[u(d)].arm * sum;
      }
    });
    std::fill(s.y.begin(), s.y.end(), 0.0);
  }
  // a place that no force can move, as a slider at its dead centre: what is left of its mobility is round-off
  for (int r = 0; u(r) < s.wanted.size(); ++r) {
    if (s.wanted[u(r)] == 0 || s.own[u(r)] > 1e-10 * own_[u(r)]) continue;
    s.own[u(r)] = 0;
    for (int k = s.first_near[u(r)]; k < s.first_near[u(r + 1)]; ++k) s.near_value[u(k)] = s.near_value[u(s.mirror[u(k)])] = 0;
    for (int k = s.first_response[u(r)]; k < s.first_response[u(r + 1)]; ++k) s.response[u(k)].value = 0;
    for (int k = s.first_slot[u(r)]; k < s.first_slot[u(r + 1)]; ++k) s.by_force[u(k)] = 0;
  }
}

/// Of rows that include all held ones which act on what these do.
void Multipliers::update_limits(const System& system, Workspace& w, const int* first, const int* last) {
  if (!spatial_ || lambdas_ == 0) return;
  const Sharing& s = *sharing_;
  for (const int* row = first; row != last; ++row) {
    for (int k = s.first_slot[u(*row)]; k < s.first_slot[u(*row + 1)]; ++k) w.lambda[u(s.slot[u(k)])] = lambda0_[u(s.slot[u(k)])];
  }
  for (const int* row = first; row != last; ++row) {
    for (int k = s.first_slot[u(*row)]; k < s.first_slot[u(*row + 1)]; ++k)
      w.lambda[u(s.slot[u(k)])] -= force_[u(*row)] * s.by_force[u(k)];
  }
  for (const int* row = first; row != last; ++row) {
    const int i = s.place_of[u(*row)];
    if (*row == first_row_[u(i)]) look_at(system.dry()[u(i)], w.eval, view_[u(i)]);
  }
}

void Multipliers::update_held_limits(const System& system, Workspace& w) {
  for (std::size_t k = 0; k < held_.size(); ++k) sharing_->rows_at[k] = held_[k].row;
  update_limits(system, w, sharing_->rows_at.data(), sharing_->rows_at.data() + held_.size());
}

double Multipliers::correct_positions(const System& system, State& x, Workspace& w, int iterations, double enough) {
  const Layout& layout = system.layout();
  double worst = 0, before = kInfinity;
  corrected_ = false;
  enough = std::min(enough, enforcement_.position_tolerance);
  for (int pass = 0;; ++pass) {
    system.look(x, w);
    worst = 0;
    for (int k = 0; k < lambdas_; ++k) {
      b_[u(k)] = w.row_value[u(layout.held[u(k)].row)];
      worst = std::max(worst, std::abs(b_[u(k)]));
    }
    if (worst <= enough || pass == iterations || !std::isfinite(worst)) return worst;
    if (worst < 1e-9 && worst > 0.5 * before) return worst;  // round-off
    // the factors of the first pass serve as long as they bring the violation down fast
    if (!corrected_ || worst > 1e-3 * before) {
      if (!held_solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction)) return worst;
      corrected_ = true;
    }
    before = worst;
    held_solver_.solve(b_.data(), last_lambda_.data(), true);
    std::fill(dv_.begin(), dv_.end(), 0.0);
    held_solver_.push(last_lambda_.data(), dv_.data());
    system.shift(x, dv_.data());
  }
}

void Multipliers::correct_velocities(const System& system, State& x, Workspace& w) {
  if (lambdas_ == 0) return;
  system.look(x, w);
  if (!held_solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction)) return;
  take_out_rates(system, x, w);
}

/// Velocities at a state whose rows are in the workspace, with factors made there or next to it.
void Multipliers::take_out_rates(const System& system, State& x, Workspace& w) {
  const Layout& layout = system.layout();
  for (int k = 0; k < lambdas_; ++k) b_[u(k)] = w.row_rate[u(layout.held[u(k)].row)];
  held_solver_.solve(b_.data(), last_lambda_.data(), true);
  held_solver_.push(last_lambda_.data(), x.v());
}

double Multipliers::finish_step(const System& system, State& x, Workspace& w) {
  if (lambdas_ == 0 || !(enforcement_.corrects || enforcement_.completes)) return 0;
  if (enforcement_.completes) {
    complete_state(system, x, w);
    if (!near_) {
      system.look(x, w);
      partition_.choose(system, w);
    }
    return 0;
  }
  const double before = system.calc_energy(x, w).total();
  if (near_) {
    follow_branch(system, x, w);
    return before - system.calc_energy(x, w).total();
  }
  correct_positions(system, x, w);
  if (!corrected_ && !held_solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction)) return 0;
  take_out_rates(system, x, w);
  return before - system.calc_energy(system.view(x, w), w).total();
}

}  // namespace bristle
