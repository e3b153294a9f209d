#include "bristle/assemble/rotary.h"

#include <iterator>

namespace bristle {

Unit RotaryVisitor::rotary(const Unit& unit) {
  static constexpr Unit known[] = {{"1", {}},
                                   {"N m", {2, 1, -2, 0}},
                                   {"N m s", {2, 1, -1, 0}},
                                   {"N m s^2", {2, 1, 0, 0}},
                                   {"1/s", {0, 0, -1, 0}},
                                   {"1/s^2", {0, 0, -2, 0}},
                                   {"s", {0, 0, 1, 0}},
                                   {"W", {2, 1, -3, 0}}};
  const Dimension turned{2 * unit.dimension.kg, unit.dimension.kg, unit.dimension.s, unit.dimension.K};
  for (const Unit& u : known) {
    if (u.dimension == turned) return u;
  }
  return {"SI", turned};
}

}  // namespace bristle
