#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bristle/assemble/builder.h"
#include "bristle/assemble/rotary.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

constexpr Unit kRate{"rad/s", {0, 0, -1, 0}};

/// The axes of a frame renamed in turn: with 1 the old y becomes x, with 2 the old z.
Mat3<> renamed(const Mat3<>& R, int turn) {
  Mat3<> out;
  for (int k = 0; k < 3; ++k) out.set_column(k, R.column((k + turn) % 3));
  return out;
}

void orient(const RelationPlan& plan, Marker& A, Marker& B) {
  if (plan.swap) std::swap(A, B);
  A.R = renamed(A.R, plan.turn_a);
  B.R = renamed(B.R, plan.turn_b);
}

std::string rate_name(const std::string& motion) {
  if (motion == "angle") return "speed";
  if (motion == "second_angle") return "second_speed";
  if (motion == "displacement") return "velocity";
  return "velocity_" + motion;
}

/// c0 x0 + c1 x1 + ... - offset
Signal linear_signal(const std::vector<double>& coefficients, double offset) {
  using Code = Signal::Op::Code;
  std::vector<Signal::Op> tape;
  std::vector<Signal::Input> inputs;
  int sum = -1;
  const auto push = [&](Code code, int a, int b, double number) {
    Signal::Op op;
    op.code = code;
    op.a = a, op.b = b;
    op.number = number;
    tape.push_back(op);
    return static_cast<int>(tape.size()) - 1;
  };
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    Signal::Input input;
    input.kind = Signal::Input::Kind::row;
    inputs.push_back(input);
    const int x = push(Code::input, static_cast<int>(k), -1, 0), c = push(Code::constant, -1, -1, coefficients[k]);
    const int term = push(Code::multiply, x, c, 0);
    sum = sum < 0 ? term : push(Code::add, sum, term, 0);
  }
  const int c = push(Code::constant, -1, -1, offset);
  push(Code::subtract, sum, c, 0);
  return Signal(std::move(tape), std::move(inputs), "");
}

BoundSignal linear_rows(const std::vector<int>& rows, const std::vector<double>& coefficients, double offset = 0) {
  std::vector<BoundSignal::Reading> readings;
  for (int row : rows) readings.push_back({Signal::Input::Kind::row, {{row, 1.0}}});
  return BoundSignal(linear_signal(coefficients, offset), std::move(readings));
}

const char* const kArm = "bodies:\n  arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}\n";
const char* const kPair =
    "bodies:\n  wheel: {type: rigid, mass: 1 kg, inertia: [0.01, 0.01, 0.02]}\n"
    "  slider: {type: rigid, mass: 2 kg, inertia: [0.01, 0.01, 0.02], position: [0.2, 0, 0]}\n"
    "joints:\n  input: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z}\n";

bool is_coupling(const std::string& type) { return type == "gear" || type == "rack" || type == "constraint"; }

}  // namespace

std::vector<KindEntry> space_joint_kinds() {
  using enum Field::Kind;
  const std::map<std::string, std::string> shapes = {{"between", "bodies"},
                                                     {"at", "vector"},
                                                     {"axis", "direction"},
                                                     {"x_axis", "direction"},
                                                     {"second_axis", "direction"},
                                                     {"friction", "friction"},
                                                     {"smoothing", "smoothing"},
                                                     {"drive", "drive"},
                                                     {"stops", "stops"}};
  std::vector<KindEntry> kinds;
  for (const JointEntry& entry : joint_list()) {
    KindEntry kind;
    kind.name = entry.name;
    kind.summary = entry.summary;
    kind.page = entry.page;
    kind.fields = {shaped_field("between", "", "two bodies [A, B], or frames of them: [ground, arm], [crank.pin, rod.eye]"),
                   shaped_field("at", "none", "where the joint is at the start, in the world; frames of bodies need none"),
                   shaped_field("axis", "z", "its axis at the start, in the world: x, y, z, -x, or three numbers"),
                   shaped_field("x_axis", "any", "direction of its x axis")};
    if (entry.two_axes) kind.fields.push_back(shaped_field("second_axis", "", "the axis on B, square to the one on A"));
    if (entry.name == "distance")
      kind.fields.push_back(plain_field(number, "length", unit::metre, positive, "as at the start", "the distance that is kept"));
    if (entry.name == "distance")
      kind.fields.push_back(shaped_field("at_b", "at", "where the joint is on B at the start, in the world"));
    if (entry.name == "screw") kind.fields.push_back(plain_field(number, "lead", unit::metre, any, "", "advance per turn"));
    const bool moves = !entry.plan(BearingSizes{1, 0, 0, 0, 1, 0, false}).motions.empty();
    if (moves) {
      kind.fields.push_back(
          shaped_field("drive", "none", "moves the joint: {angle: \"2*pi*t\"}, {speed: 3 rad/s}, {displacement: ...}"));
      kind.fields.push_back(
          shaped_field("stops", "none", "ends of the travel: {lower: -1, upper: 1, stiffness: ..., damping: ...}"));
    }
    if (!entry.sizes.empty()) {
      kind.fields.push_back(shaped_field("friction", "none", "law of friction, loaded by what the joint carries"));
      kind.fields.push_back(shaped_field("smoothing", "none", "replaces the jump of a dry law"));
      kind.fields.push_back(
          plain_field(number, "preload", unit::newton, non_negative, "0 N", "load beside what the joint carries"));
      for (std::string key : entry.sizes) {
        if (key == "preload") continue;
        if (key[0] == '!') key.erase(0, 1);
        const char* text = key == "pin_radius"     ? "radius at which it rubs; friction needs it"
                           : key == "friction_arm" ? "radius at which the axial load rubs"
                           : key == "bending_arm"  ? "length of the bearing that carries bending; none: bending does not rub"
                           : key == "width"        ? "of the slider; friction needs it"
                           : key == "length"       ? "of the slider along its guide; default: its width"
                                                   : "the slider runs around its guide, not inside it";
        if (key == "outer") {
          Field f = shaped_field("outer", "false", text);
          f.kind = flag;
          kind.fields.push_back(f);
        } else {
          kind.fields.push_back(plain_field(number, key.c_str(), unit::metre, positive, "none", text));
        }
      }
    }
    kind.example = std::string(kArm) + "joints:\n  link: {type: " + entry.name + ", between: [ground, arm], at: [0, 0, 0]" +
                   (entry.two_axes              ? ", axis: x, second_axis: y"
                    : entry.name == "distance"  ? ", at_b: [1, 0, 0]"
                    : entry.name == "spherical" ? ""
                                                : ", axis: z") +
                   (entry.name == "screw" ? ", lead: 5 mm" : "") + "}\n";
    for (const Field& f : kind.fields) {
      const auto at = shapes.find(f.key);
      if (at != shapes.end()) kind.shapes.insert(*at);
      if (f.key == "at_b") kind.shapes["at_b"] = "vector";
    }
    kinds.push_back(std::move(kind));
  }
  kinds.push_back(
      {"gear",
       "couples the angles of two joints: second = ratio * first + offset",
       {shaped_field("between", "", "motions of two joints: [input.angle, output.angle]"),
        plain_field(number, "ratio", unit::one, any, "", "turns of the second per turn of the first; negative: opposite"),
        plain_field(number, "offset", unit::one, any, "0", "second angle when the first is zero")},
       std::string(kPair) + "  output: {type: revolute, between: [ground, slider], at: [0.2, 0, 0], axis: z}\n"
                            "  mesh: {type: gear, between: [input.angle, output.angle], ratio: -0.5}\n",
       "Row: second - ratio * first - offset = 0. Between two wheels on fixed axes the ratio is -teeth_1/teeth_2; its reaction does no\n"
       "work. A gear has no play and does not rub. Both angles count on beyond a full turn.\n",
       {{"between", "names"}}});
  kinds.push_back({"rack",
                   "couples an angle to a displacement: second = radius * first + offset",
                   {shaped_field("between", "", "motions of two joints: [pinion.angle, slide.displacement]"),
                    plain_field(number, "radius", unit::metre, any, "", "of the pinion; negative: opposite"),
                    plain_field(number, "offset", unit::metre, any, "0 m", "displacement when the angle is zero")},
                   std::string(kPair) + "  slide: {type: prismatic, between: [ground, slider], at: [0.2, 0, 0], axis: y}\n"
                                        "  mesh: {type: rack, between: [input.angle, slide.displacement], radius: 20 mm}\n",
                   "Row: displacement - radius * angle - offset = 0. It has no play and does not rub.\n",
                   {{"between", "names"}}});
  kinds.push_back(
      {"constraint",
       "keeps an expression of channels and t at zero",
       {plain_field(signal, "zero", unit::one, any, "", "expression of motions, positions of bodies and t")},
       std::string(kPair) + "  follower: {type: prismatic, between: [ground, slider], at: [0.2, 0, 0], axis: y}\n"
                            "  cam: {type: constraint, zero: \"follower.displacement - 0.01*sin(input.angle)\"}\n",
       "Row: the expression itself, with its exact derivatives. It may read motions of joints, positions of bodies, scalar\n"
       "coordinates and t, but no speeds. Where it depends on t explicitly, its reaction does work.\n",
       {}});
  return kinds;
}

bool Builder::is_space_body(const std::string& name) const {
  for (const SpaceBodyPlan& b : space_.bodies) {
    if (b.name == name) return true;
  }
  return false;
}

int Builder::space_body(const std::string& name, const Where& where, const std::string& owner) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < layout_.bodies.size(); ++i) {
    if (layout_.bodies[i].name == name) return static_cast<int>(i);
    known.push_back(layout_.bodies[i].name);
  }
  if (known.empty())
    throw InputError(where,
                     owner + ": there is no body in space; joints of this type connect bodies of type rigid, planar or particle");
  throw InputError(where, owner + ": there is no body '" + name + "' in space." + did_you_mean(name, known));
}

Builder::End Builder::read_end(const Node& node, const std::string& owner) const {
  End end;
  if (node.is_map()) {
    Reader inner(node, scope_, {owner + ": end", {}});
    const std::string name = inner.text("body", "name of the body");
    end.body = space_body(name, node.where, owner);
    Marker m;
    m.body = end.body;
    m.s = read_vector3(inner, "at", unit::metre).value_or(Vec3<>{});
    Vec3<> z{{0, 0, 1}};
    std::optional<Vec3<>> x;
    if (const Node* axis = inner.optional_child("axis")) z = read_direction(*axis, scope_, inner.owner());
    if (const Node* axis = inner.optional_child("x_axis")) x = read_direction(*axis, scope_, inner.owner());
    m.R = frame_along(z, x);
    inner.finish();
    if (end.body > 0) m.s = m.s - space_.bodies[static_cast<std::size_t>(end.body - 1)].center;
    end.frame = m;
    return end;
  }
  if (!node.is_scalar())
    throw InputError(node.where, owner + ": an end is a body, a frame of it (body.frame) or {body: arm, at: [...]}");
  const std::size_t dot = node.text.find('.');
  end.body = space_body(node.text.substr(0, dot), node.where, owner);
  if (dot == std::string::npos) return end;
  const std::string name = node.text.substr(dot + 1);
  if (end.body == 0)
    throw InputError(node.where, owner + ": the ground has no named frames; write {body: ground, at: [x, y, z], axis: z}");
  const SpaceBodyPlan& body = space_.bodies[static_cast<std::size_t>(end.body - 1)];
  std::vector<std::string> known;
  for (const auto& f : body.frames) {
    if (f.name == name) {
      end.frame = Marker{end.body, f.at - body.center, f.R};
      return end;
    }
    known.push_back(f.name);
  }
  throw InputError(node.where, owner + ": body '" + body.name + "' has no frame '" + name + "'." + did_you_mean(name, known));
}

Marker Builder::marker_at(int body, const Vec3<>& world, const Mat3<>& R) const {
  if (body == 0) return {0, world, R};
  const SpaceBody& b = space_.bodies[static_cast<std::size_t>(body - 1)].body;
  const Mat3<> own =
      matrix_of(b.kind == BodyInfo::Kind::planar ? rotation_of({0, 0, b.angle}, Chart::exponential) : b.orientation);
  return {body, transposed(own, world - b.position), transposed(own, R)};
}

std::pair<Marker, Marker> Builder::read_markers(Reader& reader, bool two_axes) const {
  const std::string& owner = reader.owner();
  const Node& between = reader.child("between", "two bodies, for example [ground, arm]");
  if (!between.is_list() || between.size() != 2) reader.fail("between", "between takes two bodies, for example [ground, arm]");
  const End a = read_end(between[0], owner), b = read_end(between[1], owner);
  if (a.body == b.body) reader.fail("between", "both ends are on the same body; a joint needs two different ones");
  const bool both = a.frame && b.frame;
  if (both) {
    if (reader.has("at") || reader.has("axis"))
      reader.fail(reader.has("at") ? "at" : "axis", "both ends are frames: they say where the joint is");
    return {*a.frame, *b.frame};
  }
  if (a.frame || b.frame) {
    // the other end is where this frame starts
    const Marker& m = a.frame ? *a.frame : *b.frame;
    Vec3<> p = m.s;
    Mat3<> R = m.R;
    if (m.body > 0) {
      const SpaceBody& body = space_.bodies[static_cast<std::size_t>(m.body - 1)].body;
      const Mat3<> own =
          matrix_of(body.kind == BodyInfo::Kind::planar ? rotation_of({0, 0, body.angle}, Chart::exponential) : body.orientation);
      p = body.position + own * m.s;
      R = own * m.R;
    }
    const Marker other = marker_at(a.frame ? b.body : a.body, p, R);
    check_particle(reader, other);
    return a.frame ? std::pair{m, other} : std::pair{other, m};
  }
  const auto at = read_vector3(reader, "at", unit::metre);
  if (two_axes && !reader.has("second_axis"))
    reader.fail("second_axis",
                "this joint has two axes: give second_axis, the axis on B, square to axis; for example axis: x, second_axis: y");
  if (!at) reader.fail("at", "say where the joint is: at: [x, y, z] at the start, or connect frames of the bodies");
  Vec3<> z{{0, 0, 1}};
  std::optional<Vec3<>> x;
  if (const Node* axis = reader.optional_child("axis")) z = read_direction(*axis, scope_, owner);
  if (const Node* axis = reader.optional_child("x_axis")) x = read_direction(*axis, scope_, owner);
  const Mat3<> R = frame_along(z, x);
  Mat3<> R_b = R;
  if (two_axes) {
    const Vec3<> second = read_direction(reader.child("second_axis", "the axis on B"), scope_, owner);
    if (std::abs(dot(z, second)) > 0.01) reader.fail("second_axis", "the second axis must be square to the first at the start");
    R_b = frame_along(second, z);
  }
  const auto at_b = reader.node().find("at_b") ? read_vector3(reader, "at_b", unit::metre) : std::nullopt;
  const Marker A = marker_at(a.body, *at, R), B = marker_at(b.body, at_b.value_or(*at), R_b);
  for (const Marker& m : {A, B}) check_particle(reader, m);
  return {A, B};
}

/// Is the row zero wherever the bodies are, because they cannot move that way? Then `value` is what it is kept at.
bool Builder::vanishes(const Marker& A, const Marker& B, const RelationPlan& plan, double& value) const {
  Marker a = A, b = B;
  orient(plan, a, b);
  std::minstd_rand random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto pose = [&](int body) {
    Pose p;
    p.R = Mat3<>::identity();
    const BodyInfo::Kind kind = layout_.bodies[static_cast<std::size_t>(body)].kind;
    if (kind == BodyInfo::Kind::ground) return p;
    for (int k = 0; k < (kind == BodyInfo::Kind::planar ? 2 : 3); ++k) p.p[k] = number(random);
    if (kind == BodyInfo::Kind::planar) p.R = matrix_of(rotation_of({0, 0, 3 * number(random)}, Chart::exponential));
    if (kind == BodyInfo::Kind::rigid)
      p.R = matrix_of(rotation_of({2 * number(random), 2 * number(random), 2 * number(random)}, Chart::exponential));
    return p;
  };
  const auto size = [&](int body, const Vec3<>& F, const Vec3<>& m) {
    const BodyInfo::Kind kind = layout_.bodies[static_cast<std::size_t>(body)].kind;
    if (kind == BodyInfo::Kind::ground) return 0.0;
    if (kind == BodyInfo::Kind::planar) return std::abs(F[0]) + std::abs(F[1]) + std::abs(m[2]);
    return norm(F) + (kind == BodyInfo::Kind::rigid ? norm(m) : 0.0);
  };
  for (int trial = 0; trial < 4; ++trial) {
    const Pose PA = pose(a.body), PB = pose(b.body);
    Frame<> FA, FB;
    FA.R = PA.R * a.R, FB.R = PB.R * b.R;
    FA.p = PA.p + PA.R * a.s, FB.p = PB.p + PB.R * b.s;
    const RelationRow<> row = calc_relation(plan.relation, FA, FB);
    value = row.value;
    if (size(a.body, row.F, cross(FB.p - PA.p, row.F) + row.M) + size(b.body, row.F, cross(FB.p - PB.p, row.F) + row.M) > 1e-10)
      return false;
  }
  return true;
}

int Builder::add_row(const Marker& A, const Marker& B, const RelationPlan& plan, std::optional<Target> target) {
  Marker a = A, b = B;
  orient(plan, a, b);
  const auto same = [](const Marker& x, const Marker& y) { return x.body == y.body && x.s.x == y.s.x && x.R.m == y.R.m; };
  Links::Item* item = nullptr;
  for (Links::Item& it : space_.links) {
    if (same(it.A, a) && same(it.B, b)) item = &it;
  }
  if (item == nullptr) {
    space_.links.push_back({a, b, {}});
    item = &space_.links.back();
  }
  for (const Links::Row& r : item->rows) {
    if (!target && !r.target && r.relation.kind == plan.relation.kind && r.relation.i == plan.relation.i &&
        r.relation.j == plan.relation.j && r.scale == plan.scale) {
      return r.row;
    }
  }
  Links::Row row;
  row.relation = plan.relation;
  row.scale = plan.scale;
  row.target = std::move(target);
  row.row = layout_.rows.add(
      Links::columns(layout_.bodies[static_cast<std::size_t>(a.body)], layout_.bodies[static_cast<std::size_t>(b.body)]));
  if (plan.relation.kind == Relation::Kind::angle) {
    row.mark = layout_.sizes.marks;
    layout_.sizes.marks += 3;
  }
  item->rows.push_back(row);
  return row.row;
}

int Builder::add_combination(BoundSignal value, bool curved) {
  const int row = layout_.rows.add(Combinations::columns(value, layout_.rows));
  space_.combinations.push_back({std::move(value), row, curved});
  return row;
}

void Builder::hold_row(int row, const std::string& owner, const std::string& name, int account) {
  layout_.held.push_back({row, owner, name, account});
}

void Builder::offer_motion(const std::string& joint, const RelationPlan& plan, int row) {
  const std::string name = joint + "." + plan.name, rate = joint + "." + rate_name(plan.name);
  const bool rotary = plan.relation.rotary();
  space_.motions[name] = {row, rotary};
  offer(name, Signal::Input::Kind::row, {{row, 1.0}});
  offer(rate, Signal::Input::Kind::row_rate, {{row, 1.0}});
  channel(name, rotary ? "rad" : "m", "motion of the joint");
  channel(rate, rotary ? "rad/s" : "m/s", "rate of the motion");
  motion_rows_.push_back(row);
}

bool Builder::offer_body(const std::string& name) {
  for (const SpaceBodyPlan& b : space_.bodies) {
    for (int k = 0; k < 3; ++k) {
      const std::string axis = std::string(".") + "xyz"[k];
      const bool position = name == b.name + ".position" + axis, velocity = name == b.name + ".velocity" + axis;
      if ((!position && !velocity) || b.body.kind != BodyInfo::Kind::rigid) continue;
      const int row = add_row(Marker{}, Marker{b.body.body, {}, Mat3<>::identity()}, {{Relation::Kind::along, k, 0}, ""});
      offer(b.name + ".position" + axis, Signal::Input::Kind::row, {{row, 1.0}});
      offer(b.name + ".velocity" + axis, Signal::Input::Kind::row_rate, {{row, 1.0}});
      return true;
    }
  }
  return false;
}

void Builder::add_drives(Reader& reader, const std::string& name, const JointPlan& plan, const Marker& A, const Marker& B) {
  const Node* drive = reader.optional_child("drive");
  if (drive == nullptr) return;
  std::string keys;
  for (const RelationPlan& m : plan.motions) keys += (keys.empty() ? "" : ", ") + std::string(m.name) + ", " + rate_name(m.name);
  if (!drive->is_map() || drive->size() == 0) reader.fail("drive", "drive is a map of one of: " + keys);
  Reader inner(*drive, scope_, {reader.owner() + ": drive", {}});
  std::vector<std::string> known;
  for (const RelationPlan& m : plan.motions) known.insert(known.end(), {m.name, rate_name(m.name)});
  for (const auto& [key, value] : drive->children) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string hint = did_you_mean(key, known);
    throw InputError(drive->where_of_key(key), inner.owner() + ": this joint has no motion '" + shortened(key) + "'." +
                                                   (hint.empty() ? " It has: " + keys : hint));
  }
  for (const RelationPlan& m : plan.motions) {
    const std::string position = m.name, rate = rate_name(m.name);
    if (inner.has(position) && inner.has(rate)) inner.fail(rate, "give " + position + " or " + rate + ", not both");
    if (!inner.has(position) && !inner.has(rate)) continue;
    const bool by_rate = inner.has(rate), rotary = m.relation.rotary();
    Signal signal;
    if (by_rate) inner.signal(rate.c_str(), signal, rotary ? kRate : unit::metre_per_second, "speed of the drive");
    else inner.signal(position.c_str(), signal, rotary ? unit::one : unit::metre, "motion of the drive");
    if (!signal.depends_on_time_only())
      inner.fail(by_rate ? rate : position, "a drive is a function of t; for control by channels use a load on the motion");
    Target target;
    target.position = bind(signal, inner.owner());
    if (by_rate) {
      target.memory = layout_.sizes.z++;
      layout_.memory.push_back(name + ".drive");
    }
    const int memory = target.memory;
    double first = 0, rate_then = 0, more = 0;
    if (!by_rate) target.position.motion(0, first, rate_then, more);
    const int row = add_row(A, B, m, std::move(target));
    // an angle that is driven counts its turns from where the drive starts
    const auto shown = space_.motions.find(name + "." + m.name);
    for (Links::Item& item : space_.links) {
      for (Links::Row& r : item.rows) {
        if (r.mark >= 0 && (r.row == row || (shown != space_.motions.end() && r.row == shown->second.row))) r.start = first;
      }
    }
    const std::string full = name + (drive->size() > 1 ? ".drive_" + position : ".drive");
    drive_channels_.push_back({full + ".force", rotary ? "N m" : "N", "force or torque of the drive along its motion"});
    drive_slots_.push_back(static_cast<int>(layout_.held.size()));
    offer_samples(full, {"force"});
    hold_row(row, reader.owner(), "drive of " + position, account(full, Account::Kind::supplied));
    if (by_rate) {
      space_.speed_memory.push_back(memory);
      space_.speed_rows.push_back(row);
    }
  }
  inner.finish();
}

void Builder::add_stops(Reader& reader, const std::string& name, const JointPlan& plan, const std::vector<int>& rows) {
  const Node* stops = reader.optional_child("stops");
  if (stops == nullptr) return;
  if (!stops->is_map()) reader.fail("stops", "stops is a map, for example {lower: 0, upper: 0.1 m, stiffness: 1 MN/m}");
  const auto add = [&](const Node& node, std::size_t k) {
    Reader inner(node, scope_, {reader.owner() + ": stops", {}});
    Stops law;
    const bool rotary = plan.motions[k].relation.rotary();
    if (rotary) {
      RotaryVisitor turned(inner);
      law.visit(turned);
    } else {
      law.visit(inner);
    }
    inner.finish();
    if (!law.problem().empty()) inner.fail("upper", law.problem());
    const std::string full = name + ".stops";
    parts_.stops.row.push_back({RowMeasure{rows[k]}, law, law.damped() ? account(full, Account::Kind::dissipated) : -1});
    parts_.stops.row_names.push_back({full, rotary});
  };
  if (plan.motions.size() == 1) {
    add(*stops, 0);
    return;
  }
  for (const auto& [key, node] : stops->children) {
    bool found = false;
    for (std::size_t k = 0; k < plan.motions.size(); ++k) {
      if (key != plan.motions[k].name) continue;
      add(node, k);
      found = true;
    }
    if (!found) throw InputError(node.where, reader.owner() + ": stops: this joint has no motion '" + key + "'");
  }
}

/// A particle has neither an orientation nor an extent: a joint that gave it either would take moments from nowhere.
void Builder::check_particle(Reader& reader, const std::string& type, const JointPlan& plan, const Marker& end, bool first,
                             bool rubs) const {
  const BodyInfo& body = layout_.bodies[static_cast<std::size_t>(end.body)];
  if (body.kind != BodyInfo::Kind::point) return;
  bool turns = false;
  for (const RelationPlan& held : plan.held) turns = turns || held.relation.rotary();
  const std::string who = "'" + body.name + "' is a particle";
  if (turns)
    reader.fail("between", who + ", which has no orientation that a " + type +
                               " joint could hold; use spherical, point_on_line, point_in_plane or distance");
  if (first && type != "spherical" && type != "distance")
    reader.fail("between", who + ", which carries no axis; the first body of a " + type + " joint must be another one");
  if (norm(end.s) > 1e-6)
    reader.fail("at",
                who + ", which has no extent: the joint must be where it starts, and is " + number_text(norm(end.s)) + " m away");
  for (const BearingPlan& b : plan.bearings) {
    if (rubs && b.slip[0].relation.rotary())
      reader.fail("friction", who + ", which does not turn: nothing rubs in a " + type + " joint");
  }
}

void Builder::add_joint(const JointEntry& entry, Reader& reader, const std::string& name) {
  const std::string owner = reader.owner();
  const auto [A, B] = read_markers(reader, entry.two_axes);
  BearingSizes sizes;
  sizes.preload = reader.node().find("preload") ? reader.optional_number("preload", unit::newton, non_negative).value_or(0) : 0;
  const bool rubs = reader.has("friction");
  for (std::string key : entry.sizes) {
    const bool needed = key[0] == '!';
    if (needed) key.erase(0, 1);
    if (key == "preload") continue;
    if (key == "outer") {
      reader.flag("outer", sizes.outer, "the slider runs around its guide");
      continue;
    }
    double& size = key == "pin_radius"     ? sizes.pin_radius
                   : key == "friction_arm" ? sizes.friction_arm
                   : key == "bending_arm"  ? sizes.bending_arm
                   : key == "width"        ? sizes.width
                                           : sizes.length;
    const auto given = reader.optional_number(key, unit::metre, positive);
    if (given) size = *given;
    if (rubs && needed && !given)
      reader.fail("friction", "friction needs " + key +
                                  (key == "width" ? ": the width of the slider" : ": the radius at which the joint rubs") +
                                  ", for example " + key + ": 10 mm");
  }
  if (!rubs) sizes.pin_radius = sizes.width = 1;  // nothing rubs: no size matters
  JointPlan plan = entry.plan(sizes);
  for (const Marker* end : {&A, &B}) check_particle(reader, entry.name, plan, *end, end == &A, rubs);

  JointInfo info;
  info.name = name;
  info.type = entry.name;
  const Marker* markers[2] = {&A, &B};
  for (int k = 0; k < 2; ++k) {
    info.body[k] = markers[k]->body;
    const Quaternion p = quaternion_of(markers[k]->R);
    for (int i = 0; i < 3; ++i) info.frame[k][i] = markers[k]->s[i];
    for (std::size_t i = 0; i < 4; ++i) info.frame[k][3 + i] = p[i];
  }
  layout_.joints.push_back(info);

  // motions first: other rows may be made of them
  std::vector<int> motion_rows;
  for (const RelationPlan& m : plan.motions) {
    double value = 0;
    if (vanishes(A, B, m, value)) {
      motion_rows.push_back(-1);
      continue;
    }
    motion_rows.push_back(add_row(A, B, m));
    offer_motion(name, m, motion_rows.back());
  }
  if (!motion_rows.empty() && std::all_of(motion_rows.begin(), motion_rows.end(), [](int row) { return row < 0; })) {
    reader.fail(reader.has("axis") ? "axis" : "between",
                "the bodies move in the plane x, y: a " + entry.name + " joint with this axis could not move at all. " +
                    (plan.motions[0].relation.rotary() ? "Turn its axis to z" : "Turn its axis into the plane"));
  }
  Reactions::Item reaction{A, B, {}, {}};
  std::vector<int> slots;
  for (const RelationPlan& held : plan.held) {
    double value = 0;
    if (vanishes(A, B, held, value)) {
      if (held.relation.kind == Relation::Kind::dot && std::abs(value) > 1e-9)
        reader.fail("axis", "the bodies move in the plane x, y: the axis of this joint does not fit into it");
      slots.push_back(-1);
      continue;
    }
    std::optional<Target> target;
    if (plan.needs_length) {
      std::optional<double> length = reader.optional_number("length", unit::metre, positive);
      if (!length) {
        Vec3<> p[2];
        for (int k = 0; k < 2; ++k) {
          p[k] = markers[k]->s;
          if (markers[k]->body == 0) continue;
          const SpaceBody& b = space_.bodies[static_cast<std::size_t>(markers[k]->body - 1)].body;
          const Mat3<> own =
              matrix_of(b.kind == BodyInfo::Kind::planar ? rotation_of({0, 0, b.angle}, Chart::exponential) : b.orientation);
          p[k] = b.position + own * markers[k]->s;
        }
        length = norm(p[1] - p[0]);
        if (!(*length > 1e-9)) reader.fail("length", "the two points coincide at the start: use a spherical joint, or give at_b");
      }
      target = Target{BoundSignal(*length), -1, 0};
    }
    slots.push_back(static_cast<int>(layout_.held.size()));
    hold_row(add_row(A, B, held, std::move(target)), owner, held.name);
    reaction.held.push_back({held.relation, slots.back()});
    reaction.scale.push_back(1);
  }
  space_.reactions.push_back(std::move(reaction));
  for (const char* quantity : {"force", "moment"}) {
    for (const char* axis : {".x", ".y", ".z"}) {
      offer_samples(name, {quantity + std::string(axis)});
    }
  }
  if (entry.name == "screw") {
    const double per_turn = reader.number("lead", unit::metre, any, "advance per turn") / (2 * std::numbers::pi);
    slots.push_back(static_cast<int>(layout_.held.size()));
    hold_row(add_combination(linear_rows({motion_rows[1], motion_rows[0]}, {1, -per_turn})), owner, "advance of the thread");
    Reactions::Item& carried = space_.reactions.back();  // the thread carries axial force and the moment that goes with it
    carried.held.push_back({plan.motions[1].relation, slots.back()});
    carried.scale.push_back(1);
    carried.held.push_back({plan.motions[0].relation, slots.back()});
    carried.scale.push_back(-per_turn);
    if (rubs) {  // along the thread: lead angle b at the radius r, N = |lambda| / cos b
      const double slope = std::atan(per_turn / sizes.pin_radius);
      BearingPlan b;
      b.preload = sizes.preload;
      b.load = {{{4}, 1 / std::cos(slope)}, {{0, 1}, 1}};
      b.slip = {plan.motions[0]};
      const int row =
          add_combination(linear_rows({motion_rows[1], motion_rows[0]}, {std::sin(slope), sizes.pin_radius * std::cos(slope)}));
      add_bearing(reader, name, b, A, B, slots, {row});
    }
  }
  add_drives(reader, name, plan, A, B);
  add_stops(reader, name, plan, motion_rows);
  if (rubs) {
    for (const BearingPlan& b : plan.bearings) {
      std::vector<int> rows;
      for (const RelationPlan& s : b.slip) {
        double value = 0;
        if (!vanishes(A, B, s, value)) rows.push_back(add_row(A, B, s));
      }
      if (!rows.empty()) add_bearing(reader, name, b, A, B, slots, rows);
    }
    offer_samples(name, {"normal_force", "friction_force"});
  }
  reader.finish({"type", "smoothing", "friction"});
}

void Builder::add_coupling(const std::string& type, Reader& reader) {
  const std::string owner = reader.owner();
  if (type == "constraint") {
    Signal zero;
    if (!reader.has("zero")) reader.fail("zero", "a constraint needs zero: an expression that is kept at zero");
    reader.signal("zero", zero, unit::one, "expression that is kept at zero");
    reader.finish();
    const BoundSignal bound = bind(zero, owner);
    for (const auto& r : bound.readings()) {
      using Kind = Signal::Input::Kind;
      if (r.kind != Kind::row && r.kind != Kind::position && r.kind != Kind::time)
        reader.fail("zero",
                    "a constraint may read motions of joints, positions of bodies and t, but no speeds, forces or states");
    }
    if (Combinations::columns(bound, layout_.rows).empty()) reader.fail("zero", "the expression reads nothing that moves");
    hold_row(add_combination(bound, true), owner, "expression");
    return;
  }
  const std::vector<std::string> names = reader.names("between", "motions of two joints");
  if (names.size() != 2)
    reader.fail("between", "between takes the motions of two joints, for example [input.angle, output.angle]");
  RowOf motion[2];
  std::vector<std::string> known;
  for (const auto& [key, unused] : space_.motions) known.push_back(key);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto at = space_.motions.find(names[k]);
    if (at == space_.motions.end())
      reader.fail("between", "there is no motion '" + shortened(names[k]) + "'." + did_you_mean(names[k], known));
    motion[k] = at->second;
  }
  double factor = 0, offset = 0;
  if (type == "gear") {
    if (!motion[0].rotary || !motion[1].rotary)
      reader.fail("between", "a gear couples two angles; for an angle and a displacement use a rack");
    factor = reader.number("ratio", unit::one, any, "turns of the second per turn of the first");
    offset = reader.optional_number("offset", unit::one).value_or(0);
  } else {
    if (!motion[0].rotary || motion[1].rotary)
      reader.fail("between", "a rack couples an angle and a displacement, in this order");
    factor = reader.number("radius", unit::metre, any, "radius of the pinion");
    offset = reader.optional_number("offset", unit::metre).value_or(0);
  }
  reader.finish();
  hold_row(add_combination(linear_rows({motion[1].row, motion[0].row}, {1, -factor}, offset)), owner, "coupling");
}

namespace {

/// Channels of joint motions.
class MotionOutputs final : public Block {
 public:
  explicit MotionOutputs(std::vector<int> rows) : rows_(std::move(rows)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return 2 * static_cast<int>(rows_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (int r : rows_) {
      *out++ = e.row_value[r];
      *out++ = e.row_rate[r];
    }
  }

 private:
  std::vector<int> rows_;
};

/// Channels of what drives of joints give.
class DriveOutputs final : public Block {
 public:
  explicit DriveOutputs(std::vector<int> slots) : slots_(std::move(slots)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return static_cast<int>(slots_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (int k : slots_) *out++ = -e.lambda[k];
  }

 private:
  std::vector<int> slots_;  // in lambda
};

}  // namespace

void Builder::read_space_joints() {
  std::vector<std::string> names;
  for (bool couplings : {false, true}) {
    each("joints", "joint", [&](const std::string& name, const Where& where, Reader& reader) {
      space_.places[reader.owner()] = where;
      const Node* word = reader.node().find("type");
      for (const JointEntry& entry : joint_list()) {
        if (word != nullptr && word->text == entry.name && entry.sizes.empty() && reader.has("friction"))
          reader.fail("friction", "a " + entry.name + " joint has no surface that rubs; leave friction out");
      }
      const std::string& type = read_kind(reader, "joint").name;
      if (type == "sliding" || is_coupling(type) != couplings) return;
      claim(name, where, "joint");
      if (couplings) {
        add_coupling(type, reader);
        return;
      }
      for (const JointEntry& entry : joint_list()) {
        if (entry.name == type) add_joint(entry, reader, name);
      }
      names.push_back(name);
    });
  }
  if (!motion_rows_.empty()) blocks_.push_back(std::make_unique<MotionOutputs>(motion_rows_));
  if (!drive_slots_.empty()) {
    for (const Channel& c : drive_channels_) channel(c.name, c.unit, c.text);
    blocks_.push_back(std::make_unique<DriveOutputs>(drive_slots_));
  }
  if (space_.reactions.empty()) return;
  for (const std::string& name : names) {
    for (const char* axis : {"x", "y", "z"}) channel(name + ".force." + axis, "N", "reaction on B at the joint, world axes");
    for (const char* axis : {"x", "y", "z"})
      channel(name + ".moment." + axis, "N m", "reaction on B about the joint, world axes");
  }
  blocks_.push_back(std::make_unique<Reactions>(std::move(space_.reactions)));
}

}  // namespace bristle
