// Bodies that lie along and stand on each other have as many points as it takes to stay there.
#include "bristle/measure/solid.h"
#include "bristle/measure/surface_surface.h"
#include "touch_check.h"

namespace bristle {
namespace {
using namespace touch_check;

constexpr double kDepth = 1e-4;  // [m]

Solid cube(double size) {
  std::vector<Vec3<>> v;
  for (int i = 0; i < 8; ++i) v.push_back(vec((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5));
  for (Vec3<>& x : v) x = size * x;
  return Solid::mesh(v, {{0, 2, 1},
                         {1, 2, 3},
                         {4, 5, 6},
                         {5, 7, 6},
                         {0, 1, 4},
                         {1, 5, 4},
                         {2, 6, 3},
                         {3, 6, 7},
                         {0, 4, 2},
                         {2, 4, 6},
                         {1, 3, 5},
                         {3, 7, 5}});
}

struct Extent {
  std::size_t count = 0;
  Vec3<> low = vec(1, 1, 1), high = vec(-1, -1, -1);
};
/// Points where B presses on A from above: all as deep as they should be, and along z.
Extent pressed(const Solid& a, const Solid& b, const Vec3<>& shift, const Vec3<>& turn, bool rigid = false) {
  Extent e;
  for (const bool swapped : {false, true}) {
    const auto g = make_geometry(swapped ? SurfaceSurface{b, a, 1e-6, rigid} : SurfaceSurface{a, b, 1e-6, rigid});
    Stance p = pose({Mat3<>::identity(), Vec3<>{}}, shift, turn);
    if (swapped) std::swap(p.A, p.B);
    e = {};
    for (const Touch<>& t : touches(*g, p, nullptr)) {
      if (t.gap > 1e-3) continue;
      ++e.count;
      EXPECT_NEAR(t.gap, -kDepth, 1e-12);
      EXPECT_NEAR(t.normal[2], swapped ? -1 : 1, 1e-12);
      for (int k = 0; k < 3; ++k) e.low[k] = std::min(e.low[k], t.point[k]), e.high[k] = std::max(e.high[k], t.point[k]);
    }
  }
  return e;
}

TEST(Lying, rods_along_each_other_touch_at_the_ends_of_what_they_share) {
  const Solid capsule = Solid::capsule(0.01, 0.06), cylinder = Solid::cylinder(0.01, 0.06), box = Solid::box(0.1, 0.1, 0.02);
  const Vec3<> along_x = vec(0, M_PI / 2, 0);
  for (const Solid& rod : {capsule, cylinder}) {
    const Extent e = pressed(box, rod, vec(0.005, 0, 0.02 - kDepth), along_x);
    EXPECT_EQ(e.count, 2u);
    EXPECT_NEAR(e.high[0] - e.low[0], 0.06, 1e-9);
    // over the edges of a narrow box it lies on these
    const Extent narrow = pressed(Solid::box(0.04, 0.1, 0.02), rod, vec(0.005, 0, 0.02 - kDepth), along_x);
    EXPECT_EQ(narrow.count, 2u);
    EXPECT_NEAR(narrow.high[0] - narrow.low[0], 0.04, 1e-9);
    EXPECT_NEAR(narrow.high[0] + narrow.low[0], 0, 1e-9);
    if (rod.is_round()) {
      const Extent flush = pressed(Solid::box(0.06, 0.1, 0.02), rod, vec(0, 0, 0.02 - kDepth), along_x);
      EXPECT_NEAR(flush.high[0] - flush.low[0], 0.06, 1e-9);
    }
    const Extent mesh = pressed(cube(0.04), rod, vec(0.005, 0.001, 0.03 - kDepth), along_x);
    EXPECT_GE(mesh.count, 2u);
    EXPECT_NEAR(mesh.high[0] - mesh.low[0], 0.04, 1e-9);
  }
  for (const Solid& first : {Solid::capsule(0.01, 0.1), Solid::cylinder(0.01, 0.1)}) {
    for (const Solid& second : {capsule, cylinder}) {
      const auto g = make_geometry(SurfaceSurface{first, second});
      int count = 0;
      double low = 1, high = -1;
      for (const Touch<>& t :
           touches(*g, pose({Mat3<>::identity(), Vec3<>{}}, vec(0.02 - kDepth, 0, 0.04), vec(0, 0, 0)), nullptr)) {
        if (t.gap > 1e-3) continue;
        ++count;
        EXPECT_NEAR(t.gap, -kDepth, 1e-12);
        EXPECT_NEAR(t.normal[0], 1, 1e-12);
        low = std::min(low, t.point[2]), high = std::max(high, t.point[2]);
      }
      EXPECT_EQ(count, 2);
      EXPECT_NEAR(low, 0.01, 1e-12);
      EXPECT_NEAR(high, 0.05, 1e-12);
    }
  }
}

TEST(Lying, cylinder_stands_on_a_box_and_a_box_on_a_cylinder) {
  for (const bool rigid : {true, false}) {
    for (const Solid& floor : {Solid::box(0.1, 0.1, 0.02), cube(0.1)}) {
      const double top = floor.kind() == Solid::Kind::box ? 0.01 : 0.05;
      const Extent e = pressed(floor, Solid::cylinder(0.02, 0.04), vec(0.01, 0, top + 0.02 - kDepth), vec(0, 0, 0.3), rigid);
      EXPECT_EQ(e.count, rigid ? 4u : 5u);  // with the lowest place
      for (int k = 0; k < 2; ++k) EXPECT_GT(e.high[k] - e.low[k], 0.035);
    }
    const Extent e =
        pressed(Solid::cylinder(0.05, 0.04), Solid::box(0.03, 0.03, 0.02), vec(0.01, 0, 0.03 - kDepth), vec(0, 0, 0.3), rigid);
    EXPECT_EQ(e.count, 4u);
    for (int k = 0; k < 2; ++k) EXPECT_GT(e.high[k] - e.low[k], 0.03);
  }
}

TEST(Lying, cylinder_stands_on_a_plane_at_four_places_and_rolls_on_one) {
  for (const Solid& s : {Solid::cylinder(0.012, 0.03), Solid::tube(0.012, 0.006, 0.03)}) {
    for (const bool swapped : {false, true}) {
      SurfaceSurface g{swapped ? s : Solid::plane(), swapped ? Solid::plane() : s};
      g.stands = true;
      Contract c{0.03, 0.04, 3, 3e-5};
      c.deepest = -2e-3;
      keep_contract(*make_geometry(g), c);
    }
    SurfaceSurface g{Solid::plane(), s};
    g.stands = true;
    for (const double tilt : {0.0, 1e-7, 1e-3}) {
      const auto t =
          touches(*make_geometry(g), pose({Mat3<>::identity(), Vec3<>{}}, vec(0, 0, 0.015 - kDepth), vec(0, tilt, 0)), nullptr);
      Vec3<> middle;
      double deepest = 0;
      for (const Touch<>& x : t) {
        EXPECT_NEAR(std::hypot(x.point[0], x.point[1]), 0.012, 1e-4);
        EXPECT_NEAR(x.gap, -kDepth, 0.012 * tilt + 1e-7);
        middle = middle + 0.25 * x.point;
        deepest = std::min(deepest, x.gap);
      }
      EXPECT_NEAR(deepest, 0.015 - kDepth - 0.015 * std::cos(tilt) - 0.012 * std::sin(tilt), 1e-12);
      EXPECT_LT(std::hypot(middle[0], middle[1]), 0.005);
    }
    const auto rolls =
        touches(*make_geometry(g), pose({Mat3<>::identity(), Vec3<>{}}, vec(0, 0, 0.012 - kDepth), vec(M_PI / 2, 0, 0)), nullptr);
    int count = 0;
    for (const Touch<>& x : rolls) count += x.gap < 0;
    EXPECT_EQ(count, 2);
  }
}

TEST(Lying, meshes_stand_on_each_other_as_boxes_do) {
  for (const Solid& floor : {Solid::box(0.1, 0.1, 0.1), cube(0.1)}) {
    const Extent e = pressed(floor, cube(0.04), vec(0.01, 0.02, 0.07 - kDepth), vec(0, 0, 0.3));
    EXPECT_EQ(e.count, 4u);
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(e.high[k] - e.low[k], 0.04 * (std::cos(0.3) + std::sin(0.3)), 1e-9);
  }
}

}  // namespace
}  // namespace bristle
