// A beam's end in an open sleeve.
#include <cmath>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"
#include "bristle/measure/cylinder_in_sleeve.h"
#include "bristle/measure/sleeve.h"

namespace bristle {

namespace {

struct SleeveKeys {
  JointEnds ends;
  Sleeve g = {};
  TouchKeys touch;
  void visit(Keys& keys) {
    ends.visit(keys, {.between = "[sleeve, beam]: two bodies, or frames of them",
                      .at = "middle of the mouth at the start; at_b: where the beam leaves its cylinder",
                      .at_b = "where the beam leaves its cylinder at the start",
                      .axis = "out of the mouth; of planar bodies in the plane",
                      .x_axis = "across; of planar bodies in the plane"});
    keys.required("bore", g.bore, unit::metre, positive, "inner diameter of the sleeve; in the plane its height");
    keys.required("diameter", g.diameter, unit::metre, positive, "of what sits in it");
    keys.required("sleeve_length", g.sleeve_length, unit::metre, positive, "of the sleeve, from its mouth");
    keys.required("length", g.cylinder_length, unit::metre, positive, "of what sits in it");
    touch.visit(keys);
  }
};

void add_sleeve(Plan& plan, Reader& reader, const std::string& name) {
  const SleeveKeys keys = read_keys<SleeveKeys>(reader, plan.scope);
  const auto [A, B] = read_markers(plan, reader, keys.ends, false);
  const Sleeve& g = keys.g;
  if (!(g.bore > g.diameter)) reader.fail("bore", "the bore must be larger than the diameter");
  if (!in_plane(plan, A, B)) {
    const CylinderInSleeve round{g.bore, g.diameter, g.sleeve_length, g.cylinder_length};
    add_touch(plan, reader, keys.touch, name, make_geometry(round), A, B);
    finish_rubbing(reader, keys.touch.press);
    return;
  }
  if (std::abs(start_frame(plan, A).R(2, 0)) > 1e-9)
    reader.fail("axis", "the axis of a sleeve lies in the plane x, y and points out of its mouth");
  add_touch(plan, reader, keys.touch, name, make_geometry(g), A, B);
  finish_rubbing(reader, keys.touch.press);
}

KindEntry sleeve_kind() {
  KindEntry kind{
      "sleeve", "the rigid end of a beam in an open sleeve: four contact points in the plane, two round rims in space",
      key_fields<SleeveKeys>(),
      "bodies:\n  beam: {type: planar, mass: 1.35 kg, inertia: 0.1217 kg m^2, position: [0.48, 0]}\n"
      "joints:\n  mouth: {type: sleeve, between: [ground, beam], at: [0, 0], axis: x, x_axis: y, bore: 25.2 mm, diameter: 25 mm,\n"
      "    sleeve_length: 40.1 mm, length: 40 mm, contact: {type: one_way, stiffness: 100 N/m}}\n",
      "Points: `<joint>.E`, `.F` corners of the cylinder on the walls, `.C`, `.D` lips of the sleeve on the cylinder (sleeve joints of\n"
      "large space structures, eqs. 1 to 12). Forces act at the corners and lips themselves. In space: `<joint>.end` rim of the cylinder in the bore,\n"
      "`<joint>.mouth` rim of the mouth on the cylinder. Along a flexible beam: `beam_sleeve`.\n"};
  return kind;
}

}  // namespace

ElementEntry sleeve_joint() {
  ElementEntry entry{sleeve_kind()};
  entry.acts_on = ElementEntry::ActsOn::bodies;
  entry.announce = add_sleeve;
  return entry;
}

}  // namespace bristle
