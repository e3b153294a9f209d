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
  return {shaped_field("contact", "", "law of contact: a name, or a map with type and parameters"),
          shaped_field("friction", "none", "law of friction, loaded by the contact"),
          shaped_field("smoothing", "none", "replaces the jump of a dry law"), overlap_field(), acts_on_field()};
}

std::map<std::string, std::string> joint_shapes(const std::vector<Field>& fields) {
  static const std::map<std::string, std::string> shapes = {
      {"between", "bodies"},    {"at", "vector"},           {"axis", "direction"},        {"x_axis", "direction"},
      {"friction", "friction"}, {"smoothing", "smoothing"}, {"contact", "contact"},       {"surfaces", "surfaces"},
      {"on", "names"},          {"at_b", "vector"},         {"second_axis", "direction"}, {"drive", "drive"},
      {"stops", "stops"}};
  std::map<std::string, std::string> found;
  for (const Field& f : fields) {
    const auto at = shapes.find(f.key);
    if (at != shapes.end()) found.insert(*at);
  }
  return found;
}

}  // namespace bristle
