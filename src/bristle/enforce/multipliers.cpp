#include "bristle/enforce/multipliers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {

namespace {
std::size_t u(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void Multipliers::prepare(const System& system) {
  const Layout& layout = system.layout();
  const int nv = layout.sizes.v;
  rows_ = layout.sizes.lambda;
  first_row_.clear();
  response_.assign(u(rows_ * nv), 0);
  coupling_.assign(u(rows_ * rows_), 0);
  const State x = system.make_state();
  std::vector<double> f(u(nv)), a(u(nv));
  int r = 0;
  for (const DryPlace& p : system.dry()) {
    first_row_.push_back(r);
    for (const RestRow& row : p.rows) {
      std::fill(f.begin(), f.end(), 0.0);
      std::fill(a.begin(), a.end(), 0.0);
      for (std::size_t i = 0; i < row.index.size(); ++i) {
        if (layout.unknown(row.index[i]) >= 0) f[u(row.index[i])] += row.force[i];
      }
      system.solve_mass(x.q(), f.data(), a.data());
      std::copy(a.begin(), a.end(), response_.begin() + r * nv);
      ++r;
    }
  }
  r = 0;
  for (const DryPlace& p : system.dry()) {
    for (const RestRow& row : p.rows) {
      for (int s = 0; s < rows_; ++s) {
        for (std::size_t i = 0; i < row.index.size(); ++i) {
          coupling_[u(r * rows_ + s)] += row.slip[i] * response_[u(s * nv + row.index[i])];
        }
      }
      ++r;
    }
  }
  solver_.reserve(rows_);
  held_.reserve(u(rows_));
  free_.assign(u(rows_), 0);
  force_.assign(u(rows_), 0);
  sub_.assign(u(rows_ * rows_), 0);
  rhs_.assign(u(rows_), 0);
  solution_.assign(u(rows_), 0);
  fixed_.assign(system.dry().size(), 0);
  view_.resize(system.dry().size());
}

void Multipliers::solve_held_system(const System& system, const State& x, Workspace& w) {
  const Layout& layout = system.layout();
  double* a = w.a.data();
  system.solve_mass(x.q(), w.f.data(), a);
  for (int k = layout.scalars; k < layout.ground; ++k) a[k] = x.a()[k];
  if (rows_ > 0) hold(system, x, w);
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
  const int nv = system.layout().sizes.v;

  // who rests
  held_.clear();
  std::fill(w.lambda.begin(), w.lambda.end(), 0.0);
  for (int i = 0; i < static_cast<int>(dry.size()); ++i) {
    const DryPlace& p = dry[u(i)];
    fixed_[u(i)] = 0;
    if (w.rest == RestRule::events) {
      w.resting[u(i)] = x.marks()[p.mark] == static_cast<double>(Mode::stick);
      if (w.resting[u(i)]) p.owner->view(e, p.item, view_[u(i)]);
    } else {
      p.owner->view(e, p.item, view_[u(i)]);
      w.resting[u(i)] = view_[u(i)].resting;
    }
    if (!w.resting[u(i)]) continue;
    for (int d = 0; d < p.components; ++d) held_.push_back({i, d, first_row_[u(i)] + d});
  }
  if (held_.empty()) return;

  // slip accelerations without the held forces
  for (const Entry& h : held_) {
    const RestRow& row = dry[u(h.place)].rows[u(h.component)];
    double s = 0;
    for (std::size_t k = 0; k < row.index.size(); ++k) s += row.slip[k] * w.a[u(row.index[k])];
    free_[u(h.row)] = s;
    force_[u(h.row)] = 0;
  }

  // hold all; release those that cannot, one round after the other
  for (std::size_t round = 0; round <= dry.size(); ++round) {
    solve_held();
    bool changed = false;
    for (std::size_t k = 0; k < held_.size(); k += u(dry[u(held_[k].place)].components)) {
      const int i = held_[k].place;
      const DryPlace& p = dry[u(i)];
      if (fixed_[u(i)]) continue;
      double* F = &force_[u(first_row_[u(i)])];
      if (w.rest == RestRule::threshold) {
        double at_rest[3] = {0, 0, 0};
        const double mobility = coupling_[u(first_row_[u(i)] * (rows_ + 1))];
        if (!p.owner->at_rest(e, p.item, F, mobility, at_rest)) {
          std::copy_n(at_rest, p.components, F);
          fixed_[u(i)] = 1;
          changed = true;
        }
      } else if (held_.size() > u(p.components)) {
        // several places share a load that one of them cannot carry: it gives what it can, the others the rest
        double size = 0;
        for (int d = 0; d < p.components; ++d) size += F[d] * F[d];
        size = std::sqrt(size);
        if (size > view_[u(i)].limit * (1 + 1e-12)) {
          for (int d = 0; d < p.components; ++d) F[d] *= view_[u(i)].limit / size;
          fixed_[u(i)] = 2;
          changed = true;
        }
      }
    }
    if (!changed) break;
  }

  // a place at its limit under `events` either still rests, because others carry the rest, or must be let go by the guards
  if (w.rest == RestRule::events) {
    bool overloaded = false;
    for (const Entry& h : held_) {
      if (!fixed_[u(h.place)]) continue;
      double s = free_[u(h.row)];
      double scale = std::abs(s);
      for (const Entry& g : held_) {
        const double part = coupling_[u(h.row * rows_ + g.row)] * force_[u(g.row)];
        s -= part;
        scale += std::abs(part);
      }
      if (std::abs(s) > 1e-9 * scale) overloaded = true;
    }
    if (overloaded) {
      for (const Entry& h : held_) fixed_[u(h.place)] = 0;
      solve_held();
    }
  }

  // push the forces back
  for (const Entry& h : held_) {
    const DryPlace& p = dry[u(h.place)];
    const RestRow& row = p.rows[u(h.component)];
    const double F = force_[u(h.row)];
    for (std::size_t k = 0; k < row.index.size(); ++k) w.f[u(row.index[k])] -= row.force[k] * F;
    const double* response = &response_[u(h.row * nv)];
    for (int k = 0; k < nv; ++k) w.a[u(k)] -= response[k] * F;
    w.lambda[u(p.lambda + h.component)] = F;
    w.power[u(p.account)] += F * view_[u(h.place)].slip[h.component];
  }
  // a held slip that rests on one free coordinate keeps it exactly, free of round-off
  const Layout& layout = system.layout();
  for (const Entry& h : held_) {
    if (fixed_[u(h.place)] == 1) continue;
    const RestRow& row = dry[u(h.place)].rows[u(h.component)];
    int own = -1;
    double rest = 0, coefficient = 0;
    bool single = true;
    for (std::size_t k = 0; k < row.index.size(); ++k) {
      if (layout.unknown(row.index[k]) < 0) {
        rest += row.slip[k] * w.a[u(row.index[k])];
      } else if (own < 0) {
        own = row.index[k];
        coefficient = row.slip[k];
      } else {
        single = false;
      }
    }
    if (single && own >= 0) w.a[u(own)] = -rest / coefficient + 0.0;
  }
}

void Multipliers::solve_held() {
  // unknown are the forces of the places that are not fixed
  int n = 0;
  for (const Entry& h : held_) {
    if (fixed_[u(h.place)]) continue;
    double b = free_[u(h.row)];
    int m = 0;
    for (const Entry& g : held_) {
      if (fixed_[u(g.place)]) {
        b -= coupling_[u(h.row * rows_ + g.row)] * force_[u(g.row)];
      } else {
        ++m;
      }
    }
    int c = 0;
    for (const Entry& g : held_) {
      if (!fixed_[u(g.place)]) sub_[u(n * m + c++)] = coupling_[u(h.row * rows_ + g.row)];
    }
    rhs_[u(n++)] = b;
  }
  if (n == 0) return;
  solver_.solve(n, sub_.data(), rhs_.data(), solution_.data());
  int c = 0;
  for (const Entry& h : held_) {
    if (!fixed_[u(h.place)]) force_[u(h.row)] = solution_[u(c++)];
  }
}

void Multipliers::resolve_modes(const System& system, State& x, Workspace& w, const std::vector<int>& candidates,
                                const std::vector<int>& released) {
  const std::vector<DryPlace>& dry = system.dry();
  const auto set = [&](int i, Mode mode, const double* dir) {
    double* mark = x.marks() + dry[u(i)].mark;
    mark[0] = static_cast<double>(mode);
    for (int d = 0; d < dry[u(i)].components; ++d) mark[1 + d] = dir ? dir[d] : 0;
  };
  const auto sticks = [&](int i) { return x.marks()[dry[u(i)].mark] == static_cast<double>(Mode::stick); };
  const auto is_released = [&](int i) { return std::find(released.begin(), released.end(), i) != released.end(); };
  for (int i : candidates) set(i, Mode::stick, nullptr);
  // let go, one after the other, whoever is overloaded most, along the force that would have held it; take back who was let go
  // but would start against its friction, because letting go of another one has turned the balance
  const std::size_t rounds = 4 * candidates.size() + 4;
  for (std::size_t round = 0; round < rounds; ++round) {
    evaluate(system, x, w);
    int worst = -1;
    double excess = 0, worst_dir[3] = {0, 0, 0};
    for (int i : candidates) {
      if (!sticks(i)) continue;
      const double* F = &w.lambda[u(dry[u(i)].lambda)];
      double size = 0;
      for (int d = 0; d < dry[u(i)].components; ++d) size += F[d] * F[d];
      size = std::sqrt(size);
      const double over = size - view_[u(i)].limit;
      if (is_released(i) ? over > -1e-6 * size : over > 1e-12 * size && over > excess) {
        excess = is_released(i) ? std::numeric_limits<double>::infinity() : over;
        worst = i;
        for (int d = 0; d < dry[u(i)].components; ++d) worst_dir[d] = F[d] / size;
      }
    }
    if (worst >= 0) {
      set(worst, Mode::slip, worst_dir);
      continue;
    }
    bool taken_back = false;
    for (int i : candidates) {
      if (sticks(i) || is_released(i)) continue;
      const DryPlace& p = dry[u(i)];
      double along = 0;
      for (int d = 0; d < p.components; ++d) {
        const RestRow& row = p.rows[u(d)];
        double s = 0;
        for (std::size_t k = 0; k < row.index.size(); ++k) s += row.slip[k] * w.a[u(row.index[k])];
        along += s * x.marks()[p.mark + 1 + d];
      }
      if (along < 0 && round + 1 < rounds) {
        set(i, Mode::stick, nullptr);
        taken_back = true;
        break;
      }
    }
    if (!taken_back) return;
  }
  evaluate(system, x, w);
}

void Multipliers::project(const System& system, const Workspace& w, double* a) {
  const std::vector<DryPlace>& dry = system.dry();
  const int nv = system.layout().sizes.v;
  held_.clear();
  std::fill(fixed_.begin(), fixed_.end(), char{0});
  for (int i = 0; i < static_cast<int>(dry.size()); ++i) {
    if (!w.resting[u(i)]) continue;
    for (int d = 0; d < dry[u(i)].components; ++d) {
      const RestRow& row = dry[u(i)].rows[u(d)];
      held_.push_back({i, d, first_row_[u(i)] + d});
      double s = 0;
      for (std::size_t k = 0; k < row.index.size(); ++k) s += row.slip[k] * a[row.index[k]];
      free_[u(first_row_[u(i)] + d)] = s;
    }
  }
  if (held_.empty()) return;
  solve_held();
  for (const Entry& h : held_) {
    const double* response = &response_[u(h.row * nv)];
    for (int k = 0; k < nv; ++k) a[k] -= response[k] * force_[u(h.row)];
  }
}

double Multipliers::stop_slips(const System& system, State& x, Workspace& w, const std::vector<int>& places) {
  if (places.empty()) return 0;
  const std::vector<DryPlace>& dry = system.dry();
  const int nv = system.layout().sizes.v;
  const double before = system.calc_energy(x, w).kinetic;
  held_.clear();
  std::fill(fixed_.begin(), fixed_.end(), char{0});
  for (int i : places) {
    for (int d = 0; d < dry[u(i)].components; ++d) held_.push_back({i, d, first_row_[u(i)] + d});
  }
  for (const Entry& h : held_) {
    const RestRow& row = dry[u(h.place)].rows[u(h.component)];
    double s = 0;
    for (std::size_t k = 0; k < row.index.size(); ++k) s += row.slip[k] * x.v()[row.index[k]];
    free_[u(h.row)] = s;
  }
  solve_held();
  for (const Entry& h : held_) {
    const double* response = &response_[u(h.row * nv)];
    for (int k = 0; k < nv; ++k) x.v()[k] -= response[k] * force_[u(h.row)];
  }
  // exact where the slip rests on one free coordinate
  const Layout& layout = system.layout();
  for (const Entry& h : held_) {
    const RestRow& row = dry[u(h.place)].rows[u(h.component)];
    int own = -1, count = 0;
    double rest = 0, coefficient = 1;
    for (std::size_t k = 0; k < row.index.size(); ++k) {
      if (layout.unknown(row.index[k]) < 0) {
        rest += row.slip[k] * x.v()[row.index[k]];
      } else {
        own = row.index[k];
        coefficient = row.slip[k];
        ++count;
      }
    }
    if (count == 1) x.v()[own] = -rest / coefficient + 0.0;
  }
  return before - system.calc_energy(x, w).kinetic;
}

}  // namespace bristle
