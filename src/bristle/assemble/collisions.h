#pragma once
#include "bristle/assemble/kinds.h"

namespace bristle {

/// The section `collisions`, as the model file, the schema and the reference show it.
KindEntry collision_kind();

}  // namespace bristle
