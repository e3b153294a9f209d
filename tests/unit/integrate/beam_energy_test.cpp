// Beams with the energy schemes, against numbers of independent prototypes of the same equations, and over steps of any length.
#include <gtest/gtest.h>

#include <random>

#include "support/mechanisms.h"
#include "support/models.h"
#include "support/momenta.h"

namespace bristle {
namespace {

using namespace test;

std::string with(const std::string& type, double h) {
  return fmt::format("analysis.integrator={{type: {}, step: {:.17g}, newton_tolerance: 1e-14}}", type, h);
}
const double* place(bristle::Run& run, const std::string& body, bool velocity = false) {
  for (const BodyInfo& b : run.system().layout().bodies) {
    if (b.name == body) return velocity ? run.state().v() + b.v : run.state().q() + b.q;
  }
  throw std::runtime_error("no body " + body);
}
void expect_near(const double* x, std::vector<double> expected, double tolerance, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(x[i], expected[i], tolerance) << what << ", number " << i;
}
const std::string kTail = "analysis: {type: transient, end: 1e9 s, integrator: {type: rk4, step: 1 ms}}\n";

/// A stiff beam that is pushed and twisted at its first node, and flies on.
std::string flying_beam(bool residual) {
  return std::string(R"yaml(bristle: 1
sections:
  s: {type: general, EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 500, EI2: 500, EI3: 500, mass_per_length: 1, rotary_inertia: [20, 10, 10]}
bodies:
  rod: {type: beam, from: [6, 0, 0], to: [0, 8, 0], elements: 10, section: s, residual_flexibility: )yaml") +
         (residual ? "true" : "false") + R"yaml(}
forces:
  push: {type: force, on: rod.start, force: ["max(0, min(8*t, 8*(5-t)))", 0, 0]}
  twist: {type: torque, on: rod.start, torque: [0, "-max(0, min(40*t, 40*(5-t)))", "-max(0, min(80*t, 80*(5-t)))"]}
)yaml" + kTail;
}

TEST(BeamEnergy, a_stiff_beam_flies_as_the_prototype_does) {
  Trial a(flying_beam(false), {with("energy_preserving", 0.1)});
  auto& keeps = a.start();
  ASSERT_TRUE(keeps.advance_to(5)) << keeps.message();
  EXPECT_NEAR(keeps.ledger().energy().total(), 724.177997555625, 1e-8);
  EXPECT_NEAR(keeps.ledger().supplied(), 724.177997555625, 1e-8);
  expect_near(place(keeps, "rod.start"), {19.189548996436, 1.828727318629, -2.374464629411}, 1e-8, "preserving");
  expect_near(place(keeps, "rod.tip"), {13.020184447908, 6.722883866573, 3.14900620767}, 1e-8, "preserving");
  ASSERT_TRUE(keeps.advance_to(10)) << keeps.message();
  expect_near(place(keeps, "rod.start"), {41.835379419032, 4.079353526471, -4.772656861389}, 1e-7, "preserving");
  EXPECT_LT(std::abs(keeps.ledger().residual()), 1e-10);

  Trial b(flying_beam(false), {with("energy_decaying", 0.1)});
  auto& decays = b.start();
  ASSERT_TRUE(decays.advance_to(5)) << decays.message();
  EXPECT_NEAR(decays.ledger().energy().total(), 722.558391333521, 1e-8);
  EXPECT_NEAR(decays.ledger().supplied(), 723.047000223566, 1e-8);
  expect_near(place(decays, "rod.start"), {19.196858264102, 1.831708169447, -2.366406609268}, 1e-8, "decaying");
  ASSERT_TRUE(decays.advance_to(10)) << decays.message();
  EXPECT_NEAR(decays.ledger().energy().total(), 721.649851594594, 1e-7);
  expect_near(place(decays, "rod.start"), {41.874570272245, 4.079232377028, -4.770290884908}, 1e-7, "decaying");

  for (const auto& [type, energy] :
       {std::pair{"energy_preserving", 723.623541912358}, std::pair{"energy_decaying", 721.995218446709}}) {
    Trial trial(flying_beam(true), {with(type, 0.1)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(5));
    EXPECT_NEAR(run.ledger().energy().total(), energy, 1e-8) << type;
  }
}

TEST(BeamEnergy, never_grows_over_random_steps_and_both_momenta_are_kept) {
  for (const double stiffness : {1.0, 10.0, 100.0}) {
    const std::string text =
        fmt::format(
            "bristle: 1\nsections:\n  s: {{type: general, EA: {0}, GA2: {1}, GJ: {2}, EI2: {2}, mass_per_length: 1, rotary_inertia: [0.4, 0.2, 0.2]}}\n"
            "bodies:\n  rod: {{type: beam, from: [0, 0, 0], to: [4, 0, 0], elements: 4, section: s, velocity: [0, -3, 0.5], angular_velocity: "
            "[0.5, 0.3, 1.5]}}\nforces:\n  kick: {{type: force, on: rod.tip, force: [\"if(t < 0.2, 3, 0)\", 0, \"if(t < 0.2, 5, 0)\"]}}\n",
            100 * stiffness, 50 * stiffness, 10 * stiffness) +
        kTail;
    Trial trial(text, {with("energy_decaying", 0.02)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.2));
    const Momenta start = momenta(run);
    std::mt19937 random(static_cast<unsigned>(stiffness));
    std::uniform_real_distribution<double> length(-2.5, 0.3);
    // the steps of one run are constant: a new run from the same state for each length
    State x = run.state();
    double before = run.ledger().energy().total();
    for (int k = 0; k < 60; ++k) {
      Trial next(text, {with("energy_decaying", std::pow(10, length(random)))});
      bristle::Run& one = next.start(x);
      ASSERT_TRUE(one.advance(1e9)) << one.message();
      EXPECT_LE(one.ledger().energy().total(), before * (1 + 1e-12)) << "step " << k;
      EXPECT_LT(std::abs(one.ledger().residual()), 1e-9 * before);
      const Momenta now = momenta(one);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(now.linear[i], start.linear[i], 1e-8);
        EXPECT_NEAR(now.angular[i], start.angular[i], 1e-7);
      }
      x = one.state();
      before = one.ledger().energy().total();
    }
  }
}

/// The mechanism of "Modeling Friction Phenomena in Flexible Multibody Dynamics", section 6.1, with an ideal ball joint.
TEST(BeamEnergy, drives_the_spatial_mechanism_as_the_prototype_does) {
  const std::string text = R"yaml(bristle: 1
sections:
  beam: {type: general, EA: 43 MN, GA2: 8.3 MN, GJ: 18e3, EI2: 23e3, EI3: 23e3, mass_per_length: 1.6, rotary_inertia: [1.69e-3, 8.45e-4, 8.45e-4]}
  crank: {type: general, EA: 43 MN, GA2: 8.3 MN, GJ: 28e3, EI2: 23.2e3, EI3: 29.8e3, mass_per_length: 1.6, rotary_inertia: [1.69e-3, 8.45e-4, 8.45e-4]}
  link: {type: general, EA: 23 MN, GA2: 4.4 MN, GJ: 9e3, EI2: 12e3, EI3: 12e3, mass_per_length: 0.85, rotary_inertia: [8.978125e-4, 4.4890625e-4, 4.4890625e-4]}
bodies:
  beam: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: beam}
  crank: {type: beam, from: [1.9, 0.4, 0], to: [1.9, 0.6, 0], elements: 2, section: crank, angular_velocity: [20, 0, 0]}
  link: {type: beam, from: [1.9, 0.6, 0], to: [1.1, 0, 0], elements: 4, section: link, velocity: [0, 0, 4], angular_velocity: [20, 10, 0]}
  slider: {type: rigid, mass: 5, inertia: [0.005, 0.005, 0.005], position: [1.1, 0, 0]}
joints:
  root: {type: fixed, between: [ground, beam.start], at: [0, 0, 0]}
  main: {type: revolute, between: [ground, crank.start], at: [1.9, 0.4, 0], axis: x, drive: {angle: "20*t"}}
  pin: {type: universal, between: [crank.tip, link.start], at: [1.9, 0.6, 0], axis: y, second_axis: z}
  ball: {type: spherical, between: [link.tip, slider], at: [1.1, 0, 0]}
  guide: {type: prismatic, between: [beam.tip, slider], at: [1, 0, 0], axis: x}
)yaml" + kTail;
  Trial trial(text, {with("energy_decaying", 1e-3)});
  auto& run = trial.start();
  EXPECT_NEAR(run.ledger().energy().total(), 3.552161875, 1e-9);
  for (int k = 0; k < 1885; ++k) ASSERT_TRUE(run.advance(1e9)) << run.message();
  EXPECT_NEAR(run.ledger().supplied(), 0.129094172, 1e-8);
  EXPECT_NEAR(run.ledger().numerical(), 0.005050523, 1e-8);
  EXPECT_NEAR(run.ledger().energy().total(), 3.676205524, 1e-8);
  EXPECT_LT(std::abs(run.ledger().residual()), 1e-11);
  expect_near(place(run, "slider"), {1.10124642, -0.00160668, 0.00135697}, 2e-8, "slider");
}

// its matrix is learnt anew; the first tangent is summed in the order of the others
TEST(BeamEnergy, a_resumed_run_equals_the_unbroken_one_to_the_bit) {
  const auto everything = [](const bristle::Run& run) {
    Archive archive;
    run.save(archive);
    return archive.bytes();
  };
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    for (const char* keep : {"true", "false"}) {
      const std::string how = fmt::format("analysis.integrator={{type: {}, step: 0.1, keep_factors: {}}}", type, keep);
      Trial a(flying_beam(false), {how}), b(flying_beam(false), {how});
      auto &whole = a.start(), &rest = b.start();
      ASSERT_TRUE(whole.advance_to(1)) << whole.message();
      Archive saved(everything(whole));
      rest.load(saved);
      ASSERT_TRUE(whole.advance_to(3) && rest.advance_to(3));
      EXPECT_TRUE(everything(whole) == everything(rest)) << type << ", keep_factors: " << keep;
    }
  }
}

}  // namespace
}  // namespace bristle
