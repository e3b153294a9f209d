#include "bristle/study/statics.h"

#include <fmt/format.h>

#include <cmath>

#include "bristle/analyse/state_recorder.h"
#include "bristle/study/json_text.h"
#include "bristle/study/section.h"

namespace bristle {

namespace {

class StaticsSummary final : public AnalysisResult {
 public:
  Equilibrium result;
  std::string table;  ///< of statics_text
  std::vector<std::pair<std::string, double>> channels;

  std::string text(const ResultPlace& place) const override {
    std::string out = fmt::format(
        "{}\n  {:<18}{}\n", title, "equilibrium",
        result.found ? fmt::format("found in {} iterations, {}", result.iterations, name_of(result.kind)) : "not found");
    out += "  friction is left out, states of the user keep their values\n";
    if (result.found && !result.squares.empty()) {
      const double square = result.squares.front();
      const bool neutral = result.kind == Equilibrium::Kind::neutral;
      out += fmt::format("  {:<18}{:.6g} rad/s{}\n", "lowest frequency", neutral ? 0 : std::sqrt(std::abs(square)),
                         neutral      ? " to rounding: it can move without a force"
                         : square < 0 ? ", unstable"
                                      : "");
    }
    out += fmt::format("  {:<18}{:.6g} J\n", "stored energy", result.stored);
    return out + table + place_text(place, "run.h5, statics.json");
  }
  std::string json(const ResultPlace&) const override {
    Json values = Json::object();
    for (const auto& [name, value] : channels) values[name] = value;
    return json_text({{"title", title},
                      {"found", result.found},
                      {"message", message},
                      {"stability", name_of(result.kind)},
                      {"iterations", result.iterations},
                      {"share_of_loads", result.load_factor},
                      {"residual", result.residual},
                      {"stored", result.stored},
                      {"squares_of_angular_frequencies", result.squares},
                      {"time", result.state.t},
                      {"channels", values}});
  }
  std::vector<ResultFile> files() const override { return {text_file("statics.json", json({}))}; }
};

}  // namespace

void StaticsAnalysis::visit(Keys& keys) {
  StaticsOptions& options = plan_.options;
  keys.number("time", plan_.time, unit::second, any, "0 s", "for loads and drives that change with t");
  bool any_kind = !options.leave;
  keys.choice_of("accept", any_kind, {"stable", "any"}, "any: stay where the start is an unstable equilibrium");
  options.leave = !any_kind;
  keys.number("tolerance", options.tolerance, unit::one, positive, "1e-11", "forces left, relative to the largest");
  keys.choice_of("control", options.control, {"descent", "load", "arc_length"},
                 "how it is found: downhill; by loads that grow in steps; along the curve of equilibria");
  keys.number("step", options.step, unit::one, positive, "1",
              "largest step: share of the load; along the arc: angle [rad], or length over that of the mechanism");
  keys.integer("points", options.points, 1, 1000000, "of load and arc_length: at most");
}

void StaticsAnalysis::read(const Model& model) {
  double every = 0;
  read_record(model, 0, every, plan_.channels);
}

void StaticsAnalysis::check(const Assembled& a) { check_record(a.model, plan_.channels, state_channels(a.system.layout())); }

std::unique_ptr<AnalysisResult> StaticsAnalysis::run(const Assembled& a, Sink& sink, const RunControl& control) {
  auto summary = std::make_unique<StaticsSummary>();
  Equilibrium& result = summary->result = run_statics(a.system, plan_, control.header, sink);
  summary->end = result.found ? RunStatus::End::finished : RunStatus::End::failed;
  summary->message = result.message;
  summary->table = statics_text(a.system, result);
  const Layout& layout = a.system.layout();
  Workspace work = a.system.make_workspace();
  work.load_factor = result.load_factor;
  std::vector<double> out(layout.channels.size());
  a.system.readings().calc_outputs(a.system.look(result.state, work), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) summary->channels.emplace_back(layout.channels[i].name, out[i]);
  return summary;
}

StaticsPlan plan_statics(const Model& model) { return read_analysis<StaticsAnalysis>(model).plan(); }

}  // namespace bristle
