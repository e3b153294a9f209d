// Break-away force against the rate of the applied force ("Frictional Contacts in Multibody Dynamics", 3.1.5 and Fig. 3.3): a
// free mass of 1 kg under a ramp; the peak of friction without its viscous part. Expected numbers: an independent Runge-Kutta
// computation.
#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

template <class L>
double peak(const L& law, double rate) {
  const auto f = made<1>(law);
  Block b(f, 1, 0);
  b.begin();
  double most = 0;
  while (b.slip() > -5e-3) {
    b.step([&](double t, double, double) { return rate * t; }, 5e-5);
    most = std::max(most, std::abs(b.force() - kSigma2 * b.slip()));
  }
  return most;
}
template <class L>
void compare(const L& law, const double (&expected)[6]) {
  const double rates[6] = {0.1, 0.3, 1, 3, 10, 30};
  double last = 10;
  for (int k = 0; k < 6; ++k) {
    const double p = peak(law, rates[k]);
    EXPECT_NEAR(p, expected[k], 0.01 * expected[k]) << rates[k];
    EXPECT_LT(p, last);
    last = p;
  }
}
TEST(Breakaway, LuGre_breaks_away_earlier_when_pulled_faster) {
  compare(table<LuGre>(), {1.4570, 1.4414, 1.4052, 1.3379, 1.1974, 1.0063});
}
TEST(Breakaway, Elasto_plastic_breaks_away_earlier_when_pulled_faster) {
  compare(table<ElastoPlastic>(), {1.4588, 1.4478, 1.4270, 1.3962, 1.3443, 1.2784});
}
TEST(Breakaway, Gonthier_breaks_away_earlier_when_pulled_faster) {
  compare(table<GonthierFriction>(), {1.4712, 1.4268, 1.2072, 1.0648, 1.0075, 0.9900});
}

}  // namespace
}  // namespace bristle::test
