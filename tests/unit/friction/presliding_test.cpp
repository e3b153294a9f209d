// Behaviour below break-away (phenomena of "Frictional Contacts in Multibody Dynamics", 3.1.4 and Fig. 3.2). Expected numbers: an
// independent Runge-Kutta computation with the parameters of Table 3.2.
#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

/// Area of the fifth loop of x = 5e-6 sin t.
template <class L>
double fifth_loop(const L& law) {
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  const int n = 20000;
  for (int i = 0; i < 4 * n; ++i) r.step([](double t) { return Vec<1>{{5e-6 * std::cos(t)}}; }, 2 * std::numbers::pi / n);
  const double before = r.work;
  for (int i = 0; i < n; ++i) r.step([](double t) { return Vec<1>{{5e-6 * std::cos(t)}}; }, 2 * std::numbers::pi / n);
  return r.work - before;
}
TEST(Presliding, Displacement_cycles_enclose_the_reference_areas) {
  EXPECT_NEAR(fifth_loop(table<Dahl>()), 1.54e-6, 0.005e-6);
  EXPECT_NEAR(fifth_loop(table<LuGre>()), 1.11e-6, 0.005e-6);
  EXPECT_NEAR(fifth_loop(table<ElastoPlastic>()), 2.5e-8, 0.05e-8);
}

/// Positions after each cycle of a triangular force between 0 and 0.6 F_S, 0.4 s per cycle, on 1 kg with 200 N s/m beside.
template <class L>
std::vector<double> drift(const L& law) {
  const auto f = made<1>(law);
  Block b(f, 1, 0);
  b.begin();
  std::vector<double> x{0};
  const double h = 1e-4;
  for (int cycle = 0; cycle < 6; ++cycle) {
    for (int i = 0; i < 4000; ++i) {
      b.step(
          [&](double t, double, double v) {
            const double s = t / 0.4 - cycle;
            return 0.6 * kStatic * (1 - std::abs(2 * s - 1)) - 200 * v;
          },
          h);
    }
    x.push_back(b.x);
  }
  return x;
}
TEST(Presliding, Force_cycles_let_LuGre_and_Dahl_drift_but_not_elasto_plastic) {
  const auto lugre = drift(table<LuGre>()), dahl = drift(table<Dahl>()), elastic = drift(table<ElastoPlastic>());
  for (int k = 3; k <= 6; ++k) {
    const auto i = static_cast<std::size_t>(k);
    EXPECT_NEAR(lugre[i] - lugre[i - 1], 6.3e-6, 0.1e-6);
    EXPECT_NEAR(dahl[i] - dahl[i - 1], 1.4e-5, 0.05e-5);
    EXPECT_NEAR(elastic[i] - elastic[i - 1], 0, 1e-9);
    EXPECT_NEAR(elastic[i], 2.3e-7, 0.1e-7);
  }
}

/// Force missing or left over on returning to the start of a small loop, over its height.
template <class L>
double gap_of_minor_loop(L law, double from = 8e-6, double to = 4e-6) {
  if constexpr (requires { law.sigma1; }) law.sigma1 = 0;
  if constexpr (requires { law.sigma2; }) law.sigma2 = 0;
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  walk(r, {from}, 1e-5, 1e-4);
  const double top = r.force()[0];
  walk(r, {to}, 1e-5, 1e-4);
  const double low = r.force()[0];
  walk(r, {from}, 1e-5, 1e-4);
  return (r.force()[0] - top) / (top - low);
}
TEST(Presliding, Minor_loops_close_with_a_memory_of_reversals_only) {
  // far enough that some of the four elements slip both ways; marks move at steps of 1e-9 m
  EXPECT_NEAR(gap_of_minor_loop(table<GeneralisedMaxwellSlip>(), 1.6e-5, -6e-6), 0, 0.005);
  EXPECT_NEAR(gap_of_minor_loop(table<ParallelSeriesIwan>()), 0, 1e-3);
  EXPECT_NEAR(gap_of_minor_loop(table<ElastoPlastic>()), 0, 1e-9);  // elastic here
  EXPECT_LT(gap_of_minor_loop(table<Dahl>()), -0.3);
  EXPECT_LT(gap_of_minor_loop(table<LuGre>()), -0.3);
}
TEST(Presliding, Minor_loops_of_Leuven_close_over_the_deflection_and_over_the_way_only_for_a_high_exponent) {
  auto law = table<Leuven>();
  for (const double n : {10.0, 50.0}) {
    law.shape = n;
    EXPECT_NEAR(gap_of_minor_loop(law), 0, 1e-4);
  }
  law.shape = 1;  // part of the way is slip: only a little better than LuGre
  EXPECT_NEAR(gap_of_minor_loop(law), -0.284, 0.001);
  law.form = Leuven::Form::original;
  EXPECT_NEAR(gap_of_minor_loop(law), -0.046, 0.001);
}

TEST(Presliding, Initial_slope_is_the_stiffness_of_the_model) {
  const auto slope = [](auto law) {
    if constexpr (requires { law.sigma1; }) law.sigma1 = std::min(law.sigma1, 1e-9);
    if constexpr (requires { law.damping; }) law.damping = 0;
    const auto f = made<1>(law);
    Rubbing<1> r(f);
    walk(r, {1e-8}, 1e-6, 1e-4);
    return r.force()[0] / 1e-8;
  };
  EXPECT_NEAR(slope(table<Dahl>()), 1e5, 200);
  EXPECT_NEAR(slope(table<LuGre>()), 1e5, 200);
  EXPECT_NEAR(slope(table<ElastoPlastic>()), 1e5, 200);
  EXPECT_NEAR(slope(table<ResetIntegrator>()), 1.5e5, 200);
  EXPECT_NEAR(slope(table<Liang>()), 5e4, 100);
  EXPECT_NEAR(slope(table<BlimanSorine>()), 1e5, 300);
}

}  // namespace
}  // namespace bristle::test
