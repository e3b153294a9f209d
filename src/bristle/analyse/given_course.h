#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "bristle/base/visitor.h"
#include "bristle/core/layout.h"

namespace bristle {

/// What is given over time (loads, drives, rates of states), looked at before a run: where it jumps or has a corner, and how it goes between. A
/// method with error control sees it at its stages only, and would pass over a pulse that lies between them.
class GivenCourse {
 public:
  /// An instant at which an expression of time goes another way.
  struct Corner {
    double before = 0, behind = 0;  ///< [s] a few roundings apart
    int signal = 0;                 ///< index into Layout::given
    double jump = 0;                ///< of the value; 0: a corner
    double speed_jump = 0;          ///< of its rate
  };

  /// Looks at all of it from `start` to `end`.
  void prepare(const Layout&, double start, double end);

  double start() const { return start_; }
  const std::vector<Corner>& corners() const { return corners_; }
  /// The end of a step that begins at t and passes over no corner; infinite where none is left.
  double next(double t) const;
  /// Behind the corner that a step ending at t has come to; t where it has come to none.
  double behind(double t) const;
  /// The longest step from t, up to h, over which all of it runs smoothly enough to be seen by a method that looks at few points. Given motion
  /// has no error that an estimate could see: it must nearly be the cubic through positions and velocities of both ends, as an oscillation is over
  /// `angle` [rad]; what is smaller than `nothing` does not count.
  double longest(double t, double h, double angle, double nothing) const;

  /// Why no motion follows it: it grows beyond all bounds, or the place of a drive jumps. "" when none does.
  std::string refusal() const;
  /// The speed of a drive jumps: an impact, in the user's words. "" when none does.
  std::string note() const;

 private:
  struct Stop {
    double before = 0, behind = 0;
  };
  const Stop* stop_from(double t) const;
  struct Course {
    const Signal* signal = nullptr;
    std::vector<double> value;   // at equal distances; empty: straight between its corners
    double size = 0, speed = 0;  // largest value and rate
    bool position = false;
    double pole = kNone;  // [s] the first instant at which it grows beyond all bounds
  };
  static constexpr double kNone = kInfinity;
  double find_pole(const Course&, double end) const;
  void find_corners(int index, double left, double right, std::uint64_t branch_left, std::uint64_t branch_right);
  void measure(Corner&) const;
  bool runs_straight(const Course&) const;
  bool is_smooth(const Course&, double t, double h) const;
  bool follows(const Course&, double t, double h, double angle, double nothing) const;

  const Layout* layout_ = nullptr;
  std::vector<Course> courses_;
  std::vector<Corner> corners_;  // by time
  std::vector<Stop> stops_;      // of steps: the same without owners, each once
  double start_ = 0, spacing_ = 0;
};

}  // namespace bristle
