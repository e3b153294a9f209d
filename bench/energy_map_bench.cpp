// The map of dissipated energy over load and tuning of the three-mass system: 11 x 75 runs of 15.08 s on one core.
#include <fmt/format.h>

#include "timing.h"
#include "validation/cases.h"

int main() {
  double largest = 0;
  const double t = time_of([&] { largest = bristle::energy_map_peak(); });
  fmt::print("energy map, 825 runs: {:.1f} s on one core (goal 20 s), largest dissipated energy {:.1f} J\n", t, largest);
  return 0;
}
