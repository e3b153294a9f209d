#pragma once
#include "bristle/friction/ambrosio.h"
#include "bristle/friction/bengisu_akay.h"
#include "bristle/friction/linear_slope.h"
#include "bristle/friction/linear_stiction.h"
#include "bristle/friction/tanh_slope.h"
#include "bristle/friction/threlfall.h"
#include "bristle/friction/wojewoda.h"

namespace bristle {

/// Laws without memory and without a jump. `add_law<L>(to, name, summary)` is called for each; see friction/register.h.
template <class To>
void list_smooth_laws(To& to) {
  add_law<LinearSlope>(to, "linear_slope", "Coulomb with a straight slope at zero speed");
  add_law<TanhSlope>(to, "tanh_slope", "Coulomb with a hyperbolic tangent at zero speed");
  add_law<Threlfall>(to, "threlfall", "Coulomb with an exponential rise at zero speed");
  add_law<LinearStiction>(to, "linear_stiction", "static peak and kinetic level in straight lines");
  add_law<BengisuAkay>(to, "bengisu_akay", "static peak by a parabola, then an exponential fall");
  add_law<Ambrosio>(to, "ambrosio", "Coulomb with no friction at very small speeds");
  add_law<Wojewoda>(to, "wojewoda", "hysteretic: larger while the speed grows, with a random part");
}

}  // namespace bristle
