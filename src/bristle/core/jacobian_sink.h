#pragma once

namespace bristle {

/// Takes the entries of the Jacobian. Rows and columns are indices of v (force), q (as the velocity index of the coordinate) and
/// z; columns of force_lambda and rate_lambda are slots of lambda. A block emits the same sequence of entries at every call; the values
/// land in a fixed pattern. Over a step (StepEval) force_q and force_v are derivatives by the mean configuration and velocity, of blocks
/// that act in the middle; others give derivatives by the increments of the step (force_step) and by the velocities after the jump; rows
/// of rest_step, rest_jump and rest_lambda are slots of lambda.
class JacobianSink {
 public:
  enum class Part : int {
    force_q,
    force_v,
    force_z,
    rate_q,
    rate_v,
    rate_z,
    mass,
    force_lambda,
    rate_lambda,
    force_step,
    force_jump,
    impulse_step,
    impulse_jump,
    rest_step,
    rest_jump,
    rest_lambda
  };
  virtual ~JacobianSink() = default;
  virtual void add(Part part, int row, int column, double value) = 0;
  /// The same for a square block, row by row: values[count * i + j] at (index[i], index[j]).
  virtual void add_block(Part part, const int* index, int count, const double* values) {
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < count; ++j) add(part, index[i], index[j], *values++);
    }
  }
};

}  // namespace bristle
