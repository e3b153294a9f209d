#include "bristle/measure/box_in_guide.h"
#include "bristle/measure/plate_between_planes.h"
#include "bristle/measure/sleeve.h"
#include "touch_check.h"

namespace bristle {
namespace {
using namespace touch_check;

const BoxInGuide kBox{0.0505, 0.0304, 0.05, 0.03, 0.1, false, 0};
const PlateBetweenPlanes kPlate{0.1, 1e-3, 0.005, 1e-2};
const Sleeve kSleeve{0.0252, 0.0250, 0.0401, 0.04};
const Frame<> kGround{Mat3<>::identity(), Vec3<>{}};

TEST(BoxInGuide, keeps_the_contract_of_touches) {
  keep_contract(*make_geometry(kBox), {0.05, 1e-3, 3, 1e-2});
  BoxInGuide flat = kBox;
  flat.planar = true;
  keep_contract(*make_geometry(flat), {0.05, 1e-3, 3, 1e-2});
}
TEST(PlateBetweenPlanes, keeps_the_contract_of_touches) {
  keep_contract(*make_geometry(kPlate), {0.1, 1e-3, 0.05, 1e-3});
  PlateBetweenPlanes sharp = kPlate;
  sharp.smoothing = 1e-6;
  keep_contract(*make_geometry(sharp), {0.1, 1e-3, 0.8, 1e-4});
}
TEST(Sleeve, keeps_the_contract_of_touches) { keep_contract(*make_geometry(kSleeve), {0.04, 1e-3, 3, 1e-2}); }
void fuzz_guides(int poses) {
  fuzz(*make_geometry(kBox), 0.05, poses);
  fuzz(*make_geometry(kPlate), 0.1, poses);
  fuzz(*make_geometry(kSleeve), 0.04, poses);
}
TEST(Guides, fuzz_of_poses_gives_numbers) { fuzz_guides(10000); }
TEST(Guides, Long_fuzz_of_poses_gives_numbers) { fuzz_guides(100000); }

TEST(BoxInGuide, gap_is_the_least_over_the_box) {
  Random r(2);
  for (int k = 0; k < 50; ++k) {
    const Stance p = random_pose(r, 2e-4, 0.004, 0.004);
    const auto t = touches(*make_geometry(kBox), p, nullptr);
    double least = 1, brute = 1;
    for (const Touch<>& x : t) least = std::min(least, x.gap);
    for (int i = 0; i < 20000; ++i) {  // points on the surface, corners among them
      Vec3<> s = vec(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
      if (i < 8) s = vec(i % 2 ? 1 : -1, i / 2 % 2 ? 1 : -1, i / 4 ? 1 : -1);
      const Vec3<> x = transposed(p.A.R, place_of(p.B, vec(0.025 * s[0], 0.015 * s[1], 0.05 * s[2])) - p.A.p);
      brute = std::min({brute, 0.02525 - std::abs(x[0]), 0.0152 - std::abs(x[1])});
    }
    EXPECT_NEAR(least, brute, 1e-15);
  }
}
TEST(BoxInGuide, names_corners_by_their_walls) {
  const auto g = make_geometry(kBox);
  EXPECT_EQ(g->points(), 16);
  EXPECT_EQ(g->point_name(0), "right.top.front");
  EXPECT_EQ(g->point_name(8), "top.right.front");
  EXPECT_EQ(g->point_name(7), "left.bottom.back");
  const auto t = touches(*g, pose(kGround, vec(2e-4, 0, 0), vec(0, 0, 0)), nullptr);
  EXPECT_NEAR(t[0].gap, 5e-5, 1e-17);
  EXPECT_NEAR(t[1].gap, 4.5e-4, 1e-17);
  EXPECT_NEAR(t[8].gap, 2e-4, 1e-17);
}
TEST(BoxInGuide, tells_when_it_reaches_out) {
  BoxInGuide b = kBox;
  b.guide_length = 0.2;
  const auto g = make_geometry(b);
  const Stance in = pose(kGround, vec(0, 0, 0.04), vec(0, 0, 0)), out = pose(kGround, vec(0, 0, 0.06), vec(0, 0, 0));
  EXPECT_EQ(g->trouble(in.A, in.B, nullptr), nullptr);
  EXPECT_NE(g->trouble(out.A, out.B, nullptr), nullptr);
}

TEST(PlateBetweenPlanes, gap_is_the_least_over_the_rim) {
  Random r(2);
  PlateBetweenPlanes sharp = kPlate;
  sharp.smoothing = 1e-6;
  for (int k = 0; k < 20; ++k) {
    const Stance p = random_pose(r, 3e-4, 0.01);
    const auto t = touches(*make_geometry(sharp), p, nullptr);
    double up = 1, down = 1;
    for (int i = 0; i < 40000; ++i) {
      const double a = 2 * M_PI * i / 40000;
      for (const double z : {-0.0025, 0.0025}) {
        const double h = dot(p.A.R.column(2), place_of(p.B, vec(0.1 * std::cos(a), 0.1 * std::sin(a), z)) - p.A.p);
        up = std::min(up, 0.003 - h), down = std::min(down, 0.003 + h);
      }
    }
    EXPECT_NEAR(t[0].gap, up, 0.1 * 1e-6 + 1e-11);
    EXPECT_NEAR(t[1].gap, down, 0.1 * 1e-6 + 1e-11);
  }
}

// Markers of the planar problem in the xy plane of the world: z along i, x along j, y along k: i x j = z x x
Frame<> planar(double x, double y, double theta) {
  Frame<> F;
  F.R.set_column(2, vec(std::cos(theta), std::sin(theta), 0));
  F.R.set_column(0, vec(-std::sin(theta), std::cos(theta), 0));
  F.R.set_column(1, vec(0, 0, 1));
  F.p = vec(x, y, 0);
  return F;
}

TEST(Sleeve, lower_corner_is_eq_A1_with_both_bodies_moving) {
  Random r(8);
  const double L1 = kSleeve.sleeve_length, L2 = kSleeve.cylinder_length, d1 = kSleeve.bore, d2 = kSleeve.diameter;
  for (int k = 0; k < 1000; ++k) {
    const double x1 = between(r, -1, 1), y1 = between(r, -1, 1), a1 = between(r, -2, 2);
    const double x2 = between(r, -1, 1), y2 = between(r, -1, 1), a2 = between(r, -2, 2);
    const Stance p{planar(x1 + L1 * std::cos(a1), y1 + L1 * std::sin(a1), a1), planar(x2 + L1, y2, a2)};
    const double A1 = (x1 - x2 - L1) * std::sin(a1) + (y2 - y1) * std::cos(a1) + L2 * std::sin(a1 - a2) -
                      0.5 * d2 * std::cos(a1 - a2) + 0.5 * d1;
    EXPECT_NEAR(touches(*make_geometry(kSleeve), p, nullptr)[0].gap, A1, 1e-14);
  }
}

TEST(Sleeve, fixed_sleeve_has_the_gaps_rates_and_arms_of_the_table) {
  Random r(9);
  const double L2 = kSleeve.cylinder_length, d1 = kSleeve.bore, d2 = kSleeve.diameter;
  for (int k = 0; k < 1000; ++k) {
    const double x = between(r, -0.01, 0.01), y = between(r, -1e-3, 1e-3), a = between(r, -0.1, 0.1);
    const double vx = between(r, -1, 1), vy = between(r, -1, 1), w = between(r, -1, 1), s = std::sin(a), c = std::cos(a);
    const Stance p{planar(0, 0, 0), planar(x, y, a)};
    Motion m;
    m.v_B = vec(vx, vy, 0), m.w_B = vec(0, 0, w);
    const auto t = touches(*make_geometry(kSleeve), p, nullptr);
    const double gap[4] = {y - L2 * s - d2 / 2 * c + d1 / 2, d1 / 2 - y + L2 * s - d2 / 2 * c, (d1 / 2 + y) * c - x * s - d2 / 2,
                           (d1 / 2 - y) * c + x * s - d2 / 2};
    const double rate[4] = {vy - L2 * w * c + d2 / 2 * w * s, -vy + L2 * w * c + d2 / 2 * w * s,
                            vy * c - (d1 / 2 + y) * s * w - vx * s - x * c * w,
                            -vy * c - (d1 / 2 - y) * s * w + vx * s + x * c * w};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(t[i].gap, gap[i], 1e-15);
      EXPECT_NEAR(rate_of(t[i], p, m), rate[i], 1e-14);
    }
    // forces on the beam: +j, -j, +j_2, -j_2; arms about O_2 by the signed lengths
    EXPECT_NEAR(t[0].normal[1], 1, 1e-15);
    EXPECT_NEAR(t[1].normal[1], -1, 1e-15);
    EXPECT_NEAR(t[2].normal[1], c, 1e-15);
    EXPECT_NEAR(t[3].normal[1], -c, 1e-15);
    const double s_D = x * c - (d1 / 2 - y) * s, s_C = x * c + (d1 / 2 + y) * s;
    EXPECT_NEAR(cross(t[2].point - p.B.p, t[2].normal)[2], -s_C, 1e-15);
    EXPECT_NEAR(cross(t[3].point - p.B.p, t[3].normal)[2], s_D, 1e-15);
  }
  EXPECT_EQ(make_geometry(kSleeve)->point_name(2), "C");
}

TEST(Sleeve, tells_when_the_beam_has_left) {
  const auto g = make_geometry(kSleeve);
  EXPECT_EQ(g->trouble(planar(0, 0, 0), planar(0, 0, 0), nullptr), nullptr);
  EXPECT_NE(g->trouble(planar(0, 0, 0), planar(0.041, 0, 0), nullptr), nullptr);
  EXPECT_EQ(g->trouble(planar(0, 0, 0), planar(-0.001, 0, 0), nullptr), nullptr);  // the closed end is soft
}

}  // namespace
}  // namespace bristle
