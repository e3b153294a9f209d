#pragma once
#include "bristle/analyse/steady_rotation.h"
#include "bristle/core/system.h"
#include "bristle/study/keys.h"

namespace bristle {

/// The keys of a steady rotation: axis, at, frame, still.
void visit_rotation(Keys&, RotationAxis&);
/// What stands still are bodies of the model.
void check_still(const Model&, const System&, const RotationAxis&);

}  // namespace bristle
