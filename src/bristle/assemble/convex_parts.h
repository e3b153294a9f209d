#pragma once
#include <cstddef>
#include <vector>

#include "bristle/body/inertia.h"
#include "bristle/measure/solid.h"

namespace bristle {

/// A closed mesh as convex bodies that fill it exactly: itself where it is convex, its shells where each of them is, and otherwise what is
/// left between planes through its inward edges. Empty where that takes more than `most`, or does not give its volume.
std::vector<Solid> convex_parts(const Mesh& mesh, std::size_t most);

}  // namespace bristle
