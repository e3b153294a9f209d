// Published structures of beams, in large motion: closed forms, independent solutions, and integrators against each other.
#include <cmath>

#include "beam_models.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

const double kPi = std::acos(-1.0);

std::string with(const std::string& integrator) { return "analysis.integrator={type: " + integrator + "}"; }

/// A ring of radius 20 and section 1/3 x 1, held at a point and twisted by a whole turn at the opposite one, folds into three coils
/// (Goto, Watanabe, Kasugai, Obata, Elastic buckling phenomenon applicable to deployable rings, 1992). Bent by one moment all along,
/// the coils have a third of the radius: curvature 3/R, energy 4 pi EI / R, whatever the number of elements.
TEST(BeamTruth, a_ring_folds_into_three_coils) {
  const std::string ring = R"yaml(bristle: 1
sections:
  s: {type: rectangle, height: 1, width: "1/3", young: 2.1e7, poisson: 0.3, density: 1}
bodies:
  upper: {type: beam, from: [-20, 0, 0], path: {center: [0, 0, 0], axis: -z, angle: 180 deg}, up: z, section: s, elements: 10, damping: 0.3 s}
  lower: {type: beam, from: [-20, 0, 0], path: {center: [0, 0, 0], axis: z, angle: 180 deg}, up: z, section: s, elements: 10, damping: 0.3 s}
joints:
  root: {type: fixed, between: [ground, upper.start], at: [-20, 0, 0]}
  same: {type: fixed, between: [upper.start, lower.start], at: [-20, 0, 0]}
  meet: {type: fixed, between: [upper.tip, lower.tip], at: [20, 0, 0]}
  twist: {type: cylindrical, between: [ground, upper.tip], at: [20, 0, 0], axis: x, drive: {angle: "2*pi*min(t/20, 1)"}}
analysis: {type: transient, end: 22 s, integrator: {type: energy_decaying, step: 100 ms}}
)yaml";
  Mechanism folding(ring);
  ASSERT_TRUE(folding.go(22));
  StaticsOptions options;
  options.leave = false;
  options.stability = false;
  const Equilibrium folded = find_equilibrium(folding.system(), folding.run().state(), options);
  ASSERT_TRUE(folded.found) << folded.message;
  const double EI = 2.1e7 / (12 * 27.0);
  RecordProperty("energy", fmt::format("{:.12g} of {:.12g}", folded.stored, 4 * kPi * EI / 20));
  EXPECT_NEAR(folded.stored, 4 * kPi * EI / 20, 1e-6 * folded.stored);
  auto at = channels_of(folding.system(), folded.state);
  EXPECT_NEAR(at["upper.tip.position.x"], -20 + 40.0 / 3, 1e-6);
  for (const char* beam : {"upper", "lower"}) {
    for (int k = 1; k <= 10; ++k) {
      const std::string element = fmt::format("{}.element.{}.moment.", beam, k);
      EXPECT_NEAR(std::hypot(at[element + "2"], at[element + "3"]), 2 * EI / 20, 1e-5 * EI);
      EXPECT_NEAR(at[element + "1"], 0, 1e-5 * EI);
    }
  }
}

/// Two legs of length 10 at a right angle, pushed out of their plane at the elbow (Simo and Vu-Quoc, On the dynamics in space of rods
/// undergoing large motions, 1988). The paper has curves; here three methods that share nothing agree when steps are refined.
TEST(BeamTruth, a_right_angle_cantilever_swings_out_of_its_plane) {
  const std::string model = R"yaml(bristle: 1
sections:
  s: {type: general, EA: 1e6, GA2: 1e6, GJ: 1e3, EI2: 1e3, mass_per_length: 1, rotary_inertia: [20, 10, 10]}
bodies:
  leg: {type: beam, from: [0, 0, 0], to: [10, 0, 0], up: z, elements: 5, section: s}
  arm: {type: beam, from: [10, 0, 0], to: [10, 10, 0], up: z, elements: 5, section: s}
joints:
  root: {type: fixed, between: [ground, leg.start], at: [0, 0, 0]}
  elbow: {type: fixed, between: [leg.tip, arm.start], at: [10, 0, 0]}
forces:
  push: {type: force, on: leg.tip, force: [0, 0, "50*max(0, min(t, 2 - t))"]}
analysis: {type: transient, end: 16 s, integrator: {type: energy_decaying, step: 50 ms}}
)yaml";
  const auto tip = [&](const std::string& integrator) {
    Mechanism m(model, {with(integrator)});
    std::vector<double> z;
    for (double t : {3.0, 7.5, 16.0}) {
      EXPECT_TRUE(m.go(t));
      z.push_back(m.read("arm.tip.position.z"));
      z.push_back(m.read("leg.tip.position.z"));
    }
    return z;
  };
  const auto coarse = tip("energy_decaying, step: 100 ms"), fine = tip("energy_decaying, step: 50 ms");
  const auto preserving = tip("energy_preserving, step: 25 ms"), alpha = tip("generalized_alpha, step: 25 ms");
  for (std::size_t i = 0; i < fine.size(); ++i) {
    EXPECT_NEAR(fine[i], preserving[i], 0.02) << i;
    EXPECT_NEAR(preserving[i], alpha[i], 0.005) << i;
    EXPECT_NEAR(coarse[i], fine[i], 0.05) << i;
  }
  RecordProperty("tip", fmt::format("{:.5f} {:.5f} {:.5f} at 7.5 s, {:.5f} {:.5f} {:.5f} at 16 s", fine[2], preserving[2],
                                    alpha[2], fine[4], preserving[4], alpha[4]));
  // as far as the legs are long, both ways
  EXPECT_NEAR(fine[2], 8.2, 0.3);
  EXPECT_NEAR(fine[4], -9.7, 0.3);
}

/// Every integrator that takes beams converges to one motion, with its order.
TEST(BeamTruth, integrators_converge_with_their_orders) {
  const std::string model = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: rectangle, height: 8 mm, width: 20 mm, young: 20 MPa, density: 1200 kg/m^3}
bodies:
  strip: {type: beam, from: [0, 0, 0], to: [0.6, 0, 0], elements: 3, section: s}
joints:
  hinge: {type: revolute, between: [ground, strip.start], at: [0, 0, 0], axis: y}
analysis: {type: transient, end: 0.2 s, integrator: {type: radau5, tolerance: 1e-10}}
)yaml";
  Mechanism exact(model);
  ASSERT_TRUE(exact.go(0.1));
  const Eigen::Vector3d want = exact.vector("strip.tip.position");
  struct Row {
    const char* type;
    double order, step;  // [ms] explicit ones below their limit of stability, 0.08 ms
  };
  const Row fixed[] = {{"energy_preserving", 2, 0.2},
                       {"energy_decaying", 2, 0.2},
                       {"generalized_alpha", 2, 0.2},
                       {"hht", 2, 0.2},
                       {"newmark", 2, 0.2},
                       {"trapezoidal", 2, 0.2},
                       {"moreau_jean", 2, 0.2},
                       {"radau3", 3, 0.2},
                       {"rk4", 4, 0.05}};
  for (const auto& [type, order, step] : fixed) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Mechanism m(model, {with(fmt::format("{}, step: {} ms", type, step / (1 << k)))});
      ASSERT_TRUE(m.go(0.1)) << type;
      error[k] = (m.vector("strip.tip.position") - want).norm();
    }
    EXPECT_LT(error[1], 1e-4) << type;
    RecordProperty(type, fmt::format("error {:.3g}, order {:.3f}", error[1], std::log2(error[0] / error[1])));
    EXPECT_GT(std::log2(error[0] / error[1]), order - 0.35) << type << " " << error[0] << " " << error[1];
  }
  int led = 0;  // by the error
  for (const std::string& type : integrators(true)) {
    if (std::any_of(std::begin(fixed), std::end(fixed), [&](const Row& r) { return type == r.type; })) continue;
    ++led;
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Mechanism m(model, {with(fmt::format("{}, tolerance: {}", type, k == 0 ? 1e-6 : 1e-8))});
      ASSERT_TRUE(m.go(0.1)) << type;
      error[k] = (m.vector("strip.tip.position") - want).norm();
    }
    RecordProperty(type, fmt::format("error {:.3g}, {:.3g}", error[0], error[1]));
    EXPECT_LT(error[0], 1e-4) << type;
    EXPECT_LT(error[1], 0.1 * error[0] + 1e-9) << type;
  }
  EXPECT_EQ(led, 3);  // dormand_prince, radau5, cvode
}

/// In elements: the sag of a soft strip under its weight, lumped at the nodes, converges with the second order.
TEST(BeamTruth, elements_converge) {
  const auto sag = [](int elements) {
    const System system = system_of(
        fmt::format("gravity: [0, 0, -9.81]\n"
                    "sections:\n  s: {{type: rectangle, height: 8 mm, width: 20 mm, young: 20 MPa, density: 1200 kg/m^3}}\n"
                    "bodies:\n  strip: {{type: beam, from: [0, 0, 0], to: [0.4, 0, 0], elements: {}, section: s}}\n"
                    "joints:\n  root: {{type: fixed, between: [ground, strip.start], at: [0, 0, 0]}}\n",
                    elements));
    return channels_of(system, equilibrium_of(system).state)["strip.tip.position.z"];
  };
  const double a = sag(4), b = sag(8), c = sag(16);
  EXPECT_LT(c, -0.05);
  EXPECT_NEAR((a - b) / (b - c), 4, 0.3);
}

const char* kSliderCrank = R"yaml(bristle: 1
parameters: {speed: 15.7, young: 70e9, r: 0.1, l: 0.4}
sections:
  rod: {type: rectangle, height: 2 mm, width: 20 mm, young: young, density: 2700 kg/m^3}
bodies:
  crank: {type: rigid, mass: 0.5, inertia: [2e-4, 5e-4, 5e-4], position: [0.05, 0, 0], velocity: [0, "0.05*speed", 0], angular_velocity: [0, 0, speed]}
  rod: {type: beam, from: [0.1, 0, 0], to: [0.5, 0, 0], elements: 8, section: rod, up: y, velocity: [0, "0.1*speed", 0], angular_velocity: [0, 0, "-0.25*speed"]}
  slider: {type: rigid, mass: 0.05, inertia: [5e-6, 5e-6, 5e-6], position: [0.5, 0, 0]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: z, drive: {angle: "speed*t"}}
  crank_pin: {type: spherical, between: [crank, rod.start], at: [0.1, 0, 0]}
  wrist_pin: {type: revolute, between: [slider, rod.tip], at: [0.5, 0, 0], axis: z}
  guide: {type: prismatic, between: [ground, slider], at: [0.5, 0, 0], axis: x}
analysis: {type: transient, end: 0.4 s, integrator: {type: energy_decaying, step: 0.5 ms}}
)yaml";

struct RigidCrank {
  double speed = 15.7, r = 0.1, l = 0.4;
  double slider(double t) const { return r * std::cos(speed * t) + std::sqrt(l * l - std::pow(r * std::sin(speed * t), 2)); }
  double slope(double t) const { return -std::asin(r * std::sin(speed * t) / l); }  ///< of the rod
  double slider_acceleration(double t) const {
    const double h = 1e-4;
    return (slider(t + h) - 2 * slider(t) + slider(t - h)) / (h * h);
  }
};

/// The rod as a supported beam on the rigid motion, its first bending mode and the force along it: an ordinary equation on its own.
TEST(BeamTruth, a_flexible_slider_crank_bends_as_its_first_mode) {
  const RigidCrank rigid;
  const double EI = 70e9 * 20e-3 * 8e-9 / 12, mass = 2700 * 20e-3 * 2e-3;  // per length
  const double w2 = std::pow(kPi / rigid.l, 4) * EI / mass, buckling = std::pow(kPi / rigid.l, 2) * EI;
  const auto rate = [&](double t, double q) {
    const double c = std::cos(rigid.slope(t)), s = std::sin(rigid.slope(t)), turn = rigid.speed * t;
    const double ax = -rigid.r * rigid.speed * rigid.speed * std::cos(turn),
                 ay = -rigid.r * rigid.speed * rigid.speed * std::sin(turn);
    const double as = rigid.slider_acceleration(t);
    const double across = (-s * ax + c * ay) - s * as;  // of both ends
    // pull in the middle: the slider and half of the rod are pulled along
    const double pull = -(0.05 + mass * rigid.l / 2) * as / c;
    return -(2 / kPi) * across - w2 * (1 + pull / buckling) * q;
  };
  double q = 0, v = 0, t = 0;
  const double h = 1e-4;
  Mechanism m(kSliderCrank);
  double largest = 0, worst = 0, off = 0;
  for (int k = 0; k < 4000; ++k) {
    // leapfrog
    v += 0.5 * h * rate(t, q);
    q += h * v;
    t += h;
    v += 0.5 * h * rate(t, q);
    if ((k + 1) % 40 != 0) continue;
    ASSERT_TRUE(m.go(t));
    const Eigen::Vector3d a = m.vector("rod.start.position"), b = m.vector("rod.tip.position"), mid = m.vector("rod.4.position");
    const Eigen::Vector3d along = (b - a).normalized(), aside = mid - a;
    const double bend = along.x() * aside.y() - along.y() * aside.x();
    largest = std::max(largest, std::abs(q));
    worst = std::max(worst, std::abs(bend - q));
    off = std::max(off, std::abs(m.read("slider.position.x") - rigid.slider(t)));
  }
  EXPECT_GT(largest, 1e-4);
  EXPECT_LT(worst, 0.05 * largest) << largest;
  EXPECT_LT(off, 1e-4);
  RecordProperty("bending", fmt::format("{:.4g} m, off by {:.3g}", largest, worst));
}

TEST(BeamTruth, a_stiff_rod_moves_as_the_rigid_slider_crank) {
  const RigidCrank rigid;
  double off[2];
  for (int k = 0; k < 2; ++k) {
    off[k] = 0;
    Mechanism m(kSliderCrank, {fmt::format("parameters.young={}", k == 0 ? "70e11" : "70e12")});
    for (double t = 0.01; t < 0.2; t += 0.01) {
      ASSERT_TRUE(m.go(t));
      off[k] = std::max(off[k], std::abs(m.read("slider.position.x") - rigid.slider(t)));
    }
  }
  RecordProperty("off", fmt::format("{:.3g} {:.3g}", off[0], off[1]));
  EXPECT_LT(off[0], 1e-8);
  EXPECT_LT(off[1], 0.2 * off[0]);
}

/// 1e5 steps of a beam that tumbles and bends where it is; if it flew away, the round-off of its positions would grow. Largest change of its
/// energy from the start, largest growth in one step.
void tumble(const char* type, double& drift, double& growth) {
  Mechanism m(
      "bristle: 1\nsections:\n  s: {type: general, EA: 1e4, GA2: 1e4, GJ: 500, EI2: 500, mass_per_length: 1, rotary_inertia: [20, 10, 10]}\n"
      "bodies:\n  rod: {type: beam, from: [6, 0, 0], to: [0, 8, 0], up: [4, 3, 0], elements: 2, section: s}\n"
      "forces:\n  turn: {type: torque, on: rod.start, torque: [0, \"-40*min(t, max(0, 5 - t))\", \"-80*min(t, max(0, 5 - t))\"]}\n"
      "analysis: {type: transient, end: 1e9, integrator: {type: energy_decaying, step: 0.1}}\n",
      {with(fmt::format("{}, step: 0.1, newton_tolerance: 1e-15", type))});
  ASSERT_TRUE(m.go(5));
  const double start = m.run().ledger().energy().total();
  double before = start;
  drift = growth = 0;
  for (int k = 1; k <= 100000; ++k) {
    ASSERT_TRUE(m.run().advance(1e9)) << m.run().message();
    const double now = m.run().ledger().energy().total();
    drift = std::max(drift, std::abs(now / start - 1));
    growth = std::max(growth, (now - before) / start);
    before = now;
  }
}

/// Newton's method to round-off in every step: what is left of 1e5 steps is round-off added up, 1e-16 of the energy per step if it has always
/// the same sign.
TEST(BeamTruthLong, a_hundred_thousand_steps_of_a_tumbling_beam) {
  double drift = 0, growth = 0;
  tumble("energy_preserving", drift, growth);
  EXPECT_LT(drift, 1e-11);
  EXPECT_LT(growth, 1e-13) << "in one step";
  RecordProperty("preserving_drift", fmt::format("{:.3g}", drift));
  tumble("energy_decaying", drift, growth);
  EXPECT_LT(growth, 1e-13) << "in one step";
  EXPECT_GT(drift, 1e-6);
  RecordProperty("decaying_loss", fmt::format("{:.3g}", drift));
}

}  // namespace
}  // namespace bristle
