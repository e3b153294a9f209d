#pragma once
#include <string>
#include <vector>

#include "bristle/assemble/elements.h"
#include "bristle/joint/plan.h"

namespace bristle {

/// The types of joint in the order of the documentation.
void add_joints(ElementRegistry& registry);

// Each in a source of its own.
ElementEntry sliding_joint();                         ///< surfaces that rub along scalar coordinates
ElementEntry joint_element(const JointEntry& joint);  ///< between two bodies in space, by its plan
ElementEntry gear_coupling();
ElementEntry rack_coupling();
ElementEntry constraint_coupling();  ///< an expression that is kept at zero
ElementEntry contact_joint();        ///< surfaces that may touch
ElementEntry sleeve_joint();         ///< a beam in an open sleeve
ElementEntry beam_sleeve_joint();    ///< a tube that slides along a beam
ElementEntry beam_shoe_joint();      ///< a disk that slides in a hollow beam
ElementEntry rolling_joint();        ///< a wheel that neither slips nor lifts
ElementEntry backlash_coupling();    ///< play on a motion

/// Blocks for channels of motions and drives, once all joints are announced.
void make_motions(Plan& plan);
/// What joints carry, and the directions of contacts; after all places, whose forces belong to it.
void make_reactions(Plan& plan);

/// Bodies for examples.
constexpr const char* kTwoWheels =
    "bodies:\n  wheel: {type: rigid, mass: 1 kg, inertia: [0.01, 0.01, 0.02]}\n"
    "  slider: {type: rigid, mass: 2 kg, inertia: [0.01, 0.01, 0.02], position: [0.2, 0, 0]}\n"
    "joints:\n  input: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z}\n";

}  // namespace bristle
