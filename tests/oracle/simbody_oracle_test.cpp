// Simbody against the closed forms and the mechanisms in minimal coordinates. Left out where Simbody is not installed.
#ifdef BRISTLE_HAVE_SIMBODY
#include "simbody_oracle.h"

#include <gtest/gtest.h>

namespace bristle::test {
namespace {

using Method = SimbodySettings::Method;
using Cross = SpatialSliderCrank::Cross;

TEST(SimbodyOracle, spatial_slider_crank_agrees) {
  for (const Cross cross : {Cross::natural, Cross::rod_axis, Cross::tilted_rod}) {
    SpatialSliderCrank m;
    m.cross = cross;
    const std::vector<double> times = {0.1, 0.3, 0.6, 1.0, 2.0};
    const auto truth = m.run(times);
    const auto other = simbody_spatial_slider_crank(m, times, {Method::runge_kutta_merson, 1e-11});
    ASSERT_EQ(other.samples.size(), truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      EXPECT_NEAR(other.samples[i].angle, truth[i].angle, 2e-8) << truth[i].t;
      EXPECT_NEAR(other.samples[i].rate, truth[i].rate, 5e-7) << truth[i].t;
      EXPECT_NEAR(other.samples[i].y, truth[i].y, 1e-8) << truth[i].t;
      EXPECT_NEAR(other.samples[i].y_acceleration, truth[i].y_acceleration, 1e-5) << truth[i].t;
    }
  }
}

TEST(SimbodyOracle, planar_slider_crank_agrees) {
  const PlanarSliderCrank m;
  const std::vector<double> times = {0.2, 0.5, 1.0, 2.0};
  const auto truth = m.run(times);
  const auto other = simbody_planar_slider_crank(m, times, {Method::runge_kutta_merson, 1e-11});
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_NEAR(other.samples[i].angle, truth[i].angle, 2e-8) << truth[i].t;
    EXPECT_NEAR(other.samples[i].x, truth[i].x, 1e-8) << truth[i].t;
  }
}

TEST(SimbodyOracle, chain_agrees) {
  for (const int n : {2, 10, 32}) {
    const Chain chain{n};
    const auto truth = chain.advance(chain.horizontal(), 1.0);
    const auto other = simbody_chain(chain, {1.0}, {Method::runge_kutta_merson, 1e-11});
    for (std::size_t i = 0; i < truth.angle.size(); ++i)
      EXPECT_NEAR(other.samples[0].angle[i], truth.angle[i], 1e-7) << n << ' ' << i;
  }
}

TEST(SimbodyOracle, bricard_agrees) {
  const BricardMechanism m;
  const std::vector<double> times = {0.5, 1.0, 2.0, 4.0};
  const auto truth = m.run(times);
  const auto other = simbody_bricard(m, times, {Method::runge_kutta_merson, 1e-10});
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR((other.samples[i].p3 - truth[i].p3).norm(), 0, 1e-9) << truth[i].t;
}

TEST(SimbodyOracle, free_body_agrees) {
  const Triple inertia = {1, 2, 3}, spin = {1, -1, 1};
  const FreeBody truth(inertia, spin);
  for (const SpinSample& s : simbody_free_body(inertia, spin, {1, 5, 10}, {Method::runge_kutta_merson, 1e-11}).samples) {
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(s.spin[i], truth.spin(s.t)[i], 1e-8) << s.t;
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(s.attitude[i][j], truth.attitude(s.t)[i][j], 1e-8) << s.t;
    }
  }
}

}  // namespace
}  // namespace bristle::test
#endif
