#include <fmt/format.h>

#include <filesystem>

#include "bristle/base/text.h"
#include "bristle/model/model.h"
#include "bristle/record/file.h"
#include "commands.h"
#include "examples.h"

namespace bristle::app {

namespace {

namespace fs = std::filesystem;

int list_examples() {
  std::size_t width = 0;
  for (const ExampleFile& f : example_files()) width = std::max(width, f.example.size());
  for (const ExampleFile& f : example_files()) {
    if (f.name != "model.yaml") continue;
    const Model model = read_model_text(f.text, std::string(f.example) + ".yaml");
    const Node* title = model.root.find("title");
    fmt::print("  {:<{}}  {}\n", f.example, width, title ? title->text : "");
  }
  fmt::print(
      "\n`bristle example <name>` writes one into a folder of that name, `bristle validate --models <folder>` the models of published "
      "cases.\n");
  return kOk;
}

}  // namespace

int example(const ExampleArguments& arguments) {
  if (arguments.list || arguments.name.empty()) return list_examples();
  std::vector<std::string> names;
  std::vector<ExampleFile> files;
  for (const ExampleFile& f : example_files()) {
    if (names.empty() || names.back() != f.example) names.emplace_back(f.example);
    if (f.example == arguments.name && f.name != "expect.yaml") files.push_back(f);
  }
  if (files.empty()) {
    throw InputError({}, "there is no example '" + shortened(arguments.name) + "'." + did_you_mean(arguments.name, names) +
                             " `bristle example --list` shows all.");
  }
  const fs::path folder = arguments.to.empty() ? fs::path(arguments.name) : fs::path(arguments.to);
  for (const ExampleFile& f : files) {
    const fs::path path = folder / f.name;
    if (fs::exists(path) && !arguments.force)
      throw InputError({path.string()}, "the file is there already. Choose another folder with --to, or add --force");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw InputError({folder.string()}, "the folder cannot be made: " + error.message());
  for (const ExampleFile& f : files) write_file((folder / f.name).string(), f.text);
  fmt::print("{}\nTry: bristle run {} --out {}\n", folder.string(), (folder / "model.yaml").string(), (folder / "out").string());
  return kOk;
}

}  // namespace bristle::app
