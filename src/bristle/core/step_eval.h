#pragma once
#include "bristle/core/eval.h"

namespace bristle {

/// How contact takes part in the jump of an energy scheme: not at all, with its stiffness where it is closed at the start, or with a
/// stiffness that never makes it pull.
enum class JumpContact : int { none, closed, pushing };

/** A whole step as the energy schemes see it. The Eval in it is the middle: the time is that of the middle; q, z, the poses (their
rotation matrices too: means, not rotations) and row_value are means of both ends; v, the velocities of the poses and row_rate are
increments over the step per time, angular ones by the Cayley vector; D takes increments to increments exactly. So a block that is
evaluated in the middle does the work of its force times the increment. A block that stores energy must not leave it at that: from both
ends it gives the force whose work over the step is the change of what it stores. */
struct StepEval : Eval {
  double h = 0;  ///< [s] the step
  // at the start and at the end
  double t_ends[2] = {0, 0};                         ///< [s]
  const double* q_ends[2] = {nullptr, nullptr};      ///< configuration
  const double* z_ends[2] = {nullptr, nullptr};      ///< memory; at the end as the last iteration left it
  const Pose* pose_ends[2] = {nullptr, nullptr};     ///< of the bodies
  const double* value_ends[2] = {nullptr, nullptr};  ///< of the measures
  const Pose* half = nullptr;                        ///< poses half way: rotations, not means of them
  const double* D_start = nullptr;                   ///< rows at the start
  const double* rate_start = nullptr;                ///< rates of the measures there, before the jump
  double* by_step = nullptr;  ///< derivatives of the measures at the end by the increments; of mere rates: rows of the step
  // the jump
  double jump = 0;  ///< its share: 0 energy-preserving, 1/6 energy-decaying
  JumpContact jump_contact = JumpContact::none;
  const double* v_jump = nullptr;    ///< velocities after the jump, indexed as v
  double* impulse = nullptr;         ///< [N s] of the jump, added up, indexed as f
  double* numerical = nullptr;       ///< [J] what the scheme takes out of the strains, added up
  const double* mobility = nullptr;  ///< [1/kg] per slot of lambda of dry places: slip per impulse
  // what serves the blocks themselves
  double* room = nullptr;  ///< what they find out in calc_step and what follows it reads again, see Block::step_room
  bool tangent = true;     ///< calc_step_jacobian follows: else nobody reads by_step
};

}  // namespace bristle
