#include "bristle/friction/list_smooth.h"
#include "bristle/friction/register.h"

namespace bristle {

void add_smooth_laws(FrictionRegistry& r) { list_smooth_laws(r); }

}  // namespace bristle
