#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bristle/constraint/course.h"
#include "bristle/constraint/wrench.h"
#include "bristle/core/block.h"
#include "bristle/measure/relation.h"
#include "bristle/signal/bound_signal.h"

namespace bristle {

/// What a held measure is to be: a function of time, or of a memory number that adds up a given speed.
struct Target {
  BoundSignal position;  ///< of time alone; with `memory`, and of measures without a position: its rate
  int memory = -1;       ///< z that adds up the speed; -1: `position` is the target itself
  double offset = 0;     ///< added to the target
};

/// Turns the frame of A on as a course asks; how fast it does, in world axes and as seen from A.
struct Lead {
  Vec3<> w, w_rate;
  Lead(const std::optional<Course>& course, double t, MarkerPair& pair);
};

/// Measures between pairs of markers: evaluates their rows, and how the rows turn with the bodies. Everything that acts on bodies in
/// space acts on these rows: constraints hold them, springs pull, places rub.
class Links final : public Block {
 public:
  struct Row {
    Relation relation;
    int row = 0;
    int mark = -1;      ///< of an angle: kMarks numbers of the last accepted step, from which it counts on; see Links::count_on
    double start = 0;   ///< of the mark
    bool idle = false;  ///< nobody acts on it or reads it in a step: only results show it
    double scale = 1;   ///< of value and row: an arm turns an angle into a path
    std::optional<Target> target;
  };
  struct Item {
    Marker A, B;
    std::vector<Row> rows;
    std::string owner = {};             ///< a joint that leaves all turns free: its angles may come to where they have no meaning
    std::optional<Course> course = {};  ///< the frame on A turns on in time
    bool idle = false;                  ///< all its rows are; filled here
    bool planar = false;                ///< both bodies turn in the plane x, y, or not at all; filled here
  };
  static constexpr int kMarks = 4;
  /// `bodies` says where the coordinates of each body stand.
  Links(std::vector<Item> items, const std::vector<BodyInfo>& bodies);

  unsigned roles() const override { return kRows | (has_memory_ ? kForces : 0U); }
  void start(State& x) const override;
  void calc_rows(Eval& e) const override;
  void calc_forces(Eval& e) const override;  ///< rates of the memories of targets
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override;
  int step_room() const override;  // from here on links_step.cpp
  void set_step_room(int first) override { room_ = first; }
  void calc_step_rows(StepEval& e) const override;
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override;
  bool remembers() const override { return has_marks_; }
  void accept(const Eval& e, State& x) const override;
  bool may_be_troubled() const override { return has_poles_; }
  std::string trouble(const Eval& e) const override;

 private:
  double way(const Item& it, const Eval& e, const double* mark, double rate, double sense) const;
  double count_on(const Item& it, const Eval& e, const double* mark, double value, double rate, double sense) const;
  double turn(const Item& it, const double* q) const;  // of B against A, in the plane

  std::vector<Item> items_;
  std::vector<FrameMap> frames_;
  bool has_memory_ = false, has_marks_ = false, has_poles_ = false;
  int room_ = 0;
};

/// Measures made of others: screws, gears, racks, and whatever the user writes as an expression.
class Combinations final : public Block {
 public:
  struct Item {
    BoundSignal value;  ///< of rows, scalar coordinates and time
    int row = 0;
    bool curved = false;  ///< not a sum of its readings times constants
  };
  explicit Combinations(std::vector<Item> items, const RowPattern& rows);
  /// Columns of a combination.
  static std::vector<std::pair<int, int>> columns(const BoundSignal& value, const RowPattern& rows);

  unsigned roles() const override { return kRows; }
  void calc_rows(Eval& e) const override;
  void pass_forces(Eval& e) const override;
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override;
  int step_room() const override;  // from here on links_step.cpp
  void set_step_room(int first) override { room_ = first; }
  void calc_step_rows(StepEval& e) const override;
  void pass_step_forces(StepEval& e) const override;

 private:
  static void step_slopes(const Item& it, const StepEval& e, double* slope);
  double write_row(std::size_t i, const double* slope, Eval& e) const;
  static void pass(const Item& it, const double* slope, Eval& e);

  std::vector<Item> items_;
  int room_ = 0;
  std::vector<std::vector<int>> where_;  // per item: where value k of each column it reads goes, in the order of reading
};

}  // namespace bristle
