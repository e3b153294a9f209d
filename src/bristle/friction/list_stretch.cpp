#include "bristle/friction/list_stretch.h"
#include "bristle/friction/register.h"

namespace bristle {

void add_stretch_laws(FrictionRegistry& r) { list_stretch_laws(r); }

}  // namespace bristle
