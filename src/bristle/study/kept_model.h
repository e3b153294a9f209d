#pragma once
#include <string>

#include "bristle/model/model.h"

// The model.yaml of a folder of results: all that the run was made of.
namespace bristle {

/// As written, comments and all, unless something was changed or put together: then as it was run, with includes merged. Files it names
/// (meshes) are named in full, and their hashes stand at its end.
std::string kept_text(const Model& model, bool overridden);

/// InputError when a file that the kept text names is not what it was.
void refuse_changed_files(const std::string& kept_text, const std::string& model_file);

}  // namespace bristle
