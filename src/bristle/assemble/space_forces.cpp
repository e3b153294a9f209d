#include "bristle/assemble/space_forces.h"

#include <cmath>

#include "bristle/assemble/asymmetry.h"
#include "bristle/assemble/ends.h"
#include "bristle/assemble/plan.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/base/text.h"
#include "bristle/math/decompositions.h"

namespace bristle {

namespace {

constexpr Unit kTurnDamping{"N m s", {2, 1, -1, 0}};
constexpr Unit kArea{"m^2", {2, 0, 0, 0}};
const char* const kAxes[] = {"x", "y", "z"};

RelationPlan plan_of(Relation::Kind kind, int i) { return {{kind, i, 0}, "", 0, 0, false, 1}; }

/// One number for all three axes, or three; none: zero.
std::array<double, 3> read_three(Reader& reader, const char* key, const Unit& unit, const Scope& scope) {
  const Node* node = reader.optional_child(key);
  if (node == nullptr) return {0, 0, 0};
  if (node->is_list()) {
    const std::vector<double> n = reader.numbers(key, 3, unit, "one number, or three along x, y, z");
    return {n[0], n[1], n[2]};
  }
  (void)scope;
  const double n = reader.number(key, unit, any, "one number, or three along x, y, z");
  return {n, n, n};
}

/// Six rows of six numbers: displacements first, then rotations.
std::array<double, 36> read_six(Reader& reader, const char* key, const Unit& force, const Unit& mixed, const Unit& turn,
                                const Scope& scope) {
  std::array<double, 36> A{};
  const Node& rows = reader.child(key, "six rows of six numbers");
  if (!rows.is_list() || rows.size() != 6) reader.fail(key, std::string(key) + " needs six rows of six numbers");
  for (std::size_t i = 0; i < 6; ++i) {
    if (!rows[i].is_list() || rows[i].size() != 6) reader.fail(key, std::string(key) + " needs six rows of six numbers");
    for (std::size_t j = 0; j < 6; ++j) {
      const Node& entry = rows[i][j];
      const Quantity q = parse_quantity(entry.text, scope, entry.where_of_text());
      require_dimension(q.dimension, i < 3 && j < 3 ? force : i >= 3 && j >= 3 ? turn : mixed, entry.where);
      A[6 * i + j] = q.value;
    }
  }
  return A;
}

Eigen::Matrix<double, 6, 6> matrix_of(const std::array<double, 36>& A) {
  return Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(A.data());
}

std::vector<Field> point_fields() {
  return {
      shaped_field("on", "", "where it acts: a body, a frame of it (arm.tip), or {body: arm, at: [x, y, z]} in the body's frame"),
      shaped_field("at", "the body's frame", "where it acts on a body at the start, in the world")};
}

const char* const kArm =
    "bodies:\n  arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.01, 0.01], frames: {tip: {at: [0.5, 0, 0]}}}\n";

}  // namespace

std::array<Signal, 3> read_signals(Reader& reader, const char* key, const Unit& unit, const Scope& scope) {
  std::array<Signal, 3> signals{Signal(0.0), Signal(0.0), Signal(0.0)};
  const Node& list = reader.child(key, "three numbers or expressions [x, y, z]");
  if (!list.is_list() || list.size() < 2 || list.size() > 3)
    reader.fail(key, std::string(key) + " takes three numbers or expressions, for example [0, 0, \"5*sin(t)\"]");
  Node holder = Node::map();
  for (std::size_t k = 0; k < list.size(); ++k) holder.set(kAxes[k], list[k]);
  Reader inner(holder, scope, {reader.owner() + ": " + key, {}});
  for (std::size_t k = 0; k < list.size(); ++k) inner.signal(kAxes[k], signals[k], unit, "component");
  inner.finish();
  return signals;
}

bool is_space_force(const std::string& type) {
  return type == "bushing" || type == "force" || type == "torque" || type == "drag" || type == "line_load";
}

std::vector<Field> force_end_fields() {
  return {
      shaped_field(
          "between", "none",
          "its two ends [A, B]: coordinates or ground, maps {coordinate: factor}, or points of bodies in space: arm.tip, "
          "{body: ground, at: [x, y, z]}"),
      shaped_field("on", "none", "instead of between: the one end that is not the ground, or the motion of a joint: pin.angle"),
      shaped_field("at", "the body's frame", "where it acts on a body A in space at the start, in the world"),
      shaped_field("at_b", "the body's frame", "the same on B")};
}

std::vector<KindEntry> space_force_kinds() {
  using enum Field::Kind;
  KindEntry bushing{
      "bushing",
      "a soft connection of two frames: stiffness and damping along and about three axes",
      {shaped_field("between", "", "two bodies [A, B], or frames of them, as for joints"),
       shaped_field("at", "none", "where it is at the start, in the world; frames of bodies need none"),
       shaped_field("axis", "z", "its z axis at the start, in the world"), shaped_field("x_axis", "any", "its x axis"),
       shaped_field("stiffness", "0 N/m", "along x, y, z: three numbers, or one for all"),
       shaped_field("rotational_stiffness", "0 N m", "about x, y, z"), shaped_field("damping", "0 N s/m", "along x, y, z"),
       shaped_field("rotational_damping", "0 N m s", "about x, y, z"),
       shaped_field("stiffness_matrix", "none", "instead: six rows of six numbers, displacements first; symmetric"),
       shaped_field("damping_matrix", "none", "instead: the same for damping; must not supply power")},
      std::string(kArm) +
          "forces:\n  mount: {type: bushing, between: [ground, arm], at: [0, 0, 0], stiffness: [1e5, 1e5, 1e6], "
          "rotational_stiffness: 100 N m, damping: 50 N s/m}\n",
      R"(T = K u + C u' with u = displacement of the frame on B from the frame on A along the axes of A (three numbers), and the rotation
vector from A to B in the axes of A (three numbers). u is zero where both frames coincide. Stored energy u' K u / 2.

The moments are those that do work on the rotation vector; they are the usual ones while the rotation is small. The rotation must stay
below half a turn.

Channels: displacement.x|y|z, rotation.x|y|z, force.x|y|z and moment.x|y|z that resist them.
)",
      {{"between", "bodies"},
       {"at", "vector"},
       {"axis", "direction"},
       {"x_axis", "direction"},
       {"stiffness", "one_or_three"},
       {"rotational_stiffness", "one_or_three"},
       {"damping", "one_or_three"},
       {"rotational_damping", "one_or_three"},
       {"stiffness_matrix", "matrix"},
       {"damping_matrix", "matrix"}}};
  Field frame =
      shaped_field("frame", "world", "axes of the components: they stay, or turn with the body (a frame: with its own axes)");
  frame.kind = choice;
  frame.words = {"world", "body"};
  KindEntry force{"force",
                  "a force at a point of a body, by expressions of time and channels",
                  joined(point_fields(), {shaped_field("force", "", "components [x, y, z] [N]"), frame}),
                  std::string(kArm) + "forces:\n  jet: {type: force, on: arm.tip, force: [0, \"5*sin(3*t)\", 0], frame: body}\n",
                  "Supplies energy: power = force times velocity of the point. Channels: force.x|y|z as they are given.\n",
                  {{"on", "point"}, {"at", "vector"}, {"force", "vector"}}};
  KindEntry torque{"torque",
                   "a torque on a body, by expressions of time and channels",
                   {shaped_field("on", "", "the body, or a frame of it when its axes matter"),
                    shaped_field("torque", "", "components [x, y, z] [N m]"), frame},
                   std::string(kArm) + "forces:\n  motor: {type: torque, on: arm, torque: [0, 0, \"0.2 - 0.1*t\"]}\n",
                   "Supplies energy: power = torque times angular velocity. A torque about a joint is a load on its motion.\n"
                   "Channels: torque.x|y|z as they are given.\n",
                   {{"on", "point"}, {"torque", "vector"}}};
  KindEntry drag{
      "drag",
      "drag of air or water at a point of a body",
      joined(point_fields(),
             {plain_field(number, "area", kArea, positive, "none", "A"),
              plain_field(number, "coefficient", unit::one, non_negative, "none", "C, with the area"),
              plain_field(number, "density", unit::kilogram_per_metre3, positive, "1.2 kg/m^3", "rho of the fluid"),
              plain_field(number, "linear", unit::newton_second_per_metre, non_negative, "0 N s/m", "c"),
              shaped_field("wind", "none", "velocity of the fluid [x, y, z] [m/s], expressions of t and channels")}),
      std::string(kArm) + "forces:\n  air: {type: drag, on: arm.tip, area: 0.01 m^2, coefficient: 1.1, wind: [3, 0, 0]}\n",
      R"(F = -(c + rho C A |u| / 2) u with u = velocity of the point less the wind. -F.u is dissipated; the wind supplies F.wind, in an
account of its own, `<name>.wind`.

Channels: speed of the point in the fluid, force.x|y|z on the body.
)",
      {{"on", "point"}, {"at", "vector"}, {"wind", "vector"}}};
  return {bushing, force, torque, drag, line_load_kind()};
}

void announce_space_force(Plan& plan, const std::string& type, Reader& reader, const std::string& name) {
  using Kind = Signal::Input::Kind;
  if (type == "bushing") {
    const auto [A, B] = read_markers(plan, reader, false);
    for (int k = 0; k < 3; ++k) {
      const int along = add_row(plan, A, B, plan_of(Relation::Kind::along, k)),
                turn = add_row(plan, A, B, plan_of(Relation::Kind::turn, k));
      plan.names.offer(name + ".displacement." + kAxes[k], Kind::row, {{along, 1.0}});
      plan.names.offer(name + ".rotation." + kAxes[k], Kind::row, {{turn, 1.0}});
      plan.names.offer_samples(name, {std::string("force.") + kAxes[k], std::string("moment.") + kAxes[k]});
    }
    return;
  }
  for (const char* axis : kAxes) plan.names.offer_samples(name, {(type == "torque" ? "torque." : "force.") + std::string(axis)});
  if (type == "drag") plan.names.offer_samples(name, {"speed"});
}

namespace {

void add_bushing(Plan& plan, Reader& reader, const std::string& name) {
  const auto [A, B] = read_markers(plan, reader, false);
  BushingBlock::Item item;
  for (int k = 0; k < 3; ++k) {
    item.row[static_cast<std::size_t>(k)] = add_row(plan, A, B, plan_of(Relation::Kind::along, k));
    item.row[static_cast<std::size_t>(3 + k)] = add_row(plan, A, B, plan_of(Relation::Kind::turn, k));
  }
  const auto read = [&](const std::string& what, const Unit& force, const Unit& mixed, const Unit& turn) {
    const std::string matrix = what + "_matrix", rotational = "rotational_" + what;
    std::array<double, 36> M{};
    if (reader.has(matrix)) {
      for (const std::string& key : {what, rotational}) {
        if (reader.has(key)) reader.fail(key, "give " + matrix + " or " + key + ", not both");
      }
      M = read_six(reader, matrix.c_str(), force, mixed, turn, plan.scope);
    } else {
      const auto along = read_three(reader, what.c_str(), force, plan.scope),
                 about = read_three(reader, rotational.c_str(), turn, plan.scope);
      for (std::size_t k = 0; k < 3; ++k) {
        M[7 * k] = along[k];
        M[7 * (3 + k)] = about[k];
      }
    }
    const Eigen::Matrix<double, 6, 6> m = matrix_of(M);
    const std::string key = reader.has(matrix) ? matrix : reader.has(what) ? what : rotational;
    if (const std::string off = asymmetry_text(m, 1e-9); !off.empty()) reader.fail(key, "the matrix must be symmetric: " + off);
    if (what == "damping") {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen{Eigen::MatrixXd(m)};
      if (eigen.eigenvalues()[0] < -1e-9 * (1 + m.norm())) reader.fail(key, "negative damping would supply power");
    }
    if (std::any_of(M.begin(), M.end(), [](double x) { return x != 0; })) {
      for (const Marker& marker : {A, B}) {
        const BodyInfo& b = plan.layout.bodies[static_cast<std::size_t>(marker.body)];
        if (b.moves() && !b.can_turn() && m.bottomRows(3).norm() > 0)
          reader.fail(key, "'" + b.name + "' is a particle: nothing can resist its rotation");
      }
    }
    return M;
  };
  item.K = read("stiffness", unit::newton_per_metre, unit::newton, unit::newton_metre);
  item.C = read("damping", unit::newton_second_per_metre, unit::newton_second, kTurnDamping);
  reader.finish({"type"});
  const auto zero = [](const std::array<double, 36>& M) {
    return std::all_of(M.begin(), M.end(), [](double x) { return x == 0; });
  };
  if (zero(item.K) && zero(item.C)) reader.fail("stiffness", "a bushing needs stiffness or damping");
  if (!zero(item.C)) item.account = plan.numbers.account(name, Account::Kind::dissipated);
  plan.forces.bushings.push_back(item);
  plan.forces.bushing_names.push_back(name);
}

}  // namespace

void add_space_force(Plan& plan, const std::string& type, Reader& reader, const std::string& name) {
  if (type == "bushing" || type == "line_load") {
    type == "bushing" ? add_bushing(plan, reader, name) : add_line_load(plan, reader, name);
    return;
  }
  // three measures of a point
  const Node& on = reader.child("on", "a body, or a frame of it");
  if (plan.layout.bodies.empty() || !in_space(plan, on)) read_end(plan, on, reader.owner());  // says what is wrong
  const Marker point = type == "torque" ? read_point(plan, reader, on, "") : read_point(plan, reader, on, "at");
  const BodyInfo& body = plan.layout.bodies[static_cast<std::size_t>(point.body)];
  if (point.body == 0) reader.fail("on", "the ground does not move; name a body");
  if (type == "torque" && !body.can_turn()) reader.fail("on", "'" + body.name + "' is a particle and cannot turn");
  int frame = 0;
  if (type != "drag") reader.choice("frame", frame, {"world", "body"}, "axes of the components");
  using Relate = Relation::Kind;
  const Relate kind = type == "torque" ? (frame == 0 ? Relate::spin : Relate::spin_b)
                      : frame == 0     ? Relate::along
                                       : Relate::push_b;
  std::array<int, 3> rows{};
  for (int k = 0; k < 3; ++k) rows[static_cast<std::size_t>(k)] = add_row(plan, Marker{}, point, plan_of(kind, k));
  const auto stays_flat = [&](const char* key, const std::array<Signal, 3>& signals) {
    if (!body.flat()) return;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool moves = (k == 2) == (type == "torque");
      if (!moves && !(signals[k].is_constant() && signals[k].constant() == 0))
        reader.fail(key, "'" + body.name + "' moves in the plane x, y: its component " + kAxes[k] + " must be 0");
    }
  };
  if (type != "drag") {
    const char* key = type == "torque" ? "torque" : "force";
    const std::array<Signal, 3> signals =
        read_signals(reader, key, type == "torque" ? unit::newton_metre : unit::newton, plan.scope);
    reader.finish({"type"});
    stays_flat(key, signals);
    VectorLoads::Item item;
    item.row = rows;
    for (std::size_t k = 0; k < 3; ++k) item.force[k] = plan.names.bind(signals[k], reader.owner());
    item.account = plan.numbers.account(name, Account::Kind::supplied);
    plan.forces.vectors.push_back(std::move(item));
    plan.forces.vector_names.push_back({name, type == "torque"});
    return;
  }
  DragBlock::Item item;
  item.row = rows;
  const bool quadratic = reader.has("area") || reader.has("coefficient");
  item.linear = reader.optional_number("linear", unit::newton_second_per_metre, non_negative).value_or(0);
  const double density = reader.optional_number("density", unit::kilogram_per_metre3, positive).value_or(1.2);
  if (quadratic) {
    item.quadratic = 0.5 * density * reader.number("area", kArea, positive, "area") *
                     reader.number("coefficient", unit::one, non_negative, "drag coefficient");
  } else if (!reader.has("linear")) {
    reader.fail("area", "drag needs area and coefficient, or linear");
  }
  std::array<Signal, 3> wind{Signal(0.0), Signal(0.0), Signal(0.0)};
  const bool windy = reader.has("wind");
  if (windy) wind = read_signals(reader, "wind", unit::metre_per_second, plan.scope);
  reader.finish({"type"});
  stays_flat("wind", wind);
  for (std::size_t k = 0; k < 3; ++k) item.wind[k] = plan.names.bind(wind[k], reader.owner());
  item.account = plan.numbers.account(name, Account::Kind::dissipated);
  if (windy) item.wind_account = plan.numbers.account(name + ".wind", Account::Kind::supplied);
  plan.forces.drags.push_back(std::move(item));
  plan.forces.drag_names.push_back(name);
}

void make_space_forces(Plan& plan) {
  SpaceForces& all = plan.forces;
  const auto vector = [&](const std::string& name, const char* unit, const char* text) {
    for (const char* axis : kAxes) plan.channel(name + "." + axis, unit, text);
  };
  if (!all.loads.empty()) {
    for (const auto& [name, rotary] : all.load_names)
      plan.channel(name + ".force", rotary ? "N m" : "N", "force along the reading");
    plan.blocks.push_back(std::make_unique<LoadBlock<RowMeasure>>(std::move(all.loads)));
  }
  if (!all.bushings.empty()) {
    for (const std::string& name : all.bushing_names) {
      vector(name + ".displacement", "m", "of B from A, along the axes of A");
      vector(name + ".rotation", "rad", "rotation vector from A to B, in the axes of A");
      vector(name + ".force", "N", "force that resists the displacement");
      vector(name + ".moment", "N m", "moment that resists the rotation vector");
    }
    plan.blocks.push_back(std::make_unique<BushingBlock>(std::move(all.bushings)));
  }
  if (!all.vectors.empty()) {
    for (const auto& [name, torque] : all.vector_names)
      vector(name + (torque ? ".torque" : ".force"), torque ? "N m" : "N", "component as it is given");
    plan.blocks.push_back(std::make_unique<VectorLoads>(std::move(all.vectors)));
  }
  if (!all.lines.empty()) {
    for (const std::string& name : all.line_names) vector(name + ".force", "N/m", "component as it is given");
    plan.blocks.push_back(std::make_unique<LineLoads>(std::move(all.lines)));
  }
  if (!all.drags.empty()) {
    for (const std::string& name : all.drag_names) {
      plan.channel(name + ".speed", "m/s", "speed of the point in the fluid");
      vector(name + ".force", "N", "on the body, world axes");
    }
    plan.blocks.push_back(std::make_unique<DragBlock>(std::move(all.drags)));
  }
}

}  // namespace bristle
