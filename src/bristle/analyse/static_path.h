#pragma once
#include <functional>

#include "bristle/analyse/statics.h"

namespace bristle {

/** Follows equilibria from that without loads to that with the loads in full: solves

    g(q) + s L(q) - D' lambda = 0,   Phi(q) = 0

for growing factors s of the loads L (Eval::load_factor) with Newton's method. Where the start is out of balance without loads, s = 0, that is
let go first: g(q) - D' lambda = (1 - p) g(q_start) for p from 0 to 1. With control `load` the factor is stepped; with `arc_length` the step is one along the
curve of equilibria, so that it passes points where the load has to fall (Riks, An incremental approach to the solution of snapping and
buckling problems, 1979). Every point is an equilibrium, stable or not. `each` sees them all. */
Equilibrium follow_loads(const System&, const State& start, const StaticsOptions&,
                         const std::function<void(double load_factor, const State&)>& each = {});

}  // namespace bristle
