// Bristles under a load that varies: who puts what in, with every kind of method; the force form, to which nobody puts in anything; and a film
// beside the law.
#include <gtest/gtest.h>

#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

std::string block(const std::string& pad, const std::string& push = "1") {
  return "bristle: 1\nbodies: {b: {type: mass, mass: 1 kg}}\n"
         "joints: {pad: {type: sliding, on: b, " +
         pad + "}}\nforces: {push: {type: load, on: b, force: \"" + push +
         "\"}}\nanalysis: {type: transient, end: 0.5 s, integrator: radau5}\n";
}

struct Figures {
  double growth = -1e300, supplied = 0, dissipated = 0, total = 0, residual = 0, moved = 0;
};

/// `growth`: largest of the energy less what loads and forces supplied, in one step.
Figures follow(const std::string& model, double end, const std::string& method, const std::string& load_account) {
  Trial trial(model, {fmt::format("analysis.integrator={{type: {}}}", method)});
  Run& run = trial.start();
  Figures f;
  double before = run.ledger().energy().total();
  while (run.state().t < end) {
    if (!run.advance(end)) {
      ADD_FAILURE() << method << ": " << run.message();
      break;
    }
    const double now = run.ledger().energy().total() - run.ledger().supplied();
    f.growth = std::max(f.growth, now - before);
    before = now;
  }
  const std::vector<Account>& accounts = trial.system().layout().accounts;
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    if (accounts[i].name == load_account) f.supplied = run.ledger().of(static_cast<int>(i));
    if (accounts[i].name == "pad") f.dissipated = run.ledger().of(static_cast<int>(i));
  }
  f.total = run.ledger().energy().total();
  f.residual = run.ledger().worst_residual();
  f.moved = run.state().q()[0];
  return f;
}

const char* const kPumped =
    "load: \"10*(1 + 0.5*sin(2000*t))\", friction: {type: lugre, mu_kinetic: 0.3, mu_static: 0.3, sigma0: 1e5, sigma1: 0}";

/// Twice the frequency of the block on its bristles: the load pumps. What comes in is the load's, and friction never gives back.
TEST(LoadWork, of_a_load_that_pumps_bristles_has_an_account) {
  for (const char* method : {"energy_decaying, step: 0.05 ms", "radau5, tolerance: 1e-9", "rk4, step: 0.02 ms"}) {
    const Figures f = follow(block(kPumped, "1e-3"), 0.5, method, "pad.load");
    EXPECT_GT(f.supplied, 2e-7) << method;
    EXPECT_GT(f.dissipated, 0) << method;
    EXPECT_LT(f.residual, 1e-6 * f.supplied) << method;
    EXPECT_LT(f.growth, std::string(method).find("energy") == 0 ? 1e-15 : 1e-10) << method;
  }
}

/// Constant loads have no such account, nor have laws that store nothing.
TEST(LoadWork, is_nobodys_where_the_load_is_constant_or_nothing_is_stored) {
  for (const char* pad : {"load: 10 N, friction: lugre", "load: \"10 + t\", friction: {type: coulomb, mu_kinetic: 0.3}"}) {
    Trial trial(block(pad), {});
    for (const Account& a : trial.system().layout().accounts) EXPECT_EQ(a.name.find(".load"), std::string::npos);
  }
}

/// Resumed, the account goes on to the bit.
TEST(LoadWork, goes_on_after_a_checkpoint) {
  const std::string model = block(kPumped, "0.5");
  Trial whole(model, {"analysis.integrator={type: rk4, step: 0.02 ms}"}),
      first(model, {"analysis.integrator={type: rk4, step: 0.02 ms}"}),
      second(model, {"analysis.integrator={type: rk4, step: 0.02 ms}"});
  auto& a = whole.start();
  auto& b = first.start();
  auto& c = second.start();
  ASSERT_TRUE(a.advance_to(0.01));
  ASSERT_TRUE(a.advance_to(0.02));
  ASSERT_TRUE(b.advance_to(0.01));
  Archive saved;
  b.save(saved);
  Archive read(saved.bytes());
  c.load(read);
  ASSERT_TRUE(c.advance_to(0.02));
  EXPECT_EQ(a.ledger().by_account(), c.ledger().by_account());
}

/// In the force form the same load brings nothing in, and a block pushed below the limit stays where its bristles hold it.
TEST(ForceForm, takes_nothing_from_a_load_that_pumps) {
  const std::string pad = std::string(kPumped) + ", stiffness_at: 10 N";
  for (const char* method : {"energy_decaying, step: 0.05 ms", "radau5, tolerance: 1e-9", "rk4, step: 0.02 ms"}) {
    const Figures f = follow(block(pad, "1e-3"), 0.5, method, "pad.load");
    EXPECT_EQ(f.supplied, 0) << method;  // there is no such account
    EXPECT_LT(f.moved, 3e-9) << method;  // 1e-3 N on 1e6 N/m, and its swing
    EXPECT_GE(f.dissipated, -1e-16) << method;
  }
}

TEST(ForceForm, is_the_law_itself_where_the_load_is_constant) {
  const std::string law = "load: 10 N, friction: {type: lugre, mu_kinetic: 0.2, mu_static: 0.3, sigma0: 1e4, sigma1: 5}";
  const std::string push = "4*sin(3*t)";
  const Figures plain = follow(block(law, push), 2, "radau5, tolerance: 1e-10", ""),
                fixed = follow(block(law + ", stiffness_at: 10 N", push), 2, "radau5, tolerance: 1e-10", "");
  EXPECT_NEAR(fixed.moved, plain.moved, 1e-8 * std::abs(plain.moved));
  EXPECT_NEAR(fixed.dissipated, plain.dissipated, 1e-8 * plain.dissipated);
}

/// F = mu N + c v on a block that slides to rest: v' = -(mu N + c v)/m in closed form.
TEST(Viscosity, acts_beside_a_dry_law_whatever_the_load) {
  const double c = 3, mu_N = 0.3 * 10, v0 = 2, t = 0.3;
  const std::string model =
      "bristle: 1\nbodies: {b: {type: mass, mass: 1 kg, velocity: 2 m/s}}\n"
      "joints: {pad: {type: sliding, on: b, load: 10 N, friction: {type: coulomb, mu_kinetic: 0.3}, viscosity: 3 N s/m}}\n"
      "analysis: {type: transient, end: 1 s, integrator: radau5}\n";
  const double expected = (v0 + mu_N / c) * std::exp(-c * t) - mu_N / c;
  for (const char* method : {"dormand_prince, tolerance: 1e-9", "radau5, tolerance: 1e-9", "energy_decaying, step: 0.1 ms",
                             "generalized_alpha, step: 0.1 ms"}) {
    Trial trial(model, {fmt::format("analysis.integrator={{type: {}}}", method)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(t)) << method << ": " << run.message();
    EXPECT_NEAR(run.state().v()[0], expected, 1e-5) << method;
    ASSERT_TRUE(run.advance_to(0.8)) << method << ": " << run.message();
    EXPECT_NEAR(run.state().v()[0], 0, 1e-9) << method;  // it holds: the film carries nothing at rest
  }
}

/// A load that comes to zero and back: the spring starts anew, with every method.
TEST(ForceForm, goes_on_where_the_load_comes_back_from_zero) {
  const std::string model =
      "bristle: 1\nbodies: {x: {type: mass, mass: 1 kg, velocity: 0 m/s}}\n"
      "joints: {pad: {type: sliding, on: x, load: \"max(0, 10*sin(20*t))\", stiffness_at: 10 N, friction: {type: dahl, mu_kinetic: 0.3, sigma0: 1e4}}}\n"
      "forces: {push: {type: load, on: x, force: \"2*sin(7*t)\"}}\n"
      "analysis: {type: transient, end: 1 s, integrator: radau5}\n";
  const auto position = [&](const std::string& method) {
    Trial trial(model, {fmt::format("analysis.integrator={{type: {}}}", method)});
    auto& run = trial.start();
    EXPECT_TRUE(run.advance_to(1)) << method << ": " << run.message();
    return run.state().q()[0];
  };
  const double fine = position("rk4, step: 5 us");
  for (const char* method : {"radau5", "dormand_prince", "radau3, step: 0.1 ms", "trapezoidal, step: 0.1 ms"})
    EXPECT_NEAR(position(method), fine, 2e-3 * std::abs(fine)) << method;
}

/// Springs that never slip give back what they took, also under loads far above the reference.
TEST(ForceForm, stores_what_its_springs_hold_at_any_load) {
  for (const char* law : {"{type: iwan, mu_kinetic: 0.5, stiffness: 1e3}", "{type: dahl, mu_kinetic: 0.5, sigma0: 1e3}"}) {
    const std::string model = fmt::format(
        "bristle: 1\nbodies: {{x: {{type: mass, mass: 1 kg, velocity: 0.01 m/s}}}}\n"
        "joints: {{pad: {{type: sliding, on: x, load: 1000 N, stiffness_at: 10 N, friction: {}}}}}\n"
        "analysis: {{type: transient, end: 0.2 s, integrator: {{type: radau5, tolerance: 1e-9}}}}\n",
        law);
    Trial trial(model, {});
    auto& run = trial.start();
    double most = 0;
    while (run.state().t < 0.2 && run.advance(0.2)) most = std::max(most, run.ledger().energy().stored);
    EXPECT_NEAR(most, 5e-5, 2e-6) << law;
    EXPECT_LT(run.ledger().worst_fall().joule, 1e-9) << law;
  }
}

TEST(PlaceKeys, that_do_not_fit_are_refused_by_name) {
  const auto refusal = [](const std::string& pad) -> std::string {
    try {
      Trial trial(block(pad), {});
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refusal("load: 10 N, friction: {type: coulomb, mu_kinetic: 0.3}, stiffness_at: 10 N").find("lugre, dahl"),
            std::string::npos);
  EXPECT_NE(
      refusal("load: 10 N, friction: {type: lugre, mu_kinetic: 0.2, mu_static: 0.3, vector_form: printed}, stiffness_at: 10 N")
          .find("Write vector_form: isotropic, or leave stiffness_at out"),
      std::string::npos);
  EXPECT_NE(refusal("load: 10 N, friction: lugre, stiffness_at: 0 N"), "");
  EXPECT_NE(refusal("load: 10 N, friction: lugre, viscosity: -1 N s/m"), "");
}

}  // namespace
}  // namespace bristle
