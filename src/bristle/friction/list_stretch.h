#pragma once
#include "bristle/friction/generalised_maxwell_slip.h"
#include "bristle/friction/haessig_friedland.h"
#include "bristle/friction/iwan.h"
#include "bristle/friction/leuven.h"
#include "bristle/friction/liang.h"
#include "bristle/friction/parallel_series_iwan.h"
#include "bristle/friction/reset_integrator.h"
#include "bristle/friction/seven_parameter.h"

namespace bristle {

/// Laws whose memory has marks, clipping, stacks, flags. `add_law<L>(to, name, summary)` is called for each; see friction/register.h.
template <class To>
void list_stretch_laws(To& to) {
  add_law<Iwan>(to, "iwan", "spring in series with a dry slider, the Jenkins element");
  add_law<ParallelSeriesIwan>(to, "parallel_series_iwan", "spring-slider pairs side by side, Maxwell slip");
  add_law<GeneralisedMaxwellSlip>(to, "generalised_maxwell_slip",
                                  "spring-slider pairs that follow the Stribeck curve with a lag");
  add_law<Leuven>(to, "leuven", "bristles that remember every reversal");
  add_law<ResetIntegrator>(to, "reset_integrator", "one bond held at its limit, with stiction");
  add_law<Liang>(to, "liang", "spring in the tangent plane with a static and a sliding limit");
  add_law<HaessigFriedland>(to, "haessig_friedland", "bonds that break and form again at random");
  add_law<SevenParameter>(to, "seven_parameter", "spring in stick, late Stribeck curve in slip, static force grows at rest");
}

}  // namespace bristle
