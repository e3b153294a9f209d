#include "bristle/friction/list_dry.h"
#include "bristle/friction/register.h"

namespace bristle {

void add_dry_laws(FrictionRegistry& r) { list_dry_laws(r); }

}  // namespace bristle
