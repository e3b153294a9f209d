#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bristle {

/// One published figure beside ours.
struct ValidationRow {
  enum class Verdict {
    kAgrees,
    kFails,
    kShown,    ///< beside the published figure, not held against it
    kDiffers,  ///< from the published figure, for the reason in the note
  };
  std::string quantity, published, ours;
  Verdict verdict = Verdict::kAgrees;
  std::string note;
};

/// A published study, run anew.
struct ValidationCase {
  std::string name, title, source;
  /// Makes every run of it once, up to `jobs` at a time, which changes nothing about the rows.
  std::vector<ValidationRow> (*run)(int jobs);
};

const std::vector<ValidationCase>& validation_cases();

/// A file of validation/models, inside the program; made by cmake/embed_files.py.
struct ModelFile {
  std::string_view folder, name, text;
};
const std::vector<ModelFile>& validation_models();
/// The text of models/NAME.yaml.
std::string model_text(std::string_view name);

}  // namespace bristle
