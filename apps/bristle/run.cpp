#include <filesystem>

#include "bristle/study/kept_model.h"
#include "commands.h"
#include "run_model.h"

namespace bristle::app {

int run(const RunArguments& arguments) {
  Model model = read_model(arguments.model, arguments.overrides);
  Output output = arguments.output;
  if (output.folder.empty()) output.folder = std::filesystem::path(arguments.model).stem().string() + "_out";
  const std::string text = kept_text(model, !arguments.overrides.empty());
  return run_model(std::move(model), text, output, false);
}

}  // namespace bristle::app
