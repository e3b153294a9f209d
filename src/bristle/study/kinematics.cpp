#include "bristle/study/kinematics.h"

#include <fmt/format.h>

#include "bristle/analyse/state_recorder.h"
#include "bristle/study/json_text.h"
#include "bristle/study/section.h"

namespace bristle {

namespace {

class KinematicsSummary final : public AnalysisResult {
 public:
  bool forces = false;
  KinematicsResult result;

  std::string text(const ResultPlace& place) const override {
    std::string out = fmt::format("{}\n  {:<18}{}{}\n", title, "analysis", name(), forces ? "" : ", without friction");
    out += fmt::format("  {:<18}{:.6g} s in {:.3g} s\n", "simulated time", result.t, result.wall);
    out += fmt::format("  {:<18}{} samples, {} predictions\n", "positions", result.samples, result.steps);
    for (const DriveForce& d : result.drives) {
      out += fmt::format("    {:<16}  peak {:.6g} {} at {:.6g} s, rms {:.6g} {}, work {:.6g} J\n", d.name, d.peak, d.unit,
                         d.peak_time, d.rms, d.unit, d.work);
    }
    return out + place_text(place, "run.h5");
  }
  std::string json(const ResultPlace& place) const override {
    Json drives = Json::object();
    for (const DriveForce& d : result.drives)
      drives[d.name] = {{"unit", d.unit}, {"peak", d.peak}, {"peak_time", d.peak_time}, {"rms", d.rms}, {"work", d.work}};
    return json_text({{"title", title},
                      {"analysis", name()},
                      {"end", name_of(end)},
                      {"message", message},
                      {"exit_code", exit_code()},
                      {"time", result.t},
                      {"wall_time", result.wall},
                      {"processor_time", result.processor},
                      {"samples", result.samples},
                      {"predictions", result.steps},
                      {"drives", drives},
                      {"results", place.folder.empty() ? "" : place.folder + "/run.h5"}});
  }

 private:
  const char* name() const { return forces ? "inverse dynamics" : "kinematics"; }
};

}  // namespace

void KinematicsAnalysis::visit(Keys& keys) {
  visit_times(keys, plan_.start, plan_.end);
  keys.number("every", every_, unit::second, positive, "as record, or 1/4000 of the time", "time between positions");
  if (every_) refuse_many_samples(keys, plan_.end - plan_.start, *every_);
}

void KinematicsAnalysis::read(const Model& model) {
  const double span = plan_.end - plan_.start, usual = span / 4000;
  plan_.every = usual;
  read_record(model, span, plan_.every, plan_.channels);
  plan_.every = every_.value_or(plan_.every > 0 ? plan_.every : usual);
}

std::string KinematicsAnalysis::outline() const { return fmt::format("{:.6g} s to {:.6g} s", plan_.start, plan_.end); }

void KinematicsAnalysis::check(const Assembled& a) {
  const std::string problem = kinematics_problem(a.system);
  if (!problem.empty()) throw InputError(analysis_node(a.model).where, problem);
  check_record(a.model, plan_.channels, state_channels(a.system.layout()));
}

std::unique_ptr<AnalysisResult> KinematicsAnalysis::run(const Assembled& a, Sink& sink, const RunControl& control) {
  auto summary = std::make_unique<KinematicsSummary>();
  summary->forces = plan_.forces;
  summary->result = record_kinematics(a.system, plan_, control.header, sink, control.stop);
  summary->end = summary->result.end;
  summary->message = summary->result.message;
  return summary;
}

KinematicsPlan plan_kinematics(const Model& model) {
  if (analysis_type(model) == InverseDynamicsAnalysis::kName) return read_analysis<InverseDynamicsAnalysis>(model).plan();
  return read_analysis<KinematicsAnalysis>(model).plan();
}

}  // namespace bristle
