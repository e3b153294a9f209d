#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(ElastoPlastic, Is_a_pure_spring_below_breakaway) {
  auto law = table<ElastoPlastic>();
  law.sigma1 = law.sigma2 = 0;
  const auto f = made<1>(law);
  Rubbing<1> r(f);
  const double x = 0.69 * kStatic / kSigma0;
  walk(r, {x}, 1e-6, 1e-3);
  EXPECT_NEAR(r.force()[0], kSigma0 * x, 1e-9);
  walk(r, {0}, 1e-6, 1e-3);
  EXPECT_NEAR(r.force()[0], 0, 1e-9);
}
TEST(ElastoPlastic, Plastic_share_rises_from_none_to_all) {
  const ElastoPlastic law = table<ElastoPlastic>();
  EXPECT_EQ(law.plastic(0.7), 0);
  EXPECT_NEAR(law.plastic(0.85), 0.5, 1e-12);
  EXPECT_EQ(law.plastic(1.0), 1);
  EXPECT_NEAR(law.plastic(0.7 + 1e-9), 0, 1e-12);
  EXPECT_NEAR(law.plastic(1 - 1e-9), 1, 1e-12);
}
TEST(ElastoPlastic, Fully_plastic_it_has_the_rate_of_LuGre) {
  const auto f = made<1>(table<ElastoPlastic>());
  const auto g = made<1>(table<LuGre>());
  Patch<1> p;
  p.load = kLoad;
  for (const double v : {1e-4, -1e-3, 0.1}) {
    p.slip[0] = v;
    const double z = 1.6 * (v > 0 ? 1 : -1);  // above the Stribeck curve at any speed
    Vec<1> a, b;
    double za, zb;
    f.eval(p, &z, nullptr, a, &za);
    g.eval(p, &z, nullptr, b, &zb);
    EXPECT_NEAR(za, zb, 1e-9 * std::abs(zb));
    EXPECT_NEAR(a[0], b[0], 1e-12);
  }
}
TEST(ElastoPlastic, Printed_vector_form_keeps_a_deflection_across_the_slip) {
  for (const bool printed : {false, true}) {
    auto law = table<ElastoPlastic>();
    law.sigma2 = 0;
    law.vector_form = printed ? ElastoPlastic::VectorForm::printed : ElastoPlastic::VectorForm::isotropic;
    const auto f = made<2>(law);
    Rubbing<2> r(f);
    for (int i = 0; i < 2000; ++i) r.step([](double) { return Vec<2>{{1e-2, 0}}; }, 1e-4);
    for (int i = 0; i < 2000; ++i) r.step([](double) { return Vec<2>{{0, 1e-2}}; }, 1e-4);
    EXPECT_NEAR(norm(r.force()), printed ? std::sqrt(2.0) * kCoulomb : kCoulomb, 1e-6);
  }
}

}  // namespace
}  // namespace bristle::test
