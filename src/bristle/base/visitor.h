#pragma once
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "bristle/base/units.h"

namespace bristle {

class Signal;  // signal/signal.h

/// Admissible values of a number.
struct Range {
  double low, high;
  bool low_open, high_open;
  bool contains(double x) const { return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high); }
  std::string text() const;  ///< "> 0", ">= 0", "between 0 and 1"
};
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr Range any{-kInfinity, kInfinity, true, true};
inline constexpr Range positive{0, kInfinity, true, true};
inline constexpr Range non_negative{0, kInfinity, false, true};
inline constexpr Range fraction{0, 1, false, false};  // 0 <= x <= 1

/// A number field that starts with this value has no default: the user must give it.
inline constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();

/// Walks over the parameters of a type. Every parameter struct has one `void visit(Visitor&)`; reading, printing, the JSON
/// Schema, `bristle info`, and the reference pages all come from it. The value a field has when visited is its default.
class Visitor {
 public:
  virtual ~Visitor() = default;
  /// A number with unit and range. NaN (kRequired) as default: must be given.
  virtual void operator()(const char* key, double& value, const Unit& unit, const Range& range, const char* text) = 0;
  /// A number per unit of normal load (unit: 1/m, s/m, ...). It may also be given multiplied by newton (N/m, N s/m); it is
  /// then divided by `reference_load`, which is a field of the same group, or the constant load of the place.
  virtual void per_load(const char* key, double& value, const Unit& unit, const Range& range, const char* text) = 0;
  virtual void integer(const char* key, int& value, int low, int high, const char* text) = 0;
  virtual void flag(const char* key, bool& value, const char* text) = 0;
  /// One of some words; value is its index.
  virtual void choice(const char* key, int& value, std::initializer_list<const char*> words, const char* text) = 0;
  virtual void list(const char* key, std::vector<double>& value, const Unit& unit, const Range& range, const char* text) = 0;
  /// A number that may also change in a run: an expression of time and channels. Then `outside` is set, and the law finds it in
  /// Patch::input. One per law.
  virtual void input(const char* key, double& value, bool& outside, const Unit& unit, const Range& range, const char* text) {
    outside = false;
    (*this)(key, value, unit, range, text);
  }
  /// An expression of time and channels, or a constant.
  virtual void signal(const char* key, Signal& value, const Unit& unit, const char* text) = 0;
  template <class E>
  void choice_of(const char* key, E& value, std::initializer_list<const char*> words, const char* text) {
    int index = static_cast<int>(value);
    choice(key, index, words, text);
    value = static_cast<E>(index);
  }
  /// A sentence about an impossible combination, or "": the reader refuses it at the place of the struct.
  virtual void check(const std::string& problem) { (void)problem; }
  /// The optional key `reference_load` [N]: what per_load values given in newtons are divided by.
  virtual void reference_load() = 0;
};

}  // namespace bristle
