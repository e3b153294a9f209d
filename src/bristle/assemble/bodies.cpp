// Bodies: read, then numbered, then made blocks.
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/sections.h"
#include "bristle/body/scalar.h"

namespace bristle {

namespace {

Vec3<> read_gravity(const Plan& plan) {
  const Node* node = plan.section("gravity");
  if (node == nullptr) return {};
  Node holder = Node::map();
  holder.set("gravity", *node);
  Reader reader(holder, plan.scope, {"gravity", {}});
  return read_vector3(reader, "gravity", unit::metre_per_second2).value_or(Vec3<>{});
}

/// Free, driven, ground, frames.
void number_bodies(Plan& plan) {
  for (const ElementEntry& entry : plan.elements.bodies.all()) {
    if (entry.number) entry.number(plan);
  }
  Layout& layout = plan.layout;
  layout.scalars = static_cast<int>(plan.coordinates.size());
  number_driven(plan);
  layout.ground = static_cast<int>(plan.coordinates.size());
  layout.sizes.q = layout.sizes.v = layout.ground + 1;
  number_frames(plan);
}

/// Channels of scalar coordinates, and what expressions may read of them.
void announce_coordinates(Plan& plan) {
  std::vector<int> indices;
  for (const Coordinate& c : plan.coordinates) {
    plan.layout.coordinates.push_back(c.name);
    if (c.space) continue;
    indices.push_back(c.index);
    const char *q = c.rotary ? "angle" : "position", *v = c.rotary ? "speed" : "velocity";
    plan.names.offer(c.name + "." + q, Signal::Input::Kind::position, {{c.index, 1.0}});
    plan.names.offer(c.name + "." + v, Signal::Input::Kind::velocity, {{c.index, 1.0}});
    plan.channel(c.name + "." + q, c.rotary ? "rad" : "m", q);
    plan.channel(c.name + "." + v, c.rotary ? "rad/s" : "m/s", v);
    plan.channel(c.name + ".acceleration", c.rotary ? "rad/s^2" : "m/s^2", "acceleration");
  }
  plan.layout.coordinates.push_back("ground");
  plan.blocks.push_back(std::make_unique<CoordinateOutputs>(std::move(indices)));
}

}  // namespace

void add_bodies(ElementRegistry& r) {
  r.add(mass_body());
  r.add(inertia_body());
  r.add(matrix_body());
  r.add(driven_body());
  r.add(rigid_body());
  r.add(planar_body());
  r.add(particle_body());
  r.add(beam_body());
  r.add(bar_body());
}

void read_sections(Plan& plan) {
  plan.each("sections", "section", [&](const std::string& name, const Where&, Reader& reader) {
    plan.sections[name] = read_section(reader, plan.scope, plan.elements.cross_sections);
  });
}

void read_bodies(Plan& plan) {
  const ElementRegistry& kinds = plan.elements.bodies;
  plan.gravity = read_gravity(plan);
  plan.each("bodies", kinds.kind(), [&](const std::string& name, const Where& where, Reader& reader) {
    plan.names.claim(name, where, kinds.kind());
    const std::size_t before = plan.space.bodies.size();
    read_kind(reader, kinds).announce(plan, reader, name);
    for (std::size_t k = before; k < plan.space.bodies.size(); ++k) plan.space.bodies[k].where = where;
  });
  number_bodies(plan);
  announce_coordinates(plan);
  announce_frames(plan);
  for (const bool in_space : {true, false}) {
    for (const ElementEntry& entry : kinds.all()) {
      if (entry.in_space == in_space && entry.make) entry.make(plan);
    }
  }
}

}  // namespace bristle
