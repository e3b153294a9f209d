
#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/kinds.h"
#include "bristle/assemble/sections.h"
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

void read_sections(Plan& plan) {
  plan.each("sections", "section", [&](const std::string& name, const Where&, Reader& reader) {
    plan.sections[name] = read_section(reader, plan.scope);
  });
}

void read_bodies(Plan& plan) {
  struct Drive {
    std::string name;
    bool rotary;
    Signal position;
    std::optional<double> speed;
    double start;
    Where where;
  };
  Vec3<> gravity;
  if (const Node* node = plan.section("gravity")) {
    Node holder = Node::map();
    holder.set("gravity", *node);
    Reader reader(holder, plan.scope, {"gravity", {}});
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

  plan.each("bodies", "body", [&](const std::string& name, const Where& where, Reader& reader) {
    plan.names.claim(name, where, "body");
    const std::string& type = read_kind(reader, "body").name;
    SpaceBodyPlan body_plan;
    if (read_space_body(type, reader, plan.scope, gravity, body_plan)) {
      body_plan.name = name;
      body_plan.where = where;
      plan.space.bodies.push_back(std::move(body_plan));
    } else if (type == "beam" || type == "bar") {
      plan.beams.push_back(type == "beam" ? read_beam(reader, plan.scope, gravity, plan.sections, name, plan.space.bodies)
                                          : read_bar(reader, gravity, name, plan.space.bodies));
      plan.beams.back().where = where;
      if (type == "beam") plan.space.rigid_starts.push_back({plan.beams.back().first, plan.beams.back().nodes()});
      for (int k = 0; k < plan.beams.back().nodes(); ++k)
        plan.space.bodies[static_cast<std::size_t>(plan.beams.back().first + k)].where = where;
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
      b.M = read_matrix(reader, "mass", n, unit::kilogram, plan.scope, true);
      b.C = read_matrix(reader, "damping", n, unit::newton_second_per_metre, plan.scope, false);
      b.K = read_matrix(reader, "stiffness", n, unit::newton_per_metre, plan.scope, true);
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
    plan.coordinates.push_back({s.name, false, s.rotary, next});
    plan.parts.masses.push_back({next, s.mass, s.q, s.v});
    ++next;
  }
  for (MatrixBody& b : structures) {
    b.first = next;
    for (const std::string& c : b.coordinates) {
      const std::string full = b.name + "." + c;
      for (const Coordinate& other : plan.coordinates) {
        if (other.name == full)
          throw InputError(plan.section("bodies")->find(b.name)->where,
                           "body '" + b.name + "': coordinate '" + c + "' is named twice");
      }
      plan.coordinates.push_back({full, false, false, next++});
    }
  }
  for (SpaceBodyPlan& b : plan.space.bodies) {
    if (b.body.kind == SpaceBody::Kind::rigid) continue;
    b.body.q = b.body.v = next;
    const bool planar = b.body.kind == SpaceBody::Kind::planar;
    for (const char* part : {"x", "y", planar ? "angle" : "z"}) {
      plan.coordinates.push_back({b.name + "." + part, false, planar && part[0] == 'a', next++, true});
    }
  }
  plan.layout.scalars = next;
  plan.layout.driven = static_cast<int>(drives.size());
  for (const Drive& d : drives) {
    plan.coordinates.push_back({d.name, true, d.rotary, next});
    plan.numbers.account(d.name, Account::Kind::supplied);
    DrivenCoordinates::Item item;
    item.index = next++;
    if (d.speed) {
      item.rate = true;
      item.velocity = BoundSignal(*d.speed);
      item.start = d.start;
    } else {
      item.position = plan.names.bind(d.position, "body '" + d.name + "'", true);
    }
    plan.parts.drives.push_back(std::move(item));
  }
  plan.layout.ground = next;
  plan.layout.sizes.q = plan.layout.sizes.v = next + 1;
  for (SpaceBodyPlan& b : plan.space.bodies) {
    if (b.body.kind != SpaceBody::Kind::rigid) continue;
    const FrameCoordinates& f = plan.layout.add_frame();
    b.body.q = f.q, b.body.v = f.v;
  }
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
  if (!plan.space.bodies.empty()) {
    plan.layout.bodies.push_back(BodyInfo::ground());
    std::vector<SpaceBody> bodies;
    for (SpaceBodyPlan& b : plan.space.bodies) {
      b.body.body = static_cast<int>(plan.layout.bodies.size());
      plan.layout.bodies.push_back(space_frame(b.name, b.body.kind, b.body.q, b.body.v));
      plan.layout.bodies.back().shapes = b.shapes;
      bodies.push_back(b.body);
      if (b.body.shown) {
        for (Channel& c : SpaceBodies::channels(b.name, b.body.kind)) plan.layout.channels.push_back(std::move(c));
      }
      if (b.body.kind == SpaceBody::Kind::rigid) continue;
      const bool planar = b.body.kind == SpaceBody::Kind::planar;
      using Kind = Signal::Input::Kind;
      for (int k = 0; k < (planar ? 2 : 3); ++k) {
        const std::string axis = std::string(".") + "xyz"[k];
        plan.names.offer(b.name + ".position" + axis, Kind::position, {{b.body.q + k, 1.0}});
        plan.names.offer(b.name + ".velocity" + axis, Kind::velocity, {{b.body.v + k, 1.0}});
      }
      if (!planar) continue;
      plan.names.offer(b.name + ".angle", Kind::position, {{b.body.q + 2, 1.0}});
      plan.names.offer(b.name + ".angular_velocity", Kind::velocity, {{b.body.v + 2, 1.0}});
    }
    plan.blocks.push_back(std::make_unique<SpaceBodies>(std::move(bodies)));
  }
  std::vector<Beams::Beam> beams;
  std::vector<Bars::Bar> bars;
  for (const BeamPlan& body_plan : plan.beams) {
    if (body_plan.bar) {
      Bars::Bar bar{body_plan.name, body_plan.members, -1};
      for (BarElement& el : bar.elements) {
        for (int I = 0; I < 2; ++I) {
          const SpaceBody& node = plan.space.bodies[static_cast<std::size_t>(body_plan.first + el.body[I])].body;
          el.body[I] = node.body;
          el.v[I] = node.v;
        }
      }
      if (body_plan.members[0].damping > 0) bar.account = plan.numbers.account(body_plan.name, Account::Kind::dissipated);
      bars.push_back(std::move(bar));
      continue;
    }
    Beams::Beam beam{body_plan.name, body_plan.elements, {}, -1};
    for (BeamElement& el : beam.elements) {
      for (BeamElement::End& end : el.end) {
        const SpaceBody& node = plan.space.bodies[static_cast<std::size_t>(body_plan.first + end.body)].body;
        end.body = node.body;
        end.v = node.v;
      }
    }
    for (int k = 0; k < body_plan.nodes(); ++k) {
      const SpaceBodyPlan& node = plan.space.bodies[static_cast<std::size_t>(body_plan.first + k)];
      beam.nodes.push_back({node.body.body, node.body.v, Vec3<>{} - node.center, Mat3<>::identity()});
    }
    if (body_plan.elements[0].damping > 0) beam.account = plan.numbers.account(body_plan.name, Account::Kind::dissipated);
    for (Channel& c : Beams::channels(beam)) plan.layout.channels.push_back(std::move(c));
    beams.push_back(std::move(beam));
  }
  if (!beams.empty()) plan.blocks.push_back(std::make_unique<Beams>(std::move(beams)));
  if (!bars.empty()) {
    for (const Bars::Bar& bar : bars) {
      for (Channel& c : Bars::channels(bar)) plan.layout.channels.push_back(std::move(c));
    }
    plan.blocks.push_back(std::make_unique<Bars>(std::move(bars)));
  }
  if (!plan.parts.masses.empty()) plan.blocks.push_back(std::make_unique<ScalarMasses>(std::move(plan.parts.masses)));
  for (MatrixBody& b : structures) {
    plan.blocks.push_back(std::make_unique<MatrixStructure>(b.first, plan.numbers.account(b.name, Account::Kind::dissipated), b.M,
                                                            b.C, b.K, b.q, b.v));
  }
  if (!plan.parts.drives.empty()) plan.blocks.push_back(std::make_unique<DrivenCoordinates>(std::move(plan.parts.drives)));
}

}  // namespace bristle
