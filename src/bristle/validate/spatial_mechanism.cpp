#include "bristle/validate/cases.h"

namespace bristle {

std::vector<ValidationRow> validate_spatial_mechanism() { return {}; }

}  // namespace bristle
