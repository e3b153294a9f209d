#include <array>

#include "bristle/assemble/assemble.h"
#include "bristle/assemble/kinds.h"
#include "bristle/base/text.h"
#include "bristle/model/reader.h"

namespace bristle {

namespace {

constexpr std::array<std::string_view, 11> kSections = {"bristle", "title",  "description", "parameters", "bodies", "states",
                                                        "forces",  "joints", "analysis",    "record",     "check"};

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
  int rest = 0, clock = 0;
  reader.choice("rest", rest, {"events", "threshold"}, "how dry friction comes to rest");
  reader.choice("clock", clock, {"exact", "late"}, "late: as in published tables with switched steps");
  plan.options.rest = rest == 0 ? RestRule::events : RestRule::threshold;
  plan.options.late_clock = clock == 1;
  plan.options.watch_modes = true;
  plan.options.max_step = reader.optional_number("max_step", unit::second, positive).value_or(kInfinity);
  plan.options.min_step = reader.optional_number("min_step", unit::second, positive).value_or(0);
  IntegratorPlan made = read_integrator(reader, scope, plan.options.max_step);
  plan.integrator = made.name;
  reader.finish({"type"});
  if (integrator) *integrator = std::move(made);

  if (const Node* record = model.root.find("record")) {
    Reader r(map_of(*record, "record", "{every: 1 ms, channels: [\"block.*\"]}"), scope, {"record", {}});
    check_keys(r, kind_entry("section", "record"));
    if (r.optional_text("every") == "step") {
      plan.every = 0;
    } else {
      plan.every = r.optional_number("every", unit::second, positive).value_or(plan.every);
    }
    plan.channels = r.optional_names("channels");
    r.finish();
  }
  if (const Node* check = model.root.find("check")) {
    Reader r(map_of(*check, "check", "{energy: 1e-6}"), scope, {"check", {}});
    check_keys(r, kind_entry("section", "check"));
    plan.energy_check = r.optional_number("energy", unit::one, positive).value_or(0);
    r.finish();
  }
  return plan;
}

/// Every pattern of the record must fit a channel.
void check_channels(const Node& node, const std::vector<std::string>& patterns, const Layout& layout) {
  std::vector<std::string> names;
  for (const Channel& c : recordable_channels(layout)) names.push_back(c.name);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    bool found = false;
    for (const std::string& n : names) found = found || wildcard_match(patterns[i], n);
    if (!found) {
      throw InputError(node.is_list() ? node[i].where : node.where,
                       "record: no channel fits '" + shortened(patterns[i]) + "'." + did_you_mean(patterns[i], names));
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
       choice_of("rest", {"events", "threshold"}, "how dry friction comes to rest: located in time, or a band of speeds"),
       plain_field(number, "max_step", unit::second, positive, "none", "largest step"),
       plain_field(number, "min_step", unit::second, positive, "rounding", "smallest step before the run gives up"),
       choice_of("clock", {"exact", "late"}, "late: time stamps as in published tables with switched steps")},
      "analysis:\n  type: transient\n  end: 10 s\n  integrator: {type: radau5, tolerance: 1e-6}\n",
      "",
      {{"integrator", "integrator"}}};
  KindEntry modes{
      "modes", "frequencies, damping and shapes about the start, without friction", {}, "analysis: {type: modes}\n", "", {}};
  return {transient, modes};
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
  return {states, record, check};
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

std::unique_ptr<Run> make_run(const Model& model, const System& system, const TransientPlan& plan) {
  IntegratorPlan made;
  read_plan(model, &made);
  const std::string refused = made.integrator->needs_refused(system);
  if (!refused.empty()) {
    throw InputError(analysis_node(model).where,
                     "integrator '" + made.name + "' cannot run this model: " + refused + ". Try rk4 or dormand_prince.");
  }
  if (plan.options.rest == RestRule::threshold && !system.dry().empty() && !made.integrator->takes_jumps()) {
    throw InputError(analysis_node(model).where, "rest: threshold makes the friction force of '" + system.dry()[0].name +
                                                     "' jump inside a step, which integrator '" + made.name +
                                                     "' cannot follow. Use rk4 with a fixed step, or rest: events");
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
  const System system = assemble(model);
  if (analysis_type(model) == "transient") {
    const TransientPlan plan = plan_transient(model);
    make_run(model, system, plan);
    if (!plan.channels.empty()) check_channels(*root.find("record")->find("channels"), plan.channels, system.layout());
  }
}

}  // namespace bristle
