#include "bristle/core/ledger.h"

#include <gtest/gtest.h>

#include "support/models.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using namespace test;
const std::string kTail = "analysis: {type: transient, end: 2 s, integrator: {type: rk4, step: 10 ms}}\n";

/// What the ledger says of an account at the end.
double account(Trial& trial, const bristle::Run& run, const std::string& name) {
  const auto& accounts = trial.system().layout().accounts;
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    if (accounts[i].name == name) return run.ledger().of(static_cast<int>(i));
  }
  ADD_FAILURE() << "no account " << name;
  return 0;
}

TEST(Ledger, a_constant_load_supplies_force_times_way) {
  for (const std::string& name : integrators()) {
    Trial trial(
        "bristle: 1\nbodies: {m: {type: mass, mass: 2 kg, velocity: 1 m/s}}\nforces: {f: {type: load, on: m, force: 3 N}}\n" +
            kTail,
        {setting(name, 0.01, 1e-8)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2));
    const double way = 2 + 0.5 * 1.5 * 4;
    // way and work are polynomials of second order: every method is exact
    EXPECT_NEAR(account(trial, run, "f"), 3 * way, 1e-9) << name;
    EXPECT_NEAR(run.ledger().supplied(), 3 * way, 1e-9) << name;
    EXPECT_NEAR(run.ledger().energy().kinetic, 16, 1e-9) << name;
    EXPECT_NEAR(run.ledger().residual(), 0, 1e-10) << name;
  }
}

TEST(Ledger, a_driven_coordinate_supplies_what_its_spring_stores_and_its_damper_takes) {
  // x = A sin(w t) pulls a spring and a damper fixed to the ground: k x^2/2 and c A^2 w^2 (t/2 + sin(2wt)/(4w))
  const double A = 0.2, w = 3, k = 50, c = 4, t = 2;
  for (const std::string& name : integrators()) {
    Trial trial(R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg}, base: {type: driven, position: "0.2*sin(3*t)"}}
forces:
  s: {type: spring, between: [ground, base], stiffness: 50 N/m}
  d: {type: damper, between: [ground, base], damping: 4 N s/m}
)yaml" + kTail,
                {controls_error(name) ? "analysis.integrator={type: " + name + ", tolerance: 1e-8, step: 5 ms}"
                                      : setting(name, 5e-3, 0)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(t));
    const double stored = 0.5 * k * std::pow(A * std::sin(w * t), 2),
                 lost = c * A * A * w * w * (0.5 * t + std::sin(2 * w * t) / (4 * w));
    // the mean of the ends makes h^2/12 of the change of the power; the others are of third order at least
    const double tolerance = second_order(name) ? 2e-4 : name == "radau3" ? 1e-5 : 1e-7;
    EXPECT_NEAR(run.ledger().energy().stored, stored, 1e-12) << name;
    EXPECT_NEAR(account(trial, run, "d"), lost, tolerance) << name;
    EXPECT_NEAR(run.ledger().supplied(), stored + lost, tolerance) << name;
    EXPECT_NEAR(run.ledger().residual(), 0, tolerance) << name;
  }
}

TEST(Ledger, a_damper_dissipates_what_a_decaying_mass_loses) {
  // v = v0 exp(-c t/m)
  for (const std::string& name : integrators()) {
    Trial trial(
        "bristle: 1\nbodies: {m: {type: mass, mass: 2 kg, velocity: 3 m/s}}\nforces: {d: {type: damper, on: m, damping: 1.5 N s/m}}\n" +
            kTail,
        {setting(name, 0.01, 1e-9)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(2));
    const double lost = 9 * (1 - std::exp(-2 * 1.5 / 2 * 2));
    EXPECT_NEAR(account(trial, run, "d"), lost, second_order(name) ? 2e-4 : 1e-6) << name;
    EXPECT_EQ(run.ledger().supplied(), 0) << name;
  }
}

TEST(Ledger, a_spring_between_masses_costs_nothing) {
  Trial trial(
      "bristle: 1\nbodies: {m: {type: mass, mass: 2 kg, velocity: 3 m/s}, n: {type: mass, mass: 1 kg}}\nforces: {s: {type: spring, between: [m, n], stiffness: 100 N/m}}\n" +
          kTail,
      {"analysis.integrator={type: radau5, tolerance: 1e-10}"});
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(2));
  EXPECT_EQ(run.ledger().dissipated(), 0);
  EXPECT_NEAR(run.ledger().residual(), 0, 1e-8);
}

TEST(Ledger, what_friction_stores_is_not_dissipated) {
  // a bristle loaded below its limit: work goes into the bristle, not into heat
  Trial trial(R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg}}
forces: {f: {type: load, on: m, force: "0.05*t"}}
joints: {p: {type: sliding, on: m, load: 1 N, friction: {type: iwan, mu_kinetic: 0.3, stiffness: 100 1/m}}}
)yaml" + kTail,
              {"analysis.integrator={type: radau5, tolerance: 1e-10}"});
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(2));
  EXPECT_GT(run.ledger().energy().stored, 1e-5);
  EXPECT_NEAR(account(trial, run, "p"), 0, 1e-11) << "stored 5e-5 J";
}

TEST(Ledger, speeds_that_are_stopped_appear_as_numerical) {
  // two masses rub on each other and one on the ground; stopping a slip is a plastic impact of the masses it ties
  Trial trial(R"yaml(bristle: 1
bodies: {a: {type: mass, mass: 2 kg, velocity: 0.5 m/s}, b: {type: mass, mass: 3 kg, velocity: -0.2 m/s}}
joints:
  ab: {type: sliding, between: [a, b], load: 1 N, friction: {type: coulomb, mu_kinetic: 0.3}}
)yaml" + kTail);
  auto& run = trial.start();
  State x = run.state();
  const double lost = run.kernel().stop_slips(trial.system(), x, run.workspace(), {0});
  EXPECT_NEAR(lost, 0.5 * 2 * 3 / 5.0 * 0.7 * 0.7, 1e-14);
  EXPECT_NEAR(x.v()[0], (2 * 0.5 - 3 * 0.2) / 5, 1e-15);
  EXPECT_NEAR(x.v()[0] - x.v()[1], 0, 1e-15);

  Ledger ledger;
  ledger.prepare(trial.system().layout());
  ledger.start(trial.system().calc_energy(run.state(), run.workspace()), run.workspace().stored.data());
  ledger.add_numerical(lost);
  const Energy after = trial.system().calc_energy(x, run.workspace());
  ledger.close_step();
  ledger.balance(after, run.workspace().stored.data());
  EXPECT_NEAR(ledger.residual(), 0, 1e-15);
  EXPECT_NEAR(ledger.numerical(), lost, 1e-15);
}

TEST(Ledger, a_step_that_is_dropped_leaves_no_trace) {
  Trial trial(
      "bristle: 1\nbodies: {m: {type: mass, mass: 2 kg, velocity: 3 m/s}}\nforces: {d: {type: damper, on: m, damping: 1.5 N s/m}}\n" +
      kTail);
  auto& run = trial.start();
  ASSERT_TRUE(run.advance_to(1));
  Ledger ledger = run.ledger();
  const std::vector<double> power(trial.system().layout().accounts.size(), 1e6);
  ledger.add_power(power.data(), 1);
  ledger.add_numerical(7);
  ledger.drop_step();
  ledger.close_step();
  ledger.balance(run.ledger().energy(), run.workspace().stored.data());
  EXPECT_EQ(ledger.dissipated(), run.ledger().dissipated());
  EXPECT_EQ(ledger.residual(), run.ledger().residual());
}

TEST(Ledger, sums_of_a_million_steps_keep_their_digits) {
  Layout layout;
  layout.accounts = {{"d", Account::Kind::dissipated}};
  Ledger ledger;
  ledger.prepare(layout);
  const double none = 0, watt = 0.1;
  ledger.start({}, &none);
  for (int k = 0; k < 1000000; ++k) {
    ledger.add_power(&watt, 1);
    ledger.close_step();
  }
  ledger.balance({}, &none);
  EXPECT_NEAR(ledger.dissipated(), 1e5, 1e-10) << "a plain sum is off by 1e-6";
}

TEST(State, is_a_value_and_keeps_its_parts_apart) {
  State x(Sizes{.q = 3, .v = 3, .z = 2, .lambda = 1, .marks = 4});
  double k = 0;
  for (double& e : x.numbers()) e = k++;
  EXPECT_EQ(x.q()[2], 2);
  EXPECT_EQ(x.v()[0], 3);
  EXPECT_EQ(x.z()[1], 7);
  EXPECT_EQ(x.lambda()[0], 8);
  EXPECT_EQ(x.a()[0], 9);
  EXPECT_EQ(x.marks()[3], 15);
  State y = x;
  y.q()[0] = 99;
  EXPECT_EQ(x.q()[0], 0);
}

TEST(Archive, gives_back_what_was_put_in_and_refuses_to_read_on) {
  Archive a;
  a.put(3.5), a.put(std::vector<int>{1, 2, 3}), a.put(true);
  Archive b(a.bytes());
  double x = 0;
  std::vector<int> v;
  bool f = false;
  b.get(x), b.get(v), b.get(f);
  EXPECT_EQ(x, 3.5);
  EXPECT_EQ(v, (std::vector<int>{1, 2, 3}));
  EXPECT_TRUE(f);
  EXPECT_THROW(b.get(x), std::runtime_error);
}

}  // namespace
}  // namespace bristle
