#include "bristle/friction/ambrosio.h"
#include "bristle/friction/bengisu_akay.h"
#include "bristle/friction/linear_slope.h"
#include "bristle/friction/linear_stiction.h"
#include "bristle/friction/register.h"
#include "bristle/friction/tanh_slope.h"
#include "bristle/friction/threlfall.h"
#include "bristle/friction/wojewoda.h"

namespace bristle {

void add_smooth_laws(FrictionRegistry& r) {
  add_law<LinearSlope>(r, "linear_slope", "Coulomb with a straight slope at zero speed");
  add_law<TanhSlope>(r, "tanh_slope", "Coulomb with a hyperbolic tangent at zero speed");
  add_law<Threlfall>(r, "threlfall", "Coulomb with an exponential rise at zero speed");
  add_law<LinearStiction>(r, "linear_stiction", "static peak and kinetic level in straight lines");
  add_law<BengisuAkay>(r, "bengisu_akay", "static peak by a parabola, then an exponential fall");
  add_law<Ambrosio>(r, "ambrosio", "Coulomb with no friction at very small speeds");
  add_law<Wojewoda>(r, "wojewoda", "hysteretic: larger while the speed grows, with a random part");
}

}  // namespace bristle
