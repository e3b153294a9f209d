#pragma once
#include "bristle/assemble/plan.h"

namespace bristle {

// The sections of a model, in the order in which they are read; each in a source of its own.
void read_sections(Plan&);
void read_bodies(Plan&);
void read_states(Plan&);
void read_space_joints(Plan&);  ///< joints between bodies in space: rows, motions, drives, stops, friction
void announce_joints(Plan&);    ///< those between scalar coordinates
void make_states(Plan&);
void read_joints(Plan&);
void read_collisions(Plan&);  ///< bodies of which any two may meet
void make_reactions(Plan&);   ///< what these joints carry; after all places, whose forces belong to it

}  // namespace bristle
