#include "bristle/base/units.h"

#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "bristle/base/text.h"

namespace bristle {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kPound = 0.45359237, kPoundForce = 4.4482216152605, kFoot = 0.3048, kInch = 0.0254;

struct Symbol {
  std::string_view name;
  double factor;
  Dimension dimension;
  bool takes_prefix;
};
constexpr Symbol kSymbols[] = {
    {"m", 1, {1, 0, 0, 0}, true},
    {"g", 1e-3, {0, 1, 0, 0}, true},
    {"s", 1, {0, 0, 1, 0}, true},
    {"K", 1, {0, 0, 0, 1}, true},
    {"N", 1, {1, 1, -2, 0}, true},
    {"Nm", 1, {2, 1, -2, 0}, true},
    {"Ns", 1, {1, 1, -1, 0}, true},
    {"J", 1, {2, 1, -2, 0}, true},
    {"W", 1, {2, 1, -3, 0}, true},
    {"Pa", 1, {-1, 1, -2, 0}, true},
    {"bar", 1e5, {-1, 1, -2, 0}, true},
    {"Hz", 1, {0, 0, -1, 0}, true},
    {"rad", 1, {}, true},
    {"deg", kPi / 180, {}, false},
    {"°", kPi / 180, {}, false},
    {"rev", 2 * kPi, {}, false},
    {"rpm", 2 * kPi / 60, {0, 0, -1, 0}, false},
    {"min", 60, {0, 0, 1, 0}, false},
    {"h", 3600, {0, 0, 1, 0}, false},
    {"in", kInch, {1, 0, 0, 0}, false},
    {"ft", kFoot, {1, 0, 0, 0}, false},
    {"lb", kPound, {0, 1, 0, 0}, false},
    {"lbm", kPound, {0, 1, 0, 0}, false},
    {"slug", kPoundForce / kFoot, {0, 1, 0, 0}, false},
    {"lbf", kPoundForce, {1, 1, -2, 0}, false},
    {"psi", kPoundForce / (kInch * kInch), {-1, 1, -2, 0}, false},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix kPrefixes[] = {
    {"Q", 1e30}, {"R", 1e27},  {"Y", 1e24},  {"Z", 1e21},  {"E", 1e18},  {"P", 1e15},  {"T", 1e12},  {"G", 1e9},   {"M", 1e6},
    {"k", 1e3},  {"h", 1e2},   {"da", 1e1},  {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"u", 1e-6},  {"µ", 1e-6},  {"μ", 1e-6},
    {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21}, {"y", 1e-24}, {"r", 1e-27}, {"q", 1e-30},
};

/// Words people write for units, and what to write instead.
struct Alias {
  std::string_view word, instead;
};
constexpr Alias kAliases[] = {
    {"sec", "s"},
    {"second", "s"},
    {"seconds", "s"},
    {"meter", "m"},
    {"metre", "m"},
    {"meters", "m"},
    {"metres", "m"},
    {"micron", "um"},
    {"microns", "um"},
    {"newton", "N"},
    {"newtons", "N"},
    {"gram", "g"},
    {"hour", "h"},
    {"hours", "h"},
    {"minute", "min"},
    {"minutes", "min"},
    {"degree", "deg"},
    {"degrees", "deg"},
    {"radian", "rad"},
    {"radians", "rad"},
    {"kilogram", "kg"},
    {"kilograms", "kg"},
    {"inch", "in"},
    {"inches", "in"},
    {"foot", "ft"},
    {"feet", "ft"},
    {"kelvin", "K"},
    {"joule", "J"},
    {"watt", "W"},
    {"pascal", "Pa"},
    {"hertz", "Hz"},
    {"kgf", "N (1 kgf = 9.80665 N)"},
    {"t", "Mg (a tonne is 1 Mg)"},
    {"ton", "Mg (a tonne is 1 Mg)"},
};

const Symbol* find_symbol(std::string_view name) {
  for (const Symbol& s : kSymbols)
    if (s.name == name) return &s;
  return nullptr;
}

std::optional<ParsedUnit> find_unit(std::string_view name) {
  if (const Symbol* s = find_symbol(name)) return ParsedUnit{s->factor, s->dimension, true, ""};
  for (const Prefix& p : kPrefixes) {
    if (name.size() <= p.name.size() || name.substr(0, p.name.size()) != p.name) continue;
    const Symbol* s = find_symbol(name.substr(p.name.size()));
    if (s && s->takes_prefix) {
      // grams carry the factor 1e-3; kg must come out as exactly 1
      const double factor = s->name == "g" && p.name == "k" ? 1.0 : p.factor * s->factor;
      return ParsedUnit{factor, s->dimension, true, ""};
    }
  }
  return std::nullopt;
}

std::string unknown_unit(std::string_view name) {
  std::string problem = "unknown unit '" + shortened(name) + "'.";
  if (name == "degC" || name == "C" || name == "°C" || name == "degF" || name == "F")
    return problem + " Temperatures are in kelvin: write 293.15 K";
  for (const Alias& a : kAliases)
    if (a.word == name) return problem + " Write " + std::string(a.instead);
  // same letters, other case: mn -> MN or mN
  std::vector<std::string> known;
  for (const Symbol& s : kSymbols) {
    known.emplace_back(s.name);
    if (!s.takes_prefix) continue;
    for (const char* p : {"k", "M", "G", "m", "u", "n", "c"}) known.push_back(std::string(p) + std::string(s.name));
  }
  const auto lower = [](std::string_view t) {
    std::string r(t);
    for (char& c : r)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return r;
  };
  std::string alike;
  for (const std::string& k : known)
    if (lower(k) == lower(name)) alike += (alike.empty() ? "'" : " or '") + k + "'";
  if (!alike.empty()) return problem + " Capital letters matter: did you mean " + alike + "?";
  const std::string hint = did_you_mean(name, known);
  return problem + (hint.empty()
                        ? " Known are m, g, s, K, N, Nm, J, W, Pa, bar, Hz, rad with SI prefixes, and deg, rev, rpm, min, h, "
                          "in, ft, lb, lbf, psi"
                        : hint);
}

/// Reads a unit text from left to right; the first problem stops it.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  ParsedUnit run() {
    ParsedUnit u = product(0);
    skip_blanks();
    if (problem_.empty() && pos_ < text_.size()) fail("unexpected '" + shortened(text_.substr(pos_), 12) + "'");
    if (problem_.empty() && !(std::isfinite(u.factor) && u.factor > 0)) fail("the factor to SI is out of the range of numbers");
    if (!problem_.empty()) return {1, {}, false, problem_};
    u.ok = true;
    return u;
  }

 private:
  static constexpr int kMaxDepth = 20;

  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    pos_ = text_.size();
  }
  void skip_blanks() {
    while (pos_ < text_.size() && (text_[pos_] == ' ' || text_[pos_] == '\t')) ++pos_;
  }
  bool take(std::string_view token) {
    if (text_.substr(pos_, token.size()) != token) return false;
    pos_ += token.size();
    return true;
  }

  ParsedUnit product(int depth) {
    if (depth > kMaxDepth) {
      fail("the parentheses are nested too deeply");
      return {};
    }
    ParsedUnit u = factor(depth);
    bool divided = false;
    while (problem_.empty()) {
      const std::size_t before = pos_;
      skip_blanks();
      if (pos_ >= text_.size() || text_[pos_] == ')') break;
      double sign = 1;
      if (take("/")) {
        sign = -1;
        divided = true;
      } else if (!take("*")) {
        const bool dot = take("·") || take("⋅");
        if (!dot && before == pos_ && text_[pos_] != '(') break;
        if (divided) {
          fail(
              "'" + shortened(text_) +
              "' can be read in two ways: put what is divided by into parentheses, as in N/(m s), or the products first, as in N s/m");
          break;
        }
      }
      const ParsedUnit f = factor(depth);
      u.factor *= std::pow(f.factor, sign);
      u.dimension.m += sign * f.dimension.m;
      u.dimension.kg += sign * f.dimension.kg;
      u.dimension.s += sign * f.dimension.s;
      u.dimension.K += sign * f.dimension.K;
    }
    return u;
  }

  ParsedUnit factor(int depth) {
    skip_blanks();
    ParsedUnit u;
    if (pos_ >= text_.size()) {
      fail(text_.empty() ? "the unit is empty" : "the unit ends too early");
      return u;
    }
    if (take("(")) {
      u = product(depth + 1);
      skip_blanks();
      if (!take(")")) fail("a ')' is missing");
    } else if (text_[pos_] == '1' && (pos_ + 1 == text_.size() || !is_digit_or_dot(text_[pos_ + 1]))) {
      ++pos_;
    } else {
      const std::size_t start = pos_;
      while (pos_ < text_.size() && is_name_byte()) ++pos_;
      const std::string_view name = text_.substr(start, pos_ - start);
      if (name.empty()) {
        fail("unexpected '" + shortened(text_.substr(pos_), 12) + "'");
        return u;
      }
      const std::optional<ParsedUnit> found = find_unit(name);
      if (!found) {
        fail(unknown_unit(name));
        return u;
      }
      u = *found;
    }
    if (const double n = exponent(); n != 1) {
      u.factor = std::pow(u.factor, n);
      u.dimension = {u.dimension.m * n, u.dimension.kg * n, u.dimension.s * n, u.dimension.K * n};
    }
    return u;
  }

  static bool is_digit_or_dot(char c) { return (c >= '0' && c <= '9') || c == '.'; }

  /// Letters, and the bytes of µ, μ, °; not those of the signs · ⋅ and the raised digits.
  bool is_name_byte() const {
    const char c = text_[pos_];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return true;
    if (static_cast<unsigned char>(c) < 0x80) return false;
    for (std::string_view sign : {"·", "⋅", "²", "³", "¹", "⁻"})
      if (text_.substr(pos_, sign.size()) == sign) return false;
    return true;
  }

  /// ^2, ^-1, ^1.5, ^(1/2), ², ³, ⁻¹, ⁻²; 1 when there is none.
  double exponent() {
    if (take("⁻¹")) return -1;
    if (take("⁻²")) return -2;
    if (take("⁻³")) return -3;
    if (take("²")) return 2;
    if (take("³")) return 3;
    skip_blanks_before_caret();
    if (!take("^")) return 1;
    skip_blanks();
    const bool parenthesis = take("(");
    double n = number();
    if (parenthesis) {
      skip_blanks();
      if (take("/")) n /= number();
      skip_blanks();
      if (!take(")")) fail("a ')' is missing after the power");
    }
    if (!(std::abs(n) <= 20)) fail("a power must be between -20 and 20");
    return n;
  }
  void skip_blanks_before_caret() {
    std::size_t p = pos_;
    while (p < text_.size() && text_[p] == ' ') ++p;
    if (p < text_.size() && text_[p] == '^') pos_ = p;
  }
  double number() {
    skip_blanks();
    const bool minus = take("-");
    if (!minus) take("+");
    double n = 0;
    const char* end = text_.data() + text_.size();
    if (pos_ >= text_.size() || !is_digit_or_dot(text_[pos_])) {
      fail("a number is missing after '^'");
      return 1;
    }
    const auto result = std::from_chars(text_.data() + pos_, end, n, std::chars_format::fixed);
    if (result.ec != std::errc()) {
      fail("the power is not a number");
      return 1;
    }
    pos_ = static_cast<std::size_t>(result.ptr - text_.data());
    return minus ? -n : n;
  }

  std::string_view text_;
  std::size_t pos_ = 0;
  std::string problem_;
};

}  // namespace

ParsedUnit parse_unit(std::string_view text) {
  text = trim(text);
  if (text.size() > 200) return {1, {}, false, "the unit is longer than 200 characters"};
  return UnitParser(text).run();
}

MadeUnit over_metres(const Unit& unit, double power) {
  Dimension d = unit.dimension;
  d.m -= power;
  return {std::string(unit.text) + "/m" + (power == 1 ? "" : "^" + number_text(power)), d};
}

bool same_dimension(const Dimension& a, const Dimension& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) < 1e-9; };
  return near(a.m, b.m) && near(a.kg, b.kg) && near(a.s, b.s) && near(a.K, b.K);
}

std::string dimension_text(const Dimension& d) {
  const std::pair<const char*, double> parts[] = {{"kg", d.kg}, {"m", d.m}, {"s", d.s}, {"K", d.K}};
  std::string above, below;
  int count_below = 0;
  for (const auto& [name, power] : parts) {
    const double rounded = std::abs(power - std::round(power)) < 1e-9 ? std::round(power) : power;
    if (rounded == 0) continue;
    std::string& side = rounded > 0 ? above : below;
    if (rounded < 0) ++count_below;
    if (!side.empty()) side += ' ';
    side += name;
    if (std::abs(rounded) != 1) side += "^" + number_text(std::abs(rounded));
  }
  if (above.empty()) above = "1";
  if (below.empty()) return above;
  return above + "/" + (count_below > 1 ? "(" + below + ")" : below);
}

}  // namespace bristle
