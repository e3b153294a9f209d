#pragma once
#include <string>
#include <vector>

#include "bristle/body/beam_element.h"
#include "bristle/core/block.h"

namespace bristle {

/// Beams: elastic and damping forces between their nodes, which are rigid bodies and carry all inertia. Strain energy per length
/// e' C e / 2, stress C (e + damping e'). Over a whole step (StepEval) the stress is the mean of both ends and acts through the finite
/// strain operator, so that its work is the change of the strain energy; the jump of an energy-decaying step adds its impulse.
class Beams final : public Block {
 public:
  struct Beam {
    std::string name;
    std::vector<BeamElement> elements;
    std::vector<BeamElement::End> nodes;  ///< section frames shown in results
    int account = -1;                     ///< of damping; -1: none
  };
  explicit Beams(std::vector<Beam> beams);

  unsigned roles() const override { return kForces | kStored; }
  std::string cannot_step() const override { return {}; }
  bool has_stage() const override { return true; }
  void calc_forces(Eval& e) const override;
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override;
  int step_room() const override;  // from here on beam_step.cpp
  void set_step_room(int first) override { room_ = first; }
  void calc_step(StepEval& e) const override;
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override;
  double stored(const Eval& e, double*) const override;
  int output_count() const override { return outputs_; }
  void calc_outputs(const Eval& e, double* out) const override;
  std::string trouble(const Eval& e) const override;
  bool may_be_troubled() const override { return true; }
  /// Names and units of the channels of a beam, in the order of calc_outputs.
  static std::vector<Channel> channels(const Beam& beam);
  /// How users call a node: start, 1, 2, ..., tip.
  static std::string node_name(int node, int elements);

 private:
  std::vector<Beam> beams_;
  int outputs_ = 0, room_ = 0;
};

}  // namespace bristle
