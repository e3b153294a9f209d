#pragma once
#include <filesystem>
#include <string>

#include "bristle/record/run_reader.h"

namespace bristle::app {

/// The result file with another ending: out/run.h5 -> out/run.csv.
inline std::string beside(const RunFile& run, const std::string& ending) {
  return std::filesystem::path(run.path).replace_extension(ending).string();
}

}  // namespace bristle::app
