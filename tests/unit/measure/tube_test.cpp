// Tubes: shafts in bores, balls on mouths, boxes through them; several points where cylinders lie along each other.
#include "bristle/measure/solid.h"
#include "bristle/measure/surface_surface.h"
#include "surface_cloud.h"
#include "touch_check.h"

namespace bristle {
namespace {
using namespace touch_check;

const Frame<> kHere{Mat3<>::identity(), Vec3<>{}};
const Solid kTube = Solid::tube(0.02, 0.0102, 0.03), kShaft = Solid::cylinder(0.01, 0.08), kStub = Solid::cylinder(0.01, 0.02);

std::vector<Touch<>> near(const std::vector<Touch<>>& all, double limit) {
  std::vector<Touch<>> some;
  for (const Touch<>& t : all) {
    if (t.gap < limit) some.push_back(t);
  }
  return some;
}

Solid wedge() {
  return Solid::mesh({vec(-0.006, -0.005, -0.03), vec(0.006, -0.004, -0.03), vec(0, 0.006, -0.03), vec(0, 0, 0.05)},
                     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}

struct Bored {
  const char* name;
  SurfaceSurface g;
  bool frozen = false;  ///< places count as frozen for derivatives, and where a rim lies in an edge its normal is that of a face
};
std::vector<Bored> bored() {
  const auto make = [](const Solid& a, const Solid& b) { return SurfaceSurface{a, b}; };
  return {{"tube-shaft", make(kTube, kShaft)},
          {"shaft-tube", make(kShaft, kTube)},
          {"tube-stub", make(kTube, kStub)},
          {"tube-tube", make(kTube, Solid::tube(0.01, 0.004, 0.05))},
          {"tube-capsule", make(kTube, Solid::capsule(0.01, 0.05))},
          {"capsule-tube", make(Solid::capsule(0.01, 0.02), kTube)},
          {"tube-ball", make(kTube, Solid::sphere(0.0099))},
          {"ball-tube", make(Solid::sphere(0.013), kTube)},
          {"tube-box", make(kTube, Solid::box(0.014, 0.0142, 0.09)), true},
          {"mesh-tube", make(wedge(), kTube), true},
          {"box-cylinder", make(Solid::box(0.03, 0.02, 0.04), kStub), true},
          {"box-capsule", make(Solid::box(0.03, 0.02, 0.04), Solid::capsule(0.008, 0.03)), true},
          {"capsule-mesh", make(Solid::capsule(0.008, 0.03), wedge()), true},
          {"mesh-box", make(wedge(), Solid::box(0.03, 0.02, 0.04)), true},
          {"cylinder-cylinder", make(kStub, Solid::cylinder(0.008, 0.03))}};
}

TEST(Tube, distance_is_that_of_points) {
  Random r(2);
  const Solid tube = Solid::tube(0.02, 0.012, 0.03);
  const auto points = cloud(tube, 200000, r);
  for (int k = 0; k < 60; ++k) {
    const Vec3<> q = random_vector(r, k % 2 == 0 ? 0.03 : 0.012);
    Vec3<> g, unused;
    const double d = tube.distance(q, g), radius = std::hypot(q[0], q[1]);
    EXPECT_NEAR(tube.distance(q - d * g, unused), 0, 1e-12);
    EXPECT_NEAR(norm(g), 1, 1e-12);
    EXPECT_EQ(d<0, radius> 0.012 && radius < 0.02 && std::abs(q[2]) < 0.015);
    if (d < 0) continue;
    double least = 1;
    for (const Vec3<>& x : points) least = std::min(least, norm(q - x));
    EXPECT_NEAR(d, least, 5e-4);
    EXPECT_LT(d, least + 1e-12);
  }
}

TEST(Tube, keeps_the_contract_of_touches) {
  for (const Bored& p : bored()) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.g.problem(), nullptr);
    for (const bool inside : {true, false}) {
      SCOPED_TRACE(inside);
      if (std::getenv("TOUCH_FIGURES")) std::printf("%-18s %d ", p.name, inside);
      const bool hollow = p.g.a.inner() > 0 || p.g.b.inner() > 0;
      if (inside && (p.g.a.radius() > kTube.inner() || (p.frozen && !hollow))) continue;
      Contract c{0.03, inside ? 3e-4 : 0.04, inside ? 0.03 : 3, 3e-5};
      c.slopes = inside && !p.frozen;  // outside there are nearest points by support functions
      c.spare = 0.01;                  // slots that are free
      c.deepest = p.frozen ? -2e-6 : -2e-3;
      c.turned_limit = inside && !p.frozen ? 1e-9 : 1e-5;
      keep_contract(*make_geometry(p.g), c);
    }
  }
}

TEST(Tube, coaxial_shaft_touches_at_both_ends_of_what_they_share) {
  const double e = 1.5e-4;
  for (const bool longer : {true, false}) {
    const Solid& shaft = longer ? kShaft : kStub;
    for (const double angle : {0.0, 0.7, 2.0, -2.5}) {
      const Vec3<> off = vec(e * std::cos(angle), e * std::sin(angle), 1e-3);
      const auto t = near(touches(*make_geometry(SurfaceSurface{kTube, shaft}), pose(kHere, off, vec(0, 0, 0.3)), nullptr), 1e-3);
      ASSERT_EQ(t.size(), 2u);
      for (const Touch<>& x : t) {
        EXPECT_NEAR(x.gap, 2e-4 - e, 1e-16);
        EXPECT_NEAR(dot(x.normal, off), -e, 1e-15);
      }
      EXPECT_NEAR(std::abs(t[0].point[2] - t[1].point[2]), longer ? 0.03 : 0.02, 1e-15);
      EXPECT_NEAR(t[0].point[2] + t[1].point[2], longer ? 0 : 2e-3, 1e-15);
    }
  }
}

TEST(Tube, tilted_shaft_touches_across) {
  for (const double tilt : {1e-4, 3e-3, 0.012, 0.1}) {
    const auto mouths =
        near(touches(*make_geometry(SurfaceSurface{kTube, kShaft}), pose(kHere, vec(0, 0, 0), vec(0, tilt, 0)), nullptr), 5e-3);
    ASSERT_EQ(mouths.size(), 2u) << tilt;
    for (const Touch<>& t : mouths) {
      EXPECT_NEAR(t.gap, 0.0102 * std::cos(tilt) - 0.015 * std::sin(tilt) - 0.01, 1e-15) << tilt;
      EXPECT_NEAR(std::abs(t.normal[2]), std::sin(tilt), 1e-12);
    }
    EXPECT_LT(mouths[0].normal[0] * mouths[1].normal[0], 0);
    const auto ends =
        near(touches(*make_geometry(SurfaceSurface{kTube, kStub}), pose(kHere, vec(0, 0, 0), vec(0, tilt, 0)), nullptr), 5e-3);
    ASSERT_EQ(ends.size(), 2u) << tilt;
    for (const Touch<>& t : ends) EXPECT_NEAR(t.gap, 0.0102 - 0.01 * std::cos(tilt) - 0.01 * std::sin(tilt), 1e-15) << tilt;
  }
}

TEST(Tube, capsule_and_ball_in_a_bore_are_those_in_a_circle) {
  const double e = 2e-4;
  const auto c = near(
      touches(*make_geometry(SurfaceSurface{kTube, Solid::capsule(0.0098, 0.08)}), pose(kHere, vec(0, e, 0.004), {}), nullptr),
      2e-3);
  ASSERT_EQ(c.size(), 2u);
  for (const Touch<>& t : c) EXPECT_NEAR(t.gap, 4e-4 - e, 1e-16);
  EXPECT_NEAR(norm(c[0].point - c[1].point), 0.03, 1e-12);
  const auto b =
      touches(*make_geometry(SurfaceSurface{kTube, Solid::sphere(0.0098)}), pose(kHere, vec(0, e, 0.004), {}), nullptr);
  EXPECT_NEAR(b[0].gap, 4e-4 - e, 1e-16);
  EXPECT_NEAR(b[0].normal[1], -1, 1e-15);
}

TEST(Tube, ball_that_is_too_large_sits_on_the_mouth) {
  const double R = 0.015, height = std::sqrt(R * R - 0.0102 * 0.0102);
  const auto t = touches(*make_geometry(SurfaceSurface{kTube, Solid::sphere(R)}),
                         pose(kHere, vec(0, 0, 0.015 + height - 1e-6), {}), nullptr);
  Vec3<> sum;
  int count = 0;
  for (const Touch<>& x : near(t, 1e-4)) {
    EXPECT_NEAR(x.gap, -1e-6 * height / R, 1e-9);
    EXPECT_NEAR(x.normal[2], height / R, 1e-4);
    if (count++ < 3) sum = sum + x.normal;
  }
  EXPECT_GE(count, 3);
  EXPECT_NEAR(std::hypot(sum[0], sum[1]), 0, 1e-3);
}

TEST(Tube, cylinders_lie_along_and_stand_on_each_other) {
  const SurfaceSurface g{Solid::cylinder(0.02, 0.06), Solid::cylinder(0.01, 0.08)};
  const auto along = near(touches(*make_geometry(g), pose(kHere, vec(0.0299, 0, 0.01), vec(0, 0, 0)), nullptr), 1e-3);
  ASSERT_EQ(along.size(), 2u);
  for (const Touch<>& t : along) EXPECT_NEAR(t.gap, -1e-4, 1e-15);
  EXPECT_NEAR(norm(along[0].point - along[1].point), 0.06, 1e-12);
  const auto across = near(touches(*make_geometry(g), pose(kHere, vec(0.0299, 0, 0.01), vec(M_PI / 2, 0, 0)), nullptr), 1e-3);
  ASSERT_EQ(across.size(), 1u);
  EXPECT_NEAR(across[0].gap, -1e-4, 1e-15);
  EXPECT_NEAR(across[0].normal[0], 1, 1e-12);
  for (const double tilt : {0.0, 1e-10, 1e-4}) {
    const auto stands = near(touches(*make_geometry(g), pose(kHere, vec(0.003, 0.001, 0.0699), vec(0, tilt, 0)), nullptr), 5e-4);
    ASSERT_EQ(stands.size(), 5u) << tilt;  // the lowest place and four that stay
    Vec3<> low = vec(1, 1, 1), high = vec(-1, -1, -1);
    for (const Touch<>& t : stands) {
      EXPECT_NEAR(t.gap, -1e-4, 1.1e-2 * tilt + 1e-12);
      EXPECT_NEAR(t.normal[2], 1, 1e-7);
      for (int k = 0; k < 2; ++k) low[k] = std::min(low[k], t.point[k]), high[k] = std::max(high[k], t.point[k]);
    }
    EXPECT_NEAR(high[0] - low[0], 0.02, 4e-3);
    EXPECT_NEAR(high[1] - low[1], 0.02, 4e-3);
  }
}

TEST(Tube, stands_on_its_ring) {
  // a tube on a tube with a smaller bore, and a box on a tube: what carries is on the ring, around the axis
  for (const Solid& lid : {Solid::tube(0.018, 0.008, 0.01), Solid::box(0.05, 0.05, 0.01), Solid::cylinder(0.03, 0.01)}) {
    const auto t = touches(*make_geometry(SurfaceSurface{kTube, lid}), pose(kHere, vec(1e-4, 0, 0.02 - 1e-6), {}), nullptr);
    Vec3<> low = vec(1, 1, 1), high = vec(-1, -1, -1);
    for (const Touch<>& x : t) {
      EXPECT_NEAR(x.gap, -1e-6, 1e-12);
      const double radius = std::hypot(x.point[0], x.point[1]);
      EXPECT_GT(radius, 0.0102 - 1e-9);
      EXPECT_LT(radius, 0.02 + 1e-9);
      for (int k = 0; k < 2; ++k) low[k] = std::min(low[k], x.point[k]), high[k] = std::max(high[k], x.point[k]);
    }
    for (int k = 0; k < 2; ++k) {
      EXPECT_LT(low[k], -0.008);
      EXPECT_GT(high[k], 0.008);
    }
  }
}

TEST(Tube, gap_is_the_least_distance_of_all_points) {
  // the points of one body against the signed distance of the other, and the other way round
  for (const Bored& p : bored()) {
    Random r(11);
    const auto g = make_geometry(p.g);
    const auto on_a = cloud(p.g.a, 5000, r), on_b = cloud(p.g.b, 5000, r);
    double worst = 0, most_over = 0;
    int apart = 0, overlap = 0, wrong = 0;
    for (int k = 0; k < 300; ++k) {
      const double range[] = {3e-4, 0.01, 0.05}, tilt[] = {0.02, 0.3, 3};
      const Stance x = random_pose(r, range[k % 3], tilt[k % 3]);
      const double gap = least_gap(*g, x);
      double least = 1;
      Vec3<> unused;
      for (const Vec3<>& q : on_b)
        least = std::min(least, p.g.a.distance(transposed(x.A.R, place_of(x.B, q) - x.A.p), unused) - p.g.a.radius());
      for (const Vec3<>& q : on_a)
        least = std::min(least, p.g.b.distance(transposed(x.B.R, place_of(x.A, q) - x.B.p), unused) - p.g.b.radius());
      if (least > 0 && gap > 0) {
        ++apart;
        worst = std::max(worst, least - gap), most_over = std::max(most_over, gap - least);
      } else if (least < -3e-4 && least > -1.5e-3) {
        ++overlap;
        wrong += !(gap < 0);
        if (!(gap < 0) && std::getenv("TOUCH_FIGURES")) std::printf("k %d least %g gap %g\n", k, least, gap);
      } else if (least > 5e-4) {
        wrong += gap < 0;
      }
    }
    if (std::getenv("TOUCH_FIGURES"))
      std::printf("%-18s apart %d: points above by %.1e, below by %.1e; overlap %d, wrong %d\n", p.name, apart, worst, most_over,
                  overlap, wrong);
    EXPECT_GT(apart, 60) << p.name;
    EXPECT_LT(most_over, 1e-9) << p.name;
    EXPECT_LT(worst, 1.5e-3) << p.name;  // 5000 points on 0.01 m^2
    EXPECT_EQ(wrong, 0) << p.name;
  }
}

void fuzz_tubes(int times) {
  for (const Bored& p : bored()) {
    SCOPED_TRACE(p.name);
    fuzz(*make_geometry(p.g), 0.02, times * 100);
  }
}
TEST(Tube, fuzz_of_poses_gives_numbers) { fuzz_tubes(1); }
TEST(Tube, Long_fuzz_of_poses_gives_numbers) { fuzz_tubes(20); }

}  // namespace
}  // namespace bristle
