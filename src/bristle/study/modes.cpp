#include "bristle/study/modes.h"

#include <fmt/format.h>

#include <limits>
#include <numbers>

#include "bristle/study/json_text.h"
#include "bristle/study/linearise.h"
#include "bristle/study/rotation.h"
#include "bristle/study/section.h"

namespace bristle {

namespace {

class ModesSummary final : public AnalysisResult {
 public:
  LinearPlan plan;
  ModesResult result;

  std::string text(const ResultPlace& place) const override {
    std::string out = title + "\n" + modes_text(result);
    if (plan.speed) out += fmt::format("  about a steady rotation at {:g} rad/s, in the {} frame\n", *plan.speed, result.frame);
    else if (result.moving) out += "  the state moves; unless the motion is steady, these numbers belong to this instant\n";
    else if (!plan.equilibrium && result.unbalance > 1e-6)
      out += "  the start is no equilibrium; about: equilibrium looks for one first\n";
    return out + place_text(place, "modes.json");
  }
  std::string json(const ResultPlace&) const override {
    constexpr double kTurn = 2 * std::numbers::pi;
    Json modes = Json::array();
    for (const LinearMode& m : result.modes) {
      Json shape = Json::object();
      for (std::size_t i = 0; i < m.shape.size(); ++i) shape[result.coordinates[i]] = m.shape[i];
      modes.push_back({{"angular_frequency", m.frequency},
                       {"frequency", m.frequency / kTurn},
                       {"damping_ratio", m.damping_ratio},
                       {"damped_angular_frequency", m.damped},
                       {"shape", shape}});
      if (!result.frame.empty()) {
        modes.back()["whirl"] = m.whirl;
        modes.back()["across"] = m.across;
      }
      if (m.phase.empty()) continue;
      Json phase = Json::object();
      for (std::size_t i = 0; i < m.phase.size(); ++i) phase[result.coordinates[i]] = m.phase[i];
      modes.back()["phase"] = std::move(phase);
    }
    Json out = {{"title", title}, {"coordinates", result.coordinates}, {"modes", modes}};
    if (!result.frame.empty()) {
      out["speed"] = result.speed;
      out["frame"] = result.frame;
    }
    return json_text(out);
  }
  std::vector<ResultFile> files() const override { return {text_file("modes.json", json({}))}; }
};

}  // namespace

void visit_state(Keys& keys, LinearPlan& plan) {
  keys.choice_of("about", plan.equilibrium, {"start", "equilibrium"},
                 "which state: as the model gives it, or an equilibrium near it");
  keys.number("time", plan.time, unit::second, any, "0 s", "for loads and drives that change with t");
  keys.choice_of("axes", plan.axes, {"world", "body"}, "of turns of rigid bodies, where the state moves");
}

void ModesAnalysis::visit(Keys& keys) {
  visit_state(keys, plan_);
  keys.number("speed", plan_.speed, unit::radian_per_second, any, "no rotation",
              "of a steady rotation, about which the modes are");
  for (const char* key : {"axis", "at", "frame", "still"}) {
    if (!plan_.speed && keys.has(key))
      keys.refuse(key,
                  std::string("'") + key + "' belongs to a steady rotation: give its speed as well, for example speed: 3000 rpm");
  }
  for (const char* key : {"about", "axes"}) {
    if (plan_.speed && keys.has(key))
      keys.refuse(key, std::string("with speed the modes are about the steady rotation, in its frame: leave '") + key + "' out");
  }
  visit_rotation(keys, plan_.rotation);
}

void ModesAnalysis::check(const Assembled& a) { check_still(a.model, a.system, plan_.rotation); }

std::unique_ptr<AnalysisResult> ModesAnalysis::run(const Assembled& a, Sink&, const RunControl&) {
  auto summary = std::make_unique<ModesSummary>();
  summary->plan = plan_;
  const State state = linear_state(a.system, plan_);
  summary->result =
      plan_.speed ? calc_rotor_modes(a.system, plan_.rotation, *plan_.speed, state) : calc_modes(a.system, state, plan_.axes);
  return summary;
}

State linear_state(const System& system, const LinearPlan& plan) {
  State x = system.make_state();
  x.t = std::numeric_limits<double>::quiet_NaN();  // the driven coordinates may be anywhere
  system.set_time(x, plan.time);
  if (!plan.equilibrium) return x;
  return equilibrium_start(system, x);
}

LinearPlan plan_linear(const Model& model) {
  if (analysis_type(model) == LineariseAnalysis::kName) return read_analysis<LineariseAnalysis>(model).plan();
  return read_analysis<ModesAnalysis>(model).plan();
}

}  // namespace bristle
