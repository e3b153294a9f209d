#include "bristle/signal/parse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "bristle/base/text.h"
#include "bristle/signal/lexer.h"
#include "bristle/signal/tape_builder.h"

namespace bristle {

namespace {

using Code = Signal::Op::Code;

struct Function {
  std::string_view name;
  Code code;
  int low, high;  ///< number of arguments
};
constexpr int kMany = 100;
constexpr std::array kFunctions = {
    Function{"sin", Code::sin, 1, 1},        Function{"cos", Code::cos, 1, 1},      Function{"tan", Code::tan, 1, 1},
    Function{"asin", Code::asin, 1, 1},      Function{"acos", Code::acos, 1, 1},    Function{"atan", Code::atan, 1, 1},
    Function{"atan2", Code::atan2, 2, 2},    Function{"sinh", Code::sinh, 1, 1},    Function{"cosh", Code::cosh, 1, 1},
    Function{"tanh", Code::tanh, 1, 1},      Function{"exp", Code::exp, 1, 1},      Function{"log", Code::log, 1, 1},
    Function{"log10", Code::log10, 1, 1},    Function{"sqrt", Code::sqrt, 1, 1},    Function{"abs", Code::abs, 1, 1},
    Function{"sign", Code::sign, 1, 1},      Function{"floor", Code::floor, 1, 1},  Function{"step", Code::step, 1, 1},
    Function{"min", Code::min, 1, kMany},    Function{"max", Code::max, 1, kMany},  Function{"if", Code::select, 3, 3},
    Function{"clamp", Code::constant, 3, 3}, Function{"mod", Code::constant, 2, 2},
};
constexpr std::array<std::string_view, 6> kWords = {"t", "pi", "e", "and", "or", "not"};

const Function* find_function(std::string_view name) {
  const auto it = std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
  return it == kFunctions.end() ? nullptr : &*it;
}

struct Binary {
  std::string_view sign;
  Code code;
  int level;  ///< the higher the tighter
};
constexpr int kOr = 1, kAnd = 2, kNot = 3, kCompare = 4, kSum = 5, kProduct = 6, kUnary = 7, kPower = 8;
constexpr std::array kBinary = {
    Binary{"or", Code::or_, kOr},          Binary{"||", Code::or_, kOr},
    Binary{"and", Code::and_, kAnd},       Binary{"&&", Code::and_, kAnd},
    Binary{"<", Code::less, kCompare},     Binary{"<=", Code::less_equal, kCompare},
    Binary{">", Code::greater, kCompare},  Binary{">=", Code::greater_equal, kCompare},
    Binary{"==", Code::equal, kCompare},   Binary{"!=", Code::not_equal, kCompare},
    Binary{"+", Code::add, kSum},          Binary{"-", Code::subtract, kSum},
    Binary{"*", Code::multiply, kProduct}, Binary{"/", Code::divide, kProduct},
    Binary{"^", Code::power, kPower},
};

/// Precedence climbing over the tokens; operations go to the builder, which folds constants and follows dimensions.
class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, const Where& where)
      : text_(text), scope_(scope), where_(where), tokens_(split_expression(text, where)), builder_(where, text) {}

  Expression run() {
    if (peek().kind == Token::Kind::end) throw InputError(where_, "the expression is empty. Write a number or a formula");
    const int root = expression(0);
    if (peek().kind != Token::Kind::end) unexpected_after_value();
    return builder_.finish(root);
  }

 private:
  const Token& peek() const { return tokens_[next_]; }
  bool peek_is(std::string_view sign) const {
    return (peek().kind == Token::Kind::sign || peek().kind == Token::Kind::name) && peek().text == sign;
  }
  bool take(std::string_view sign) {
    if (!peek_is(sign)) return false;
    ++next_;
    return true;
  }
  [[noreturn]] void fail(std::size_t offset, const std::string& sentence) const {
    throw InputError(where_inside(where_, text_, offset), sentence);
  }
  [[noreturn]] void unexpected_after_value() const {
    const Token& token = peek();
    const std::string text = shortened(token.text, 20);
    if (token.kind == Token::Kind::sign && token.text == ")") fail(token.offset, "this ')' closes nothing");
    if (token.kind == Token::Kind::sign) fail(token.offset, "unexpected '" + text + "'");
    fail(token.offset, "an operator such as * is missing before '" + text + "'");
  }
  const Binary* peek_binary() const {
    if (peek().kind != Token::Kind::sign && peek().kind != Token::Kind::name) return nullptr;
    const auto it = std::find_if(kBinary.begin(), kBinary.end(), [&](const Binary& b) { return b.sign == peek().text; });
    return it == kBinary.end() ? nullptr : &*it;
  }

  int expression(int level) {
    if (++depth_ > kMaxExpressionDepth)
      fail(peek().offset,
           "the expression is nested deeper than " + std::to_string(kMaxExpressionDepth) + ". Name its parts under parameters:");
    int left = operand();
    bool compared = false;
    while (const Binary* binary = peek_binary()) {
      if (binary->level < level) break;
      const std::size_t at = peek().offset;
      if (binary->level == kCompare && std::exchange(compared, true))
        fail(at, "comparisons can not be chained: write 0 < x and x < 1");
      ++next_;
      // a power takes its right side first: 2^3^2 = 2^9
      const int right = expression(binary->level == kPower ? kPower : binary->level + 1);
      left = builder_.add(binary->code, left, right, -1, at);
    }
    --depth_;
    return left;
  }

  int operand() {
    const Token token = peek();
    if (take("-")) return builder_.add(Code::negate, expression(kUnary + 1), -1, -1, token.offset);
    if (take("+")) return expression(kUnary + 1);
    if (take("not") || take("!")) return builder_.add(Code::not_, expression(kNot + 1), -1, -1, token.offset);
    if (take("(")) {
      const int inside = expression(0);
      expect_closing(token);
      return inside;
    }
    ++next_;
    if (token.kind == Token::Kind::number) return builder_.constant(token.number, token.dimension, token.offset);
    if (token.kind == Token::Kind::name && peek_is("(")) return call(token);
    if (token.kind == Token::Kind::name) return name(token);
    --next_;
    fail(token.offset, token.kind == Token::Kind::end ? "the expression ends where a value is expected"
                                                      : "a value is expected, found '" + shortened(token.text, 20) + "'");
  }

  void expect_closing(const Token& open) {
    if (take(")")) return;
    if (peek().kind == Token::Kind::end) fail(open.offset, "this '(' is never closed");
    unexpected_after_value();
  }

  int call(const Token& token) {
    const Token open = peek();
    ++next_;
    const Function* f = find_function(token.text);
    if (!f) unknown_function(token);
    std::vector<int> arguments;
    if (!peek_is(")")) {
      do {
        arguments.push_back(expression(0));
      } while (take(","));
    }
    expect_closing(open);
    const int n = static_cast<int>(arguments.size());
    if (n < f->low || n > f->high) {
      const std::string needs = f->high == kMany ? "1 to " + std::to_string(kMany) : std::to_string(f->low);
      fail(token.offset,
           std::string(f->name) + " takes " + needs + (f->high == 1 ? " argument" : " arguments") + ", got " + std::to_string(n));
    }
    const auto arg = [&](std::size_t i) { return i < arguments.size() ? arguments[i] : -1; };
    const std::size_t at = token.offset;
    if (f->name == "clamp") return builder_.add(Code::min, builder_.add(Code::max, arg(0), arg(1), -1, at), arg(2), -1, at);
    if (f->name == "mod") {
      const int turns = builder_.add(Code::floor, builder_.add(Code::divide, arg(0), arg(1), -1, at), -1, -1, at);
      return builder_.add(Code::subtract, arg(0), builder_.add(Code::multiply, arg(1), turns, -1, at), -1, at);
    }
    if (f->code == Code::min || f->code == Code::max) {
      int all = arg(0);
      for (std::size_t i = 1; i < arguments.size(); ++i) all = builder_.add(f->code, all, arg(i), -1, at);
      return all;
    }
    return builder_.add(f->code, arg(0), arg(1), arg(2), at);
  }

  [[noreturn]] void unknown_function(const Token& token) const {
    if (token.text == "ln") fail(token.offset, "unknown function 'ln'. The natural logarithm is log");
    if (token.text == "pow") fail(token.offset, "unknown function 'pow'. A power is written a^b");
    if (scope_.find(token.text))
      fail(token.offset, "'" + shortened(token.text) + "' is a parameter: an operator such as * is missing before '('");
    std::vector<std::string_view> names;
    for (const Function& f : kFunctions) names.push_back(f.name);
    const std::string hint = did_you_mean(token.text, names);
    fail(token.offset,
         "unknown function '" + shortened(token.text) + "'." + (hint.empty() ? " Known are " + join_words(names) : hint));
  }

  int name(const Token& token) {
    const std::string_view word = token.text;
    if (word == "pi") return builder_.constant(std::numbers::pi, {}, token.offset);
    if (word == "e") return builder_.constant(std::numbers::e, {}, token.offset);
    Signal::Input input;
    input.where = where_inside(where_, text_, token.offset);
    if (word == "t") return builder_.input(std::move(input), token.offset);
    if (const std::optional<Quantity> q = scope_.find(word)) return builder_.constant(q->value, q->dimension, token.offset);
    if (scope_.is_channel(word) || word.find('.') != std::string_view::npos) {
      input.kind = Signal::Input::Kind::sampled;
      input.name = std::string(word);
      return builder_.input(std::move(input), token.offset);
    }
    unknown_name(token);
  }

  [[noreturn]] void unknown_name(const Token& token) const {
    const std::string text = shortened(token.text);
    if (find_function(token.text)) fail(token.offset, "the function '" + text + "' needs its argument in parentheses");
    if (token.text == "and" || token.text == "or") fail(token.offset, "a value is expected before '" + text + "'");
    std::vector<std::string_view> names = scope_.names();
    const std::string hint = did_you_mean(token.text, names);
    if (!hint.empty()) fail(token.offset, "unknown name '" + text + "'." + hint);
    if (parse_unit(token.text).ok)
      fail(token.offset, "unknown name '" + text +
                             "'. A unit stands behind a number; write longer ones in brackets, as in 3 [mm/s] or 100 [1/s]");
    fail(token.offset,
         "unknown name '" + text +
             "', where a number or an expression is wanted. Define it under parameters:, or write a channel as element.quantity");
  }

  std::string_view text_;
  const Scope& scope_;
  const Where& where_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  int depth_ = 0;
  TapeBuilder builder_;
};

}  // namespace

Expression parse_expression(std::string_view text, const Scope& scope, const Where& where) {
  return Parser(text, scope, where).run();
}

Signal parse_signal(std::string_view text, const Scope& scope, const Where& where) {
  return parse_expression(text, scope, where).signal;
}

Signal parse_signal(std::string_view text, const Scope& scope, const Where& where, const Unit& unit) {
  Expression expression = parse_expression(text, scope, where);
  if (expression.knows_dimension) require_dimension(expression.dimension, unit, where);
  return std::move(expression.signal);
}

Quantity parse_quantity(std::string_view text, const Scope& scope, const Where& where) {
  const Expression expression = parse_expression(text, scope, where);
  const Signal& signal = expression.signal;
  if (!signal.is_constant()) {
    const Signal::Input& input = signal.inputs()[0];
    const std::string name = input.name.empty() ? "t" : input.name;
    throw InputError(input.where, "a constant is needed here, but '" + shortened(text) + "' depends on " +
                                      (name == "t" ? "time, t" : "the channel '" + shortened(name) + "'"));
  }
  return {signal.constant(), expression.dimension};
}

void require_dimension(const Dimension& dimension, const Unit& unit, const Where& where) {
  if (same_dimension(dimension, {}) || same_dimension(dimension, unit.dimension)) return;
  if (same_dimension(unit.dimension, {}))
    throw InputError(where, "needs a plain number, but has the unit " + dimension_text(dimension));
  throw InputError(where, "needs a value in " + std::string(unit.text) + ", but has the unit " + dimension_text(dimension) +
                              ". Check the units of its parts; a number without unit counts as a plain number");
}

std::vector<std::string> names_in_expression(std::string_view text, const Where& where) {
  const std::vector<Token> tokens = split_expression(text, where);
  std::vector<std::string> names;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool is_call = tokens[i + 1].kind == Token::Kind::sign && tokens[i + 1].text == "(";
    if (tokens[i].kind != Token::Kind::name || is_call) continue;
    if (tokens[i].text != "t" && is_reserved_name(tokens[i].text)) continue;
    names.emplace_back(tokens[i].text);
  }
  // each once, in order of appearance
  std::vector<std::string> unique;
  std::vector<std::string> sorted;
  for (std::string& n : names) {
    const auto it = std::lower_bound(sorted.begin(), sorted.end(), n);
    if (it != sorted.end() && *it == n) continue;
    sorted.insert(it, n);
    unique.push_back(std::move(n));
  }
  return unique;
}

bool is_reserved_name(std::string_view name) {
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end() || find_function(name) != nullptr;
}

Where where_inside(const Where& where, std::string_view text, std::size_t offset) {
  if (where.line <= 0) return where;
  Where spot = where;
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_break = before.rfind('\n');
  spot.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  spot.column += count_characters(line_break == std::string_view::npos ? before : before.substr(line_break + 1));
  return spot;
}

}  // namespace bristle
