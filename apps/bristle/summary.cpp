#include "summary.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <set>
#include <string>

#include "bristle/math/decompositions.h"
#include "bristle/record/convert.h"
#include "bristle/record/run_writer.h"

namespace bristle::app {

namespace {

std::string share(double part, double whole) { return whole > 0 ? fmt::format("{:6.2f} %", 100 * part / whole) : ""; }

/// Joints between bodies, and those between motions of other joints, which have no place in space.
std::size_t count_joints(const Layout& layout) {
  std::set<std::string> names;
  for (const JointInfo& j : layout.joints) names.insert("joint '" + j.name + "'");
  for (const HeldRow& h : layout.held) names.insert(h.owner);
  return names.size();
}

}  // namespace

std::string list_text(const char* name, const std::vector<std::string>& list, int column) {
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) out += fmt::format("  {:<{}}{}\n", i == 0 ? name : "", column, list[i]);
  return out;
}

std::string mechanism_text(const Layout& layout, int column) {
  if (layout.bodies.empty()) return "";
  std::string out;
  const auto line = [&](const char* what, const std::string& value) { out += fmt::format("  {:<{}}{}\n", what, column, value); };
  line("bodies", fmt::format("{} in space", layout.bodies.size() - 1));
  if (!layout.held.empty()) line("joints", fmt::format("{} with {} rows held", count_joints(layout), layout.held.size()));
  line("freedoms", fmt::format("{}", layout.freedoms));
  if (layout.redundant.empty()) return out;
  constexpr std::size_t kShown = 8;
  std::string names;
  for (std::size_t i = 0; i < layout.redundant.size() && i < kShown; ++i) names += (i ? ", " : "") + layout.redundant[i];
  if (layout.redundant.size() > kShown) names += fmt::format(" and {} more", layout.redundant.size() - kShown);
  line("redundant", fmt::format("{} {}: {}", layout.redundant.size(), layout.redundant.size() == 1 ? "row" : "rows", names));
  line("", "reactions of such joints are not unique, nor is friction that they load: the least ones are used");
  return out;
}

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
  out += s.mechanism + list_text("moved apart", s.moved, 18) + list_text("assumed", s.assumed, 18);
  line("steps", steps_text(r.counts));
  if (r.contacts) line("contacts", contacts_text(*r.contacts, r.counts));
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
  if (r.constraint_error.share_row >= 0 || r.constraint_error.rolling_row >= 0)
    line("constraint error", constraint_text(r.constraint_error));
  if (!r.doubts.empty()) line("NOT TRUSTED", "see the message");
  if (!s.report.empty()) line("report", s.report);
  line("results", s.folder + "/run.h5");
  return out;
}

std::string linear_text(const StateSpace& s, const std::string& title) {
  const Linearisation& lin = s.linear;
  std::string out = title + "\n";
  out += fmt::format("  {:<18}{} coordinates, {} of memory\n", "states", lin.coordinates.size(), lin.memory.size());
  for (const std::string& name : lin.coordinates) out += fmt::format("    {}\n", name);
  out += fmt::format("  {:<18}{} inputs, {} outputs\n", "signals", s.inputs.size(), lin.outputs.size());
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(lin.A, false);
  out += "  eigenvalues of A [1/s]\n";
  for (Eigen::Index i = 0; i < lin.A.rows(); ++i) {
    const std::complex<double> v = solver.eigenvalues()[i];
    if (v.imag() < 0) continue;
    out += v.imag() > 0 ? fmt::format("    {:.7g} +- {:.7g} i\n", v.real(), v.imag()) : fmt::format("    {:.7g}\n", v.real());
  }
  return out;
}

std::string matrix_csv(const std::vector<std::string>& columns, const Eigen::MatrixXd& m) {
  std::string out;
  for (std::size_t j = 0; j < columns.size(); ++j) out += (j == 0 ? "" : ",") + csv_text(columns[j]);
  out += "\n";
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) out += fmt::format("{}{}", j == 0 ? "" : ",", m(i, j));
    out += "\n";
  }
  return out;
}

}  // namespace bristle::app
