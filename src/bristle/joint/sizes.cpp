#include "bristle/joint/sizes.h"

namespace bristle {

const SizeKey* find_size(std::string_view key) {
  using S = JointSizes;
  static const std::vector<SizeKey> keys = {
      {"pin_radius", &S::pin_radius, nullptr, "radius at which it rubs; friction and clearance need it",
       ": the radius at which the joint rubs"},
      {"friction_arm", &S::friction_arm, nullptr, "radius at which the axial load rubs"},
      {"bending_arm", &S::bending_arm, nullptr, "length of the bearing that carries bending; none: bending does not rub"},
      {"width", &S::width, nullptr, "of the slider; friction and clearance need it", ": the width of the slider"},
      {"height", &S::height, nullptr, "of the slider across its width; default: its width"},
      {"length", &S::length, nullptr, "of the slider or the pin along the axis"},
      {"axial_clearance", &S::axial_clearance, nullptr,
       "play along the axis between end walls, both ends together; none: no axial motion"},
      {"plate_radius", &S::plate_radius, nullptr, "of the plate; none: it cannot tilt"},
      {"moment_load", nullptr, &S::moment_load, "moments press on its faces and rub; false: lateral forces alone do"},
      {"outer", nullptr, &S::outer, "the slider runs around its guide, not inside it"}};
  for (const SizeKey& k : keys) {
    if (k.key == key) return &k;
  }
  return nullptr;
}

}  // namespace bristle
