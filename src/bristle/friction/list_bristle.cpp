#include "bristle/friction/bliman_sorine.h"
#include "bristle/friction/busarov_ostrovskii.h"
#include "bristle/friction/dahl.h"
#include "bristle/friction/elasto_plastic.h"
#include "bristle/friction/gonthier.h"
#include "bristle/friction/lugre.h"
#include "bristle/friction/modified_lugre.h"
#include "bristle/friction/register.h"
#include "bristle/friction/valanis.h"

namespace bristle {

void add_bristle_laws(FrictionRegistry& r) {
  add_law<Dahl>(r, "dahl", "a contact that yields smoothly to the Coulomb force");
  add_law<BusarovOstrovskii>(r, "busarov_ostrovskii", "smooth hysteresis loop for damping");
  add_law<BlimanSorine>(r, "bliman_sorine", "function of the path: a fast minus a slow yielding spring");
  add_law<LuGre>(r, "lugre", "bristles with Stribeck curve, damping and viscosity");
  add_law<ModifiedLuGre>(r, "modified_lugre", "bristles beside a spring, for bolted joints");
  add_law<ElastoPlastic>(r, "elasto_plastic", "bristles that are truly elastic below break-away");
  add_law<GonthierFriction>(r, "gonthier", "bristles whose static limit grows with the time at rest");
  add_law<Valanis>(r, "valanis", "hysteresis loop of a bolted joint");
}

}  // namespace bristle
