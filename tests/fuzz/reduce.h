#pragma once
// Makes a failing model small.
#include <functional>

#include "bristle/base/node.h"

namespace bristle::fuzz {

/// Leaves out elements and keys while the failure stays, `trials` times at most.
Node reduce(Node model, const std::function<bool(const Node&)>& still_fails, int trials = 300);

}  // namespace bristle::fuzz
