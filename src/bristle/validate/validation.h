#pragma once
#include <string>
#include <vector>

namespace bristle {

/// One published figure beside ours.
struct ValidationRow {
  std::string quantity, published, ours;
  bool pass = true;
  std::string note;
  bool compared = true;  ///< false: shown beside the published figure, not held against it
};

/// A published study, run anew.
struct ValidationCase {
  std::string name, title, source;
  std::vector<ValidationRow> (*run)();
};

const std::vector<ValidationCase>& validation_cases();

}  // namespace bristle
