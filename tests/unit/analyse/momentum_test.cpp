// Momentum of everything that moves, as channels: what gravity and the ground give is all that changes it.
#include "bristle/analyse/momentum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/analyse/transient.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/plans.h"
#include "support/models.h"

namespace bristle {
namespace {

MemorySink run_of(const std::string& text) {
  const Model model = read_model_text("bristle: 1\n" + text, "test.yaml");
  const System system = assemble(model);
  const TransientPlan plan = plan_transient(model);
  MemorySink sink;
  const TransientResult result = run_transient(*make_run(model, system, plan), plan, {}, sink);
  EXPECT_EQ(result.end, RunStatus::End::finished) << result.message;
  return sink;
}

TEST(TotalMomentum, grows_by_weight_and_its_moment_alone) {
  const MemorySink run = run_of(R"yaml(gravity: [0, 0, -10]
bodies:
  top: {type: rigid, mass: 2 kg, inertia: [0.1, 0.2, 0.25], position: [1, 0.5, 0], velocity: [0.3, 1, 2], angular_velocity: [3, -2, 5]}
  arm: {type: rigid, mass: 1 kg, inertia: [0.02, 0.03, 0.04], center: [0.1, 0, 0], position: [1.2, 0.5, 0], velocity: [0.3, 2, 2.4], angular_velocity: [3, -2, 5]}
  bob: {type: particle, mass: 0.5 kg, position: [-1, 0, 2], velocity: [0, 0.4, 0]}
joints:
  pin: {type: spherical, between: [top, arm], at: [1.2, 0.5, 0]}
forces:
  rope: {type: spring, between: [top, bob], stiffness: 3 N/m, damping: 0.2 N s/m}
analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince, tolerance: 1e-10}}
record: {every: 10 ms}
)yaml");
  const auto &px = run.channel("momentum.x"), &py = run.channel("momentum.y"), &pz = run.channel("momentum.z");
  const auto &lx = run.channel("angular_momentum.x"), &ly = run.channel("angular_momentum.y"),
             &lz = run.channel("angular_momentum.z");
  double x = 0, y = 0;  // integrals of the moments of weight
  const auto mass_x = [&](std::size_t i) {
    return 2 * run.channel("top.position.x")[i] + run.channel("arm.position.x")[i] + 0.5 * run.channel("bob.position.x")[i];
  };
  const auto mass_y = [&](std::size_t i) {
    return 2 * run.channel("top.position.y")[i] + run.channel("arm.position.y")[i] + 0.5 * run.channel("bob.position.y")[i];
  };
  for (std::size_t i = 0; i < px.size(); ++i) {
    const double t = run.time()[i];
    EXPECT_NEAR(px[i], px[0], 1e-9);
    EXPECT_NEAR(py[i], py[0], 1e-9);
    EXPECT_NEAR(pz[i], pz[0] - 35 * t, 1e-9);
    EXPECT_NEAR(lz[i], lz[0], 1e-8);
    if (i > 0) {
      // the centre of mass goes straight along x and y: the trapezoidal rule is exact
      x += 0.5 * (mass_y(i) + mass_y(i - 1)) * -10 * (t - run.time()[i - 1]);
      y -= 0.5 * (mass_x(i) + mass_x(i - 1)) * -10 * (t - run.time()[i - 1]);
    }
    EXPECT_NEAR(lx[i], lx[0] + x, 1e-8);
    EXPECT_NEAR(ly[i], ly[0] + y, 1e-8);
  }
  EXPECT_NEAR(px[0], 2 * 0.3 + run.channel("arm.velocity.x")[0] + 0, 1e-12);
}

TEST(TotalMomentum, of_a_planar_body_is_that_of_its_centre_and_its_spin) {
  const MemorySink run = run_of(R"yaml(bodies:
  disk: {type: planar, mass: 2 kg, inertia: 0.3 kg m^2, position: [0, 1.5], velocity: [4, 0], angular_velocity: 7}
analysis: {type: transient, end: 0.1 s, integrator: {type: energy_preserving, step: 1 ms}}
record: {every: 10 ms}
)yaml");
  for (std::size_t i = 0; i < run.time().size(); ++i) {
    EXPECT_NEAR(run.channel("momentum.x")[i], 8, 1e-12);
    EXPECT_NEAR(run.channel("angular_momentum.z")[i], -1.5 * 8 + 0.3 * 7, 1e-11);
  }
  EXPECT_THROW(run.channel("momentum.z"), InputError);
}

TEST(TotalMomentum, of_a_free_beam_that_swings_is_kept) {
  const MemorySink run = run_of(R"yaml(sections:
  strip: {type: rectangle, width: 20 mm, height: 5 mm, young: 1 GPa, density: 1000 kg/m^3}
bodies:
  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: strip}
forces:
  blow: {type: force, on: rod.tip, force: [0, "if(t < 0.01, 3, 0)", "if(t < 0.01, 4, 0)"]}
analysis: {type: transient, end: 0.2 s, integrator: {type: energy_decaying, step: 0.5 ms}}
record: {every: 5 ms}
)yaml");
  const auto &py = run.channel("momentum.y"), &pz = run.channel("momentum.z");
  const auto &lx = run.channel("angular_momentum.x"), &ly = run.channel("angular_momentum.y"),
             &lz = run.channel("angular_momentum.z");
  const std::size_t blown = 4;  // 20 ms
  EXPECT_NEAR(py[blown], 0.6 * 5 * 0.01, 1e-9);
  EXPECT_NEAR(pz[blown], 0.8 * 5 * 0.01, 1e-9);
  EXPECT_GT(std::abs(lz[blown]), 0.02);
  for (std::size_t i = blown; i < py.size(); ++i) {
    EXPECT_NEAR(run.channel("momentum.x")[i], run.channel("momentum.x")[blown], 1e-10);
    EXPECT_NEAR(py[i], py[blown], 1e-10);
    EXPECT_NEAR(pz[i], pz[blown], 1e-10);
    EXPECT_NEAR(lx[i], lx[blown], 1e-9);
    EXPECT_NEAR(ly[i], ly[blown], 1e-9);
    EXPECT_NEAR(lz[i], lz[blown], 1e-9);
  }
}

TEST(TotalMomentum, is_not_there_where_nothing_moves_in_space) {
  const Model model = read_model_text("bristle: 1\nbodies:\n  m: {type: mass, mass: 1 kg}\n", "test.yaml");
  EXPECT_TRUE(TotalMomentum::channels(assemble(model).layout()).empty());
}

}  // namespace
}  // namespace bristle
