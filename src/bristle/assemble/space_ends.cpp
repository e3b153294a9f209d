// Where joints and forces act on bodies in space: bodies, named frames, frames on the spot.
#include <fmt/format.h>

#include <cmath>

#include "bristle/assemble/ends.h"
#include "bristle/base/text.h"

namespace bristle {

const BeamPlan* find_beam(const Plan& plan, const std::string& name) {
  for (const BeamPlan& b : plan.beams) {
    if (b.name == name) return &b;
  }
  return nullptr;
}

void settle(const Plan& plan, SpaceEnd& end, const Vec3<>& at, const Where& where, const std::string& owner) {
  if (end.beam == nullptr) return;
  const BeamPlan& beam = *end.beam;
  int best = 0;
  double away = 0;
  for (int k = 0; k < beam.nodes(); ++k) {
    const SpaceBodyPlan& node = plan.space.bodies[static_cast<std::size_t>(beam.first + k)];
    const double off = norm(start_frame(plan, {node.body.body, Vec3<>{} - node.center, Mat3<>::identity()}).p - at);
    if (k == 0 || off < away) best = k, away = off;
  }
  const SpaceBodyPlan& node = plan.space.bodies[static_cast<std::size_t>(beam.first + best)];
  if (away > 1e-6 * beam.length_of(0))
    throw InputError(where, owner + ": " + (beam.bar ? "bar '" : "beam '") + beam.name + "' has no node there; the nearest is " +
                                node.name + ", " + fmt::format("{:.3g}", away) + " m away. Name a node (" + node.name +
                                ") to connect to it by a rigid arm, or change the number of elements");
  end.body = node.body.body;
  end.beam = nullptr;
}

bool is_space_body(const Plan& plan, const std::string& name) {
  if (find_beam(plan, name) != nullptr) return true;
  for (const SpaceBodyPlan& b : plan.space.bodies) {
    if (b.name == name) return true;
  }
  return false;
}

namespace {

int space_body(const Plan& plan, const std::string& name, const Where& where, const std::string& owner) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < plan.layout.bodies.size(); ++i) {
    if (plan.layout.bodies[i].name == name) return static_cast<int>(i);
    known.push_back(plan.layout.bodies[i].name);
  }
  const std::size_t dot = name.find('.');
  if (const BeamPlan* beam = find_beam(plan, name.substr(0, dot))) {
    const std::string last = std::to_string(beam->nodes() - 1);
    if (dot == std::string::npos)
      throw InputError(where, owner + ": '" + name + "' is a " + (beam->bar ? "bar" : "beam") + "; name one of its nodes: " +
                                  name + ".start, " + name + ".tip or " + name + ".<number> (0 to " + last + ")");
    const std::string node = name.substr(dot + 1);
    for (int k : {0, beam->nodes() - 1}) {  // start and tip have numbers, too
      if (node == std::to_string(k)) return plan.space.bodies[static_cast<std::size_t>(beam->first + k)].body.body;
    }
    throw InputError(
        where, owner + ": beam '" + beam->name + "' has no node '" + shortened(node) + "'; it has start, tip and 0 to " + last);
  }
  if (known.empty())
    throw InputError(where,
                     owner + ": there is no body in space; joints of this type connect bodies of type rigid, planar or particle");
  throw InputError(where, owner + ": there is no body '" + name + "' in space." + known_names(name, known));
}

}  // namespace

namespace {
/// {body: arm, at: [x, y, z], axis: z}
struct EndFrameKeys {
  std::string body;
  std::optional<Vec3<>> at;
  AxesKeys axes;
  void visit(Keys& keys) {
    keys.word("body", body, "", "name of the body");
    keys.vector("at", at, unit::metre, "[0, 0, 0]", "in the body's frame");
    axes.visit(keys, "its z axis in the body's frame", "its x axis in the body's frame");
  }
};
}  // namespace

SpaceEnd read_end(const Plan& plan, const Node& node, const std::string& owner, bool whole_beam) {
  SpaceEnd end;
  if (node.is_map()) {
    Reader inner(node, plan.scope, {owner + ": end", {}});
    const EndFrameKeys keys = read_keys<EndFrameKeys>(inner, plan.scope);
    end.body = space_body(plan, keys.body, node.where, owner);
    Marker m;
    m.body = end.body;
    m.s = keys.at.value_or(Vec3<>{});
    m.R = keys.axes.frame();
    inner.finish();
    if (end.body > 0) m.s = m.s - plan.space.bodies[static_cast<std::size_t>(end.body - 1)].center;
    end.frame = m;
    return end;
  }
  if (!node.is_scalar())
    throw InputError(node.where, owner + ": an end is a body, a frame of it (body.frame) or {body: arm, at: [...]}");
  const std::size_t dot = node.text.find('.');
  if (const BeamPlan* beam = find_beam(plan, node.text.substr(0, dot))) {
    if (dot == std::string::npos && whole_beam) end.beam = beam;
    else end.body = space_body(plan, node.text, node.where, owner);
    return end;
  }
  end.body = space_body(plan, node.text.substr(0, dot), node.where, owner);
  if (dot == std::string::npos) return end;
  const std::string name = node.text.substr(dot + 1);
  if (end.body == 0)
    throw InputError(node.where, owner + ": the ground has no named frames; write {body: ground, at: [x, y, z], axis: z}");
  const SpaceBodyPlan& body = plan.space.bodies[static_cast<std::size_t>(end.body - 1)];
  std::vector<std::string> known;
  for (const auto& f : body.frames) {
    if (f.name == name) {
      end.frame = Marker{end.body, f.at - body.center, f.R};
      return end;
    }
    known.push_back(f.name);
  }
  throw InputError(node.where, owner + ": body '" + body.name + "' has no frame '" + name + "'." + known_names(name, known));
}

Frame<> start_frame(const Plan& plan, const Marker& m) {
  if (m.body == 0) return {m.R, m.s};
  const SpaceBody& b = plan.space.bodies[static_cast<std::size_t>(m.body - 1)].body;
  const Mat3<> own = b.start_axes();
  return {own * m.R, b.position + own * m.s};
}

Marker marker_at(const Plan& plan, int body, const Vec3<>& world, const Mat3<>& R) {
  const Frame<> own = start_frame(plan, Marker{body, {}, Mat3<>::identity()});
  return {body, transposed(own.R, world - own.p), transposed(own.R, R)};
}

void JointEnds::visit(Keys& keys, const Texts& texts) {
  keys.node("between", "bodies", between, "", texts.between);
  keys.vector("at", at, unit::metre, "none", texts.at);
  apart = texts.at_b != nullptr;
  if (apart) keys.vector("at_b", at_b, unit::metre, "at; a particle's own position", texts.at_b);
  axes.visit(keys, texts.axis, texts.x_axis);
  if (texts.second_axis != nullptr)
    keys.direction("second_axis", second_axis, "needed unless both ends are frames", texts.second_axis);
}

namespace {

/// A particle has one point: where ends may be apart it need not be said.
bool is_particle(const Plan& plan, int body) {
  const BodyInfo& b = plan.layout.bodies[static_cast<std::size_t>(body)];
  return b.moves() && !b.can_turn();
}

}  // namespace

std::pair<Marker, Marker> read_markers(const Plan& plan, const Reader& reader, const JointEnds& ends, bool two_axes) {
  const std::string& owner = reader.owner();
  const Node& between = *ends.between;
  if (!between.is_list() || between.size() != 2) reader.fail("between", "between takes two bodies, for example [ground, arm]");
  SpaceEnd a = read_end(plan, between[0], owner, true), b = read_end(plan, between[1], owner, true);
  std::optional<Vec3<>> place;  // where the joint is at the start
  if (a.frame || b.frame) place = start_frame(plan, a.frame ? *a.frame : *b.frame).p;
  else place = ends.at;
  for (SpaceEnd* end : {&a, &b}) {
    if (end->beam == nullptr) continue;
    if (!place)
      reader.fail("between", "'" + end->beam->name + "' is a beam: say where by at: [x, y, z], or name a node, for example " +
                                 end->beam->name + ".tip");
    settle(plan, *end, end == &b && ends.at_b ? *ends.at_b : *place, between.where, owner);
  }
  if (a.body == b.body) reader.fail("between", "both ends are on the same body; a joint needs two different ones");
  const auto read_second = [&](const Vec3<>& first) {
    if (std::abs(dot(first, *ends.second_axis)) > 0.01)
      reader.fail("second_axis", "the second axis must be square to the first at the start");
    return frame_along(*ends.second_axis, first);
  };
  if (a.frame || b.frame) {
    const bool both = a.frame && b.frame;
    for (const char* key : {"at", "at_b", "axis", "x_axis", "second_axis"}) {
      if (!reader.has(key) || (key == std::string("second_axis") && (!two_axes || !both))) continue;
      if (both) reader.fail(key, "both ends are frames: they say where the joint is");
      reader.fail(key, std::string("one end is a frame: it says where the joint is. Leave out ") + key +
                           ", or make the other end a frame as well: {body: " +
                           plan.layout.bodies[static_cast<std::size_t>(a.frame ? b.body : a.body)].name +
                           ", at: [x, y, z], axis: z}");
    }
    if (both) return {*a.frame, *b.frame};
    // the other end is where this frame starts
    const Marker& m = a.frame ? *a.frame : *b.frame;
    const int opposite = a.frame ? b.body : a.body;
    if (ends.apart && is_particle(plan, opposite)) {
      const Marker point{opposite, {}, Mat3<>::identity()};
      return a.frame ? std::pair{m, point} : std::pair{point, m};
    }
    const Frame<> start = start_frame(plan, m);
    if (two_axes && !ends.second_axis)
      reader.fail(
          "second_axis",
          "this joint has two axes, and the frame is one of them: give second_axis, the axis at the other end, square to it");
    const Marker other = marker_at(plan, opposite, start.p, two_axes ? read_second(start.R.column(2)) : start.R);
    check_particle(plan, reader, other);
    return a.frame ? std::pair{m, other} : std::pair{other, m};
  }
  if (two_axes && !ends.second_axis)
    reader.fail("second_axis",
                "this joint has two axes: give second_axis, the axis on B, square to axis; for example axis: x, second_axis: y");
  std::optional<Vec3<>> at = ends.at, at_b = ends.at_b;
  if (ends.apart && !at && is_particle(plan, a.body)) at = start_frame(plan, Marker{a.body, {}, Mat3<>::identity()}).p;
  if (ends.apart && !at_b && is_particle(plan, b.body)) at_b = start_frame(plan, Marker{b.body, {}, Mat3<>::identity()}).p;
  if (!at) reader.fail("at", "say where the joint is: at: [x, y, z] at the start, or connect frames of the bodies");
  const Mat3<> R = ends.axes.frame();
  const Mat3<> R_b = two_axes ? read_second(R.column(2)) : R;
  const Marker A = marker_at(plan, a.body, *at, R), B = marker_at(plan, b.body, at_b.value_or(*at), R_b);
  for (const Marker& m : {A, B}) check_particle(plan, reader, m);
  return {A, B};
}

bool in_plane(const Plan& plan, const Marker& A, const Marker& B) {
  for (const Marker* m : {&A, &B}) {
    if (!plan.layout.bodies[static_cast<std::size_t>(m->body)].flat()) return false;
  }
  return true;
}

const RowOf& find_motion(const Plan& plan, const Reader& reader, const char* key, const std::string& name) {
  const auto at = plan.space.motions.find(name);
  if (at != plan.space.motions.end()) return at->second;
  std::vector<std::string> known;
  for (const auto& [motion, unused] : plan.space.motions) known.push_back(motion);
  reader.fail(key, "there is no motion '" + shortened(name) + "'." + known_names(name, known));
}

}  // namespace bristle
