#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "bristle/assemble/keys.h"
#include "bristle/assemble/shape_registry.h"

namespace bristle {

/// What a body is made of: solids for mechanics, shapes for pictures, both in the body's own frame.
struct Solids {
  std::vector<Shape> shapes;
  std::vector<std::optional<Solid>> touches;   ///< how each collides; none: as what is seen does
  std::vector<MassProperties> solids;          ///< of density one, or as their own `mass` says
  std::vector<std::optional<double>> density;  ///< [kg/m^3] of each, where it is given; 1 beside a mass of its own
  bool any_density = false;                    ///< the body or one of its shapes has one, or a mass of its own
  const Node* own_mass = nullptr;              ///< the first shape with a mass of its own
  bool empty() const { return solids.empty(); }
  /// All together with their densities; `mass` [kg] of the whole, when it is given instead.
  MassProperties properties(std::optional<double> mass) const;
};

/// What a body is made of, in place of mass and inertia or for pictures.
struct SolidKeys {
  std::optional<double> density;  ///< [kg/m^3]
  const Node *shape = nullptr, *shapes = nullptr;
  void visit(Keys& keys);
};
/// Files are relative to the model file that names them.
Solids read_solids(const Reader& reader, const SolidKeys& keys, const Scope& scope, bool planar, const ShapeRegistry& known);
/// A closed surface.
struct MeshKeys {
  std::string file;
  double scale = 1;  ///< [m] per unit of the file
  const Node *points = nullptr, *triangles = nullptr;
  void visit(Keys& keys);
};
Mesh mesh_of(Reader& reader, const Scope& scope);
/// Every file that a model names: the key `file` of what has a type.
void each_file(Node& root, const std::function<void(Node&)>& use);
/// Writes out where mesh files are, so that the model can be read from another folder. True when something changed.
bool anchor_files(Node& root);

}  // namespace bristle
