// Methods on mechanisms: constraints at their tolerance, energy, agreement of forms with friction and rest, stop and resume, refusals.
#include <gtest/gtest.h>

#include <cstring>

#include "support/closed_forms.h"
#include "support/mechanisms.h"
#include "support/sanitized.h"

namespace bristle {
namespace {

using namespace test;

std::string with(const std::string& integrator) { return "analysis.integrator={type: " + integrator + "}"; }

TEST(MechanismMethods, generalized_alpha_keeps_positions_of_the_slider_crank_within_1e_10) {
  for (const char* form : {"index3", "ggl"}) {
    for (double h : {1e-3, 1e-4}) {
      Trial trial(spatial_slider_crank(), {with(fmt::format("generalized_alpha, form: {}, step: {}", form, h))});
      auto& run = trial.start();
      Workspace work = trial.system().make_workspace();
      Violation worst;
      while (run.state().t < 0.6) {
        ASSERT_TRUE(run.advance(0.6)) << run.message();
        const Violation v = violation(trial.system(), run.state(), work);
        worst.position = std::max(worst.position, v.position);
        worst.velocity = std::max(worst.velocity, v.velocity);
      }
      EXPECT_LT(worst.position, 1e-10) << form << ", step " << h;
      // form index3 keeps velocities to second order only: 4.3e-3 at 4 ms, 2.7e-4 at 1 ms
      EXPECT_LT(worst.velocity, std::strcmp(form, "ggl") == 0 ? 1e-8 : 400 * h * h) << form << ", step " << h;
    }
  }
}

TEST(MechanismMethods, forms_of_radau5_keep_what_they_promise_within_the_tolerance) {
  for (const char* form : {"index1", "index2", "index3", "ggl"}) {
    const double tolerance = 1e-7;
    Trial trial(spatial_slider_crank(), {with(fmt::format("radau5, form: {}, tolerance: {}", form, tolerance))});
    auto& run = trial.start();
    Workspace work = trial.system().make_workspace();
    Violation worst;
    while (run.state().t < 0.6) {
      ASSERT_TRUE(run.advance(0.6)) << run.message();
      const Violation v = violation(trial.system(), run.state(), work);
      worst.position = std::max(worst.position, v.position);
      worst.velocity = std::max(worst.velocity, v.velocity);
    }
    EXPECT_LT(worst.position, tolerance) << form;
    // h times the velocity is what index 3 controls; steps are about 4 ms
    EXPECT_LT(worst.velocity, std::strcmp(form, "index3") == 0 ? tolerance / 1e-3 : 10 * tolerance) << form;
  }
}

TEST(MechanismMethods, the_slider_crank_passes_through_its_published_states) {
  // spec of the mechanism: y3, y3', crank rate at 0.5 s, printed to six, five and four digits
  std::vector<std::string> methods{"trapezoidal, step: 0.1 ms",
                                   "radau3, step: 1 ms",
                                   "radau5, tolerance: 1e-7",
                                   "radau5, form: index2, tolerance: 1e-7",
                                   "radau5, form: index3, tolerance: 1e-8",
                                   "radau5, form: ggl, tolerance: 1e-7",
                                   "generalized_alpha, step: 0.1 ms",
                                   "generalized_alpha, form: index3, step: 0.1 ms",
                                   "hht, step: 0.1 ms",
                                   "newmark, step: 0.1 ms",
                                   "generalized_alpha, tolerance: 1e-8"};
  if (integrator_registry().find("cvode") != nullptr) methods.push_back("cvode, tolerance: 1e-8");
  for (const std::string& m : methods) {
    Trial trial(spatial_slider_crank(), {with(m)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.5)) << m << ": " << run.message();
    EXPECT_NEAR(trial.read(trial.channel("slider.position.y")), 0.160796, 2e-6) << m;
    EXPECT_NEAR(trial.read(trial.channel("slider.velocity.y")), -0.32628, 2e-5) << m;
    EXPECT_NEAR(trial.read(trial.channel("slider.acceleration.y")), 3.8092, 1e-3) << m;
    EXPECT_NEAR(trial.read(trial.channel("crank.angular_velocity.y")), -6.8129, 2e-4) << m;
  }
}

TEST(MechanismMethods, friction_loaded_by_reactions_and_rest_agree_between_all_methods) {
  for (const std::string& guide : {kGuideLuGre, kGuideCoulomb}) {
    Trial truth(spatial_slider_crank(guide), {with("radau5, tolerance: 1e-9")});
    auto& reference = truth.start();
    ASSERT_TRUE(reference.advance_to(kSanitized ? 0.1 : 0.7)) << reference.message();
    const int y = truth.channel("slider.position.y"), v = truth.channel("slider.velocity.y");
    for (const char* m : {"generalized_alpha, step: 0.1 ms", "generalized_alpha, form: index3, step: 0.1 ms", "hht, step: 0.1 ms",
                          "newmark, step: 0.1 ms", "trapezoidal, step: 0.2 ms", "radau3, step: 0.5 ms",
                          "radau5, form: index2, tolerance: 1e-7", "radau5, form: ggl, tolerance: 1e-7"}) {
      Trial trial(spatial_slider_crank(guide), {with(m)});
      auto& run = trial.start();
      ASSERT_TRUE(run.advance_to(kSanitized ? 0.1 : 0.7)) << m << ": " << run.message();
      // steps of second order methods leave some 1e-6 after a revolution
      EXPECT_NEAR(trial.read(y), truth.read(y), 1e-5) << m << guide;
      EXPECT_NEAR(trial.read(v), truth.read(v), 1e-4) << m << guide;
    }
  }
}

TEST(MechanismMethods, numerical_damping_takes_energy_and_never_gives_it) {
  const auto energy = [](bristle::Run& run) { return run.ledger().energy().total(); };
  for (const char* m : {"generalized_alpha, rho_infinity: 0.3, step: 20 ms", "hht, alpha: -0.3, step: 20 ms",
                        "generalized_alpha, rho_infinity: 0.3, form: index3, step: 20 ms"}) {
    Trial trial(kSpatialPendulum, {with(m)});
    auto& run = trial.start();
    const double start = energy(run), swing = 2 * 9.81 * 0.5;
    double highest = start;
    const double period = Pendulum::released(pendulum_frequency(), 0.5 * std::acos(-1.0)).period();
    double last = start;
    for (int k = 1; k <= 20; ++k) {
      ASSERT_TRUE(run.advance_to(k * period)) << m << ": " << run.message();
      EXPECT_LT(energy(run), last + 1e-6 * swing) << m << ", period " << k;  // from period to period
      last = energy(run);
      highest = std::max(highest, last);
    }
    EXPECT_LT(last, start - 1e-5 * swing) << m << ": some has gone";
    EXPECT_GT(last, start - 0.2 * swing) << m << ": not much";
  }
  // without damping it stays within the error of a step
  Trial trial(kSpatialPendulum, {with("newmark, step: 20 ms")});
  auto& run = trial.start();
  const double start = energy(run);
  for (int k = 1; k <= 100; ++k) {
    ASSERT_TRUE(run.advance_to(0.5 * k));
    EXPECT_NEAR(energy(run), start, 2e-2 * 9.81) << "t = " << run.state().t;
  }
}

std::vector<std::byte> everything(const Run& run) {
  Archive a;
  run.save(a);
  return a.bytes();
}

TEST(MechanismMethods, a_resumed_run_equals_the_unbroken_one_to_the_bit) {
  const double end = kSanitized ? 0.1 : 0.3;
  for (const std::string& guide : {std::string(), kGuideLuGre, kGuideCoulomb}) {
    for (const char* m :
         {"trapezoidal, step: 1 ms", "radau3, step: 1 ms", "radau5, tolerance: 1e-6", "radau5, form: index2, tolerance: 1e-6",
          "radau5, form: index3, tolerance: 1e-6", "radau5, form: ggl, tolerance: 1e-6", "generalized_alpha, step: 1 ms",
          "generalized_alpha, form: index3, step: 1 ms", "generalized_alpha, tolerance: 1e-5", "newmark, step: 1 ms"}) {
      if (guide == kGuideCoulomb && std::string(m).find("radau5, form: index3") == 0) continue;  // refused
      const std::string text = spatial_slider_crank(guide);
      Trial whole(text, {with(m)}), first(text, {with(m)});
      auto& a = whole.start();
      while (a.state().t < end) ASSERT_TRUE(a.advance(end)) << m << ": " << a.message();
      bristle::Run* b = &first.start();
      std::vector<std::unique_ptr<Trial>> others;
      for (int k = 1; b->state().t < end; ++k) {
        ASSERT_TRUE(b->advance(end)) << m;
        if (k % (kSanitized ? 7 : 19)) continue;
        const Archive saved(everything(*b));
        others.push_back(std::make_unique<Trial>(text, std::vector<std::string>{with(m)}));
        b = &others.back()->start();
        Archive again(saved.bytes());
        b->load(again);
      }
      EXPECT_GT(others.size(), 1U) << m;
      EXPECT_TRUE(everything(a) == everything(*b)) << m << guide;
    }
  }
}

TEST(MechanismMethods, a_rejected_step_leaves_the_state_to_the_bit_and_no_work_in_the_ledger) {
  for (const char* form : {"index1", "index2", "index3", "ggl"}) {
    Trial trial(spatial_slider_crank(kGuideLuGre));
    const System& system = trial.system();
    auto method = make_exact({"radau5", form});
    method->prepare(system);
    Enforcement projection;
    projection.corrects = true;
    Multipliers kernel;
    kernel.prepare(system, projection);
    Workspace work = system.make_workspace();
    Ledger ledger;
    ledger.prepare(system.layout());
    State x0 = system.make_state(), x1 = x0;
    kernel.evaluate(system, x0, work);
    const std::vector<double> rate = work.rate, power = work.power;
    const std::vector<double> before(x0.numbers().begin(), x0.numbers().end());
    StepContext c{system, kernel, work, ledger, rate.data(), power.data()};
    const Outcome o = method->step(c, x0, 0.05, x1);
    EXPECT_EQ(o.verdict, Outcome::Verdict::reject) << form << ": far too long a step";
    EXPECT_EQ(std::memcmp(before.data(), x0.numbers().data(), before.size() * sizeof(double)), 0) << form;
    for (std::size_t i = 0; i < power.size(); ++i) EXPECT_EQ(ledger.step_work()[i], 0) << form;
  }
}

TEST(MechanismMethods, redundant_joints_run_with_the_least_reactions) {
  // three parallel cranks carry a bar: in the plane one of them is enough of a guide, in space much is said twice
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  left: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.01], position: [0, 0, 0.5], velocity: [0.5, 0, 0], angular_velocity: [0, 1, 0]}
  right: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.01], position: [1, 0, 0.5], velocity: [0.5, 0, 0], angular_velocity: [0, 1, 0]}
  bar: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0.5, 0, 1], velocity: [1, 0, 0]}
joints:
  a: {type: revolute, between: [ground, left], at: [0, 0, 0], axis: y}
  b: {type: revolute, between: [ground, right], at: [1, 0, 0], axis: y}
  c: {type: revolute, between: [left, bar], at: [0, 0, 1], axis: y}
  d: {type: revolute, between: [right, bar], at: [1, 0, 1], axis: y}
analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: 1 ms}}
)yaml";
  Trial truth(text, {with("dormand_prince, tolerance: 1e-9")});
  ASSERT_FALSE(truth.system().layout().redundant.empty());
  auto& reference = truth.start();
  ASSERT_TRUE(reference.advance_to(0.6)) << reference.message();
  for (const char* m :
       {"generalized_alpha, step: 0.5 ms", "generalized_alpha, form: index3, step: 0.5 ms", "trapezoidal, step: 0.5 ms",
        "radau5, tolerance: 1e-6", "radau5, form: index3, tolerance: 1e-7", "radau5, form: ggl, tolerance: 1e-6"}) {
    Trial trial(text, {with(m)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.6)) << m << ": " << run.message();
    const Apart d = apart(trial.system(), run.state(), reference.state());
    EXPECT_LT(d.position, 1e-5) << m;
    EXPECT_LT(d.velocity, 1e-4) << m;
    EXPECT_LT(d.multiplier, 2e-3) << m;
  }
}

TEST(MechanismMethods, combinations_that_cannot_work_are_refused_by_a_sentence) {
  const auto message = [](const std::string& text, const std::vector<std::string>& overrides) -> std::string {
    try {
      Trial trial(text, overrides);
      trial.start();
    } catch (const std::exception& e) {
      return e.what();
    }
    return "accepted";
  };
  const std::string crank = spatial_slider_crank(kGuideCoulomb);
  EXPECT_NE(
      message(crank, {with("generalized_alpha, step: 1 ms"), "analysis.enforcement=baumgarte"}).find("keeps the joints itself"),
      std::string::npos);
  EXPECT_NE(message(crank, {with("radau5, form: index3")}).find("no accurate velocities"), std::string::npos);
  EXPECT_NE(message(crank, {with("radau5, form: ggl"), "analysis.enforcement=lagrange"}).find("keeps the joints itself"),
            std::string::npos);
  EXPECT_NE(message(crank, {with("generalized_alpha, form: index3, tolerance: 1e-6")}).find("Use form: ggl, or a fixed step"),
            std::string::npos);
  EXPECT_NE(message(crank, {with("newmark, form: index3, step: 1 ms")}).find("form: ggl"), std::string::npos);
  EXPECT_NE(message(crank, {with("generalized_alpha, rho_infinity: 1, form: index3, step: 1 ms")}).find("form: ggl"),
            std::string::npos);
  EXPECT_NE(message(crank, {with("rk4, form: index3, step: 1 ms")}).find("form"), std::string::npos);
  EXPECT_NE(message(crank, {with("newmark, beta: 0.1, step: 1 ms")}).find("beta >= gamma/2"), std::string::npos);
  for (const char* m : {"generalized_alpha, step: 1 ms", "radau5, form: ggl"})
    EXPECT_NE(message(crank, {with(m), "analysis.rest=threshold"}).find("rest: events"), std::string::npos) << m;
  EXPECT_EQ(message(crank, {with("radau5"), "analysis.enforcement=baumgarte"}), "accepted");
}

}  // namespace
}  // namespace bristle
