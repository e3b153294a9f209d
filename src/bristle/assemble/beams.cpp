// Bodies of type beam: a path becomes elements, and nodes that are bodies in space.
#include "bristle/assemble/beams.h"

#include <cmath>

#include "bristle/assemble/beam_start.h"
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/keys.h"
#include "bristle/assemble/plan.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

/// A section of the undeformed beam.
struct Station {
  Vec3<> p;
  Mat3<> D;
};
/// An element of the undeformed beam, from section to section.
struct Piece {
  Station end[2];
  double length = 0;
};

Vec3<> coordinates(const Node& node, const Scope& scope, const Reader& reader, const char* key) {
  if (!node.is_list() || node.size() < 2 || node.size() > 3)
    reader.fail(key, "a point of the path is three numbers, for example [0.1, 0, 0]");
  Vec3<> p;
  for (std::size_t k = 0; k < node.size(); ++k) {
    const Quantity q = parse_quantity(node[k].text, scope, node[k].where_of_text());
    require_dimension(q.dimension, unit::metre, node[k].where);
    p[static_cast<int>(k)] = q.value;
  }
  return p;
}

/// Section axes: 1 along the beam, 2 as near to `up` as it can be.
Mat3<> section_axes(const Reader& reader, const Vec3<>& along, const std::optional<Vec3<>>& up) {
  Vec3<> second = up.value_or(std::abs(along[2]) < 0.999 ? Vec3<>{{0, 0, 1}} : Vec3<>{{0, 1, 0}});
  second = second - dot(second, along) * along;
  if (norm(second) < 1e-6)
    reader.fail("up", "axis 2 of the section cannot point along the beam. Give another direction, square to the beam");
  second = (1 / norm(second)) * second;
  Mat3<> D;
  D.set_column(0, along);
  D.set_column(1, second);
  D.set_column(2, cross(along, second));
  return D;
}

Mat3<> turn_about(const Vec3<>& axis, double angle) {
  return matrix_of(rotation_of({angle * axis[0], angle * axis[1], angle * axis[2]}, Chart::exponential));
}

void add_line(Reader& reader, const Vec3<>& from, const Vec3<>& to, int elements, const std::optional<Vec3<>>& up,
              std::vector<Piece>& pieces, const char* key) {
  const double length = norm(to - from);
  if (!(length > 0) || !std::isfinite(length)) reader.fail(key, "two points of the path coincide; a beam needs a length");
  const Mat3<> D = section_axes(reader, (1 / length) * (to - from), up);
  for (int k = 0; k < elements; ++k) {
    Piece piece;
    for (int I = 0; I < 2; ++I) piece.end[I] = {from + (static_cast<double>(k + I) / elements) * (to - from), D};
    piece.length = length / elements;
    pieces.push_back(piece);
  }
}

/// {center: [x, y, z], axis: z, angle: 90 deg, rise: 0 m}
struct ArcKeys {
  std::optional<Vec3<>> center, axis;
  double angle = 0, rise = 0;
  void visit(Keys& keys) {
    keys.vector("center", center, unit::metre, "", "a point of the axis of the arc");
    keys.direction("axis", axis, "", "axis of the arc");
    keys.required("angle", angle, unit::one, any, "how far the arc turns");
    keys.number("rise", rise, unit::metre, any, "0 m", "along its axis");
  }
};

/// Arcs and helices: the first section moves on a screw.
void add_screw(Reader& reader, const Node& path, const Scope& scope, const Vec3<>& from, int elements,
               const std::optional<Vec3<>>& up, std::vector<Piece>& pieces) {
  Reader inner(path, scope, {reader.owner() + ": path", {}});
  const ArcKeys keys = read_keys<ArcKeys>(inner, scope);
  const Vec3<>&center = *keys.center, &axis = *keys.axis;
  const double angle = keys.angle, rise = keys.rise;
  inner.finish();
  const Vec3<> arm = from - center - dot(from - center, axis) * axis;
  const double radius = norm(arm);
  if (!(radius > 0)) inner.fail("center", "the beam starts on the axis of the arc; the arc needs a radius");
  if (angle == 0) inner.fail("angle", "an arc of angle 0 has no length; for a straight beam write from and to");
  const Vec3<> tangent = angle * cross(axis, arm) + rise * axis;
  const double length = norm(tangent);
  const Mat3<> D = section_axes(reader, (1 / length) * tangent, up);
  const auto at = [&](int k) {
    const double part = static_cast<double>(k) / elements;
    const Mat3<> Q = turn_about(axis, part * angle);
    return Station{from + (Q * arm - arm) + (part * rise) * axis, Q * D};
  };
  for (int k = 0; k < elements; ++k) pieces.push_back({{at(k), at(k + 1)}, length / elements});
}

struct BeamKeys {
  std::optional<Vec3<>> from, to, up, velocity, angular_velocity;
  const Node *path = nullptr, *start = nullptr;
  int elements = 0;
  std::string section;
  double twist = 0, damping = 0;
  bool residual = true;
  void visit(Keys& keys) {
    keys.vector("from", from, unit::metre, "none", "where it starts [x, y, z]");
    keys.vector("to", to, unit::metre, "none", "where a straight one ends");
    keys.node("path", "path", path, "none",
              "instead of to: points [[x, y, z], ...], or an arc {center: [x, y, z], axis: z, angle: 90 deg, rise: 0 m}");
    keys.integer("elements", elements, 1, 100000, "", "how many; of a path of points: on each line");
    keys.word("section", section, "", "name of an entry of sections:");
    keys.direction("up", up, "z; y of a beam along z", "where axis 2 of the section points at the start");
    keys.number("twist", twist, unit::one, any, "0", "how far the sections turn about the axis from start to tip, undeformed");
    keys.number("damping", damping, unit::second, non_negative, "0 s", "stress of strain rates: damping times the stiffness");
    keys.flag("residual_flexibility", residual,
              "bending within the elements counts: with it a straight beam under end loads is exact");
    keys.vector("velocity", velocity, unit::metre_per_second, "0 m/s", "of its start [x, y, z]; the beam starts as a rigid body");
    keys.vector("angular_velocity", angular_velocity, unit::radian_per_second, "0 rad/s",
                "at the start, in world axes [x, y, z]");
    keys.node(
        "start", "beam_start", start, "as it is at rest",
        "bent or swinging: {displacement, rotation, velocity, angular_velocity}, vectors of expressions of s [m] or xi = s/length");
  }
};

std::vector<Piece> pieces_of(Reader& reader, const Scope& scope, const BeamKeys& keys) {
  std::vector<Piece> pieces;
  const std::optional<Vec3<>>&from = keys.from, &to = keys.to, &up = keys.up;
  const Node* path = keys.path;
  const int elements = keys.elements;
  if (path == nullptr) {
    if (!from || !to) reader.fail(from ? "to" : "from", "say where the beam is: from: [x, y, z], to: [x, y, z], or path");
    add_line(reader, *from, *to, elements, up, pieces, "to");
  } else if (to) {
    reader.fail("to", "give to or path, not both");
  } else if (path->is_map()) {
    if (!from) reader.fail("from", "an arc starts somewhere: give from: [x, y, z]");
    add_screw(reader, *path, scope, *from, elements, up, pieces);
  } else {
    if (from) reader.fail("from", "the path starts at its first point; leave from out");
    if (!path->is_list() || path->size() < 2) reader.fail("path", "a path is a list of at least two points, or an arc");
    for (std::size_t k = 1; k < path->size(); ++k)
      add_line(reader, coordinates((*path)[k - 1], scope, reader, "path"), coordinates((*path)[k], scope, reader, "path"),
               elements, up, pieces, "path");
  }
  double whole = 0, before = 0;
  for (const Piece& p : pieces) whole += p.length;
  for (Piece& p : pieces) {
    for (Station& s : p.end) {
      s.D = s.D * turn_about({{1, 0, 0}}, keys.twist * before / whole);
      if (&s == &p.end[0]) before += p.length;
    }
  }
  return pieces;
}

/// Half an element as pictures show it, in node axes.
Shape outline_of(const BeamSection& section, const Mat3<>& E, double length, double towards) {
  using Outline = BeamSection::Outline;
  Shape s;
  Mat3<> R = E;
  if (section.outline == Outline::rectangle) {
    s.kind = Shape::Kind::box;
    s.size[0] = 0.5 * length, s.size[1] = section.size[0], s.size[2] = section.size[1];
  } else {
    s.kind = section.outline == Outline::tube ? Shape::Kind::tube : Shape::Kind::cylinder;
    s.size[0] = section.size[0], s.size[1] = 0.5 * length;
    if (section.outline == Outline::none)
      s.size[0] = 2 * std::sqrt(std::min(section.stiffness[28], section.stiffness[35]) / section.stiffness[0]);
    if (section.outline == Outline::tube) s.size[1] = section.size[1], s.size[2] = 0.5 * length;
    for (int k = 0; k < 3; ++k) R.set_column(k, E.column((k + 1) % 3));  // round shapes have the axis z
  }
  const Vec3<> middle = (0.25 * length * towards) * E.column(0);
  const Quaternion turn = quaternion_of(R);
  for (int k = 0; k < 3; ++k) s.position[k] = middle[k];
  for (std::size_t k = 0; k < 4; ++k) s.rotation[k] = turn[k];
  return s;
}

const BeamSection& section_of(const Plan& plan, const Reader& reader, const std::string& section) {
  const auto at = plan.sections.find(section);
  if (at == plan.sections.end()) {
    std::vector<std::string> known;
    for (const auto& [key, unused] : plan.sections) known.push_back(key);
    reader.fail("section", "there is no section '" + shortened(section) + "'." +
                               (known.empty() ? " Write one under sections:, for example sections: {" + section +
                                                    ": {type: circle, radius: 5 mm, young: 210 GPa, density: 7850 kg/m^3}}"
                                              : known_names(section, known)));
  }
  return at->second;
}

/// Bodies at the ends of the elements: each has the halves of those that meet there.
std::vector<SpaceBodyPlan> nodes_of(const std::string& name, const std::vector<Piece>& pieces, const BeamSection& section,
                                    const BeamKeys& keys, const Vec3<>& gravity) {
  const int n = static_cast<int>(pieces.size());
  std::vector<SpaceBodyPlan> nodes;
  for (int k = 0; k <= n; ++k) {
    SpaceBodyPlan node;
    node.name = name + "." + Beams::node_name(k, n);
    node.node = true;
    node.body.shown = false;
    node.position_given = node.orientation_given = true;
    node.velocity_given = node.rate_given = keys.velocity || keys.angular_velocity;
    const Station& own = k < n ? pieces[static_cast<std::size_t>(k)].end[0] : pieces[static_cast<std::size_t>(n - 1)].end[1];
    std::vector<MassProperties> halves;
    for (int I = 0; I < 2; ++I) {  // the element that ends here, the one that starts here
      const int element = k - 1 + I;
      if (element < 0 || element >= n) continue;
      const Piece& piece = pieces[static_cast<std::size_t>(element)];
      const Mat3<> E = transposed(own.D, piece.end[1 - I].D);
      halves.push_back(half_of(section, piece.length, E));
      node.shapes.push_back(outline_of(section, E, piece.length, I == 0 ? -1 : 1));
    }
    const MassProperties whole = combined(halves);
    node.center = whole.center;
    for (Shape& s : node.shapes) {
      for (int i = 0; i < 3; ++i) s.position[i] -= node.center[i];
    }
    SpaceBody& b = node.body;
    b.mass = whole.mass;
    b.inertia = whole.inertia;
    b.gravity = gravity;
    b.orientation = quaternion_of(own.D);
    b.position = own.p + own.D * whole.center;
    b.angular_velocity = keys.angular_velocity.value_or(Vec3<>{});
    b.velocity = keys.velocity.value_or(Vec3<>{}) + cross(b.angular_velocity, b.position - pieces[0].end[0].p);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<BeamElement> elements_of(const Reader& reader, const std::vector<Piece>& pieces,
                                     const std::vector<SpaceBodyPlan>& nodes, const BeamSection& section, const BeamKeys& keys) {
  std::vector<BeamElement> elements;
  for (int k = 0; k < static_cast<int>(pieces.size()); ++k) {
    const Piece& piece = pieces[static_cast<std::size_t>(k)];
    BeamElement el;
    Pose pose[2];
    for (int I = 0; I < 2; ++I) {
      const SpaceBodyPlan& node = nodes[static_cast<std::size_t>(k + I)];
      pose[I].R = matrix_of(node.body.orientation);
      pose[I].p = node.body.position;
      el.end[I].body = k + I;
      el.end[I].s = Vec3<>{} - node.center;
      el.end[I].E = transposed(pose[I].R, piece.end[I].D);
    }
    el.length = piece.length;
    el.damping = keys.damping;
    el.C = keys.residual ? add_residual_flexibility(section.stiffness, piece.length) : section.stiffness;
    const BeamForm form = calc_beam_form(el, pose[0], pose[1]);
    if (form.c < -0.5)
      reader.fail("elements",
                  "element " + std::to_string(k + 1) + " turns by more than 120 degrees from end to end. Use more elements");
    el.at_rest = calc_beam_strain(el, form);
    elements.push_back(el);
  }
  return elements;
}

/// Bends the nodes, and lets them swing.
void start_nodes(const Reader& reader, const Scope& scope, const std::vector<Piece>& pieces, const Node& start,
                 std::vector<SpaceBodyPlan>& nodes) {
  double length = 0, s = 0;
  for (const Piece& piece : pieces) length += piece.length;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    SpaceBody& b = nodes[k].body;
    nodes[k].velocity_given = nodes[k].rate_given = true;
    const Mat3<> R = matrix_of(b.orientation);
    const Vec3<> arm = R * nodes[k].center;
    SectionStart section{b.position - arm, R, b.velocity - cross(b.angular_velocity, arm), b.angular_velocity};
    start_section(reader, start, scope, std::min(s, length), length, section);
    b.orientation = quaternion_of(section.D);
    const Vec3<> turned = section.D * nodes[k].center;
    b.position = section.p + turned;
    b.angular_velocity = section.w;
    b.velocity = section.v + cross(section.w, turned);
    if (k < pieces.size()) s += pieces[k].length;
  }
}

void read_beam(Plan& plan, Reader& reader, const std::string& name) {
  std::vector<SpaceBodyPlan>& bodies = plan.space.bodies;
  BeamPlan beam;
  beam.name = name;
  beam.first = static_cast<int>(bodies.size());
  const BeamKeys keys = read_keys<BeamKeys>(reader, plan.scope);
  const std::vector<Piece> pieces = pieces_of(reader, plan.scope, keys);
  beam.section = section_of(plan, reader, keys.section);
  reader.finish({"type"});
  std::vector<SpaceBodyPlan> nodes = nodes_of(name, pieces, beam.section, keys, plan.gravity);
  beam.elements = elements_of(reader, pieces, nodes, beam.section, keys);
  if (keys.start != nullptr) start_nodes(reader, plan.scope, pieces, *keys.start, nodes);
  for (SpaceBodyPlan& node : nodes) bodies.push_back(std::move(node));
  plan.space.rigid_starts.push_back({beam.first, beam.nodes()});
  plan.beams.push_back(std::move(beam));
}

KindEntry beam_kind() {
  return {
      "beam", "an elastic beam in space: large motion, bending, shear, stretch and torsion", key_fields<BeamKeys>(),
      R"(sections:
  tube: {type: tube, outer_radius: 20 mm, inner_radius: 18 mm, young: 70 GPa, density: 2700 kg/m^3}
bodies:
  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 8, section: tube}
joints:
  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}
)",
      R"(A geometrically exact beam: any displacement and rotation, small strains of the section. Its nodes rod.start, rod.1, ..., rod.tip are
bodies: joints, springs, forces and contacts take them wherever a body is named. With the name of the beam alone, `at` says which node.
Section axes: 1 along the beam, 2 towards `up`, 3 square to both.

Cannot: warp, buckle locally, or turn by more than 150 degrees within one element. The mass of an element is lumped at its nodes.

Channels, per node: <beam>.<node>.position.x|y|z, orientation.w|x|y|z, velocity, angular_velocity. Per element, counted from 1:
<beam>.element.<k>.force.1|2|3 and moment in section axes, strain (stretch, shears), curvature (twist, bending).
)"};
}

}  // namespace

ElementEntry beam_body() {
  ElementEntry entry{beam_kind()};
  entry.in_space = true;
  entry.announce = read_beam;
  entry.make = make_beams;
  return entry;
}

}  // namespace bristle
