#pragma once
// Evaluation of Signal tapes; included by signal.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <type_traits>

#include "bristle/signal/signal.h"

namespace bristle::detail {

template <class T>
struct IsDual : std::false_type {};
template <int N, class S>
struct IsDual<Dual<N, S>> : std::true_type {};

/// Carries no derivative at all.
inline bool is_flat(double) { return true; }
template <int N, class S>
bool is_flat(const Dual<N, S>& x) {
  return is_flat(x.value) && std::all_of(x.d.begin(), x.d.end(), [](const S& s) { return is_flat(s) && value_of(s) == 0; });
}

/// f(x), where an x without derivatives gives a result without derivatives: sqrt(max(0, x)) must not give 0 * infinity.
template <class T, class F>
T through(const T& x, F f) {
  if constexpr (IsDual<T>::value) {
    if (is_flat(x)) return T(f(value_of(x)));
  }
  return f(x);
}

inline double power(double x, double n) { return std::pow(x, n); }
/// x^n for any x where it exists: a fixed exponent takes the power rule, so negative x works; otherwise exp(n log x).
template <int N, class S>
Dual<N, S> power(const Dual<N, S>& x, const Dual<N, S>& n) {
  if (is_flat(n))
    return through(x, [e = value_of(n)](const auto& y) {
      using std::pow;
      return pow(y, e);
    });
  if (is_flat(x) && value_of(x) == 0 && value_of(n) > 0) return Dual<N, S>(0.0);
  return pow(x, n);
}

template <class T>
T log10_of(const T& x) {
  if constexpr (IsDual<T>::value) return log(x) * std::numbers::log10e;
  else return std::log10(x);
}

/// One operation of a tape; operands that the operation does not have are ignored.
template <class T>
T apply(Signal::Op::Code code, const T& a, const T& b, const T& c) {
  using Code = Signal::Op::Code;
  using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::cosh, std::exp, std::log, std::sin, std::sinh,
      std::sqrt, std::tan, std::tanh;
  const auto truth = [](bool x) { return T(x ? 1.0 : 0.0); };
  switch (code) {
    case Code::constant:
    case Code::input: break;
    case Code::add: return a + b;
    case Code::subtract: return a - b;
    case Code::multiply: return a * b;
    case Code::divide: return a / b;
    case Code::power: return power(a, b);
    case Code::negate: return -a;
    case Code::not_: return truth(value_of(a) == 0);
    case Code::sin: return sin(a);
    case Code::cos: return cos(a);
    case Code::tan: return tan(a);
    case Code::asin: return through(a, [](const auto& x) { return asin(x); });
    case Code::acos: return through(a, [](const auto& x) { return acos(x); });
    case Code::atan: return atan(a);
    case Code::sinh: return sinh(a);
    case Code::cosh: return cosh(a);
    case Code::tanh: return tanh(a);
    case Code::exp: return exp(a);
    case Code::log: return through(a, [](const auto& x) { return log(x); });
    case Code::log10: return through(a, [](const auto& x) { return log10_of(x); });
    case Code::sqrt: return through(a, [](const auto& x) { return sqrt(x); });
    case Code::abs: return abs(a);
    case Code::sign: return T(sign(a));
    case Code::floor: return T(std::floor(value_of(a)));
    case Code::step: return truth(value_of(a) >= 0);
    case Code::atan2: return is_flat(a) && is_flat(b) ? T(std::atan2(value_of(a), value_of(b))) : T(atan2(a, b));
    case Code::min: return smaller(a, b);
    case Code::max: return larger(a, b);
    case Code::less: return truth(a < b);
    case Code::less_equal: return truth(a <= b);
    case Code::greater: return truth(a > b);
    case Code::greater_equal: return truth(a >= b);
    case Code::equal: return truth(a == b);
    case Code::not_equal: return truth(a != b);
    case Code::and_: return truth(value_of(a) != 0 && value_of(b) != 0);
    case Code::or_: return truth(value_of(a) != 0 || value_of(b) != 0);
    case Code::select: return value_of(a) != 0 ? b : c;
  }
  return T(0.0);
}

}  // namespace bristle::detail

namespace bristle {

template <class T>
T Signal::eval(const T* inputs) const {
  if (tape_.front().code == Op::Code::constant && tape_.size() == 1) return T(tape_.front().number);
  static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
  // results live on the stack and are not cleared first: with many derivatives clearing would cost more than the formula
  alignas(T) std::array<std::byte, sizeof(T) * kMaxOps> storage;
  T* const result = reinterpret_cast<T*>(storage.data());
  T* next = result;
  for (const Op& op : tape_) {
    // the first result stands in for operands that an operation does not have
    const auto operand = [result](int i) -> const T& { return result[i < 0 ? 0 : i]; };
    if (op.code == Op::Code::constant) std::construct_at(next, T(op.number));
    else if (op.code == Op::Code::input) std::construct_at(next, inputs[op.a]);
    else std::construct_at(next, detail::apply<T>(op.code, operand(op.a), operand(op.b), operand(op.c)));
    ++next;
  }
  return *(next - 1);
}

}  // namespace bristle
