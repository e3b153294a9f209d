#include "bristle/study/section.h"

#include <cmath>

#include "bristle/assemble/section_keys.h"
#include "bristle/base/text.h"
#include "bristle/study/plans.h"

namespace bristle {

const Node& analysis_node(const Model& model) {
  const Node* node = model.root.find("analysis");
  if (node == nullptr || !node->is_map()) {
    throw InputError(
        model.root.where,
        "the model has no analysis; write for example analysis: {type: transient, end: 10 s, integrator: {type: radau5}}");
  }
  return *node;
}

const Node& map_of(const Node& node, const char* what, const char* example) {
  if (node.kind == Node::Kind::null || (node.is_map() && node.children.empty()))
    throw InputError(node.where, std::string("the section ") + what + " is empty. Write for example " + what + ": " + example +
                                     ", or delete it");
  if (!node.is_map()) throw InputError(node.where, std::string(what) + " must be a map, for example " + what + ": " + example);
  return node;
}

const AnalysisEntry& read_analysis_type(const Model& model, const AnalysisRegistry& registry) {
  const ParameterScope scope = parameters_of(model);
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  const KindGroup kinds = kind_group(registry);
  return registry.find(read_kind(reader, kinds).name, reader.node().where);
}

void read_analysis(const Model& model, Analysis& analysis, const Elements& elements) {
  const ParameterScope scope = parameters_of(model);
  Reader reader(analysis_node(model), scope, {"analysis", {}});
  KeyReader keys(reader, scope, elements);
  analysis.visit(keys);
  reader.finish({"type"});
  analysis.read(model);
}

std::string analysis_type(const Model& model) { return read_analysis_type(model, analysis_registry()).name; }

std::string title_of(const Model& model) {
  const Node* title = model.root.find("title");
  return title && title->is_scalar() ? title->text : model.file;
}

void visit_times(Keys& keys, double& start, double& end) {
  keys.required("end", end, unit::second, any, "end time");
  keys.number("start", start, unit::second, any, "0 s", "start time");
  if (!(end > start))
    keys.refuse("end", "the end must come after the start (" + number_text(start) + " s), got " + number_text(end) + " [s]");
}

namespace {

constexpr double kMostSamples = 1e8;  // of one channel: 0.8 GB

std::string many_samples(double span, double every) {
  if (!(every > 0) || !(span / every > kMostSamples)) return "";
  return "a sample every " + number_text(every) + " s makes " + number_text(std::floor(span / every)) + " samples in " +
         number_text(span) + " s; the limit is " + number_text(kMostSamples) + ". Give every at least " +
         number_text(span / kMostSamples) + " s";
}

}  // namespace

void refuse_many_samples(const Keys& keys, double span, double every) {
  const std::string problem = many_samples(span, every);
  if (!problem.empty()) keys.refuse("every", problem);
}

void read_record(const Model& model, double span, double& every, std::vector<std::string>& channels) {
  const Node* record = model.root.find("record");
  if (record == nullptr) return;
  const ParameterScope scope = parameters_of(model);
  Reader r(map_of(*record, "record", "{every: 1 ms, channels: [\"block.*\"]}"), scope, {"record", {}});
  check_keys(r, kind_entry("section", "record"));
  RecordKeys keys = read_keys<RecordKeys>(r, scope);
  every = keys.every.value_or(every);
  const std::string problem = many_samples(span, every);
  if (!problem.empty()) r.fail("every", problem);
  channels = std::move(keys.channels);
  r.finish();
}

void check_channels(const Node& node, const std::vector<std::string>& patterns, const std::vector<Channel>& channels,
                    const char* what) {
  std::vector<std::string> names;
  for (const Channel& c : channels) names.push_back(c.name);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    bool found = false;
    for (const std::string& n : names) found = found || wildcard_match(patterns[i], n);
    if (!found) {
      throw InputError(
          node.is_list() ? node[i].where : node.where,
          what + std::string(": no channel fits '") + shortened(patterns[i]) + "'." + known_names(patterns[i], names));
    }
  }
}

void check_record(const Model& model, const std::vector<std::string>& patterns, const std::vector<Channel>& channels) {
  if (patterns.empty()) return;
  check_channels(*model.root.find("record")->find("channels"), patterns, channels, "record");
}

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

}  // namespace bristle
