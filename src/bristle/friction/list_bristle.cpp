#include "bristle/friction/list_bristle.h"
#include "bristle/friction/register.h"

namespace bristle {

void add_bristle_laws(FrictionRegistry& r) { list_bristle_laws(r); }

}  // namespace bristle
