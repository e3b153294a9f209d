#pragma once
#include "bristle/core/step_eval.h"

namespace bristle {

/// Share of a strain in the jump of an energy scheme: change over the step, rate after the jump, stiffness. The impulse resists the
/// strain rate before the step; the stress of the step takes the rest, so that together they take out 2 a^2 C y^2, y = change - h rate.
struct JumpStrain {
  double stress = 0;   ///< resists the strain over the step, beside its own elastic force
  double impulse = 0;  ///< along the strain at the start: added to StepEval::impulse
  double taken = 0;    ///< [J]
  // derivatives by change and rate
  double stress_change = 0, stress_rate = 0, impulse_change = 0, impulse_rate = 0;

  JumpStrain(const StepEval& e, double stiffness, double change, double rate) {
    const double a = e.jump, h = e.h;
    stress_change = 2 * a * a * stiffness;
    stress_rate = a * (1 - 2 * a) * h * stiffness;
    impulse_change = a * h * (1 + 2 * a) * stiffness;
    impulse_rate = -2 * a * a * h * h * stiffness;
    stress = stress_change * change + stress_rate * rate;
    impulse = impulse_change * change + impulse_rate * rate;
    const double y = change - h * rate;
    taken = 2 * a * a * stiffness * y * y;
  }
};

}  // namespace bristle
