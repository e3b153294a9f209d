#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

Iwan element() {
  auto law = table<Iwan>();
  law.stiffness = kSigma0 / kLoad;
  return law;
}

TEST(Iwan, Closed_loop_loses_four_times_the_force_times_the_slipped_way) {
  const auto law = made<1>(element());
  Rubbing<1> r(law);
  const double X = 3e-5;
  walk(r, {X, -X}, 1e-3, 1e-6);
  const double before = r.work;
  walk(r, {X, -X}, 1e-3, 1e-6);
  const double area = 4 * kCoulomb * (X - kCoulomb / kSigma0);
  EXPECT_NEAR(r.work - before, area, 1e-3 * area);  // clipping happens at the end of a step: 1e-9 m of 2e-5
}
TEST(Iwan, Is_elastic_below_its_limit_and_constant_above) {
  const auto law = made<1>(element());
  Rubbing<1> r(law);
  walk(r, {5e-6}, 1e-3, 1e-6);
  EXPECT_NEAR(r.force()[0], 0.5, 1e-12);
  walk(r, {5e-5}, 1e-3, 1e-6);
  EXPECT_DOUBLE_EQ(r.force()[0], kCoulomb);
  walk(r, {5e-5 - 5e-6}, 1e-3, 1e-6);
  EXPECT_NEAR(r.force()[0], kCoulomb - 0.5, 1e-9);
}
TEST(Iwan, Projecting_changes_neither_force_nor_stored_energy) {
  const auto law = made<2>(element());
  Patch<2> p;
  p.load = kLoad;
  p.slip = {{1e-3, 2e-3}};
  double z[2] = {3, -4}, rate[2];
  Vec<2> before, after;
  law.eval(p, z, nullptr, before, rate);
  const double energy = law.stored(p, z, nullptr);
  law.project(p, z, nullptr);
  law.eval(p, z, nullptr, after, rate);
  EXPECT_NEAR(after[0], before[0], 1e-15);
  EXPECT_NEAR(after[1], before[1], 1e-15);
  EXPECT_NEAR(law.stored(p, z, nullptr), energy, 1e-18);
  EXPECT_LE(std::hypot(z[0], z[1]), law.reach());
}

}  // namespace
}  // namespace bristle::test
