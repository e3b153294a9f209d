#include "arctan_slope.h"

#include <gtest/gtest.h>

#include "bristle/interface/friction_law_of.h"

namespace bristle {
namespace {

TEST(ArctanSlope, is_at_one_half_at_its_half_velocity) {
  ArctanSlope law;
  law.curve.mu_kinetic = 0.3;
  const FrictionLawOf<ArctanSlope, 1> made(law);
  const FrictionLaw<1>& base = made;
  Patch<1> p;
  p.load = 10;
  p.slip[0] = -1e-3;
  Vec<1> force;
  base.eval(p, nullptr, nullptr, force, nullptr);
  EXPECT_NEAR(force[0], -1.5, 1e-15);  // newtons; round-off
}

}  // namespace
}  // namespace bristle
