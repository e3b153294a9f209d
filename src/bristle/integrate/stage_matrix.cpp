#include "bristle/integrate/stage_matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bristle/base/index.h"

namespace bristle {

namespace {
using Part = JacobianSink::Part;
}  // namespace

/// First call of a run of entries: collects the pattern. Later calls: adds values where the same sequence went before.
class StageMatrix::Sink final : public JacobianSink {
 public:
  Sink(StageMatrix& m, const Layout& layout, bool collect) : m_(m), layout_(layout), collect_(collect) {}

  void add(Part part, int row, int column, double value) override {
    if (collect_) {
      const bool by_lambda = part == Part::force_lambda || part == Part::rate_lambda;
      const bool memory_row = part == Part::rate_q || part == Part::rate_v || part == Part::rate_z || part == Part::rate_lambda;
      const bool memory_column = part == Part::force_z || part == Part::rate_z;
      const int r = memory_row ? m_.free_ + row : layout_.unknown(row);
      const int c = by_lambda ? m_.free_ + m_.memory_ + column : memory_column ? m_.free_ + column : layout_.unknown(column);
      entries.push_back(r < 0 || c < 0 ? std::pair{-1, -1} : std::pair{c, r});
      m_.array_.push_back(part == Part::mass ? 0 : by_lambda ? 3 : (part == Part::force_q || part == Part::rate_q) ? 2 : 1);
      return;
    }
    const int slot = m_.slot_[next_];
    const char array = m_.array_[next_];
    ++next_;
    if (slot < 0) return;
    if (array == 0) m_.mass_[u(slot)] += value;
    else if (array == 1) m_.speed_[u(slot)] -= value;
    else if (array == 2) m_.position_[u(slot)] -= value;
    else m_.rest_[u(slot)] -= value;
  }
  void add_block(Part part, const int* index, int count, const double* values) override {
    if (collect_) {
      JacobianSink::add_block(part, index, count, values);
      return;
    }
    const char array = m_.array_[next_];  // one for the whole block
    double* to = (array == 0 ? m_.mass_ : array == 1 ? m_.speed_ : array == 2 ? m_.position_ : m_.rest_).data();
    const double sign = array == 0 ? 1 : -1;
    const int* slot = &m_.slot_[next_];
    for (int k = 0; k < count * count; ++k) {
      if (slot[k] >= 0) to[slot[k]] += sign * values[k];
    }
    next_ += u(count * count);
  }
  std::vector<std::pair<int, int>> entries;  // column, row

 private:
  StageMatrix& m_;
  const Layout& layout_;
  bool collect_;
  std::size_t next_ = 0;
};

/// The rows of multipliers: held rows, and those of dry places.
void StageMatrix::collect_rows(const System& system) {
  const Layout& layout = system.layout();
  terms_.clear();
  rows_.assign(u(slots_), {});
  const auto add_row = [&](int slot, const auto& fill) {
    rows_[u(slot)].first = static_cast<int>(terms_.size());
    fill();
    rows_[u(slot)].last = static_cast<int>(terms_.size());
    for (int k = rows_[u(slot)].first; k < rows_[u(slot)].last; ++k) {
      pattern_.add(free_ + memory_ + slot, terms_[u(k)].unknown);
      pattern_.add(terms_[u(k)].unknown, free_ + memory_ + slot);
    }
  };
  const auto add_pieces = [&](int row, double arm, double force_arm) {
    for (const RowPiece* p = layout.rows.begin(row); p != layout.rows.end(row); ++p) {
      for (int k = 0; k < p->count; ++k) {
        const int i = layout.unknown(p->v + k);
        if (i >= 0) terms_.push_back({i, p->at + k, arm, force_arm, 0, 0});
      }
    }
  };
  for (int k = 0; k < held_; ++k) add_row(k, [&] { add_pieces(layout.held[u(k)].row, 1, 1); });
  for (const DryPlace& p : system.dry()) {
    for (int d = 0; d < p.components; ++d) {
      const RestRow& row = p.rows[u(d)];
      add_row(p.lambda + d, [&] { add_pieces(row.row, row.arm, row.force_arm); });
    }
  }
}

/// The three columns of an attitude get the same rows.
void StageMatrix::widen() {
  SparsePattern wider;
  std::vector<int> attitude(u(n_), -1);
  for (int first : turns_) std::fill_n(attitude.begin() + first, 3, first);
  for (int c = 0; c < n_; ++c) {
    const int first = attitude[u(c)] < 0 ? c : attitude[u(c)], count = attitude[u(c)] < 0 ? 1 : 3;
    for (int k = pattern_.begin(c); k < pattern_.end(c); ++k) {
      for (int i = 0; i < count; ++i) wider.add(pattern_.row(k), first + i);
    }
  }
  wider.compress(n_);
  pattern_ = std::move(wider);
}

void StageMatrix::prepare(const System& system, bool turns) {
  const Layout& layout = system.layout();
  turns_.clear();
  for (const FrameCoordinates& f : layout.frames) turns_.push_back(f.unknown + 3);
  free_ = layout.free();
  memory_ = layout.sizes.z;
  slots_ = layout.sizes.lambda;
  held_ = system.layout().held_count();
  choice_.prepare(system);
  n_ = free_ + memory_ + slots_;
  array_.clear();

  // pattern: what the blocks emit, the diagonal, the rows of multipliers
  const State x = system.make_state();
  Workspace w = system.make_workspace();
  Sink sink(*this, layout, true);
  system.calc_jacobian(x, w, sink);
  pattern_.clear();
  for (const auto& e : sink.entries) {
    if (e.first >= 0) pattern_.add(e.second, e.first);
  }
  for (int i = 0; i < n_; ++i) pattern_.add(i, i);
  collect_rows(system);
  pattern_.compress(n_);
  if (turns) widen();
  slot_.clear();
  for (const auto& e : sink.entries) slot_.push_back(e.first < 0 ? -1 : pattern_.at(e.second, e.first));
  diagonal_.clear();
  for (int i = 0; i < n_; ++i) diagonal_.push_back(pattern_.at(i, i));
  for (int s = 0; s < slots_; ++s) {
    const int h = free_ + memory_ + s;
    Row& row = rows_[u(s)];
    row.diagonal = pattern_.at(h, h);
    for (int k = row.first; k < row.last; ++k) {
      Term& t = terms_[u(k)];
      t.down = pattern_.at(h, t.unknown);
      t.across = pattern_.at(t.unknown, h);
    }
  }
  for (auto* part : {&mass_, &speed_, &position_, &hold_, &rest_, &swing_}) part->assign(u(pattern_.count()), 0);
  prepare_drift(system);
  soft_.assign(u(slots_), 0);
  coefficient_.assign(terms_.size(), 0);
  resting_.assign(u(slots_), 0);
  plain_.reset();
}

void StageMatrix::refresh(const System& system, const State& x, Workspace& w, Feedback feedback) {
  feedback_ = feedback;
  for (auto* part : {&mass_, &speed_, &position_, &hold_, &rest_, &swing_}) std::fill(part->begin(), part->end(), 0.0);
  Sink sink(*this, system.layout(), false);
  system.calc_jacobian(x, w, sink);
  // memory has unit inertia
  for (int i = free_; i < free_ + memory_; ++i) mass_[u(diagonal_[u(i)])] = 1;
  // rows of multipliers: the measure unchanged where it is held, no force where it is not
  const auto put = [&](int slot, bool active, std::vector<double>& rows, double softness) {
    const Row& row = rows_[u(slot)];
    active = active && row.first < row.last;  // a slip between driven coordinates: nothing holds it
    resting_[u(slot)] = active;
    soft_[u(slot)] = 0;
    if (!active) {
      rest_[u(row.diagonal)] = 1;
      // a held row that follows from others asks for nothing, but its multiplier pushes
      for (int k = row.first; k < row.last && slot < held_; ++k)
        rest_[u(terms_[u(k)].across)] += terms_[u(k)].force_arm * w.D[u(terms_[u(k)].at)];
      return;
    }
    double mobility = 0;
    for (int k = row.first; k < row.last; ++k) {
      const Term& t = terms_[u(k)];
      const double D = w.D[u(t.at)], slip = t.arm * D, force = t.force_arm * D;
      coefficient_[u(k)] = slip;
      rows[u(t.down)] += slip;
      rest_[u(t.across)] += force;
      mobility += slip * force / mass_[u(diagonal_[u(t.unknown)])];
    }
    soft_[u(slot)] = softness * mobility;
  };
  choice_.review(system, w);
  for (int k = 0; k < held_; ++k) put(k, !choice_.leaves_out(k), hold_, 1e-13);
  for (std::size_t i = 0; i < system.dry().size(); ++i) {
    const DryPlace& p = system.dry()[i];
    const bool rests = w.resting[i] != 0 && !p.marks(x).creeps();
    for (int d = 0; d < p.components; ++d) put(p.lambda + d, rests && !p.marks(x).is_loose(d), rest_, 1e-10);
  }
  for (const RigidPlace& p : system.rigid()) {  // solved apart
    for (int d = 0; d <= p.slips; ++d) put(p.lambda + d, false, rest_, 0);
  }
}

/// Inertias get colours: no held row meets two of one colour, so that all of a colour can be moved at once.
void StageMatrix::prepare_drift(const System& system) {
  const Layout& layout = system.layout();
  groups_.clear();
  touched_.assign(u(held_), {});
  colours_ = widest_ = 0;
  if (held_ == 0) return;
  for (const MassBlock& b : system.masses().blocks()) {
    groups_.push_back({b.v, layout.unknown(b.v), b.count, -1});
    widest_ = std::max(widest_, b.count);
  }
  std::vector<int> group_of(u(free_), -1);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (int i = 0; i < groups_[g].count; ++i) group_of[u(groups_[g].unknown + i)] = static_cast<int>(g);
  }
  std::vector<std::vector<int>> rows_of(groups_.size());
  for (int k = 0; k < held_; ++k) {
    for (int t = rows_[u(k)].first; t < rows_[u(k)].last; ++t) {
      const int g = group_of[u(terms_[u(t)].unknown)];
      if (std::find(touched_[u(k)].begin(), touched_[u(k)].end(), g) != touched_[u(k)].end()) continue;
      touched_[u(k)].push_back(g);
      rows_of[u(g)].push_back(k);
    }
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (rows_of[g].empty()) continue;
    std::vector<char> taken(groups_.size() + 1, 0);
    for (int k : rows_of[g]) {
      for (int other : touched_[u(k)]) {
        if (groups_[u(other)].colour >= 0) taken[u(groups_[u(other)].colour)] = 1;
      }
    }
    while (taken[u(++groups_[g].colour)]) {}
    colours_ = std::max(colours_, groups_[g].colour + 1);
  }
  attitude_.assign(u(free_), -1);
  for (const FrameCoordinates& f : layout.frames) attitude_[u(f.unknown + 3)] = f.v + 3;
  swung_ = system.make_state();
  there_ = system.make_workspace();
  drift_.assign(u(held_), 0);
}

void StageMatrix::follow_drift(const System& system, const State& x) {
  const Layout& layout = system.layout();
  std::fill(swing_.begin(), swing_.end(), 0.0);
  double by = 1;
  for (int i = 0; i < free_; ++i) by = std::max(by, std::abs(x.v()[layout.v_index(i)]));
  swung_ = x;
  const auto evaluate = [&] {
    Eval e = system.view(swung_, there_);
    system.calc_rows(e);  // with their drift
  };
  for (int colour = 0; colour < colours_; ++colour) {
    for (int i = 0; i < widest_; ++i) {
      const auto shift = [&](double to) {
        for (const Group& g : groups_) {
          if (g.colour == colour && i < g.count) swung_.v()[g.v + i] = x.v()[g.v + i] + to;
        }
      };
      shift(by);
      evaluate();
      for (int k = 0; k < held_; ++k) drift_[u(k)] = there_.row_drift[u(layout.held[u(k)].row)];
      shift(-by);
      evaluate();
      shift(0);
      for (int k = 0; k < held_; ++k) {
        if (!resting_[u(k)]) continue;
        for (int touched : touched_[u(k)]) {
          const Group& g = groups_[u(touched)];
          if (g.colour != colour || i >= g.count) continue;
          for (int t = rows_[u(k)].first; t < rows_[u(k)].last; ++t) {
            if (terms_[u(t)].unknown != g.unknown + i) continue;
            swing_[u(terms_[u(t)].down)] = (drift_[u(k)] - there_.row_drift[u(layout.held[u(k)].row)]) / (2 * by);
            break;
          }
        }
      }
    }
  }
}

/// The drift is the change of the rate D v along the motion, so its derivative by velocities is that of the rate by positions twice, once with both
/// exchanged. They are equal but for turns, which do not commute: by increments a of an attitude with the speed w they differ by D (a x w).
void StageMatrix::follow_rates(const System& system, const State& x) {
  follow_drift(system, x);
  for (double& value : swing_) value *= 0.5;
  for (int k = 0; k < held_; ++k) {
    const Row& row = rows_[u(k)];
    for (int t = row.first; t + 2 < row.last && resting_[u(k)] != 0; ++t) {
      const int v = attitude_[u(terms_[u(t)].unknown)];
      if (v < 0) continue;
      const double *w = x.v() + v, *d = &coefficient_[u(t)];
      const double cross[3] = {w[1] * d[2] - w[2] * d[1], w[2] * d[0] - w[0] * d[2], w[0] * d[1] - w[1] * d[0]};
      for (int i = 0; i < 3; ++i) swing_[u(terms_[u(t + i)].down)] += 0.5 * cross[i];
    }
  }
}

void StageMatrix::turn(const double* increments, bool rows) {
  for (int c : turns_) {
    const double* r = increments + c;
    if (r[0] == 0 && r[1] == 0 && r[2] == 0) continue;
    const std::array<double, 9> T = increment_turn({r[0], r[1], r[2]});
    const int count = pattern_.end(c) - pattern_.begin(c);
    for (auto* part : {&position_, &hold_}) {
      if (part == &hold_ && !rows) continue;
      double *x = part->data() + pattern_.begin(c), *y = x + count, *z = y + count;
      for (int k = 0; k < count; ++k) {
        const double a = x[k], b = y[k], d = z[k];
        x[k] = a * T[0] + b * T[3] + d * T[6];
        y[k] = a * T[1] + b * T[4] + d * T[7];
        z[k] = a * T[2] + b * T[5] + d * T[8];
      }
    }
  }
}

void StageMatrix::subtract_beside(double mass, const double* x, double* y) const {
  for (int c = 0; c < n_; ++c) {
    if (x[c] == 0) continue;
    for (int k = pattern_.begin(c); k < pattern_.end(c); ++k)
      y[pattern_.row(k)] -= (mass * mass_[u(k)] + speed_[u(k)] + rest_[u(k)]) * x[c];
  }
}

void StageMatrix::subtract_by_memory(const double* z, double* y) const {
  for (int c = free_; c < free_ + memory_; ++c) {
    for (int k = pattern_.begin(c); k < pattern_.end(c); ++k) {
      if (pattern_.row(k) < free_ + memory_) y[pattern_.row(k)] += speed_[u(k)] * z[c - free_];
    }
  }
}

void StageMatrix::dense_jacobian(const System& system, const State& x, const Workspace& w, Multipliers& kernel, double* J) const {
  const Layout& layout = system.layout();
  const int n = 2 * free_ + memory_, nv = layout.sizes.v;
  std::fill_n(J, n * n, 0.0);
  for (int i = 0; i < free_; ++i) J[i * n + free_ + i] = 1;
  if (system.layout().spatial()) {
    // accelerations, rates of memory and multipliers from what pushes them
    if (!plain_) {
      plain_ = std::make_unique<Factors<double>>();
      plain_->reserve(*this);
      column_.assign(u(n_), 0);
    }
    if (!plain_->factor(*this, {1, 0, 0, 1})) return;
    const auto column = [&](const std::vector<double>& values, int c, int at, double feedback, double swing) {
      std::fill(column_.begin(), column_.end(), 0.0);
      for (int k = pattern_.begin(c); k < pattern_.end(c); ++k) {
        if (pattern_.row(k) < free_ + memory_) column_[u(pattern_.row(k))] = -values[u(k)];
        else column_[u(pattern_.row(k))] = -feedback * hold_[u(k)] - swing * swing_[u(k)];
      }
      plain_->solve_plain(*this, column_.data());
      for (int r = 0; r < free_ + memory_; ++r) J[(free_ + r) * n + at] = column_[u(r)];
    };
    for (int c = 0; c < free_; ++c) column(position_, c, c, feedback_.stiffness, 0);
    for (int c = 0; c < free_ + memory_; ++c) column(speed_, c, free_ + c, feedback_.damping, 1);
    return;
  }
  std::vector<double> f(u(nv)), a(u(nv));
  // column c of the derivatives by position (array position_) or by speed and memory (array speed_)
  const auto column = [&](const std::vector<double>& values, int c, int at) {
    std::fill(f.begin(), f.end(), 0.0);
    std::fill(a.begin(), a.end(), 0.0);
    for (int k = pattern_.begin(c); k < pattern_.end(c); ++k) {
      const int r = pattern_.row(k);
      if (r < free_) f[u(layout.v_index(r))] = -values[u(k)];
      else if (r < free_ + memory_) J[(free_ + r) * n + at] = -values[u(k)];
    }
    system.masses().solve(x.q(), f.data(), a.data());
    kernel.project(system, w, a.data());
    for (int r = 0; r < free_; ++r) J[(free_ + r) * n + at] = a[u(layout.v_index(r))];
  };
  for (int c = 0; c < free_; ++c) column(position_, c, c);
  for (int c = 0; c < free_ + memory_; ++c) column(speed_, c, free_ + c);
}

template <class T>
void StageMatrix::Factors<T>::reserve(const StageMatrix& m) {
  rhs_.assign(u(m.n_), T(0));
  if (m.sparse()) {
    values_.assign(u(m.pattern_.count()), T(0));
    sparse_.analyse(m.pattern_);
  } else {
    dense_.reserve(m.n_);
  }
}

template <class T>
bool StageMatrix::Factors<T>::factor(const StageMatrix& m, const Weights<T>& weight) {
  const T soft = T(1) / weight.mass;
  const auto value = [&](std::size_t k) {
    return weight.mass * m.mass_[k] + weight.speed * m.speed_[k] + weight.position * m.position_[k] + weight.hold * m.hold_[k] +
           weight.swing * m.swing_[k] + m.rest_[k];
  };
  if (m.sparse()) {
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = value(k);
    for (int s = 0; s < m.slots_; ++s) values_[u(m.rows_[u(s)].diagonal)] -= soft * m.soft_[u(s)];
    return sparse_.factor(values_.data());
  }
  T* a = dense_.matrix();
  std::fill_n(a, m.n_ * m.n_, T(0));
  for (int c = 0; c < m.n_; ++c) {
    for (int k = m.pattern_.begin(c); k < m.pattern_.end(c); ++k) a[m.pattern_.row(k) * m.n_ + c] = value(u(k));
  }
  for (int s = 0; s < m.slots_; ++s) {
    const int h = m.free_ + m.memory_ + s;
    a[h * m.n_ + h] -= soft * m.soft_[u(s)];
  }
  return dense_.factor();
}

template <class T>
void StageMatrix::Factors<T>::solve_plain(const StageMatrix& m, T* b) const {
  if (m.sparse()) sparse_.solve(b);
  else dense_.solve(b);
}

template <class T>
bool StageMatrix::Factors<T>::factor(const StageMatrix& m, T g, Level level) {
  g_ = g;
  level_ = level;
  const T inverse = T(1) / g;
  const T hold = level == Level::acceleration ? T(1) + inverse * (m.feedback_.damping + inverse * m.feedback_.stiffness) : T(1);
  return factor(m, Weights<T>{g, T(1), inverse, hold, level == Level::position ? T(0) : inverse});
}

template <class T>
void StageMatrix::Factors<T>::solve(const StageMatrix& m, T* r, T* rows) {
  const int n = m.free_, nz = m.memory_;
  const T inverse = T(1) / g_;
  T* b = rhs_.data();
  std::fill_n(b, m.n_, T(0));
  const T *rq = r, *rv = r + n;  // rv is followed by rz
  for (int c = 0; c < n + nz; ++c) {
    const T by_mass = rv[c];
    const T by_position = c < n ? -inverse * rq[c] : T(0);
    for (int k = m.pattern_.begin(c); k < m.pattern_.end(c); ++k) {
      b[m.pattern_.row(k)] += m.mass_[u(k)] * by_mass + m.position_[u(k)] * by_position;
    }
  }
  for (int s = 0; s < m.slots_; ++s) {
    const Row& row = m.rows_[u(s)];
    T sum = T(0);
    if (!m.resting_[u(s)]) {
      b[n + nz + s] = sum;
      continue;
    }
    const bool held = s < m.held_;
    if (level_ == Level::acceleration) {
      // D (g dv - rv) + damping D dv + stiffness D dq = 0, over g
      const T back = held ? inverse * m.feedback_.stiffness : T(0);
      for (int k = row.first; k < row.last; ++k) {
        const int i = m.terms_[u(k)].unknown;
        sum += m.coefficient_[u(k)] * (rv[i] - back * rq[i]);
      }
      sum *= inverse;
    } else if (held && level_ == Level::position) {
      for (int k = row.first; k < row.last; ++k) sum -= m.coefficient_[u(k)] * rq[m.terms_[u(k)].unknown];
      sum += g_ * rows[s];
    } else {
      sum = held ? rows[s] - inverse * m.rate_by(s, rq) : rows[s];
    }
    b[n + nz + s] = sum;
  }
  solve_plain(m, b);
  for (int i = 0; i < n; ++i) r[i] = (rq[i] + b[i]) * inverse;
  for (int i = 0; i < n + nz; ++i) r[n + i] = b[i];
  if (rows) std::copy_n(b + n + nz, m.slots_, rows);
}

template class StageMatrix::Factors<double>;
template class StageMatrix::Factors<std::complex<double>>;

}  // namespace bristle
