#pragma once
#include "bristle/friction/bliman_sorine.h"
#include "bristle/friction/busarov_ostrovskii.h"
#include "bristle/friction/dahl.h"
#include "bristle/friction/elasto_plastic.h"
#include "bristle/friction/gonthier.h"
#include "bristle/friction/lugre.h"
#include "bristle/friction/modified_lugre.h"
#include "bristle/friction/valanis.h"

namespace bristle {

/// Laws whose memory has a rate and nothing else. `add_law<L>(to, name, summary)` is called for each; see friction/register.h.
template <class To>
void list_bristle_laws(To& to) {
  add_law<Dahl>(to, "dahl", "a contact that yields smoothly to the Coulomb force");
  add_law<BusarovOstrovskii>(to, "busarov_ostrovskii", "smooth hysteresis loop for damping");
  add_law<BlimanSorine>(to, "bliman_sorine", "function of the path: a fast minus a slow yielding spring");
  add_law<LuGre>(to, "lugre", "bristles with Stribeck curve, damping and viscosity");
  add_law<ModifiedLuGre>(to, "modified_lugre", "bristles beside a spring, for bolted joints");
  add_law<ElastoPlastic>(to, "elasto_plastic", "bristles that are truly elastic below break-away");
  add_law<GonthierFriction>(to, "gonthier", "bristles whose static limit grows with the time at rest");
  add_law<Valanis>(to, "valanis", "hysteresis loop of a bolted joint");
}

}  // namespace bristle
