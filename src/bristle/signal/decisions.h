#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "bristle/signal/signal.h"

namespace bristle {

/// What tells which way an operation goes.
enum class Decides : unsigned char {
  sign,   ///< of the number: above zero or not
  whole,  ///< its whole part
  truth   ///< whether it is zero
};

/// Is this an operation at which an expression may jump or have a corner?
inline bool decides(Signal::Op::Code code) {
  using Code = Signal::Op::Code;
  switch (code) {
    case Code::abs:
    case Code::sign:
    case Code::step:
    case Code::floor:
    case Code::min:
    case Code::max:
    case Code::less:
    case Code::less_equal:
    case Code::greater:
    case Code::greater_equal:
    case Code::equal:
    case Code::not_equal:
    case Code::not_:
    case Code::and_:
    case Code::or_:
    case Code::select: return true;
    default: return false;
  }
}

/// Goes along the tape and calls take(operation, how, number) for each of these, in their order.
template <class Take>
void each_decision(const Signal& signal, const double* inputs, const Take& take) {
  using Code = Signal::Op::Code;
  std::array<double, Signal::kMaxOps> value{};
  std::size_t next = 0;
  for (const Signal::Op& op : signal.tape()) {
    const auto operand = [&](int i) { return i < 0 ? 0.0 : value[static_cast<std::size_t>(i)]; };
    const bool computed = op.code != Code::constant && op.code != Code::input;
    const double a = computed ? operand(op.a) : 0, b = computed ? operand(op.b) : 0, c = computed ? operand(op.c) : 0;
    const std::size_t at = next++;
    double& y = value[at];
    if (op.code == Code::constant) y = op.number;
    else if (op.code == Code::input) y = inputs[op.a];
    else y = detail::apply<double>(op.code, a, b, c);
    switch (op.code) {
      case Code::abs:
      case Code::sign:
      case Code::step: take(at, Decides::sign, a); break;
      case Code::floor: take(at, Decides::whole, a); break;
      case Code::min:
      case Code::max:
      case Code::less:
      case Code::less_equal:
      case Code::greater:
      case Code::greater_equal:
      case Code::equal:
      case Code::not_equal: take(at, Decides::sign, a - b); break;
      case Code::not_:
      case Code::and_:
      case Code::or_: take(at, Decides::truth, y); break;
      case Code::select: take(at, Decides::truth, a); break;
      default: break;
    }
  }
}

/// Of the decisions of a signal, in the order of each_decision: those that are not of truth and that depend on an input with moves[input].
std::vector<char> moved_decisions(const Signal& signal, const std::vector<char>& moves);

/// A decision of a signal, for sentences.
struct DecisionText {
  std::string number;       ///< that it is told by: "block.velocity - 0.2"
  std::vector<char> reads;  ///< which inputs of the signal that number depends on
};
/// Of decision `which`, in the order of each_decision.
DecisionText describe_decision(const Signal& signal, std::size_t which);

}  // namespace bristle
