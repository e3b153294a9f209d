#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bristle/body/inertia.h"
#include "bristle/measure/solid.h"
#include "bristle/model/reader.h"

namespace bristle {

/// {type: sphere, radius: 10 mm}: what of a body touches. Its place (at, axis, x_axis) is read by who knows the body.
Solid read_surface(Reader& inner, const Scope& scope);
/// " Known: sphere, plane.", for sentences about a name that is none of them.
std::string known_ones(const std::vector<std::string>& known);
/// A closed mesh as a body that touches; none where it is not convex.
std::optional<Solid> convex_mesh(const Mesh& mesh);

}  // namespace bristle
