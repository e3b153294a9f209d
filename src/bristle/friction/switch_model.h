#pragma once
#include "bristle/friction/rest_band.h"

namespace bristle {

/** Karnopp's band of rest in which the remaining slip dies away exponentially instead of staying as it is.

Equations ("Frictional Contacts in Multibody Dynamics", 3.12; laws S6), D_v = `zero_velocity`:

    |v| >  D_v                         F = N mu(|v|) sgn(v), any sliding curve
    |v| <= D_v and |F_e| <  F_S        dv/dt = -v `decay_rate`,  that is  F = F_e + v decay_rate / mobility
    |v| <= D_v and |F_e| >= F_S        F = F_S sgn(F_e),   F_S = mu_static N

F_e is the force that would keep the slip as it is and mobility [1/kg] the slip acceleration per unit of force, 1/m for one
moving mass m. The source has decay_rate = sqrt(k/m), k the stiffness through which the pull comes. The vector form is that of
the source; the force in place of the acceleration is ours.

Parameters: `mu_kinetic`, `mu_static` (at least mu_kinetic); `zero_velocity` [m/s], 1e-3 by default, not physical (see
`karnopp`); `decay_rate` [1/s], sqrt(k/m) of the mechanism, 1 to 1e3; not physical either: larger stops sooner and is stiffer.
`sliding`: constant (default), gaussian or hess_soom, with `stribeck_velocity` [m/s], `stribeck_exponent`; `viscosity` [s/m] per
unit of load, or [N s/m] divided by `reference_load`; `viscous_exponent`.

Memory: none.

With located events rest is a slip of exactly zero: the band is not used, and with a constant sliding curve this law is `stiction`.

Cannot: deform before sliding (use `elasto_plastic`). The decay may ask for a little more than F_S, by at most
D_v decay_rate / mobility. The residual slip goes to zero, so it holds and does not drift for ever. Sliding is passive; inside
the band the force may point against the slip and return energy, at most F_S D_v per second. The force jumps at D_v and at F_S.

Reference: R. I. Leine, D. H. van Campen, A. de Kraker, L. van den Steen, Stick-slip vibrations induced by alternate friction
models, Nonlinear Dynamics 16 (1998), doi:10.1023/A:1008289604683.
*/
struct SwitchModel : RestBand {
  double decay_rate = kRequired;  // [1/s]

  void visit(Visitor& v) {
    visit_levels(v);
    v("zero_velocity", zero_velocity, unit::metre_per_second, non_negative, "speeds treated as rest");
    v("decay_rate", decay_rate, unit::per_second, positive, "rate at which slip dies away at rest, sqrt(k/m)");
    visit_sliding(v);
  }
  template <int D>
  Vec<D> at_rest(const Vec<D>& holding_force, const Patch<D>& p, double mobility, const double* marks) const {
    const double limit = holding(p, marks);
    if (!(norm(holding_force) < limit)) return cut_at(holding_force, limit);
    if (!(mobility > 0)) return holding_force;  // an immovable place has no slip to get rid of
    return holding_force + (decay_rate / mobility) * p.slip;
  }
};

}  // namespace bristle
