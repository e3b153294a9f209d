#include "bristle/friction/awrejcewicz.h"
#include "bristle/friction/coulomb.h"
#include "bristle/friction/exponential_stribeck.h"
#include "bristle/friction/generalised.h"
#include "bristle/friction/harnoy_friedland.h"
#include "bristle/friction/karnopp.h"
#include "bristle/friction/register.h"
#include "bristle/friction/stiction.h"
#include "bristle/friction/stribeck.h"
#include "bristle/friction/switch_model.h"
#include "bristle/friction/two_term_coulomb.h"
#include "bristle/friction/viscous.h"
#include "bristle/friction/wedge.h"

namespace bristle {

void add_dry_laws(FrictionRegistry& r) {
  add_law<Coulomb>(r, "coulomb", "constant dry friction");
  add_law<Stiction>(r, "stiction", "dry friction that holds more at rest than in sliding");
  add_law<Viscous>(r, "viscous", "dry friction with a viscous part, linear or a power");
  add_law<Stribeck>(r, "stribeck", "dry friction that falls from static to kinetic with speed");
  add_law<ExponentialStribeck>(r, "exponential_stribeck", "the fall as an exponential, by drop and steepness");
  add_law<Karnopp>(r, "karnopp", "a band of speeds counts as rest");
  add_law<SwitchModel>(r, "switch_model", "a band of speeds in which slip dies away");
  add_law<Awrejcewicz>(r, "awrejcewicz", "a band of speeds in which the force blends to rest");
  add_law<TwoTermCoulomb>(r, "two_term_coulomb", "dry friction with a share independent of load");
  add_law<Generalised>(r, "generalised", "dry friction with pressing force from travel and speed");
  add_law<Wedge>(r, "wedge", "a roller in a profile: friction and push grow with travel");
  add_law<HarnoyFriedland>(r, "harnoy_friedland", "lubricated journal bearing of given eccentricity");
}

}  // namespace bristle
