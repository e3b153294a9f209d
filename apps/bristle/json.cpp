#include <nlohmann/json.hpp>

#include "summary.h"

namespace bristle::app {

using Json = nlohmann::ordered_json;

std::string summary_json(const Summary& s) {
  const TransientResult& r = s.result;
  Json supplied = Json::object(), dissipated = Json::object();
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    const auto& [name, value] = r.accounts[i];
    if (s.accounts[i].kind == Account::Kind::supplied) supplied[name] = -value;
    else dissipated[name] = value;
  }
  const Json json = {{"title", s.title},
                     {"model", s.model},
                     {"end", name_of(r.end)},
                     {"message", r.message},
                     {"exit_code", s.exit_code},
                     {"time", r.t},
                     {"wall_time", r.wall},
                     {"integrator", s.plan.integrator},
                     {"steps", {{"accepted", r.counts.accepted}, {"rejected", r.counts.rejected}}},
                     {"newton_iterations", r.counts.newton},
                     {"evaluations", r.counts.evaluations},
                     {"events", r.events},
                     {"located_events", r.counts.events},
                     {"samples", r.samples},
                     {"energy",
                      {{"kinetic", r.energy.kinetic},
                       {"stored", r.energy.stored},
                       {"supplied", r.supplied},
                       {"dissipated", r.dissipated},
                       {"numerical", r.numerical},
                       {"residual", r.energy_residual},
                       {"supplied_by", supplied},
                       {"dissipated_by", dissipated}}},
                     {"results", s.folder + "/run.h5"},
                     {"report", s.report}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string modes_json(const ModesResult& result, const std::string& title) {
  constexpr double kTurn = 6.283185307179586;
  Json modes = Json::array();
  for (const LinearMode& m : result.modes) {
    Json shape = Json::object();
    for (std::size_t i = 0; i < m.shape.size(); ++i) shape[result.coordinates[i]] = m.shape[i];
    modes.push_back({{"angular_frequency", m.frequency},
                     {"frequency", m.frequency / kTurn},
                     {"damping_ratio", m.damping_ratio},
                     {"damped_angular_frequency", m.damped},
                     {"shape", shape}});
  }
  const Json json = {{"title", title}, {"coordinates", result.coordinates}, {"modes", modes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bristle::app
