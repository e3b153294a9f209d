#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bristle/base/error.h"
#include "bristle/math/dual.h"

namespace bristle {

/// A user's expression as a tape: const, no allocation when evaluated, any number type. Constants are signals too.
/// Built by parse_signal (signal/parse.h).
class Signal {
 public:
  /// What an input of the expression reads. `name` is the channel as the user wrote it until assembly resolves it.
  struct Input {
    enum class Kind {
      time,      ///< t [s]
      position,  ///< scalar coordinate `index` of q
      velocity,  ///< scalar coordinate `index` of v
      row,       ///< measure `index` of bodies in space: a joint's angle, a point's position
      row_rate,  ///< its rate
      memory,    ///< user state `index` of z
      sampled    ///< mark `index`: a force or reaction as it was at the last accepted step
    };
    Kind kind = Kind::time;
    int index = -1;
    std::string name;
    Where where;
  };
  /// One operation of the tape. Operands are earlier results; inputs and constants are operations without operands.
  struct Op {
    enum class Code : unsigned char {
      constant,
      input,
      add,
      subtract,
      multiply,
      divide,
      power,
      negate,
      not_,
      sin,
      cos,
      tan,
      asin,
      acos,
      atan,
      sinh,
      cosh,
      tanh,
      exp,
      log,
      log10,
      sqrt,
      abs,
      sign,
      floor,
      step,
      atan2,
      min,
      max,
      less,
      less_equal,
      greater,
      greater_equal,
      equal,
      not_equal,
      and_,
      or_,
      select
    };
    Code code = Code::constant;
    int a = -1, b = -1, c = -1;  ///< operands; for input: a = index into inputs()
    double number = 0;           ///< constant
  };
  static constexpr int kMaxOps = 256;

  Signal() : Signal(0.0) {}
  explicit Signal(double constant);
  Signal(std::vector<Op> tape, std::vector<Input> inputs, std::string text);

  bool is_constant() const { return inputs_.empty(); }
  double constant() const { return value_; }  ///< value of a constant signal
  bool depends_on_time_only() const;          ///< no input but t (constants included)
  std::span<const Input> inputs() const { return inputs_; }
  std::span<Input> inputs() { return inputs_; }
  std::span<const Op> tape() const { return tape_; }
  const std::string& text() const { return text_; }  ///< as the user wrote it
  const Where& where() const { return where_; }
  void set_where(Where w) { where_ = std::move(w); }

  /// Value for the given inputs (one number per entry of inputs()).
  template <class T>
  T eval(const T* inputs) const;

 private:
  std::vector<Op> tape_;
  std::vector<Input> inputs_;
  std::string text_;
  Where where_;
  double value_ = 0;
};

}  // namespace bristle

#include "bristle/signal/signal_eval.h"
