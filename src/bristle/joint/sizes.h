#pragma once
#include <string_view>
#include <vector>

#include "bristle/joint/plan.h"

namespace bristle {

/// A number or flag of JointSizes as the model file has it.
struct SizeKey {
  const char* key;
  double JointSizes::*length = nullptr;  ///< [m]
  bool JointSizes::*flag = nullptr;      ///< in place of a length
  const char* text = "";
  const char* hint = "";  ///< ends the sentence "friction needs <key>"
};
/// All that joints may ask for by JointEntry::sizes and worn_sizes, beside `preload`. Null where there is none.
const SizeKey* find_size(std::string_view key);

}  // namespace bristle
