#include <fmt/format.h>

#include <optional>

#include "bristle/study/run_study.h"
#include "commands.h"
#include "run_model.h"

namespace bristle::app {

int resume(const ResumeArguments& arguments) {
  const std::string& folder = arguments.output.folder;
  std::optional<Model> model = model_to_resume(folder);
  if (!model) {
    fmt::print(stderr, "{}: the run is finished; there is nothing to resume\n", folder);
    return kOk;
  }
  if (can_go_on(*model)) require_checkpoint(folder, model->file);
  else fmt::print(stderr, "{}: positions follow from the drives alone: the analysis starts again\n", folder);
  const std::string text = model->source_text;
  return run_model(std::move(*model), text, arguments.output, true);
}

}  // namespace bristle::app
