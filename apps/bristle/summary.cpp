#include "summary.h"

#include <fmt/format.h>

#include <cmath>

#include "bristle/record/run_writer.h"

namespace bristle::app {

namespace {

std::string share(double part, double whole) { return whole > 0 ? fmt::format("{:6.2f} %", 100 * part / whole) : ""; }

}  // namespace

std::string summary_text(const Summary& s) {
  const TransientResult& r = s.result;
  std::string out;
  const auto line = [&](const char* what, const std::string& value) { out += fmt::format("  {:<18}{}\n", what, value); };
  const auto joule = [&](const std::string& what, double value, const std::string& more) {
    out += fmt::format("    {:<22}{:>14.6g} J  {}\n", what, value, more);
  };
  out += s.title + "\n";
  line("simulated time", fmt::format("{:.6g} s in {:.3g} s", r.t, r.wall));
  line("integrator", s.plan.integrator);
  line("steps", fmt::format("{} accepted, {} rejected", r.counts.accepted, r.counts.rejected));
  line("events", fmt::format("{} changes of mode, {} located", r.events, r.counts.events));
  line("samples", fmt::format("{}", r.samples));
  out += "  energy\n";
  double supplied = 0, dissipated = 0;
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    const double value = r.accounts[i].second;
    if (s.accounts[i].kind == Account::Kind::supplied) supplied += std::abs(value);
    else dissipated += std::abs(value);
  }
  joule("kinetic", r.energy.kinetic, "");
  joule("stored", r.energy.stored, "");
  joule("supplied", r.supplied, "");
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    if (s.accounts[i].kind == Account::Kind::supplied)
      joule("  by " + r.accounts[i].first, -r.accounts[i].second, share(-r.accounts[i].second, supplied));
  }
  joule("dissipated", r.dissipated, "");
  for (std::size_t i = 0; i < r.accounts.size(); ++i) {
    const double value = r.accounts[i].second;
    if (s.accounts[i].kind == Account::Kind::dissipated && value != 0)
      joule("  by " + r.accounts[i].first, value, share(value, dissipated));
  }
  if (r.numerical != 0) joule("numerical", r.numerical, "taken out by the method");
  line("  residual", fmt::format("  {:.2e} of the energy involved{}", r.energy_residual,
                                 s.plan.energy_check > 0
                                     ? fmt::format(", {} {:.1e}", r.energy_failed ? "MORE THAN" : "within", s.plan.energy_check)
                                     : ""));
  if (!s.report.empty()) line("report", s.report);
  line("results", s.folder + "/run.h5");
  return out;
}

}  // namespace bristle::app
