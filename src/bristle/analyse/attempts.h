#pragma once
#include <algorithm>

#include "bristle/analyse/run.h"

namespace bristle {

/// Attempts at a step so far; those that take very many evaluations count as several. By them a run is asked whether it still gets on.
inline long long attempts_of(const RunCounts& counts) {
  constexpr long long kEvaluations = 100;  // in an attempt that counts as one
  return std::max(counts.accepted + counts.rejected, counts.evaluations / kEvaluations);
}

}  // namespace bristle
