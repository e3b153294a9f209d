#include "bristle/study/rotation.h"

#include <algorithm>

#include "bristle/assemble/space.h"
#include "bristle/base/text.h"
#include "bristle/study/section.h"

namespace bristle {

void visit_rotation(Keys& keys, RotationAxis& rotation) {
  keys.form("axis", "direction", "z", "direction of the axis of rotation", [&](Reader& reader, const Scope& scope) {
    const Node* axis = reader.optional_child("axis");
    if (axis == nullptr) return;
    const Vec3<> n = read_direction(*axis, scope, reader.owner());
    rotation.direction = {n[0], n[1], n[2]};
  });
  keys.form("at", "vector", "[0, 0, 0]", "a point on it", [&](Reader& reader, const Scope&) {
    const std::optional<Vec3<>> at = read_vector3(reader, "at", unit::metre);
    if (at) rotation.point = {(*at)[0], (*at)[1], (*at)[2]};
  });
  keys.choice_of("frame", rotation.frame, {"turning", "stationary"},
                 "where the rotation stands still: turning: supports alike in all directions; stationary: rotors that are");
  keys.names("still", rotation.still, "none", "bodies that do not turn; a beam stands for its nodes");
}

void check_still(const Model& model, const System& system, const RotationAxis& rotation) {
  std::vector<std::string> names;
  for (const BodyInfo& b : system.layout().bodies) {
    if (!b.moves()) continue;
    names.push_back(b.name);
    if (b.name.find('.') != std::string::npos) names.push_back(b.name.substr(0, b.name.find('.')));
  }
  for (const std::string& name : rotation.still) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(analysis_node(model).find("still")->where,
                       "analysis: still: there is no body '" + shortened(name) + "' in space." + known_names(name, names));
  }
}

}  // namespace bristle
