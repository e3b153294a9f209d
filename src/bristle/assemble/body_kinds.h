#pragma once
#include <string>
#include <vector>

#include "bristle/assemble/elements.h"

namespace bristle {

/// The types of body in the order of the documentation, which is also that of their free coordinates.
void add_bodies(ElementRegistry& registry);

// Each in a source of its own.
ElementEntry mass_body();
ElementEntry inertia_body();
ElementEntry matrix_body();
ElementEntry driven_body();
ElementEntry rigid_body();
ElementEntry planar_body();
ElementEntry particle_body();
ElementEntry beam_body();
ElementEntry bar_body();

/// Coordinates of planar bodies and particles, those of bars among them.
void number_space(Plan& plan);
/// Coordinates whose motion is given: behind the free ones.
void number_driven(Plan& plan);
/// Frames that turn in space: behind the ground.
void number_frames(Plan& plan);
/// The bodies in space by name, with the ground before them, their channels and what expressions may read of them.
void announce_frames(Plan& plan);

}  // namespace bristle
