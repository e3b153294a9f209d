#pragma once
#include <string>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/joint/plan.h"
#include "bristle/measure/relation.h"

namespace bristle {

struct Plan;

/// A joint whose motions are given over time.
struct DrivenJoint {
  const std::string& name;   ///< the user's
  const std::string& owner;  ///< as sentences call it
  const JointPlan& plan;
  const Marker &A, &B;
  bool alone;  ///< one motion is driven
};

/// A way to give motions over time, under `drive:` of a joint. The keys depend on what the joint leaves free.
struct DriveEntry : KindEntry {
  std::vector<Field> (*keys)(const JointPlan&) = nullptr;                                   ///< that it has for such a joint
  void (*add)(Plan&, Reader& drive, const DrivenJoint&, const std::string& key) = nullptr;  ///< for every key that is given
};
using DriveRegistry = Registry<DriveEntry>;
void add_drives(DriveRegistry& registry);

/// All keys that `drive:` of such a joint may have.
std::vector<Field> drive_keys(const DriveRegistry& known, const JointPlan& joint);
/// A length that is driven is a motion; it is no longer kept.
void make_drivable(JointPlan& joint);
/// The rows that hold a motion where a drive wants it. `full`: name of the drive; `what` it moves.
void hold_drive(Plan& plan, int row, const std::string& full, const std::string& owner, const std::string& what, bool rotary);

}  // namespace bristle
