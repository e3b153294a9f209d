#include "bristle/friction/registry.h"

#include "bristle/friction/register.h"

namespace bristle {

const FrictionRegistry& friction_registry() {
  static const FrictionRegistry registry = [] {
    FrictionRegistry r("friction");
    add_dry_laws(r);
    add_smooth_laws(r);
    add_bristle_laws(r);
    add_stretch_laws(r);
    return r;
  }();
  return registry;
}

}  // namespace bristle
