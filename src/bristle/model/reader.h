#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/base/node.h"
#include "bristle/base/visitor.h"
#include "bristle/signal/parse.h"

namespace bristle {

struct ReadContext {
  std::string owner;                     ///< for messages: "joint 'pin_a': friction 'lugre'"
  std::optional<double> reference_load;  ///< [N] load of the place, when it is constant
};

/// A parameter that an expression gives, see Visitor::input.
struct GivenInput {
  std::string key;
  Signal signal;
  Range range;
};

/** Fills parameter structs from a map of the model file: units, ranges, expressions, defaults.

    Reader reader(node, scope, {"joint 'pin_a': friction 'lugre'", {}});
    params.visit(reader);
    reader.finish({"type"});

A value that is wrong is refused at once. Keys that are missing are reported by finish(), after keys that are unknown, since a
mistyped key is the more likely cause: call finish() before using the values. */
class Reader final : public Visitor {
 public:
  /// `map` and `scope` must outlive the reader. A null node counts as an empty map.
  Reader(const Node& map, const Scope& scope, ReadContext context = {});

  void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) override;
  void integer(const char* key, int& value, int low, int high, const char* text) override;
  void flag(const char* key, bool& value, const char* text) override;
  void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) override;
  void list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char* text) override;
  void signal(const char* key, Signal& value, const Unit& unit, const char* text) override;
  void input(const char* key, double& value, bool& outside, const Unit& unit, const Range& range, const char* text) override;
  void reference_load() override;
  void check(const std::string& problem) override;

  // --- for the assembler; the ones without `optional` refuse a missing key at once ---
  bool has(std::string_view key) const;  ///< given, and not null
  std::string text(const std::string& key, const char* meaning);
  std::string optional_text(const std::string& key, std::string fallback = "");
  std::vector<std::string> names(const std::string& key, const char* meaning);  ///< a word or a list of words
  std::vector<std::string> optional_names(const std::string& key);
  const Node& child(const std::string& key, const char* meaning);
  const Node* optional_child(const std::string& key);  ///< nullptr when absent or null
  double number(const std::string& key, const Unit& unit, const Range& range, const char* meaning);
  std::optional<double> optional_number(const std::string& key, const Unit& unit, const Range& range = any);
  /// Exactly `count` numbers, as for a vector.
  std::vector<double> numbers(const std::string& key, std::size_t count, const Unit& unit, const char* meaning);
  std::optional<std::vector<double>> optional_numbers(const std::string& key, std::size_t count, const Unit& unit);

  /// Refuses keys that nobody asked for and then keys that are missing.
  void finish(std::initializer_list<std::string_view> extra_allowed_keys = {});

  /// "joint 'pin_a': " + sentence, at the value of the key, or at the map when there is no such key.
  [[noreturn]] void fail(std::string_view key, const std::string& sentence) const;
  const Node& node() const { return map_; }
  const std::string& owner() const { return context_.owner; }
  /// What `input` has read that is no number.
  const std::optional<GivenInput>& given_input() const { return input_; }

 private:
  const Node* use(std::string_view key);  ///< nullptr when absent; a null value is refused
  [[noreturn]] void fail_at(const Where& where, const std::string& sentence) const;
  [[noreturn]] void missing(const std::string& key, const std::string& meaning, const std::string& example) const;
  void expect(const std::string& key, const std::string& meaning, const std::string& example);
  /// Runs f and puts owner and key in front of what it complains about.
  template <class F>
  auto named(std::string_view key, F f) const;
  Quantity quantity(std::string_view key, const Node& value) const;
  double checked(std::string_view key, const Node& value, const Unit& unit, const Range& range) const;
  void check_range(std::string_view key, const Node& value, double number, const Unit& unit, const Range& range) const;
  std::optional<double> load_for_division();

  const Node& map_;
  const Scope& scope_;
  ReadContext context_;
  std::vector<std::string> asked_;
  std::optional<InputError> first_missing_;
  std::optional<GivenInput> input_;
};

}  // namespace bristle
