#pragma once
#include <tuple>

#include "bristle/core/block.h"

namespace bristle {

/// All blocks of a system that take part in an evaluation, by type: drives move, forces add up, masses accelerate, in one call
/// without virtual functions in between. A System has one when assembly finds its combination of blocks worth it.
class FusedEvaluation {
 public:
  virtual ~FusedEvaluation() = default;
  /// Moves the driven coordinates to the time of x when `drive` says so, then f, zdot, power, and accelerations of the free coordinates.
  virtual void evaluate(State& x, bool drive, Eval& e, int velocities, double* a) const = 0;
};

template <class... Blocks>
class Fused final : public FusedEvaluation {
 public:
  explicit Fused(const Blocks*... blocks) : blocks_(blocks...) {}
  [[gnu::flatten]] void evaluate(State& x, bool drive, Eval& e, int velocities, double* a) const override {
    std::apply(
        [&](const auto*... block) {
          if (drive) (block->set_time(x, x.t), ...);
          for (int i = 0; i < velocities; ++i) e.f[i] = 0;
          (block->calc_forces(e), ...);
          (block->solve_mass(e.q, e.f, a), ...);
        },
        blocks_);
  }

 private:
  std::tuple<const Blocks*...> blocks_;
};

}  // namespace bristle
