#pragma once
#include "bristle/analyse/steady_rotation.h"
#include "bristle/assemble/keys.h"
#include "bristle/core/system.h"

namespace bristle {

/// The keys of a steady rotation: axis, at, frame, still.
void visit_rotation(Keys&, RotationAxis&);
/// What stands still are bodies of the model.
void check_still(const Model&, const System&, const RotationAxis&);

}  // namespace bristle
