#include <algorithm>
#include <array>
#include <limits>

#include "bristle/analyse/state_recorder.h"
#include "bristle/assemble/assemble.h"
#include "bristle/assemble/collisions.h"
#include "bristle/assemble/kinds.h"
#include "bristle/assemble/space.h"
#include "bristle/base/text.h"
#include "bristle/model/reader.h"

namespace bristle {

namespace {

constexpr std::array<std::string_view, 14> kSections = {"bristle",  "title",  "description", "parameters", "gravity",
                                                        "bodies",   "states", "forces",      "joints",     "collisions",
                                                        "analysis", "record", "check",       "sections"};

constexpr Unit kTurnRate{"rad/s", {0, 0, -1, 0}};

const Node& analysis_node(const Model& model) {
  const Node* node = model.root.find("analysis");
  if (node == nullptr || !node->is_map()) {
    throw InputError(
        model.root.where,
        "the model has no analysis; write for example analysis: {type: transient, end: 10 s, integrator: {type: radau5}}");
  }
  return *node;
}

struct IntegratorPlan {
  std::unique_ptr<Integrator> integrator;
  std::vector<std::unique_ptr<StepController>> controllers;
  std::string name;
};

/// A section that must be a map; what it is called stands in messages.
const Node& map_of(const Node& node, const char* what, const char* example) {
  if (!node.is_map() && node.kind != Node::Kind::null) {
    throw InputError(node.where, std::string(what) + " must be a map, for example " + what + ": " + example);
  }
  return node;
}

IntegratorPlan read_integrator(Reader& analysis, const ParameterScope& scope, double& max_step) {
  if (!analysis.has("integrator"))
    analysis.fail("integrator", "missing key 'integrator' (how to integrate). Write integrator: {type: radau5}");
  const Node& node = analysis.child("integrator", "how to integrate");
  if (node.is_list()) analysis.fail("integrator", "integrator is the name of a method or a map with its type and settings");
  IntegratorPlan plan;
  Node named = Node::map();
  named.where = node.where;
  if (node.is_scalar()) named.set("type", node);
  Reader reader(node.is_scalar() ? named : node, scope, {"integrator", {}});
  plan.name = reader.text("type", "name of the integrator");
  const Where where = reader.node().find("type")->where;
  const IntegratorEntry& entry = integrator_registry().find(plan.name, where);
  plan.integrator = entry.make(reader);
  const std::optional<double> step = reader.optional_number("step", unit::second, positive);
  if (step && plan.integrator->estimates_error()) {
    max_step = std::min(max_step, *step);
  } else if (step) {
    auto constant = std::make_unique<ConstantStep>();
    constant->step = *step;
    plan.controllers.push_back(std::move(constant));
  }
  if (const Node* adapt = reader.optional_child("adapt")) {
    if (!adapt->is_list())
      reader.fail("adapt", "adapt takes a list of step rules, for example [{type: velocity, fine: 0.1 ms, coarse: 1 ms}]");
    for (std::size_t i = 0; i < adapt->size(); ++i) {
      const Node& rule = (*adapt)[i];
      if (!rule.is_map())
        throw InputError(rule.where, "a step rule is a map, for example {type: velocity, fine: 0.1 ms, coarse: 1 ms}");
      Reader inner(rule, scope, {"step rule", {}});
      const std::string type = read_kind(inner, "controller").name;
      const ControllerEntry& found = controller_registry().find(type, rule.find("type")->where);
      Reader typed(rule, scope, {"step rule '" + type + "'", {}});
      plan.controllers.push_back(found.make(typed));
      typed.finish({"type"});
    }
  }
  reader.finish({"type"});
  if (plan.controllers.empty() && !plan.integrator->estimates_error()) {
    reader.fail("step", "'" + plan.name +
                            "' does not control its error: give it a step, for example step: 1 ms, or step rules under adapt");
  }
  return plan;
}

void read_record(const Model& model, const ParameterScope& scope, double& every, std::vector<std::string>& channels) {
  const Node* record = model.root.find("record");
  if (record == nullptr) return;
  Reader r(map_of(*record, "record", "{every: 1 ms, channels: [\"block.*\"]}"), scope, {"record", {}});
  check_keys(r, kind_entry("section", "record"));
  if (r.optional_text("every") == "step") every = 0;
  else every = r.optional_number("every", unit::second, positive).value_or(every);
  channels = r.optional_names("channels");
  r.finish();
}

/// The analysis as written; makes the integrator only when asked for.
TransientPlan read_plan(const Model& model, IntegratorPlan* integrator) {
  const ParameterScope scope = parameters_of(model);
  TransientPlan plan;
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  read_kind(reader, "analysis");
  plan.start = reader.optional_number("start", unit::second).value_or(0);
  plan.end = reader.number("end", unit::second, any, "end time");
  if (!(plan.end > plan.start))
    reader.fail("end",
                "the end must come after the start (" + number_text(plan.start) + " s), got " + number_text(plan.end) + " [s]");
  plan.every = (plan.end - plan.start) / 4000;
  int rest = 0, clock = 0, from = 0;
  static const Node nothing = Node::map();
  Reader none(nothing, scope, {"enforcement", {}});
  reader.choice("rest", rest, {"events", "threshold"}, "how dry friction comes to rest");
  reader.choice("from", from, {"start", "equilibrium"}, "where the motion begins");
  plan.from_equilibrium = from == 1;
  reader.choice("clock", clock, {"exact", "late"}, "late: as in published tables with switched steps");
  plan.options.rest = rest == 0 ? RestRule::events : RestRule::threshold;
  plan.options.late_clock = clock == 1;
  plan.options.watch_modes = true;
  plan.options.max_step = reader.optional_number("max_step", unit::second, positive).value_or(kInfinity);
  plan.options.min_step = reader.optional_number("min_step", unit::second, positive).value_or(0);
  if (const Node* node = reader.optional_child("enforcement")) {
    Node named = Node::map();
    named.where = node->where;
    if (node->is_scalar()) named.set("type", *node);
    else if (!node->is_map())
      reader.fail("enforcement", "enforcement is the name of a method or a map with its type and settings");
    Reader inner(node->is_scalar() ? named : *node, scope, {"enforcement", {}});
    const std::string type = inner.text("type", "name of the method");
    const EnforcementEntry& entry = enforcement_registry().find(type, inner.node().find("type")->where);
    plan.options.enforcement = entry.make(inner);
    plan.options.enforcement.name = type;
    inner.finish({"type"});
  } else {
    plan.options.enforcement = enforcement_registry().all()[0].make(none);
  }
  IntegratorPlan made = read_integrator(reader, scope, plan.options.max_step);
  plan.integrator = made.name;
  reader.finish({"type"});
  if (integrator) *integrator = std::move(made);

  read_record(model, scope, plan.every, plan.channels);
  if (const Node* check = model.root.find("check")) {
    Reader r(map_of(*check, "check", "{energy: 1e-6}"), scope, {"check", {}});
    check_keys(r, kind_entry("section", "check"));
    plan.energy_check = r.optional_number("energy", unit::one, positive).value_or(0);
    r.finish();
  }
  return plan;
}

/// Every pattern of the record must fit a channel.
void check_channels(const Node& node, const std::vector<std::string>& patterns, const std::vector<Channel>& channels,
                    const char* what = "record") {
  std::vector<std::string> names;
  for (const Channel& c : channels) names.push_back(c.name);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    bool found = false;
    for (const std::string& n : names) found = found || wildcard_match(patterns[i], n);
    if (!found) {
      throw InputError(
          node.is_list() ? node[i].where : node.where,
          what + std::string(": no channel fits '") + shortened(patterns[i]) + "'." + did_you_mean(patterns[i], names));
    }
  }
}

}  // namespace

std::vector<KindEntry> analysis_kinds() {
  using enum Field::Kind;
  const auto choice_of = [](const char* key, std::vector<std::string> words, const char* text) {
    Field f = shaped_field(key, words[0], text);
    f.kind = choice;
    f.words = std::move(words);
    return f;
  };
  KindEntry transient{
      "transient",
      "the motion from a start to an end, step by step",
      {plain_field(number, "end", unit::second, any, "", "end time"),
       plain_field(number, "start", unit::second, any, "0 s", "start time"),
       shaped_field("integrator", "", "the method: a name, or a map with type and settings; see `bristle list integrator`"),
       shaped_field("enforcement", "projection",
                    "how joints are kept: a name, or a map with type and settings; see `bristle list enforcement`"),
       choice_of("rest", {"events", "threshold"}, "how dry friction comes to rest: located in time, or a band of speeds"),
       plain_field(number, "max_step", unit::second, positive, "none", "largest step"),
       plain_field(number, "min_step", unit::second, positive, "rounding", "smallest step before the run gives up"),
       choice_of("from", {"start", "equilibrium"}, "where the motion begins: as the model gives it, or at rest in equilibrium"),
       choice_of("clock", {"exact", "late"}, "late: time stamps as in published tables with switched steps")},
      "analysis:\n  type: transient\n  end: 10 s\n  integrator: {type: radau5, tolerance: 1e-6}\n",
      "",
      {{"integrator", "integrator"}, {"enforcement", "enforcement"}}};
  const std::vector<Field> times = {
      plain_field(number, "end", unit::second, any, "", "end time"),
      plain_field(number, "start", unit::second, any, "0 s", "start time"),
      plain_field(number, "every", unit::second, positive, "as record, or 1/4000 of the time", "time between positions")};
  KindEntry kinematics{
      "kinematics",
      "the motion that drives of all freedoms prescribe: positions, velocities, accelerations, reactions without friction",
      times,
      "bodies: {block: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, block], at: [0, 0, 0], drive: {angle: \"sin(3*t)\"}}}\n"
      "analysis: {type: kinematics, end: 2 s, every: 10 ms}\n",
      "Every freedom must be driven. A position that does not exist (end of travel, dead centre) ends the analysis with code 3;\n"
      "what was computed before it is kept.\n",
      {}};
  KindEntry inverse{
      "inverse_dynamics",
      "kinematics, and what the drives have to give for it: peak, rms and work, with friction of laws without memory",
      times,
      "bodies: {block: {type: rigid, mass: 1 kg, inertia: [1, 1, 1]}}\n"
      "joints: {pin: {type: revolute, between: [ground, block], at: [0, 0, 0], drive: {angle: \"sin(3*t)\"}}}\n"
      "analysis: {type: inverse_dynamics, end: 2 s, every: 10 ms}\n",
      "Channel <joint>.drive.force: force or torque of the drive along its motion.\n",
      {}};
  const Field time = plain_field(number, "time", unit::second, any, "0 s", "for loads and drives that change with t");
  KindEntry statics{
      "statics",
      "an equilibrium near the start, without friction: positions, reactions, whether it is stable",
      {time, choice_of("accept", {"stable", "any"}, "any: stay where the start is an unstable equilibrium"),
       plain_field(number, "tolerance", unit::one, positive, "1e-11", "forces left, relative to the largest"),
       choice_of("control", {"descent", "load", "arc_length"},
                 "how it is found: downhill; by loads that grow in steps; along the curve of equilibria"),
       plain_field(number, "step", unit::one, positive, "1",
                   "largest step: share of the load; along the arc: angle [rad], or length over that of the mechanism"),
       plain_field(integer, "points", unit::one, Range{1, 1e6, false, false}, "2000", "of load and arc_length: at most")},
      "analysis: {type: statics}\n",
      "With control load or arc_length the loads grow from nothing: what pushes the model at its start is held back and let go by and\n"
      "by. The result file has a sample for each point on the way; its time is the share of the load. Every equilibrium counts, stable or\n"
      "not. arc_length passes points where the load has to fall: snap-through, buckling with an imperfection.\n",
      {}};
  const Field about =
      choice_of("about", {"start", "equilibrium"}, "which state: as the model gives it, or an equilibrium near it");
  const Field axes = choice_of("axes", {"world", "body"}, "of turns of rigid bodies, where the state moves");
  const std::vector<Field> rotation = {
      shaped_field("axis", "z", "direction of the axis of rotation"), shaped_field("at", "[0, 0, 0]", "a point on it"),
      choice_of("frame", {"turning", "stationary"},
                "where the rotation stands still: turning: supports alike in all directions; stationary: rotors that are"),
      shaped_field("still", "none", "bodies that do not turn; a beam stands for its nodes")};
  KindEntry modes{
      "modes",
      "frequencies, damping and shapes about a state, without friction",
      joined({about, time, axes,
              plain_field(number, "speed", kTurnRate, any, "no rotation", "of a steady rotation, about which the modes are")},
             rotation),
      "analysis: {type: modes}\n",
      "With speed the whole model, but what is named under still, turns steadily about the axis: the form that centrifugal loads give it\n"
      "is found first, and the modes are those about it, with gyroscopic and centrifugal terms. Their whirl is 1 for circles along the\n"
      "rotation, -1 against it. A model that would not look the same while it turns is refused.\n",
      {{"axis", "direction"}, {"at", "vector"}, {"still", "names"}}};
  KindEntry campbell{
      "campbell",
      "modes over the speed of rotation, and critical speeds, without friction",
      joined({shaped_field("speeds", "", "of rotation: {from, to, count}, or a list [rad/s]"),
              plain_field(list, "orders", unit::one, non_negative, "1, in the turning frame 0",
                          "of critical speeds: forces that turn so many times as fast as the rotor, as seen in the frame"),
              plain_field(integer, "modes", unit::one, Range{1, 1000, false, false}, "8", "that are followed, the lowest ones"),
              time},
             rotation),
      "bodies: {rotor: {type: rigid, mass: 1 kg, inertia: [1, 1, 2]}}\n"
      "joints: {bearing: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: z}}\n"
      "analysis: {type: campbell, axis: z, speeds: {from: 0, to: 3000 rpm, count: 31}, frame: stationary}\n",
      "Each mode is followed by its shape from speed to speed. A critical speed is solved for: there a force of the order meets a\n"
      "resonance of the model without its damping. Unbalance has the order 1 in the stationary frame and 0 in the turning one. The result\n"
      "file has a sample for each speed, with the speed in the place of the time, and campbell.json has it all.\n",
      {{"axis", "direction"}, {"at", "vector"}, {"still", "names"}, {"speeds", "speeds"}}};
  KindEntry linear{
      "linearise",
      "matrices of small motions about a state, without friction: x' = A x + B u, y = C x + D u",
      {about, time, axes, shaped_field("inputs", "none", "names of loads whose forces are u"),
       shaped_field("outputs", "none", "channels that are y, with * for any characters"),
       choice_of("write", {"json", "csv", "npz"}, "beside linear.json: each matrix as a table, or all in linear.npz")},
      "forces: {motor: {type: load, on: block, force: 0 N}}\n"
      "analysis: {type: linearise, about: equilibrium, inputs: [motor], outputs: [block.*]}\n",
      "",
      {{"inputs", "names"}, {"outputs", "names"}}};
  return {transient, kinematics, inverse, statics, modes, campbell, linear};
}

std::vector<KindEntry> section_kinds() {
  using enum Field::Kind;
  KindEntry states{"states",
                   "numbers with a rate of change of your own: integral action, filters, temperatures; read as <state>.value",
                   {plain_field(signal, "rate", unit::per_second, any, "", "rate of change, an expression of t and channels"),
                    plain_field(number, "start", unit::one, any, "0", "value at the start")},
                   "states:\n  error: {rate: \"0.1 - block.velocity\", start: 0}\n",
                   "",
                   {}};
  KindEntry record{"record",
                   "what goes into the result file",
                   {plain_field(number, "every", unit::second, positive, "1/4000 of the time",
                                "time between samples; the word step: every step"),
                    shaped_field("channels", "all", "names, with * for any characters")},
                   "record: {every: 1 ms, channels: [\"block.*\", energy.residual]}\n",
                   "",
                   {{"channels", "names"}}};
  KindEntry check{"check",
                  "what must hold, or the program ends with code 4",
                  {plain_field(number, "energy", unit::one, positive, "not checked",
                               "largest residual of the energy ledger, relative to the energy involved")},
                  "check: {energy: 1e-6}\n",
                  "",
                  {}};
  return {states, collision_kind(), record, check};
}

std::string analysis_type(const Model& model) {
  const ParameterScope scope = parameters_of(model);
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  return read_kind(reader, "analysis").name;
}

std::string title_of(const Model& model) {
  const Node* title = model.root.find("title");
  return title && title->is_scalar() ? title->text : model.file;
}

TransientPlan plan_transient(const Model& model) { return read_plan(model, nullptr); }

KinematicsPlan plan_kinematics(const Model& model) {
  const ParameterScope scope = parameters_of(model);
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  KinematicsPlan plan;
  plan.forces = read_kind(reader, "analysis").name == "inverse_dynamics";
  plan.start = reader.optional_number("start", unit::second).value_or(0);
  plan.end = reader.number("end", unit::second, any, "end time");
  if (!(plan.end > plan.start))
    reader.fail("end",
                "the end must come after the start (" + number_text(plan.start) + " s), got " + number_text(plan.end) + " [s]");
  const double usual = (plan.end - plan.start) / 4000;
  plan.every = usual;
  read_record(model, scope, plan.every, plan.channels);
  plan.every = reader.optional_number("every", unit::second, positive).value_or(plan.every > 0 ? plan.every : usual);
  reader.finish({"type"});
  return plan;
}

StaticsPlan plan_statics(const Model& model) {
  const ParameterScope scope = parameters_of(model);
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  read_kind(reader, "analysis");
  StaticsPlan plan;
  plan.time = reader.optional_number("time", unit::second).value_or(0);
  int accept = 0;
  reader.choice("accept", accept, {"stable", "any"}, "which equilibria count");
  plan.options.leave = accept == 0;
  int control = 0;
  reader.choice("control", control, {"descent", "load", "arc_length"}, "how it is found");
  plan.options.control = static_cast<StaticsOptions::Control>(control);
  plan.options.step = reader.optional_number("step", unit::one, positive).value_or(plan.options.step);
  reader.integer("points", plan.options.points, 1, 1000000, "points on the way");
  plan.options.tolerance = reader.optional_number("tolerance", unit::one, positive).value_or(plan.options.tolerance);
  reader.finish({"type"});
  double every = 0;
  read_record(model, scope, every, plan.channels);
  return plan;
}

namespace {

/// Keys of a steady rotation.
RotationAxis read_rotation(Reader& reader, const ParameterScope& scope) {
  RotationAxis rotation;
  if (const Node* axis = reader.optional_child("axis")) {
    const Vec3<> n = read_direction(*axis, scope, reader.owner());
    rotation.direction = {n[0], n[1], n[2]};
  }
  if (const std::optional<Vec3<>> at = read_vector3(reader, "at", unit::metre)) rotation.point = {(*at)[0], (*at)[1], (*at)[2]};
  int frame = 0;
  reader.choice("frame", frame, {"turning", "stationary"}, "where the rotation stands still");
  rotation.frame = frame == 0 ? RotationFrame::turning : RotationFrame::stationary;
  rotation.still = reader.optional_names("still");
  return rotation;
}

}  // namespace

CampbellPlan plan_campbell(const Model& model) {
  const ParameterScope scope = parameters_of(model);
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  read_kind(reader, "analysis");
  CampbellPlan plan;
  plan.time = reader.optional_number("time", unit::second).value_or(0);
  plan.axis = read_rotation(reader, scope);
  const Node& speeds = reader.child("speeds", "speeds of rotation, for example {from: 0, to: 3000 rpm, count: 31}");
  if (speeds.is_map()) {
    Reader inner(speeds, scope, {"analysis: speeds", {}});
    const double from = inner.number("from", kTurnRate, any, "lowest speed"),
                 to = inner.number("to", kTurnRate, any, "highest speed");
    int count = 31;
    inner.integer("count", count, 2, 100000, "number of speeds");
    inner.finish();
    if (!(to > from))
      inner.fail("to", "the highest speed must be above the lowest (" + number_text(from) + " rad/s), got " + number_text(to) +
                           " [rad/s]");
    for (int k = 0; k < count; ++k) plan.speeds.push_back(from + (to - from) * k / (count - 1));
  } else {
    reader.list("speeds", plan.speeds, kTurnRate, any, "speeds of rotation");
    if (plan.speeds.size() < 2) reader.fail("speeds", "a list of speeds needs at least two, rising");
    for (std::size_t k = 1; k < plan.speeds.size(); ++k) {
      if (!(plan.speeds[k] > plan.speeds[k - 1])) reader.fail("speeds", "a list of speeds must rise");
    }
  }
  plan.orders = {plan.axis.frame == RotationFrame::turning ? 0.0 : 1.0};
  if (reader.has("orders")) reader.list("orders", plan.orders, unit::one, non_negative, "orders of critical speeds");
  reader.integer("modes", plan.modes, 1, 1000, "modes that are followed");
  reader.finish({"type"});
  return plan;
}

LinearPlan plan_linear(const Model& model) {
  const ParameterScope scope = parameters_of(model);
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  const bool matrices = read_kind(reader, "analysis").name == "linearise";
  LinearPlan plan;
  int about = 0, axes = 0, write = 0;
  reader.choice("about", about, {"start", "equilibrium"}, "which state");
  reader.choice("axes", axes, {"world", "body"}, "of turns of rigid bodies");
  plan.equilibrium = about == 1;
  plan.axes = axes == 0 ? LinearAxes::world : LinearAxes::body;
  plan.time = reader.optional_number("time", unit::second).value_or(0);
  if (!matrices) {
    plan.speed = reader.optional_number("speed", kTurnRate);
    for (const char* key : {"axis", "at", "frame", "still"}) {
      if (!plan.speed && reader.has(key))
        reader.fail(
            key, std::string("'") + key + "' belongs to a steady rotation: give its speed as well, for example speed: 3000 rpm");
    }
    for (const char* key : {"about", "axes"}) {
      if (plan.speed && reader.has(key))
        reader.fail(key,
                    std::string("with speed the modes are about the steady rotation, in its frame: leave '") + key + "' out");
    }
    plan.rotation = read_rotation(reader, scope);
  }
  if (matrices) {
    reader.choice("write", write, {"json", "csv", "npz"}, "form of the result");
    plan.csv = write == 1;
    plan.npz = write == 2;
    plan.inputs = reader.optional_names("inputs");
    plan.outputs = reader.optional_names("outputs");
    const Node* forces = model.root.find("forces");
    std::vector<std::string> loads;
    for (std::size_t i = 0; forces != nullptr && forces->is_map() && i < forces->size(); ++i) {
      const auto& [name, force] = forces->children[i];
      const Node* type = force.is_map() ? force.find("type") : nullptr;
      if (type != nullptr && type->text == "load") loads.push_back(name);
    }
    for (const std::string& name : plan.inputs) {
      if (std::find(loads.begin(), loads.end(), name) == loads.end())
        reader.fail("inputs", "there is no load '" + shortened(name) + "'." + did_you_mean(name, loads));
    }
  }
  reader.finish({"type"});
  return plan;
}

State linear_state(const System& system, const LinearPlan& plan) {
  State x = system.make_state();
  x.t = std::numeric_limits<double>::quiet_NaN();  // the driven coordinates may be anywhere
  system.set_time(x, plan.time);
  if (!plan.equilibrium) return x;
  return equilibrium_start(system, x);
}

StateSpace linearise_model(const Model& model, const LinearPlan& plan) {
  const System system = assemble(model, {.friction = false});
  const State x = linear_state(system, plan);
  StateSpace result;
  result.linear = linearise(system, x, {plan.axes, true, plan.outputs});
  result.inputs = plan.inputs;
  const auto count = static_cast<Eigen::Index>(plan.inputs.size());
  result.B = Eigen::MatrixXd::Zero(result.linear.A.rows(), count);
  result.D = Eigen::MatrixXd::Zero(result.linear.C.rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    // forces enter linearly: what one newton changes
    const std::string& name = plan.inputs[static_cast<std::size_t>(k)];
    Model without = model, with = model;
    apply_override(without.root, "forces." + name + ".force=0");
    apply_override(with.root, "forces." + name + ".force=1");
    const System none = assemble(without, {.friction = false}), one = assemble(with, {.friction = false});
    if (!(none.layout().sizes == system.layout().sizes))
      throw InputError(
          analysis_node(model).where,
          "inputs: load '" + name + "' reads forces of the last step; give it an expression without them to make it an input");
    Eigen::VectorXd B, D;
    calc_input(none, one, x, result.linear, plan.axes, B, D);
    result.B.col(k) = B;
    result.D.col(k) = D;
  }
  return result;
}

namespace {

/// Rigid contact has no force of its own: whoever does not solve for it would let bodies fall through each other.
void refuse_rigid(const Model& model, const System& system, const std::string& who, const std::string& way_out) {
  std::string name = system.rigid().empty() ? "" : system.rigid()[0].name;
  for (const FreeContacts* group : system.groups()) {
    if (name.empty() && group->group_law() != nullptr) name = group->group_name();
  }
  if (name.empty()) return;
  throw InputError(analysis_node(model).where, who + " cannot follow the rigid contact of '" + name +
                                                   "': it has no stiffness, and impacts take no time. " + way_out);
}

void refuse_groups(const Model& model, const System& system, const std::string& who, const std::string& way_out) {
  if (system.groups().empty()) return;
  throw InputError(analysis_node(model).where, who + " cannot follow the contacts of the collision group '" +
                                                   std::string(system.groups()[0]->group_name()) +
                                                   "', which come and go inside a step. " + way_out);
}

void check_contacts(const Model& model, const System& system, const TransientPlan& plan, const IntegratorPlan& made) {
  const std::string who = "integrator '" + made.name + "'";
  const bool impacts = made.integrator->takes_impacts();
  const std::string way_out = "Use integrator: {type: moreau_jean, step: 1 ms}, or a contact law with stiffness such as flores";
  if (!impacts) refuse_rigid(model, system, who, way_out);
  for (const FreeContacts* group : system.groups()) {
    if (group->group_law() != nullptr || made.integrator->takes_crowds()) continue;
    refuse_groups(model, system, who, "Use rk4 or dormand_prince, or give it rigid contact and integrator moreau_jean");
  }
  if (plan.from_equilibrium) {
    refuse_rigid(model, system, "from: equilibrium", "Let the bodies come to rest in a transient of its own");
    refuse_groups(model, system, "from: equilibrium", "Let the bodies come to rest in a transient of its own");
  }
  if (impacts && system.held_count() > 0 && !plan.options.enforcement.corrects)
    throw InputError(analysis_node(model).where,
                     who + " keeps the joints on velocities and corrects positions after every step; enforcement '" +
                         plan.options.enforcement.name + "' does not do that. Use projection, or leave it out");
}

}  // namespace

std::unique_ptr<Run> make_run(const Model& model, const System& system, const TransientPlan& plan) {
  IntegratorPlan made;
  read_plan(model, &made);
  check_contacts(model, system, plan, made);
  const std::string refused = made.integrator->needs_refused(system);
  if (!refused.empty()) {
    throw InputError(analysis_node(model).where,
                     "integrator '" + made.name + "' cannot run this model: " + refused +
                         (refused.find(". ") == std::string::npos ? ". Try rk4 or dormand_prince." : ""));
  }
  if (made.integrator->enforces() && system.held_count() > 0 && analysis_node(model).find("enforcement") != nullptr) {
    throw InputError(analysis_node(model).where,
                     "integrator '" + made.name + "' keeps the joints itself, by its form; leave enforcement out");
  }
  if (!system.layout().redundant.empty() && !plan.options.enforcement.takes_redundant() && !made.integrator->enforces()) {
    const auto& redundant = system.layout().redundant;
    throw InputError(analysis_node(model).where,
                     "enforcement '" + plan.options.enforcement.name +
                         "' cannot treat joints that repeat each other: " + redundant[0] +
                         (redundant.size() > 1 ? " and " + std::to_string(redundant.size() - 1) + " more" : std::string()) +
                         " follow from the others. Use projection, penalty, augmented_lagrangian or pseudo_inverse");
  }
  if (plan.options.rest == RestRule::threshold && !system.dry().empty() && !made.integrator->takes_jumps()) {
    throw InputError(analysis_node(model).where, "rest: threshold makes the friction force of '" + system.dry()[0].name +
                                                     "' jump inside a step, which integrator '" + made.name +
                                                     "' cannot follow. Use rk4 with a fixed step, or rest: events");
  }
  return std::make_unique<Run>(system, std::move(made.integrator), std::move(made.controllers), plan.options);
}

namespace {

void check_still(const Model& model, const System& system, const RotationAxis& rotation) {
  std::vector<std::string> names;
  for (const BodyInfo& b : system.layout().bodies) {
    if (b.kind == BodyInfo::Kind::ground) continue;
    names.push_back(b.name);
    if (b.name.find('.') != std::string::npos) names.push_back(b.name.substr(0, b.name.find('.')));
  }
  for (const std::string& name : rotation.still) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(analysis_node(model).find("still")->where,
                       "analysis: still: there is no body '" + shortened(name) + "' in space." + did_you_mean(name, names));
  }
}

}  // namespace

void check_model(const Model& model) {
  // the frame of the file
  const Node& root = model.root;
  for (std::size_t i = 0; i < root.size(); ++i) {
    const std::string& key = root.children[i].first;
    bool known = false;
    for (std::string_view s : kSections) known = known || s == key;
    if (!known) {
      std::vector<std::string> names(kSections.begin(), kSections.end());
      throw InputError(root.where_of_key(key), "unknown section '" + key + "'." + did_you_mean(key, names));
    }
  }
  const Node* version = root.find("bristle");
  if (version == nullptr) throw InputError(root.where, "missing key 'bristle' (version of the file format). Write bristle: 1");
  const std::string type = analysis_type(model);
  const bool friction = type == "transient" || type == "inverse_dynamics";
  if (!friction) assemble(model);  // mistakes in the friction are mistakes all the same
  const System system = assemble(model, {.friction = friction});
  if (type != "transient") {
    const std::string way_out = "Use a transient analysis, or a contact law with stiffness such as flores";
    refuse_rigid(model, system, "analysis '" + type + "'", way_out);
    refuse_groups(model, system, "analysis '" + type + "'", "Use a transient analysis");
  }
  const Node* record = root.find("record");
  const Node* patterns = record != nullptr && record->is_map() ? record->find("channels") : nullptr;
  if (type == "transient") {
    const TransientPlan plan = plan_transient(model);
    make_run(model, system, plan);
    if (!plan.channels.empty()) check_channels(*patterns, plan.channels, recordable_channels(system.layout()));
  } else if (type == "kinematics" || type == "inverse_dynamics") {
    const KinematicsPlan plan = plan_kinematics(model);
    const std::string problem = kinematics_problem(system);
    if (!problem.empty()) throw InputError(analysis_node(model).where, problem);
    if (!plan.channels.empty()) check_channels(*patterns, plan.channels, state_channels(system.layout()));
  } else if (type == "statics") {
    const StaticsPlan plan = plan_statics(model);
    if (!plan.channels.empty()) check_channels(*patterns, plan.channels, state_channels(system.layout()));
  } else if (type == "campbell") {
    check_still(model, system, plan_campbell(model).axis);
  } else {
    const LinearPlan plan = plan_linear(model);
    check_still(model, system, plan.rotation);
    if (!plan.outputs.empty())
      check_channels(*analysis_node(model).find("outputs"), plan.outputs, system.layout().channels, "outputs");
  }
}

}  // namespace bristle
