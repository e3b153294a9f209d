#pragma once
#include "bristle/friction/rest_band.h"

namespace bristle {

/** Dry friction with a band of speeds that count as rest: inside it the place holds what is asked of it up to the static limit.

Equations ("Frictional Contacts in Multibody Dynamics", 3.11; laws S5), D_v = `zero_velocity`:

    |v| >  D_v    F = N mu(|v|) sgn(v), any sliding curve
    |v| <= D_v    F = min(|F_e|, mu_static N) sgn(F_e),   F_e the force that would keep the slip as it is

The vector form is that of the source.

Parameters: `mu_kinetic`, `mu_static` (at least mu_kinetic); `zero_velocity` [m/s], 1e-3 by default, 1e-4 to 1e-2 of the
working speed; it is not physical: larger lets explicit methods take longer steps, smaller shortens the delay of release
(sqrt(2 D_v m / rate of F_e)) and the residual speed. `sliding`: constant (default, mu_kinetic), gaussian or hess_soom, with
`stribeck_velocity` [m/s], `stribeck_exponent`; `viscosity` [s/m] per unit of load, or [N s/m] divided by `reference_load`;
`viscous_exponent`.

Memory: none.

With located events rest is a slip of exactly zero: the band is not used, and with a constant sliding curve this law is `stiction`.

Cannot: come to a true rest in threshold mode. Inside the band the slip keeps its value, so that a speed up to D_v remains
while it "sticks" (it creeps at that speed; `switch_model` lets it decay; with located events the slip is exactly zero and it
holds). Sliding is passive; inside the band the force may point against the slip and return energy, at most mu_static N D_v per
second. The force jumps at D_v.

Reference: D. Karnopp, Computer simulation of stick-slip friction in mechanical dynamic systems, Journal of Dynamic Systems,
Measurement, and Control 107 (1985), doi:10.1115/1.3140698.
*/
struct Karnopp : RestBand {
  void visit(Visitor& v) {
    visit_levels(v);
    v("zero_velocity", zero_velocity, unit::metre_per_second, non_negative, "speeds treated as rest");
    visit_sliding(v);
  }
  template <int D>
  Vec<D> at_rest(const Vec<D>& holding_force, const Patch<D>& p, double, const double* marks) const {
    return cut_at(holding_force, holding(p, marks));
  }
};

}  // namespace bristle
