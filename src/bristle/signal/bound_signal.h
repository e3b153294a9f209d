#pragma once
#include <cassert>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bristle/signal/signal.h"

namespace bristle {

/// A signal whose inputs are bound to numbers of the state: time, linear forms of q or v, memory, marks.
class BoundSignal {
 public:
  struct Reading {
    Signal::Input::Kind kind = Signal::Input::Kind::time;
    std::vector<std::pair<int, double>> terms;  ///< index and factor
  };
  static constexpr int kMaxReadings = 16;  ///< more are refused when an expression is bound

  BoundSignal() = default;
  explicit BoundSignal(double constant) : signal_(constant), constant_(constant) {}
  BoundSignal(Signal signal, std::vector<Reading> readings)
      : signal_(std::move(signal)), readings_(std::move(readings)), constant_(signal_.is_constant() ? signal_.constant() : 0) {
    if (readings_.size() > kMaxReadings)
      throw std::length_error("an expression is bound to " + std::to_string(readings_.size()) + " readings; there is room for " +
                              std::to_string(kMaxReadings));
    assert(readings_.size() == signal_.inputs().size());
  }

  bool is_constant() const { return readings_.empty(); }
  const std::vector<Reading>& readings() const { return readings_; }
  const Signal& signal() const { return signal_; }

  /// E has t, q, v, z, marks, row_value and row_rate: an evaluation of the system.
  template <class E>
  double value(const E& e) const {
    if (readings_.empty()) return constant_;
    double in[kMaxReadings];
    read_inputs(e, in);
    return signal_.eval<double>(in);
  }
  /// What the expression reads, one number per reading.
  template <class E>
  void read_inputs(const E& e, double* in) const {
    for (std::size_t i = 0; i < readings_.size(); ++i) in[i] = read(readings_[i], e);
  }
  /// Value and its derivative by each reading.
  template <class E>
  double value(const E& e, double* by_reading) const {
    if (readings_.empty()) return constant_;
    constexpr int N = 4;
    const int n = static_cast<int>(readings_.size());
    Dual<N> in[kMaxReadings];
    double result = 0;
    for (int first = 0; first < n; first += N) {
      for (int i = 0; i < n; ++i) {
        const double x = read(readings_[static_cast<std::size_t>(i)], e);
        in[i] = i >= first && i < first + N ? Dual<N>::variable(x, i - first) : Dual<N>(x);
      }
      const Dual<N> y = signal_.eval<Dual<N>>(in);
      result = y.value;
      for (int i = first; i < n && i < first + N; ++i) by_reading[i] = y.d[static_cast<std::size_t>(i - first)];
    }
    return result;
  }
  /// Second derivative by two readings.
  template <class E>
  double second(const E& e, int by, int and_by) const {
    using Inner = Dual<1>;
    using Outer = Dual<1, Inner>;
    if (readings_.empty()) return 0;
    Outer in[kMaxReadings];
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      in[i].value.value = read(readings_[i], e);
      in[i].value.d[0] = static_cast<int>(i) == by ? 1 : 0;
      in[i].d[0].value = static_cast<int>(i) == and_by ? 1 : 0;
    }
    return signal_.eval<Outer>(in).d[0].d[0];
  }
  /// Value, first and second time derivative of a signal of time alone.
  void motion(double t, double& x, double& v, double& a) const {
    if (readings_.empty()) {
      x = constant_;
      v = a = 0;
      return;
    }
    using Inner = Dual<1>;
    using Outer = Dual<1, Inner>;
    Outer time;
    time.value = Inner::variable(t, 0);
    time.d[0] = Inner(1.0);
    Outer in[kMaxReadings];
    for (std::size_t i = 0; i < readings_.size(); ++i) in[i] = time;
    const Outer y = signal_.eval<Outer>(in);
    x = y.value.value;
    v = y.d[0].value;
    a = y.d[0].d[0];
  }

  /// Value, first and second derivative by time of a signal of time, scalar coordinates and rows, while accelerations are zero.
  template <class E>
  void motion_along(const E& e, double& x, double& v, double& a) const {
    using Kind = Signal::Input::Kind;
    using Inner = Dual<1>;
    using Outer = Dual<1, Inner>;
    Outer in[kMaxReadings];
    for (std::size_t i = 0; i < readings_.size(); ++i) {
      const Reading& r = readings_[i];
      double value = read(r, e), rate = 0, drift = 0;
      if (r.kind == Kind::time) rate = 1;
      for (const auto& [index, factor] : r.terms) {
        if (r.kind == Kind::position) rate += factor * e.v[index];
        if (r.kind == Kind::row) rate += factor * e.row_rate[index], drift += factor * e.row_drift[index];
      }
      in[i].value.value = value;
      in[i].value.d[0] = rate;
      in[i].d[0].value = rate;
      in[i].d[0].d[0] = drift;
    }
    const Outer y = readings_.empty() ? Outer(constant_) : signal_.eval<Outer>(in);
    x = y.value.value;
    v = y.d[0].value;
    a = y.d[0].d[0];
  }

 private:
  template <class E>
  static double read(const Reading& r, const E& e) {
    using Kind = Signal::Input::Kind;
    const double* from = nullptr;
    switch (r.kind) {
      case Kind::time: return e.t;
      case Kind::position: from = e.q; break;
      case Kind::velocity: from = e.v; break;
      case Kind::row: from = e.row_value; break;
      case Kind::row_rate: from = e.row_rate; break;
      case Kind::memory: from = e.z; break;
      case Kind::sampled: from = e.marks; break;
    }
    double sum = 0;
    for (const auto& [index, factor] : r.terms) sum += factor * from[index];
    return sum;
  }
  Signal signal_;
  std::vector<Reading> readings_;
  double constant_ = 0;
};

/// The columns of the state that a reading depends on: visit(position, velocity or memory, column, factor). Rows of bodies in space
/// count as linear: that a joint's rate changes with the configuration is left to the next iteration.
template <class E, class F>
void each_column(const BoundSignal::Reading& reading, const E& e, F&& visit) {
  using Kind = Signal::Input::Kind;
  switch (reading.kind) {
    case Kind::time:
    case Kind::sampled: return;
    case Kind::row:
    case Kind::row_rate: {
      const Kind as = reading.kind == Kind::row ? Kind::position : Kind::velocity;
      for (const auto& [row, factor] : reading.terms) {
        e.rows->each(row, e.D, [&, factor = factor](int column, double c) { visit(as, column, factor * c); });
      }
      return;
    }
    default:
      for (const auto& [column, factor] : reading.terms) visit(reading.kind, column, factor);
  }
}

}  // namespace bristle
