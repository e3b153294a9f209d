#pragma once
#include <utility>
#include <vector>

namespace bristle {

// Measures: a reading is how far B has moved relative to A. A force T that resists the reading pulls B back and A along:
// f = -coefficient * T. Each measure offers position, rate, push and each(index, coefficient) on an evaluation E of the system.

/// x_b - x_a: two coordinates, inlined everywhere.
struct Relative {
  int a = 0, b = 0;
  int push_a = a,
      push_b = b;  ///< where the force goes: an end on the ground has a slot of its own, so that elements do not wait in line
  double read(const double* x) const { return x[b] - x[a]; }
  template <class E>
  double position(const E& e) const {
    return read(e.q);
  }
  template <class E>
  double rate(const E& e) const {
    return read(e.v);
  }
  void push(double T, double* f) const {
    f[push_a] += T;
    f[push_b] -= T;
  }
  template <class E>
  void push(double T, E& e) const {
    push(T, e.f);
  }
  template <class E, class F>
  void each(const E&, F&& visit) const {
    visit(a, -1.0);
    visit(b, 1.0);
  }
};

/// Sum of coefficient * x: modal rows, given matrices, levers.
struct LinearForm {
  std::vector<std::pair<int, double>> terms;
  double read(const double* x) const {
    double sum = 0;
    for (const auto& [i, c] : terms) sum += c * x[i];
    return sum;
  }
  template <class E>
  double position(const E& e) const {
    return read(e.q);
  }
  template <class E>
  double rate(const E& e) const {
    return read(e.v);
  }
  template <class E>
  void push(double T, E& e) const {
    for (const auto& [i, c] : terms) e.f[i] -= c * T;
  }
  template <class E, class F>
  void each(const E&, F&& visit) const {
    for (const auto& [i, c] : terms) visit(i, c);
  }
};

/// A row of the system: a measure of bodies in space, evaluated once for everybody who acts on it.
struct RowMeasure {
  int row = 0;
  template <class E>
  double position(const E& e) const {
    return e.row_value[row];
  }
  template <class E>
  double rate(const E& e) const {
    return e.row_rate[row];
  }
  template <class E>
  void push(double T, E& e) const {
    e.row_force[row] += T;
  }
  template <class E, class F>
  void each(const E& e, F&& visit) const {
    e.rows->each(row, e.D, visit);
  }
};

/// A measure of rows; the others are sums of coordinates, whose coefficients never change.
template <class M>
concept OfRows = requires(const M& m) {
  m.row;
};
template <class M>
int row_of(const M& m) {
  if constexpr (OfRows<M>) return m.row;
  else return (void)m, -1;
}
/// Of a sum of coordinates: velocities and coefficients.
template <class M>
std::vector<std::pair<int, double>> columns_of(const M& m) {
  std::vector<std::pair<int, double>> columns;
  if constexpr (!OfRows<M>) m.each(0, [&](int v, double c) { columns.emplace_back(v, c); });
  return columns;
}

// Over a whole step (StepEval): the reading at its ends, the derivatives of the end by the increments, the coefficients at the start.
template <class M, class E>
double end_of(const M& m, const E& e, int k) {
  if constexpr (OfRows<M>) return e.value_ends[k][m.row];
  else return m.read(e.q_ends[k]);
}
template <class M, class E, class F>
void each_step(const M& m, const E& e, F&& visit) {
  if constexpr (OfRows<M>) e.rows->each(m.row, e.by_step, visit);
  else m.each(e, visit);
}
template <class M, class E, class F>
void each_start(const M& m, const E& e, F&& visit) {
  if constexpr (OfRows<M>) e.rows->each(m.row, e.D_start, visit);
  else m.each(e, visit);
}

/// Rate of a measure after the jump of an energy scheme.
template <class M, class E>
double jump_rate(const M& m, const E& e) {
  double rate = 0;
  each_start(m, e, [&](int i, double c) { rate += c * e.v_jump[i]; });
  return rate;
}

}  // namespace bristle
