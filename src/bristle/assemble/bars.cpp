// Bodies of type bar: particles on a line with axial members between them.
#include <cmath>

#include "bristle/assemble/beams.h"
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/keys.h"
#include "bristle/assemble/plan.h"
#include "bristle/base/text.h"
#include "bristle/body/bar.h"

namespace bristle {

namespace {

struct BarKeys {
  std::optional<Vec3<>> from, to, velocity;
  int elements = 1;
  double EA = 0, mass_per_length = 0, damping = 0;
  std::optional<double> length;
  bool tension_only = false;
  void visit(Keys& keys) {
    keys.vector("from", from, unit::metre, "", "where it starts [x, y, z]");
    keys.vector("to", to, unit::metre, "", "where it ends [x, y, z]");
    keys.integer("elements", elements, 1, 100000, "members in a row; many make a cable");
    keys.required("EA", EA, unit::newton, positive, "axial stiffness");
    keys.required("mass_per_length", mass_per_length, unit::kilogram_per_metre, positive, "of the length at rest");
    keys.number("length", length, unit::metre, positive, "the distance of its ends", "at rest");
    keys.flag("tension_only", tension_only, "slack where it is shorter than its length");
    keys.number("damping", damping, unit::second, non_negative, "0 s", "force of the strain rate: damping times EA");
    keys.vector("velocity", velocity, unit::metre_per_second, "0 m/s", "at the start [x, y, z]");
  }
};

void read_bar(Plan& plan, Reader& reader, const std::string& name) {
  std::vector<SpaceBodyPlan>& bodies = plan.space.bodies;
  BeamPlan bar;
  bar.name = name;
  bar.bar = true;
  bar.first = static_cast<int>(bodies.size());
  const BarKeys keys = read_keys<BarKeys>(reader, plan.scope);
  const Vec3<>&from = *keys.from, &to = *keys.to;
  const double distance = norm(to - from), length = keys.length.value_or(distance);
  const int elements = keys.elements;
  reader.finish({"type"});
  if (!(distance > 0) || !std::isfinite(distance)) reader.fail("to", "its two ends coincide; a bar needs a length");
  for (int k = 0; k <= elements; ++k) {
    SpaceBodyPlan node;
    node.name = name + "." + Beams::node_name(k, elements);
    node.node = true;
    node.position_given = true;
    node.velocity_given = keys.velocity.has_value();
    SpaceBody& b = node.body;
    b.kind = SpaceBody::Kind::point;
    b.mass = keys.mass_per_length * length / elements * (k == 0 || k == elements ? 0.5 : 1);
    b.gravity = plan.gravity;
    b.position = from + (static_cast<double>(k) / elements) * (to - from);
    b.velocity = keys.velocity.value_or(Vec3<>{});
    bodies.push_back(std::move(node));
  }
  for (int k = 0; k < elements; ++k) {
    BarElement el;
    el.body[0] = k, el.body[1] = k + 1;
    el.length = length / elements;
    el.EA = keys.EA;
    el.damping = keys.damping;
    el.tension_only = keys.tension_only;
    bar.members.push_back(el);
  }
  plan.beams.push_back(std::move(bar));
}

KindEntry bar_kind() {
  return {
      "bar", "a member of a truss, or a cable: particles in a row that pull and push along the line between them",
      key_fields<BarKeys>(),
      "bodies:\n  rope: {type: bar, from: [0, 0, 0], to: [1, 0, 0], elements: 10, EA: 10 kN, mass_per_length: 0.1 kg/m, tension_only: true}\n"
      "joints:\n  hook: {type: spherical, between: [ground, rope.start], at: [0, 0, 0]}\n",
      R"(Its nodes start, 1, 2, ..., tip are particles: spherical joints and points of forces take them wherever a body is named. A single bar joined by
spherical joints is a member of a truss; a cable is a row of them. There is no bending stiffness: a slack cable has none at plan, and a static
analysis finds the shape of one only where weight or load stretches it.

Channels, per node as of a particle; per member, counted from 1: <bar>.element.<k>.force, strain.
)"};
}

}  // namespace

ElementEntry bar_body() {
  ElementEntry entry{bar_kind()};
  entry.in_space = true;
  entry.announce = read_bar;
  entry.number = number_space;
  return entry;
}

}  // namespace bristle
