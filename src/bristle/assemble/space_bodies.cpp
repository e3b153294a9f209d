// Rigid bodies, planar bodies and particles.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/plan.h"
#include "bristle/assemble/shapes.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

double component(const Node& node, const Scope& scope, const Unit& unit) {
  const Quantity q = parse_quantity(node.text, scope, node.where_of_text());
  require_dimension(q.dimension, unit, node.where);
  return q.value;
}

/// Refuses an inertia that no body has.
void check_inertia(const Reader& reader, const char* key, const Mat3<>& J) {
  Eigen::Matrix3d m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m(i, j) = J(i, j);
  }
  if (!m.allFinite()) reader.fail(key, "every number must be finite");
  if (const std::string off = asymmetry_text(m, 1e-9); !off.empty()) reader.fail(key, "the inertia must be symmetric: " + off);
  const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(m).eigenvalues();
  if (!(moments[0] > 0)) {
    reader.fail(key, "the smallest principal moment is " + fmt::format("{:.6g}", moments[0]) +
                         " [kg m^2]: a rigid body must resist turning about every axis. Give it a thickness, or use a particle");
  }
  if (moments[2] > (moments[0] + moments[1]) * (1 + 1e-3)) {
    reader.fail(key, "no body has these principal moments: " + fmt::format("{:.6g}", moments[2]) + " is more than the sum of " +
                         fmt::format("{:.6g}", moments[0]) + " and " + fmt::format("{:.6g}", moments[1]) + " [kg m^2]");
  }
}

/// [xx, yy, zz], or rows of a symmetric matrix.
Mat3<> read_inertia(Reader& reader, const Scope& scope) {
  const Node& node = reader.child("inertia", "moments of inertia [xx, yy, zz] about the centre of mass, or rows of the matrix");
  Mat3<> J;
  if (!node.is_list() || node.size() != 3)
    reader.fail("inertia", "inertia takes three moments [xx, yy, zz], or three rows of three numbers");
  for (int i = 0; i < 3; ++i) {
    const Node& row = node[static_cast<std::size_t>(i)];
    if (row.is_scalar()) {
      J(i, i) = component(row, scope, unit::kilogram_metre2);
      continue;
    }
    if (!row.is_list() || row.size() != 3) reader.fail("inertia", "every row of the inertia needs three numbers");
    for (int j = 0; j < 3; ++j) J(i, j) = component(row[static_cast<std::size_t>(j)], scope, unit::kilogram_metre2);
  }
  return J;
}

/// Mass, inertia and centre: as given, and what is not given from the shapes.
void read_mass(Reader& reader, const Scope& scope, const ShapeRegistry& known, SpaceBodyPlan& plan) {
  SpaceBody& b = plan.body;
  const bool planar = b.kind == SpaceBody::Kind::planar;
  const Solids solids = read_solids(reader, scope, planar, known);
  const bool mass_given = reader.has("mass"), inertia_given = reader.has("inertia");
  const std::optional<double> mass = reader.optional_number("mass", unit::kilogram, positive);
  const std::optional<Vec3<>> center = read_vector3(reader, "center", unit::metre);
  MassProperties whole;
  if (mass_given && inertia_given) {
    if (reader.has("density"))
      reader.fail("density", "mass and inertia are given: the density would change nothing. Leave it out");
  } else if (solids.empty()) {
    const char* missing = mass_given ? "inertia" : "mass";
    reader.fail(missing, std::string("missing key '") + missing + "'. Give " + (mass_given ? "" : "mass and ") +
                             (planar ? "inertia: 0.01 kg m^2" : "inertia: [xx, yy, zz]") +
                             ", or a shape, for example shape: {type: box, size: [0.1, 0.02, 0.02]}");
  } else {
    if (mass_given && reader.has("density")) reader.fail("density", "give mass or density, not both");
    if (!mass_given && !solids.any_density)
      reader.fail("mass", "say how heavy it is: mass: 2 kg, or density: 7850 kg/m^3 to fill its shape");
    whole = solids.properties(mass);
  }
  b.mass = mass.value_or(whole.mass);
  b.inertia = whole.inertia;
  if (inertia_given && planar) {
    b.inertia = {};
    b.inertia(2, 2) = reader.number("inertia", unit::kilogram_metre2, positive, "moment of inertia about z");
  } else if (inertia_given) {
    b.inertia = read_inertia(reader, scope);
  }
  if (!planar) check_inertia(reader, inertia_given ? "inertia" : reader.has("shape") ? "shape" : "shapes", b.inertia);
  plan.center = center.value_or(whole.center);
  if (planar) plan.center[2] = 0;
  plan.shapes = solids.shapes;
  plan.touches = solids.touches;
  for (Shape& s : plan.shapes) {
    for (int k = 0; k < 3; ++k) s.position[k] -= plan.center[k];
  }
}

void read_frames(Reader& reader, const Scope& scope, SpaceBodyPlan& plan) {
  const Node* frames = reader.optional_child("frames");
  if (frames == nullptr) return;
  if (!frames->is_map()) reader.fail("frames", "frames is a map of names, for example {tip: {at: [0.1, 0, 0], axis: z}}");
  for (const auto& [name, node] : frames->children) {
    if (!node.is_map())
      throw InputError(node.where, reader.owner() + ": frame '" + name + "' is a map, for example {at: [0.1, 0, 0]}");
    Reader inner(node, scope, {reader.owner() + ": frame '" + name + "'", {}});
    SpaceBodyPlan::NamedFrame f;
    f.name = name;
    f.at = read_vector3(inner, "at", unit::metre).value_or(Vec3<>{});
    f.R = read_axes(inner, scope);
    inner.finish();
    plan.frames.push_back(std::move(f));
  }
}

const char* const kFilled = "from its shapes";

Field frames_field() {
  return shaped_field("frames", "none", "named frames in the body's own: {tip: {at: [0.1, 0, 0], axis: z, x_axis: x}}", "frames");
}

std::vector<Field> solid_fields() {
  using enum Field::Kind;
  return {plain_field(number, "density", Unit{"kg/m^3", {-3, 1, 0, 0}}, positive, "none",
                      "of its shapes, instead of mass and inertia"),
          shaped_field("shape", "none", "what it is made of and looks like; see `bristle list shape`", "shape"),
          shaped_field("shapes", "none", "the same, a list of several", "shapes")};
}

KindEntry rigid_kind() {
  using enum Field::Kind;
  const std::vector<Field> motion = {
      shaped_field("position", "0 m", "of the body's frame at the start [x, y, z]", "vector"),
      shaped_field("orientation", "none", "at the start: unit quaternion [w, x, y, z] or {axis: z, angle: 30 deg}",
                   "orientation"),
      shaped_field("velocity", "0 m/s", "of the body's frame at the start [x, y, z]", "vector"),
      shaped_field("angular_velocity", "0", "at the start, in world axes [x, y, z]", "vector")};
  return {
      "rigid", "a rigid body in space",
      joined(joined(joined({plain_field(number, "mass", unit::kilogram, positive, kFilled, "mass"),
                            shaped_field("inertia", kFilled,
                                         "about the centre of mass in body axes [kg m^2]: [xx, yy, zz] or rows", "matrix"),
                            shaped_field("center", "of its shapes", "centre of mass in the body's frame", "vector")},
                           solid_fields()),
                    motion),
             {frames_field()}),
      "bodies:\n  crank: {type: rigid, mass: 0.12 kg, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0, 50 mm]}\n",
      R"(Position, orientation and velocities belong to the body's own frame; its centre of mass is at `center` in it. Equations of the centre
of mass: m a = F, J w' + w x J w = M with the rates of the body's own axes, attitude by a unit quaternion.

Where mass or inertia are not given they come from `shape`: filled with `density`, or with `mass` spread evenly (densities of several
shapes then say how). Given values win over those of the shapes; with both given, shapes are for pictures only.

Channels: position.x|y|z and velocity and acceleration of the centre of mass, orientation.w|x|y|z, angular_velocity.x|y|z and
angular_acceleration in world axes.
)"};
}

KindEntry planar_kind() {
  using enum Field::Kind;
  return {
      "planar", "a rigid body that moves in the plane x, y",
      joined({plain_field(number, "mass", unit::kilogram, positive, kFilled, "mass"),
              plain_field(number, "inertia", unit::kilogram_metre2, positive, kFilled, "about z through the centre of mass"),
              shaped_field("center", "of its shapes", "centre of mass in the body's frame [x, y]", "vector"),
              shaped_field("position", "0 m", "of the body's frame at the start [x, y]", "vector"),
              plain_field(number, "angle", unit::one, any, "0", "at the start"),
              shaped_field("velocity", "0 m/s", "of the body's frame at the start [x, y]", "vector"),
              plain_field(number, "angular_velocity", unit::per_second, any, "0", "at the start"), frames_field()},
             solid_fields()),
      "bodies:\n  arm: {type: planar, mass: 1 kg, inertia: 0.1 kg m^2, position: [0.5, 0]}\n",
      R"(A body of three coordinates x, y and angle: joints between planar bodies hold only what moves in the plane, so that nothing is
redundant. Elements of one coordinate may act on `<body>.x`, `<body>.y` and `<body>.angle`. Shapes count with their volume: a flat box has
size [x, y] and a thickness.

Channels: position.x|y, angle, velocity.x|y, angular_velocity, acceleration.x|y, angular_acceleration.
)"};
}

KindEntry particle_kind() {
  using enum Field::Kind;
  return {"particle",
          "a point mass in space",
          {plain_field(number, "mass", unit::kilogram, positive, "", "mass"),
           shaped_field("position", "0 m", "at the start [x, y, z]", "vector"),
           shaped_field("velocity", "0 m/s", "at the start [x, y, z]", "vector")},
          "bodies:\n  bob: {type: particle, mass: 1 kg, position: [1, 0, 0]}\n",
          ""};
}

void read_space_body(SpaceBody::Kind kind, Plan& plan, Reader& reader, const std::string& name) {
  const Scope& scope = plan.scope;
  SpaceBodyPlan body;
  body.name = name;
  SpaceBody& b = body.body;
  b.kind = kind;
  b.gravity = plan.gravity;
  if (b.kind == SpaceBody::Kind::point) b.mass = reader.number("mass", unit::kilogram, positive, "mass");
  else read_mass(reader, scope, plan.elements.shapes, body);
  body.position_given = reader.has("position");
  body.velocity_given = reader.has("velocity");
  body.rate_given = reader.has("angular_velocity");
  Vec3<> position = read_vector3(reader, "position", unit::metre).value_or(Vec3<>{});
  Vec3<> velocity = read_vector3(reader, "velocity", unit::metre_per_second).value_or(Vec3<>{});
  Mat3<> R = Mat3<>::identity();
  if (b.kind == SpaceBody::Kind::rigid) {
    body.orientation_given = reader.has("orientation");
    if (const auto p = read_orientation(reader, "orientation", scope)) b.orientation = *p;
    R = matrix_of(b.orientation);
    b.angular_velocity = read_vector3(reader, "angular_velocity", unit::radian_per_second).value_or(Vec3<>{});
  } else if (b.kind == SpaceBody::Kind::planar) {
    body.orientation_given = reader.has("angle");
    b.angle = reader.optional_number("angle", unit::one).value_or(0);
    R = matrix_of(rotation_of({0, 0, b.angle}, Chart::exponential));
    b.angular_velocity[2] = reader.optional_number("angular_velocity", unit::per_second).value_or(0);
  }
  if (b.kind != SpaceBody::Kind::point) read_frames(reader, scope, body);
  const Vec3<> arm = R * body.center;
  b.position = position + arm;
  b.velocity = velocity + cross(b.angular_velocity, arm);
  if (b.kind == SpaceBody::Kind::planar) b.position[2] = b.velocity[2] = 0;
  reader.finish();
  plan.space.bodies.push_back(std::move(body));
}

/// What expressions may read of them by their coordinates.
void offer_coordinates(Plan& plan, const SpaceBodyPlan& b) {
  using Kind = Signal::Input::Kind;
  const bool planar = b.body.kind == SpaceBody::Kind::planar;
  for (int k = 0; k < (planar ? 2 : 3); ++k) {
    const std::string axis = std::string(".") + "xyz"[k];
    plan.names.offer(b.name + ".position" + axis, Kind::position, {{b.body.q + k, 1.0}});
    plan.names.offer(b.name + ".velocity" + axis, Kind::velocity, {{b.body.v + k, 1.0}});
  }
  if (!planar) return;
  plan.names.offer(b.name + ".angle", Kind::position, {{b.body.q + 2, 1.0}});
  plan.names.offer(b.name + ".angular_velocity", Kind::velocity, {{b.body.v + 2, 1.0}});
}

/// One block for all of them.
void make_space(Plan& plan) {
  std::vector<SpaceBody> bodies;
  for (const SpaceBodyPlan& b : plan.space.bodies) {
    if (!b.frame) bodies.push_back(b.body);
  }
  if (!bodies.empty()) plan.blocks.push_back(std::make_unique<SpaceBodies>(std::move(bodies)));
}

ElementEntry body_entry(KindEntry kind, SpaceBody::Kind form) {
  ElementEntry entry{std::move(kind)};
  entry.in_space = true;
  entry.announce = [form](Plan& plan, Reader& reader, const std::string& name) { read_space_body(form, plan, reader, name); };
  entry.number = number_space;
  return entry;
}

}  // namespace

/// Those without a rotation in space have coordinates that elements may act on.
void number_space(Plan& plan) {
  for (SpaceBodyPlan& b : plan.space.bodies) {
    if (b.frame || b.numbered || b.body.kind == SpaceBody::Kind::rigid) continue;
    b.numbered = true;
    b.body.q = b.body.v = static_cast<int>(plan.coordinates.size());
    const bool planar = b.body.kind == SpaceBody::Kind::planar;
    for (const char* part : {"x", "y", planar ? "angle" : "z"}) {
      plan.add_coordinate(b.name + "." + part, planar && part[0] == 'a');
      plan.coordinates.back().space = true;
    }
  }
}

void number_frames(Plan& plan) {
  if (plan.space.bodies.empty()) return;
  for (SpaceBodyPlan& b : plan.space.bodies) {
    if (b.frame || b.body.kind != SpaceBody::Kind::rigid) continue;
    const FrameCoordinates& f = plan.layout.add_frame();
    b.body.q = f.q, b.body.v = f.v;
  }
}

void announce_frames(Plan& plan) {
  if (plan.space.bodies.empty()) return;
  plan.layout.bodies.push_back(BodyInfo::ground());
  for (SpaceBodyPlan& b : plan.space.bodies) {
    b.body.body = static_cast<int>(plan.layout.bodies.size());
    plan.layout.bodies.push_back(b.frame ? *b.frame : space_frame(b.name, b.body.kind, b.body.q, b.body.v));
    plan.layout.bodies.back().shapes = b.shapes;
    if (b.frame) continue;
    if (b.body.shown) {
      for (Channel& c : SpaceBodies::channels(b.name, b.body.kind)) plan.layout.channels.push_back(std::move(c));
    }
    if (b.body.kind != SpaceBody::Kind::rigid) offer_coordinates(plan, b);
  }
}

ElementEntry rigid_body() {
  ElementEntry entry = body_entry(rigid_kind(), SpaceBody::Kind::rigid);
  entry.make = make_space;
  return entry;
}
ElementEntry planar_body() { return body_entry(planar_kind(), SpaceBody::Kind::planar); }
ElementEntry particle_body() { return body_entry(particle_kind(), SpaceBody::Kind::point); }

}  // namespace bristle
