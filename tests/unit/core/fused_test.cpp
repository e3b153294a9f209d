// A fused system gives, to the bit, what its blocks give one by one: states, ledger, modes, counts.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

const std::string kFriction =
    "friction: {type: lugre, mu_kinetic: 1, mu_static: 1.5, stribeck_velocity: 1 mm/s, sigma0: 1e5, sigma1: 316, sigma2: 0.4}";
const std::string kAnalysis = "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 70 us}}\n";

std::string row(const std::string& drive, const std::string& load, int masses) {
  std::string bodies = "bristle: 1\nbodies:\n  end: {type: driven, " + drive + "}\n", forces = "forces:\n", joints = "joints:\n";
  for (int i = 0; i < masses; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: {} kg}}\n", i, 0.7 + 0.3 * i);
    forces += fmt::format("  s{}: {{type: spring, between: [m{}, {}], stiffness: 200 N/m, damping: {} N s/m, cubic: {} N/m^3}}\n",
                          i, i, i == 0 ? "end" : fmt::format("m{}", i - 1), 0.1 * i, 3.0 * (i % 2));
    joints += fmt::format("  f{}: {{type: sliding, between: [{}, m{}], load: {}, {}}}\n", i, i % 3 == 2 ? "m0" : "ground", i,
                          load, kFriction);
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

TEST(Fused, one_mass_that_stays_in_registers) { expect_same_bits(row("velocity: 0.1 m/s", "2 N", 1), true); }
TEST(Fused, many_masses) { expect_same_bits(row("velocity: 0.1 m/s", "2 N", 6), true); }
TEST(Fused, a_drive_that_is_a_signal) { expect_same_bits(row("position: \"0.02*sin(9*t)\"", "2 N", 3), true); }
TEST(Fused, lever_arms) { expect_same_bits(kBrake, true); }
TEST(Fused, a_load_that_varies_stays_with_its_block) { expect_same_bits(row("velocity: 0.1 m/s", "\"2 + sin(9*t)\"", 2), false); }
TEST(Fused, a_place_without_load_stays_with_its_block) { expect_same_bits(row("velocity: 0.1 m/s", "0 N", 2), false); }

}  // namespace
}  // namespace bristle
