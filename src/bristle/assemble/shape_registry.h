#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/base/registry.h"
#include "bristle/body/inertia.h"
#include "bristle/core/layout.h"
#include "bristle/measure/solid.h"
#include "bristle/model/reader.h"

namespace bristle {

/// A solid that bodies are made of, in its own frame: what is seen of it, and its mass and inertia at density one.
struct SolidShape {
  std::optional<Shape> seen;          ///< none: a mere mass, which touches nothing
  MassProperties solid;               ///< of a mere mass: at one kilogram
  std::optional<Solid> touches = {};  ///< how it collides; none: as what is seen does
};

/// Its fields are its own keys, and where it stands and its density, which are those of all shapes.
struct ShapeEntry : KindEntry {
  SolidShape (*read)(Reader&, const Scope&, bool planar) = nullptr;
};
using ShapeRegistry = Registry<ShapeEntry>;
void add_shapes(ShapeRegistry& registry);

/// An entry with its own keys.
ShapeEntry shape_entry(const char* name, const char* summary, std::vector<Field> own, const char* example, const char* page,
                       SolidShape (*read)(Reader&, const Scope&, bool planar));
/// The solid inside a closed surface; `what` names it in the sentence about one that is not closed.
SolidShape solid_inside(Mesh surface, const std::string& what);

/// One line for a shape: add_shape<Cone>(registry, "cone", "...", "bodies:\n  ..."). S has
///   void visit(Visitor&);               parameters
///   std::string problem() const;        optional: impossible combinations of them, "" when fine
///   Mesh surface() const;               closed, triangles counter-clockwise seen from outside, in its own frame
///   MassProperties solid() const;       optional: in closed form, at density one
///   Solid touches() const;              optional: how it collides
/// Pictures, mass and inertia, and collisions (with its convex hull) follow from the surface where nothing else is said. Shapes that
/// pictures know by name have `Shape seen() const` in place of the surface.
template <class S>
void add_shape(ShapeRegistry& registry, const char* name, const char* summary, const char* example) {
  registry.add(shape_entry(name, summary, fields_of<S>(), example, "", [](Reader& reader, const Scope&, bool) {
    S s;
    s.visit(reader);
    if constexpr (requires { s.problem(); }) reader.check(s.problem());
    reader.finish({"type", "position", "orientation", "axis", "density", "mass"});  // what is missing is said before it is used
    SolidShape made;
    if constexpr (requires { s.seen(); }) made.seen = s.seen();
    else made = solid_inside(s.surface(), reader.owner());
    if constexpr (requires { s.solid(); }) made.solid = s.solid();
    if constexpr (requires { s.touches(); }) made.touches = s.touches();
    return made;
  }));
}

}  // namespace bristle
