#pragma once
#include <string_view>
#include <vector>

namespace bristle::app {

/// A file of the folder examples/, inside the program; made by cmake/embed_files.py.
struct ExampleFile {
  std::string_view example, name, text;
};
const std::vector<ExampleFile>& example_files();

}  // namespace bristle::app
