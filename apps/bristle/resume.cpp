#include <fmt/format.h>

#include <filesystem>

#include "bristle/assemble/assemble.h"
#include "bristle/record/checkpoint.h"
#include "bristle/record/run_folder.h"
#include "bristle/record/run_reader.h"
#include "commands.h"
#include "kept_model.h"
#include "run_model.h"

namespace bristle::app {

int resume(const ResumeArguments& arguments) {
  const std::string& folder = arguments.output.folder;
  const std::string model_file = folder + "/model.yaml";
  if (!std::filesystem::is_directory(folder))
    throw InputError({folder}, "there is no such folder. Give the folder that `bristle run` wrote its results into");
  if (!std::filesystem::exists(model_file))
    throw InputError({folder}, "the folder holds no results of a run: model.yaml is missing");
  const RunFile run = read_run_head(folder);
  const RunStatus& status = run.status;
  if (status.end == RunStatus::End::finished || status.end == RunStatus::End::untrusted) {
    fmt::print(stderr, "{}: the run is finished; there is nothing to resume\n", folder);
    return kOk;
  }
  if (status.end == RunStatus::End::failed) {
    throw InputError({folder}, "the run failed and would fail again: " + status.message);
  }
  const Model model = read_model(model_file);
  if (model.source_text != run.header.model_text) {
    throw InputError({model_file},
                     fmt::format("this is not the model that {} was run with: it was changed since, or is another one. "
                                 "Start it as a run of its own: bristle run {} --out <folder>",
                                 run.path, model_file));
  }
  refuse_changed_files(model.source_text, model_file);
  if (analysis_type(model) != "transient") {
    fmt::print(stderr, "{}: positions follow from the drives alone: the analysis starts again\n", folder);
    return run_model(model, model.source_text, arguments.output, true);
  }
  { const RunFolder busy(folder); }  // whoever writes there now comes before what it has not written yet
  if (!has_checkpoint(folder)) {
    throw InputError({folder},
                     fmt::format("the run was stopped before its first checkpoint. Start it again: bristle run {} --out <folder>",
                                 model_file));
  }
  return run_model(model, model.source_text, arguments.output, true);
}

}  // namespace bristle::app
