#pragma once
#include <cstdint>
#include <vector>

#include "bristle/signal/signal.h"

namespace bristle {

/// The largest parts of an expression that depend on time and on nothing else: `if(t > 1, 5, 0)` of `if(t > 1, 5, 0)*cos(pin.angle)`.
/// Constants and t itself do not count.
std::vector<Signal> time_parts(const Signal& signal);

/// Which way an expression of time alone goes at t: a number that changes where a comparison, the sign of an operand or a whole number
/// changes, so where the expression may jump or have a corner.
std::uint64_t branch_at(const Signal& signal, double t);

}  // namespace bristle
