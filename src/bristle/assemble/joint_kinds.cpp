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
  r.add(rolling_joint());
  r.add(backlash_coupling());
}

Field acts_on_field() {
  Field f = shaped_field("acts_on", "middle",
                         "where in the overlap the forces act: in its middle, or on the surface of the first or second body");
  f.kind = Field::Kind::choice;
  f.words = {"middle", "first", "second"};
  return f;
}

Field overlap_field() {
  Field f =
      shaped_field("overlap", "refuse", "what to do with surfaces that overlap at the start; resolve moves the bodies apart");
  f.kind = Field::Kind::choice;
  f.words = {"refuse", "keep", "resolve"};
  return f;
}

std::vector<Field> contact_fields() {
  return {shaped_field("contact", "", "law of contact: a name, or a map with type and parameters", "contact"),
          shaped_field("friction", "none", "law of friction, loaded by the contact", "friction"),
          shaped_field("smoothing", "none", "replaces the jump of a dry law", "smoothing"), overlap_field(), acts_on_field()};
}

}  // namespace bristle
