#include "bristle/signal/tape_builder.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "bristle/base/text.h"

namespace bristle {

namespace {

using Code = Signal::Op::Code;

Dimension combine(const Dimension& a, const Dimension& b, double sign) {
  return {a.m + sign * b.m, a.kg + sign * b.kg, a.s + sign * b.s, a.K + sign * b.K};
}
Dimension raise(const Dimension& a, double n) { return {a.m * n, a.kg * n, a.s * n, a.K * n}; }
bool is_plain(const Dimension& d) { return same_dimension(d, {}); }

bool same_op(const Signal::Op& x, const Signal::Op& y) {
  return x.code == y.code && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.number) == std::bit_cast<std::uint64_t>(y.number);
}

}  // namespace

void TapeBuilder::fail(std::size_t offset, const std::string& sentence) const {
  throw InputError(where_inside(where_, text_, offset), sentence);
}

int TapeBuilder::constant(double value, const Dimension& dimension, std::size_t offset) {
  items_.push_back({{Code::constant, -1, -1, -1, value}, dimension, true, offset});
  return static_cast<int>(items_.size()) - 1;
}

int TapeBuilder::input(Signal::Input input, std::size_t offset) {
  // one entry per name
  int index = 0;
  while (index < static_cast<int>(inputs_.size()) && inputs_[static_cast<std::size_t>(index)].name != input.name) ++index;
  if (index >= Signal::kMaxOps) fail(offset, "the expression reads more than " + std::to_string(Signal::kMaxOps) + " channels");
  if (index == static_cast<int>(inputs_.size())) inputs_.push_back(std::move(input));
  items_.push_back({{Code::input, index, -1, -1, 0}, {}, false, offset});
  return static_cast<int>(items_.size()) - 1;
}

int TapeBuilder::add(Code code, int a, int b, int c, std::size_t offset) {
  Item result{{code, a, b, c, 0}, {}, true, offset};
  set_dimension(result);
  if (code == Code::select && is_constant(a)) return item(a).op.number != 0 ? b : c;
  if (is_constant(a) && is_constant(b) && is_constant(c)) {
    const auto number = [&](int i) { return i < 0 ? 0.0 : item(i).op.number; };
    result.op = {Code::constant, -1, -1, -1, detail::apply<double>(code, number(a), number(b), number(c))};
  }
  items_.push_back(result);
  return static_cast<int>(items_.size()) - 1;
}

void TapeBuilder::share_dimension(Item& result, int a, int b, const char* what) const {
  const Item &x = item(a), &y = item(b);
  result.known = x.known && y.known;
  if (!result.known) return;
  if (!is_plain(x.dimension) && !is_plain(y.dimension) && !same_dimension(x.dimension, y.dimension))
    fail(result.offset, std::string(what) + " joins values of different units, " + dimension_text(x.dimension) + " and " +
                            dimension_text(y.dimension));
  // a plain number beside a dimensional one is taken as SI
  result.dimension = is_plain(x.dimension) ? y.dimension : x.dimension;
}

void TapeBuilder::require_plain(const Item& result, int a, const char* what) const {
  const Item& x = item(a);
  if (x.known && !is_plain(x.dimension))
    fail(result.offset, std::string(what) + " needs a plain number, but has the unit " + dimension_text(x.dimension) +
                            ". Divide by a value of that unit, for example by 1 [" + dimension_text(x.dimension) + "]");
}

void TapeBuilder::set_dimension(Item& result) const {
  const int a = result.op.a, b = result.op.b, c = result.op.c;
  const auto plain_result = [&] {
    result.dimension = {};
    result.known = item(a).known && (b < 0 || item(b).known) && (c < 0 || item(c).known);
  };
  switch (result.op.code) {
    case Code::add: return share_dimension(result, a, b, "+");
    case Code::subtract: return share_dimension(result, a, b, "-");
    case Code::min: return share_dimension(result, a, b, "min");
    case Code::max: return share_dimension(result, a, b, "max");
    case Code::multiply:
    case Code::divide:
      result.known = item(a).known && item(b).known;
      result.dimension = combine(item(a).dimension, item(b).dimension, result.op.code == Code::multiply ? 1 : -1);
      return;
    case Code::power:
      require_plain(result, b, "an exponent");
      result.known = item(a).known && item(b).known;
      if (result.known) {
        const double n = item(b).op.number;
        if (!is_plain(item(a).dimension) && !(std::abs(n) <= 100))
          fail(result.offset, "a value with a unit can be raised to powers from -100 to 100 only");
        if (!is_plain(item(a).dimension)) result.dimension = raise(item(a).dimension, n);
      }
      return;
    case Code::sqrt:
      result.known = item(a).known;
      result.dimension = raise(item(a).dimension, 0.5);
      return;
    case Code::negate:
    case Code::abs:
    case Code::floor:
      result.known = item(a).known;
      result.dimension = item(a).dimension;
      return;
    case Code::select:
      share_dimension(result, b, c, "if");
      result.known = result.known && item(a).known;
      return;
    case Code::less:
    case Code::less_equal:
    case Code::greater:
    case Code::greater_equal:
    case Code::equal:
    case Code::not_equal:
    case Code::atan2:
      share_dimension(result, a, b, result.op.code == Code::atan2 ? "atan2" : "the comparison");
      return plain_result();
    case Code::sin:
    case Code::cos:
    case Code::tan:
    case Code::asin:
    case Code::acos:
    case Code::atan:
    case Code::sinh:
    case Code::cosh:
    case Code::tanh:
    case Code::exp:
    case Code::log:
    case Code::log10: require_plain(result, a, "the argument"); return plain_result();
    case Code::sign:
    case Code::step:
    case Code::not_:
    case Code::and_:
    case Code::or_: return plain_result();
    case Code::constant:
    case Code::input: return;
  }
}

Expression TapeBuilder::finish(int root) const {
  // operands always stand before their operation: one sweep back marks what is needed, one sweep forward numbers it anew
  std::vector<char> needed(items_.size(), 0);
  needed[static_cast<std::size_t>(root)] = 1;
  for (int i = root; i >= 0; --i) {
    const Signal::Op& op = item(i).op;
    if (!needed[static_cast<std::size_t>(i)] || op.code == Code::input) continue;
    for (int operand : {op.a, op.b, op.c})
      if (operand >= 0) needed[static_cast<std::size_t>(operand)] = 1;
  }
  std::vector<Signal::Op> tape;
  std::vector<Signal::Input> inputs;
  std::vector<int> place(items_.size(), -1), input_place(inputs_.size(), -1);
  for (int i = 0; i <= root; ++i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    Signal::Op op = item(i).op;
    if (op.code == Code::constant && !std::isfinite(op.number))
      fail(item(i).offset, "this has no finite value (" + number_text(op.number) +
                               "). Check for a division by zero or a root or logarithm of a negative number");
    if (op.code == Code::input) {
      int& p = input_place[static_cast<std::size_t>(op.a)];
      if (p < 0) {
        p = static_cast<int>(inputs.size());
        inputs.push_back(inputs_[static_cast<std::size_t>(op.a)]);
      }
      op.a = p;
    } else {
      for (int* operand : {&op.a, &op.b, &op.c})
        if (*operand >= 0) *operand = place[static_cast<std::size_t>(*operand)];
    }
    std::size_t equal = 0;
    while (equal < tape.size() && !same_op(tape[equal], op)) ++equal;
    if (equal == static_cast<std::size_t>(Signal::kMaxOps))
      fail(item(i).offset, "the expression needs more than " + std::to_string(Signal::kMaxOps) +
                               " operations. Name constant parts under parameters:, or use fewer terms");
    if (equal == tape.size()) tape.push_back(op);
    place[static_cast<std::size_t>(i)] = static_cast<int>(equal);
  }
  // eval gives the last result; sharing may have found the root earlier, but then nothing behind it was needed
  Expression expression;
  expression.signal = Signal(std::move(tape), std::move(inputs), std::string(text_));
  expression.signal.set_where(where_);
  expression.dimension = item(root).dimension;
  expression.knows_dimension = expression.signal.is_constant() && item(root).known;
  return expression;
}

}  // namespace bristle
