#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bristle {

/// A section of a model.
struct ModelSection {
  std::string name, text;  ///< text: what is in it
  std::string form;        ///< in the JSON Schema
  bool elements = false;   ///< a map of names, each with something of that form
};
/// In the order in which one writes them.
const std::vector<ModelSection>& model_sections();
const ModelSection* find_section(std::string_view name);  ///< nullptr: a model has none of that name

}  // namespace bristle
