// Surfaces of two bodies that may touch.
#include <cmath>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/surfaces.h"
#include "bristle/measure/curve_curve.h"
#include "bristle/measure/surface_surface.h"

namespace bristle {

namespace {

const char* const kBall =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n  ball: {type: rigid, mass: 1 kg, inertia: [4e-4, 4e-4, 4e-4], position: [0, 0, 0.1]}\n";

struct ContactKeys {
  const Node *between = nullptr, *surfaces = nullptr;
  TouchKeys touch;
  void visit(Keys& keys) {
    keys.node("between", "bodies", between, "", "two bodies [A, B]");
    keys.node(
        "surfaces", "surfaces", surfaces, "",
        "one for each body, where it is in the frame of the body: {type: sphere, radius: 10 mm}; see `bristle list surface`, and "
        "`bristle list outline` where the bodies are planar");
    touch.visit(keys);
  }
};

/// Where a surface is on its body.
Marker marker_on(const Plan& plan, int body, const std::optional<Vec3<>>& at, const Mat3<>& R) {
  Marker m;
  m.body = body;
  m.s = at.value_or(Vec3<>{});
  if (body > 0) m.s = m.s - plan.space.bodies[static_cast<std::size_t>(body - 1)].center;
  m.R = R;
  return m;
}

void add_contact(Plan& plan, Reader& reader, const std::string& name) {
  const ContactKeys keys = read_keys<ContactKeys>(reader, plan.scope);
  const Node& between = *keys.between;
  if (!between.is_list() || between.size() != 2) reader.fail("between", "between takes two bodies, for example [ground, ball]");
  const SpaceEnd a = read_end(plan, between[0], reader.owner()), b = read_end(plan, between[1], reader.owner());
  if (a.frame || b.frame) reader.fail("between", "a contact takes bodies; where their surfaces are is said in `surfaces`");
  if (a.body == b.body) reader.fail("between", "both surfaces are on the same body");
  const Node& surfaces = *keys.surfaces;
  if (!surfaces.is_list() || surfaces.size() != 2)
    reader.fail("surfaces", "surfaces takes one surface for each of the two bodies");
  Marker marker[2];
  marker[0].body = a.body, marker[1].body = b.body;
  const bool planar = in_plane(plan, marker[0], marker[1]);
  std::vector<Solid> solids;
  std::vector<Profile> profiles;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!surfaces[k].is_map()) reader.fail("surfaces", "a surface is a map, for example {type: sphere, radius: 10 mm}");
    Reader inner(surfaces[k], plan.scope, {reader.owner() + ": surface", {}});
    const int body = k == 0 ? a.body : b.body;
    if (planar) {
      const OutlineStand stand = read_outline(inner, plan.scope, plan.elements.outlines, profiles);
      marker[k] = marker_on(plan, body, stand.at, stand.frame());
    } else {
      const SurfaceStand stand = read_surface(inner, plan.scope, plan.elements.surfaces, solids);
      marker[k] = marker_on(plan, body, stand.at, stand.axes.frame());
    }
    inner.finish();
  }
  std::unique_ptr<Geometry> geometry;
  if (planar) {
    CurveCurve g{profiles[0], profiles[1]};
    if (const char* problem = g.problem()) reader.fail("surfaces", problem);
    geometry = make_geometry(std::move(g));
  } else {
    SurfaceSurface g{solids[0], solids[1]};
    if (const char* problem = g.problem()) reader.fail("surfaces", problem);
    geometry = make_geometry(std::move(g));
  }
  add_touch(plan, reader, keys.touch, name, std::move(geometry), marker[0], marker[1]);
  finish_rubbing(reader, keys.touch.press);
}

KindEntry contact_kind() {
  KindEntry kind{
      "contact", "surfaces of two bodies that may touch; outlines where the bodies are planar", key_fields<ContactKeys>(),
      std::string(kBall) +
          "joints:\n  floor:\n    type: contact\n    between: [ground, ball]\n"
          "    surfaces: [{type: plane, axis: z}, {type: sphere, radius: 20 mm}]\n"
          "    contact: {type: flores, stiffness: 10 MN/m^1.5, restitution: 0.7}\n",
      "Rows: none. Each point where the surfaces may touch is a place: `<joint>` or `<joint>.1`, `<joint>.2`, ... with gap, normal_force,\n"
      "slip, friction_force and mode. A plane under a capsule has two points; a plane under a box, a cylinder, a tube or a mesh has four, as have\n"
      "two of box and mesh; capsules, cylinders and tubes with each other, with boxes and meshes, and a tube with a sphere have eight, most of\n"
      "them open; other pairs one.\n"};
  return kind;
}

}  // namespace

ElementEntry contact_joint() {
  ElementEntry entry{contact_kind()};
  entry.acts_on = ElementEntry::ActsOn::bodies;
  entry.announce = add_contact;
  return entry;
}

}  // namespace bristle
