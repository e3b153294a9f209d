#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "validation/validation.h"

namespace bristle {

/// How many figures agree, fail, are shown, differ.
class VerdictCount {
 public:
  void add(const std::vector<ValidationRow>& rows);
  bool failed() const { return of(ValidationRow::Verdict::kFails) > 0; }
  /// "102 of 102 published and reference figures reproduced; ..."
  std::string text() const;

 private:
  std::size_t of(ValidationRow::Verdict verdict) const { return count_[static_cast<std::size_t>(verdict)]; }
  std::array<std::size_t, 4> count_{};
};

/// The head of the page of all cases, and a case with its table.
std::string page_head();
std::string page_section(const ValidationCase&, const std::vector<ValidationRow>& rows);

}  // namespace bristle
