// Where forces act: along coordinates, along motions of joints, between points of bodies in space.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/space_rows.h"

namespace bristle {

bool in_space(const Plan& plan, const Node& end) {
  if (end.is_map()) return end.find("body") != nullptr;
  if (!end.is_scalar()) return false;
  for (const Coordinate& c : plan.coordinates) {
    if (c.name == end.text) return false;
  }
  return is_space_body(plan, end.text.substr(0, end.text.find('.')));
}

/// A point of a body: a frame, `at` in the world at the start, or the origin of its own frame.
Marker read_point(const Plan& plan, const Reader& reader, const Node& node, const char* key, const std::optional<Vec3<>>& at) {
  SpaceEnd end = read_end(plan, node, reader.owner(), true);
  if (end.beam != nullptr) {
    if (!at)
      reader.fail("on", "'" + end.beam->name + "' is a beam: name a node, for example " + end.beam->name + ".tip" +
                            (*key != 0 ? ", or say where by " + std::string(key) + ": [x, y, z]" : ""));
    settle(plan, end, *at, node.where, reader.owner());
  }
  Marker m{end.body, {}, Mat3<>::identity()};
  if (end.frame) {
    if (at) reader.fail(key, "the end says where it is already; leave " + std::string(key) + " out");
    m = *end.frame;
  } else if (at) {
    m.s = marker_at(plan, end.body, *at, m.R).s;
  } else if (end.body > 0) {
    m.s = Vec3<>{} - plan.space.bodies[static_cast<std::size_t>(end.body - 1)].center;
  }
  check_particle(plan, reader, m);
  return m;
}

void check_particle(const Plan& plan, const Reader& reader, const Marker& m) {
  const BodyInfo& b = plan.layout.bodies[static_cast<std::size_t>(m.body)];
  if (!b.can_turn() && b.moves() && norm(m.s) > 1e-9)
    reader.fail(
        reader.has("at") ? "at" : "between",
        "'" + b.name +
            "' is a particle: it can be held or pulled at its position only. Leave the point out, or make it a rigid body");
}

void ForceEnds::visit(Keys& keys) {
  keys.node("between", "ends", between, "none",
            "its two ends [A, B]: coordinates or ground, maps {coordinate: factor}, or points of bodies in space: arm.tip, "
            "{body: ground, at: [x, y, z]}");
  keys.node("on", "end", on, "none",
            "instead of between: the one end that is not the ground, or the motion of a joint: pin.angle");
  keys.vector("at", at, unit::metre, "the body's frame", "where it acts on a body A in space at the start, in the world");
  keys.vector("at_b", at_b, unit::metre, "the body's frame", "the same on B");
}

Reach reach(Plan& plan, const Reader& reader, const ForceEnds& ends) {
  Reach r;
  const Node *on = ends.on, *between = ends.between;
  if (on != nullptr && between == nullptr && on->is_scalar()) {
    const auto motion = plan.space.motions.find(on->text);
    if (motion != plan.space.motions.end()) {
      r.row = motion->second.row;
      use_row(plan, r.row);
      r.rotary = motion->second.rotary;
      return r;
    }
  }
  const bool pair = on == nullptr && between != nullptr && between->is_list() && between->size() == 2;
  if (!pair || (!in_space(plan, (*between)[0]) && !in_space(plan, (*between)[1]))) {
    if (on != nullptr && between == nullptr && in_space(plan, *on))
      reader.fail(
          "on",
          "along what? Write between: [A, B] for a force along the line of two points, on: <joint>.<motion>, or use type force");
    for (const char* key : {"at", "at_b"}) {
      if (reader.has(key)) reader.fail(key, std::string(key) + " belongs to ends on bodies in space");
    }
    r.spans = spans(plan, reader, ends);
    return r;
  }
  const Marker A = read_point(plan, reader, (*between)[0], "at", ends.at),
               B = read_point(plan, reader, (*between)[1], "at_b", ends.at_b);
  if (A.body == B.body) reader.fail("between", "both ends are on the same body; a force needs two different ones");
  r.row = add_row(plan, {A.body, A.s, Mat3<>::identity()}, {B.body, B.s, Mat3<>::identity()},
                  RelationPlan{{Relation::Kind::distance, 0, 0}, ""});
  plan.space.distances.push_back({r.row, reader.owner(), between->where});
  return r;
}

}  // namespace bristle
