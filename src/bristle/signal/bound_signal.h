#pragma once
#include <cassert>
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
  static constexpr int kMaxReadings = 16;

  BoundSignal() = default;
  explicit BoundSignal(double constant) : signal_(constant), constant_(constant) {}
  BoundSignal(Signal signal, std::vector<Reading> readings)
      : signal_(std::move(signal)), readings_(std::move(readings)), constant_(signal_.is_constant() ? signal_.constant() : 0) {
    assert(readings_.size() <= kMaxReadings && readings_.size() == signal_.inputs().size());
  }

  bool is_constant() const { return readings_.empty(); }
  const std::vector<Reading>& readings() const { return readings_; }
  const Signal& signal() const { return signal_; }

  double value(double t, const double* q, const double* v, const double* z, const double* marks) const {
    if (readings_.empty()) return constant_;
    double in[kMaxReadings];
    for (std::size_t i = 0; i < readings_.size(); ++i) in[i] = read(readings_[i], t, q, v, z, marks);
    return signal_.eval<double>(in);
  }
  /// Value and its derivative by each reading.
  double value(double t, const double* q, const double* v, const double* z, const double* marks, double* by_reading) const {
    if (readings_.empty()) return constant_;
    constexpr int N = 4;
    const int n = static_cast<int>(readings_.size());
    Dual<N> in[kMaxReadings];
    double result = 0;
    for (int first = 0; first < n; first += N) {
      for (int i = 0; i < n; ++i) {
        const double x = read(readings_[static_cast<std::size_t>(i)], t, q, v, z, marks);
        in[i] = i >= first && i < first + N ? Dual<N>::variable(x, i - first) : Dual<N>(x);
      }
      const Dual<N> y = signal_.eval<Dual<N>>(in);
      result = y.value;
      for (int i = first; i < n && i < first + N; ++i) by_reading[i] = y.d[static_cast<std::size_t>(i - first)];
    }
    return result;
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

 private:
  static double read(const Reading& r, double t, const double* q, const double* v, const double* z, const double* marks) {
    using Kind = Signal::Input::Kind;
    if (r.kind == Kind::time) return t;
    const double* from = r.kind == Kind::position ? q : r.kind == Kind::velocity ? v : r.kind == Kind::memory ? z : marks;
    double sum = 0;
    for (const auto& [index, factor] : r.terms) sum += factor * from[index];
    return sum;
  }
  Signal signal_;
  std::vector<Reading> readings_;
  double constant_ = 0;
};

}  // namespace bristle
