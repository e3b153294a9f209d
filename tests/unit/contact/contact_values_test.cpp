// Values of the laws from their printed formulas.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/contact/dubowsky_freudenstein.h"
#include "bristle/contact/esdu_78035.h"
#include "bristle/contact/flores.h"
#include "bristle/contact/hertz.h"
#include "bristle/contact/johnson.h"
#include "bristle/contact/kelvin_voigt.h"
#include "bristle/contact/lankarani_nikravesh.h"
#include "bristle/contact/liu.h"
#include "bristle/contact/one_way.h"
#include "bristle/contact/radzimovsky.h"
#include "bristle/contact/rigid.h"
#include "bristle/contact/table.h"
#include "bristle/interface/contact_law_of.h"

namespace bristle {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(Material, joins_two_surfaces_in_plane_strain) {
  const Material steel{.young = 210e9, .poisson = 0.3};
  EXPECT_NEAR(steel.modulus(), 210e9 / (2 * 0.91), 1);
  const Material on_bronze{.young = 210e9, .poisson = 0.3, .young_b = 110e9, .poisson_b = 0.34};
  EXPECT_NEAR(1 / on_bronze.modulus(), 0.91 / 210e9 + (1 - 0.34 * 0.34) / 110e9, 1e-24);
}

TEST(Hertz, takes_its_stiffness_from_material_and_curvature) {
  Hertz law;
  law.spring.material.young = 207e9;
  const double E = 207e9 / (2 * 0.91);
  ASSERT_EQ(law.bind({0.02, 0.05, 0}), nullptr);  // two balls
  EXPECT_NEAR(law.spring.K(), 4.0 / 3 * E * std::sqrt(0.02 * 0.05 / 0.07), 1);
  ASSERT_EQ(law.bind({0.02, -0.05, 0}), nullptr);  // a ball in a cup
  EXPECT_NEAR(law.spring.K(), 4.0 / 3 * E * std::sqrt(0.02 * 0.05 / 0.03), 1);
  ASSERT_EQ(law.bind({0, 0.05, 0}), nullptr);  // a ball on a plate
  EXPECT_NEAR(law.spring.K(), 4.0 / 3 * E * std::sqrt(0.05), 1);
  for (const ContactPair& none : {ContactPair{0, 0, 0}, ContactPair{0.02, -0.02, 0}, ContactPair{0.05, -0.02, 0}}) {
    const char* sentence = law.bind(none);
    ASSERT_NE(sentence, nullptr);
    EXPECT_NE(std::string(sentence).find("no curvature"), std::string::npos);
  }
  EXPECT_NE(std::string(law.bind({0.02, -0.05, 0.1})).find("along a line"), std::string::npos);
  law.spring.stiffness = 1e9;  // given: the surfaces do not matter
  EXPECT_EQ(law.bind({0, 0, 0}), nullptr);
}

TEST(Hertz, needs_a_stiffness_or_a_modulus) {
  Hertz law;
  EXPECT_NE(law.problem().find("missing key 'stiffness'. Write stiffness: 1e9 N/m^1.5"), std::string::npos);
  law.spring.exponent = 1.3;
  EXPECT_NE(law.problem().find("N/m^1.3"), std::string::npos);
  law.spring.material.young = 1e9;
  EXPECT_NE(law.problem().find("exponent of 1.5 alone"), std::string::npos);
  law.spring.exponent = 1.5;
  EXPECT_EQ(law.problem(), "");
  law.spring.stiffness = 1e9;
  EXPECT_NE(law.problem().find("not both"), std::string::npos);
}

TEST(LankaraniNikravesh, has_the_printed_force) {
  LankaraniNikravesh law;
  law.spring.stiffness = 6.71e10, law.restitution = 0.9;
  const ContactLawOf<LankaraniNikravesh> made(law);
  const double marks[] = {0.4};
  EXPECT_NEAR(made.force(1e-5, 0.1, marks, nullptr), 6.71e10 * std::pow(1e-5, 1.5) * (1 + 0.75 * (1 - 0.81) * 0.1 / 0.4), 1e-9);
}

TEST(Flores, counts_slow_approaches_as_the_least_one) {
  Flores law;
  law.spring.stiffness = 1e9, law.restitution = 0.5;
  const ContactLawOf<Flores> made(law);
  double marks[] = {0.0};
  made.accept(1e-9, 1e-7, marks);
  EXPECT_EQ(marks[0], 1e-4);
  EXPECT_NEAR(made.force(1e-6, 1e-5, marks, nullptr), 1.0 * (1 + 1.6 * 0.1), 1e-12);
}

TEST(KelvinVoigt, is_cut_off_where_it_would_pull) {
  const ContactLawOf<KelvinVoigt> made(KelvinVoigt{1e6, 1e3});
  EXPECT_DOUBLE_EQ(made.force(1e-4, 0.05, nullptr, nullptr), 150);
  EXPECT_EQ(made.force(1e-4, -0.2, nullptr, nullptr), 0);
  EXPECT_DOUBLE_EQ(made.force(1e-12, 0.05, nullptr, nullptr), 50 + 1e-6);  // at once
}

TEST(OneWay, damps_while_the_depth_grows) {
  const ContactLawOf<OneWayContact> made(OneWayContact{1e6, 1e12, 100});
  EXPECT_DOUBLE_EQ(made.force(1e-3, 2, nullptr, nullptr), 1000 + 1000 + 200);
  EXPECT_DOUBLE_EQ(made.force(1e-3, -2, nullptr, nullptr), 2000);
  EXPECT_DOUBLE_EQ(made.potential(1e-3, nullptr), 0.5 + 0.25);
}

// --- cylinders: the depth at a force as printed, and back ---

constexpr ContactPair kPin{0.0095, -0.01, 0.02};
constexpr double kClearance = 0.0005;
template <class L>
L steel() {
  L law;
  law.material.young = 210e9;
  return law;
}
const double kModulus = 210e9 / (2 * 0.91);

/// Forces up to some kilonewtons come back from their depths.
template <class L, class Depth>
void comes_back(const ContactPair& pair, Depth&& printed) {
  L law = steel<L>();
  ASSERT_EQ(law.bind(pair), nullptr);
  for (const double force : {1e-3, 1.0, 1e3, 2e4}) {
    const double depth = printed(force);
    ASSERT_LT(depth, law.last_depth());
    EXPECT_NEAR(law.elastic(depth), force, 1e-12 * force);
  }
  // goes straight on: value, slope, potential
  const double end = law.last_depth(), k = kPi * kModulus * pair.length, h = 1e-7 * end;
  EXPECT_NEAR(law.elastic(end * (1 + 1e-15)), law.elastic(end * (1 - 1e-12)), 1e-9 * law.elastic(end));
  EXPECT_NEAR((law.elastic(end) - law.elastic(end - h)) / h, k, 1e-5 * k);
  EXPECT_NEAR((law.elastic(end + h) - law.elastic(end + h / 2)) / (h / 2), k, 1e-6 * k);
  EXPECT_NEAR((law.potential(2 * end) - law.potential(end)), end * (law.elastic(end) + 0.5 * k * end), 1e-9 * law.potential(end));
}

TEST(Johnson, inverts_the_printed_depth) {
  const double s = 1 / (kPi * kModulus);
  comes_back<Johnson>(kPin, [&](double F) { return F * s / 0.02 * (std::log(4 * kClearance * 0.02 / (F * s)) - 1); });
  // side by side: the sum of the radii
  comes_back<Johnson>({0.01, 0.03, 0.02}, [&](double F) { return F * s / 0.02 * (std::log(4 * 0.04 * 0.02 / (F * s)) - 1); });
}

TEST(Radzimovsky, inverts_the_printed_depth) {
  comes_back<Radzimovsky>(kPin, [&](double F) {
    const double f = F / 0.02, R = 0.0095 * 0.01 / kClearance, b = 2 * std::sqrt(4 * f * R / (kPi * kModulus));
    return f / (kPi * kModulus) * (2.0 / 3 + std::log(4 * 0.0095 / b) + std::log(4 * 0.01 / b));
  });
}

TEST(Esdu78035, inverts_the_printed_depth) {
  const double s = 1 / (kPi * kModulus);
  comes_back<Esdu78035>(kPin, [&](double F) { return s * F / 0.02 * (std::log(4 * 0.02 * kClearance / (F * s)) + 1); });
}

TEST(DubowskyFreudenstein, inverts_the_printed_depth) {
  const double s = 1 / (kPi * kModulus), L = 0.02;
  comes_back<DubowskyFreudenstein>(
      kPin, [&](double F) { return F * s / L * (std::log(L * L * L * kClearance / (F * 0.0095 * 0.01 * s)) + 1); });
}

TEST(Johnson, says_what_is_missing) {
  Johnson law = steel<Johnson>();
  EXPECT_NE(std::string(law.bind({0.01, -0.0101, 0})).find("length"), std::string::npos);
  EXPECT_NE(std::string(law.bind({0.01, 0, 0.02})).find("flat"), std::string::npos);
  EXPECT_NE(std::string(law.bind({0.01, -0.009, 0.02})).find("wider than the pin"), std::string::npos);
  EXPECT_NE(std::string(law.bind({-0.01, -0.009, 0.02})).find("hollow"), std::string::npos);
}

TEST(Liu, has_the_printed_force_and_its_integral) {
  Liu law = steel<Liu>();
  ASSERT_EQ(law.bind(kPin), nullptr);
  for (const double depth : {1e-7, 4.9e-4, 5.1e-4, 3e-3}) {
    const double force = 0.5 * kPi * 0.02 * kModulus * depth * std::sqrt(depth / (2 * (kClearance + depth)));
    EXPECT_NEAR(law.elastic(depth), force, 1e-14 * force);
    // Simpson over u, depth = u^2, which makes the integrand smooth
    constexpr int n = 2000;
    const double h = std::sqrt(depth) / n;
    double sum = 0;
    for (int i = 0; i <= n; ++i) {
      const double u = i * h;
      if (i > 0) sum += (i == n ? 1 : i % 2 == 1 ? 4 : 2) * law.elastic(u * u) * 2 * u;
    }
    EXPECT_NEAR(law.potential(depth), sum * h / 3, 1e-10 * law.potential(depth));
  }
  EXPECT_NE(law.bind({0.01, 0.02, 0.02}), nullptr);
  EXPECT_NE(law.bind({0.01, -0.0101, 0}), nullptr);
  EXPECT_NE(law.bind({0.01, -0.01, 0.02}), nullptr);
}

TEST(ContactTable, interpolates_and_goes_straight_on) {
  ContactTable law;
  law.depths = {1e-3, 3e-3}, law.forces = {10, 50};
  law.prepare();
  EXPECT_DOUBLE_EQ(law.elastic(0.5e-3), 5);
  EXPECT_DOUBLE_EQ(law.elastic(2e-3), 30);
  EXPECT_DOUBLE_EQ(law.elastic(4e-3), 70);
  EXPECT_DOUBLE_EQ(law.potential(3e-3), 5e-3 + 60e-3);
  EXPECT_DOUBLE_EQ(law.potential(4e-3), 125e-3);
}

TEST(ContactTable, refuses_what_is_no_curve) {
  const auto problem = [](std::vector<double> depth, std::vector<double> force) {
    ContactTable law;
    law.depths = std::move(depth), law.forces = std::move(force);
    return law.problem();
  };
  EXPECT_NE(problem({}, {}).find("empty"), std::string::npos);
  EXPECT_NE(problem({1, 2}, {1}).find("2 points"), std::string::npos);
  EXPECT_NE(problem({0, 1}, {3, 4}).find("depth 0"), std::string::npos);
  EXPECT_NE(problem({0}, {0}).find("> 0"), std::string::npos);
  EXPECT_NE(problem({1, 1}, {3, 4}).find("grow"), std::string::npos);
  EXPECT_NE(problem({1, 2}, {4, 3}).find("fall"), std::string::npos);
  EXPECT_EQ(problem({1, 2}, {3, 3}), "");
}

TEST(Rigid, has_an_impact_in_place_of_a_depth) {
  Rigid law;
  law.unilateral.restitution = 0.6;
  const ContactLawOf<Rigid> made(law);
  ASSERT_NE(made.rigid(), nullptr);
  EXPECT_EQ(made.rigid()->restitution, 0.6);
  EXPECT_EQ(made.rigid()->impact, Unilateral::Impact::newton);
  EXPECT_EQ(made.rigid()->rest_speed, 1e-3);
  EXPECT_EQ(made.potential(1e-3, nullptr), 0);
  EXPECT_TRUE(made.damped());
  EXPECT_EQ(ContactLawOf<KelvinVoigt>(KelvinVoigt{1, 1}).rigid(), nullptr);
}

}  // namespace
}  // namespace bristle
