#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "bristle/study/study.h"

namespace bristle {

struct FolderOptions {
  std::string folder;
  bool resume = false;  ///< goes on with what the folder holds
  bool report = true;   ///< write report.html
  std::string command;  ///< the command line, for the result file
};

/// What a run into a folder has left behind.
struct FolderResult {
  std::unique_ptr<AnalysisResult> result;
  ResultPlace place;
};

/// Runs a study into a folder, which becomes that of this run (run_folder.h): run.h5, the files of the analysis, the report, and
/// `kept_text`, the model as of kept_model.h. Input that is refused leaves a former run in the folder as it was.
FolderResult run_into_folder(Study&, const std::string& kept_text, const FolderOptions&, RunControl control = {});

/// The results would take the place of the model itself: InputError.
void refuse_model_folder(const Model&, const std::string& folder);

/// The model of a run that was stopped and may go on; nothing when it is finished. Throws InputError where there is no such run in the
/// folder, where it failed, or where anything was changed since.
std::optional<Model> model_to_resume(const std::string& folder);
/// Whether a stopped run of this model goes on where it was; otherwise it starts again.
bool can_go_on(const Model&);
/// A run that goes on needs its checkpoint: InputError where there is none. `model_file` is how to start it again.
void require_checkpoint(const std::string& folder, const std::string& model_file);

}  // namespace bristle
