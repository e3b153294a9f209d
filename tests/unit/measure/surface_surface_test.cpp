#include "bristle/measure/surface_surface.h"

#include "bristle/measure/sphere_in_sphere.h"
#include "surface_cloud.h"
#include "touch_check.h"

namespace bristle {
namespace {
using namespace touch_check;

const Frame<> kGround{Mat3<>::identity(), Vec3<>{}};

Solid icosahedron(double size) {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  std::vector<Vec3<>> v;
  for (const double s : {-1.0, 1.0}) {
    for (const double t : {-g, g})
      v.push_back(vec(0, size * s, size * t)), v.push_back(vec(size * s, size * t, 0)), v.push_back(vec(size * t, 0, size * s));
  }
  std::vector<std::array<int, 3>> faces;
  for (int i = 0; i < 12; ++i) {
    for (int j = i + 1; j < 12; ++j) {
      for (int k = j + 1; k < 12; ++k) {
        const auto at = [&](int m) { return v[static_cast<std::size_t>(m)]; };
        const double e = 2 * size * 1.0001;
        if (norm(at(i) - at(j)) > e || norm(at(j) - at(k)) > e || norm(at(i) - at(k)) > e) continue;
        if (dot(cross(at(j) - at(i), at(k) - at(i)), at(i)) > 0) faces.push_back({i, j, k});
        else faces.push_back({i, k, j});
      }
    }
  }
  return Solid::mesh(v, faces);
}

struct Named {
  const char* name;
  SurfaceSurface g;
  double rate_limit = 1e-6;
  bool slopes = true;
};
const Solid kSphere = Solid::sphere(0.01), kPlane = Solid::plane(), kCapsule = Solid::capsule(0.008, 0.03),
            kBox = Solid::box(0.03, 0.02, 0.04), kCylinder = Solid::cylinder(0.012, 0.03),
            kEllipsoid = Solid::ellipsoid(0.02, 0.012, 0.015), kQuadric = Solid::superquadric(0.02, 0.012, 0.015, 2.5, 3),
            kMesh = icosahedron(0.009);
std::vector<Named> pairs() {
  const auto make = [](const Solid& a, const Solid& b) { return SurfaceSurface{a, b, 1e-6}; };
  return {{"sphere-sphere", make(kSphere, Solid::sphere(0.02))},
          {"plane-sphere", make(kPlane, kSphere)},
          {"sphere-plane", make(kSphere, kPlane)},
          {"sphere-capsule", make(kSphere, kCapsule)},
          {"box-sphere", make(kBox, kSphere)},
          {"cylinder-sphere", make(kCylinder, kSphere)},
          {"ellipsoid-sphere", make(kEllipsoid, kSphere)},
          {"sphere-mesh", make(kSphere, kMesh)},
          {"hollow-sphere", make(Solid::hollow_sphere(0.05), kSphere)},
          {"plane-capsule", make(kPlane, kCapsule)},
          {"plane-box", make(kPlane, kBox)},
          {"box-plane", make(kBox, kPlane)},
          {"plane-cylinder", make(kPlane, kCylinder)},
          {"plane-ellipsoid", make(kPlane, kEllipsoid)},
          {"mesh-plane", make(kMesh, kPlane)},
          {"capsule-capsule", make(kCapsule, Solid::capsule(0.005, 0.02))},
          {"box-box", make(kBox, Solid::box(0.02, 0.02, 0.02)), 1e-6, false},
          {"ellipsoid-ellipsoid", make(kEllipsoid, Solid::ellipsoid(0.01, 0.03, 0.02))},
          {"plane-superquadric", make(kPlane, kQuadric)},
          {"superquadric-sphere", make(kQuadric, kSphere)},
          {"sphere-superquadric", make(kSphere, kQuadric)},
          {"superquadric-ellipsoid", make(kQuadric, kEllipsoid)},
          {"superquadric-superquadric", make(kQuadric, Solid::superquadric(0.01, 0.02, 0.015, 3, 2.2))},
          {"box-superquadric", make(kBox, kQuadric), 1e-6, false},
          {"box-ellipsoid", make(kBox, kEllipsoid), 1e-6, false},
          {"mesh-mesh", make(kMesh, icosahedron(0.012)), 1e-6, false},
          {"capsule-box", make(kCapsule, kBox), 1e-6, false},
          {"cylinder-capsule", make(kCylinder, kCapsule), 1e-6, false},
          {"cylinder-mesh", make(kCylinder, kMesh), 1e-6, false},
          {"cylinder-cylinder", make(kCylinder, kCylinder), 1e-6, false}};
}

TEST(SurfaceSurface, keeps_the_contract_of_touches) {
  for (const Named& p : pairs()) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(p.g.problem(), nullptr);
    if (std::getenv("TOUCH_FIGURES")) std::printf("%-20s ", p.name);
    Contract c{0.03, 0.04, 3, 1e-4};
    c.rate_limit = p.rate_limit, c.slopes = p.slopes;
    if (p.g.points() > 4) c.spare = 0.01;  // slots that are free
    c.deepest = -2e-3;                     // deeper, a nearest face or foot changes within the stencil
    if (!p.slopes) c.turned_limit = 1e-6;  // a normal from the least distance alone is known to the root of round-off
    keep_contract(*make_geometry(p.g), c);
  }
}

TEST(SurfaceSurface, superquadric_has_its_support_on_its_surface) {
  // the farthest point along n lies on the surface, and its gradient there points along n
  Random r(5);
  for (int k = 0; k < 200; ++k) {
    const double a = 0.02, b = 0.05, c = 0.03, p = between(r, 1.3, 8), q = between(r, 1.3, 8);
    const Solid s = Solid::superquadric(a, b, c, p, q);
    Vec3<> n = random_vector(r, 1);
    n = (1 / norm(n)) * n;
    const Vec3<> x = s.support(n);
    const double flat = std::pow(std::pow(std::abs(x[0]) / a, p) + std::pow(std::abs(x[1]) / b, p), 1 / p);
    EXPECT_NEAR(std::pow(flat, q) + std::pow(std::abs(x[2]) / c, q), 1, 1e-12);
    double most = 0;
    for (int i = 0; i < 200; ++i) most = std::max(most, dot(n, s.support(random_vector(r, 1))));
    EXPECT_LE(most, dot(n, x) * (1 + 1e-12));
  }
  const Solid two = Solid::superquadric(0.02, 0.012, 0.015, 2, 2);
  for (int k = 0; k < 50; ++k) {
    const Vec3<> n = random_vector(r, 1);
    EXPECT_LT(norm(two.support(n) - kEllipsoid.support(n)), 1e-15);
  }
}

TEST(SurfaceSurface, boxes_face_to_face_have_exact_slopes) {
  const auto g = make_geometry(SurfaceSurface{kBox, Solid::box(0.02, 0.02, 0.02)});
  Random r(21);
  SlopeCheck slope;
  for (int k = 0; k < 200; ++k) {
    const Frame<> A{random_rotation(r), random_vector(r, 0.3)};
    Stance p =
        pose(A, vec(between(r, -0.02, 0.02), between(r, -0.015, 0.015), 0.03 + between(r, -1e-3, 1e-3)), random_vector(r, 0.05));
    p.B.R = p.B.R * rotation(vec(0, 0, between(r, -3, 3)));
    check_slopes(*g, p, 1e-6, 1e-4, 0.03, slope);
  }
  EXPECT_LT(slope.gap, 1e-8);
  EXPECT_LT(slope.normal, 1e-6);
  EXPECT_LT(slope.point, 1e-6);
  EXPECT_GT(slope.compared, 9 * slope.jumped);
}

TEST(SurfaceSurface, sphere_in_sphere_is_the_spherical_joint_with_clearance) {
  const auto g = make_geometry(SurfaceSurface{Solid::hollow_sphere(0.05), Solid::sphere(0.0495)});
  const auto e4 = make_geometry(SphereInSphere{0.05, 0.0495});
  Random r(3);
  for (int k = 0; k < 1000; ++k) {
    const Stance p = random_pose(r, 1e-3, 3);
    const auto a = touches(*g, p, nullptr), b = touches(*e4, p, nullptr);
    EXPECT_NEAR(a[0].gap, b[0].gap, 1e-16);
    EXPECT_LT(norm(a[0].normal - b[0].normal), 1e-13);
    EXPECT_LT(norm(a[0].point - b[0].point), 1e-14);
  }
  EXPECT_EQ(g->pair(0).radius_a, -0.05);
}

TEST(SurfaceSurface, gap_of_separate_bodies_is_the_least_distance) {
  // points of one body against the signed distance of the other, which the pairs with spheres prove
  for (const Named& p : pairs()) {
    if (!p.g.a.has_core() || !p.g.b.has_core()) continue;
    const bool boxes = p.g.a.kind() == Solid::Kind::box && p.g.b.kind() == Solid::Kind::box;
    Random r(11);
    const auto g = make_geometry(p.g);
    // a superquadric has no distance of its own: its points against the other one
    const bool swapped = p.g.a.kind() == Solid::Kind::superquadric;
    const Solid &other = swapped ? p.g.b : p.g.a, &cloudy = swapped ? p.g.a : p.g.b;
    if (other.kind() == Solid::Kind::superquadric) continue;
    const auto points = cloud(cloudy, 10000, r);
    double worst = 0;
    int seen = 0;
    for (int k = 0; k < 30; ++k) {
      const Stance x = random_pose(r, 0.05, 3);
      const double gap = least_gap(*g, x);
      if (gap < 1e-3) continue;
      ++seen;
      double least = 1;
      for (const Vec3<>& local : points) {
        Vec3<> gradient;
        const Frame<>&F = swapped ? x.B : x.A, &G = swapped ? x.A : x.B;
        least = std::min(least, other.distance(transposed(F.R, place_of(G, local) - F.p), gradient) - other.radius());
      }
      if (!boxes) {
        EXPECT_LT(gap, least + 1e-9) << p.name;
      }
      worst = std::max(worst, std::abs(least - gap));
    }
    EXPECT_GT(seen, 5);
    if (std::getenv("TOUCH_FIGURES")) std::printf("%-20s brute force %.1e over %d poses\n", p.name, worst, seen);
    // 10000 points on 0.004 m^2: one per 0.6 mm; an edge or corner is met to a part of that
    if (!boxes) {
      EXPECT_LT(worst, 1e-3) << p.name;
    }
  }
}

TEST(SurfaceSurface, distances_from_cores_are_those_of_points) {
  for (const Solid& s : {kBox, kCylinder, kEllipsoid, kCapsule, kMesh}) {
    Random r(2);
    const auto points = cloud(s, 200000, r);
    for (int k = 0; k < 20; ++k) {
      const Vec3<> q = random_vector(r, 0.04);
      Vec3<> g, unused;
      const double d = s.distance(q, g);
      // along the gradient by the distance lies the surface
      EXPECT_NEAR(s.distance(q - d * g, unused), 0, 1e-12);
      if (d < 1e-3 || s.kind() == Solid::Kind::mesh || s.kind() == Solid::Kind::capsule) continue;
      double least = 1;
      for (const Vec3<>& x : points) least = std::min(least, norm(q - x));
      EXPECT_NEAR(d, least, 5e-4);
      EXPECT_LT(d, least + 1e-12);
    }
  }
}

TEST(SurfaceSurface, overlap_is_the_least_way_out) {
  // moved out along the normal by the depth the bodies just touch, and no sampled direction is shorter
  for (const Named& p : pairs()) {
    if (!p.g.a.has_core() || !p.g.b.has_core()) continue;
    if (p.g.a.kind() == Solid::Kind::sphere || p.g.b.kind() == Solid::Kind::sphere || p.g.a.kind() == Solid::Kind::capsule)
      continue;
    Random r(12);
    std::normal_distribution<> n;
    const auto g = make_geometry(p.g);
    int seen = 0;
    for (int k = 0; k < 40; ++k) {
      const Stance x = random_pose(r, 0.012, 3);
      Touch<> t = touches(*g, x, nullptr)[0];
      for (const Touch<>& y : touches(*g, x, nullptr)) t = y.gap < t.gap ? y : t;
      if (t.gap > 0) continue;
      ++seen;
      const auto reach = [&](const Vec3<>& d) {  // separation along d
        const Vec3<> a = p.g.a.support(transposed(x.A.R, d)), b = p.g.b.support(transposed(x.B.R, times(-1, d)));
        return dot(d, place_of(x.B, b) - place_of(x.A, a)) - p.g.a.radius() - p.g.b.radius();
      };
      double best = -1;
      for (int i = 0; i < 20000; ++i) best = std::max(best, reach(direction(vec(n(r), n(r), n(r)))));
      if (p.g.points() == 1) {
        EXPECT_GT(t.gap, best - 1e-9) << p.name;
        EXPECT_NEAR(t.gap, reach(t.normal), 1e-9) << p.name;
      } else {  // boxes: each point has its own features; the deepest is no less deep than the boxes are along its normal
        EXPECT_LT(reach(t.normal), t.gap + 1e-9) << p.name;
      }
    }
    EXPECT_GT(seen, 5) << p.name;
  }
}

TEST(SurfaceSurface, box_rests_on_four_corners) {
  const auto g = make_geometry(SurfaceSurface{Solid::box(0.2, 0.2, 0.02), Solid::box(0.04, 0.06, 0.02)});
  for (const double turn : {0.0, 0.3, 0.785}) {
    const auto t = touches(*g, pose(kGround, vec(0.01, -0.02, 0.0199), vec(0, 0, turn)), nullptr);
    Vec3<> middle;
    for (const Touch<>& x : t) {
      EXPECT_NEAR(x.gap, -1e-4, 1e-14);
      EXPECT_NEAR(x.normal[2], 1, 1e-12);
      middle = middle + times(0.25, x.point);
    }
    EXPECT_NEAR(middle[0], 0.01, 1e-12);
    EXPECT_NEAR(middle[1], -0.02, 1e-12);
  }
  // equal boxes shifted along each other: the corners of what they share
  const auto same = make_geometry(SurfaceSurface{Solid::box(0.04, 0.04, 0.04), Solid::box(0.04, 0.04, 0.04)});
  double area = 0;
  const auto t = touches(*same, pose(kGround, vec(0.01, 0.02, 0.0399), vec(0, 0, 0)), nullptr);
  for (const Touch<>& x : t) EXPECT_NEAR(x.gap, -1e-4, 1e-14);
  for (const Touch<>& x : t) area = std::max(area, norm(x.point - t[0].point));
  EXPECT_NEAR(area, std::hypot(0.03, 0.02), 1e-6);
  // exactly on top of each other
  for (const Touch<>& x : touches(*same, pose(kGround, vec(0, 0, 0.0399), vec(0, 0, 0)), nullptr))
    EXPECT_NEAR(x.gap, -1e-4, 1e-14);
}

TEST(SurfaceSurface, boxes_that_overlap_press_and_boxes_apart_do_not) {
  const auto g = make_geometry(SurfaceSurface{kBox, Solid::box(0.02, 0.02, 0.02)});
  Random r(31);
  int inside = 0, outside = 0;
  for (int k = 0; k < 20000; ++k) {
    const Stance p = random_pose(r, 0.03, 3);
    const double apart = Gjk(kBox, p.A, Solid::box(0.02, 0.02, 0.02), p.B).solve().gap, gap = least_gap(*g, p);
    if (apart > 0) {
      ++outside;
      EXPECT_GT(gap, 0) << apart;
    } else {
      ++inside;
      EXPECT_LT(gap, 0) << apart;
    }
  }
  EXPECT_GT(inside, 1000);
  EXPECT_GT(outside, 1000);
}

TEST(SurfaceSurface, cylinder_lies_on_two_rims_and_stands_on_one) {
  const auto g = make_geometry(SurfaceSurface{kPlane, kCylinder});
  const auto lies = touches(*g, pose(kGround, vec(0, 0, 0.0119), vec(M_PI / 2, 0, 0)), nullptr);
  EXPECT_NEAR(lies[0].gap, -1e-4, 1e-7);
  EXPECT_NEAR(lies[2].gap, -1e-4, 1e-7);
  EXPECT_NEAR(norm(lies[0].point - lies[2].point), 0.03, 1e-12);
  const auto stands = touches(*g, pose(kGround, vec(0, 0, 0.0149), vec(0, 1e-3, 0)), nullptr);
  EXPECT_NEAR(stands[2].gap, -1e-4 - 0.012 * 1e-3, 2e-8);
  EXPECT_NEAR(stands[3].gap, -1e-4 + 0.012 * 1e-3, 2e-8);
  EXPECT_GT(stands[0].gap, 0.02);
}

void fuzz_surfaces(int times) {
  for (const Named& p : pairs()) {
    SCOPED_TRACE(p.name);
    const bool slow = p.g.a.kind() == Solid::Kind::ellipsoid || p.g.a.kind() == Solid::Kind::superquadric;
    fuzz(*make_geometry(p.g), 0.02, times * (p.slopes && !slow ? 300 : 60));
  }
}
TEST(SurfaceSurface, fuzz_of_poses_gives_numbers) { fuzz_surfaces(1); }
TEST(SurfaceSurface, Long_fuzz_of_poses_gives_numbers) { fuzz_surfaces(10); }

}  // namespace
}  // namespace bristle
