// Rigid bodies, planar bodies and particles.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/keys.h"
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
Mat3<> inertia_of(const Reader& reader, const Node& node, const Scope& scope) {
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

const char* const kFilled = "from its shapes";

/// Keys that all these bodies have.
struct PointMotion {
  std::optional<Vec3<>> position, velocity;
  void visit(Keys& keys, const char* text) {
    keys.vector("position", position, unit::metre, "0 m", text);
    keys.vector("velocity", velocity, unit::metre_per_second, "0 m/s", text);
  }
};

struct RigidKeys {
  std::optional<double> mass;
  const Node *inertia = nullptr, *frames = nullptr;
  std::optional<Vec3<>> center, angular_velocity;
  SolidKeys solids;
  PointMotion motion;
  std::optional<Quaternion> orientation;
  void visit(Keys& keys) {
    keys.number("mass", mass, unit::kilogram, positive, kFilled, "mass");
    keys.node("inertia", "matrix", inertia, kFilled, "about the centre of mass in body axes [kg m^2]: [xx, yy, zz] or rows");
    keys.vector("center", center, unit::metre, "of its shapes", "centre of mass in the body's frame");
    solids.visit(keys);
    motion.visit(keys, "of the body's frame at the start [x, y, z]");
    keys.orientation("orientation", orientation, "none",
                     "at the start: unit quaternion [w, x, y, z] or {axis: z, angle: 30 deg}");
    keys.vector("angular_velocity", angular_velocity, unit::radian_per_second, "0", "at the start, in world axes [x, y, z]");
    visit_frames(keys, frames);
  }
  static void visit_frames(Keys& keys, const Node*& frames) {
    keys.node("frames", "frames", frames, "none", "named frames in the body's own: {tip: {at: [0.1, 0, 0], axis: z, x_axis: x}}");
  }
};

struct PlanarKeys {
  std::optional<double> mass, inertia, angle;
  double angular_velocity = 0;
  const Node* frames = nullptr;
  std::optional<Vec3<>> center;
  SolidKeys solids;
  PointMotion motion;
  void visit(Keys& keys) {
    keys.number("mass", mass, unit::kilogram, positive, kFilled, "mass");
    keys.number("inertia", inertia, unit::kilogram_metre2, positive, kFilled, "about z through the centre of mass");
    keys.vector("center", center, unit::metre, "of its shapes", "centre of mass in the body's frame [x, y]");
    motion.visit(keys, "of the body's frame at the start [x, y]");
    keys.number("angle", angle, unit::one, any, "0", "at the start");
    keys.number("angular_velocity", angular_velocity, unit::per_second, any, "0", "at the start");
    RigidKeys::visit_frames(keys, frames);
    solids.visit(keys);
  }
};

struct ParticleKeys {
  double mass = 0;
  PointMotion motion;
  void visit(Keys& keys) {
    keys.required("mass", mass, unit::kilogram, positive, "mass");
    motion.visit(keys, "at the start [x, y, z]");
  }
};

/// Mass and centre: as given, and what is not given from the shapes. Gives mass and inertia of those.
MassProperties read_mass(const Reader& reader, const Scope& scope, const ShapeRegistry& known, const SolidKeys& keys,
                         const std::optional<double>& mass, const std::optional<Vec3<>>& center, SpaceBodyPlan& plan) {
  SpaceBody& b = plan.body;
  const bool planar = b.kind == SpaceBody::Kind::planar;
  const Solids solids = read_solids(reader, keys, scope, planar, known);
  const bool mass_given = reader.has("mass"), inertia_given = reader.has("inertia");
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
    if (mass_given && solids.own_mass != nullptr)
      reader.fail("mass", "its shapes have masses of their own, of which the body is the sum. Leave out mass here or there");
    if (!mass_given && !solids.any_density)
      reader.fail("mass", "say how heavy it is: mass: 2 kg, or density: 7850 kg/m^3 to fill its shape");
    whole = solids.properties(mass);
  }
  b.mass = mass.value_or(whole.mass);
  plan.center = center.value_or(whole.center);
  if (planar) plan.center[2] = 0;
  plan.shapes = solids.shapes;
  plan.touches = solids.touches;
  for (Shape& s : plan.shapes) {
    for (int k = 0; k < 3; ++k) s.position[k] -= plan.center[k];
  }
  return whole;
}

/// A frame of a body, in the body's own.
struct NamedFrameKeys {
  std::optional<Vec3<>> at;
  AxesKeys axes;
  void visit(Keys& keys) {
    keys.vector("at", at, unit::metre, "[0, 0, 0]", "where it is");
    axes.visit(keys, "its z axis", "its x axis");
  }
};

void read_frames(const Reader& reader, const Node* frames, const Scope& scope, SpaceBodyPlan& plan) {
  if (frames == nullptr) return;
  if (!frames->is_map()) reader.fail("frames", "frames is a map of names, for example {tip: {at: [0.1, 0, 0], axis: z}}");
  for (const auto& [name, node] : frames->children) {
    if (!node.is_map())
      throw InputError(node.where, reader.owner() + ": frame '" + name + "' is a map, for example {at: [0.1, 0, 0]}");
    Reader inner(node, scope, {reader.owner() + ": frame '" + name + "'", {}});
    SpaceBodyPlan::NamedFrame f;
    f.name = name;
    const NamedFrameKeys keys = read_keys<NamedFrameKeys>(inner, scope);
    f.at = keys.at.value_or(Vec3<>{});
    f.R = keys.axes.frame();
    inner.finish();
    plan.frames.push_back(std::move(f));
  }
}

KindEntry rigid_kind() {
  return {
      "rigid", "a rigid body in space", key_fields<RigidKeys>(),
      "bodies:\n  crank: {type: rigid, mass: 0.12 kg, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0, 50 mm]}\n",
      R"(Position, orientation and velocities belong to the body's own frame; its centre of mass is at `center` in it. Equations of the centre
of mass: m a = F, J w' + w x J w = M with the rates of the body's own axes, attitude by a unit quaternion.

Where mass or inertia are not given they come from `shape`: filled with `density`, or with `mass` spread evenly (densities of several
shapes then say how). A shape may have a `mass` of its own instead; the body then weighs what they weigh together. Given values win over those of the shapes; with both given, shapes are for pictures only.

Channels: position.x|y|z and velocity and acceleration of the centre of mass, orientation.w|x|y|z, angular_velocity.x|y|z and
angular_acceleration in world axes.
)"};
}

KindEntry planar_kind() {
  return {
      "planar", "a rigid body that moves in the plane x, y", key_fields<PlanarKeys>(),
      "bodies:\n  arm: {type: planar, mass: 1 kg, inertia: 0.1 kg m^2, position: [0.5, 0]}\n",
      R"(A body of three coordinates x, y and angle: joints between planar bodies hold only what moves in the plane, so that nothing is
redundant. Elements of one coordinate may act on `<body>.x`, `<body>.y` and `<body>.angle`. Shapes count with their volume: a flat box has
size [x, y] and a thickness.

Channels: position.x|y, angle, velocity.x|y, angular_velocity, acceleration.x|y, angular_acceleration.
)"};
}

KindEntry particle_kind() {
  return {"particle", "a point mass in space", key_fields<ParticleKeys>(),
          "bodies:\n  bob: {type: particle, mass: 1 kg, position: [1, 0, 0]}\n", ""};
}

SpaceBodyPlan started(const Plan& plan, SpaceBody::Kind kind, const std::string& name) {
  SpaceBodyPlan body;
  body.name = name;
  body.body.kind = kind;
  body.body.gravity = plan.gravity;
  return body;
}

/// Adds a body that has its mass, centre, attitude and angular velocity.
void finish_body(Plan& plan, Reader& reader, const PointMotion& motion, const Mat3<>& R, SpaceBodyPlan body) {
  SpaceBody& b = body.body;
  body.position_given = motion.position.has_value();
  body.velocity_given = motion.velocity.has_value();
  const Vec3<> arm = R * body.center;
  b.position = motion.position.value_or(Vec3<>{}) + arm;
  b.velocity = motion.velocity.value_or(Vec3<>{}) + cross(b.angular_velocity, arm);
  if (b.kind == SpaceBody::Kind::planar) b.position[2] = b.velocity[2] = 0;
  reader.finish();
  plan.space.bodies.push_back(std::move(body));
}

void read_rigid(Plan& plan, Reader& reader, const std::string& name) {
  const RigidKeys keys = read_keys<RigidKeys>(reader, plan.scope);
  SpaceBodyPlan body = started(plan, SpaceBody::Kind::rigid, name);
  SpaceBody& b = body.body;
  b.inertia = read_mass(reader, plan.scope, plan.elements.shapes, keys.solids, keys.mass, keys.center, body).inertia;
  if (keys.inertia != nullptr) b.inertia = inertia_of(reader, *keys.inertia, plan.scope);
  check_inertia(reader, keys.inertia != nullptr ? "inertia" : reader.has("shape") ? "shape" : "shapes", b.inertia);
  body.orientation_given = keys.orientation.has_value();
  if (keys.orientation) b.orientation = *keys.orientation;
  body.rate_given = keys.angular_velocity.has_value();
  b.angular_velocity = keys.angular_velocity.value_or(Vec3<>{});
  read_frames(reader, keys.frames, plan.scope, body);
  finish_body(plan, reader, keys.motion, matrix_of(b.orientation), std::move(body));
}

void read_planar(Plan& plan, Reader& reader, const std::string& name) {
  const PlanarKeys keys = read_keys<PlanarKeys>(reader, plan.scope);
  SpaceBodyPlan body = started(plan, SpaceBody::Kind::planar, name);
  SpaceBody& b = body.body;
  b.inertia = read_mass(reader, plan.scope, plan.elements.shapes, keys.solids, keys.mass, keys.center, body).inertia;
  if (keys.inertia) {
    b.inertia = {};
    b.inertia(2, 2) = *keys.inertia;
  }
  body.orientation_given = keys.angle.has_value();
  body.rate_given = reader.has("angular_velocity");
  b.angle = keys.angle.value_or(0);
  b.angular_velocity[2] = keys.angular_velocity;
  read_frames(reader, keys.frames, plan.scope, body);
  finish_body(plan, reader, keys.motion, matrix_of(rotation_of({0, 0, b.angle}, Chart::exponential)), std::move(body));
}

void read_particle(Plan& plan, Reader& reader, const std::string& name) {
  const ParticleKeys keys = read_keys<ParticleKeys>(reader, plan.scope);
  SpaceBodyPlan body = started(plan, SpaceBody::Kind::point, name);
  body.body.mass = keys.mass;
  finish_body(plan, reader, keys.motion, Mat3<>::identity(), std::move(body));
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

ElementEntry body_entry(KindEntry kind, void (*read)(Plan&, Reader&, const std::string&)) {
  ElementEntry entry{std::move(kind)};
  entry.in_space = true;
  entry.announce = read;
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
  ElementEntry entry = body_entry(rigid_kind(), read_rigid);
  entry.make = make_space;
  return entry;
}
ElementEntry planar_body() { return body_entry(planar_kind(), read_planar); }
ElementEntry particle_body() { return body_entry(particle_kind(), read_particle); }

}  // namespace bristle
