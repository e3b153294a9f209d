#pragma once
#include <filesystem>
#include <string>

#include "bristle/base/error.h"
#include "bristle/record/run_reader.h"

namespace bristle::app {

/// The result file with another ending: out/run.h5 -> out/run.csv.
inline std::string beside(const RunFile& run, const std::string& ending) {
  return std::filesystem::path(run.path).replace_extension(ending).string();
}

/// A file that is there and is of another kind, as a result or a model, is not replaced.
inline void refuse_other_file(const std::string& path, const std::string& ending) {
  namespace fs = std::filesystem;
  if (fs::is_regular_file(path) && fs::path(path).extension() != ending)
    throw InputError({}, "'" + path + "' is there and is no " + ending + " file: it is not replaced. Choose another name");
}

}  // namespace bristle::app
