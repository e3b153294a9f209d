#include "bristle/integrate/held_forces.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"
#include "bristle/enforce/multipliers.h"

namespace bristle {

void HeldForces::prepare(const System& system) {
  blocks_.clear();
  for (const MassBlock& b : system.masses().blocks()) {
    bool diagonal = true;
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) diagonal = diagonal && (i == j || b.mass[u(i * b.count + j)] == 0);
    }
    blocks_.push_back({system.layout().unknown(b.v), b, diagonal && b.constant});
  }
  if (system.layout().held_count() > 0) {
    Enforcement method;
    method.corrects = true;
    solver_.prepare(system, method);
  }
  push_.assign(u(system.layout().sizes.v + system.layout().spare), 0);
  b_.assign(u(system.layout().held_count()), 0);
  D_.assign(u(system.layout().rows.values()), 0);
  slip_.assign(u(system.layout().sizes.lambda), 0);
  rests_.assign(u(system.layout().sizes.lambda), 0);
}

void HeldForces::evaluate(const System& system, State& x, Workspace& w) const {
  const Layout& layout = system.layout();
  w.eval = system.view(x, w);
  Eval& e = w.eval;
  for (std::size_t i = 0; i < system.dry().size(); ++i) {
    const DryPlace& p = system.dry()[i];
    const DryMarks marks = p.marks(x);
    w.resting[i] = marks.rests();
    for (int d = 0; d < p.components; ++d) {
      rests_[u(p.lambda + d)] = w.resting[i] && !marks.is_loose(d);
      if (!rests_[u(p.lambda + d)]) x.lambda()[p.lambda + d] = 0;
    }
  }
  system.calc_forces(e);
  if (!system.masses().constant()) renew_mass(system, x.q());
  if (!system.reactive().empty()) system.calc_reactive(e);
  for (int k = 0; k < system.layout().held_count(); ++k)
    layout.rows.push(layout.held[u(k)].row, x.lambda()[k], w.D.data(), w.f.data());
  for (std::size_t i = 0; i < system.dry().size(); ++i) {
    if (!w.resting[i]) continue;
    const DryPlace& p = system.dry()[i];
    for (int d = 0; d < p.components; ++d) {
      const RestRow& row = p.rows[u(d)];
      const double F = x.lambda()[p.lambda + d];
      const double slip = row.arm * (layout.rows.read(row.row, w.D.data(), x.v()) + w.row_partial[u(row.row)]);
      layout.rows.push(row.row, F * row.force_arm, w.D.data(), w.f.data());
      slip_[u(p.lambda + d)] = slip;
      w.power[u(p.account)] += F * slip * row.lever();
    }
  }
  std::copy_n(x.lambda(), w.lambda.size(), w.lambda.begin());
  system.calc_drive_power(e);
}

bool HeldForces::refresh(const System& system, const Workspace& w) {
  D_ = w.D;
  return solver_.refresh(system, w, nullptr, HeldSolver::Purpose::correction);
}

void HeldForces::renew_mass(const System& system, const double* q) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) system.masses().calc(i, q, blocks_[i].inertia);
}

void HeldForces::least(const System& system, double* lambda) {
  const Layout& layout = system.layout();
  std::fill(push_.begin(), push_.end(), 0.0);
  solver_.push(lambda, push_.data());
  for (int k = 0; k < system.layout().held_count(); ++k)
    b_[u(k)] = -layout.rows.read(layout.held[u(k)].row, D_.data(), push_.data());
  solver_.solve(b_.data(), lambda, true);
}

double HeldForces::correct(const System& system, const double* violation, double* dq, double* mu) {
  const Layout& layout = system.layout();
  const int n = layout.free();
  std::fill(push_.begin(), push_.end(), 0.0);
  for (int i = 0; i < n; ++i) push_[u(layout.v_index(i))] = dq[i];
  for (int k = 0; k < system.layout().held_count(); ++k) {
    b_[u(k)] = violation[k] + layout.rows.read(layout.held[u(k)].row, D_.data(), push_.data());
  }
  solver_.solve(b_.data(), mu, true);
  std::fill(push_.begin(), push_.end(), 0.0);
  solver_.push(mu, push_.data());
  double shift = 0;
  for (int i = 0; i < n; ++i) {
    const double d = push_[u(layout.v_index(i))];
    shift = std::max(shift, std::abs(d));
    dq[i] += d;
  }
  return shift;
}

void HeldForces::displace(const System& system, const Workspace& w, const double* mu, double* dq) {
  const Layout& layout = system.layout();
  std::fill(push_.begin(), push_.end(), 0.0);
  for (int k = 0; k < system.layout().held_count(); ++k) {
    if (mu[k] != 0) solver_.respond(w, layout.held[u(k)].row, -mu[k], push_.data());
  }
  for (int i = 0; i < layout.free(); ++i) dq[i] = push_[u(layout.v_index(i))];
}

void HeldForces::take_inertia(const double* a, double* b) const {
  for (const Inertia& block : blocks_) {
    const double *x = a + block.unknown, *m = block.inertia.mass.data();
    double* y = b + block.unknown;
    if (block.diagonal) {
      for (int i = 0; i < block.inertia.count; ++i) y[i] -= m[i * (block.inertia.count + 1)] * x[i];
      continue;
    }
    for (int i = 0; i < block.inertia.count; ++i) {
      double sum = 0;
      for (int j = 0; j < block.inertia.count; ++j) sum += m[i * block.inertia.count + j] * x[j];
      y[i] -= sum;
    }
  }
}

}  // namespace bristle
