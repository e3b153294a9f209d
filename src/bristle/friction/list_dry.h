#pragma once
#include "bristle/friction/awrejcewicz.h"
#include "bristle/friction/coulomb.h"
#include "bristle/friction/exponential_stribeck.h"
#include "bristle/friction/generalised.h"
#include "bristle/friction/harnoy_friedland.h"
#include "bristle/friction/karnopp.h"
#include "bristle/friction/stiction.h"
#include "bristle/friction/stribeck.h"
#include "bristle/friction/switch_model.h"
#include "bristle/friction/two_term_coulomb.h"
#include "bristle/friction/viscous.h"
#include "bristle/friction/wedge.h"

namespace bristle {

/// Set-valued laws. `add_law<L>(to, name, summary)` is called for each; see friction/register.h.
template <class To>
void list_dry_laws(To& to) {
  add_law<Coulomb>(to, "coulomb", "constant dry friction");
  add_law<Stiction>(to, "stiction", "dry friction that holds more at rest than in sliding");
  add_law<Viscous>(to, "viscous", "dry friction with a viscous part, linear or a power");
  add_law<Stribeck>(to, "stribeck", "dry friction that falls from static to kinetic with speed");
  add_law<ExponentialStribeck>(to, "exponential_stribeck", "the fall as an exponential, by drop and steepness");
  add_law<Karnopp>(to, "karnopp", "a band of speeds counts as rest");
  add_law<SwitchModel>(to, "switch_model", "a band of speeds in which slip dies away");
  add_law<Awrejcewicz>(to, "awrejcewicz", "a band of speeds in which the force blends to rest");
  add_law<TwoTermCoulomb>(to, "two_term_coulomb", "dry friction with a share independent of load");
  add_law<Generalised>(to, "generalised", "dry friction with pressing force from travel and speed");
  add_law<Wedge>(to, "wedge", "a roller in a profile: friction and push grow with travel");
  add_law<HarnoyFriedland>(to, "harnoy_friedland", "lubricated journal bearing of given eccentricity");
}

}  // namespace bristle
