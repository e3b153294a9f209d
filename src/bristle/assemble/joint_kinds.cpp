#include "bristle/assemble/joint_kinds.h"

#include "bristle/assemble/plan.h"

namespace bristle {

void add_joints(ElementRegistry& r) {
  r.add(sliding_joint());
  for (const JointEntry& joint : joint_registry().all()) r.add(joint_element(joint));
  r.add(gear_coupling());
  r.add(rack_coupling());
  r.add(constraint_coupling());
  r.add(contact_joint());
  r.add(sleeve_joint());
  r.add(beam_sleeve_joint());
  r.add(beam_shoe_joint());
  r.add(rolling_joint());
  r.add(backlash_coupling());
}

}  // namespace bristle
