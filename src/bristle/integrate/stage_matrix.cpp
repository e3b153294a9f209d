#include "bristle/integrate/stage_matrix.h"

#include <algorithm>
#include <map>

namespace bristle {

namespace {
std::size_t u(int i) { return static_cast<std::size_t>(i); }
using Part = JacobianSink::Part;
}  // namespace

/// First call of a run of entries: collects the pattern. Later calls: adds values where the same sequence went before.
class StageMatrix::Sink final : public JacobianSink {
 public:
  Sink(StageMatrix& m, const Layout& layout, bool collect) : m_(m), layout_(layout), collect_(collect) {}

  void add(Part part, int row, int column, double value) override {
    if (collect_) {
      const bool memory_row = part == Part::rate_q || part == Part::rate_v || part == Part::rate_z;
      const bool memory_column = part == Part::force_z || part == Part::rate_z;
      const int r = memory_row ? m_.free_ + row : layout_.unknown(row);
      const int c = memory_column ? m_.free_ + column : layout_.unknown(column);
      entries.push_back(r < 0 || c < 0 ? std::pair{-1, -1} : std::pair{c, r});
      m_.array_.push_back(part == Part::mass ? 0 : (part == Part::force_q || part == Part::rate_q) ? 2 : 1);
      return;
    }
    const int slot = m_.slot_[next_];
    const char array = m_.array_[next_];
    ++next_;
    if (slot < 0) return;
    if (array == 0) m_.mass_[u(slot)] += value;
    else if (array == 1) m_.speed_[u(slot)] -= value;
    else m_.place_[u(slot)] -= value;
  }
  std::vector<std::pair<int, int>> entries;  // column, row

 private:
  StageMatrix& m_;
  const Layout& layout_;
  bool collect_;
  std::size_t next_ = 0;
};

void StageMatrix::prepare(const System& system) {
  const Layout& layout = system.layout();
  free_ = layout.free();
  memory_ = layout.sizes.z;
  held_ = layout.sizes.lambda;
  n_ = free_ + memory_ + held_;
  array_.clear();

  // pattern: what the blocks emit, the diagonal, the held rows
  const State x = system.make_state();
  Workspace w = system.make_workspace();
  Sink sink(*this, layout, true);
  system.calc_jacobian(x, w, sink);
  std::map<std::pair<int, int>, int> place;
  for (const auto& e : sink.entries) {
    if (e.first >= 0) place[e] = 0;
  }
  for (int i = 0; i < n_; ++i) place[{i, i}] = 0;
  slip_.clear();
  softness_.assign(u(held_), 0);
  for (const DryPlace& p : system.dry()) {
    for (int d = 0; d < p.components; ++d) {
      const RestRow& row = p.rows[u(d)];
      const int h = free_ + memory_ + p.lambda + d;
      std::vector<std::pair<int, double>> terms;
      std::vector<double> f(u(layout.sizes.v), 0), a(u(layout.sizes.v), 0);
      for (std::size_t k = 0; k < row.index.size(); ++k) {
        const int i = layout.unknown(row.index[k]);
        if (i < 0) continue;
        place[{i, h}] = 0;
        place[{h, i}] = 0;
        terms.push_back({i, row.slip[k]});
        f[u(row.index[k])] += row.force[k];
      }
      slip_.push_back(terms);
      system.solve_mass(x.q(), f.data(), a.data());
      double mobility = 0;
      for (std::size_t k = 0; k < row.index.size(); ++k) {
        if (layout.unknown(row.index[k]) >= 0) mobility += row.slip[k] * a[u(row.index[k])];
      }
      softness_[u(p.lambda + d)] = 1e-10 * mobility;
    }
  }
  starts_.assign(u(n_ + 1), 0);
  rows_.clear();
  int next = 0;
  for (auto& [key, slot] : place) {  // ordered by column, then row
    slot = next++;
    rows_.push_back(key.second);
    starts_[u(key.first + 1)] = next;
  }
  for (int c = 0; c < n_; ++c) starts_[u(c + 1)] = std::max(starts_[u(c + 1)], starts_[u(c)]);
  slot_.clear();
  for (const auto& e : sink.entries) slot_.push_back(e.first < 0 ? -1 : place[e]);
  held_rows_.clear();
  for (const DryPlace& p : system.dry()) {
    for (int d = 0; d < p.components; ++d) {
      const int h = free_ + memory_ + p.lambda + d;
      HeldRow row;
      for (int index : p.rows[u(d)].index) {
        const int i = layout.unknown(index);
        row.slip_slot.push_back(i < 0 ? -1 : place[{i, h}]);
        row.force_slot.push_back(i < 0 ? -1 : place[{h, i}]);
      }
      row.diagonal = place[{h, h}];
      held_rows_.push_back(std::move(row));
    }
  }
  const std::size_t entries = rows_.size();
  mass_.assign(entries, 0);
  speed_.assign(entries, 0);
  place_.assign(entries, 0);
  resting_.assign(u(held_), 0);
}

void StageMatrix::refresh(const System& system, const State& x, Workspace& w) {
  std::fill(mass_.begin(), mass_.end(), 0.0);
  std::fill(speed_.begin(), speed_.end(), 0.0);
  std::fill(place_.begin(), place_.end(), 0.0);
  Sink sink(*this, system.layout(), false);
  system.calc_jacobian(x, w, sink);
  // memory has unit inertia
  for (int i = free_; i < free_ + memory_; ++i) {
    for (int k = starts_[u(i)]; k < starts_[u(i + 1)]; ++k) {
      if (rows_[u(k)] == i) mass_[u(k)] = 1;
    }
  }
  // held rows: slip unchanged where a place rests, no force where it does not
  for (std::size_t i = 0; i < system.dry().size(); ++i) {
    const DryPlace& p = system.dry()[i];
    for (int d = 0; d < p.components; ++d) {
      const int slot = p.lambda + d;
      const RestRow& row = p.rows[u(d)];
      HeldRow& h = held_rows_[u(slot)];
      resting_[u(slot)] = w.resting[i];
      if (!w.resting[i]) {
        speed_[u(h.diagonal)] = 1;
        continue;
      }
      for (std::size_t k = 0; k < row.index.size(); ++k) {
        if (h.slip_slot[k] < 0) continue;
        speed_[u(h.slip_slot[k])] += row.slip[k];
        speed_[u(h.force_slot[k])] += row.force[k];
      }
      place_[u(h.diagonal)] = -softness_[u(slot)];
    }
  }
}

void StageMatrix::dense_jacobian(const System& system, const State& x, const Workspace& w, Multipliers& kernel, double* J) const {
  const Layout& layout = system.layout();
  const int n = 2 * free_ + memory_, nv = layout.sizes.v;
  std::fill_n(J, n * n, 0.0);
  for (int i = 0; i < free_; ++i) J[i * n + free_ + i] = 1;
  std::vector<double> f(u(nv)), a(u(nv));
  // column c of the derivatives by position (array place_) or by speed and memory (array speed_)
  const auto column = [&](const std::vector<double>& values, int c, int at) {
    std::fill(f.begin(), f.end(), 0.0);
    std::fill(a.begin(), a.end(), 0.0);
    for (int k = starts_[u(c)]; k < starts_[u(c + 1)]; ++k) {
      const int r = rows_[u(k)];
      if (r < free_) f[u(layout.v_index(r))] = -values[u(k)];
      else if (r < free_ + memory_) J[(free_ + r) * n + at] = -values[u(k)];
    }
    system.solve_mass(x.q(), f.data(), a.data());
    kernel.project(system, w, a.data());
    for (int r = 0; r < free_; ++r) J[(free_ + r) * n + at] = a[u(layout.v_index(r))];
  };
  for (int c = 0; c < free_; ++c) column(place_, c, c);
  for (int c = 0; c < free_ + memory_; ++c) column(speed_, c, free_ + c);
}

template <class T>
void StageMatrix::Factors<T>::reserve(const StageMatrix& m) {
  rhs_.assign(u(m.n_), T(0));
  if (m.sparse()) {
    values_.assign(m.rows_.size(), T(0));
    sparse_.analyse(m.n_, m.starts_, m.rows_);
  } else {
    dense_.reserve(m.n_);
  }
}

template <class T>
bool StageMatrix::Factors<T>::factor(const StageMatrix& m, T g) {
  g_ = g;
  const T inverse = T(1) / g;
  if (m.sparse()) {
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = g * m.mass_[k] + m.speed_[k] + inverse * m.place_[k];
    return sparse_.factor(values_.data());
  }
  T* a = dense_.matrix();
  std::fill_n(a, m.n_ * m.n_, T(0));
  for (int c = 0; c < m.n_; ++c) {
    for (int k = m.starts_[u(c)]; k < m.starts_[u(c + 1)]; ++k) {
      a[m.rows_[u(k)] * m.n_ + c] = g * m.mass_[u(k)] + m.speed_[u(k)] + inverse * m.place_[u(k)];
    }
  }
  return dense_.factor();
}

template <class T>
void StageMatrix::Factors<T>::solve(const StageMatrix& m, T* r) {
  const int n = m.free_, nz = m.memory_;
  const T inverse = T(1) / g_;
  T* b = rhs_.data();
  std::fill_n(b, m.n_, T(0));
  const T *rq = r, *rv = r + n;  // rv is followed by rz
  for (int c = 0; c < n + nz; ++c) {
    const T by_mass = rv[c];
    const T by_place = c < n ? -inverse * rq[c] : T(0);
    for (int k = m.starts_[u(c)]; k < m.starts_[u(c + 1)]; ++k) {
      b[m.rows_[u(k)]] += m.mass_[u(k)] * by_mass + m.place_[u(k)] * by_place;
    }
  }
  for (int s = 0; s < m.held_; ++s) {
    T sum = T(0);
    if (m.resting_[u(s)]) {
      for (const auto& [i, c] : m.slip_[u(s)]) sum += c * rv[i];
      sum *= inverse;
    }
    b[n + nz + s] = sum;
  }
  if (m.sparse()) sparse_.solve(b);
  else dense_.solve(b);
  for (int i = 0; i < n; ++i) r[i] = (rq[i] + b[i]) * inverse;
  for (int i = 0; i < n + nz; ++i) r[n + i] = b[i];
}

template class StageMatrix::Factors<double>;
template class StageMatrix::Factors<std::complex<double>>;

}  // namespace bristle
