#pragma once
#include <span>
#include <string>
#include <string_view>

#include "bristle/base/node.h"
#include "bristle/model/scope.h"

namespace bristle {

/// What the user wrote: a checked tree with places, includes merged and overrides applied. No mathematics.
struct Model {
  Node root;
  std::string source_text;  ///< the main file, byte by byte
  std::string file;
};

/// Reads a model file. Each override is "path=value" as of --set: a path into the tree ("joints.pin.clearance=80 um"), or the name of
/// a parameter ("k=3").
Model read_model(const std::string& path, std::span<const std::string> overrides = {});
/// The same from a text; includes are relative to the folder of `name`.
Model read_model_text(std::string_view text, const std::string& name, std::span<const std::string> overrides = {});

/// YAML with includes merged and overrides applied; reads back to an equal model.
std::string print_model(const Model& model);

/// The parameters of a model.
ParameterScope parameters_of(const Model& model);

/// Applies one override "path=value" to a tree.
void apply_override(Node& root, const std::string& assignment);

}  // namespace bristle
