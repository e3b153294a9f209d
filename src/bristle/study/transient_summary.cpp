#include "bristle/study/transient_summary.h"

#include <fmt/format.h>

#include <cmath>

#include "bristle/study/describe.h"
#include "bristle/study/json_text.h"

namespace bristle {

namespace {

std::string share(double part, double whole) { return whole > 0 ? fmt::format("{:6.2f} %", 100 * part / whole) : ""; }

}  // namespace

void TransientSummary::take(TransientResult r) {
  end = r.end;
  message = r.message;
  doubts = r.doubts;
  notes = r.notes;
  failed_check = r.failed_check;
  result = std::move(r);
}

std::string TransientSummary::text(const ResultPlace& place) const {
  const TransientResult& r = result;
  std::string out;
  const auto line = [&](const char* what, const std::string& value) { out += fmt::format("  {:<18}{}\n", what, value); };
  const auto joule = [&](const std::string& what, double value, const std::string& more) {
    out += fmt::format("    {:<22}{:>14.6g} J  {}\n", what, value, more);
  };
  out += title + "\n";
  line("simulated time", fmt::format("{:.6g} s in {:.3g} s", r.t, r.wall));
  line("integrator", integrator);
  out += mechanism + list_text("moved apart", moved, 18) + list_text("assumed", assumed, 18);
  line("steps", steps_text(r.counts));
  if (r.contacts) line("contacts", contacts_text(*r.contacts, r.counts));
  line("events", fmt::format("{} changes of mode, {} located", r.events, r.counts.events));
  line("samples", fmt::format("{}", r.samples));
  out += "  energy\n";
  double supplied = 0, dissipated = 0;
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    const double value = r.accounts[i].second;
    if (accounts[i].kind == Account::Kind::supplied) supplied += std::abs(value);
    else dissipated += std::abs(value);
  }
  joule("kinetic", r.energy.kinetic, "");
  joule("stored", r.energy.stored, "");
  joule("supplied", r.supplied, "");
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    if (accounts[i].kind == Account::Kind::supplied)
      joule("  by " + r.accounts[i].first, -r.accounts[i].second, share(-r.accounts[i].second, supplied));
  }
  joule("dissipated", r.dissipated, "");
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    const double value = r.accounts[i].second;
    if (accounts[i].kind == Account::Kind::dissipated && value != 0)
      joule("  by " + r.accounts[i].first, value, share(value, dissipated));
  }
  if (r.numerical != 0) joule("numerical", r.numerical, r.numerical > 0 ? "taken out by the method" : "brought in by the method");
  const auto energy_share = [&](const char* what, double value) {
    const char* verdict = value <= energy_check ? "within" : "MORE THAN";
    line(what, fmt::format("  {:.2e} of the energy involved{}", value,
                           energy_check > 0 ? fmt::format(", {} {:.1e}", verdict, energy_check) : ""));
  };
  energy_share("  residual", r.energy_residual);
  if (r.energy_created > (energy_check > 0 ? energy_check : 1e-6)) energy_share("  brought in", r.energy_created);
  if (r.constraint_error.share_row >= 0 || r.constraint_error.rolling_row >= 0)
    line("constraint error", constraint_text(r.constraint_error));
  if (!r.doubts.empty()) line("NOT TRUSTED", "see the message");
  return out + place_text(place, "run.h5");
}

std::string TransientSummary::json(const ResultPlace& place) const {
  const TransientResult& r = result;
  Json supplied = Json::object(), dissipated = Json::object();
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    const auto& [name, value] = r.accounts[i];
    if (accounts[i].kind == Account::Kind::supplied) supplied[name] = -value;
    else dissipated[name] = value;
  }
  Json rejected_by = Json::object();
  for (int i = 0; i < kCauses; ++i) {
    if (r.counts.rejected_by[i] > 0) rejected_by[name_of(static_cast<Cause>(i))] = r.counts.rejected_by[i];
  }
  Json json = {{"title", title},
               {"model", model},
               {"end", name_of(r.end)},
               {"message", r.message},
               {"exit_code", exit_code()},
               {"trusted", r.end == RunStatus::End::finished && !r.energy_failed},
               {"doubts", r.doubts},
               {"notes", r.notes},
               {"time", r.t},
               {"wall_time", r.wall},
               {"processor_time", r.processor},
               {"integrator", integrator},
               {"steps", {{"accepted", r.counts.accepted}, {"rejected", r.counts.rejected}, {"rejected_by", rejected_by}}},
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
                 {"brought_in", r.energy_created},
                 {"supplied_by", supplied},
                 {"dissipated_by", dissipated}}},
               {"constraint_error", {{"position", r.constraint_error.position}, {"velocity", r.constraint_error.velocity}}},
               {"results", place.folder.empty() ? "" : place.folder + "/run.h5"},
               {"report", place.report}};
  if (r.contacts)
    json["contacts"] = {{"unsettled_steps", r.contacts->unsettled},
                        {"tolerance", r.contacts->tolerance},
                        {"worst", r.contacts->worst},
                        {"worst_at", r.contacts->at},
                        {"worst_place", r.contacts->place}};
  if (!mechanism.empty()) json["mechanism"] = {{"freedoms", freedoms}, {"redundant", redundant}, {"moved", moved}};
  if (!assumed.empty()) json["assumed"] = assumed;
  return json_text(json);
}

}  // namespace bristle
