#include "bristle/assemble/shapes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "bristle/assemble/assemble.h"

namespace bristle {
namespace {

constexpr double kPi = std::numbers::pi;

System system_of(const std::string& body, const std::string& file = "model") {
  return assemble(read_model_text("bristle: 1\nbodies:\n  b: " + body + "\n", file));
}
double mass_of(const System& s) { return s.masses().blocks()[0].mass[0]; }
double inertia_of(const System& s, std::size_t i, std::size_t j) { return s.masses().blocks()[0].mass[6 * (3 + i) + 3 + j]; }
std::string refusal(const std::string& body) {
  try {
    system_of(body);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Shapes, fill_a_body_with_a_density) {
  const System s =
      system_of("{type: rigid, density: 1000 kg/m^3, shape: {type: box, size: [0.1, 0.2, 0.3], position: [1, 0, 0]}}");
  EXPECT_NEAR(mass_of(s), 6, 1e-12);
  EXPECT_NEAR(inertia_of(s, 0, 0), 6 * (0.04 + 0.09) / 12, 1e-12);
  const State x = s.make_state();
  EXPECT_NEAR(x.q()[s.layout().bodies[1].q], 1, 1e-12) << "the centre of mass is that of the shape";
  ASSERT_EQ(s.layout().bodies[1].shapes.size(), 1U);
  EXPECT_NEAR(s.layout().bodies[1].shapes[0].position[0], 0, 1e-15) << "pictures are drawn from the centre of mass";
}

TEST(Shapes, spread_a_mass_evenly_or_by_their_densities) {
  const System even = system_of(
      "{type: rigid, mass: 3 kg, shapes: [{type: sphere, radius: 0.1, position: [-1, 0, 0]}, {type: sphere, radius: 0.1, position: [1, 0, 0]}]}");
  EXPECT_NEAR(mass_of(even), 3, 1e-12);
  EXPECT_NEAR(even.make_state().q()[even.layout().bodies[1].q], 0, 1e-12);
  const System uneven = system_of(
      "{type: rigid, mass: 3 kg, shapes: [{type: sphere, radius: 0.1, position: [-1, 0, 0], density: 1}, {type: sphere, radius: 0.1, position: [1, 0, 0], density: 2}]}");
  EXPECT_NEAR(uneven.make_state().q()[uneven.layout().bodies[1].q], 1.0 / 3, 1e-12);
  EXPECT_NEAR(inertia_of(uneven, 1, 1), 3 * 0.4 * 0.01 + 1 * 16.0 / 9 + 2 * 4.0 / 9, 1e-12);
}

TEST(Shapes, may_have_masses_of_their_own_and_be_mere_points) {
  const System s = system_of(
      "{type: rigid, shapes: [{type: cylinder, radius: 0.1, length: 0.6, mass: 2 kg}, {type: point, mass: 1 kg, position: [0, 0, 0.5]},"
      " {type: point, mass: 3 kg, position: [0, 0.4, -0.5]}]}");
  EXPECT_NEAR(mass_of(s), 6, 1e-12);
  const State x = s.make_state();
  const int q = s.layout().bodies[1].q;
  const double y = 3 * 0.4 / 6, z = (0.5 - 1.5) / 6;
  EXPECT_NEAR(x.q()[q + 1], y, 1e-12);
  EXPECT_NEAR(x.q()[q + 2], z, 1e-12);
  // by the parallel axis theorem
  EXPECT_NEAR(inertia_of(s, 2, 2), 2 * 0.01 / 2 + 3 * 0.16 - 6 * y * y, 1e-12);
  EXPECT_NEAR(inertia_of(s, 0, 0), 2 * (3 * 0.01 + 0.36) / 12 + 4 * 0.25 + 3 * 0.16 - 6 * (y * y + z * z), 1e-12);
  EXPECT_NEAR(inertia_of(s, 1, 2), -(3 * 0.4 * -0.5 - 6 * y * z), 1e-12);
  EXPECT_EQ(s.layout().bodies[1].shapes.size(), 1U) << "points are not drawn";
  const System beside = system_of(
      "{type: rigid, density: 1000 kg/m^3, shapes: [{type: box, size: [0.1, 0.2, 0.3]}, {type: point, mass: 1 kg, position: [0.1, 0, 0]}]}");
  EXPECT_NEAR(mass_of(beside), 7, 1e-12);
}

TEST(Shapes, refuse_masses_that_contradict_each_other) {
  const auto says = [](const std::string& body, const char* part) {
    EXPECT_NE(refusal(body).find(part), std::string::npos) << body << "\n" << refusal(body);
  };
  says("{type: rigid, mass: 2 kg, shapes: [{type: point, mass: 1 kg}, {type: sphere, radius: 0.1, density: 1}]}",
       "masses of their own");
  says("{type: rigid, shapes: [{type: point}, {type: sphere, radius: 0.1, density: 1}]}", "no volume");
  says("{type: rigid, shapes: [{type: point, density: 3}, {type: sphere, radius: 0.1, density: 1}]}", "no volume");
  says("{type: rigid, shapes: [{type: point, mass: 1 kg}, {type: sphere, radius: 0.1}]}", "a density or a mass");
  says("{type: rigid, shape: {type: sphere, radius: 0.1, mass: 1 kg, density: 4}}", "not both");
  says("{type: rigid, shapes: [{type: point, mass: 1 kg, position: [1, 0, 0]}, {type: point, mass: 1 kg}]}", "principal moment");
}

TEST(Shapes, stand_along_their_axis) {
  const System s = system_of("{type: rigid, density: 1, shape: {type: cylinder, radius: 0.1, length: 2, axis: x}}");
  EXPECT_NEAR(inertia_of(s, 0, 0), kPi * 0.02 * 0.01 / 2, 1e-15);
  const System tube = system_of(
      "{type: rigid, density: 1, shape: {type: tube, outer_radius: 0.2, inner_radius: 0.1, length: 1, orientation: {axis: x, angle: 90 deg}}}");
  EXPECT_NEAR(inertia_of(tube, 1, 1), kPi * 0.03 * 0.05 / 2, 1e-15);
}

TEST(Shapes, are_for_pictures_only_where_mass_and_inertia_are_given) {
  const System s =
      system_of("{type: rigid, mass: 2 kg, inertia: [0.1, 0.2, 0.25], shape: {type: box, size: [1, 1, 1], position: [1, 0, 0]}}");
  EXPECT_EQ(mass_of(s), 2);
  EXPECT_EQ(inertia_of(s, 1, 1), 0.2);
  EXPECT_EQ(s.make_state().q()[s.layout().bodies[1].q], 0);
  EXPECT_EQ(s.layout().bodies[1].shapes[0].position[0], 1);
}

TEST(Shapes, give_planar_bodies_mass_and_inertia) {
  const System s =
      system_of("{type: planar, density: 100, shape: {type: box, size: [0.6, 0.2], thickness: 0.1, position: [0.3, 0]}}");
  EXPECT_NEAR(mass_of(s), 1.2, 1e-12);
  EXPECT_NEAR(s.masses().blocks()[0].mass[8], 1.2 * (0.36 + 0.04) / 12, 1e-12);
  EXPECT_NEAR(s.make_state().q()[0], 0.3, 1e-12);
}

TEST(Shapes, read_meshes_beside_the_model_file) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/tetra.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const std::string body = "{type: rigid, density: 6000, shape: {type: mesh, file: tetra.obj, scale: 0.1}}";
  const System s = system_of(body, folder + "/model.yaml");
  EXPECT_NEAR(mass_of(s), 1, 1e-12);
  EXPECT_NEAR(s.make_state().q()[s.layout().bodies[1].q], 0.025, 1e-15);
  EXPECT_NEAR(inertia_of(s, 0, 0), 0.01 * (0.1 + 0.1 - 2 * 0.0625), 1e-12);  // integrals of y^2 + z^2 over it, less the shift
  EXPECT_EQ(s.layout().bodies[1].shapes[0].triangles.size(), 12U);
  // the model that a run keeps says where the file is
  Model model =
      read_model_text("bristle: 1\nparameters: {type: 1, file: 2}\nbodies:\n  b: " + body + "\n", folder + "/model.yaml");
  EXPECT_TRUE(anchor_files(model.root));
  EXPECT_EQ(model.root.find("parameters")->find("file")->text, "2");
  EXPECT_NEAR(mass_of(assemble(read_model_text(print_model(model), "elsewhere"))), 1, 1e-12);
}

TEST(Shapes, that_make_no_sense_are_refused_in_a_sentence) {
  const auto says = [](const std::string& body, const std::string& fragment) {
    const std::string text = refusal(body);
    EXPECT_NE(text.find(fragment), std::string::npos) << body << "\n" << text;
    EXPECT_NE(text.find("model:3:"), std::string::npos) << text;
    EXPECT_NE(text.find("body 'b'"), std::string::npos) << text;
  };
  says("{type: rigid, shape: {type: sphere, radius: 1}}", "say how heavy it is");
  says("{type: rigid, mass: 1, density: 2, shape: {type: sphere, radius: 1}}", "give mass or density");
  says("{type: rigid, mass: 1, inertia: [1, 1, 1], density: 2, shape: {type: sphere, radius: 1}}",
       "the density would change nothing");
  says("{type: rigid, density: 2}", "a density needs a shape");
  says("{type: rigid, mass: 1}", "missing key 'inertia'");
  says("{type: rigid, mass: 1, shape: {type: spher, radius: 1}}", "Did you mean 'sphere'?");
  says("{type: rigid, mass: 1, shape: {type: box, size: [1, 1, 0]}}", "must be > 0");
  says("{type: rigid, mass: 1, shape: {type: tube, outer_radius: 1, inner_radius: 1, length: 1}}",
       "smaller than outer_radius = 1 [m], got 1 [m]");
  says("{type: rigid, shapes: [{type: sphere, radius: 1, density: 1}, {type: sphere, radius: 1}]}", "some shapes have a density");
  says("{type: rigid, mass: 1, shape: {type: mesh, file: gone.stl}}", "'gone.stl': it cannot be read");
  says("{type: rigid, mass: 1, shape: {type: mesh}}", "a mesh needs file");
  says("{type: rigid, mass: 1, shape: {type: mesh, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], triangles: [[0, 1, 3]]}}",
       "there is no point 3");
  says("{type: rigid, mass: 1, shape: {type: sphere, radius: 1, axis: z, orientation: [1, 0, 0, 0]}}", "axis or orientation");
}

}  // namespace
}  // namespace bristle
