#include "bristle/body/inertia.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numbers>
#include <stdexcept>
#include <string>

namespace bristle {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.center[i], b.center[i], tolerance) << "centre " << i;
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a.inertia(i, j), b.inertia(i, j), tolerance) << "inertia " << i << ", " << j;
  }
}

/// The cube [0, 1]^3 by twelve triangles that face outwards.
const double kCorners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
const int kFaces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                           {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};

std::string ascii_cube(int faces = 12) {
  std::string text = "solid cube\n";
  for (int f = 0; f < faces; ++f) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (int c : kFaces[f]) {
      text += "  vertex";
      for (double x : kCorners[c]) text += " " + std::to_string(x);
      text += "\n";
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid cube\n";
}

std::string binary_cube() {
  std::string bytes(80, ' ');
  bytes.replace(0, 5, "solid");  // as some programs write, though it is binary
  const unsigned count = 12;
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  for (const auto& face : kFaces) {
    float x[12] = {};
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) x[3 + 3 * c + k] = static_cast<float>(kCorners[face[c]][k]);
    }
    bytes.append(reinterpret_cast<const char*>(x), sizeof x);
    bytes.append(2, '\0');
  }
  return bytes;
}

std::string obj_cube() {
  std::string text = "# cube\no cube\n";
  for (const auto& p : kCorners)
    text += "v " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
  // four corners at once, with textures, and counted from the end
  text += "f 1 4 3 2\nf 5/1 6/2 7/3 8/4\nf 1//1 2//1 6//1 5//1\nf -7 -6 -2 -3\nf 3 4 8 7\nf 4 1 5 8\n";
  return text;
}

TEST(Inertia, of_simple_solids_is_that_of_the_handbook) {
  const MassProperties box = solid_box(1, 2, 3);
  EXPECT_DOUBLE_EQ(box.mass, 6);
  EXPECT_DOUBLE_EQ(box.inertia(0, 0), 6 * (4 + 9) / 12.0);
  EXPECT_DOUBLE_EQ(box.inertia(2, 2), 6 * (1 + 4) / 12.0);
  const MassProperties rod = solid_cylinder(0.1, 2);
  EXPECT_DOUBLE_EQ(rod.mass, kPi * 0.01 * 2);
  EXPECT_DOUBLE_EQ(rod.inertia(2, 2), rod.mass * 0.01 / 2);
  EXPECT_NEAR(rod.inertia(0, 0), rod.mass * (0.01 / 4 + 4 / 12.0), 1e-15);
  const MassProperties ball = solid_sphere(0.3);
  EXPECT_NEAR(ball.inertia(1, 1), 0.4 * ball.mass * 0.09, 1e-15);
  const MassProperties tube = solid_tube(0.3, 0.2, 1), outer = solid_cylinder(0.3, 1), bore = solid_cylinder(0.2, 1);
  EXPECT_NEAR(tube.mass, outer.mass - bore.mass, 1e-15);
  EXPECT_NEAR(tube.inertia(0, 0), outer.inertia(0, 0) - bore.inertia(0, 0), 1e-15);
  EXPECT_NEAR(tube.inertia(2, 2), outer.inertia(2, 2) - bore.inertia(2, 2), 1e-15);
}

TEST(Inertia, of_a_dumbbell_follows_the_parallel_axis_theorem) {
  const MassProperties ball = scaled(solid_sphere(0.1), 1000);
  const MassProperties both =
      combined({placed(ball, {{1, 0, 0}}, Mat3<>::identity()), placed(ball, {{-1, 0, 0}}, Mat3<>::identity())});
  EXPECT_DOUBLE_EQ(both.mass, 2 * ball.mass);
  EXPECT_NEAR(norm(both.center), 0, 1e-15);
  EXPECT_NEAR(both.inertia(0, 0), 2 * ball.inertia(0, 0), 1e-12);
  EXPECT_NEAR(both.inertia(1, 1), 2 * (ball.inertia(0, 0) + ball.mass), 1e-12);
}

TEST(Inertia, turns_with_the_solid) {
  const Mat3<> R = matrix_of(rotation_of({0, 0, kPi / 2}, Chart::exponential));
  const MassProperties box = placed(solid_box(1, 2, 3), {{0, 0, 0}}, R);
  EXPECT_NEAR(box.inertia(0, 0), solid_box(1, 2, 3).inertia(1, 1), 1e-14);
  EXPECT_NEAR(box.inertia(1, 1), solid_box(1, 2, 3).inertia(0, 0), 1e-14);
  EXPECT_NEAR(box.inertia(0, 1), 0, 1e-14);
}

TEST(Mesh, of_a_cube_has_the_properties_of_the_cube_in_every_format) {
  const MassProperties truth = placed(solid_box(1, 1, 1), {{0.5, 0.5, 0.5}}, Mat3<>::identity());
  for (Mesh mesh : {parse_stl(ascii_cube()), parse_stl(binary_cube()), parse_obj(obj_cube())}) {
    EXPECT_EQ(mesh.points.size(), 8U);
    EXPECT_EQ(mesh.triangles.size(), 36U);
    ASSERT_EQ(close_mesh(mesh), "");
    expect_same(solid_mesh(mesh), truth, 1e-14);
  }
}

TEST(Mesh, far_away_and_turned_agrees_with_the_placed_box) {
  Mesh mesh = parse_stl(ascii_cube());
  const Mat3<> R = matrix_of(rotation_of({0.3, -1.1, 0.7}, Chart::exponential));
  const Vec3<> far{{30, -20, 50}};
  for (Vec3<>& p : mesh.points) p = far + R * p;
  ASSERT_EQ(close_mesh(mesh), "");
  const MassProperties truth = placed(placed(solid_box(1, 1, 1), {{0.5, 0.5, 0.5}}, Mat3<>::identity()), far, R);
  expect_same(solid_mesh(mesh), truth, 1e-11);  // round-off of coordinates of 50: 1e-14 each
}

TEST(Mesh, inside_out_is_turned_and_a_hollow_is_left_out) {
  Mesh mesh = parse_stl(ascii_cube());
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) std::swap(mesh.triangles[k], mesh.triangles[k + 2]);
  ASSERT_EQ(close_mesh(mesh), "");
  EXPECT_NEAR(solid_mesh(mesh).mass, 1, 1e-14);
  // a cube of half the size inside, facing inwards
  Mesh hollow = mesh;
  const int n = static_cast<int>(mesh.points.size());
  for (const Vec3<>& p : mesh.points) hollow.points.push_back(Vec3<>{{0.25, 0.25, 0.25}} + 0.5 * p);
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3)
    hollow.triangles.insert(hollow.triangles.end(),
                            {n + mesh.triangles[k], n + mesh.triangles[k + 2], n + mesh.triangles[k + 1]});
  ASSERT_EQ(close_mesh(hollow), "");
  EXPECT_NEAR(solid_mesh(hollow).mass, 1 - 0.125, 1e-14);
}

TEST(Mesh, that_is_open_flat_or_broken_is_refused_in_a_sentence) {
  Mesh open = parse_stl(ascii_cube(11));
  EXPECT_NE(close_mesh(open).find("is not closed: 3 of its 18 edges"), std::string::npos) << close_mesh(open);
  Mesh flat = parse_stl(ascii_cube());
  for (Vec3<>& p : flat.points) p[2] = 0;
  EXPECT_NE(close_mesh(flat).find("no volume"), std::string::npos);
  Mesh nothing;
  EXPECT_NE(close_mesh(nothing).find("0 triangles"), std::string::npos);
  EXPECT_THROW(parse_stl("what is this"), std::runtime_error);
  EXPECT_THROW(parse_stl("solid x\nvertex 0 0 zero\n"), std::runtime_error);
  EXPECT_THROW(parse_stl(binary_cube().substr(0, 300)), std::runtime_error);
  EXPECT_THROW(parse_obj("v 0 0 0\nf 1 2 3\n"), std::runtime_error);
  EXPECT_THROW(read_mesh("part.step"), std::runtime_error);
  EXPECT_THROW(read_mesh("/nowhere/part.stl"), std::runtime_error);
}

}  // namespace
}  // namespace bristle
