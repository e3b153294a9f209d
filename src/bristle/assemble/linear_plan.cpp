#include <algorithm>
#include <limits>

#include "bristle/assemble/analysis.h"
#include "bristle/assemble/space.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

/// Keys of a steady rotation.
RotationAxis read_rotation(AnalysisReader& analysis) {
  Reader& reader = analysis.reader;
  RotationAxis rotation;
  if (const Node* axis = reader.optional_child("axis")) {
    const Vec3<> n = read_direction(*axis, analysis.scope, reader.owner());
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
  AnalysisReader analysis(model);
  Reader& reader = analysis.reader;
  CampbellPlan plan;
  plan.time = reader.optional_number("time", unit::second).value_or(0);
  plan.axis = read_rotation(analysis);
  const Node& speeds = reader.child("speeds", "speeds of rotation, for example {from: 0, to: 3000 rpm, count: 31}");
  if (speeds.is_map()) {
    Reader inner(speeds, analysis.scope, {"analysis: speeds", {}});
    const double from = inner.number("from", unit::radian_per_second, any, "lowest speed"),
                 to = inner.number("to", unit::radian_per_second, any, "highest speed");
    int count = 31;
    inner.integer("count", count, 2, 100000, "number of speeds");
    inner.finish();
    if (!(to > from))
      inner.fail("to", "the highest speed must be above the lowest (" + number_text(from) + " rad/s), got " + number_text(to) +
                           " [rad/s]");
    for (int k = 0; k < count; ++k) plan.speeds.push_back(from + (to - from) * k / (count - 1));
  } else {
    reader.list("speeds", plan.speeds, unit::radian_per_second, any, "speeds of rotation");
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
  AnalysisReader analysis(model);
  Reader& reader = analysis.reader;
  const bool matrices = analysis.type == "linearise";
  LinearPlan plan;
  int about = 0, axes = 0, write = 0;
  reader.choice("about", about, {"start", "equilibrium"}, "which state");
  reader.choice("axes", axes, {"world", "body"}, "of turns of rigid bodies");
  plan.equilibrium = about == 1;
  plan.axes = axes == 0 ? LinearAxes::world : LinearAxes::body;
  plan.time = reader.optional_number("time", unit::second).value_or(0);
  if (!matrices) {
    plan.speed = reader.optional_number("speed", unit::radian_per_second);
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
    plan.rotation = read_rotation(analysis);
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

}  // namespace bristle
