#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "bristle/assemble/shape_registry.h"

namespace bristle {

/// What a body is made of: solids for mechanics, shapes for pictures, both in the body's own frame.
struct Solids {
  std::vector<Shape> shapes;
  std::vector<std::optional<Solid>> touches;   ///< how each collides; none: as what is seen does
  std::vector<MassProperties> solids;          ///< of density one
  std::vector<std::optional<double>> density;  ///< [kg/m^3] of each, where it is given
  bool any_density = false;                    ///< the body or one of its shapes has one
  bool empty() const { return shapes.empty(); }
  /// All together with their densities; `mass` [kg] of the whole, when it is given instead.
  MassProperties properties(std::optional<double> mass) const;
};

/// Keys `shape`, `shapes` and `density` of a body. Files are relative to the model file that names them.
Solids read_solids(Reader& reader, const Scope& scope, bool planar, const ShapeRegistry& known);
/// Keys `file`, or `points` and `triangles`, and `scale`: a closed surface.
Mesh mesh_of(Reader& reader, const Scope& scope);
std::vector<Field> mesh_fields();
/// Every file that a model names: the key `file` of what has a type.
void each_file(Node& root, const std::function<void(Node&)>& use);
/// Writes out where mesh files are, so that the model can be read from another folder. True when something changed.
bool anchor_files(Node& root);

}  // namespace bristle
