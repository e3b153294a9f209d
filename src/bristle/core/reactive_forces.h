#pragma once
#include <vector>

#include "bristle/core/block.h"

namespace bristle {

/// Forces that depend on multipliers: friction that reactions load.
class ReactiveForces {
 public:
  void add(const Block& block) {
    if ((block.roles() & kReactive) == 0) return;
    blocks_.push_back(&block);
    block.load_slopes(slopes_);
  }
  bool empty() const { return blocks_.empty(); }
  /// Adds them to row_force, zdot and power, at the multipliers in Eval::lambda.
  void calc(Eval& e) const {
    for (const ReactiveFacet* block : blocks_) block->calc_reactive(e);
  }
  void calc_step(StepEval& e) const {
    for (const ReactiveFacet* block : blocks_) block->calc_step_reactive(e);
  }
  const std::vector<LoadSlope>& slopes() const { return slopes_; }  ///< where forces on rows depend on multipliers
  /// The derivatives, in the order of slopes().
  void calc_slopes(const Eval& e, double* slope) const {
    for (const ReactiveFacet* block : blocks_) {
      block->calc_load_slopes(e, slope);
      slope += block->load_slope_count();
    }
  }

 private:
  std::vector<const ReactiveFacet*> blocks_;
  std::vector<LoadSlope> slopes_;
};

}  // namespace bristle
