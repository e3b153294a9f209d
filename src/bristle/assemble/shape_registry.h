#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/base/registry.h"
#include "bristle/body/inertia.h"
#include "bristle/core/layout.h"
#include "bristle/model/reader.h"

namespace bristle {

/// A solid that bodies are made of, in its own frame: what is seen of it, and its mass and inertia at density one.
struct SolidShape {
  Shape seen;
  MassProperties solid;
};

struct ShapeEntry {
  std::string name, summary;
  std::vector<Field> fields;                 ///< its own keys; where it stands and its density are those of all shapes
  std::string example;                       ///< YAML to copy
  std::string page;                          ///< more to read; empty when there is none
  std::map<std::string, std::string> forms;  ///< fields that are not plain values, and their form in the JSON Schema
  SolidShape (*read)(Reader&, const Scope&, bool planar) = nullptr;
};
using ShapeRegistry = Registry<ShapeEntry>;

/// All shapes, in the order of the documentation.
const ShapeRegistry& shape_registry();

/// The solid inside a closed surface; `what` names it in the sentence about one that is not closed.
SolidShape solid_inside(Mesh surface, const std::string& what);

/// One line for a shape that is described by its surface: add_shape<Cone>(registry, "cone", "...", "bodies:\n  ..."). S has
///   void visit(Visitor&);       parameters
///   std::string problem() const;      optional: impossible combinations of them, "" when fine
///   Mesh surface() const;       closed, triangles counter-clockwise seen from outside, in its own frame
/// Pictures, mass and inertia, and collisions (with its convex hull) follow from the surface.
template <class S>
void add_shape(ShapeRegistry& registry, const char* name, const char* summary, const char* example) {
  ShapeEntry entry{name, summary, fields_of<S>(), example, "", {}, nullptr};
  entry.read = [](Reader& reader, const Scope&, bool) {
    S s;
    s.visit(reader);
    if constexpr (requires { s.problem(); }) reader.check(s.problem());
    reader.finish({"type", "position", "orientation", "axis", "density"});  // what is missing is said before it is used
    return solid_inside(s.surface(), reader.owner());
  };
  registry.add(std::move(entry));
}

}  // namespace bristle
