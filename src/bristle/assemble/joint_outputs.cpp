// Channels of what joints do and carry.
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/plan.h"

namespace bristle {

namespace {

/// Channels of joint motions.
class MotionOutputs final : public Block {
 public:
  explicit MotionOutputs(std::vector<int> rows) : rows_(std::move(rows)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return 2 * static_cast<int>(rows_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (int r : rows_) {
      *out++ = e.row_value[r];
      *out++ = e.row_rate[r];
    }
  }

 private:
  std::vector<int> rows_;
};

/// Channels of what drives of joints give.
class DriveOutputs final : public Block {
 public:
  explicit DriveOutputs(std::vector<int> slots) : slots_(std::move(slots)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return static_cast<int>(slots_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (int k : slots_) *out++ = -e.lambda[k];
  }

 private:
  std::vector<int> slots_;  // in lambda
};

}  // namespace

void make_motions(Plan& plan) {
  if (!plan.motion_rows.empty()) plan.blocks.push_back(std::make_unique<MotionOutputs>(plan.motion_rows));
  if (!plan.drive_slots.empty()) {
    for (const Channel& c : plan.drive_channels) plan.channel(c.name, c.unit, c.text);
    plan.blocks.push_back(std::make_unique<DriveOutputs>(plan.drive_slots));
  }
}

void make_reactions(Plan& plan) {
  if (!plan.space.reactions.empty()) {
    for (const std::string& name : plan.joint_names) {
      for (const char* axis : {"x", "y", "z"})
        plan.channel(name + ".force." + axis, "N", "reaction on B at the joint, world axes");
      for (const char* axis : {"x", "y", "z"})
        plan.channel(name + ".moment." + axis, "N m", "reaction on B about the joint, world axes");
    }
    plan.blocks.push_back(std::make_unique<Reactions>(std::move(plan.space.reactions), plan.layout.bodies));
  }
  if (plan.space.axes.empty()) return;
  for (const ContactAxes::Item& it : plan.space.axes) {
    for (const char* axis : {"x", "y", "z"})
      plan.channel(it.name + ".normal." + axis, "1", "direction in which B moves when the gap grows, world axes");
    for (const char* axis : {"x", "y", "z"})
      plan.channel(it.name + ".tangent." + axis, "1",
                   "direction of the first slip component, world axes; the second is normal x tangent");
  }
  plan.blocks.push_back(std::make_unique<ContactAxes>(std::move(plan.space.axes), plan.layout.bodies));
}

}  // namespace bristle
