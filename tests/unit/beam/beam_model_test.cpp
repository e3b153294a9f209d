// How beams are written in a model, and what is refused.
#include <cmath>

#include "beam_models.h"
#include "bristle/base/error.h"
#include "bristle/body/beam_section.h"

namespace bristle {
namespace {

using namespace test;

const std::string kRod =
    "sections:\n  s: {type: circle, radius: 10 mm, young: 210 GPa, density: 7850 kg/m^3}\n"
    "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s}\n";

std::string refused(const std::string& body) {
  try {
    system_of(body);
  } catch (const InputError& e) {
    return e.what();
  }
  ADD_FAILURE() << "not refused: " << body;
  return "";
}
void expect_words(const std::string& sentence, const std::string& words) {
  EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
}

TEST(BeamModel, nodes_are_named_and_numbered) {
  for (const char* end : {"rod.tip", "rod.4", "rod"}) {
    const System system = system_of(kRod + "joints:\n  clamp: {type: fixed, between: [ground, " + end + "], at: [1, 0, 0]}\n");
    EXPECT_EQ(system.layout().bodies[static_cast<std::size_t>(system.layout().joints[0].body[1])].name, "rod.tip");
  }
  const System middle = system_of(kRod + "joints:\n  clamp: {type: fixed, between: [ground, rod], at: [0.5, 0, 0]}\n");
  EXPECT_EQ(middle.layout().bodies[static_cast<std::size_t>(middle.layout().joints[0].body[1])].name, "rod.2");
}

TEST(BeamModel, places_that_do_not_exist_are_refused_with_the_nearest_one) {
  const auto joint = [](const std::string& end, const std::string& at) {
    return refused(kRod + "joints:\n  clamp: {type: fixed, between: [ground, " + end + "], at: " + at + "}\n");
  };
  expect_words(joint("rod", "[0.6, 0, 0]"), "beam 'rod' has no node there; the nearest is rod.2, 0.1 m away");
  expect_words(joint("rod.7", "[1, 0, 0]"), "beam 'rod' has no node '7'; it has start, tip and 0 to 4");
  expect_words(joint("rod.end", "[1, 0, 0]"), "has no node 'end'");
  expect_words(refused(kRod + "forces:\n  f: {type: force, on: rod, force: [1, 0, 0]}\n"),
               "'rod' is a beam: name a node, for example rod.tip");
  expect_words(refused(kRod + "forces:\n  f: {type: line_load, on: rot, force: [1, 0, 0]}\n"),
               "there is no beam or bar 'rot'. Did you mean 'rod'?");
}

TEST(BeamModel, beams_that_cannot_be_are_refused) {
  const auto beam = [](const std::string& keys) {
    return refused(
        "sections:\n  s: {type: circle, radius: 10 mm, young: 210 GPa, density: 7850 kg/m^3}\nbodies:\n  rod: {type: beam, " +
        keys + "}\n");
  };
  expect_words(beam("from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: t"), "there is no section 't'");
  expect_words(beam("from: [0, 0, 0], to: [0, 0, 0], elements: 4, section: s"), "two points of the path coincide");
  expect_words(beam("from: [0, 0, 0], elements: 4, section: s"), "say where the beam is");
  expect_words(beam("from: [0, 0, 0], to: [1, 0, 0], section: s"), "elements");
  expect_words(beam("from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s, up: x"),
               "axis 2 of the section cannot point along the beam");
  expect_words(beam("from: [1, 0, 0], path: {center: [0, 0, 0], axis: z, angle: 360 deg}, elements: 2, section: s"),
               "element 1 turns by more than 120 degrees from end to end. Use more elements");
}

TEST(BeamModel, sections_that_cannot_be_are_refused_with_their_numbers) {
  const auto section = [](const std::string& keys) { return refused("sections:\n  s: {" + keys + "}\n"); };
  const std::string steel = ", young: 210 GPa, density: 7850 kg/m^3";
  expect_words(section("type: tube, outer_radius: 20 mm, inner_radius: 25 mm" + steel),
               "the inner radius must be smaller than outer_radius = 0.02 [m], got 0.025 [m]");
  expect_words(section("type: i_beam, height: 100 mm, width: 55 mm, web: 60 mm, flange: 5 mm" + steel),
               "the web must be thinner than width = 0.055 [m], got 0.06 [m]");
  expect_words(section("type: i_beam, height: 100 mm, width: 55 mm, web: 5 mm, flange: 50 mm" + steel),
               "two flanges must be thinner than height = 0.1 [m], got twice 0.05 [m]");
  expect_words(section("type: general, EA: 1, GA2: 1, GJ: 1, EI2: 1, mass_per_length: 1, rotary_inertia: [3, 1, 1]"),
               "each is at most the sum of the other two, and 3 > 1 + 1 [kg m]");
  const std::string six =
      "[[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]";
  std::string odd = six;
  odd.replace(odd.find("[0, 0, 1, 0, 0, 0]"), 18, "[0, 5, 1, 0, 0, 0]");
  expect_words(section("type: matrix, stiffness: " + odd + ", mass: " + six),
               "the matrix must be symmetric: row 2, column 3 is 0, but row 3, column 2 is 5");
}

TEST(BeamModel, sections_from_shapes) {
  const BeamMaterial steel{210e9, 80e9, 7850};
  const double pi = std::acos(-1.0);
  const BeamSection c = circle_section(steel, 0.01);
  EXPECT_NEAR(c.stiffness[0], 210e9 * pi * 1e-4, 1e-3);
  EXPECT_NEAR(c.stiffness[28], 210e9 * pi * 1e-8 / 4, 1e-9);
  EXPECT_NEAR(c.stiffness[21], 80e9 * pi * 1e-8 / 2, 1e-9);
  const double nu = steel.poisson();
  EXPECT_NEAR(c.stiffness[7] / (80e9 * pi * 1e-4), 6 * (1 + nu) / (7 + 6 * nu), 1e-12);  // Cowper's factor of a circle
  EXPECT_NEAR(c.mass, 7850 * pi * 1e-4, 1e-12);
  EXPECT_NEAR(c.inertia(0, 0), 7850 * pi * 1e-8 / 2, 1e-15);
  // a thin tube: 2 (1 + nu) / (4 + 3 nu)
  const BeamSection t = tube_section(steel, 1, 0.9999);
  EXPECT_NEAR(t.stiffness[7] / (80e9 * t.mass / 7850), 2 * (1 + nu) / (4 + 3 * nu), 1e-4);
  // Saint-Venant: 0.1406 a^4 of a square, a b^3 / 3 of a thin strip
  EXPECT_NEAR(rectangle_section(steel, 1, 1).stiffness[21] / 80e9, 0.140577, 1e-6);
  EXPECT_NEAR(rectangle_section(steel, 1, 1e-3).stiffness[21] / 80e9, 1e-9 / 3, 1e-12);
  const BeamSection r = rectangle_section(steel, 0.02, 0.005);
  EXPECT_NEAR(r.stiffness[35], 210e9 * 0.005 * 8e-6 / 12, 1e-6);    // about axis 3: height counts
  EXPECT_NEAR(r.stiffness[28], 210e9 * 0.02 * 1.25e-7 / 12, 1e-6);  // about axis 2
  // IPE 100 without its fillets
  const BeamSection i = i_section(steel, 0.1, 0.055, 0.0041, 0.0057);
  EXPECT_NEAR(i.mass / 7850, 9.903e-4, 1e-6);
  EXPECT_NEAR(i.stiffness[35] / 210e9, 1.630e-6, 0.01e-6);
}

TEST(BeamModel, the_centre_of_mass_may_stand_off_the_axis) {
  const System system = system_of(
      "gravity: [0, 0, -10]\nsections:\n  s: {type: general, EA: 1e9, GA2: 1e9, GJ: 1e6, EI2: 1e6, mass_per_length: 2, rotary_inertia: [2e-3, 1e-3, 1e-3], center: [0, 0.1]}\n"
      "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], up: z, elements: 4, section: s}\n"
      "joints:\n  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\n");
  auto c = channels_of(system, equilibrium_of(system).state);
  EXPECT_NEAR(c["root.force.z"], 20, 1e-6);
  EXPECT_NEAR(c["root.moment.y"], -10, 1e-4);
  EXPECT_NEAR(c["root.moment.x"], -2, 1e-4);  // axis 3 points to -y
  EXPECT_NEAR(c["rod.2.position.y"], 0, 1e-6);
}

/// Weight as a line load and as gravity; a load that follows the sections bends a ring outwards.
TEST(BeamModel, line_loads) {
  const auto tip = [](const std::string& more, const std::string& head) {
    const System system = system_of(
        head +
        "sections:\n  s: {type: general, EA: 1e4, GA2: 1e4, GJ: 10, EI2: 10, mass_per_length: 2, rotary_inertia: [2e-3, 1e-3, 1e-3]}\n"
        "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 6, section: s}\n"
        "joints:\n  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\n" +
        more);
    auto c = channels_of(system, equilibrium_of(system).state);
    return Vec3<>{{c["rod.tip.position.x"], c["rod.tip.position.y"], c["rod.tip.position.z"]}};
  };
  const Vec3<> a = tip("", "gravity: [0, 0, -10]\n"),
               b = tip("forces:\n  w: {type: line_load, on: rod, force: [0, 0, -20]}\n", ""),
               c = tip("forces:\n  w: {type: line_load, on: rod, force: [0, -20, 0], frame: body}\n", "");
  EXPECT_LT(norm(a - b), 1e-10);
  EXPECT_LT(a[2], -0.2);
  EXPECT_LT(c[0], b[0]);  // what follows the sections pushes the tip back
}

}  // namespace
}  // namespace bristle
