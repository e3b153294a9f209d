#include "run_model.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "bristle/assemble/analysis.h"
#include "bristle/assemble/assemble.h"
#include "bristle/assemble/moved_apart.h"
#include "bristle/assemble/usual_friction.h"
#include "bristle/record/checkpoint.h"
#include "bristle/record/convert.h"
#include "bristle/record/file.h"
#include "bristle/record/report.h"
#include "bristle/record/run_folder.h"
#include "interrupt.h"
#include "progress.h"
#include "summary.h"

namespace bristle::app {

namespace {

namespace fs = std::filesystem;

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// What an analysis is to do, and where to. Until `begin` nothing in the folder has changed: input that is refused, or an analysis that
/// is computed before anything is written and fails, leaves the former run in it as it was.
struct Job {
  const Model& model;
  const std::string& text;
  const Output& output;
  RunFolder& folder;
  bool resume = false;
  void begin() {
    if (!resume) folder.begin(text);
  }
};

int exit_code_of(const TransientResult& result) {
  switch (result.end) {
    case RunStatus::End::finished: return result.energy_failed ? kCheckFailed : kOk;
    case RunStatus::End::untrusted: return result.energy_failed ? kCheckFailed : kUntrusted;
    case RunStatus::End::interrupted: return kInterrupted;
    default: return kNoConvergence;
  }
}

RunHeader header_of(const Model& model, const std::string& text, const Output& output) {
  RunHeader header;
  header.title = title_of(model);
  header.program = "bristle " BRISTLE_VERSION;
  header.command = output.command;
  header.created = now_text();
  header.model_file = model.file;
  header.model_text = text;
  return header;
}

/// The report of what is in the folder; its path, or nothing when none is wanted.
std::string report_of(const Output& output) {
  if (!output.report) return "";
  const std::string path = output.folder + "/report.html";
  write_report(read_run_for_report(output.folder), path);
  return path;
}

void show(const Output& output, const std::string& json, const std::string& text) {
  if (output.json) fmt::print("{}", json);
  else if (!output.quiet) fmt::print("{}", text);
  std::fflush(stdout);
}

/// What an analysis has to say about the model gets the place of the analysis.
template <class Run>
int placed(const Model& model, Run&& run) {
  const Where where = analysis_node(model).where;
  try {
    return run();
  } catch (const InputError& error) {
    if (!error.where().text().empty()) throw;
    throw InputError(where, "analysis: " + error.sentence());
  } catch (const SolveError& error) {
    fmt::print(stderr, "{}  analysis: {}\n", where.text(), error.what());
    return kNoConvergence;
  }
}

int run_modes(Job& job) {
  const Model& model = job.model;
  const Output& output = job.output;
  const LinearPlan plan = plan_linear(model);
  const System system = assemble(model, {.friction = false});
  const State state = linear_state(system, plan);
  const ModesResult result =
      plan.speed ? calc_rotor_modes(system, plan.rotation, *plan.speed, state) : calc_modes(system, state, plan.axes);
  const std::string json = modes_json(result, title_of(model));
  job.begin();
  write_file(output.folder + "/modes.json", json);
  if (output.quiet) return kOk;
  if (output.json) {
    fmt::print("{}", json);
    return kOk;
  }
  fmt::print("{}\n{}", title_of(model), modes_text(result));
  if (plan.speed) fmt::print("  about a steady rotation at {:g} rad/s, in the {} frame\n", *plan.speed, result.frame);
  else if (result.moving) fmt::print("  the state moves; unless the motion is steady, these numbers belong to this instant\n");
  else if (!plan.equilibrium && result.unbalance > 1e-6)
    fmt::print("  the start is no equilibrium; about: equilibrium looks for one first\n");
  fmt::print("  results           {}/modes.json\n", output.folder);
  return kOk;
}

int run_campbell(Job& job) {
  const Model& model = job.model;
  const Output& output = job.output;
  const System system = assemble(model, {.friction = false});
  const CampbellResult result = calc_campbell(system, plan_campbell(model));
  const std::string json = campbell_json(result, title_of(model));
  job.begin();
  write_file(output.folder + "/campbell.json", json);
  write_campbell(system, result, header_of(model, job.text, output), output.folder);
  const std::string report = report_of(output);
  std::string table = title_of(model) + "\n" + campbell_text(result);
  if (!report.empty()) table += fmt::format("  {:<18}{}\n", "report", report);
  table += fmt::format("  {:<18}{}/run.h5, campbell.json\n", "results", output.folder);
  show(output, json, table);
  return kOk;
}

int run_linearise(Job& job) {
  const Model& model = job.model;
  const Output& output = job.output;
  const LinearPlan plan = plan_linear(model);
  const StateSpace result = linearise_model(model, plan);
  const std::string json = linear_json(result, title_of(model));
  const std::string file = output.folder + "/linear.json";
  job.begin();
  write_file(file, json);
  if (plan.csv) {
    write_file(output.folder + "/A.csv", matrix_csv(result.linear.states(), result.linear.A));
    if (!result.inputs.empty()) write_file(output.folder + "/B.csv", matrix_csv(result.inputs, result.B));
    if (!result.linear.outputs.empty()) {
      write_file(output.folder + "/C.csv", matrix_csv(result.linear.states(), result.linear.C));
      if (!result.inputs.empty()) write_file(output.folder + "/D.csv", matrix_csv(result.inputs, result.D));
    }
  }
  if (plan.npz) {
    std::vector<NamedMatrix> list;
    const auto add = [&](const char* name, const Eigen::MatrixXd& m) {
      NamedMatrix one{name, static_cast<std::size_t>(m.rows()), static_cast<std::size_t>(m.cols()), {}};
      for (Eigen::Index i = 0; i < m.rows(); ++i) {
        for (Eigen::Index j = 0; j < m.cols(); ++j) one.numbers.push_back(m(i, j));
      }
      list.push_back(std::move(one));
    };
    add("A", result.linear.A), add("B", result.B), add("C", result.linear.C), add("D", result.D);
    write_matrices_npz(list, output.folder + "/linear.npz");
  }
  show(output, json, linear_text(result, title_of(model)) + fmt::format("  results           {}\n", file));
  return kOk;
}

int run_statics_model(Job& job) {
  const Model& model = job.model;
  const Output& output = job.output;
  const System system = assemble(model, {.friction = false});
  const auto plan = plan_statics(model);
  job.begin();
  const Equilibrium result = run_statics(system, plan, header_of(model, job.text, output), output.folder);
  const std::string json = statics_json(system, result, title_of(model));
  write_file(output.folder + "/statics.json", json);
  const std::string report = report_of(output);
  std::string table = fmt::format(
      "{}\n  {:<18}{}\n", title_of(model), "equilibrium",
      result.found ? fmt::format("found in {} iterations, {}", result.iterations, name_of(result.kind)) : "not found");
  table += "  friction is left out, states of the user keep their values\n";
  if (result.found && !result.squares.empty()) {
    const double square = result.squares.front();
    const bool neutral = result.kind == Equilibrium::Kind::neutral;
    table += fmt::format("  {:<18}{:.6g} rad/s{}\n", "lowest frequency", neutral ? 0 : std::sqrt(std::abs(square)),
                         neutral      ? " to rounding: it can move without a force"
                         : square < 0 ? ", unstable"
                                      : "");
  }
  table += fmt::format("  {:<18}{:.6g} J\n", "stored energy", result.stored);
  table += statics_text(system, result);
  if (!report.empty()) table += fmt::format("  {:<18}{}\n", "report", report);
  table += fmt::format("  {:<18}{}/run.h5, statics.json\n", "results", output.folder);
  show(output, json, table);
  if (!result.message.empty()) fmt::print(stderr, "{}: {}\n", model.file, result.message);
  return result.found ? kOk : kNoConvergence;
}

int run_kinematics_model(Job& job) {
  const Model& model = job.model;
  const Output& output = job.output;
  const KinematicsPlan plan = plan_kinematics(model);
  const System system = assemble(model, {.friction = plan.forces});
  job.begin();
  const KinematicsResult result =
      record_kinematics(system, plan, header_of(model, job.text, output), output.folder, catch_interrupts());
  const int code = result.end == RunStatus::End::finished      ? kOk
                   : result.end == RunStatus::End::interrupted ? kInterrupted
                                                               : kNoConvergence;
  const std::string report = report_of(output);
  const std::string name = plan.forces ? "inverse dynamics" : "kinematics";
  std::string table =
      fmt::format("{}\n  {:<18}{}{}\n", title_of(model), "analysis", name, plan.forces ? "" : ", without friction");
  table += fmt::format("  {:<18}{:.6g} s in {:.3g} s\n", "simulated time", result.t, result.wall);
  table += fmt::format("  {:<18}{} samples, {} predictions\n", "positions", result.samples, result.steps);
  for (const DriveForce& d : result.drives) {
    table += fmt::format("    {:<16}  peak {:.6g} {} at {:.6g} s, rms {:.6g} {}, work {:.6g} J\n", d.name, d.peak, d.unit,
                         d.peak_time, d.rms, d.unit, d.work);
  }
  if (!report.empty()) table += fmt::format("  {:<18}{}\n", "report", report);
  table += fmt::format("  {:<18}{}/run.h5\n", "results", output.folder);
  show(output, kinematics_json(result, title_of(model), name, output.folder, code), table);
  if (!result.message.empty()) fmt::print(stderr, "{}: {}\n", model.file, result.message);
  return code;
}

int run_transient_model(Job& job) {
  const Model& model = job.model;
  const Output& output = job.output;
  const System system = assemble(model);
  Summary s;
  s.title = title_of(model);
  s.model = model.file;
  s.folder = output.folder;
  s.plan = plan_transient(model);
  s.accounts = system.layout().accounts;
  s.moved = moved_apart(model);
  s.assumed = assumed_friction(model);
  s.mechanism = mechanism_text(system.layout(), 18);
  s.redundant = system.layout().redundant;
  s.freedoms = system.layout().freedoms;
  const std::unique_ptr<Run> run = make_run(model, system, s.plan);

  const RunHeader header = header_of(model, job.text, output);
  job.begin();
  {
    ProgressLine line(!output.quiet && !output.json);
    s.result = run_transient(*run, s.plan, header, output.folder, job.resume, catch_interrupts(), line.callback());
  }
  // what is finished cannot be resumed
  if (s.result.end == RunStatus::End::finished || s.result.end == RunStatus::End::untrusted)
    fs::remove(output.folder + "/checkpoint.bin");
  s.exit_code = exit_code_of(s.result);
  if (output.report) {
    s.report = output.folder + "/report.html";
    write_report(read_run_for_report(output.folder), s.report);
  }
  if (output.json) fmt::print("{}", summary_json(s));
  else if (!output.quiet) fmt::print("{}", summary_text(s));
  std::fflush(stdout);
  if (s.result.doubts.empty() && !s.result.message.empty()) fmt::print(stderr, "{}: {}\n", model.file, s.result.message);
  for (const std::string& doubt : s.result.doubts) fmt::print(stderr, "{}: {}\n", model.file, doubt);
  for (const std::string& note : s.result.notes) fmt::print(stderr, "{}: note: {}\n", model.file, note);
  if (s.result.energy_failed && s.exit_code == kCheckFailed) {
    fmt::print(
        stderr,
        "{}: check: energy: the residual of the ledger is {:.3g} of the energy involved, more than {:.3g}. Try a smaller step or tolerance\n",
        model.file, s.result.energy_residual, s.plan.energy_check);
  }
  return s.exit_code;
}

}  // namespace

int run_model(const Model& model, const std::string& text, const Output& output, bool resume) {
  check_model(model);
  const std::string type = analysis_type(model);
  std::error_code ignored;
  if (!resume && fs::equivalent(fs::path(output.folder) / "model.yaml", model.file, ignored)) {
    throw InputError({model.file},
                     "the results would overwrite the model itself. Choose another folder, for example --out results");
  }
  RunFolder folder(output.folder);
  Job job{model, text, output, folder, resume};
  if (type == "transient") return run_transient_model(job);
  return placed(model, [&] {
    if (type == "modes") return run_modes(job);
    if (type == "campbell") return run_campbell(job);
    if (type == "linearise") return run_linearise(job);
    if (type == "statics") return run_statics_model(job);
    return run_kinematics_model(job);
  });
}

}  // namespace bristle::app
