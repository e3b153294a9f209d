#pragma once
#include <span>
#include <string>
#include <vector>

#include "bristle/base/node.h"
#include "bristle/base/visitor.h"

namespace bristle {

/// One parameter of a type, as shown to people and to editors.
struct Field {
  enum class Kind { number, per_load, integer, flag, choice, list, signal };
  std::string key;
  Kind kind = Kind::number;
  std::string unit;           ///< "N/m"; "1" for a plain number; "" where there is none
  Range range = any;          ///< of numbers and lists
  std::string range_text;     ///< "> 0", "1 to 10"; "" when anything goes
  std::string default_value;  ///< "" when required
  std::string text;
  std::string form = {};           ///< of what is no plain value: its name in the JSON Schema
  std::vector<std::string> words;  ///< of a choice
  bool required = false;
};

/// Collects the fields of a parameter struct: `Describer d; params.visit(d); d.fields()`.
class Describer final : public Visitor {
 public:
  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* text) override;
  void flag(const char* key, bool& value, const char* text) override;
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override;
  void list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char* text) override;
  void signal(const char* key, Signal& value, const Unit& unit, const char* text) override;
  void reference_load() override;
  const std::vector<Field>& fields() const { return fields_; }

 private:
  Field& add(const char* key, Field::Kind kind, const char* text);
  void number(Field::Kind kind, const char* key, double value, const Unit& unit, const Range& range, const char* text);
  std::vector<Field> fields_;
};

/// Writes a parameter struct back as a map that a Reader reads to the same values: `Printer p; params.visit(p); p.node()`.
/// Numbers that are infinite or not given are left out.
class Printer final : public Visitor {
 public:
  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* text) override;
  void flag(const char* key, bool& value, const char* text) override;
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override;
  void list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char* text) override;
  void signal(const char* key, Signal& value, const Unit& unit, const char* text) override;
  void reference_load() override {}
  const Node& node() const { return node_; }

 private:
  Node node_ = Node::map();
};

std::string parameter_table_text(std::span<const Field> fields);      ///< aligned columns for a terminal
std::string parameter_table_markdown(std::span<const Field> fields);  ///< a table for the reference pages
/// A JSON-Schema object for a map with these fields. Numbers may also be texts: with a unit, or expressions.
std::string parameter_schema(std::span<const Field> fields, std::span<const std::string> extra_keys = {});

}  // namespace bristle
