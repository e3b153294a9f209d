#include <fmt/format.h>

#include <filesystem>

#include "commands.h"
#include "examples.h"
#include "run_model.h"

namespace bristle::app {

int demo(const DemoArguments& arguments) {
  std::string text;
  for (const ExampleFile& file : example_files()) {
    if (file.example == "stick_slip" && file.name == "model.yaml") text = file.text;
  }
  Output output = arguments.output;
  if (output.folder.empty()) output.folder = "bristle_demo";
  const Model model = read_model_text(text, "demo");
  const int code = run_model(model, text, output, false);
  if (code == kOk && !output.quiet && !output.json) {
    fmt::print("\nOpen {} in a browser. The model: {}\n",
               std::filesystem::absolute(output.folder + "/report.html").lexically_normal().string(),
               output.folder + "/model.yaml");
    fmt::print("Next: bristle example --list, bristle list friction, bristle run {}/model.yaml --set speed=\"0.2 m/s\"\n",
               output.folder);
  }
  return code;
}

}  // namespace bristle::app
