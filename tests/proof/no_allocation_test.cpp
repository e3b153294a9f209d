// Proof 2: nothing is allocated between two accepted steps, once a run is under way.
#include <gtest/gtest.h>
#include <algorithm>

#include <atomic>
#include <cstdlib>

#include "support/mechanisms.h"

#if defined(__GLIBC__)
#define BRISTLE_COUNTS_ALLOCATIONS
namespace {
std::atomic<long> allocations{0};
}
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
// everything goes through these, operator new and the C libraries too
void* malloc(std::size_t n) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(n);
}
void* calloc(std::size_t n, std::size_t m) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(n, m);
}
void* realloc(void* p, std::size_t n) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(p, n);
}
}
#endif

namespace bristle {
namespace {

using namespace test;

#ifdef BRISTLE_COUNTS_ALLOCATIONS
/// Allocations in `steps` steps after the first few; they must include as many events.
void expect_none(const std::string& text, const std::string& integrator, double step, double tolerance, int steps,
                 long long events) {
  Trial trial(text, {setting(integrator, step, tolerance), "analysis.end=1e9"});
  auto& run = trial.start();
  long long seen = 0;
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(run.advance(1e9)) << run.message();
  seen = run.counts().events;
  const long before = allocations.load();
  bool good = true;
  for (int k = 0; k < steps && good; ++k) good = run.advance(1e9);
  const long after = allocations.load();
  ASSERT_TRUE(good) << integrator << ": " << run.message();
  EXPECT_EQ(after - before, 0) << integrator << ", " << steps << " steps up to t = " << run.state().t;
  EXPECT_GE(run.counts().events - seen, events) << integrator << ": the steps were to include stick and slip";
}

TEST(NoAllocation, the_counter_counts) {
  const long before = allocations.load();
  auto* p = new std::vector<double>(1000);
  EXPECT_GE(allocations.load() - before, 2);
  delete p;
}

/// All methods, where nothing has a jump at rest.
std::vector<std::string> all_methods() {
  std::vector<std::string> names = integrators();
  names.push_back("moreau_jean");
  return names;
}

TEST(NoAllocation, in_steps_of_the_LuGre_oscillator) {
  for (const std::string& name : all_methods()) expect_none(kLuGre, name, 1e-4, 1e-6, 500, 0);
}

TEST(NoAllocation, in_steps_of_ten_masses_with_ten_places) {
  for (const std::string& name : all_methods()) expect_none(chain(10, spanning_laws().at("lugre")), name, 1e-3, 1e-6, 300, 0);
}

TEST(NoAllocation, in_steps_of_a_system_large_enough_for_sparse_factors) {
  for (const std::string& name : all_methods()) expect_none(chain(20, spanning_laws().at("lugre")), name, 1e-3, 1e-6, 100, 0);
}

/// Events that a method is to locate; one that takes them within its steps locates none.
long long located(const std::string& name, long long events) { return locates(name) ? events : 0; }

TEST(NoAllocation, in_steps_with_located_stick_and_slip) {
  for (const std::string& name : integrators())
    expect_none(chain(3, spanning_laws().at("coulomb")), name, 5e-3, 1e-6, 1500, located(name, 5));
}

TEST(NoAllocation, in_steps_with_everything_that_remembers) {
  for (const std::string& name : integrators()) expect_none(memories(), name, 1e-3, 1e-5, 1000, located(name, 1));
}

TEST(NoAllocation, in_steps_of_a_mechanism_with_friction_loaded_by_reactions) {
  for (const std::string& guide : {kGuideLuGre, kGuideCoulomb}) {
    for (const char* m :
         {"trapezoidal, step: 1 ms", "radau3, step: 1 ms", "radau5, tolerance: 1e-6", "radau5, form: index2, tolerance: 1e-6",
          "radau5, form: index3, tolerance: 1e-6", "radau5, form: ggl, tolerance: 1e-6", "generalized_alpha, step: 0.5 ms",
          "generalized_alpha, form: index3, step: 0.5 ms", "generalized_alpha, tolerance: 1e-5", "newmark, step: 1 ms"}) {
      if (guide == kGuideCoulomb && std::string(m).find("radau5, form: index3") == 0) continue;  // refused
      Trial trial(spatial_slider_crank(guide), {std::string("analysis.integrator={type: ") + m + "}", "analysis.end=1e9"});
      auto& run = trial.start();
      for (int k = 0; k < 20; ++k) ASSERT_TRUE(run.advance(1e9)) << m << ": " << run.message();
      const long before = allocations.load();
      bool good = true;
      for (int k = 0; k < 300 && good; ++k) good = run.advance(1e9);
      const long after = allocations.load();
      ASSERT_TRUE(good) << m << ": " << run.message();
      EXPECT_EQ(after - before, 0) << m << guide << " up to t = " << run.state().t;
    }
  }
}

TEST(NoAllocation, in_steps_of_a_tube_that_slides_along_a_beam) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: general, EA: 1e6, GA2: 1e6, GJ: 100, EI2: 1000, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]}
bodies:
  rod: {type: beam, from: [0, 0, 0], to: [2, 0, 0], elements: 8, section: s}
  tube: {type: rigid, mass: 2, inertia: [1e-3, 2e-3, 2e-3], position: [0.3, 0, -0.2 mm], velocity: [3, 0, 0]}
joints:
  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}
  slide:
    type: beam_sleeve
    between: [tube, rod]
    at: [0.3, 0, -0.2 mm]
    axis: x
    bore: 20.4 mm
    diameter: 20 mm
    length: 0.1
    contact: {type: flores, stiffness: 1e8 N/m^1.5, restitution: 0.5}
    friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.2, sigma0: 1e4 1/m, stribeck_velocity: 10 mm/s}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
  for (const char* m :
       {"energy_decaying, step: 1 ms, jump_contact: pushing", "radau3, step: 0.2 ms", "generalized_alpha, step: 0.2 ms"}) {
    Trial trial(text, {std::string("analysis.integrator={type: ") + m + "}", "analysis.end=1e9"});
    auto& run = trial.start();
    for (int k = 0; k < 20; ++k) ASSERT_TRUE(run.advance(1e9)) << m << ": " << run.message();
    const long before = allocations.load();
    bool good = true;
    for (int k = 0; k < 300 && good; ++k) good = run.advance(1e9);
    const long after = allocations.load();
    ASSERT_TRUE(good) << m << ": " << run.message();
    EXPECT_EQ(after - before, 0) << m << " up to t = " << run.state().t;
  }
}

TEST(NoAllocation, in_steps_over_impacts) {
  const std::string rigid =
      "contact: {type: rigid, restitution: 0.4, impact: IMPACT}, friction: {type: coulomb, mu_kinetic: 0.3}";
  const std::string bouncing =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  a: {type: rigid, mass: 1 kg, position: [0, 0, 0.06], angular_velocity: [1, 2, 3], shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
      "  b: {type: rigid, mass: 1 kg, position: [0.01, 0, 0.17], shape: {type: sphere, radius: 50 mm}}\n"
      "collisions:\n  heap: {bodies: [a, b], with: [{type: plane}], " +
      rigid + "}\nanalysis: {type: transient, end: 1e9 s, integrator: {type: moreau_jean, step: 1 ms}}\n";
  const std::string worn =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  crank: {type: rigid, mass: 1 kg, inertia: [0.01, 0.01, 0.01], position: [0.1, 0, 0]}\n"
      "  rod: {type: rigid, mass: 1 kg, inertia: [0.01, 0.01, 0.01], position: [0.3, 0, 0]}\n"
      "joints:\n  main: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: y}\n"
      "  pin: {type: revolute, between: [crank, rod], at: [0.2, 0, 0], axis: y, pin_radius: 10 mm, length: 30 mm, axial_clearance: 0.2 mm, "
      "clearance: 0.1 mm, " +
      rigid + "}\nanalysis: {type: transient, end: 1e9 s, integrator: {type: moreau_jean, step: 0.1 ms}}\n";
  for (const std::string& model : {bouncing, worn}) {
    for (const char* impact : {"newton", "poisson"}) {
      for (const char* solver : {"newton", "sweeps"}) {
        std::string text = model;
        text.replace(text.find("IMPACT"), 6, impact);
        Trial trial(text, {std::string("analysis.integrator.solver=") + solver});
        auto& run = trial.start();
        // long enough for the largest number of contacts at once
        for (int k = 0; k < 1500; ++k) ASSERT_TRUE(run.advance(1e9)) << run.message();
        const long before = allocations.load();
        bool good = true;
        for (int k = 0; k < 1000 && good; ++k) good = run.advance(1e9);
        const long after = allocations.load();
        ASSERT_TRUE(good) << run.message();
        EXPECT_EQ(after - before, 0) << impact << ", " << solver << " up to t = " << run.state().t << "\n" << text;
      }
    }
  }
}

TEST(NoAllocation, under_the_threshold_rule_and_with_step_rules) {
  const std::string law = "{type: stiction, mu_kinetic: 0.3, mu_static: 0.4, stick_velocity: 1 mm/s}";
  Trial trial(
      chain(3, law),
      {"analysis.rest=threshold", "analysis.end=1e9",
       "analysis.integrator={type: rk4, adapt: [{type: velocity, fine: 0.5 ms, coarse: 1 ms}, {type: time_constant, fraction: 0.3, coarse: 1 ms}]}"});
  auto& run = trial.start();
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(run.advance(1e9));
  const long before = allocations.load();
  for (int k = 0; k < 2000; ++k) run.advance(1e9);
  EXPECT_EQ(allocations.load() - before, 0);
}

TEST(NoAllocation, where_step_rules_mind_how_stiff_contacts_are) {
  Trial trial(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {arm: {type: planar, mass: 1 kg, inertia: 0.02 kg m^2, position: [0.3, 0]}}
joints:
  pin:
    type: revolute
    between: [ground, arm]
    at: [0, 0]
    pin_radius: 10 mm
    clearance: 0.5 mm
    contact: {type: flores, stiffness: 1 GN/m^1.5, restitution: 0.8}
    friction: {type: lugre, mu_static: 0.15, mu_kinetic: 0.1, sigma0: 1e5 1/m, stribeck_velocity: 1 mm/s}
analysis: {type: transient, end: 100 s, integrator: {type: rk4, step: 1 ms, adapt: [contact, friction]}}
)yaml");
  auto& run = trial.start();
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(run.advance(100)) << run.message();
  const long before = allocations.load();
  for (int k = 0; k < 5000; ++k) ASSERT_TRUE(run.advance(100)) << run.message();
  EXPECT_EQ(allocations.load() - before, 0);
}
#endif

}  // namespace
}  // namespace bristle
