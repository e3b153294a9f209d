#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/keys.h"
#include "bristle/assemble/kinds.h"
#include "bristle/base/registry.h"
#include "bristle/body/inertia.h"
#include "bristle/measure/profile.h"
#include "bristle/measure/solid.h"
#include "bristle/model/reader.h"

namespace bristle {

/// Where a surface stands on its body.
struct SurfaceStand {
  std::optional<Vec3<>> at;
  AxesKeys axes;
  void visit(Keys& keys);
};
/// The same of an outline.
struct OutlineStand {
  bool hollow = false;
  std::optional<Vec3<>> at;
  std::optional<double> angle;
  AxesKeys axes;
  void visit(Keys& keys);
  Mat3<> frame() const;
};

/// What of a body touches, in its own frame: in space, or in the plane x, y. Its fields are its own keys and those of its stand, which whoever
/// knows the body reads.
struct SurfaceEntry : KindEntry {
  Solid (*read)(Reader&, const Scope&) = nullptr;
};
struct OutlineEntry : KindEntry {
  Profile (*read)(Reader&, const Scope&) = nullptr;
};
using SurfaceRegistry = Registry<SurfaceEntry>;
using OutlineRegistry = Registry<OutlineEntry>;
void add_surfaces(SurfaceRegistry& registry);
void add_outlines(OutlineRegistry& registry);

/// {type: sphere, radius: 10 mm}, appended to a list, and where it stands.
SurfaceStand read_surface(Reader& inner, const Scope& scope, const SurfaceRegistry& known, std::vector<Solid>& list);
OutlineStand read_outline(Reader& inner, const Scope& scope, const OutlineRegistry& known, std::vector<Profile>& list);
/// A closed mesh as a body that touches; none where it is not convex.
std::optional<Solid> convex_mesh(const Mesh& mesh);

}  // namespace bristle
