#include "bristle/integrate/controller.h"
#include "bristle/integrate/cvode.h"
#include "bristle/integrate/dormand_prince.h"
#include "bristle/integrate/energy_scheme.h"
#include "bristle/integrate/generalized_alpha.h"
#include "bristle/integrate/moreau_jean.h"
#include "bristle/integrate/radau.h"
#include "bristle/integrate/register.h"
#include "bristle/integrate/rk4.h"
#include "bristle/integrate/trapezoidal.h"

namespace bristle {

const IntegratorRegistry& integrator_registry() {
  static const IntegratorRegistry registry = [] {
    IntegratorRegistry r("integrator");
    r.add(integrator<Rk4>("rk4", "explicit Runge–Kutta of order 4, fixed step", "Kutta 1901"));
    r.add(integrator<DormandPrince>("dormand_prince", "explicit Runge–Kutta 5(4), error control, dense output",
                                    "Dormand, Prince 1980, doi:10.1016/0771-050X(80)90013-3"));
    r.add(integrator<Trapezoidal>("trapezoidal", "implicit trapezoidal rule of order 2, fixed step", "Dahlquist 1963"));
    r.add(integrator<Radau3>("radau3", "Radau IIA of order 3 (two stages), fixed step",
                             "Hairer, Wanner, Solving Ordinary Differential Equations II"));
    r.add(integrator<Radau5>("radau5", "Radau IIA of order 5, error control, Jacobian reuse",
                             "Hairer, Wanner, Solving Ordinary Differential Equations II"));
    r.add(integrator<GeneralizedAlpha>("generalized_alpha",
                                       "generalized-alpha of order 2 for mechanisms, chosen damping of high frequencies",
                                       "Chung, Hulbert 1993; Arnold, Brüls, Cardona 2015, doi:10.1007/s00211-014-0633-1"));
    r.add(integrator<Hht>("hht", "Hilber, Hughes and Taylor's method of order 2 for mechanisms",
                          "Hilber, Hughes, Taylor 1977, doi:10.1002/eqe.4290050306"));
    r.add(integrator<Newmark>("newmark", "Newmark's method for mechanisms; of order 2 without damping", "Newmark 1959"));
    r.add(integrator<EnergyPreserving>("energy_preserving",
                                       "keeps the energy of a step exactly, for any step; second order, nothing is damped",
                                       "Simo, Wong 1991; Simo, Tarnow, Doblaré 1995"));
    r.add(integrator<EnergyDecaying>("energy_decaying",
                                     "energy never grows, for any step; fast vibrations vanish, rigid motion is not damped",
                                     "Bauchau, Theron 1996; Bauchau, Bottasso 1999"));
    r.add(integrator<MoreauJean>("moreau_jean",
                                 "time stepping over impacts: rigid contact, friction and joints together, fixed step",
                                 "Moreau 1988; Jean 1999, doi:10.1016/S0045-7825(98)00383-1"));
#ifdef BRISTLE_HAVE_SUNDIALS
    r.add(integrator<Cvode>("cvode", "SUNDIALS CVODE: backward differentiation of variable order",
                            "Hindmarsh et al. 2005, doi:10.1145/1089014.1089020"));
#endif
    return r;
  }();
  return registry;
}

const ControllerRegistry& controller_registry() {
  static const ControllerRegistry registry = [] {
    ControllerRegistry r("controller");
    r.add(controller<ConstantStep>("constant", "the same step always"));
    r.add(controller<VelocitySwitch>("velocity", "fine steps near the Stribeck velocity of a law"));
    r.add(controller<ContactStep>("contact", "fine steps while surfaces are near or overlap"));
    r.add(
        controller<FrictionStep>("friction", "steps in proportion to the time constant of a law's memory, longer in fast slip"));
    r.add(controller<GrowthStep>("growth", "steps grow by a factor at most; beside other rules"));
    r.add(controller<TimeConstantSwitch>("time_constant", "fine steps where the memory of a law is fast", ", fraction: 0.5"));
    return r;
  }();
  return registry;
}

}  // namespace bristle
