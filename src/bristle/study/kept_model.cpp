#include "bristle/study/kept_model.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "bristle/assemble/shapes.h"
#include "bristle/base/sha256.h"
#include "bristle/input/yaml.h"
#include "bristle/record/file.h"

namespace bristle {

namespace {

constexpr std::string_view kHash = "# sha256 ";  // then the digits, two spaces, and the file

std::string without_hashes(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(kHash)) rest += line + "\n";
  return rest;
}

}  // namespace

std::string kept_text(const Model& model, bool overridden) {
  Model anchored = model;  // the kept model stands in another folder than the files it names
  const bool moved = anchor_files(anchored.root);
  const bool joined = read_yaml_text(model.source_text, model.file).find("include") != nullptr;
  std::string text = overridden || joined || moved ? print_model(anchored) : model.source_text;
  std::vector<std::string> files;
  each_file(anchored.root, [&](const Node& file) {
    if (std::find(files.begin(), files.end(), file.text) == files.end()) files.push_back(file.text);
  });
  if (files.empty()) return text;
  text = without_hashes(text);  // a kept model may be run again
  for (const std::string& file : files) {
    try {
      text += std::string(kHash) + sha256(read_whole_file(file)) + "  " + file + "\n";
    } catch (const InputError&) {
      // the one who needs the file says what is wrong with it, and where it is named
    }
  }
  return text;
}

void refuse_changed_files(const std::string& kept_text, const std::string& model_file) {
  std::istringstream lines(kept_text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kHash) || line.size() < kHash.size() + 66) continue;
    const std::string hash = line.substr(kHash.size(), 64), file = line.substr(kHash.size() + 66);
    if (sha256(read_whole_file(file)) != hash)
      throw InputError({file}, "the file was changed since the run began. Start it as a run of its own: bristle run " +
                                   model_file + " --out <folder>");
  }
}

}  // namespace bristle
