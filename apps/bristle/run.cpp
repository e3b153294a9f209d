#include <filesystem>

#include "commands.h"
#include "kept_model.h"
#include "run_model.h"

namespace bristle::app {

int run(const RunArguments& arguments) {
  const Model model = read_model(arguments.model, arguments.overrides);
  Output output = arguments.output;
  if (output.folder.empty()) output.folder = std::filesystem::path(arguments.model).stem().string() + "_out";
  return run_model(model, kept_text(model, !arguments.overrides.empty()), output, false);
}

}  // namespace bristle::app
