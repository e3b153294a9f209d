// Beams at rest against exact solutions and against numbers of independent programs.
#include <cmath>

#include "beam_models.h"
#include "bristle/analyse/static_path.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using namespace test;

const double kPi = std::acos(-1.0);
const std::string kRoll = "EA: 1e4, GA2: 5e3, GJ: 1, EI2: 1, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]";

/// The curvature is M / EI everywhere: the beam is an arc.
TEST(BeamStatics, an_end_moment_bends_a_cantilever_into_an_arc) {
  for (int elements : {2, 5, 10, 40}) {
    const System system = system_of(cantilever(elements, kRoll, "m: {type: torque, on: rod.tip, torque: [0, 0, \"pi\"]}"));
    const Equilibrium e = equilibrium_of(system);
    auto c = channels_of(system, e.state);
    EXPECT_NEAR(c["rod.tip.position.x"], 0, 1e-10) << elements;
    EXPECT_NEAR(c["rod.tip.position.y"], 2 / kPi, 1e-10) << elements;
    EXPECT_NEAR(e.stored, 0.5 * kPi * kPi, 1e-9);
    for (int k = 1; k <= elements; ++k) EXPECT_NEAR(c["rod.element." + std::to_string(k) + ".moment.3"], kPi, 1e-8);
    EXPECT_NEAR(c["root.moment.z"], -kPi, 1e-8);  // on the beam
  }
}

TEST(BeamStatics, a_cantilever_rolls_up_to_one_and_two_full_circles) {
  for (int circles : {1, 2}) {
    for (int elements : {3, 8, 20}) {
      if (elements < 3 * circles) continue;
      const System system = system_of(cantilever(
          elements, kRoll, "m: {type: torque, on: rod.tip, torque: [0, 0, \"" + std::to_string(2 * circles) + "*pi\"]}"));
      StaticsOptions options;
      options.control = StaticsOptions::Control::load;
      options.step = 0.1;
      const Equilibrium e = equilibrium_of(system, options);
      auto c = channels_of(system, e.state);
      EXPECT_NEAR(c["rod.tip.position.x"], 0, 1e-10) << circles << " circles, " << elements << " elements";
      EXPECT_NEAR(c["rod.tip.position.y"], 0, 1e-10);
      EXPECT_NEAR(e.stored, 2 * circles * circles * kPi * kPi, 1e-9);
    }
  }
}

/// A slender cantilever under a force square to it at first; P L^2 / EI = 10. Digits of an independent program with the same element.
TEST(BeamStatics, elastica) {
  struct Row {
    int elements;
    bool residual;
    double w, u;
  };
  for (const Row& row :
       {Row{4, true, 0.810856116, 0.554776727}, Row{8, true, 0.810620293, 0.554981428}, Row{16, true, 0.810609681, 0.554994712},
        Row{32, true, 0.810609074, 0.554995542}, Row{8, false, 0.807978908, 0.553465653}}) {
    const System system = system_of(
        cantilever(row.elements, "EA: 1e9, GA2: 1e9, GJ: 1, EI2: 1, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]",
                   "f: {type: force, on: rod.tip, force: [0, 10, 0]}", row.residual ? "" : ", residual_flexibility: false"));
    const Equilibrium e = equilibrium_of(system);  // downhill fails in so stiff a valley: the loads are followed
    auto c = channels_of(system, e.state);
    EXPECT_NEAR(c["rod.tip.position.y"], row.w, 2e-9) << row.elements;
    EXPECT_NEAR(1 - c["rod.tip.position.x"], row.u, 2e-9) << row.elements;
  }
}

/// 45 degree bend of radius 100, loaded out of its plane (Bathe and Bolourchi, 1979). Digits of an independent program.
TEST(BeamStatics, arc_bent_out_of_its_plane) {
  struct Row {
    int elements;
    bool residual;
    double x, y, z;
  };
  for (const Row& row :
       {Row{8, false, 47.23184843, 15.71111880, 53.33318262}, Row{8, true, 47.14941796, 15.68413972, 53.48303602},
        Row{32, true, 47.15035858, 15.68476963, 53.47534514}}) {
    const System system = system_of(
        "sections:\n  s: {type: general, EA: 1e7, GA2: 5e6, GJ: \"1e7/12\", EI2: \"1e7/12\", mass_per_length: 1}\n"
        "bodies:\n  rod: {type: beam, from: [0, 0, 0], path: {center: [0, 100, 0], axis: z, angle: 45 deg}, section: s, elements: " +
        std::to_string(row.elements) + (row.residual ? "" : ", residual_flexibility: false") +
        "}\njoints:\n  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\n"
        "forces:\n  f: {type: force, on: rod.tip, force: [0, 0, 600]}\n");
    auto c = channels_of(system, equilibrium_of(system).state);
    EXPECT_NEAR(c["rod.tip.position.x"], row.x, 2e-7);
    EXPECT_NEAR(c["rod.tip.position.y"], row.y, 2e-7);
    EXPECT_NEAR(c["rod.tip.position.z"], row.z, 2e-7);
    EXPECT_NEAR(c["root.force.z"], -600, 1e-5);
  }
}

/// Timoshenko: w = P L^3 / 3 EI + P L / GA. With residual flexibility one element has it.
/// What the pages promise: the fourth power of the element's length in the plane, the second where a beam bends about two axes and twists.
TEST(BeamStatics, the_error_falls_as_the_pages_say) {
  const auto tip = [](int elements, const std::string& force) {
    const System system = system_of(cantilever(
        elements, "EA: 1e5, GA2: 5e4, GJ: 1, EI2: 1.3, EI3: 0.7, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]",
        "f: {type: force, on: rod.tip, force: " + force + "}"));
    auto c = channels_of(system, equilibrium_of(system).state);
    return Vec3<>{{c["rod.tip.position.x"], c["rod.tip.position.y"], c["rod.tip.position.z"]}};
  };
  const auto order = [&](const std::string& force) {
    const Vec3<> fine = tip(128, force);
    return std::log2(norm(tip(8, force) - fine) / norm(tip(16, force) - fine));
  };
  EXPECT_NEAR(order("[0, 3, 0]"), 4, 0.1);
  EXPECT_NEAR(order("[0, 1, 2]"), 2, 0.1);
}

TEST(BeamStatics, small_tip_force_on_a_cantilever) {
  struct Row {
    int elements;
    bool residual;
    double ratio, tolerance;
  };
  const double P = 1e-6, exact = P / 3 + P / 100;
  for (const Row& row : {Row{1, false, 0.757282, 1e-6}, Row{2, false, 0.939320, 1e-6}, Row{4, false, 0.984830, 1e-6},
                         Row{1, true, 1, 1e-9}, Row{3, true, 1, 1e-9}}) {
    const System system = system_of(
        cantilever(row.elements, "EA: 1e4, GA2: 100, GJ: 1, EI2: 1, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]",
                   "f: {type: force, on: rod.tip, force: [0, 1e-6, 0]}", row.residual ? "" : ", residual_flexibility: false"));
    auto c = channels_of(system, equilibrium_of(system).state);
    EXPECT_NEAR(c["rod.tip.position.y"] / exact, row.ratio, row.tolerance) << row.elements;
  }
}

/// Any constant state of strain is reproduced, whatever the nodes: stretch, shear, twist and bending at once.
TEST(BeamStatics, patch_of_unequal_directions_carries_constant_forces) {
  // forces and moments at the tip that make a uniform stress in a straight beam: a wrench along its axis
  const System system = system_of(
      "sections:\n  s: {type: general, EA: 1e4, GA2: 5e3, GA3: 4e3, GJ: 3, EI2: 5, EI3: 4, mass_per_length: 1, rotary_inertia: [2e-3, 1e-3, 1e-3]}\n"
      "bodies:\n  rod: {type: beam, path: [[0, 0, 0], [0.2, 0.2, 0.1], [1, 1, 0.5]], elements: 3, section: s}\n"
      "joints:\n  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\n"
      "forces:\n  f: {type: force, on: rod.tip, force: [20, 20, 10]}\n  m: {type: torque, on: rod.tip, torque: [0.2, 0.2, 0.1]}\n");
  auto c = channels_of(system, equilibrium_of(system).state);
  for (int k = 1; k <= 6; ++k) {
    const std::string at = "rod.element." + std::to_string(k);
    EXPECT_NEAR(c[at + ".strain.1"], 30 / 1e4, 1e-11);
    EXPECT_NEAR(c[at + ".curvature.1"], 0.3 / 3, 1e-10);
    for (const char* none : {".strain.2", ".strain.3", ".curvature.2", ".curvature.3"}) EXPECT_NEAR(c[at + none], 0, 1e-10);
  }
  EXPECT_NEAR(c["rod.tip.position.x"], 1.003, 1e-10);
}

/// The equilibrium of a model that is turned and moved is turned and moved.
TEST(BeamStatics, turning_the_model_turns_the_result) {
  const auto tip = [](const Mat3<>& Q, const Vec3<>& shift) {
    const auto text = [&](const Vec3<>& a, bool place) {
      const Vec3<> b = Q * a + (place ? shift : Vec3<>{});
      return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", b[0], b[1], b[2]);
    };
    const System system = system_of(
        "sections:\n  s: {type: general, EA: 1e4, GA2: 5e3, GJ: 3, EI2: 5, EI3: 2, mass_per_length: 1, rotary_inertia: [2e-3, 1e-3, 1e-3], center: [0.01, 0.02]}\n"
        "bodies:\n  rod: {type: beam, from: " +
        text({{0, 0, 0}}, true) + ", path: {center: " + text({{0, 1, 0}}, true) + ", axis: " + text({{0, 0, 1}}, false) +
        ", angle: 50 deg, rise: 0.3}, twist: 20 deg, up: " + text({{0, 0.2, 1}}, false) +
        ", elements: 5, section: s}\njoints:\n  root: {type: fixed, between: [ground, rod.start], at: " +
        text({{0, 0, 0}}, true) + "}\nforces:\n  f: {type: force, on: rod.tip, force: " + text({{1, -2, 4}}, false) + "}\n");
    auto c = channels_of(system, equilibrium_of(system).state);
    return Vec3<>{{c["rod.tip.position.x"], c["rod.tip.position.y"], c["rod.tip.position.z"]}};
  };
  const Mat3<> Q = matrix_of(rotation_of({0.4, -1.2, 0.7}, Chart::exponential));
  const Vec3<> shift{{0.3, -0.2, 0.5}}, a = tip(Mat3<>::identity(), {}), b = tip(Q, shift), want = Q * a + shift;
  EXPECT_GT(norm(a - Vec3<>{{0.76, 0.35, 0.3}}), 0.1);  // it is bent far
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(b[i], want[i], 1e-11);
}

/// A deep cantilever under a tip force tips over sideways at P L^2 = 4.0126 sqrt(EI GJ) (Timoshenko and Gere): a small push sideways then
/// moves it far.
TEST(BeamStatics, lateral_buckling_of_a_deep_cantilever) {
  // EI3 of the stiff plane far above EI2
  const auto softest = [](double factor) {
    const System system = system_of(
        cantilever(16, "EA: 1e6, GA2: 1e6, GJ: 0.5, EI2: 1, EI3: 2e3, mass_per_length: 1, rotary_inertia: [0.02, 0.01, 0.01]",
                   "f: {type: force, on: rod.tip, force: [0, " + std::to_string(-factor * 4.0126 * std::sqrt(0.5)) + ", 0]}"));
    StaticsOptions options;
    options.control = StaticsOptions::Control::load;
    return equilibrium_of(system, options).squares.front();
  };
  EXPECT_GT(softest(0.995), 0);
  EXPECT_LT(softest(1.005), 0);
}

/// Lee's frame: a hinged right-angle frame with a load near its corner snaps back and through (Lee, Manuel and Rossow, 1968). The load rises to
/// about 18.5 kN, falls to about -9.4 kN and rises again.
TEST(BeamStatics, a_right_angle_frame_snaps_through) {
  double highest[2], lowest[2];
  for (int i = 0; i < 2; ++i) {
    const int n = i == 0 ? 10 : 20;
    const System system = system_of(fmt::format(R"yaml(
sections:
  s: {{type: general, EA: 43.2e6, GA2: 16.6e6, GJ: 1e8, EI2: 1e8, EI3: 14.4e6, mass_per_length: 1, rotary_inertia: [2, 1, 1]}}
bodies:
  frame: {{type: beam, path: [[0, 0, 0], [0, 120, 0], [120, 120, 0]], up: [-1, 1, 0], elements: {}, section: s}}
joints:
  foot: {{type: revolute, between: [ground, frame.start], at: [0, 0, 0], axis: z}}
  wall: {{type: revolute, between: [ground, frame.tip], at: [120, 120, 0], axis: z}}
forces:
  P: {{type: force, on: frame.{}, force: [0, -20000, 0]}}
)yaml",
                                                n, n + n / 5));
    StaticsOptions options;
    options.control = StaticsOptions::Control::arc_length;
    options.step = 0.4;
    options.stability = false;
    double before = 0;
    highest[i] = lowest[i] = 0;
    bool falls = false;
    const Equilibrium e = follow_loads(system, system.make_state(), options, [&](double share, const State&) {
      falls = falls || share < before;
      if (!falls) highest[i] = share;
      lowest[i] = std::min(lowest[i], share);
      before = share;
    });
    EXPECT_TRUE(e.found) << e.message;
    EXPECT_LT(e.residual, 1e-8);
    EXPECT_NEAR(20e3 * highest[i], 18.54e3, 0.03e3);
    EXPECT_NEAR(20e3 * lowest[i], -9.39e3, 0.03e3);
    // with loads stepped up there is nothing beyond the first peak
    options.control = StaticsOptions::Control::load;
    const Equilibrium stuck = follow_loads(system, system.make_state(), options);
    EXPECT_FALSE(stuck.found);
    EXPECT_NE(stuck.message.find("beyond 0.927"), std::string::npos) << stuck.message;
  }
}

/// A close-coiled helical spring under an axial force: F = G d^4 f / (8 D^3 n), from torsion of the wire alone.
TEST(BeamStatics, helical_spring) {
  const double d = 2e-3, D = 40e-3, G = 80e9;
  const int turns = 6;
  const System system = system_of(fmt::format(R"yaml(
sections:
  wire: {{type: circle, radius: {}, young: 206 GPa, shear_modulus: 80 GPa, density: 7850 kg/m^3}}
bodies:
  coil: {{type: beam, from: [{}, 0, 0], path: {{center: [0, 0, 0], axis: z, angle: {} deg, rise: 24 mm}}, elements: 96, section: wire}}
joints:
  foot: {{type: fixed, between: [ground, coil.start], at: [0, 0, 0]}}
  head: {{type: prismatic, between: [ground, coil.tip], at: [0, 0, 24 mm], axis: z}}
forces:
  F: {{type: load, on: head.displacement, force: 0.1}}
)yaml",
                                              d / 2, D / 2, 360 * turns));
  auto c = channels_of(system, equilibrium_of(system).state);
  const double soft = 8 * D * D * D * turns / (G * d * d * d * d);
  // within the share of the pitch angle and of curvature, which the formula leaves out
  EXPECT_NEAR(c["head.displacement"] / (0.1 * soft), 1, 0.02);
}

}  // namespace
}  // namespace bristle
