#pragma once
#include "bristle/assemble/plan.h"

namespace bristle {

// The sections of a model, in the order in which they are read; each in a source of its own.
void read_sections(Plan&);
void read_bodies(Plan&);
void read_states(Plan&);
void make_states(Plan&);      ///< their rates, which may read everything
void read_collisions(Plan&);  ///< bodies of which any two may meet

}  // namespace bristle
