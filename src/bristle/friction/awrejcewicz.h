#pragma once
#include "bristle/friction/rest_band.h"

namespace bristle {

/** Dry friction with a band of rest in which the force blends smoothly from what equilibrium asks for to the static limit.

Equations ("Frictional Contacts in Multibody Dynamics", 3.22; laws S10), v0 = `zero_velocity`, F_S = mu_static N:

    |v| >  v0                               F = N mu(|v|) sgn(v), any sliding curve
    |v| <= v0, |F_e| >  F_S, F_e.v >= 0     F = F_S sgn(F_e)
    |v| <= v0, |F_e| >  F_S, F_e.v <  0     F = (2A - 1) F_S sgn(v)
    |v| <= v0, |F_e| <= F_S                 F = F_e + A (F_S sgn(v) - F_e)
    A = (|v|/v0)^2 (3 - 2 |v|/v0)

F_e is the force that would keep the slip as it is. The vector form is that of the source (where |v| is printed without its
index in A).

Parameters: `mu_kinetic`, `mu_static` (at least mu_kinetic); `zero_velocity` [m/s], 1e-3 by default, not physical (see
`karnopp`). `sliding`: constant (default), gaussian or hess_soom, with `stribeck_velocity` [m/s], `stribeck_exponent`;
`viscosity` [s/m] per unit of load, or [N s/m] divided by `reference_load`; `viscous_exponent`.

Memory: none.

With located events rest is a slip of exactly zero: the band is not used, and with a constant sliding curve this law is `stiction`.

Cannot: deform before sliding (use `elasto_plastic`). Inside the band the force exceeds F_e by a term of order v squared, so
slip dies away slowly, like 1/t, and it creeps for a while in threshold mode; with located events it holds. Sliding is passive;
inside the band the force may point against the slip and return energy, at most F_S v0 per second. The force jumps at v0 from
F_S to the sliding curve, and in the band where |F_e| passes F_S.

Reference: J. Awrejcewicz, D. Grzelczyk, Yu. Pyryev, A novel dry friction modeling and its impact on differential equations
computation and Lyapunov exponents estimation, Journal of Vibroengineering 10 (2008).
*/
struct Awrejcewicz : RestBand {
  void visit(Visitor& v) {
    visit_levels(v);
    v("zero_velocity", zero_velocity, unit::metre_per_second, positive, "speed below which the force blends to rest");
    visit_sliding(v);
  }
  template <int D>
  Vec<D> at_rest(const Vec<D>& pull, const Patch<D>& p, double, const double* marks) const {
    const double limit = holding(p, marks);
    const double r = std::min(norm(p.slip) / zero_velocity, 1.0);
    const double blend = r * r * (3 - 2 * r);
    const Vec<D> e = direction(p.slip);
    if (norm(pull) <= limit) return (1 - blend) * pull + (blend * limit) * e;
    if (dot(pull, p.slip) >= 0) return cut_at(pull, limit);
    return ((2 * blend - 1) * limit) * e;
  }
};

}  // namespace bristle
