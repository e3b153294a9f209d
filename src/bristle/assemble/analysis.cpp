#include <array>

#include "bristle/assemble/assemble.h"
#include "bristle/base/text.h"
#include "bristle/model/reader.h"

namespace bristle {

namespace {

constexpr std::array<std::string_view, 11> kSections = {"bristle", "title", "description", "parameters", "bodies", "states",
                                                        "forces",  "joints", "analysis",   "record",     "check"};

const Node& analysis_node(const Model& model) {
  const Node* node = model.root.find("analysis");
  if (node == nullptr || !node->is_map()) {
    throw InputError(model.root.where, "the model has no analysis; write for example analysis: {type: transient, end: 10 s, integrator: {type: radau5}}");
  }
  return *node;
}

struct IntegratorPlan {
  std::unique_ptr<Integrator> integrator;
  std::vector<std::unique_ptr<StepController>> controllers;
  std::string name;
};

IntegratorPlan read_integrator(Reader& analysis, const ParameterScope& scope, double& max_step) {
  const Node& node = analysis.child("integrator", "how to integrate, for example {type: radau5}");
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
    if (!adapt->is_list()) reader.fail("adapt", "adapt takes a list of step rules, for example [{type: velocity, fine: 0.1 ms, coarse: 1 ms}]");
    for (std::size_t i = 0; i < adapt->size(); ++i) {
      const Node& rule = (*adapt)[i];
      Reader inner(rule, scope, {"step rule", {}});
      const std::string type = inner.text("type", "kind of step rule");
      const ControllerEntry& found = controller_registry().find(type, rule.find("type")->where);
      Reader typed(rule, scope, {"step rule '" + type + "'", {}});
      plan.controllers.push_back(found.make(typed));
      typed.finish({"type"});
    }
  }
  reader.finish({"type"});
  if (plan.controllers.empty() && !plan.integrator->estimates_error()) {
    reader.fail("step", "'" + plan.name + "' does not control its error: give it a step, for example step: 1 ms, or step rules under adapt");
  }
  return plan;
}

/// The analysis as written; makes the integrator only when asked for.
TransientPlan read_plan(const Model& model, IntegratorPlan* integrator) {
  const ParameterScope scope = parameters_of(model);
  TransientPlan plan;
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  reader.text("type", "kind of analysis");
  plan.start = reader.optional_number("start", unit::second).value_or(0);
  plan.end = reader.number("end", unit::second, any, "end time");
  if (!(plan.end > plan.start)) reader.fail("end", "the end must come after the start (" + number_text(plan.start) + " s), got " + number_text(plan.end) + " [s]");
  plan.every = (plan.end - plan.start) / 4000;
  int rest = 0, clock = 0;
  reader.choice("rest", rest, {"events", "threshold"}, "how dry friction comes to rest");
  reader.choice("clock", clock, {"exact", "late"}, "late: as in published tables with switched steps");
  plan.options.rest = rest == 0 ? RestRule::events : RestRule::threshold;
  plan.options.late_clock = clock == 1;
  plan.options.max_step = reader.optional_number("max_step", unit::second, positive).value_or(kInfinity);
  plan.options.min_step = reader.optional_number("min_step", unit::second, positive).value_or(0);
  IntegratorPlan made = read_integrator(reader, scope, plan.options.max_step);
  plan.integrator = made.name;
  reader.finish({"type"});
  if (integrator) *integrator = std::move(made);

  if (const Node* record = model.root.find("record")) {
    Reader r(*record, scope, {"record", {}});
    if (r.optional_text("every") == "step") {
      plan.every = 0;
    } else {
      plan.every = r.optional_number("every", unit::second, positive).value_or(plan.every);
    }
    plan.channels = r.optional_names("channels");
    r.finish();
  }
  if (const Node* check = model.root.find("check")) {
    Reader r(*check, scope, {"check", {}});
    plan.energy_check = r.optional_number("energy", unit::one, positive).value_or(0);
    r.finish();
  }
  return plan;
}

}  // namespace

std::string analysis_type(const Model& model) {
  const Node& node = analysis_node(model);
  const Node* type = node.find("type");
  if (type == nullptr || !type->is_scalar()) throw InputError(node.where, "analysis: missing key 'type'. Write type: transient or type: modes");
  const std::vector<std::string> known{"transient", "modes"};
  for (const std::string& k : known) {
    if (type->text == k) return k;
  }
  throw InputError(type->where, "analysis: unknown type '" + type->text + "'." + did_you_mean(type->text, known) + " Known: transient, modes");
}

std::string title_of(const Model& model) {
  const Node* title = model.root.find("title");
  return title && title->is_scalar() ? title->text : model.file;
}

TransientPlan plan_transient(const Model& model) { return read_plan(model, nullptr); }

std::unique_ptr<Run> make_run(const Model& model, const System& system, const TransientPlan& plan) {
  IntegratorPlan made;
  read_plan(model, &made);
  const std::string refused = made.integrator->needs_refused(system);
  if (!refused.empty()) {
    throw InputError(analysis_node(model).where, "integrator '" + made.name + "' cannot run this model: " + refused + ". Try rk4 or dormand_prince.");
  }
  return std::make_unique<Run>(system, std::move(made.integrator), std::move(made.controllers), plan.options);
}

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
  if (version->text != "1") throw InputError(version->where, "bristle: version '" + version->text + "' is not known to this program; it reads version 1");
  const System system = assemble(model);
  if (analysis_type(model) == "transient") {
    const TransientPlan plan = plan_transient(model);
    make_run(model, system, plan);
    std::vector<std::string> names;
    for (const Channel& c : system.layout().channels) names.push_back(c.name);
    for (const std::string& pattern : plan.channels) {
      bool found = wildcard_match(pattern, "energy.residual") || pattern.rfind("energy", 0) == 0;
      for (const std::string& n : names) found = found || wildcard_match(pattern, n);
      if (!found && pattern.find(".dissipated") == std::string::npos && pattern.find(".supplied") == std::string::npos) {
        throw InputError(root.find("record")->where, "record: no channel fits '" + pattern + "'." + did_you_mean(pattern, names));
      }
    }
  }
}

}  // namespace bristle
