#pragma once
#include <functional>

#include "bristle/analyse/statics.h"

namespace bristle {

/** Follows equilibria from the start of a model, where what pushes is held back, to its loads in full: solves

    f(q) - D' lambda = (1 - s) f(q_start),   Phi(q) = 0

for growing shares s of the load with Newton's method. With control `load` the share is stepped; with `arc_length` the step is one along the
curve of equilibria, so that it passes points where the load has to fall (Riks, An incremental approach to the solution of snapping and
buckling problems, 1979). Every point is an equilibrium, stable or not. `each` sees them all. */
Equilibrium follow_loads(const System&, const State& start, const StaticsOptions&,
                         const std::function<void(double share, const State&)>& each = {});

}  // namespace bristle
