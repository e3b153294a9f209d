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

/// Nodes of a beam, six velocities each: rows of a place that slides along it have columns of all of them, but never differ from zero at nodes that are far from
/// each other.
struct NodeChain {
  int v = 0, nodes = 0;  ///< first velocity; none: no chain
};

/// Leaves out the products of rows at nodes of a chain that are more than two apart, so that the matrix keeps the band of the beam. Over a step a place
/// may pass from one element into the next one; what a longer way would add is left out of the tangent, too.
class ChainSink final : public JacobianSink {
 public:
  ChainSink(JacobianSink& to, const NodeChain& chain) : to_(to), chain_(chain) {}
  void add(Part part, int row, int column, double value) override {
    const int a = node_of(row), b = node_of(column);
    if (of_velocities(part) && a >= 0 && b >= 0 && (a - b > 2 || b - a > 2)) return;
    to_.add(part, row, column, value);
  }

 private:
  int node_of(int v) const { return v >= chain_.v && v < chain_.v + 6 * chain_.nodes ? (v - chain_.v) / 6 : -1; }
  static bool of_velocities(Part part) {
    using enum Part;
    return part == force_q || part == force_v || part == force_step || part == force_jump || part == impulse_step ||
           part == impulse_jump;
  }
  JacobianSink& to_;
  NodeChain chain_;
};

}  // namespace bristle
