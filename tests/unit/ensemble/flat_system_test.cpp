// The fast path gives, to the bit, what the blocks give one by one: states, ledger, modes, counts.
#include "bristle/ensemble/flat_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

const std::string kFriction =
    "friction: {type: lugre, mu_kinetic: 1, mu_static: 1.5, stribeck_velocity: 1 mm/s, sigma0: 1e5, sigma1: 316, sigma2: 0.4}";
const std::string kAnalysis = "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 70 us}}\n";

std::string row(const std::string& drive, const std::string& load, int masses, const std::string& friction = kFriction) {
  std::string bodies = "bristle: 1\nbodies:\n  end: {type: driven, " + drive + "}\n", forces = "forces:\n", joints = "joints:\n";
  for (int i = 0; i < masses; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: {} kg}}\n", i, 0.7 + 0.3 * i);
    forces += fmt::format("  s{}: {{type: spring, between: [m{}, {}], stiffness: 200 N/m, damping: {} N s/m, cubic: {} N/m^3}}\n",
                          i, i, i == 0 ? "end" : fmt::format("m{}", i - 1), 0.1 * i, 3.0 * (i % 2));
    joints += fmt::format("  f{}: {{type: sliding, between: [{}, m{}], load: {}, {}}}\n", i, i % 3 == 2 ? "m0" : "ground", i,
                          load, friction);
  }
  return bodies + forces + joints + kAnalysis;
}

const std::string kBrake = R"(bristle: 1
bodies:
  drum: {type: inertia, inertia: 0.3 kg m^2, speed: 2 rad/s}
  shaft: {type: inertia, inertia: 0.1 kg m^2}
forces:
  twist: {type: spring, between: [drum, shaft], stiffness: 30 N m, damping: 0.02 N m s}
joints:
  shoe: {type: sliding, between: [ground, shaft], arm: 80 mm, load: 20 N, )" +
                           kFriction + "}\n" + kAnalysis;

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
std::vector<double> numbers(const State& x) { return {x.numbers().begin(), x.numbers().end()}; }

void expect_same_bits(const std::string& text, bool steps) {
  const Model model = read_model_text(text, "test.yaml", {});
  const System fused = assemble(model);
  System plain = assemble(model);
  ASSERT_NE(fused.fused(), nullptr);
  EXPECT_EQ(fused.fused()->steps(), steps);
  plain.fuse(nullptr);
  const TransientPlan plan = plan_transient(model);
  const auto a = make_run(model, fused, plan), b = make_run(model, plain, plan);
  a->start(fused.make_state());
  b->start(plain.make_state());
  for (int k = 0; a->state().t < 1; ++k) {
    ASSERT_TRUE(a->advance(1) && b->advance(1));
    ASSERT_EQ(a->state().t, b->state().t);
    ASSERT_TRUE(same(numbers(a->state()), numbers(b->state()))) << "step " << k;
    ASSERT_TRUE(same(a->rate(), b->rate())) << "step " << k;
    ASSERT_EQ(a->modes(), b->modes()) << "step " << k;
  }
  EXPECT_TRUE(same(a->ledger().by_account(), b->ledger().by_account()));
  EXPECT_EQ(a->ledger().residual(), b->ledger().residual());
  EXPECT_EQ(a->counts().evaluations, b->counts().evaluations);
}

TEST(FlatSystem, one_mass_that_stays_in_registers) { expect_same_bits(row("velocity: 0.1 m/s", "2 N", 1), true); }
TEST(FlatSystem, many_masses) { expect_same_bits(row("velocity: 0.1 m/s", "2 N", 6), true); }
TEST(FlatSystem, a_drive_that_is_a_signal) { expect_same_bits(row("position: \"0.02*sin(9*t)\"", "2 N", 3), true); }
TEST(FlatSystem, lever_arms) { expect_same_bits(kBrake, true); }
TEST(FlatSystem, a_load_that_varies_stays_with_its_block) {
  expect_same_bits(row("velocity: 0.1 m/s", "\"2 + sin(9*t)\"", 2), false);
}
TEST(FlatSystem, a_place_without_load_stays_with_its_block) { expect_same_bits(row("velocity: 0.1 m/s", "0 N", 2), false); }

TEST(FlatSystem, every_law_that_steps_alone) {
  std::vector<std::string> taken;
  for (const FrictionEntry& entry : friction_registry().all()) {
    SCOPED_TRACE(entry.name);
    const std::string text = row("velocity: 0.1 m/s", "2 N", 2, "friction: " + plain_law(entry));
    const System system = assemble(read_model_text(text, "test.yaml", {}));
    if (system.fused() == nullptr) continue;
    taken.push_back(entry.name);
    expect_same_bits(text, true);
  }
  const std::vector<std::string> least{"dahl",           "busarov_ostrovskii", "bliman_sorine", "lugre",
                                       "modified_lugre", "elasto_plastic",     "valanis",       "tanh_slope",
                                       "linear_slope",   "threlfall"};
  for (const std::string& name : least) EXPECT_NE(std::find(taken.begin(), taken.end(), name), taken.end()) << name;
  for (const std::string name : {"coulomb", "wojewoda", "iwan", "leuven", "gonthier"})
    EXPECT_EQ(std::find(taken.begin(), taken.end(), name), taken.end()) << name;
}

TEST(FlatSystem, dampers_that_are_linear) {
  std::string text = row("velocity: 0.1 m/s", "2 N", 3);
  text.insert(
      text.find("joints:"),
      "  d0: {type: damper, between: [m0, m2], damping: 3 N s/m}\n  d1: {type: damper, between: [ground, m1], damping: 1 N s/m}\n");
  expect_same_bits(text, true);
  text.insert(text.find("damping: 3 N s/m"), "quadratic: 1 N s^2/m^2, ");
  EXPECT_EQ(assemble(read_model_text(text, "test.yaml", {})).fused(), nullptr);
}

TEST(FlatSystem, parameters_without_a_flat_form) {
  for (const char* friction : {"{type: lugre, mu_kinetic: 1, mu_static: 1.5, sigma0: 1e5, damping_velocity: 5 mm/s, sigma1: 316}",
                               "{type: lugre, mu_kinetic: 1, mu_static: 1.5, sigma0: 1e5, stribeck_exponent: 1.5}",
                               "{type: lugre, mu_kinetic: 1, mu_static: 1.5, sigma0: 1e5, cap: true}",
                               "{type: dahl, mu_kinetic: 1, sigma0: 1e5, exponent: 1.5}"}) {
    SCOPED_TRACE(friction);
    const std::string text = row("velocity: 0.1 m/s", "2 N", 2, std::string("friction: ") + friction);
    expect_same_bits(text, true);
    const System system = assemble(read_model_text(text, "test.yaml", {}));
    EXPECT_EQ(dynamic_cast<const FlatSystem&>(*system.fused()).text(2), nullptr);
  }
}

TEST(FlatSystem, laws_that_differ_stay_with_their_blocks) {
  std::string text = row("velocity: 0.1 m/s", "2 N", 2);
  text.replace(text.find(kFriction), kFriction.size(), "friction: {type: dahl, mu_kinetic: 1}");
  EXPECT_EQ(assemble(read_model_text(text, "test.yaml", {})).fused(), nullptr);
}

}  // namespace
}  // namespace bristle
