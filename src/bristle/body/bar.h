#pragma once
#include <string>
#include <vector>

#include "bristle/core/block.h"

namespace bristle {

/// A straight member between two particles that carries an axial force alone: N = EA (e + damping e'), e = stretch over the length at
/// rest; `tension_only`: nothing where it is shorter than that.
struct BarElement {
  int body[2] = {0, 0}, v[2] = {0, 0};  ///< poses and first velocities of its particles
  double length = 1;                    ///< [m] at rest
  double EA = 0;                        ///< [N]
  double damping = 0;                   ///< [s]
  bool tension_only = false;
};

/// Bars and cables. Over a whole step (StepEval) the force has the work of the stored energy, taut or slack at either end.
class Bars final : public Block {
 public:
  struct Bar {
    std::string name;
    std::vector<BarElement> elements;
    int account = -1;  ///< of damping; -1: none
  };
  explicit Bars(std::vector<Bar> bars);
  unsigned roles() const override { return kForces | kStored; }
  std::string cannot_step() const override { return {}; }
  bool has_stage() const override { return true; }
  void calc_forces(Eval& e) const override;
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override;
  int step_room() const override;
  void set_step_room(int first) override { room_ = first; }
  void calc_step(StepEval& e) const override;
  void calc_step_jacobian(const StepEval& e, JacobianSink& sink) const override;
  double stored(const Eval& e, double*) const override;
  int output_count() const override { return outputs_; }
  void calc_outputs(const Eval& e, double* out) const override;
  static std::vector<Channel> channels(const Bar& bar);

 private:
  std::vector<Bar> bars_;
  int outputs_ = 0, room_ = 0;
};

}  // namespace bristle
