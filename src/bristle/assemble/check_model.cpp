#include <algorithm>
#include <array>

#include "bristle/analyse/state_recorder.h"
#include "bristle/assemble/analysis.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

constexpr std::array<std::string_view, 14> kSections = {"bristle",  "title",  "description", "parameters", "gravity",
                                                        "bodies",   "states", "forces",      "joints",     "collisions",
                                                        "analysis", "record", "check",       "sections"};

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

void check_still(const Model& model, const System& system, const RotationAxis& rotation) {
  std::vector<std::string> names;
  for (const BodyInfo& b : system.layout().bodies) {
    if (!b.moves()) continue;
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
