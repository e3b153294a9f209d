#include "bristle/signal/lexer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "bristle/base/text.h"
#include "bristle/signal/parse.h"

namespace bristle {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// value * factor, rounded once where the factor is one over a whole number: 50 um gives 5e-5 and not 4.9999999999999996e-5.
double to_si(double value, double factor) {
  const double inverse = std::round(1 / factor);
  if (factor < 1 && inverse < 1e15 && std::abs(inverse * factor - 1) < 1e-14) return value / inverse;
  return value * factor;
}

class Lexer {
 public:
  Lexer(std::string_view text, const Where& where) : text_(text), where_(where) {}

  std::vector<Token> run() {
    if (read_plain_quantity()) return std::move(tokens_);
    for (skip_blanks(); pos_ < text_.size(); skip_blanks()) {
      const char c = text_[pos_];
      if (is_digit(c) || (c == '.' && pos_ + 1 < text_.size() && is_digit(text_[pos_ + 1]))) read_number();
      else if (starts_name(pos_)) read_name();
      else read_sign();
    }
    add_end();
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& sentence) const {
    throw InputError(where_inside(where_, text_, offset), sentence);
  }
  void skip_blanks() {
    while (pos_ < text_.size() && is_space(text_[pos_])) ++pos_;
  }
  std::size_t next_content(std::size_t p) const {
    while (p < text_.size() && is_space(text_[p])) ++p;
    return p;
  }
  void add_end() { tokens_.push_back({Token::Kind::end, "end of the expression", text_.size(), 0, {}}); }

  /// Letters and the bytes of µ and °, which units use.
  bool starts_name(std::size_t p) const {
    return is_letter(text_[p]) || text_.substr(p, 2) == "µ" || text_.substr(p, 2) == "μ" || text_.substr(p, 2) == "°";
  }
  std::size_t end_of_name(std::size_t p) const {
    while (p < text_.size()) {
      if (is_letter(text_[p]) || is_digit(text_[p])) ++p;
      else if (starts_name(p)) p += 2;
      else if (text_[p] == '.' && p + 1 < text_.size() && (is_letter(text_[p + 1]) || is_digit(text_[p + 1]))) ++p;
      else break;
    }
    return p;
  }

  double literal() {
    double value = 0;
    const std::size_t start = pos_;
    const auto result = std::from_chars(text_.data() + pos_, text_.data() + text_.size(), value);
    pos_ = static_cast<std::size_t>(result.ptr - text_.data());
    if (result.ec == std::errc::result_out_of_range)
      fail(start, "the number " + shortened(text_.substr(start, pos_ - start)) +
                      " is outside the range of numbers (about 1e-308 to 1e308)");
    if (result.ec != std::errc()) fail(start, "'" + shortened(text_.substr(start), 20) + "' is not a number");
    return value;
  }

  /// The whole text is a number and a unit: any unit may follow without brackets.
  bool read_plain_quantity() {
    std::size_t start = next_content(0);
    const bool minus = start < text_.size() && text_[start] == '-';
    if (minus) start = next_content(start + 1);
    if (start >= text_.size() || !(is_digit(text_[start]) || text_[start] == '.')) return false;
    double value = 0;
    const auto result = std::from_chars(text_.data() + start, text_.data() + text_.size(), value);
    if (result.ec != std::errc()) return false;
    const std::string_view rest = trim(text_.substr(static_cast<std::size_t>(result.ptr - text_.data())));
    if (rest.empty() || (is_digit(rest[0]) && rest.substr(0, 2) != "1/") || rest[0] == '(') return false;
    const ParsedUnit unit = parse_unit(rest);
    if (!unit.ok) return false;
    tokens_.push_back({Token::Kind::number, trim(text_), start, to_si(minus ? -value : value, unit.factor), unit.dimension});
    add_end();
    return true;
  }

  void read_number() {
    const std::size_t start = pos_;
    Token token{Token::Kind::number, {}, start, literal(), {}};
    const std::size_t next = next_content(pos_);
    if (next < text_.size() && text_[next] == '[') read_bracketed_unit(next, token);
    else if (next < text_.size() && starts_name(next)) read_unit_word(next, token);
    token.text = text_.substr(start, pos_ - start);
    tokens_.push_back(token);
  }

  void read_bracketed_unit(std::size_t open, Token& token) {
    const std::size_t close = text_.find(']', open);
    if (close == std::string_view::npos) fail(open, "the unit in brackets has no ']'");
    const ParsedUnit unit = parse_unit(text_.substr(open + 1, close - open - 1));
    if (!unit.ok) fail(open, unit.problem);
    token.number = to_si(token.number, unit.factor);
    token.dimension = unit.dimension;
    pos_ = close + 1;
  }

  void read_unit_word(std::size_t start, Token& token) {
    std::size_t end = end_of_name(start);
    const std::string_view word = text_.substr(start, end - start);
    if (word == "and" || word == "or") return;
    if (const std::size_t n = next_content(end); n < text_.size() && text_[n] == '(')
      fail(start, "an operator such as * is missing before '" + shortened(word) + "('");
    // a power belongs to the unit: 2 mm^2 are two square millimetres
    if (const std::size_t caret = next_content(end); caret < text_.size() && text_[caret] == '^') {
      std::size_t p = next_content(caret + 1);
      if (p < text_.size() && (text_[p] == '-' || text_[p] == '+')) ++p;
      if (p >= text_.size() || !(is_digit(text_[p]) || text_[p] == '.'))
        fail(start, "'" + shortened(word) + "^' behind a number: put the unit into brackets, as in 2 [mm] or 2 [m^2]");
      while (p < text_.size() && (is_digit(text_[p]) || text_[p] == '.')) ++p;
      end = p;
    }
    for (std::string_view raised : {"²", "³"})
      if (text_.substr(end, raised.size()) == raised) end += raised.size();
    const ParsedUnit unit = parse_unit(text_.substr(start, end - start));
    if (!unit.ok && !std::all_of(word.begin(), word.end(), [](char c) { return c < 0 || (is_letter(c) && c != '_'); }))
      fail(start, "an operator such as * is missing before '" + shortened(word) + "'");
    if (!unit.ok) fail(start, unit.problem + (unit.problem.back() == '?' ? " For" : "; for") + " a product write *");
    refuse_longer_unit(start, end);
    token.number = to_si(token.number, unit.factor);
    token.dimension = unit.dimension;
    pos_ = end;
  }

  /// 3 mm/s * t: is s the second or a name? Ask.
  void refuse_longer_unit(std::size_t start, std::size_t end) const {
    std::size_t p = next_content(end);
    if (p < text_.size() && (text_[p] == '/' || text_[p] == '*')) p = next_content(p + 1);
    if (p >= text_.size() || p == end || !starts_name(p)) return;
    const std::size_t stop = end_of_name(p);
    const std::size_t after = next_content(stop);
    const bool is_function = after < text_.size() && text_[after] == '(';
    if (is_function || !parse_unit(text_.substr(p, stop - p)).ok) return;
    const std::string unit(text_.substr(start, stop - start));
    fail(start, "'" + shortened(unit) +
                    "' inside an expression can be read as a unit or as names: write the unit in brackets, as in 3 [" +
                    shortened(unit) + "]");
  }

  void read_name() {
    const std::size_t start = pos_;
    pos_ = end_of_name(pos_);
    tokens_.push_back({Token::Kind::name, text_.substr(start, pos_ - start), start, 0, {}});
  }

  void read_sign() {
    for (std::string_view two : {"<=", ">=", "==", "!=", "&&", "||"})
      if (text_.substr(pos_, 2) == two) return add_sign(2);
    const char c = text_[pos_];
    if (text_.substr(pos_, 2) == "**") fail(pos_, "unexpected '**'. A power is written with ^");
    if (std::string_view("+-*/^(),<>!").find(c) != std::string_view::npos) return add_sign(1);
    if (c == '=') fail(pos_, "unexpected '='. Equality is written ==");
    if (c == '&' || c == '|') fail(pos_, std::string("unexpected '") + c + "'. Write and, or");
    if (c == '[') fail(pos_, "unexpected '['. A unit in brackets stands behind a number: 5 [mm/s]");
    if (c == '%') fail(pos_, "unexpected '%'. Write 2 % as 0.02; the remainder is mod(a, b)");
    std::size_t length = 1;
    while (pos_ + length < text_.size() && (static_cast<unsigned char>(text_[pos_ + length]) & 0xC0) == 0x80) ++length;
    fail(pos_, "unexpected '" + std::string(text_.substr(pos_, length)) + "'");
  }
  void add_sign(std::size_t length) {
    tokens_.push_back({Token::Kind::sign, text_.substr(pos_, length), pos_, 0, {}});
    pos_ += length;
  }

  std::string_view text_;
  const Where& where_;
  std::size_t pos_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> split_expression(std::string_view text, const Where& where) {
  if (text.size() > kMaxExpressionLength)
    throw InputError(where, "the expression has " + std::to_string(text.size()) + " bytes; the limit is " +
                                std::to_string(kMaxExpressionLength) + ". Name its parts under parameters:");
  return Lexer(text, where).run();
}

}  // namespace bristle
