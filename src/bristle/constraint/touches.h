#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/measure/touch.h"

namespace bristle {

/// Measures at the points where two surfaces may touch: for each a row of the gap and rows of the slip, one in a planar model and two
/// in space. Places press and rub on these rows; rolling holds them.
class Touches final : public Block {
 public:
  struct Point {
    int gap = 0;             ///< row
    int slip[2] = {-1, -1};  ///< rows along the tangents
    int basis = -1;          ///< marks: first tangent in the axes of A's marker, carried along without spin; -1: planar
  };
  struct Item {
    std::string name;  ///< the user's: "joint 'pin'"
    Marker A, B;
    std::unique_ptr<Geometry> geometry;
    std::vector<Point> points;
    int marks = 0;      ///< whether the geometry has started, then its own
    bool held = false;  ///< somebody holds slip or gap: their second derivatives are needed
    double shift = 0;   ///< where forces act, from the middle between the surfaces, in gaps along the normal: -0.5 on A, 0.5 on B
    // filled here
    std::optional<RoundPair> round;  ///< the gap is a distance of two points
    int room = 0;                    ///< over a step: first number in StepEval::room
  };
  Touches(std::vector<Item> items, const std::vector<BodyInfo>& bodies);

  unsigned roles() const override { return kRows; }
  void start(State& x) const override;
  void calc_rows(Eval& e) const override;
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override;
  int step_room() const override;  // from here on touches_step.cpp
  void set_step_room(int first) override;
  void calc_step_rows(StepEval& e) const override;
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override;
  bool remembers() const override { return true; }
  void accept(const Eval& e, State& x) const override;
  std::string trouble(const Eval& e) const override;
  bool may_be_troubled() const override { return true; }

  static constexpr int kMostPoints = 16;  ///< of a geometry; more are refused when the block is made
  static int marks_needed(const Geometry& g) { return 1 + g.marks(); }

 private:
  std::vector<Item> items_;
  std::vector<FrameMap> frames_;
};

}  // namespace bristle
