#include "bristle/model/describe.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "bristle/base/text.h"
#include "bristle/signal/signal.h"

namespace bristle {

namespace {

std::string with_unit(double value, const Unit& unit) {
  const std::string number = number_text(value);
  return std::string_view(unit.text) == "1" ? number : number + " " + unit.text;
}

std::string unit_column(const Field& field) {
  if (field.kind != Field::Kind::per_load) return field.unit;
  return field.unit + " per load";
}
std::string range_column(const Field& field) {
  if (field.words.empty()) return field.range_text;
  std::string text;
  for (const std::string& w : field.words) text += (text.empty() ? "" : ", ") + w;
  return text;
}
std::string default_column(const Field& field) { return field.required ? "required" : field.default_value; }

std::string escaped(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
  return text;
}

}  // namespace

Field& Describer::add(const char* key, Field::Kind kind, const char* text) {
  Field field;
  field.key = key;
  field.kind = kind;
  field.text = text ? text : "";
  return fields_.emplace_back(std::move(field));
}

void Describer::number(Field::Kind kind, const char* key, double value, const Unit& unit, const Range& range, const char* text) {
  Field& field = add(key, kind, text);
  field.unit = unit.text;
  field.range = range;
  const bool bounded = std::isfinite(range.low) || std::isfinite(range.high);
  field.range_text = bounded ? range.text() : "";
  field.required = std::isnan(value);
  if (!field.required) field.default_value = std::isinf(value) ? number_text(value) : with_unit(value, unit);
}
void Describer::operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) {
  number(Field::Kind::number, key, value, unit, range, text);
}
void Describer::per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) {
  number(Field::Kind::per_load, key, value, unit, range, text);
}
void Describer::integer(const char* key, int& value, int low, int high, const char* text) {
  Field& field = add(key, Field::Kind::integer, text);
  const bool below = low > std::numeric_limits<int>::min(), above = high < std::numeric_limits<int>::max();
  field.range = {below ? low : -kInfinity, above ? high : kInfinity, !below, !above};
  field.range_text = below || above ? field.range.text() : "";
  field.default_value = std::to_string(value);
}
void Describer::flag(const char* key, bool& value, const char* text) {
  add(key, Field::Kind::flag, text).default_value = value ? "true" : "false";
}
void Describer::choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) {
  Field& field = add(key, Field::Kind::choice, text);
  field.words.assign(words.begin(), words.end());
  if (value >= 0 && value < static_cast<int>(words.size())) field.default_value = field.words[static_cast<std::size_t>(value)];
}
void Describer::list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char* text) {
  number(Field::Kind::list, key, 0, unit, range, text);
  std::string all;
  for (double x : value) all += (all.empty() ? "" : ", ") + with_unit(x, unit);
  fields_.back().default_value = "[" + all + "]";
}
void Describer::signal(const char* key, Signal& value, const Unit& unit, const char* text) {
  Field& field = add(key, Field::Kind::signal, text);
  field.unit = unit.text;
  field.default_value = value.is_constant() ? with_unit(value.constant(), unit) : value.text();
}
void Describer::reference_load() {
  Field& field = add("reference_load", Field::Kind::number, "load that values given in newtons (not per load) belong to");
  field.unit = unit::newton.text;
  field.range = positive;
  field.range_text = positive.text();
  field.default_value = "the load of the place, where it is constant";
}

void Printer::operator()(const char* key, double& value, const Unit& unit, const Range&, const char*) {
  if (std::isfinite(value)) node_.set(key, Node::scalar(with_unit(value, unit)));
}
void Printer::per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) {
  (*this)(key, value, unit, range, text);
}
void Printer::integer(const char* key, int& value, int, int, const char*) { node_.set(key, Node::scalar(std::to_string(value))); }
void Printer::flag(const char* key, bool& value, const char*) { node_.set(key, Node::scalar(value ? "true" : "false")); }
void Printer::choice(const char* key, int& value, std::initializer_list<const char*> words, const char*) {
  if (value >= 0 && value < static_cast<int>(words.size())) node_.set(key, Node::scalar(words.begin()[value]));
}
void Printer::list(const char* key, std::vector<double>& value, const Unit& unit, const Range&, const char*) {
  Node items = Node::list();
  for (double x : value) items.add(Node::scalar(with_unit(x, unit)));
  node_.set(key, std::move(items));
}
void Printer::signal(const char* key, Signal& value, const Unit& unit, const char*) {
  node_.set(key, Node::scalar(value.is_constant() ? with_unit(value.constant(), unit) : value.text()));
}

std::string parameter_table_text(std::span<const Field> fields) {
  std::size_t key = 3, unit = 4, range = 5, standard = 7;
  for (const Field& f : fields) {
    key = std::max(key, f.key.size());
    unit = std::max(unit, unit_column(f).size());
    range = std::max(range, range_column(f).size());
    standard = std::max(standard, default_column(f).size());
  }
  const auto line = [&](std::string_view k, std::string_view u, std::string_view r, std::string_view d, std::string_view t) {
    std::string text = fmt::format("{:<{}}  {:<{}}  {:<{}}  {:<{}}  {}", k, key, u, unit, r, range, d, standard, t);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string out = line("key", "unit", "range", "default", "meaning");
  for (const Field& f : fields) out += line(f.key, unit_column(f), range_column(f), default_column(f), f.text);
  return out;
}

std::string parameter_table_markdown(std::span<const Field> fields) {
  std::string out = "| key | unit | range | default | meaning |\n|---|---|---|---|---|\n";
  for (const Field& f : fields)
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", f.key, unit_column(f), escaped(range_column(f)),
                       escaped(default_column(f)), escaped(f.text));
  return out;
}

}  // namespace bristle
