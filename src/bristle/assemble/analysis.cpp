#include "bristle/assemble/analysis.h"

#include "bristle/base/text.h"

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
  if (!node.is_map() && node.kind != Node::Kind::null) {
    throw InputError(node.where, std::string(what) + " must be a map, for example " + what + ": " + example);
  }
  return node;
}

AnalysisReader::AnalysisReader(const Model& model)
    : scope(parameters_of(model)),
      reader(analysis_node(model), scope, {"analysis", {}}),
      type(read_kind(reader, "analysis").name) {}

std::string analysis_type(const Model& model) { return AnalysisReader(model).type; }

std::string title_of(const Model& model) {
  const Node* title = model.root.find("title");
  return title && title->is_scalar() ? title->text : model.file;
}

void read_times(Reader& reader, double& start, double& end) {
  start = reader.optional_number("start", unit::second).value_or(0);
  end = reader.number("end", unit::second, any, "end time");
  if (!(end > start))
    reader.fail("end", "the end must come after the start (" + number_text(start) + " s), got " + number_text(end) + " [s]");
}

namespace {

void refuse_many_samples(const Reader& reader, double span, double every) {
  constexpr double kMost = 1e8;  // of one channel: 0.8 GB
  if (!(every > 0) || !(span / every > kMost)) return;
  reader.fail("every", "a sample every " + number_text(every) + " s makes " + number_text(std::floor(span / every)) +
                           " samples in " + number_text(span) + " s; the limit is " + number_text(kMost) +
                           ". Give every at least " + number_text(span / kMost) + " s");
}

}  // namespace

void read_record(const Model& model, const ParameterScope& scope, double span, double& every,
                 std::vector<std::string>& channels) {
  const Node* record = model.root.find("record");
  if (record == nullptr) return;
  Reader r(map_of(*record, "record", "{every: 1 ms, channels: [\"block.*\"]}"), scope, {"record", {}});
  check_keys(r, kind_entry("section", "record"));
  if (r.optional_text("every") == "step") every = 0;
  else every = r.optional_number("every", unit::second, positive).value_or(every);
  refuse_many_samples(r, span, every);
  channels = r.optional_names("channels");
  r.finish();
}

KinematicsPlan plan_kinematics(const Model& model) {
  AnalysisReader analysis(model);
  Reader& reader = analysis.reader;
  KinematicsPlan plan;
  plan.forces = analysis.type == "inverse_dynamics";
  read_times(reader, plan.start, plan.end);
  const double usual = (plan.end - plan.start) / 4000;
  plan.every = usual;
  read_record(model, analysis.scope, plan.end - plan.start, plan.every, plan.channels);
  plan.every = reader.optional_number("every", unit::second, positive).value_or(plan.every > 0 ? plan.every : usual);
  refuse_many_samples(reader, plan.end - plan.start, plan.every);
  reader.finish({"type"});
  return plan;
}

StaticsPlan plan_statics(const Model& model) {
  AnalysisReader analysis(model);
  Reader& reader = analysis.reader;
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
  read_record(model, analysis.scope, 0, every, plan.channels);
  return plan;
}

}  // namespace bristle
