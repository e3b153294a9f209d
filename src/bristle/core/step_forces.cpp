#include "bristle/core/step_forces.h"

#include <algorithm>

#include "bristle/core/system.h"

namespace bristle {

StepTraits StepForces::traits() const {
  StepTraits traits;
  for (const auto& block : system_->blocks_) {
    traits.room += block->step_room();
    traits.takes_jump = traits.takes_jump || block->has_stage();
    if (traits.cannot_follow.empty()) traits.cannot_follow = block->cannot_step();
  }
  return traits;
}

void StepForces::calc(StepEval& e) const {
  std::fill_n(e.f, system_->velocities_, 0.0);
  std::fill_n(e.row_force, system_->layout_.rows.count(), 0.0);
  for (const Block* block : system_->rows_) block->calc_step_rows(e);
  for (const Block* block : system_->forces_) block->calc_step(e);
  system_->reactive_.calc_step(e);
  system_->hold_rows(e);
  system_->spread(e);
}

void StepForces::calc_jacobian(StepEval& e, JacobianSink& sink) const {
  for (auto block = system_->rows_.rbegin(); block != system_->rows_.rend(); ++block) (*block)->pass_step_forces(e);
  system_->clear_loads(e);
  for (const auto& block : system_->blocks_) block->calc_step_jacobian(e, sink);
  if (system_->matrices_.empty()) return;
  for (const Block* block : system_->poses_) block->calc_map_jacobian(e, sink);
}

Overrun StepForces::calc_turn(const StepEval& e, const Eval& end) const {
  Overrun worst;
  for (const Block* block : system_->forces_) {
    const Overrun o = block->calc_turn(e, end);
    if (o.error > worst.error) worst = o;
  }
  return worst;
}

}  // namespace bristle
