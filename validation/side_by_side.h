#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "validation/rows.h"

namespace bristle {

/// Calls all tasks, which share nothing, up to `jobs` of them at a time. What one of them throws is thrown on.
void side_by_side(int jobs, const std::vector<std::function<void()>>& tasks);

/// Parts of a study that share no run: made side by side, their rows in the order of the list.
Rows in_parts(int jobs, const std::vector<std::function<void(Rows&)>>& parts);

}  // namespace bristle
