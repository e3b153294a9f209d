#pragma once
#include <string>

#include "bristle/core/jacobian_sink.h"
#include "bristle/core/step_eval.h"

namespace bristle {

class System;

/// What blocks say of whole steps of energy schemes.
struct StepTraits {
  int room = 0;               ///< numbers of StepEval::room that all blocks need
  bool takes_jump = false;    ///< somebody takes part in the jump
  std::string cannot_follow;  ///< who has no force over a whole step, or ""
};

/// The forces of a system over a whole step, for methods that take it as one. A view: it lives no longer than the system.
class StepForces {
 public:
  explicit StepForces(const System& system) : system_(&system) {}

  StepTraits traits() const;
  /// Where poses are given, all at once: measures, forces, those that depend on multipliers, and what holds the rows. row_force has it all, as
  /// calc_jacobian wants it.
  void calc(StepEval&) const;
  /// Once calc has been called; row_force is handed on, and changes.
  void calc_jacobian(StepEval&, JacobianSink&) const;
  Overrun calc_turn(const StepEval&, const Eval& end) const;  ///< the worst of all blocks, see StepFacet::calc_turn

 private:
  const System* system_;
};

}  // namespace bristle
