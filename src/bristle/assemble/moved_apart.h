#pragma once
#include <string>
#include <vector>

#include "bristle/model/model.h"

namespace bristle {

/// Which bodies `overlap: resolve` moves at the start, and by how much: "'ball' by 0.5 mm".
std::vector<std::string> moved_apart(const Model& model);

}  // namespace bristle
