// Distances of two points over a whole step: rows that give the change of the gap, and their derivatives.
#include <gtest/gtest.h>

#include "bristle/measure/circle_in_circle.h"
#include "bristle/measure/curve_curve.h"
#include "bristle/measure/round_pair.h"
#include "bristle/measure/sphere_in_sphere.h"
#include "bristle/measure/surface_surface.h"
#include "touch_check.h"

namespace bristle {
namespace {

using namespace touch_check;

Mat3<> cayley(const Vec3<>& r) { return matrix_of(normalised({1, 0.5 * r[0], 0.5 * r[1], 0.5 * r[2]})); }
Frame<> mean(const Frame<>& a, const Frame<>& b) {
  Frame<> m;
  for (std::size_t i = 0; i < 9; ++i) m.R.m[i] = 0.5 * (a.R.m[i] + b.R.m[i]);
  m.p = 0.5 * (a.p + b.p);
  return m;
}

std::vector<std::unique_ptr<Geometry>> rounds() {
  std::vector<std::unique_ptr<Geometry>> list;
  list.push_back(make_geometry(SphereInSphere{0.0505, 0.05}));
  list.push_back(make_geometry(CircleInCircle{0.0505, 0.05}));
  list.push_back(make_geometry(SurfaceSurface{Solid::sphere(0.02), Solid::sphere(0.03)}));
  list.push_back(make_geometry(SurfaceSurface{Solid::hollow_sphere(0.05), Solid::sphere(0.03)}));
  list.push_back(make_geometry(SurfaceSurface{Solid::sphere(0.02), Solid::hollow_sphere(0.05)}));
  list.push_back(make_geometry(CurveCurve{Profile::circle(0.02), Profile::circle(0.03)}));
  list.push_back(make_geometry(CurveCurve{Profile::circle(0.02), Profile::circle(0.05).hollow()}));
  return list;
}

TEST(RoundPair, row_gives_the_change_of_the_gap) {
  Random r(5);
  for (const auto& g : rounds()) {
    ASSERT_TRUE(g->round());
    double worst = 0;
    for (int k = 0; k < 500; ++k) {
      const Stance from = random_pose(r, 0.06, 3);
      const Vec3<> rA = random_vector(r, 1), rB = random_vector(r, 1), dA = random_vector(r, 0.05), dB = random_vector(r, 0.05);
      const Stance to{{cayley(rA) * from.A.R, from.A.p + dA}, {cayley(rB) * from.B.R, from.B.p + dB}};
      const Frame<> A = mean(from.A, to.A), B = mean(from.B, to.B);
      StepTouch<> t;
      for (const double shift : {-0.5, 0.0, 0.5}) {
        ASSERT_TRUE(touch_over_step(*g->round(), shift, A, B, from.A, from.B, to.A, to.B, t));
        const double change = dot(t.row, dB + cross(rB, t.point - B.p) - dA - cross(rA, t.point - A.p));
        worst = std::max(worst, std::abs(change - touches(*g, to, nullptr)[0].gap + touches(*g, from, nullptr)[0].gap));
        if (g->round()->seen == RoundPair::Seen::whole) {
          EXPECT_LE(norm(t.row), 1 + 1e-12);
        }
        EXPECT_NEAR(norm(t.normal), 1, 1e-12);
      }
    }
    EXPECT_LT(worst, 1e-15);
  }
}

/// A step of no length: the touch itself.
TEST(RoundPair, is_the_touch_where_nothing_moves) {
  Random r(6);
  for (const auto& g : rounds()) {
    for (int k = 0; k < 100; ++k) {
      const Stance p = random_pose(r, 0.06, 3);
      StepTouch<> t;
      ASSERT_TRUE(touch_over_step(*g->round(), 0, p.A, p.B, p.A, p.B, p.A, p.B, t));
      const Touch<> plain = touches(*g, p, nullptr)[0];
      EXPECT_LT(norm(t.row - plain.normal), 1e-14);
      EXPECT_LT(norm(t.normal - plain.normal), 1e-14);
      EXPECT_LT(norm(t.point - plain.point), 1e-15);
    }
  }
}

/// Through the centre: no direction.
TEST(RoundPair, says_where_it_has_no_direction) {
  const Stance from = pose({Mat3<>::identity(), vec(0, 0, 0)}, vec(1e-3, 0, 0), vec(0, 0, 0));
  const Stance to = pose({Mat3<>::identity(), vec(0, 0, 0)}, vec(-1e-3, 0, 0), vec(0, 0, 0));
  StepTouch<> t;
  EXPECT_FALSE(touch_over_step({-0.05, 0.049, RoundPair::Seen::whole}, 0, mean(from.A, to.A), mean(from.B, to.B), from.A, from.B,
                               to.A, to.B, t));
}

}  // namespace
}  // namespace bristle
