#pragma once
#include <tuple>

#include "bristle/core/block.h"

namespace bristle {

/// An explicit method each of whose stages starts from the rate of the one before; stage 0 is the state the step leaves from.
struct StageChain {
  static constexpr int kMost = 4;
  int stages = 0;
  double part[kMost] = {};    ///< of the step, where a stage lies; the last one at its end
  double weight[kMost] = {};  ///< of the rate of a stage in the step
};

/// What a whole step of a StageChain works with, where all free coordinates are scalar.
struct ChainStep {
  const StageChain& chain;
  const Layout& layout;
  const State& x0;
  double h;
  const double *rate0, *power0;  ///< at x0
  State& x1;                     ///< gets the end of the step
  double *rate, *power;          ///< get the evaluation of x1
  double *f, *sum;               ///< room for forces and for a rate
  double* work;                  ///< [J] per account, added to
};

/// All blocks of a system that take part in an evaluation, by type: drives move, forces add up, masses accelerate, in one call
/// without virtual functions in between. A System has one when assembly finds its combination of blocks worth it.
class FusedEvaluation {
 public:
  virtual ~FusedEvaluation() = default;
  /// Moves the driven coordinates to the time of x when `drive` says so, then f, zdot, power, and accelerations of the free coordinates.
  virtual void evaluate(State& x, bool drive, Eval& e, int velocities, double* a) const = 0;
  /// Does it take whole steps? Then they are, to the bit, what moving and evaluating stage by stage gives.
  virtual bool steps() const { return false; }
  /// All stages, their work, and the evaluation of the end.
  virtual void step(const ChainStep&) const {}
  /// Modes of all places, if it knows them.
  virtual bool calc_modes(const State&, Mode*) const { return false; }
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
