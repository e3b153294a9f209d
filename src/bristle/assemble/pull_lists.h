#pragma once
#include <map>
#include <memory>

#include "bristle/force/pull_laws.h"
#include "bristle/force/pull_list.h"

namespace bristle {

/// What pulls along one measure, by law.
struct PullLists {
  std::map<int, std::unique_ptr<PullList>> forces;  ///< by rank
  PullListOf<Stops> stops;                          ///< of joints; their block stands behind the others
};

}  // namespace bristle
