#pragma once
// Is the motion the one that other methods find?
#include <string>

#include "bristle/base/node.h"
#include "bristle/core/system.h"

namespace bristle::fuzz {

/// Smooth, or with located stick and slip: no impacts, no random laws, after which two runs part company.
bool is_regular(const Node& model);

inline const std::string kNoReference = "no two methods agree";
/// "" where the end of a run is that of two other methods, within what its own tolerance or step allows; kNoReference where these two
/// do not agree with each other; otherwise how far it is off.
std::string compare_methods(const Node& model, const System& system, const State& end);

}  // namespace bristle::fuzz
