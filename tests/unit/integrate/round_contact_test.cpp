// Round surfaces over steps of the energy schemes: a journal in a ring, a ball in a socket, balls on balls.
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
const std::string kTail = "analysis: {type: transient, end: 1e9 s, integrator: {type: rk4, step: 1 ms}}\n";
const BodyInfo& body(const bristle::Run& run, const std::string& name) {
  for (const BodyInfo& b : run.system().layout().bodies) {
    if (b.name == name) return b;
  }
  throw std::runtime_error("no body " + name);
}

/// A disk off centre that spins and slides in a free ring: ring 3 kg, 0.03 kg m^2; disk 1 kg, 0.002 kg m^2.
std::string journal(bool planar, const std::string& acts_on) {
  const std::string pin =
      ", pin_radius: 50 mm, clearance: 0.5 mm, acts_on: " + acts_on +
      ", contact: {type: linear, stiffness: 1e6 N/m}, friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.3, "
      "sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s}}\n" +
      kTail;
  if (planar)
    return R"yaml(bristle: 1
bodies:
  ring: {type: planar, mass: 3, inertia: 0.03}
  disk: {type: planar, mass: 1, inertia: 0.002, velocity: [0.3, 0.2], angular_velocity: 30}
joints:
  pin: {type: revolute, between: [ring, disk], at: [0, 0])yaml" +
           pin;
  return R"yaml(bristle: 1
bodies:
  ring: {type: rigid, mass: 3, inertia: [0.02, 0.02, 0.03]}
  disk: {type: rigid, mass: 1, inertia: [0.001, 0.001, 0.002], velocity: [0.3, 0.2, 0], angular_velocity: [0, 0, 30]}
joints:
  pin: {type: revolute, between: [ring, disk], at: [0, 0, 0], axis: z)yaml" +
         pin;
}

/// Kinetic and contact energy, spins, distance of the centres [mm], memory: after 200 steps of 0.1 ms.
struct Spun {
  double energy, friction_work, spin[2], d[2], z;
};
void expect_spun(const std::string& acts_on, const Spun& expected) {
  for (const bool planar : {true, false}) {
    Trial trial(journal(planar, acts_on), {with("energy_preserving", 1e-4)});
    bristle::Run& first = trial.start();
    State x = first.state();
    x.q()[body(first, "disk").q] = 0.4e-3;
    bristle::Run& run = trial.start(x);
    EXPECT_NEAR(run.ledger().energy().total(), 0.965, 1e-14);
    for (int k = 0; k < 200; ++k) ASSERT_TRUE(run.advance(1e9)) << run.message();
    const BodyInfo &ring = body(run, "ring"), &disk = body(run, "disk");
    const double *q = run.state().q(), *v = run.state().v();
    const double d[2] = {q[disk.q] - q[ring.q], q[disk.q + 1] - q[ring.q + 1]};
    const double depth = std::max(0.0, std::hypot(d[0], d[1]) - 0.5e-3),
                 energy = run.ledger().energy().kinetic + 0.5e6 * depth * depth;
    EXPECT_NEAR(energy, expected.energy, 1e-11);
    EXPECT_NEAR(energy - 0.965, expected.friction_work, 1e-11) << "nothing else does work";
    const int about = planar ? 2 : 5;
    EXPECT_NEAR(v[ring.v + about], expected.spin[0], 1e-10);
    EXPECT_NEAR(v[disk.v + about], expected.spin[1], 1e-10);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(1e3 * d[i], expected.d[i], 1e-9);
    EXPECT_NEAR(std::abs(run.state().z()[0]), expected.z, 1e-10);
    EXPECT_LT(std::abs(run.ledger().residual()), 1e-13);
  }
}

/// The prototype lets friction act on the surface of the disk.
TEST(RoundContact, spins_a_journal_in_a_free_ring_as_the_prototype_does) {
  expect_spun("second",
              {0.47230738388, -0.49269261612, {1.053545886788, 14.434159357395}, {0.317321223, 0.762038929}, 0.51090586056});
}
/// The same equations, written down independently of this program, with the force in the middle of the overlap.
TEST(RoundContact, acts_in_the_middle_of_the_overlap_unless_told_otherwise) {
  expect_spun("middle",
              {0.47340570750, -0.49159429250, {1.050430511189, 14.480791899183}, {0.316979649, 0.761422483}, 0.50685161560});
}

/// Two free bodies in space, a spin and a blow: energy and both momenta over steps of any length.
TEST(RoundContact, keeps_energy_and_momenta_over_random_steps) {
  const std::string bodies = R"yaml(bristle: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.015], position: [-0.05, 0, 0], velocity: [0.2, 0.1, -0.1], angular_velocity: [10, -20, 30]}
  b: {type: rigid, mass: 2, inertia: [0.02, 0.01, 0.025], position: [0.05, 0.01, 0]}
joints: {j: {between: [a, b], )yaml";
  const std::string law = ", contact: {type: linear, stiffness: 1e6}}}\n" + kTail;
  const std::vector<std::string> joints{
      "type: spherical, at: [0, 0, 0], pin_radius: 10 mm, clearance: 0.2 mm",
      "type: revolute, axis: z, at: [0, 0, 0], pin_radius: 10 mm, clearance: 0.2 mm",
      "type: contact, surfaces: [{type: sphere, radius: 51 mm}, {type: sphere, radius: 49.5 mm}], overlap: keep",
      "type: contact, surfaces: [{type: hollow_sphere, radius: 20.2 mm, at: [0.05, 0, 0]}, {type: sphere, radius: 20 mm, at: [-0.05, -0.01, 0]}]",
      "type: contact, surfaces: [{type: sphere, radius: 20 mm, at: [0.05, 0, 0]}, {type: hollow_sphere, radius: 20.2 mm, at: [-0.05, -0.01, 0]}]"};
  for (const std::string& joint : joints) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> length(-5, -2.3);
    Trial first(bodies + joint + law, {with("energy_preserving", 1e-4)});
    State x = first.start().state();
    double before = first.start().ledger().energy().total();
    const double start = before;
    const Momenta kept = momenta(first.start());
    int pressed = 0;
    for (int k = 0; k < 60; ++k) {
      Trial next(bodies + joint + law, {with("energy_preserving", std::pow(10, length(random)))});
      bristle::Run& one = next.start(x);
      ASSERT_TRUE(one.advance(1e9)) << joint << ": " << one.message();
      before = one.ledger().energy().total();
      EXPECT_NEAR(before, start, 1e-11 * start) << joint << ", step " << k;
      const Momenta now = momenta(one);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(now.linear[i], kept.linear[i], 1e-12) << joint;
        EXPECT_NEAR(now.angular[i], kept.angular[i], 1e-12) << joint;
      }
      pressed += next.read(next.channel("j.normal_force")) > 0;
      x = one.state();
    }
    EXPECT_GT(pressed, 3) << joint;
  }
}

}  // namespace
}  // namespace bristle
