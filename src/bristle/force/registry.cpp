#include "bristle/force/registry.h"

#include "bristle/force/pull_laws.h"
#include "bristle/force/register.h"

namespace bristle {

const PullRegistry& pull_registry() {
  static const PullRegistry registry = [] {
    PullRegistry r("force");
    add_law<Spring>(r, "spring", "spring, linear or hardening, with damping",
                    "  tie: {type: spring, between: [ground, block], stiffness: 2 N/m}\n");
    add_law<Damper>(r, "damper", "damper, linear and quadratic",
                    "  dash: {type: damper, between: [ground, block], damping: 0.4 N s/m}\n");
    add_law<DeadBand>(r, "dead_band", "free play to both sides, then stops",
                      "  gear: {type: dead_band, between: [ground, block], stiffness: 1 kN/m, clearance: 1 mm}\n");
    add_law<OneWay>(r, "one_way", "stop that pushes and never pulls",
                    "  stop: {type: one_way, between: [ground, block], stiffness: 1 kN/m, gap: 1 mm}\n");
    add_law<TableSpring>(
        r, "table_spring", "spring by a table of force and extension",
        "  rubber: {type: table_spring, between: [ground, block], extension: [-1 mm, 0, 2 mm], force: [-3, 0, 1]}\n");
    return r;
  }();
  return registry;
}

}  // namespace bristle
