#include <filesystem>

#include "bristle/assemble/shapes.h"
#include "commands.h"
#include "run_model.h"

namespace bristle::app {

namespace {

/// As written, comments and all, unless something was changed or put together.
std::string text_of(const Model& model, bool overridden) {
  Model anchored = model;  // the kept model stands in another folder than the files it names
  if (anchor_files(anchored.root)) return print_model(anchored);
  const bool plain = !overridden && read_model_text(model.source_text, "").root.equals(model.root);
  return plain ? model.source_text : print_model(model);
}

}  // namespace

int run(const RunArguments& arguments) {
  const Model model = read_model(arguments.model, arguments.overrides);
  Output output = arguments.output;
  if (output.folder.empty()) output.folder = std::filesystem::path(arguments.model).stem().string() + "_out";
  return run_model(model, text_of(model, !arguments.overrides.empty()), output, false);
}

}  // namespace bristle::app
