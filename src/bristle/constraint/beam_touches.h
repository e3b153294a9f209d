#pragma once
#include <string>
#include <vector>

#include "bristle/core/block.h"
#include "bristle/measure/bent_line.h"

namespace bristle {

/** Measures at round rims of a body around a beam, or inside a hollow one, along which the body slides: for each rim a row of the gap and two of the slip.
Where along the beam a rim is, and so which two nodes carry it, changes with the configuration; the columns of a row are those of the body and of all
nodes, zero but for the two. Forces act at one point of both: on the beam a force at its centre line and a couple, which go to the two nodes by the weights of
the line, so that total momentum and moment of momentum are kept. */
class BeamTouches final : public Block {
 public:
  struct Point {
    enum class Kind { rim, start, tip };  ///< a rim on the beam; or an end of the beam in the bore
    Kind kind = Kind::rim;
    double offset = 0;       ///< [m] of the rim on the axis of the tube
    int gap = 0;             ///< row
    int slip[2] = {-1, -1};  ///< rows along the tangents
    int basis = 0;           ///< marks: first tangent in the axes of the tube, then where along the line the search starts
  };
  struct Item {
    std::string name;  ///< the user's: "joint 'carriage'"
    Marker A;          ///< the tube: z along its axis
    Rim rim;
    BentLine line;
    std::vector<Point> points;
    double half_length = 0;  ///< [m] the bore reaches so far to both sides
    int started = 0;         ///< mark: the search has a start
    bool held = false;       ///< somebody holds slips: their second derivatives are needed
    double shift = 0;        ///< where forces act, from the middle between the surfaces, in gaps along the normal
  };
  BeamTouches(std::vector<Item> items, const std::vector<BodyInfo>& bodies);

  unsigned roles() const override { return kRows; }
  int scratch_needed() const override;
  void start(State& x) const override;
  void calc_rows(Eval& e) const override;
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override;
  void calc_step_rows(StepEval& e) const override;  // from here on beam_touches_step.cpp
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override;
  bool remembers() const override { return true; }
  void accept(const Eval& e, State& x) const override;
  std::string trouble(const Eval& e) const override;
  bool may_be_troubled() const override { return true; }
  /// Per point: normal (3), tangent (3), where along the beam.
  int output_count() const override;
  void calc_outputs(const Eval& e, double* out) const override;

  static constexpr int kMostPoints = 8;    ///< of an item
  static constexpr int kMarksOfPoint = 4;  ///< see Point::basis

 private:
  std::vector<Item> items_;
  std::vector<FrameMap> frames_;
};

}  // namespace bristle
