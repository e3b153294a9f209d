#pragma once
// What CONTRIBUTING.md adds to Bristle in its recipes, added to a program's own lists.
#include "bristle/assemble/elements.h"
#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/contact/register.h"
#include "bristle/friction/register.h"
#include "bristle/integrate/register.h"
#include "docs/arctan_slope.h"
#include "docs/cone.h"
#include "docs/midpoint.h"
#include "docs/path_step.h"
#include "docs/pin_in_slot.h"
#include "docs/rough_layer.h"
#include "docs/softening_spring.h"
#include "docs/spin_lift.h"
#include "support/probe.h"
#include "support/telescope.h"

namespace bristle::test {

/// All that Bristle has, and the line of every recipe.
inline const Elements& with_recipes() {
  static const Elements elements = [] {
    Elements mine = all_elements();
    add_law<ArctanSlope>(mine.friction, "arctan_slope", "Coulomb with an arcus tangent at zero speed");
    add_law<RoughLayer>(mine.contacts, "rough_layer", "rough surfaces, stiffer under load", ", load: 10 N, height: 5 um");
    add_shape<Cone>(mine.shapes, "cone", "a cone",
                    "bodies:\n  tip: {type: rigid, mass: 1 kg, shape: {type: cone, radius: 20 mm, length: 60 mm}}\n");
    add_law<SofteningSpring>(mine.forces, "softening_spring", "spring that softens",
                             "  pad: {type: softening_spring, between: [ground, block], stiffness: 2 kN/m, limit: 10 N}\n");
    mine.integrators.add(integrator<Midpoint>("midpoint", "explicit midpoint rule of order 2, fixed step", "Runge 1895"));
    mine.controllers.add(controller<PathStep>("path", "no place slips farther than a path"));
    mine.joints.add(joint_element(pin_in_slot()));
    mine.forces.add(spin_lift());
    mine.bodies.add(telescope_body());
    return mine;
  }();
  return elements;
}

/// Joints of the library and of the recipe.
inline const std::vector<JointEntry>& joints_with_recipe() {
  static const std::vector<JointEntry> list = [] {
    JointText::others = {pin_in_slot()};
    std::vector<JointEntry> all = joint_list();
    all.insert(all.end(), JointText::others.begin(), JointText::others.end());
    return all;
  }();
  return list;
}

}  // namespace bristle::test
