#include "bristle/model/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/base/text.h"

namespace bristle {

namespace {

std::string unit_text(const Unit& unit) { return " [" + std::string(unit.text) + "]"; }

/// A value to show in "Write mass: 1 kg".
std::string example_value(const Unit& unit, const Range& range) {
  double x = 1;
  if (!range.contains(x))
    x = std::isfinite(range.low) && std::isfinite(range.high) ? 0.5 * (range.low + range.high)
        : std::isfinite(range.low)                            ? range.low + 1
                                                              : range.high - 1;
  const std::string number = number_text(x);
  return std::string_view(unit.text) == "1" ? number : number + " " + unit.text;
}

std::string meaning_of(const char* text, const Unit& unit) {
  const std::string meaning = text ? text : "";
  return std::string_view(unit.text) == "1" ? meaning : meaning + ", [" + unit.text + "]";
}

}  // namespace

Reader::Reader(const Node& map, const Scope& scope, ReadContext context)
    : map_(map), scope_(scope), context_(std::move(context)) {
  if (!map_.is_map() && map_.kind != Node::Kind::null)
    fail_at(map_.where, "expected a map with keys and values, found " +
                            (map_.is_list() ? std::string("a list") : "'" + shortened(map_.text, 30) + "'") +
                            ". Write {key: value} or 'key: value' lines");
}

void Reader::fail_at(const Where& where, const std::string& sentence) const {
  throw InputError(where, context_.owner.empty() ? sentence : context_.owner + ": " + sentence);
}

void Reader::fail(std::string_view key, const std::string& sentence) const {
  const Node* value = map_.find(key);
  fail_at(value ? value->where : map_.where, sentence);
}

template <class F>
auto Reader::named(std::string_view key, F f) const {
  try {
    return f();
  } catch (const InputError& error) {
    fail_at(error.where(), std::string(key) + ": " + error.sentence());
  }
}

const Node* Reader::use(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  const Node* value = map_.find(key);
  if (value && value->kind == Node::Kind::null)
    fail_at(value->where, std::string(key) + " has no value. Give one, or delete the key");
  return value;
}

void Reader::missing(const std::string& key, const std::string& meaning, const std::string& example) const {
  fail_at(map_.where,
          "missing key '" + key + "'" + (meaning.empty() ? "" : " (" + meaning + ")") + ". Write " + key + ": " + example);
}

void Reader::expect(const std::string& key, const std::string& meaning, const std::string& example) {
  if (first_missing_) return;
  try {
    missing(key, meaning, example);
  } catch (const InputError& error) {
    first_missing_ = error;
  }
}

Quantity Reader::quantity(std::string_view key, const Node& value) const {
  if (!value.is_scalar())
    fail_at(value.where, std::string(key) + " must be a single value, found " + (value.is_list() ? "a list" : "a map"));
  return named(key, [&] { return parse_quantity(value.text, scope_, value.where_of_text()); });
}

void Reader::check_range(std::string_view key, const Node& value, double number, const Unit& unit, const Range& range) const {
  if (range.contains(number)) return;
  // a bare number is repeated as written; for anything else the SI value and its origin
  const std::string_view written = trim(value.text);
  const bool bare = written.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
  const std::string got = bare ? std::string(written) + unit_text(unit)
                               : fmt::format("{:.9g}", number) + unit_text(unit) + " from '" + shortened(written) + "'";
  fail_at(value.where, std::string(key) + " must be " + range.text() + ", got " + got);
}

double Reader::checked(std::string_view key, const Node& value, const Unit& unit, const Range& range) const {
  const Quantity q = quantity(key, value);
  named(key, [&] { require_dimension(q.dimension, unit, value.where); });
  check_range(key, value, q.value, unit, range);
  return q.value;
}

void Reader::operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) {
  if (const Node* node = use(key)) value = checked(key, *node, unit, range);
  else if (std::isnan(value)) expect(key, meaning_of(text, unit), example_value(unit, range));
}

std::optional<double> Reader::load_for_division() {
  if (const Node* node = use("reference_load")) return checked("reference_load", *node, unit::newton, positive);
  return context_.reference_load;
}

void Reader::per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) {
  const Node* node = use(key);
  if (!node) {
    if (std::isnan(value)) expect(key, meaning_of(text, unit), example_value(unit, range));
    return;
  }
  const Quantity q = quantity(key, *node);
  const Dimension &u = unit.dimension, &n = unit::newton.dimension;
  double number = q.value;
  if (!same_dimension(q.dimension, {}) && same_dimension(q.dimension, {u.m + n.m, u.kg + n.kg, u.s + n.s, u.K + n.K})) {
    const std::optional<double> load = load_for_division();
    if (!load || !(*load > 0))
      fail_at(
          node->where,
          std::string(key) + " is meant per unit of load" + unit_text(unit) + ", but '" + shortened(node->text) +
              "' is a value at one load. Add reference_load: 100 N (the load it was measured at) beside it, or divide it by that load");
    number /= *load;
  } else {
    named(key, [&] { require_dimension(q.dimension, unit, node->where); });
  }
  check_range(key, *node, number, unit, range);
  value = number;
}

void Reader::check(const std::string& problem) {
  if (problem.empty()) return;
  // a mistyped key is the more likely cause
  for (std::size_t i = 0; i < map_.children.size(); ++i) {
    const std::string& key = map_.children[i].first;
    if (key == "type" || std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    std::vector<std::string_view> free;
    for (const std::string& a : asked_)
      if (!map_.find(a)) free.push_back(a);
    const std::string hint = did_you_mean(key, free);
    const Where spot =
        i < map_.key_where.size() && !map_.key_where[i].file.empty() ? map_.key_where[i] : map_.children[i].second.where;
    if (!hint.empty()) fail_at(spot, "unknown key '" + shortened(key) + "'." + hint);
  }
  fail_at(map_.where, problem);
}

void Reader::reference_load() { load_for_division(); }

void Reader::integer(const char* key, int& value, int low, int high, const char*) {
  const Node* node = use(key);
  if (!node) return;
  const double x = checked(key, *node, unit::one, any);
  const std::string limits = low == std::numeric_limits<int>::min() && high == std::numeric_limits<int>::max() ? ""
                             : high == std::numeric_limits<int>::max()
                                 ? " >= " + std::to_string(low)
                                 : " between " + std::to_string(low) + " and " + std::to_string(high);
  if (x != std::round(x) || x < low || x > high)
    fail_at(node->where, std::string(key) + " must be a whole number" + limits + ", got " + shortened(node->text));
  value = static_cast<int>(x);
}

void Reader::flag(const char* key, bool& value, const char*) {
  const Node* node = use(key);
  if (!node) return;
  if (!node->is_scalar() || (node->text != "true" && node->text != "false"))
    fail_at(node->where,
            std::string(key) + " must be true or false" + (node->is_scalar() ? ", got '" + shortened(node->text, 30) + "'" : ""));
  value = node->text == "true";
}

void Reader::choice(const char* key, int& value, std::initializer_list<const char*> words, const char*) {
  const Node* node = use(key);
  if (!node) return;
  const auto it = std::find_if(words.begin(), words.end(), [&](const char* w) { return node->is_scalar() && node->text == w; });
  if (it == words.end()) {
    const std::vector<std::string_view> all(words.begin(), words.end());
    const std::string got = node->is_scalar() ? ", got '" + shortened(node->text, 30) + "'." + did_you_mean(node->text, all) : "";
    fail_at(node->where, std::string(key) + " must be one of " + join_words(all) + got);
  }
  value = static_cast<int>(it - words.begin());
}

void Reader::list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char*) {
  const Node* node = use(key);
  if (!node) return;
  if (!node->is_list())
    fail_at(node->where,
            std::string(key) + " must be a list" + unit_text(unit) + ". Write " + key + ": [" + example_value(unit, range) + "]");
  std::vector<double> numbers;
  for (std::size_t i = 0; i < node->size(); ++i)
    numbers.push_back(checked(std::string(key) + "[" + std::to_string(i) + "]", (*node)[i], unit, range));
  value = std::move(numbers);
}

void Reader::signal(const char* key, Signal& value, const Unit& unit, const char*) {
  const Node* node = use(key);
  if (!node) return;
  if (!node->is_scalar())
    fail_at(node->where, std::string(key) + " must be a number or an expression" + unit_text(unit) + ", found " +
                             (node->is_list() ? "a list" : "a map"));
  value = named(key, [&] { return parse_signal(node->text, scope_, node->where_of_text(), unit); });
}

void Reader::input(const char* key, double& value, bool& outside, const Unit& unit, const Range& range, const char* text) {
  outside = false;
  const Node* node = map_.find(key);
  if (node != nullptr && node->is_scalar() && !is_number(node->text)) {
    Signal given;
    signal(key, given, unit, text);
    outside = !given.is_constant();
    if (outside) input_ = GivenInput{key, std::move(given), range};
  }
  if (!outside) (*this)(key, value, unit, range, text);
}

bool Reader::has(std::string_view key) const {
  const Node* value = map_.find(key);
  return value && value->kind != Node::Kind::null;
}

std::string Reader::text(const std::string& key, const char* meaning) {
  if (!use(key)) missing(key, meaning, "<name>");
  return optional_text(key);
}
std::string Reader::optional_text(const std::string& key, std::string fallback) {
  const Node* node = use(key);
  if (!node) return fallback;
  if (!node->is_scalar())
    fail_at(node->where, key + " must be a single word or text, found " + (node->is_list() ? "a list" : "a map"));
  return node->text;
}

std::vector<std::string> Reader::names(const std::string& key, const char* meaning) {
  if (!use(key)) missing(key, meaning, "[<name>, <name>]");
  return optional_names(key);
}
std::vector<std::string> Reader::optional_names(const std::string& key) {
  const Node* node = use(key);
  if (!node) return {};
  if (node->is_scalar()) return {node->text};
  if (!node->is_list()) fail_at(node->where, key + " must be a word or a list of words: [a, b]");
  std::vector<std::string> result;
  for (const auto& [unused, item] : node->children) {
    if (!item.is_scalar()) fail_at(item.where, key + " must be a list of words: [a, b]");
    result.push_back(item.text);
  }
  return result;
}

const Node& Reader::child(const std::string& key, const char* meaning) {
  if (!use(key)) missing(key, meaning, "{...}");
  return *map_.find(key);
}
const Node* Reader::optional_child(const std::string& key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
  return has(key) ? map_.find(key) : nullptr;
}

double Reader::number(const std::string& key, const Unit& unit, const Range& range, const char* meaning) {
  if (!use(key)) missing(key, meaning_of(meaning, unit), example_value(unit, range));
  return *optional_number(key, unit, range);
}
std::optional<double> Reader::optional_number(const std::string& key, const Unit& unit, const Range& range) {
  const Node* node = use(key);
  if (!node) return std::nullopt;
  return checked(key, *node, unit, range);
}

std::vector<double> Reader::numbers(const std::string& key, std::size_t count, const Unit& unit, const char* meaning) {
  if (!use(key)) missing(key, meaning_of(meaning, unit), "[...] with " + std::to_string(count) + " numbers");
  return *optional_numbers(key, count, unit);
}
std::optional<std::vector<double>> Reader::optional_numbers(const std::string& key, std::size_t count, const Unit& unit) {
  const Node* node = use(key);
  if (!node) return std::nullopt;
  std::vector<double> values;
  list(key.c_str(), values, unit, any, nullptr);
  if (values.size() != count)
    fail_at(node->where, key + " must have " + std::to_string(count) + " numbers" + unit_text(unit) + ", got " +
                             std::to_string(values.size()));
  return values;
}

void Reader::finish(std::initializer_list<std::string_view> extra_allowed_keys) {
  std::vector<std::string_view> allowed;
  const auto allow = [&](std::string_view key) {
    if (std::find(allowed.begin(), allowed.end(), key) == allowed.end()) allowed.push_back(key);
  };
  for (const std::string& key : asked_) allow(key);
  for (std::string_view key : extra_allowed_keys) allow(key);
  for (std::size_t i = 0; i < map_.children.size(); ++i) {
    const std::string& key = map_.children[i].first;
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    // keys that are free are the likely ones
    std::vector<std::string_view> free;
    for (std::string_view a : allowed)
      if (!map_.find(a)) free.push_back(a);
    std::string hint = did_you_mean(key, free);
    if (hint.empty()) hint = did_you_mean(key, allowed);
    if (hint.empty()) hint = allowed.empty() ? " No keys are taken here" : " Known keys: " + join_words(allowed);
    const Where spot =
        i < map_.key_where.size() && !map_.key_where[i].file.empty() ? map_.key_where[i] : map_.children[i].second.where;
    fail_at(spot, "unknown key '" + shortened(key) + "'." + hint);
  }
  if (first_missing_) throw *first_missing_;
}

}  // namespace bristle
