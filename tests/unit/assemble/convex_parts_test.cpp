// Meshes that are not convex as convex parts: they fill the mesh, do not overlap, and collide as it would.
#include "bristle/assemble/convex_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bristle/assemble/surfaces.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

/// A prism over a polygon in the plane x, y, given against the clock, with triangles of its corners.
Mesh prism(const std::vector<std::array<double, 2>>& outline, const std::vector<std::array<int, 3>>& caps, double height) {
  Mesh m;
  const int n = static_cast<int>(outline.size());
  for (const double z : {0.0, height}) {
    for (const auto& p : outline) m.points.push_back({{p[0], p[1], z}});
  }
  for (const auto& c : caps) {
    m.triangles.insert(m.triangles.end(), {c[0], c[2], c[1]});
    m.triangles.insert(m.triangles.end(), {n + c[0], n + c[1], n + c[2]});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    m.triangles.insert(m.triangles.end(), {i, j, n + j});
    m.triangles.insert(m.triangles.end(), {i, n + j, n + i});
  }
  return m;
}
Mesh angle() {
  return prism({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 0.5);
}
Mesh channel() {
  return prism({{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
               {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}}, 1);
}
/// A ring of n corners.
Mesh ring(int n) {
  Mesh m;
  for (const double z : {0.0, 1.0}) {
    for (const double r : {2.0, 1.0}) {
      for (int i = 0; i < n; ++i) {
        const double a = 2 * std::numbers::pi * i / n;
        m.points.push_back({{r * std::cos(a), r * std::sin(a), z}});
      }
    }
  }
  const auto quad = [&](int a, int b, int c, int d) {
    m.triangles.insert(m.triangles.end(), {a, b, c});
    m.triangles.insert(m.triangles.end(), {a, c, d});
  };
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    quad(i, j, 2 * n + j, 2 * n + i);                  // outside
    quad(n + j, n + i, 3 * n + i, 3 * n + j);          // bore
    quad(2 * n + i, 2 * n + j, 3 * n + j, 3 * n + i);  // top
    quad(j, i, n + i, n + j);                          // bottom
  }
  return m;
}
/// A cube with a hollow cube in it.
Mesh hollow() {
  Mesh m;
  for (const double s : {2.0, 1.0}) {
    for (int i = 0; i < 8; ++i) m.points.push_back({{s * ((i & 1) - 0.5), s * ((i >> 1 & 1) - 0.5), s * ((i >> 2 & 1) - 0.5)}});
  }
  const int t[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                        {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  for (const auto& f : t) m.triangles.insert(m.triangles.end(), {f[0], f[1], f[2]});
  for (const auto& f : t) m.triangles.insert(m.triangles.end(), {8 + f[0], 8 + f[2], 8 + f[1]});
  return m;
}
Mesh turned(Mesh m, Dice& dice) {
  const Eigen::Matrix3d R = random_turn(dice).toRotationMatrix();
  for (Vec3<>& p : m.points) {
    const Vector3d q = R * Vector3d(p[0], p[1], p[2]);
    p = Vec3<>{{q[0] + 0.1, q[1] - 3, q[2] + 0.7}};
  }
  return m;
}
double volume_of(const Solid& s) {
  Mesh m;
  m.points = s.vertices();
  for (const auto& f : s.faces()) m.triangles.insert(m.triangles.end(), f.begin(), f.end());
  EXPECT_TRUE(convex_mesh(m).has_value());
  return solid_mesh(m).mass;
}

TEST(ConvexParts, fill_a_mesh_and_do_not_overlap) {
  struct Case {
    const char* name;
    Mesh mesh;
    std::size_t parts;
  };
  Dice dice(3);
  for (const Case& c : {Case{"angle", angle(), 2}, {"channel", channel(), 3}, {"ring", ring(12), 12}, {"hollow", hollow(), 6}}) {
    for (const Mesh& mesh : {c.mesh, turned(c.mesh, dice)}) {
      Mesh closed = mesh;
      ASSERT_EQ(close_mesh(closed), "") << c.name;
      ASSERT_EQ(closed.triangles, mesh.triangles) << c.name;
      const auto parts = convex_parts(mesh, 100);
      EXPECT_EQ(parts.size(), c.parts) << c.name;
      double sum = 0;
      for (const Solid& part : parts) sum += volume_of(part);
      EXPECT_NEAR(sum, solid_mesh(mesh).mass, 1e-12) << c.name;
      // any point is in as many parts as the solid says
      Vec3<> low = mesh.points[0], high = low;
      for (const Vec3<>& p : mesh.points) {
        for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
      }
      int inside = 0;
      for (int k = 0; k < 5000; ++k) {
        const Vec3<> x{{dice.between(low[0], high[0]), dice.between(low[1], high[1]), dice.between(low[2], high[2])}};
        int in = 0;
        for (const Solid& part : parts) {
          Vec3<> unused;
          in += part.distance(x, unused) < 0;
        }
        EXPECT_LE(in, 1) << c.name;
        inside += in;
      }
      const double box = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]), share = sum / box;
      EXPECT_NEAR(inside / 5000.0, share, 5 * std::sqrt(share / 5000)) << c.name;
    }
  }
  EXPECT_TRUE(convex_parts(ring(64), 20).empty());
}

TEST(ConvexParts, shells_of_a_mesh_are_parts_as_they_are) {
  Mesh two = prism({{0, 0}, {1, 0}, {0, 1}}, {{0, 1, 2}}, 1);
  const Mesh other = prism({{0.9, 0}, {2, 0}, {2, 1}}, {{0, 1, 2}}, 1);
  const int n = static_cast<int>(two.points.size());
  two.points.insert(two.points.end(), other.points.begin(), other.points.end());
  for (const int i : other.triangles) two.triangles.push_back(n + i);
  EXPECT_EQ(convex_parts(two, 10).size(), 2u);
  EXPECT_TRUE(convex_parts(two, 1).empty());
}

TEST(ConvexParts, ball_rests_in_a_channel_that_is_a_mesh) {
  // the channel of the first test, 10 mm per unit, its groove 10 mm wide: a ball of 8 mm lies on both of its edges
  std::string points, triangles;
  const Mesh mesh = channel();
  for (const Vec3<>& p : mesh.points) points += fmt::format("[{}, {}, {}], ", 0.01 * p[0], 0.01 * p[2] - 0.005, 0.01 * p[1]);
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3)
    triangles += fmt::format("[{}, {}, {}], ", mesh.triangles[k], mesh.triangles[k + 2], mesh.triangles[k + 1]);
  Mechanism m(
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n  rail: {type: rigid, density: 1000, shape: {type: mesh, points: [" + points +
      "], triangles: [" + triangles +
      "]}}\n  ball: {type: rigid, mass: 0.01 kg, position: [0.0151, 0, 0.03], shape: {type: sphere, radius: 8 mm}}\n"
      "joints:\n  held: {type: fixed, between: [ground, rail], at: [0, 0, 0]}\n"
      "collisions:\n  all: {bodies: [rail, ball], contact: {type: rigid, restitution: 0}, friction: {type: coulomb, mu_kinetic: 0.5}}\n"
      "analysis: {type: transient, end: 1 s, integrator: {type: moreau_jean, step: 0.2 ms}}\n");
  ASSERT_TRUE(m.go(1));
  EXPECT_NEAR(m.read("ball.position.x"), 0.015, 1e-5);
  EXPECT_NEAR(m.read("ball.position.z"), 0.02 + std::sqrt(8e-3 * 8e-3 - 5e-3 * 5e-3), 1e-5);
}

}  // namespace
}  // namespace bristle
