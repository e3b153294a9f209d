// Laws that are the same law under another name, and what all laws without memory share.
// "Frictional Contacts in Multibody Dynamics": limits of its static models.
#include <gtest/gtest.h>

#include <numbers>

#include "bristle/friction/ambrosio.h"
#include "bristle/friction/awrejcewicz.h"
#include "bristle/friction/bengisu_akay.h"
#include "bristle/friction/coulomb.h"
#include "bristle/friction/exponential_stribeck.h"
#include "bristle/friction/generalised.h"
#include "bristle/friction/harnoy_friedland.h"
#include "bristle/friction/karnopp.h"
#include "bristle/friction/linear_slope.h"
#include "bristle/friction/linear_stiction.h"
#include "bristle/friction/stiction.h"
#include "bristle/friction/stribeck.h"
#include "bristle/friction/switch_model.h"
#include "bristle/friction/tanh_slope.h"
#include "bristle/friction/threlfall.h"
#include "bristle/friction/two_term_coulomb.h"
#include "bristle/friction/viscous.h"
#include "bristle/friction/wedge.h"
#include "evaluate.h"

namespace bristle::unit_test {
namespace {

constexpr double kRoundOff = 1e-14;  // [N] forces are of order one newton
constexpr double kSpeeds[] = {-2.0, -1e-2, -1e-3, -1e-6, 0.0, 1e-9, 1e-4, 3e-3, 0.5, 10.0};
constexpr double kPulls[] = {-3.0, -1.2, -0.5, 0.0, 0.7, 1.4, 1.6, 20.0};

template <class A, class B>
void expect_same_sliding(const A& a, const B& b, double tolerance = kRoundOff) {
  for (const double v : kSpeeds) {
    EXPECT_NEAR(force(a, v), force(b, v), tolerance) << "at " << v << " m/s";
    const Vec<2> slip{{0.6 * v, -0.8 * v}}, difference = force<2>(a, slip) - force<2>(b, slip);
    EXPECT_LE(norm(difference), tolerance) << "at " << v << " m/s in the plane";
  }
}
template <class A, class B>
void expect_same_rest(const A& a, const B& b, double tolerance = kRoundOff) {
  for (const double pull : kPulls) EXPECT_NEAR(rest(a, pull), rest(b, pull), tolerance) << "pull " << pull << " N";
}

TEST(Equivalences, stribeck_with_equal_coefficients_is_viscous) {
  auto stribeck = with_levels<Stribeck>();
  stribeck.curve.mu_static = 0.1;
  stribeck.curve.viscosity = 0.02;
  Viscous viscous;
  viscous.curve.mu_kinetic = 0.1;
  viscous.curve.viscosity = 0.02;
  for (const auto shape : {SlipCurve::Shape::gaussian, SlipCurve::Shape::hess_soom, SlipCurve::Shape::constant}) {
    stribeck.curve.shape_kind = shape;
    expect_same_sliding(stribeck, viscous);
    expect_same_rest(stribeck, viscous);
  }
}
TEST(Equivalences, karnopp_without_a_band_is_stiction) {
  auto karnopp = with_levels<Karnopp>();
  karnopp.zero_velocity = 0;
  const auto stiction = with_levels<Stiction>();
  expect_same_sliding(karnopp, stiction);
  expect_same_rest(karnopp, stiction);
  EXPECT_EQ(karnopp.band(), stiction.band());
}
TEST(Equivalences, the_switch_model_without_decay_is_karnopp) {
  auto switched = with_levels<SwitchModel>();
  switched.decay_rate = 0;
  const auto karnopp = with_levels<Karnopp>();
  expect_same_sliding(switched, karnopp);
  for (const double pull : kPulls) {
    for (const double slip : {-1e-3, 2e-4}) EXPECT_NEAR(rest(switched, pull, slip), rest(karnopp, pull, slip), kRoundOff);
  }
}
TEST(Equivalences, awrejcewicz_at_exact_rest_is_stiction) {
  expect_same_rest(with_levels<Awrejcewicz>(), with_levels<Stiction>());
}
TEST(Equivalences, stiction_with_equal_coefficients_and_two_terms_without_adhesion_are_coulomb) {
  Coulomb coulomb;
  coulomb.curve.mu_kinetic = 0.1;
  auto stiction = with_levels<Stiction>();
  stiction.curve.mu_static = 0.1;
  TwoTermCoulomb two;
  two.curve.mu_kinetic = 0.1, two.adhesion = 0;
  expect_same_sliding(stiction, coulomb);
  expect_same_rest(stiction, coulomb);
  expect_same_sliding(two, coulomb);
  expect_same_rest(two, coulomb);
}
TEST(Equivalences, the_generalised_law_without_gains_is_coulomb_and_with_rate_gain_viscous) {
  Coulomb coulomb;
  coulomb.curve.mu_kinetic = 0.1;
  Generalised general;
  general.curve.mu_kinetic = 0.1;
  expect_same_sliding(general, coulomb);
  general.rate_gain = 2;
  Viscous viscous;
  viscous.curve.mu_kinetic = 0.1, viscous.curve.viscosity = 0.2;
  expect_same_sliding(general, viscous, 1e-13);  // ten metres per second: twenty newtons
}
TEST(Equivalences, exponential_stribeck_is_stribeck_of_exponent_one) {
  ExponentialStribeck exponential;
  exponential.mu_star = 0.15, exponential.gamma = 0.05, exponential.beta = 200, exponential.alpha = 0.01;
  auto stribeck = with_levels<Stribeck>();
  stribeck.curve.stribeck_velocity = 1.0 / 200, stribeck.curve.stribeck_exponent = 1, stribeck.curve.viscosity = 0.01;
  expect_same_sliding(exponential, stribeck);
  for (const double pull : kPulls) EXPECT_NEAR(rest(exponential, pull), rest(stribeck, pull), 1e-8);  // slides at 1e-12 m/s
}
TEST(Equivalences, ambrosio_without_a_dead_band_is_the_linear_slope) {
  Ambrosio ambrosio;
  ambrosio.curve.mu_kinetic = 0.1, ambrosio.dead_velocity = 0, ambrosio.full_velocity = 1e-3;
  LinearSlope slope;
  slope.curve.mu_kinetic = 0.1, slope.slope = 1e3;
  expect_same_sliding(ambrosio, slope);
}
TEST(Equivalences, linear_stiction_with_equal_coefficients_is_the_linear_slope) {
  auto peak = with_levels<LinearStiction>();
  peak.curve.mu_static = 0.1;
  LinearSlope slope;
  slope.curve.mu_kinetic = 0.1, slope.slope = 1e3;
  expect_same_sliding(peak, slope);
}
TEST(Equivalences, steep_slopes_tend_to_coulomb) {
  Coulomb coulomb;
  coulomb.curve.mu_kinetic = 0.1;
  LinearSlope linear;
  linear.curve.mu_kinetic = 0.1, linear.slope = 1e12;
  TanhSlope tanh_law;
  tanh_law.curve.mu_kinetic = 0.1, tanh_law.slope = 1e12;
  expect_same_sliding(linear, coulomb);
  expect_same_sliding(tanh_law, coulomb);
}

/// Work over a closed cycle of slip x = X sin(t) in one component and of twice the frequency in the other.
template <class L>
double cycle_work(const L& law) {
  double work = 0;
  const int n = 400;
  for (int i = 0; i < n; ++i) {
    const double t = 2 * std::numbers::pi * (i + 0.5) / n;
    const Vec<2> x{{1e-2 * std::sin(t), 1e-2 * std::sin(2 * t)}}, v{{1e-2 * std::cos(t), 2e-2 * std::cos(2 * t)}};
    work += 2 * std::numbers::pi / n * dot(force<2>(law, v, kLoad, x), v);
  }
  return work;
}
TEST(Dissipation, no_law_without_memory_gives_energy_over_a_closed_cycle) {
  Coulomb coulomb;
  coulomb.curve.mu_kinetic = 0.1;
  const double reference = cycle_work(coulomb);  // mu N times the length of the path
  EXPECT_GT(reference, 0);
  const auto within = [&](double work, double low, double high) {
    EXPECT_GE(work, low * reference);
    EXPECT_LE(work, high * reference);
  };
  // those with more friction than Coulomb dissipate more, those with less at slow speed less; none gives
  within(cycle_work(with_levels<Stiction>()), 1, 1);
  within(cycle_work(with_levels<Stribeck>()), 1, 1.5);
  within(cycle_work(with_levels<Karnopp>()), 1, 1);
  within(cycle_work(with_levels<Awrejcewicz>()), 1, 1);
  within(cycle_work(with_levels<LinearStiction>()), 0.9, 1.5);
  within(cycle_work(with_levels<BengisuAkay>()), 1, 1.5);
  within(cycle_work(with_levels<LinearSlope>()), 0.9, 1);
  within(cycle_work(with_levels<TanhSlope>()), 0.9, 1);
  within(cycle_work(with_levels<Threlfall>()), 0.9, 1);
  within(cycle_work(with_levels<Ambrosio>()), 0.9, 1);
  Wedge wedge;
  wedge.curve.mu_kinetic = 0.1, wedge.angle = 0.2, wedge.spring = 0;
  EXPECT_NEAR(cycle_work(wedge), reference, 1e-2 * reference);  // the push is conservative; quadrature across its jump
  HarnoyFriedland bearing;
  bearing.asperity = 20, bearing.film = 0.3, bearing.eccentricity = 0.96;
  EXPECT_GT(cycle_work(bearing), 0);
}

}  // namespace
}  // namespace bristle::unit_test
