#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

TEST(Liang, Has_two_limits_by_speed) {
  const auto law = made<1>(table<Liang>());
  Rubbing<1> slow(law), fast(law);
  walk(slow, {1e-4}, 0.5e-3, 1e-4);
  EXPECT_NEAR(slow.force()[0], kStatic, 1e-12);
  walk(fast, {1e-4}, 2e-3, 1e-4);
  EXPECT_NEAR(fast.force()[0], kCoulomb, 1e-12);
}
TEST(Liang, Starts_as_spring_and_damper) {
  const auto law = made<1>(table<Liang>());
  Rubbing<1> r(law);
  walk(r, {1e-5}, 0.5e-3, 1e-5);
  EXPECT_NEAR(r.force()[0], 5e4 * 1e-5 + 80 * 0.5e-3, 1e-9);
}
TEST(Liang, Deflection_stays_in_the_circle_of_its_limit) {
  const auto law = made<2>(table<Liang>());
  Rubbing<2> r(law);
  for (int i = 0; i < 5000; ++i) {
    r.step([](double t) { return Vec<2>{{3e-3 * std::sin(3 * t), 2e-3 * std::cos(5 * t)}}; }, 1e-3);
    EXPECT_LE(std::hypot(r.z[0], r.z[1]), (norm(r.patch.slip) > 1e-3 ? 1 : 1.5) + 1e-12);
  }
}

}  // namespace
}  // namespace bristle::test
