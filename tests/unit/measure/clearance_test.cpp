#include "bristle/measure/circle_in_circle.h"
#include "bristle/measure/disk_in_cylinder.h"
#include "bristle/measure/journal_in_bearing.h"
#include "bristle/measure/point_on_plane.h"
#include "bristle/measure/sphere_in_sphere.h"
#include "touch_check.h"

namespace bristle {
namespace {
using namespace touch_check;

const SphereInSphere kBall{0.05, 0.0495};
const CircleInCircle kPin{0.01, 0.0095, 0};
const DiskInCylinder kDisk{0.01, 0.0095, 0.0095, 0, 0};
const JournalInBearing kJournal{0.01, 0.0095, 0.02, 0.019};

TEST(SphereInSphere, keeps_the_contract_of_touches) { keep_contract(*make_geometry(kBall), {0.05, 2e-3, 3, 1e-4}); }
TEST(CircleInCircle, keeps_the_contract_of_touches) { keep_contract(*make_geometry(kPin), {0.01, 1e-3, 3, 1e-5}); }
TEST(DiskInCylinder, keeps_the_contract_of_touches) { keep_contract(*make_geometry(kDisk), {0.01, 1e-3, 0.05, 1e-5}); }
TEST(DiskInCylinder, keeps_the_contract_at_large_tilt) { keep_contract(*make_geometry(kDisk), {0.01, 2e-2, 0.7, 1e-4}); }
TEST(JournalInBearing, keeps_the_contract_of_touches) {
  JournalInBearing j = kJournal;
  j.smoothing = 1e-2;  // the rim point turns with the tilt over this length
  keep_contract(*make_geometry(j), {0.01, 1e-3, 0.05, 1e-5});
  keep_contract(*make_geometry(kJournal), {0.01, 1e-3, 0.5, 1e-5});
}
TEST(PointOnPlane, keeps_the_contract_of_touches) {
  PointOnPlane p;
  p.point = vec(0.02, -0.01, 0.03), p.face.axis = 1, p.face.side = -1, p.face.offset = 0.004;
  for (const bool mirrored : {false, true}) {
    p.mirrored = mirrored;
    p.face.half[0] = p.face.half[1] = std::numeric_limits<double>::infinity();
    keep_contract(*make_geometry(p), {0.03, 0.05, 3, 1e-3});
    p.face.half[0] = 0.02, p.face.half[1] = 0.01;
    keep_contract(*make_geometry(p), {0.03, 0.05, 3, 1e-4});
  }
}
void fuzz_clearances(int poses) {
  fuzz(*make_geometry(kBall), 0.05, poses);
  fuzz(*make_geometry(kPin), 0.01, poses);
  fuzz(*make_geometry(kDisk), 0.01, poses);
  fuzz(*make_geometry(kJournal), 0.01, poses);
  PointOnPlane p;
  p.face.half[0] = 0.02;
  fuzz(*make_geometry(p), 0.01, poses);
}
TEST(Clearance, fuzz_of_poses_gives_numbers) { fuzz_clearances(10000); }
TEST(Clearance, Long_fuzz_of_poses_gives_numbers) { fuzz_clearances(100000); }

TEST(CircleInCircle, equals_the_ball_in_the_plane) {
  const Stance p = pose({Mat3<>::identity(), vec(0, 0, 0)}, vec(3e-4, -2e-4, 0), vec(0, 0, 0.4));
  const auto a = touches(*make_geometry(kPin), p, nullptr), b = touches(*make_geometry(SphereInSphere{0.01, 0.0095}), p, nullptr);
  EXPECT_NEAR(a[0].gap, 5e-4 - std::hypot(3e-4, 2e-4), 1e-18);
  EXPECT_EQ(a[0].gap, b[0].gap);
  EXPECT_LT(norm(a[0].point - b[0].point), 1e-17);
}

// [R - distance to the axis] of all points of the rim
double rim_gap(const DiskInCylinder& g, const Stance& p, int points) {
  double least = 1e9;
  for (int k = 0; k < points; ++k) {
    const double a = 2 * M_PI * k / points;
    const Vec3<> x = place_of(p.B, vec(g.disk_radius * std::cos(a), g.disk_radius * std::sin(a), g.offset)) - p.A.p;
    least = std::min(least, g.cylinder_radius - norm(cross(p.A.R.column(2), x)));
  }
  return least;
}

TEST(DiskInCylinder, gap_is_the_least_over_the_rim) {
  Random r(3);
  double worst = 0;
  for (int k = 0; k < 300; ++k) {
    const Stance p = random_pose(r, k % 3 == 0 ? 5e-6 : 5e-4, k % 2 == 0 ? 0.03 : 0.6);
    const double gap = touches(*make_geometry(kDisk), p, nullptr)[0].gap, brute = rim_gap(kDisk, p, 20000);
    EXPECT_LT(gap, brute + 1e-15);
    worst = std::max(worst, brute - gap);
  }
  // spacing 2 pi/20000: R (spacing/2)^2/2 is the farthest that a grid misses the minimum
  EXPECT_LT(worst, 0.0195 * std::pow(M_PI / 20000, 2) / 2);
}

TEST(DiskInCylinder, is_the_one_dimensional_search_of_the_spatial_revolute_joint) {
  Random r(4);
  for (int k = 0; k < 100; ++k) {
    const Stance p = random_pose(r, 5e-4, 0.05);
    const Vec3<> ai = p.A.R.column(2), aj = p.B.R.column(2), e2 = direction(cross(ai, aj)), e1 = cross(e2, aj),
                 f1 = cross(e2, ai);
    const Vec3<> c = p.B.p + times(kDisk.offset, aj) - p.A.p;
    const double cosine = dot(e1, f1), c1 = dot(c, f1), c2 = dot(c, e2), Rj = kDisk.disk_radius;
    double best = 0, width = M_PI, at = 0;
    for (int level = 0; level < 9; ++level, width /= 50) {  // nested grids
      const double middle = at;
      for (int i = -100; i <= 100; ++i) {
        const double f = middle + width * i / 100;
        const double d = std::hypot(c1 + Rj * cosine * std::cos(f), c2 + Rj * std::sin(f));
        if (d > best) best = d, at = f;
      }
    }
    EXPECT_NEAR(touches(*make_geometry(kDisk), p, nullptr)[0].gap, 0.01 - best, 1e-16);
  }
}

TEST(DiskInCylinder, centred_and_tilted_has_two_valleys_and_a_continuous_gap) {
  DiskInCylinder g = kDisk;
  g.offset = 0;
  const Frame<> A{Mat3<>::identity(), vec(0, 0, 0)};
  const auto left = touches(*make_geometry(g), pose(A, vec(0, -1e-9, 0), vec(0, 0.05, 0)), nullptr)[0];
  const auto right = touches(*make_geometry(g), pose(A, vec(0, 1e-9, 0), vec(0, 0.05, 0)), nullptr)[0];
  EXPECT_NEAR(left.gap, right.gap, 1e-17);
  EXPECT_NEAR(dot(left.normal, right.normal), -1, 1e-12);
  EXPECT_NEAR(left.gap, 5e-4 - 1e-9, 1e-15);
}

TEST(DiskInCylinder, work_on_a_closed_way_is_that_of_the_gap) {
  // a spring on the gap: the force goes round and comes back with nothing. Trapezoidal rule on a periodic function.
  const auto g = make_geometry(kDisk);
  const auto at = [&](double t) {
    return pose({rotation(vec(0.1 * std::sin(t), 0.2 * std::cos(2 * t), 0.3)), vec(0.01 * std::cos(t), 0, 0.02 * std::sin(t))},
                vec(4e-4 + 1e-4 * std::cos(t), 2e-4 * std::sin(2 * t), 0),
                vec(0.02 * std::sin(t), 0.03 * std::cos(t), std::sin(t)));
  };
  double work = 0, up = 0;
  const int steps = 400;
  for (int k = 0; k < steps; ++k) {
    const double t = 2 * M_PI * k / steps, h = 1e-3;
    const Stance p = at(t), q = at(t + h), b = at(t - h);
    Motion m;
    const auto spin = [&](const Mat3<>& R1, const Mat3<>& R0) {
      Vec3<> phi;
      Mat3<> J;
      rotation_vector(R1 * transposed(R0, Mat3<>::identity()), phi, J);
      return times(0.5 / h, phi);
    };
    m.v_A = times(0.5 / h, q.A.p - b.A.p), m.v_B = times(0.5 / h, q.B.p - b.B.p);
    m.w_A = spin(q.A.R, b.A.R), m.w_B = spin(q.B.R, b.B.R);
    const Touch<> x = touches(*g, p, nullptr)[0];
    const double power = -1e6 * x.gap * rate_of(x, p, m) * 2 * M_PI / steps;
    work += power, up += std::abs(power);
  }
  EXPECT_LT(std::abs(work), 1e-5 * up);  // second differences of the motion: 1e-6 relative
}

TEST(DiskInCylinder, tells_when_it_cannot_answer) {
  const Frame<> A{Mat3<>::identity(), vec(0, 0, 0)};
  DiskInCylinder g = kDisk;
  g.length = 0.02;
  const auto made = make_geometry(g);
  const Stance good = pose(A, vec(0, 0, 0), vec(0.1, 0, 0)), standing = pose(A, vec(0, 0, 0), vec(M_PI / 2, 0, 0)),
               out = pose(A, vec(0, 0, 0.001), vec(0, 0, 0));
  EXPECT_EQ(made->trouble(good.A, good.B, nullptr), nullptr);
  EXPECT_NE(made->trouble(standing.A, standing.B, nullptr), nullptr);
  EXPECT_NE(made->trouble(out.A, out.B, nullptr), nullptr);
}

TEST(JournalInBearing, translation_gives_equal_gaps_and_tilt_opposite_ones) {
  JournalInBearing j = kJournal;
  j.axial = false;
  const auto g = make_geometry(j);
  EXPECT_EQ(g->points(), 2);
  const Frame<> A{rotation(vec(0.3, -0.2, 0.5)), vec(0.1, 0.2, 0.3)};
  const auto shifted = touches(*g, pose(A, vec(2e-4, 1e-4, 3e-4), vec(0, 0, 0)), nullptr);
  EXPECT_NEAR(shifted[0].gap, shifted[1].gap, 1e-16);
  EXPECT_NEAR(shifted[0].gap, 5e-4 - std::hypot(2e-4, 1e-4), 1e-16);
  const double theta = 0.02;
  const auto tilted = touches(*g, pose(A, vec(0, 0, 0), vec(0, theta, 0)), nullptr);
  EXPECT_NEAR(tilted[0].gap, tilted[1].gap, 1e-16);
  EXPECT_LT(norm(tilted[0].normal + tilted[1].normal), 1e-12);
  EXPECT_NEAR(tilted[0].gap, 5e-4 - 0.5 * j.journal_length * theta, 0.5 * j.journal_radius * theta * theta * 1.05);
}

TEST(JournalInBearing, axial_gap_is_the_least_over_the_end) {
  Random r(5);
  for (int k = 0; k < 50; ++k) {
    const Stance p = random_pose(r, 5e-4, 0.05);
    const auto t = touches(*make_geometry(kJournal), p, nullptr);
    for (int end = 0; end < 2; ++end) {
      const double s = end == 0 ? 1 : -1;
      double least = 1;
      for (int i = 0; i < 20000; ++i) {
        const double a = 2 * M_PI * i / 20000;
        const Vec3<> x = place_of(p.B, vec(0.0095 * std::cos(a), 0.0095 * std::sin(a), s * 0.0095)) - p.A.p;
        least = std::min(least, 0.01 - s * dot(x, p.A.R.column(2)));
      }
      EXPECT_NEAR(t[static_cast<std::size_t>(2 + end)].gap, least, 0.0095 * kJournal.smoothing + 1e-11);
    }
  }
}

TEST(JournalInBearing, aligned_faces_press_at_their_centres) {
  const auto t =
      touches(*make_geometry(kJournal), pose({Mat3<>::identity(), vec(0, 0, 0)}, vec(1e-4, 0, 4e-4), vec(0, 0, 0)), nullptr);
  EXPECT_NEAR(t[2].gap, 1e-4, 1e-17);
  EXPECT_NEAR(t[3].gap, 9e-4, 1e-17);
  EXPECT_NEAR(t[2].point[0], 1e-4, 1e-18);
  EXPECT_EQ(t[2].normal[2], -1);
  EXPECT_EQ(t[3].normal[2], 1);
}

TEST(JournalInBearing, each_of_the_thirteen_scenarios_has_a_pose) {
  struct Case {
    int id;
    double x, z, tilt, bearing_radius, bearing_length;
  };
  // shifts along the tilt: the +z end of the pin moves to +x with the tilt
  const double R = 0.01, L = 0.02;
  for (const Case& c : {Case{1, 0, 0, 0.01, R, L},
                        {2, 6e-4, 0, 0, R, L},
                        {3, 0, 6e-4, 0, R, L},
                        {4, 6e-4, 6e-4, 0, R, L},
                        {5, 4.5e-4, 0, 0.01, R, L},
                        {6, 0, 4.5e-4, 0.01, R, L},
                        {7, 0, 0, 0.058, R, 0.021},
                        {8, 0, 0, 0.058, 0.0105, L},
                        {9, 4.5e-4, 4.5e-4, 0.01, R, L},
                        {10, 4.5e-4, -4.5e-4, 0.01, R, L},
                        {11, 0, 3e-4, 0.058, R, L + 2e-4},
                        {12, 3e-4, 0, 0.058, R + 1e-4, L},
                        {13, 0, 0, 0.056, R, L}}) {
    JournalInBearing j = kJournal;
    j.bearing_radius = c.bearing_radius, j.bearing_length = c.bearing_length;
    const Stance p = pose({Mat3<>::identity(), vec(0, 0, 0)}, vec(c.x, 0, c.z), vec(0, c.tilt, 0));
    EXPECT_EQ(j.scenario(p.A, p.B), c.id);
  }
}

TEST(JournalInBearing, names_its_points) {
  const auto g = make_geometry(kJournal);
  EXPECT_EQ(g->point_name(0), "A.radial");
  EXPECT_EQ(g->point_name(3), "B.axial");
  EXPECT_EQ(g->pair(0).radius_a, -0.01);
  EXPECT_EQ(g->pair(2).radius_a, 0);
}

TEST(PointOnPlane, beyond_its_patch_a_point_is_free) {
  PointOnPlane p;
  p.face.half[0] = 0.02, p.face.half[1] = 0.01;
  const auto g = make_geometry(p);
  const Frame<> A{Mat3<>::identity(), vec(0, 0, 0)};
  EXPECT_DOUBLE_EQ(touches(*g, pose(A, vec(0.01, 0.005, -1e-3), vec(0, 0, 0)), nullptr)[0].gap, -1e-3);
  EXPECT_DOUBLE_EQ(touches(*g, pose(A, vec(0.023, 0, -4e-3), vec(0, 0, 0)), nullptr)[0].gap, 5e-3);
}

}  // namespace
}  // namespace bristle
