#pragma once
// Parameter sets for any registered type, made from its own visitor: no type is named here.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bristle/base/visitor.h"
#include "bristle/signal/signal.h"

namespace bristle::contract {

/// One parameter as its visitor tells it.
struct Field {
  enum class Kind { number, integer, flag, choice, list, signal };
  Kind kind = Kind::number;
  std::string key, unit, text;
  double low = 0, high = 0, number = 0;
  std::vector<std::string> words;
  int index = 0;  // of a choice or integer
  bool flag = false;
};

/// Collects the fields of a type.
class FieldTable : public Visitor {
 public:
  std::vector<Field> fields;
  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override {
    Field f;
    f.key = key, f.unit = unit.text, f.text = text, f.low = range.low, f.high = range.high, f.number = value;
    fields.push_back(f);
  }
  void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override {
    (*this)(key, value, unit, range, text);
  }
  void integer(const char* key, int& value, int low, int high, const char* text) override {
    Field f;
    f.kind = Field::Kind::integer, f.key = key, f.unit = "1", f.text = text, f.low = low, f.high = high, f.index = value;
    fields.push_back(f);
  }
  void flag(const char* key, bool& value, const char* text) override {
    Field f;
    f.kind = Field::Kind::flag, f.key = key, f.unit = "1", f.text = text, f.high = 1, f.flag = value;
    fields.push_back(f);
  }
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override {
    Field f;
    f.kind = Field::Kind::choice, f.key = key, f.unit = "1", f.text = text, f.index = value;
    f.words.assign(words.begin(), words.end());
    f.high = static_cast<double>(words.size());
    fields.push_back(f);
  }
  void list(const char* key, std::vector<double>&, const Unit& unit, const Range& range, const char* text) override {
    Field f;
    f.kind = Field::Kind::list, f.key = key, f.unit = unit.text, f.text = text, f.low = range.low, f.high = range.high;
    fields.push_back(f);
  }
  void signal(const char* key, Signal&, const Unit& unit, const char* text) override {
    Field f;
    f.kind = Field::Kind::signal, f.key = key, f.unit = unit.text, f.text = text, f.high = 1;
    fields.push_back(f);
  }
  void reference_load() override {}
};

/// One set of parameters: what is required, perhaps with everything optional switched on, perhaps with one choice changed.
struct ParameterCase {
  std::string label = "plain";
  bool full = false;                  // numbers that are zero by default get a moderate value
  bool finite = false;                // numbers that are infinite by default too
  std::string changed;                // one number that is changed alone: zero to a moderate value, others by
  double factor = 1;                  // this factor
  std::map<std::string, int> chosen;  // other word of a choice, other value of a flag
};

/// Fills a parameter struct according to a case.
class Filler : public Visitor {
 public:
  explicit Filler(ParameterCase c) : case_(std::move(c)) {}
  std::string problem;  ///< what the struct said about the combination
  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char*) override {
    const bool required = std::isnan(value);
    const bool off = (case_.full && value == 0) || (case_.finite && std::isinf(value)) || (case_.changed == key && value == 0);
    if (required) {
      value = required_value(key, unit.text);
    } else if (off && range.low >= 0) {
      value = moderate(unit.text);
    } else if (case_.changed != key) {
      return;
    }
    if (case_.changed == key) value *= case_.factor;
    if (!range.contains(value) && std::isfinite(range.high)) value = 0.5 * (range.low + range.high);
  }
  void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override {
    (*this)(key, value, unit, range, text);
  }
  void integer(const char*, int&, int, int, const char*) override {}
  void flag(const char* key, bool& value, const char*) override {
    if (const auto it = case_.chosen.find(key); it != case_.chosen.end()) value = it->second != 0;
  }
  void choice(const char* key, int& value, std::initializer_list<const char*>, const char*) override {
    if (const auto it = case_.chosen.find(key); it != case_.chosen.end()) value = it->second;
  }
  void list(const char*, std::vector<double>&, const Unit&, const Range&, const char*) override {}
  void signal(const char*, Signal&, const Unit&, const char*) override {}
  void check(const std::string& p) override { problem = p; }
  void reference_load() override {}

 private:
  static double moderate(const char* unit) {
    static const std::map<std::string, double> values{{"1", 0.1},   {"m", 1e-4},  {"s", 0.1}, {"1/s", 10.0}, {"m/s", 1e-2},
                                                      {"1/m", 1e2}, {"s/m", 1.0}, {"N", 0.5}, {"N/m", 1e5},  {"N s/m", 1.0}};
    const auto it = values.find(unit);
    return it == values.end() ? 1.0 : it->second;
  }
  double required_value(const char* key, const char* unit) {
    if (std::strcmp(key, "mu_kinetic") == 0) return 0.1;
    if (std::strcmp(key, "mu_static") == 0) return 0.15;
    if (std::strcmp(unit, "1") != 0) return moderate(unit);
    // plain numbers fall in the order of the table: a level before the drop from it
    return 0.3 / (1 + 0.5 * plain_numbers_++);
  }
  ParameterCase case_;
  int plain_numbers_ = 0;
};

/// plain; full; full with nothing infinite; and, on top of full, every other word of every choice and every flag turned over.
inline std::vector<ParameterCase> parameter_cases(const std::vector<Field>& fields) {
  std::vector<ParameterCase> cases(2);
  cases[1].label = "full", cases[1].full = true;
  if (std::any_of(fields.begin(), fields.end(), [](const Field& f) { return std::isinf(f.number); })) {
    cases.push_back(cases[1]);
    cases.back().label = "finite", cases.back().finite = true;
  }
  for (const Field& f : fields) {
    if (f.kind == Field::Kind::flag) {
      ParameterCase c = cases[1];
      c.label = f.key + "_" + (f.flag ? "off" : "on");
      c.chosen[f.key] = f.flag ? 0 : 1;
      cases.push_back(c);
    }
    if (f.kind != Field::Kind::choice) continue;
    for (int w = 0; w < static_cast<int>(f.words.size()); ++w) {
      if (w == f.index) continue;
      ParameterCase c = cases[1];
      c.label = f.key + "_" + f.words[static_cast<std::size_t>(w)];
      c.chosen[f.key] = w;
      cases.push_back(c);
    }
  }
  return cases;
}

/// Every number changed alone, to a tenth and to the tenfold.
inline std::vector<ParameterCase> single_changes(const std::vector<Field>& fields) {
  std::vector<ParameterCase> cases;
  for (const Field& f : fields) {
    if (f.kind != Field::Kind::number || std::isinf(f.number)) continue;
    for (const double factor : {0.1, 1.0, 10.0}) {
      if (factor == 1.0 && f.number != 0) continue;
      ParameterCase c;
      c.changed = f.key, c.factor = factor;
      c.label = f.key + (factor < 1 ? "_tenth" : factor > 1 ? "_tenfold" : "_on");
      cases.push_back(c);
    }
  }
  return cases;
}

}  // namespace bristle::contract
