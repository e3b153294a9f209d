#include <algorithm>

#include "bristle/assemble/analysis.h"
#include "bristle/base/text.h"
#include "bristle/model/describe.h"

namespace bristle {

namespace {

/// A name alone stands for a map with nothing but its type.
Node with_type(const Node& node) {
  if (!node.is_scalar()) return node;
  Node map = Node::map();
  map.where = node.where;
  map.set("type", node);
  return map;
}

IntegratorPlan read_integrator(Reader& analysis, const ParameterScope& scope, double& max_step) {
  if (!analysis.has("integrator"))
    analysis.fail("integrator", "missing key 'integrator' (how to integrate). Write integrator: {type: radau5}");
  const Node& node = analysis.child("integrator", "how to integrate");
  if (node.is_list()) analysis.fail("integrator", "integrator is the name of a method or a map with its type and settings");
  IntegratorPlan plan;
  const Node typed = with_type(node);
  Reader reader(typed, scope, {"integrator", {}});
  plan.name = reader.text("type", "name of the integrator");
  const Where where = reader.node().find("type")->where;
  const IntegratorEntry& entry = integrator_registry().find(plan.name, where);
  plan.integrator = entry.make(reader);
  const std::optional<double> step = reader.optional_number("step", unit::second, positive);
  if (step && plan.integrator->traits().estimates_error) {
    max_step = std::min(max_step, *step);
  } else if (step) {
    auto constant = std::make_unique<ConstantStep>();
    constant->step = *step;
    plan.controllers.push_back(std::move(constant));
  }
  if (const Node* adapt = reader.optional_child("adapt")) {
    if (!adapt->is_list())
      reader.fail(
          "adapt",
          "adapt takes a list of step rules, for example [contact, friction] or [{type: velocity, fine: 0.1 ms, coarse: 1 ms}]");
    for (std::size_t i = 0; i < adapt->size(); ++i) {
      const Node rule = with_type((*adapt)[i]);
      if (!rule.is_map())
        throw InputError(
            rule.where,
            "a step rule is a name, for example contact, or a map with its type and settings, for example {type: velocity, "
            "fine: 0.1 ms, coarse: 1 ms}");
      Reader inner(rule, scope, {"step rule", {}});
      const std::string type = read_kind(inner, "controller").name;
      const ControllerEntry& found = controller_registry().find(type, rule.find("type")->where);
      Reader settings(rule, scope, {"step rule '" + type + "'", {}});
      plan.controllers.push_back(found.make(settings));
      settings.finish({"type"});
    }
  }
  reader.finish({"type"});
  const bool led = std::any_of(plan.controllers.begin(), plan.controllers.end(), [](const auto& c) { return c->stands_alone(); });
  if (!led && !plan.integrator->traits().estimates_error) {
    Describer keys;
    entry.describe(keys);
    const bool tolerant =
        std::any_of(keys.fields().begin(), keys.fields().end(), [](const Field& field) { return field.key == "tolerance"; });
    reader.fail("step", "'" + plan.name + "' does not control its error: give it a step, for example step: 1 ms, " +
                            (tolerant ? "a tolerance, which then leads the step, " : "") + "or step rules under adapt" +
                            (plan.controllers.empty() ? "" : " beside those that only limit others"));
  }
  return plan;
}

}  // namespace

TransientPlan read_transient(const Model& model, IntegratorPlan* integrator) {
  AnalysisReader analysis(model);
  Reader& reader = analysis.reader;
  const ParameterScope& scope = analysis.scope;
  TransientPlan plan;
  read_times(reader, plan.start, plan.end);
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
    if (node->is_list()) reader.fail("enforcement", "enforcement is the name of a method or a map with its type and settings");
    const Node typed = with_type(*node);
    Reader inner(typed, scope, {"enforcement", {}});
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

  read_record(model, scope, plan.end - plan.start, plan.every, plan.channels);
  if (const Node* check = model.root.find("check")) {
    Reader r(map_of(*check, "check", "{energy: 1e-6}"), scope, {"check", {}});
    check_keys(r, kind_entry("section", "check"));
    plan.energy_check = r.optional_number("energy", unit::one, positive).value_or(0);
    r.finish();
  }
  return plan;
}

TransientPlan plan_transient(const Model& model) { return read_transient(model, nullptr); }

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

namespace {

void check_contacts(const Model& model, const System& system, const TransientPlan& plan, const IntegratorPlan& made) {
  const std::string who = "integrator '" + made.name + "'";
  const bool impacts = made.integrator->traits().takes_impacts;
  const std::string way_out = "Use integrator: {type: moreau_jean, step: 1 ms}, or a contact law with stiffness such as flores";
  if (!impacts) refuse_rigid(model, system, who, way_out);
  for (const FreeContacts* group : system.groups()) {
    if (group->group_law() != nullptr || made.integrator->traits().takes_groups) continue;
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
  read_transient(model, &made);
  check_contacts(model, system, plan, made);
  const std::string refused = made.integrator->needs_refused(system);
  if (!refused.empty()) {
    throw InputError(analysis_node(model).where,
                     "integrator '" + made.name + "' cannot run this model: " + refused +
                         (refused.find(". ") == std::string::npos ? ". Try rk4 or dormand_prince." : ""));
  }
  if (made.integrator->traits().enforces && system.held_count() > 0 && analysis_node(model).find("enforcement") != nullptr) {
    throw InputError(analysis_node(model).where,
                     "integrator '" + made.name + "' keeps the joints itself, by its form; leave enforcement out");
  }
  if (plan.options.rest == RestRule::threshold && !system.dry().empty() && !made.integrator->traits().takes_jumps) {
    throw InputError(analysis_node(model).where, "rest: threshold makes the friction force of '" + system.dry()[0].name +
                                                     "' jump inside a step, which integrator '" + made.name +
                                                     "' cannot follow. Use rk4 with a fixed step, or rest: events");
  }
  RunOptions options = plan.options;
  options.end = plan.end;
  return std::make_unique<Run>(system, std::move(made.integrator), std::move(made.controllers), options);
}

}  // namespace bristle
