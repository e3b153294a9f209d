#pragma once
#include "bristle/base/node.h"

namespace bristle {

/// A body with `repeat: {count: [4, 4, 2], spacing: [0.1, 0.1, 0.1], scatter: 1 mm}` becomes as many bodies, in rows along x, y and z: its name
/// with 1, 2, ... behind it (x counts fastest), its position moved on by the spacing, and each coordinate by up to `scatter` to either side
/// as a random number that is the same in every run. `count: 5` is a row along the spacing as a vector.
void expand_repeats(Node& root);

}  // namespace bristle
