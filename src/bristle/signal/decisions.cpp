#include "bristle/signal/decisions.h"

#include "bristle/base/text.h"

namespace bristle {

namespace {

using DecisionCode = Signal::Op::Code;

/// An operation of a tape as a formula again, with no more brackets than it needs.
class Formula {
 public:
  static constexpr int kOr = 1, kAnd = 2, kCompare = 3, kSum = 4, kProduct = 5, kPower = 6;  // the higher the tighter

  explicit Formula(const Signal& signal) : signal_(signal) {}

  std::string text(int at, int level = 0) const {
    const Signal::Op& op = operation(at);
    const auto infix = [&](const char* sign, int own, int left, int right) {
      const std::string whole = text(op.a, left) + sign + text(op.b, right);
      return own < level ? "(" + whole + ")" : whole;
    };
    switch (op.code) {
      case DecisionCode::constant:
        return op.number < 0 && level > kSum ? "(" + number_text(op.number) + ")" : number_text(op.number);
      case DecisionCode::input:
        return signal_.inputs()[static_cast<std::size_t>(op.a)].name.empty()
                   ? "t"
                   : signal_.inputs()[static_cast<std::size_t>(op.a)].name;
      case DecisionCode::add: return infix(" + ", kSum, kSum, kSum);
      case DecisionCode::subtract: return infix(" - ", kSum, kSum, kProduct);
      case DecisionCode::multiply: return infix("*", kProduct, kProduct, kProduct);
      case DecisionCode::divide: return infix("/", kProduct, kProduct, kPower);
      case DecisionCode::power: return infix("^", kPower, kPower + 1, kPower);
      case DecisionCode::less: return infix(" < ", kCompare, kSum, kSum);
      case DecisionCode::less_equal: return infix(" <= ", kCompare, kSum, kSum);
      case DecisionCode::greater: return infix(" > ", kCompare, kSum, kSum);
      case DecisionCode::greater_equal: return infix(" >= ", kCompare, kSum, kSum);
      case DecisionCode::equal: return infix(" == ", kCompare, kSum, kSum);
      case DecisionCode::not_equal: return infix(" != ", kCompare, kSum, kSum);
      case DecisionCode::and_: return infix(" and ", kAnd, kAnd, kAnd);
      case DecisionCode::or_: return infix(" or ", kOr, kOr, kOr);
      case DecisionCode::negate: return level > kSum ? "(-" + text(op.a, kPower) + ")" : "-" + text(op.a, kPower);
      default: break;
    }
    std::string arguments;
    for (int operand : {op.a, op.b, op.c}) {
      if (operand >= 0) arguments += (arguments.empty() ? "" : ", ") + text(operand);
    }
    return std::string(name_of(op.code)) + "(" + arguments + ")";
  }
  /// The inputs that it reads.
  void mark_inputs(int at, std::vector<char>& reads) const {
    const Signal::Op& op = operation(at);
    if (op.code == DecisionCode::input) {
      reads[static_cast<std::size_t>(op.a)] = 1;
      return;
    }
    for (int operand : {op.a, op.b, op.c}) {
      if (operand >= 0) mark_inputs(operand, reads);
    }
  }

 private:
  const Signal::Op& operation(int at) const { return signal_.tape()[static_cast<std::size_t>(at)]; }
  static const char* name_of(DecisionCode code) {
    switch (code) {
      case DecisionCode::not_: return "not";
      case DecisionCode::sin: return "sin";
      case DecisionCode::cos: return "cos";
      case DecisionCode::tan: return "tan";
      case DecisionCode::asin: return "asin";
      case DecisionCode::acos: return "acos";
      case DecisionCode::atan: return "atan";
      case DecisionCode::sinh: return "sinh";
      case DecisionCode::cosh: return "cosh";
      case DecisionCode::tanh: return "tanh";
      case DecisionCode::exp: return "exp";
      case DecisionCode::log: return "log";
      case DecisionCode::log10: return "log10";
      case DecisionCode::sqrt: return "sqrt";
      case DecisionCode::abs: return "abs";
      case DecisionCode::sign: return "sign";
      case DecisionCode::floor: return "floor";
      case DecisionCode::step: return "step";
      case DecisionCode::atan2: return "atan2";
      case DecisionCode::min: return "min";
      case DecisionCode::max: return "max";
      case DecisionCode::select: return "if";
      default: return "";
    }
  }
  const Signal& signal_;
};

}  // namespace

std::vector<char> moved_decisions(const Signal& signal, const std::vector<char>& moves) {
  const auto tape = signal.tape();
  std::vector<char> moved;  // by operation
  for (const Signal::Op& op : tape) {
    bool any = false;
    if (op.code == Signal::Op::Code::input) {
      any = moves[static_cast<std::size_t>(op.a)] != 0;
    } else {
      for (int i : {op.a, op.b, op.c}) any = any || (i >= 0 && moved[static_cast<std::size_t>(i)] != 0);
    }
    moved.push_back(any ? 1 : 0);
  }
  std::vector<char> result;
  const std::vector<double> inputs(signal.inputs().size(), 0.0);
  each_decision(signal, inputs.data(),
                [&](std::size_t at, Decides how, double) { result.push_back(how != Decides::truth && moved[at] != 0 ? 1 : 0); });
  return result;
}

DecisionText describe_decision(const Signal& signal, std::size_t which) {
  std::size_t at = 0, next = 0;
  const std::vector<double> inputs(signal.inputs().size(), 0.0);
  each_decision(signal, inputs.data(), [&](std::size_t operation, Decides, double) {
    if (next++ == which) at = operation;
  });
  const Formula formula(signal);
  const Signal::Op& op = signal.tape()[at];
  DecisionText result;
  result.reads.assign(inputs.size(), 0);
  formula.mark_inputs(op.a, result.reads);
  if (op.b < 0 || op.code == DecisionCode::select) {
    result.number = formula.text(op.a);
    return result;
  }
  formula.mark_inputs(op.b, result.reads);
  const auto is_zero = [&](int operand) {
    const Signal::Op& side = signal.tape()[static_cast<std::size_t>(operand)];
    return side.code == DecisionCode::constant && side.number == 0;
  };
  if (is_zero(op.b)) result.number = formula.text(op.a);
  else if (is_zero(op.a)) result.number = formula.text(op.b);
  else result.number = formula.text(op.a, Formula::kSum) + " - " + formula.text(op.b, Formula::kProduct);
  return result;
}

}  // namespace bristle
