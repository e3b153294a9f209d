#include "bristle/study/run_study.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>

#include "bristle/record/checkpoint.h"
#include "bristle/record/hdf_sink.h"
#include "bristle/record/report.h"
#include "bristle/study/kept_model.h"
#include "bristle/study/section.h"

namespace bristle {

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

}  // namespace

void refuse_model_folder(const Model& model, const std::string& folder) {
  std::error_code ignored;
  if (!fs::equivalent(fs::path(folder) / "model.yaml", model.file, ignored)) return;
  throw InputError({model.file},
                   "the results would overwrite the model itself. Choose another folder, for example --out results");
}

FolderResult run_into_folder(Study& study, const std::string& kept_text, const FolderOptions& options, RunControl control) {
  if (!options.resume) refuse_model_folder(study.model(), options.folder);
  RunFolder folder(options.folder);
  HdfSink sink(folder, options.resume ? HdfSink::Start::resume : HdfSink::Start::anew);
  control.header.command = options.command;
  control.header.created = now_text();
  control.header.model_text = kept_text;
  FolderResult done{study.run(sink, std::move(control)), {options.folder, ""}};
  if (!sink.begun() && !options.resume) folder.begin(kept_text);
  for (const ResultFile& file : done.result->files()) file.write(options.folder + "/" + file.name);
  if (options.report && sink.begun()) {
    done.place.report = options.folder + "/report.html";
    write_report(read_run_for_report(options.folder), done.place.report);
  }
  return done;
}

std::optional<Model> model_to_resume(const std::string& folder) {
  const std::string model_file = folder + "/model.yaml";
  if (!fs::is_directory(folder))
    throw InputError({folder}, "there is no such folder. Give the folder that `bristle run` wrote its results into");
  if (!fs::exists(model_file)) throw InputError({folder}, "the folder holds no results of a run: model.yaml is missing");
  const RunFile run = [&] {
    try {
      return read_run_head(folder);
    } catch (const InputError&) {
      const RunFolder busy(folder);  // a file that is being written cannot be read: whoever writes it is the reason
      throw;
    }
  }();
  const RunStatus& status = run.status;
  if (status.end == RunStatus::End::finished || status.end == RunStatus::End::untrusted) return std::nullopt;
  if (status.end == RunStatus::End::failed) throw InputError({folder}, "the run failed and would fail again: " + status.message);
  Model model = read_model(model_file);
  if (model.source_text != run.header.model_text) {
    throw InputError({model_file},
                     fmt::format("this is not the model that {} was run with: it was changed since, or is another one. "
                                 "Start it as a run of its own: bristle run {} --out <folder>",
                                 run.path, model_file));
  }
  refuse_changed_files(model.source_text, model_file);
  return model;
}

bool can_go_on(const Model& model) { return read_analysis_type(model, analysis_registry()).make()->can_go_on(); }

void require_checkpoint(const std::string& folder, const std::string& model_file) {
  { const RunFolder busy(folder); }  // whoever writes there now comes before what it has not written yet
  if (has_checkpoint(folder)) return;
  throw InputError(
      {folder},
      fmt::format("the run was stopped before its first checkpoint. Start it again: bristle run {} --out <folder>", model_file));
}

}  // namespace bristle
