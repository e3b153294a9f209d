#include "bristle/study/transient.h"

#include <fmt/format.h>

#include <algorithm>

#include "bristle/assemble/elements.h"
#include "bristle/assemble/section_keys.h"
#include "bristle/assemble/usual_friction.h"
#include "bristle/base/text.h"
#include "bristle/model/describe.h"
#include "bristle/study/describe.h"
#include "bristle/study/section.h"
#include "bristle/study/transient_summary.h"

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

/// Does a method that does not control its error do so once it has a tolerance?
bool may_control_error(const IntegratorEntry& entry) {
  Node given = Node::map();
  given.set("tolerance", Node::scalar("1e-6"));
  const Scope none;
  Reader reader(given, none);
  return entry.make(reader)->traits().estimates_error;
}

/// `limit`: the longest step of a method that controls its error.
IntegratorPlan read_integrator(Reader& analysis, const Scope& scope, const Elements& elements, double& limit) {
  if (!analysis.has("integrator"))
    analysis.fail("integrator", "missing key 'integrator' (how to integrate). Write integrator: {type: radau5}");
  const Node& node = analysis.child("integrator", "how to integrate");
  if (node.is_list()) analysis.fail("integrator", "integrator is the name of a method or a map with its type and settings");
  IntegratorPlan plan;
  const Node typed = with_type(node);
  Reader reader(typed, scope, {"integrator", {}});
  plan.name = reader.text("type", "name of the integrator");
  const Where where = reader.node().find("type")->where;
  const IntegratorEntry& entry = elements.integrators.find(plan.name, where);
  plan.integrator = entry.make(reader);
  const auto [step, adapt] = read_keys<StepKeys>(reader, scope);
  if (step && plan.integrator->traits().estimates_error) {
    limit = *step;
  } else if (step) {
    auto constant = std::make_unique<ConstantStep>();
    constant->step = *step;
    plan.controllers.push_back(std::move(constant));
  }
  if (adapt != nullptr) {
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
      const std::string type = read_kind(inner, controller_group(elements.controllers)).name;
      const ControllerEntry& found = *elements.controllers.find(type);
      Reader settings(rule, scope, {"step rule '" + type + "'", {}});
      plan.controllers.push_back(found.make(settings));
      settings.finish({"type"});
    }
  }
  reader.finish({"type"});
  const bool led = std::any_of(plan.controllers.begin(), plan.controllers.end(), [](const auto& c) { return c->stands_alone(); });
  if (!led && !plan.integrator->traits().estimates_error) {
    reader.fail("step", "'" + plan.name + "' does not control its error: give it a step, for example step: 1 ms, " +
                            (may_control_error(entry) ? "a tolerance, which then leads the step, " : "") +
                            "or step rules under adapt" +
                            (plan.controllers.empty() ? "" : " beside those that only limit others"));
  }
  return plan;
}

Enforcement read_enforcement(Reader& analysis, const Scope& scope, const EnforcementRegistry& known) {
  const Node* node = analysis.optional_child("enforcement");
  if (node == nullptr) {
    static const Node nothing = Node::map();
    Reader none(nothing, scope, {"enforcement", {}});
    return known.all()[0].make(none);
  }
  if (node->is_list()) analysis.fail("enforcement", "enforcement is the name of a method or a map with its type and settings");
  const Node typed = with_type(*node);
  Reader reader(typed, scope, {"enforcement", {}});
  const std::string type = reader.text("type", "name of the method");
  Enforcement made = known.find(type, reader.node().find("type")->where).make(reader);
  made.name = type;
  reader.finish({"type"});
  return made;
}

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
  if (impacts && system.layout().held_count() > 0 && !plan.options.enforcement.corrects)
    throw InputError(analysis_node(model).where,
                     who + " keeps the joints on velocities and corrects positions after every step; enforcement '" +
                         plan.options.enforcement.name + "' does not do that. Use projection, or leave it out");
}

/// The run of a plan with the method that was read; refuses what the method cannot do.
std::unique_ptr<Run> run_of(const Model& model, const System& system, const TransientPlan& plan, IntegratorPlan made) {
  check_contacts(model, system, plan, made);
  const std::string refused = made.integrator->needs_refused(system);
  if (!refused.empty()) {
    throw InputError(analysis_node(model).where,
                     "integrator '" + made.name + "' cannot run this model: " + refused +
                         (refused.find(". ") == std::string::npos ? ". Try rk4 or dormand_prince." : ""));
  }
  if (made.integrator->traits().enforces && system.layout().held_count() > 0 &&
      analysis_node(model).find("enforcement") != nullptr) {
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

}  // namespace

void TransientAnalysis::visit(Keys& keys) {
  elements_ = &keys.elements();
  visit_times(keys, plan_.start, plan_.end);
  plan_.every = (plan_.end - plan_.start) / 4000;
  RunOptions& options = plan_.options;
  options.watch_modes = true;
  double limit = kInfinity;
  keys.form("integrator", "integrator", "", "the method: a name, or a map with type and settings; see `bristle list integrator`",
            [&](Reader& reader, const Scope& scope) { method_ = read_integrator(reader, scope, *elements_, limit); });
  plan_.integrator = method_.name;
  keys.form("enforcement", "enforcement", "projection",
            "how joints are kept: a name, or a map with type and settings; see `bristle list enforcement`",
            [&](Reader& reader, const Scope& scope) {
              options.enforcement = read_enforcement(reader, scope, elements_->enforcements);
            });
  keys.choice_of("rest", options.rest, {"events", "threshold"},
                 "how dry friction comes to rest: located in time, or a band of speeds");
  keys.number("max_step", options.max_step, unit::second, positive, "none", "largest step");
  options.max_step = std::min(options.max_step, limit);
  keys.number("min_step", options.min_step, unit::second, positive, "rounding",
              "smallest step before the run gives up; where Newton's iteration fails 1e-9 of the wanted step, unless given");
  keys.choice_of("from", plan_.from_equilibrium, {"start", "equilibrium"},
                 "where the motion begins: as the model gives it, or at rest in equilibrium");
  keys.choice_of("clock", options.late_clock, {"exact", "late"}, "late: time stamps as in published tables with switched steps");
}

void TransientAnalysis::read(const Model& model) {
  read_record(model, plan_.end - plan_.start, plan_.every, plan_.channels);
  const Node* check = model.root.find("check");
  if (check == nullptr) return;
  const ParameterScope scope = parameters_of(model);
  Reader r(map_of(*check, "check", "{energy: 1e-6}"), scope, {"check", {}});
  check_keys(r, kind_entry("section", "check"));
  plan_.energy_check = read_keys<CheckKeys>(r, scope).energy.value_or(0);
  r.finish();
}

std::string TransientAnalysis::outline() const {
  return fmt::format("{:.6g} s to {:.6g} s with {}", plan_.start, plan_.end, plan_.integrator);
}

std::unique_ptr<Run> TransientAnalysis::take_run(const Model& model, const System& system, const TransientPlan& plan) {
  // a run uses its method up
  if (!method_.integrator) method_ = read_analysis<TransientAnalysis>(model, *elements_).method_;
  return run_of(model, system, plan, std::move(method_));
}

void TransientAnalysis::check(const Assembled& a) {
  run_ = take_run(a.model, a.system, plan_);
  check_record(a.model, plan_.channels, recordable_channels(a.system.layout()));
}

std::unique_ptr<AnalysisResult> TransientAnalysis::run(const Assembled& a, Sink& sink, const RunControl& control) {
  auto summary = std::make_unique<TransientSummary>();
  const Layout& layout = a.system.layout();
  summary->model = a.model.file;
  summary->integrator = plan_.integrator;
  summary->energy_check = plan_.energy_check;
  summary->accounts = layout.accounts;
  summary->moved = a.moved;
  summary->assumed = assumed_friction(a.model, a.elements.friction);
  summary->mechanism = mechanism_text(layout, 18);
  summary->redundant = layout.redundant;
  summary->freedoms = layout.freedoms;
  const std::unique_ptr<Run> run = run_ ? std::move(run_) : take_run(a.model, a.system, plan_);
  summary->take(run_transient(*run, plan_, control.header, sink, control.stop, control.progress));
  return summary;
}

TransientPlan plan_transient(const Model& model, const Elements& elements) {
  return read_analysis<TransientAnalysis>(model, elements).plan();
}

std::unique_ptr<Run> make_run(const Model& model, const System& system, const TransientPlan& plan, const Elements& elements) {
  return read_analysis<TransientAnalysis>(model, elements).take_run(model, system, plan);
}

}  // namespace bristle
