// Frictional lag ("Frictional Contacts in Multibody Dynamics", 3.1.3 and Fig. 3.1): slip of 1.5 + sin(w t) mm/s. Expected
// numbers: an independent Runge-Kutta computation.
#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

struct Lag {
  double up, down, area;
};
template <class L>
Lag lag(const L& law, double w) {
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  const int n = 4 * static_cast<int>(std::ceil(2 * std::numbers::pi / w / 5e-5 / 4));
  const double h = 2 * std::numbers::pi / w / n;
  const auto slip = [&](double t) { return Vec<1>{{1.5e-3 + 1e-3 * std::sin(w * t)}}; };
  const int cycles = static_cast<int>(std::ceil(w / 3)) + 2;
  for (int i = 0; i < cycles * n; ++i) r.step(slip, h);
  Lag result{r.force()[0], 0, 0};
  for (int i = 0; i < n; ++i) {
    const double v = r.patch.slip[0], before = r.force()[0];
    r.step(slip, h);
    result.area += 0.5 * (before + r.force()[0]) * (r.patch.slip[0] - v);
    if (i == n / 2 - 1) result.down = r.force()[0];
  }
  return result;
}
TEST(Lag, LuGre_loops_open_with_frequency) {
  const double w[] = {1, 10, 25}, up[] = {1.0334, 1.0402, 1.0576}, down[] = {1.0323, 1.0281, 1.0235};
  double last = 0;
  for (int k = 0; k < 3; ++k) {
    const Lag l = lag(table<LuGre>(), w[k]);
    EXPECT_NEAR(l.up, up[k], 1e-4) << w[k];
    EXPECT_NEAR(l.down, down[k], 1e-4) << w[k];
    EXPECT_GT(l.up, l.down);
    EXPECT_GT(l.area, last);
    last = l.area;
  }
}
TEST(Lag, Dahl_has_none) {
  const Lag l = lag(table<Dahl>(), 10);
  EXPECT_NEAR(l.up, l.down, 1e-5);
}
TEST(Lag, Elasto_plastic_and_Maxwell_slip_have_it_too) {
  const Lag e = lag(table<ElastoPlastic>(), 10), g = lag(table<GeneralisedMaxwellSlip>(), 10);
  EXPECT_GT(e.up, e.down);
  EXPECT_GT(g.up, g.down);
}

}  // namespace
}  // namespace bristle::test
