#include <gtest/gtest.h>

#include "drive.h"

namespace bristle::test {
namespace {

template <class L>
class Turned : public ::testing::Test {};
using Laws = ::testing::Types<Dahl, BusarovOstrovskii, BlimanSorine, LuGre, ModifiedLuGre, ElastoPlastic, GonthierFriction,
                              Valanis, Iwan, ParallelSeriesIwan, GeneralisedMaxwellSlip, Leuven, ResetIntegrator, Liang,
                              HaessigFriedland, SevenParameter>;
TYPED_TEST_SUITE(Turned, Laws);

Vec<2> wander(double t) { return {{2e-3 * std::sin(3 * t) + 1e-3 * std::cos(11 * t), 1.5e-3 * std::cos(4 * t)}}; }

TYPED_TEST(Turned, Turning_the_slip_turns_the_force) {
  const auto law = made<2>(table<TypeParam>());
  Rubbing<2> a(law), b(law);
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (int i = 0; i < 2000; ++i) {
    a.step(wander, 1e-4);
    b.step(
        [&](double t) {
          const Vec<2> v = wander(t);
          return Vec<2>{{c * v[0] - s * v[1], s * v[0] + c * v[1]}};
        },
        1e-4);
    const Vec<2> f = a.force(), g = b.force();
    ASSERT_NEAR(c * f[0] - s * f[1], g[0], 1e-7) << i;
    ASSERT_NEAR(s * f[0] + c * f[1], g[1], 1e-7) << i;
  }
}
TYPED_TEST(Turned, Motion_along_one_axis_of_three_is_the_one_dimensional_law) {
  const auto one = made<1>(table<TypeParam>());
  const auto three = made<3>(table<TypeParam>());
  Rubbing<1> a(one);
  Rubbing<3> b(three);
  for (int i = 0; i < 4000; ++i) {
    a.step([](double t) { return Vec<1>{{wander(t)[0]}}; }, 1e-4);
    b.step([](double t) { return Vec<3>{{0, wander(t)[0], 0}}; }, 1e-4);
    ASSERT_NEAR(a.force()[0], b.force()[1], 1e-9) << i;
    ASSERT_EQ(b.force()[0], 0);
  }
}
TYPED_TEST(Turned, Force_is_odd_in_the_slip_and_proportional_to_the_load) {
  const auto law = made<1>(table<TypeParam>());
  Rubbing<1> a(law), b(law), c(law, 3 * kLoad);
  for (int i = 0; i < 3000; ++i) {
    a.step([](double t) { return Vec<1>{{wander(t)[0]}}; }, 1e-4);
    b.step([](double t) { return Vec<1>{{-wander(t)[0]}}; }, 1e-4);
    c.step([](double t) { return Vec<1>{{wander(t)[0]}}; }, 1e-4);
    ASSERT_EQ(a.force()[0], -b.force()[0]);
    ASSERT_NEAR(3 * a.force()[0], c.force()[0], 1e-12);
  }
}
TYPED_TEST(Turned, Derivatives_are_finite_everywhere_and_equal_differences) {
  constexpr int D = 2;
  const auto law = made<D>(table<TypeParam>());
  Rubbing<D> r(law);
  const int nz = law.memory().z, rows = rub_rows(D, nz), columns = rub_columns(D, nz);
  std::vector<double> data(static_cast<std::size_t>(rows * columns)), zdot(static_cast<std::size_t>(nz)), up(zdot), down(zdot);
  RubPartials partials{data.data(), columns};
  Vec<D> f, fu, fd;
  for (int i = 0; i < 400; ++i) {
    r.step(wander, 1e-3);
    Patch<D> p = r.patch;
    if (i % 4 == 1) p.slip = {};
    if (i % 4 == 2) p.load = 0;
    if (i % 4 == 3) p.slip = {{1e-9, 0}};
    law.eval(p, r.z.data(), r.marks.data(), f, zdot.data(), partials);
    for (const double x : data) ASSERT_TRUE(std::isfinite(x)) << i;
    if (i % 4 != 0) continue;
    for (int c = 0; c < columns; ++c) {
      const double h = c < D ? 1e-9 : (c == D ? 1e-4 : (c < 2 * D + 1 ? 1e-9 : 1e-6));
      const auto moved = [&](double by, Vec<D>& force, std::vector<double>& rate) {
        Patch<D> q = p;
        std::vector<double> z = r.z;
        if (c < D) q.slip[c] += by;
        else if (c == D) q.load += by;
        else if (c < 2 * D + 1) q.travel[c - D - 1] += by;
        else z[static_cast<std::size_t>(c - 2 * D - 1)] += by;
        law.eval(q, z.data(), r.marks.data(), force, rate.data());
      };
      moved(h, fu, up);
      moved(-h, fd, down);
      for (int row = 0; row < rows; ++row) {
        const auto of = [&](const Vec<D>& force, const std::vector<double>& rate) {
          return row < D ? force[row] : rate[static_cast<std::size_t>(row - D)];
        };
        const double here = of(f, zdot), a = (of(fu, up) - of(fd, down)) / (2 * h), left = (here - of(fd, down)) / h;
        // at a corner (clipping, a closing loop) the two sides differ: the derivative is then one of them, the difference between
        const double corner = std::abs(2 * (a - left));
        const double tolerance = 1e-4 * std::abs(a) + 1e-13 * (std::abs(here) + 1) / h + 1e-6 + corner;
        ASSERT_NEAR(partials(row, c), a, tolerance) << row << ' ' << c << " step " << i;
      }
    }
  }
}
TYPED_TEST(Turned, Memory_stays_within_its_reach_and_the_force_within_its_bound) {
  const auto law = made<2>(table<TypeParam>());
  Rubbing<2> r(law);
  for (int i = 0; i < 20000; ++i) {
    r.step(wander, 1e-4);
    for (const double z : r.z) ASSERT_LE(std::abs(z), law.reach());
    ASSERT_LE(norm(r.force()), law.bound(r.patch, r.marks.data()) * (1 + 1e-9)) << i;
  }
}

}  // namespace
}  // namespace bristle::test
