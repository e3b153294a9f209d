#pragma once
#include <cmath>
#include <type_traits>

#include "bristle/interface/patch.h"

namespace bristle {

/// How a place with a dry law is doing.
enum class DryMode {
  open,   ///< the surfaces are apart
  stick,  ///< held, whatever it takes
  creep,  ///< let go, with next to no slip yet: its force is its limit along its slip acceleration
  slip,   ///< slides, with its force along its direction
  yield   ///< over a step of an energy scheme: held by what it can hold
};

/** The marks of a dry place by name: its mode and a direction of slip. A creeping place is kept as a stuck one with a direction. Rows of stuck
places that nearly follow from those of others are loose: what no friction can hold is not held. They have a number in place of a direction
that none has. */
template <class Number>
class DryMarksOf {
 public:
  DryMarksOf(Number* first, int components) : first_(first), components_(components) {}

  DryMode mode() const {
    if (*first_ == kOpen) return DryMode::open;
    if (*first_ == kSlip) return DryMode::slip;
    if (*first_ == kYields) return DryMode::yield;
    return has_direction() ? DryMode::creep : DryMode::stick;
  }
  bool open() const { return *first_ == kOpen; }
  bool slides() const { return *first_ == kSlip; }
  bool yields() const { return *first_ == kYields; }
  bool rests() const { return *first_ == kStick; }  ///< sticks or creeps
  bool creeps() const { return rests() && has_direction(); }
  bool sticks() const { return rests() && !has_direction(); }
  bool is_loose(int component) const { return rests() && direction(component) == kLoose; }
  bool is_loose() const {
    for (int d = 0; d < components_; ++d) {
      if (is_loose(d)) return true;
    }
    return false;
  }
  double direction(int component) const { return first_[1 + component]; }

  /// The direction stays: a stuck place that has one creeps.
  void set_mode(DryMode mode) requires(!std::is_const_v<Number>) {
    *first_ = mode == DryMode::open ? kOpen : mode == DryMode::slip ? kSlip : mode == DryMode::yield ? kYields : kStick;
  }
  void set_direction(int component, double value) requires(!std::is_const_v<Number>) { first_[1 + component] = value; }
  /// Along a slip of this size; none: zero.
  void aim(const double* slip, double size) requires(!std::is_const_v<Number>) {
    for (int d = 0; d < components_; ++d) first_[1 + d] = size > 0 ? slip[d] / size : 0;
  }
  void loosen(int component) requires(!std::is_const_v<Number>) { first_[1 + component] = kLoose; }

 private:
  static constexpr double kStick = static_cast<double>(Mode::stick), kSlip = static_cast<double>(Mode::slip),
                          kOpen = static_cast<double>(Mode::open), kYields = -1;
  static constexpr double kLoose = 2;  // no component of a direction is larger than one
  bool has_direction() const {
    for (int d = 0; d < components_; ++d) {
      if (direction(d) != 0 && direction(d) != kLoose) return true;
    }
    return false;
  }

  Number* first_;
  int components_;
};

using DryMarks = DryMarksOf<double>;
using ConstDryMarks = DryMarksOf<const double>;

}  // namespace bristle
