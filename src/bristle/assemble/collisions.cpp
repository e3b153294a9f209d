// Collision groups: many bodies of which any two may meet.
#include "bristle/assemble/collisions.h"

#include "bristle/assemble/contact.h"
#include "bristle/assemble/convex_parts.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/sections.h"
#include "bristle/assemble/surfaces.h"
#include "bristle/base/text.h"
#include "bristle/friction/frictionless.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/place/collision_group.h"

namespace bristle {

namespace {

constexpr std::size_t kMostParts = 100;  ///< of a mesh that is not convex

/// What is seen of a shape, as what touches: one body, or the convex parts of a mesh; none where these are too many.
std::vector<Solid> touching(const Shape& shape) {
  const double* s = shape.size;
  switch (shape.kind) {
    case Shape::Kind::box: return {Solid::box(s[0], s[1], s[2])};
    case Shape::Kind::cylinder: return {Solid::cylinder(s[0], s[1])};
    case Shape::Kind::sphere: return {Solid::sphere(s[0])};
    case Shape::Kind::tube: return {s[1] > 0 ? Solid::tube(s[0], s[1], s[2]) : Solid::cylinder(s[0], s[2])};
    case Shape::Kind::mesh: {
      Mesh mesh;
      for (std::size_t k = 0; k + 2 < shape.points.size(); k += 3)
        mesh.points.push_back({{shape.points[k], shape.points[k + 1], shape.points[k + 2]}});
      mesh.triangles = shape.triangles;
      return convex_parts(mesh, kMostParts);
    }
  }
  return {};
}

/// A shape of a body, in the frame of the centre of mass.
std::vector<CollisionGroup::Item> items_of(const SpaceBodyPlan& body, std::size_t k) {
  const Shape& shape = body.shapes[k];
  const bool own = k < body.touches.size() && body.touches[k];
  std::vector<CollisionGroup::Item> items;
  for (Solid& solid : own ? std::vector<Solid>{*body.touches[k]} : touching(shape)) {
    CollisionGroup::Item item{{}, std::move(solid), false};
    item.marker.s = Vec3<>{{shape.position[0], shape.position[1], shape.position[2]}};
    item.marker.R = matrix_of(Quaternion{shape.rotation[0], shape.rotation[1], shape.rotation[2], shape.rotation[3]});
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

namespace {

struct CollisionKeys {
  std::vector<std::string> bodies;
  const Node *with = nullptr, *surface = nullptr;
  PressKeys press;
  void visit(Keys& keys) {
    keys.names("bodies", bodies, "", "names, with * for any characters");
    keys.node("with", "surface_list", with, "none",
              "surfaces of the ground: a list of {type: plane, at, axis} (solid below) and others; see `bristle list surface`");
    keys.node("surface", "surface", surface, "the bodies' shapes", "one surface for all of the bodies, in place of their shapes");
    press.visit(keys, "", "law of contact: rigid, or one with stiffness and without memory",
                "law of friction without memory; dry with rigid contact");
  }
};

}  // namespace

KindEntry collision_kind() {
  return {"collisions", "bodies of which any two may meet, each with its own shapes: heaps, stacks, grains",
          key_fields<CollisionKeys>(),
          "gravity: [0, 0, -9.81]\n"
          "bodies:\n"
          "  ball1: {type: rigid, mass: 1 kg, position: [0, 0, 0.1], shape: {type: sphere, radius: 50 mm}}\n"
          "  ball2: {type: rigid, mass: 1 kg, position: [0.01, 0, 0.3], shape: {type: sphere, radius: 50 mm}}\n"
          "collisions:\n"
          "  balls:\n"
          "    bodies: ball*\n"
          "    with: [{type: plane}]\n"
          "    contact: {type: rigid, restitution: 0.3}\n"
          "    friction: {type: coulomb, mu_kinetic: 0.5}\n"
          "analysis: {type: transient, end: 1 s, integrator: {type: moreau_jean, step: 1 ms}}\n",
          "Rigid contact is solved by moreau_jean; a law with stiffness by rk4 and dormand_prince.\n"
          "Channels: `<group>.contacts`, `<group>.penetration`.\n"};
}

namespace {

using Items = std::vector<CollisionGroup::Item>;

/// A surface as a map; `fixed`: of the ground.
CollisionGroup::Item read_item(const Plan& plan, const Reader& reader, const Node& node, bool fixed) {
  Reader inner(node, plan.scope, {reader.owner() + ": surface", {}});
  std::vector<Solid> solid;
  const SurfaceStand stand = read_surface(inner, plan.scope, plan.elements.surfaces, solid);
  CollisionGroup::Item item{{}, solid[0], fixed};
  item.marker.s = stand.at.value_or(Vec3<>{});
  item.marker.R = stand.axes.frame();
  inner.finish({"type"});
  return item;
}

/// Which bodies are meant, by index.
std::vector<std::size_t> read_members(const Plan& plan, const Reader& reader, const CollisionKeys& keys) {
  const std::vector<BodyInfo>& bodies = plan.layout.bodies;
  std::vector<char> taken(bodies.size(), 0);
  for (const std::string& pattern : keys.bodies) {
    bool fits = false;
    std::vector<std::string> known;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      known.push_back(bodies[i].name);
      if (!wildcard_match(pattern, bodies[i].name)) continue;
      fits = true;
      taken[i] = 1;
    }
    if (!fits) reader.fail("bodies", "no body in space fits '" + shortened(pattern) + "'." + known_names(pattern, known));
  }
  std::vector<std::size_t> members;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    if (taken[i] != 0) members.push_back(i);
  }
  return members;
}

/// What of a body collides: `given`, or its own shapes.
void add_body(const Plan& plan, const Reader& reader, std::size_t i, const std::optional<CollisionGroup::Item>& given,
              Items& items) {
  const BodyInfo& body = plan.layout.bodies[i];
  if (body.count > 6)
    reader.fail("bodies", "body '" + body.name + "' deforms, and " + std::to_string(body.count) +
                              " velocities move its surface; a collision group takes bodies with 6 at most. Use contacts");
  if (!given && body.shapes.empty())
    reader.fail("bodies", "body '" + body.name + "' has no shape to collide with; give it one, or the group a surface");
  Items own;
  if (given) own.push_back(*given);
  for (std::size_t k = 0; !given && k < body.shapes.size(); ++k) {
    const Items parts = items_of(plan.space.bodies[i - 1], k);
    if (parts.empty())
      reader.fail("bodies", "body '" + body.name + "' has a mesh that is not convex and takes more than " +
                                std::to_string(kMostParts) +
                                " convex parts to fill. Give the body several convex shapes, or the group a surface");
    own.insert(own.end(), parts.begin(), parts.end());
  }
  for (CollisionGroup::Item& item : own) {
    item.marker.body = static_cast<int>(i);
    if (given) item.marker.s = item.marker.s - plan.space.bodies[i - 1].center;
    items.push_back(item);
  }
}

/// What stands still.
void add_ground(const Plan& plan, const Reader& reader, const Node* with, Items& items) {
  if (with == nullptr) return;
  if (!with->is_list()) reader.fail("with", "with takes a list of surfaces, for example [{type: plane, axis: z}]");
  for (std::size_t k = 0; k < with->size(); ++k) {
    const Node& node = (*with)[k];
    if (!node.is_map()) reader.fail("with", "a surface is a map, for example {type: plane, at: [0, 0, 0], axis: z}");
    items.push_back(read_item(plan, reader, node, true));
  }
}

CollisionGroup::Laws read_laws(Plan& plan, Reader& reader, const PressKeys& keys, const std::string& name) {
  CollisionGroup::Laws laws;
  std::string contact_name, friction_name = "none";
  laws.contact = read_contact(*keys.contact, plan.scope, reader.owner(), contact_name, plan.elements.contacts);
  if (laws.contact->marks() > 0)
    reader.fail(
        "contact",
        "'" + contact_name +
            "' remembers how fast or how deep each contact was; contacts of a group have no memory. Use rigid, hertz, linear, "
            "kelvin_voigt or another law without restitution");
  if (const char* missing = laws.contact->bind({})) reader.fail("contact", missing);
  const bool rigid = laws.contact->rigid() != nullptr;
  if (keys.friction != nullptr) {
    GivenLaw<2> given = read_law<2>(plan, reader, keys, {});
    if (given.input)
      reader.fail("friction", given.input->key +
                                  " must be a number here: contacts of a group share one law. Give a number, or let the bodies "
                                  "touch by joints of the type contact");
    laws.friction = std::move(given.law), friction_name = given.name;
  } else laws.friction = std::make_unique<FrictionLawOf<Frictionless, 2>>(Frictionless{});
  const MemorySize memory = laws.friction->memory();
  const bool dry = laws.friction->set_valued() != nullptr;
  if (memory.z > 0 || memory.marks > 0 || memory.travel)
    reader.fail("friction", "'" + friction_name +
                                "' remembers; contacts of a group have no memory. Use coulomb, stribeck or another "
                                "law without");
  if (keys.friction != nullptr && rigid && !dry)
    reader.fail("friction",
                "rigid contact takes a dry law (coulomb, stiction, ...), not '" + friction_name +
                    (keys.smoothing != nullptr ? "' with smoothing; leave smoothing out, or use" : "'; use one of these, or") +
                    " a contact law with stiffness");
  if (rigid && keys.viscosity)
    reader.fail("viscosity", "rigid contact takes a dry law alone; leave viscosity out, or use a contact law with stiffness");
  if (!rigid && dry)
    reader.fail("friction",
                "'" + friction_name +
                    "' has a jump at rest, which contacts with stiffness cannot follow in a group. Give it smoothing: "
                    "{velocity: 1 mm/s}, or use rigid contact");
  laws.contact_account = plan.numbers.account(name + ".contact", Account::Kind::dissipated);
  laws.friction_account = keys.friction != nullptr ? plan.numbers.account(name, Account::Kind::dissipated) : laws.contact_account;
  finish_rubbing(reader, keys);
  if (!plan.options.friction && !rigid) laws.friction = std::make_unique<FrictionLawOf<Frictionless, 2>>(Frictionless{});
  return laws;
}

}  // namespace

void read_collisions(Plan& plan) {
  plan.each("collisions", "collision group", [&](const std::string& name, const Where& where, Reader& reader) {
    check_keys(reader, collision_kind());
    plan.names.claim(name, where, "collision group");
    const CollisionKeys keys = read_keys<CollisionKeys>(reader, plan.scope);
    Items items;
    std::optional<CollisionGroup::Item> given;
    if (const Node* node = keys.surface) {
      if (!node->is_map()) reader.fail("surface", "a surface is a map, for example {type: sphere, radius: 10 mm}");
      given = read_item(plan, reader, *node, false);
    }
    for (const std::size_t i : read_members(plan, reader, keys)) add_body(plan, reader, i, given, items);
    add_ground(plan, reader, keys.with, items);
    CollisionGroup::Laws laws = read_laws(plan, reader, keys.press, name);
    auto group = std::make_unique<CollisionGroup>(name, std::move(items), plan.layout.bodies, std::move(laws));
    std::size_t a = 0, b = 0;
    if (const char* problem = group->problem(a, b)) reader.fail("bodies", problem);
    for (const Channel& c : CollisionGroup::channels(name)) plan.layout.channels.push_back(c);
    plan.blocks.push_back(std::move(group));
  });
}

}  // namespace bristle
