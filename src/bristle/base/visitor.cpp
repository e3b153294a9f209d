#include "bristle/base/visitor.h"

#include <cmath>

#include "bristle/base/text.h"

namespace bristle {

std::string Range::text() const {
  const bool bounded_below = std::isfinite(low), bounded_above = std::isfinite(high);
  const std::string below = (low_open ? "> " : ">= ") + number_text(low);
  const std::string above = (high_open ? "< " : "<= ") + number_text(high);
  if (bounded_below && bounded_above) {
    if (!low_open && !high_open) return "between " + number_text(low) + " and " + number_text(high);
    return below + " and " + above;
  }
  if (bounded_below) return below;
  if (bounded_above) return above;
  return "any number";
}

}  // namespace bristle
