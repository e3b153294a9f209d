#include "run_model.h"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "bristle/assemble/assemble.h"
#include "bristle/record/checkpoint.h"
#include "bristle/record/file.h"
#include "bristle/record/report.h"
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

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw InputError({folder}, "the folder for the results cannot be made: " +
                                   (error ? error.message() : std::string("there is a file of that name")));
  }
}

int exit_code_of(const TransientResult& result) {
  switch (result.end) {
    case RunStatus::End::finished: return result.energy_failed ? kCheckFailed : kOk;
    case RunStatus::End::interrupted: return kInterrupted;
    default: return kNoConvergence;
  }
}

int run_modes(const Model& model, const Output& output) {
  const System system = assemble(model, {.friction = false});
  const ModesResult result = calc_modes(system);
  const std::string json = modes_json(result, title_of(model));
  write_file(output.folder + "/modes.json", json);
  if (output.quiet) return kOk;
  if (output.json) fmt::print("{}", json);
  else fmt::print("{}\n{}  results           {}/modes.json\n", title_of(model), modes_text(result), output.folder);
  return kOk;
}

int run_transient_model(const Model& model, const std::string& text, const Output& output, bool resume) {
  const System system = assemble(model);
  Summary s;
  s.title = title_of(model);
  s.model = model.file;
  s.folder = output.folder;
  s.plan = plan_transient(model);
  s.accounts = system.layout().accounts;
  const std::unique_ptr<Run> run = make_run(model, system, s.plan);

  RunHeader header;
  header.title = s.title;
  header.program = "bristle " BRISTLE_VERSION;
  header.command = output.command;
  header.created = now_text();
  header.model_file = model.file;
  header.model_text = text;
  {
    ProgressLine line(!output.quiet && !output.json);
    s.result = run_transient(*run, s.plan, header, output.folder, resume, catch_interrupts(), line.callback());
  }
  // what is finished cannot be resumed
  if (s.result.end == RunStatus::End::finished) fs::remove(output.folder + "/checkpoint.bin");
  s.exit_code = exit_code_of(s.result);
  if (output.report) {
    s.report = output.folder + "/report.html";
    write_report(read_run(output.folder), s.report);
  }
  if (output.json) fmt::print("{}", summary_json(s));
  else if (!output.quiet) fmt::print("{}", summary_text(s));
  std::fflush(stdout);
  if (!s.result.message.empty()) fmt::print(stderr, "{}: {}\n", model.file, s.result.message);
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
  const bool modes = analysis_type(model) == "modes";
  if (!resume) {
    make_folder(output.folder);
    const fs::path kept = fs::path(output.folder) / "model.yaml";
    std::error_code ignored;
    if (fs::equivalent(kept, model.file, ignored)) {
      throw InputError({model.file},
                       "the results would overwrite the model itself. Choose another folder, for example --out results");
    }
    write_file(kept.string(), text);
    fs::remove(fs::path(output.folder) / "checkpoint.bin");
  }
  return modes ? run_modes(model, output) : run_transient_model(model, text, output, resume);
}

}  // namespace bristle::app
