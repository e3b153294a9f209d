
#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/builder.h"
#include "bristle/assemble/kinds.h"
#include "bristle/base/text.h"
#include "bristle/body/matrices.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

struct MassFields {
  double mass = kRequired, position = 0, velocity = 0;
  void visit(Visitor& v) {
    v("mass", mass, unit::kilogram, positive, "mass");
    v("position", position, unit::metre, any, "position at the start");
    v("velocity", velocity, unit::metre_per_second, any, "velocity at the start");
  }
};

struct InertiaFields {
  double inertia = kRequired, angle = 0, speed = 0;
  void visit(Visitor& v) {
    v("inertia", inertia, unit::kilogram_metre2, positive, "moment of inertia");
    v("angle", angle, unit::one, any, "angle at the start");
    v("speed", speed, unit::per_second, any, "angular speed at the start");
  }
};

struct MatrixBody {
  std::string name;
  std::vector<std::string> coordinates;
  Eigen::MatrixXd M, C, K;
  Eigen::VectorXd q, v;
  int first = 0;
};

/// A square matrix: a list of rows, or a list of numbers for a diagonal one.
Eigen::MatrixXd read_matrix(Reader& reader, const char* key, int n, const Unit& unit, const Scope& scope, bool required) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  const Node* node = required ? &reader.child(key, "matrix: a list of rows, or the diagonal") : reader.optional_child(key);
  if (node == nullptr) return m;
  const auto wrong = [&] {
    reader.fail(key, std::string(key) + " needs " + std::to_string(n) + " rows of " + std::to_string(n) +
                         " numbers, or a diagonal of " + std::to_string(n));
  };
  const auto entry_of = [&](const Node& entry) {
    const Quantity q = parse_quantity(entry.text, scope, entry.where_of_text());
    require_dimension(q.dimension, unit, entry.where);
    return q.value;
  };
  if (!node->is_list() || static_cast<int>(node->size()) != n) wrong();
  for (int i = 0; i < n; ++i) {
    const Node& row = (*node)[static_cast<std::size_t>(i)];
    if (row.is_scalar()) {
      m(i, i) = entry_of(row);
      continue;
    }
    if (!row.is_list() || static_cast<int>(row.size()) != n) wrong();
    for (int j = 0; j < n; ++j) {
      const Node& entry = row[static_cast<std::size_t>(j)];
      if (!entry.is_scalar()) wrong();
      m(i, j) = entry_of(entry);
    }
  }
  if (const std::string off = asymmetry_text(m, 1e-12); !off.empty())
    reader.fail(key, std::string(key) + " must be symmetric: " + off);
  return 0.5 * (m + m.transpose());
}

Eigen::VectorXd read_vector(Reader& reader, const char* key, int n, const Unit& unit) {
  const auto values = reader.optional_numbers(key, static_cast<std::size_t>(n), unit);
  if (!values) return Eigen::VectorXd::Zero(n);
  return Eigen::Map<const Eigen::VectorXd>(values->data(), n);
}

}  // namespace

std::vector<KindEntry> body_kinds() {
  using enum Field::Kind;
  KindEntry mass{"mass",
                 "a mass that moves along one coordinate",
                 fields_of<MassFields>(),
                 "bodies:\n  block: {type: mass, mass: 2 kg, velocity: 0.1 m/s}\n",
                 "",
                 {}};
  KindEntry inertia{"inertia",
                    "a body that turns about one axis",
                    fields_of<InertiaFields>(),
                    "bodies:\n  rotor: {type: inertia, inertia: 0.02 kg m^2, speed: 300 rpm}\n",
                    "",
                    {}};
  KindEntry driven{
      "driven",
      "a body whose motion is given: belt, shaker, base, motor",
      {plain_field(signal, "position", unit::metre, any, "0 m", "expression of t; with velocity: position at t = 0"),
       plain_field(number, "velocity", unit::metre_per_second, any, "none", "constant velocity, instead of an expression"),
       plain_field(signal, "angle", unit::one, any, "none", "the same for a body that turns"),
       plain_field(number, "speed", unit::per_second, any, "none", "constant angular speed")},
      "bodies:\n  belt: {type: driven, velocity: 0.1 m/s}\n  shaker: {type: driven, position: \"2 mm*sin(2*pi*5 [Hz]*t)\"}\n",
      "",
      {}};
  KindEntry matrices{
      "matrices",
      "a structure by its mass, damping and stiffness matrices",
      {shaped_field("coordinates", "", "names of the coordinates; elsewhere they are called <body>.<coordinate>"),
       shaped_field("mass", "", "mass matrix [kg]: rows, or the diagonal"),
       shaped_field("stiffness", "", "stiffness matrix [N/m]"), shaped_field("damping", "0", "damping matrix [N s/m]"),
       shaped_field("position", "0", "positions at the start [m]"),
       shaped_field("velocity", "0", "velocities at the start [m/s]")},
      "bodies:\n  frame:\n    type: matrices\n    coordinates: [top, foot]\n    mass: [2, 1]\n    stiffness: [[300, -100], [-100, 100]]\n",
      "",
      {{"coordinates", "names"},
       {"mass", "matrix"},
       {"stiffness", "matrix"},
       {"damping", "matrix"},
       {"position", "vector"},
       {"velocity", "vector"}}};
  std::vector<KindEntry> kinds{mass, inertia, driven, matrices};
  for (KindEntry& e : space_body_kinds()) kinds.push_back(std::move(e));
  kinds.push_back(beam_kind());
  kinds.push_back(bar_kind());
  return kinds;
}

void Builder::read_sections() {
  each("sections", "section",
       [&](const std::string& name, const Where&, Reader& reader) { sections_[name] = read_section(reader, scope_); });
}

void Builder::read_bodies() {
  struct Drive {
    std::string name;
    bool rotary;
    Signal position;
    std::optional<double> speed;
    double start;
    Where where;
  };
  Vec3<> gravity;
  if (const Node* node = section("gravity")) {
    Node holder = Node::map();
    holder.set("gravity", *node);
    Reader reader(holder, scope_, {"gravity", {}});
    gravity = read_vector3(reader, "gravity", unit::metre_per_second2).value_or(Vec3<>{});
  }
  std::vector<Drive> drives;
  std::vector<MatrixBody> structures;
  struct Scalar {
    std::string name;
    bool rotary;
    double mass, q, v;
  };
  std::vector<Scalar> scalars;

  each("bodies", "body", [&](const std::string& name, const Where& where, Reader& reader) {
    names_.claim(name, where, "body");
    const std::string& type = read_kind(reader, "body").name;
    SpaceBodyPlan plan;
    if (read_space_body(type, reader, scope_, gravity, plan)) {
      plan.name = name;
      plan.where = where;
      space_.bodies.push_back(std::move(plan));
    } else if (type == "beam" || type == "bar") {
      beams_.push_back(type == "beam" ? read_beam(reader, scope_, gravity, sections_, name, space_.bodies)
                                      : read_bar(reader, gravity, name, space_.bodies));
      beams_.back().where = where;
      if (type == "beam") space_.rigid_starts.push_back({beams_.back().first, beams_.back().nodes()});
      for (int k = 0; k < beams_.back().nodes(); ++k)
        space_.bodies[static_cast<std::size_t>(beams_.back().first + k)].where = where;
    } else if (type == "mass") {
      MassFields m;
      m.visit(reader);
      reader.finish();
      scalars.push_back({name, false, m.mass, m.position, m.velocity});
    } else if (type == "inertia") {
      InertiaFields m;
      m.visit(reader);
      reader.finish();
      scalars.push_back({name, true, m.inertia, m.angle, m.speed});
    } else if (type == "driven") {
      const bool rotary = reader.has("angle") || reader.has("speed");
      const char* q_key = rotary ? "angle" : "position";
      const char* v_key = rotary ? "speed" : "velocity";
      const Unit q_unit = rotary ? unit::one : unit::metre, v_unit = rotary ? unit::per_second : unit::metre_per_second;
      Drive d{name, rotary, Signal(0.0), {}, 0, where};
      if (reader.has(v_key)) {
        d.speed = reader.number(v_key, v_unit, any, "constant speed");
        d.start = reader.optional_number(q_key, q_unit).value_or(0);
      } else if (reader.has(q_key)) {
        reader.signal(q_key, d.position, q_unit, "motion as a function of t");
        if (!d.position.depends_on_time_only()) {
          reader.fail(q_key, "the motion of a driven body is a function of t alone");
        }
      } else {
        reader.fail("position", "a driven body needs position (an expression of t) or velocity (a constant)");
      }
      reader.finish();
      drives.push_back(std::move(d));
    } else {
      MatrixBody b;
      b.name = name;
      b.coordinates = reader.names("coordinates", "names of the coordinates");
      const int n = static_cast<int>(b.coordinates.size());
      if (n == 0) reader.fail("coordinates", "the list of coordinates is empty; name at least one");
      b.M = read_matrix(reader, "mass", n, unit::kilogram, scope_, true);
      b.C = read_matrix(reader, "damping", n, unit::newton_second_per_metre, scope_, false);
      b.K = read_matrix(reader, "stiffness", n, unit::newton_per_metre, scope_, true);
      b.q = read_vector(reader, "position", n, unit::metre);
      b.v = read_vector(reader, "velocity", n, unit::metre_per_second);
      reader.finish();
      if (b.M.llt().info() != Eigen::Success) {
        reader.fail("mass", "the mass matrix is not positive definite: some motion has no inertia. Give every coordinate a mass");
      }
      structures.push_back(std::move(b));
    }
  });

  // number them: free, driven, ground
  int next = 0;
  for (const Scalar& s : scalars) {
    coordinates_.push_back({s.name, false, s.rotary, next});
    parts_.masses.push_back({next, s.mass, s.q, s.v});
    ++next;
  }
  for (MatrixBody& b : structures) {
    b.first = next;
    for (const std::string& c : b.coordinates) {
      const std::string full = b.name + "." + c;
      for (const Coordinate& other : coordinates_) {
        if (other.name == full)
          throw InputError(section("bodies")->find(b.name)->where,
                           "body '" + b.name + "': coordinate '" + c + "' is named twice");
      }
      coordinates_.push_back({full, false, false, next++});
    }
  }
  for (SpaceBodyPlan& b : space_.bodies) {
    if (b.body.kind == SpaceBody::Kind::rigid) continue;
    b.body.q = b.body.v = next;
    const bool planar = b.body.kind == SpaceBody::Kind::planar;
    for (const char* part : {"x", "y", planar ? "angle" : "z"}) {
      coordinates_.push_back({b.name + "." + part, false, planar && part[0] == 'a', next++, true});
    }
  }
  layout_.scalars = next;
  layout_.driven = static_cast<int>(drives.size());
  for (const Drive& d : drives) {
    coordinates_.push_back({d.name, true, d.rotary, next});
    numbers_.account(d.name, Account::Kind::supplied);
    DrivenCoordinates::Item item;
    item.index = next++;
    if (d.speed) {
      item.rate = true;
      item.velocity = BoundSignal(*d.speed);
      item.start = d.start;
    } else {
      item.position = names_.bind(d.position, "body '" + d.name + "'", true);
    }
    parts_.drives.push_back(std::move(item));
  }
  layout_.ground = next;
  layout_.sizes.q = layout_.sizes.v = next + 1;
  for (SpaceBodyPlan& b : space_.bodies) {
    if (b.body.kind != SpaceBody::Kind::rigid) continue;
    const FrameCoordinates& f = layout_.add_frame();
    b.body.q = f.q, b.body.v = f.v;
  }
  std::vector<int> indices;
  for (const Coordinate& c : coordinates_) {
    layout_.coordinates.push_back(c.name);
    if (c.space) continue;
    indices.push_back(c.index);
    const char *q = c.rotary ? "angle" : "position", *v = c.rotary ? "speed" : "velocity";
    names_.offer(c.name + "." + q, Signal::Input::Kind::position, {{c.index, 1.0}});
    names_.offer(c.name + "." + v, Signal::Input::Kind::velocity, {{c.index, 1.0}});
    channel(c.name + "." + q, c.rotary ? "rad" : "m", q);
    channel(c.name + "." + v, c.rotary ? "rad/s" : "m/s", v);
    channel(c.name + ".acceleration", c.rotary ? "rad/s^2" : "m/s^2", "acceleration");
  }
  layout_.coordinates.push_back("ground");
  blocks_.push_back(std::make_unique<CoordinateOutputs>(std::move(indices)));
  if (!space_.bodies.empty()) {
    layout_.bodies.push_back(BodyInfo::ground());
    std::vector<SpaceBody> bodies;
    for (SpaceBodyPlan& b : space_.bodies) {
      b.body.body = static_cast<int>(layout_.bodies.size());
      layout_.bodies.push_back(space_frame(b.name, b.body.kind, b.body.q, b.body.v));
      layout_.bodies.back().shapes = b.shapes;
      bodies.push_back(b.body);
      if (b.body.shown) {
        for (Channel& c : SpaceBodies::channels(b.name, b.body.kind)) layout_.channels.push_back(std::move(c));
      }
      if (b.body.kind == SpaceBody::Kind::rigid) continue;
      const bool planar = b.body.kind == SpaceBody::Kind::planar;
      using Kind = Signal::Input::Kind;
      for (int k = 0; k < (planar ? 2 : 3); ++k) {
        const std::string axis = std::string(".") + "xyz"[k];
        names_.offer(b.name + ".position" + axis, Kind::position, {{b.body.q + k, 1.0}});
        names_.offer(b.name + ".velocity" + axis, Kind::velocity, {{b.body.v + k, 1.0}});
      }
      if (!planar) continue;
      names_.offer(b.name + ".angle", Kind::position, {{b.body.q + 2, 1.0}});
      names_.offer(b.name + ".angular_velocity", Kind::velocity, {{b.body.v + 2, 1.0}});
    }
    blocks_.push_back(std::make_unique<SpaceBodies>(std::move(bodies)));
  }
  std::vector<Beams::Beam> beams;
  std::vector<Bars::Bar> bars;
  for (const BeamPlan& plan : beams_) {
    if (plan.bar) {
      Bars::Bar bar{plan.name, plan.members, -1};
      for (BarElement& el : bar.elements) {
        for (int I = 0; I < 2; ++I) {
          const SpaceBody& node = space_.bodies[static_cast<std::size_t>(plan.first + el.body[I])].body;
          el.body[I] = node.body;
          el.v[I] = node.v;
        }
      }
      if (plan.members[0].damping > 0) bar.account = numbers_.account(plan.name, Account::Kind::dissipated);
      bars.push_back(std::move(bar));
      continue;
    }
    Beams::Beam beam{plan.name, plan.elements, {}, -1};
    for (BeamElement& el : beam.elements) {
      for (BeamElement::End& end : el.end) {
        const SpaceBody& node = space_.bodies[static_cast<std::size_t>(plan.first + end.body)].body;
        end.body = node.body;
        end.v = node.v;
      }
    }
    for (int k = 0; k < plan.nodes(); ++k) {
      const SpaceBodyPlan& node = space_.bodies[static_cast<std::size_t>(plan.first + k)];
      beam.nodes.push_back({node.body.body, node.body.v, Vec3<>{} - node.center, Mat3<>::identity()});
    }
    if (plan.elements[0].damping > 0) beam.account = numbers_.account(plan.name, Account::Kind::dissipated);
    for (Channel& c : Beams::channels(beam)) layout_.channels.push_back(std::move(c));
    beams.push_back(std::move(beam));
  }
  if (!beams.empty()) blocks_.push_back(std::make_unique<Beams>(std::move(beams)));
  if (!bars.empty()) {
    for (const Bars::Bar& bar : bars) {
      for (Channel& c : Bars::channels(bar)) layout_.channels.push_back(std::move(c));
    }
    blocks_.push_back(std::make_unique<Bars>(std::move(bars)));
  }
  if (!parts_.masses.empty()) blocks_.push_back(std::make_unique<ScalarMasses>(std::move(parts_.masses)));
  for (MatrixBody& b : structures) {
    blocks_.push_back(
        std::make_unique<MatrixStructure>(b.first, numbers_.account(b.name, Account::Kind::dissipated), b.M, b.C, b.K, b.q, b.v));
  }
  if (!parts_.drives.empty()) blocks_.push_back(std::make_unique<DrivenCoordinates>(std::move(parts_.drives)));
}

}  // namespace bristle
