#include <nlohmann/json.hpp>

#include "summary.h"

#include "bristle/math/decompositions.h"

namespace bristle::app {

using Json = nlohmann::ordered_json;

namespace {

Json rows_of(const Eigen::MatrixXd& m) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < m.cols(); ++j) row.push_back(m(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string summary_json(const Summary& s) {
  const TransientResult& r = s.result;
  Json supplied = Json::object(), dissipated = Json::object();
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    const auto& [name, value] = r.accounts[i];
    if (s.accounts[i].kind == Account::Kind::supplied) supplied[name] = -value;
    else dissipated[name] = value;
  }
  Json json = {{"title", s.title},
               {"model", s.model},
               {"end", name_of(r.end)},
               {"message", r.message},
               {"exit_code", s.exit_code},
               {"trusted", r.end == RunStatus::End::finished && !r.energy_failed},
               {"doubts", r.doubts},
               {"notes", r.notes},
               {"time", r.t},
               {"wall_time", r.wall},
               {"integrator", s.plan.integrator},
               {"steps",
                {{"accepted", r.counts.accepted},
                 {"rejected", r.counts.rejected},
                 {"rejected_by_newton", r.counts.rejected_by_newton},
                 {"rejected_by_error", r.counts.rejected_by_error}}},
               {"newton_iterations", r.counts.newton},
               {"contact_sweeps", r.counts.sweeps},
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
               {"constraint_error", {{"position", r.constraint_error.position}, {"velocity", r.constraint_error.velocity}}},
               {"results", s.folder + "/run.h5"},
               {"report", s.report}};
  if (r.contacts)
    json["contacts"] = {{"unsettled_steps", r.contacts->unsettled},
                        {"tolerance", r.contacts->tolerance},
                        {"worst", r.contacts->worst},
                        {"worst_at", r.contacts->at},
                        {"worst_place", r.contacts->place}};
  if (!s.mechanism.empty()) json["mechanism"] = {{"freedoms", s.freedoms}, {"redundant", s.redundant}, {"moved", s.moved}};
  if (!s.assumed.empty()) json["assumed"] = s.assumed;
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
    if (!result.frame.empty()) {
      modes.back()["whirl"] = m.whirl;
      modes.back()["across"] = m.across;
    }
    if (m.phase.empty()) continue;
    Json phase = Json::object();
    for (std::size_t i = 0; i < m.phase.size(); ++i) phase[result.coordinates[i]] = m.phase[i];
    modes.back()["phase"] = std::move(phase);
  }
  Json json = {{"title", title}, {"coordinates", result.coordinates}, {"modes", modes}};
  if (!result.frame.empty()) {
    json["speed"] = result.speed;
    json["frame"] = result.frame;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string campbell_json(const CampbellResult& result, const std::string& title) {
  Json modes = Json::array(), critical = Json::array();
  const std::size_t count = result.modes.empty() ? 0 : result.modes[0].size();
  for (std::size_t k = 0; k < count; ++k) {
    Json frequency = Json::array(), growth = Json::array(), ratio = Json::array(), whirl = Json::array();
    for (const auto& at : result.modes) {
      frequency.push_back(at[k].s.imag());
      growth.push_back(at[k].s.real());
      ratio.push_back(damping_ratio_of(at[k]));
      whirl.push_back(at[k].whirl);
    }
    modes.push_back({{"angular_frequency", frequency}, {"growth", growth}, {"damping_ratio", ratio}, {"whirl", whirl}});
  }
  for (const CriticalSpeed& c : result.critical)
    critical.push_back(
        {{"speed", c.speed}, {"order", c.order}, {"whirl", c.whirl}, {"across", c.across}, {"largest", c.largest}});
  return text_of({{"title", title},
                  {"frame", result.frame == RotationFrame::turning ? "turning" : "stationary"},
                  {"speeds", result.speeds},
                  {"modes", modes},
                  {"critical_speeds", critical}});
}

std::string statics_json(const System& system, const Equilibrium& result, const std::string& title) {
  const Layout& layout = system.layout();
  Workspace work = system.make_workspace();
  work.share = result.share;
  std::vector<double> out(layout.channels.size());
  system.calc_outputs(result.state, work, out.data());
  Json values = Json::object();
  for (std::size_t i = 0; i < out.size(); ++i) values[layout.channels[i].name] = out[i];
  return text_of({{"title", title},
                  {"found", result.found},
                  {"message", result.message},
                  {"stability", name_of(result.kind)},
                  {"iterations", result.iterations},
                  {"share_of_loads", result.share},
                  {"residual", result.residual},
                  {"stored", result.stored},
                  {"squares_of_angular_frequencies", result.squares},
                  {"time", result.state.t},
                  {"channels", values}});
}

std::string kinematics_json(const KinematicsResult& r, const std::string& title, const std::string& analysis,
                            const std::string& folder, int exit_code) {
  Json drives = Json::object();
  for (const DriveForce& d : r.drives)
    drives[d.name] = {{"unit", d.unit}, {"peak", d.peak}, {"peak_time", d.peak_time}, {"rms", d.rms}, {"work", d.work}};
  return text_of({{"title", title},
                  {"analysis", analysis},
                  {"end", name_of(r.end)},
                  {"message", r.message},
                  {"exit_code", exit_code},
                  {"time", r.t},
                  {"wall_time", r.wall},
                  {"samples", r.samples},
                  {"predictions", r.steps},
                  {"drives", drives},
                  {"results", folder + "/run.h5"}});
}

std::string linear_json(const StateSpace& s, const std::string& title) {
  Json values = Json::array();
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(s.linear.A, false);
  for (Eigen::Index i = 0; i < s.linear.A.rows(); ++i)
    values.push_back({solver.eigenvalues()[i].real(), solver.eigenvalues()[i].imag()});
  return text_of({{"title", title},
                  {"states", s.linear.states()},
                  {"inputs", s.inputs},
                  {"outputs", s.linear.outputs},
                  {"A", rows_of(s.linear.A)},
                  {"B", rows_of(s.B)},
                  {"C", rows_of(s.linear.C)},
                  {"D", rows_of(s.D)},
                  {"eigenvalues", values}});
}

}  // namespace bristle::app
