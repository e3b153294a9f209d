// Proof 2: stop, save, resume: the same bits as never stopping. A rejected step leaves no trace.
#include <gtest/gtest.h>

#include <cstring>

#include "support/models.h"
#include "support/sanitized.h"

namespace bristle {
namespace {

using namespace test;

std::vector<std::byte> everything(const Run& run) {
  Archive a;
  run.save(a);
  return a.bytes();
}

/// Sizes and bits of two runs.
void expect_same(const Run& a, const Run& b, const std::string& what) {
  EXPECT_EQ(a.state().t, b.state().t) << what;
  const auto x = a.state().numbers(), y = b.state().numbers();
  ASSERT_EQ(x.size(), y.size());
  int different = 0;
  for (std::size_t i = 0; i < x.size(); ++i) different += std::memcmp(&x[i], &y[i], sizeof(double)) != 0;
  EXPECT_EQ(different, 0) << what << ": numbers of the state";
  for (std::size_t i = 0; i < a.ledger().by_account().size(); ++i)
    EXPECT_EQ(a.ledger().by_account()[i], b.ledger().by_account()[i]) << what;
  EXPECT_EQ(a.ledger().residual(), b.ledger().residual()) << what;
  EXPECT_EQ(a.ledger().numerical(), b.ledger().numerical()) << what;
  EXPECT_EQ(a.counts().accepted, b.counts().accepted) << what;
  EXPECT_EQ(a.counts().rejected, b.counts().rejected) << what;
  EXPECT_EQ(a.counts().newton, b.counts().newton) << what;
  EXPECT_EQ(a.counts().evaluations, b.counts().evaluations) << what;
  EXPECT_EQ(a.counts().events, b.counts().events) << what;
  EXPECT_TRUE(everything(a) == everything(b)) << what << ": checkpoints";
}

/// Runs through, and again with a stop after every `every` steps, each time into a new Run.
void check_resume(const std::string& text, const std::string& integrator, double end, const std::string& what,
                  int every = kSanitized ? 37 : 97) {
  Trial whole(text, {integrator}), broken(text, {integrator});
  Run& a = whole.start();
  while (a.state().t < end) ASSERT_TRUE(a.advance(end)) << what << ": " << a.message();
  Run* b = &broken.start();
  std::vector<std::unique_ptr<Trial>> others;
  int steps = 0;
  while (b->state().t < end) {
    ASSERT_TRUE(b->advance(end)) << what << ": " << b->message();
    if (++steps % every) continue;
    const Archive saved(everything(*b));
    others.push_back(std::make_unique<Trial>(text, std::vector<std::string>{integrator}));
    b = &others.back()->start();
    Archive a2(saved.bytes());
    b->load(a2);
  }
  EXPECT_GT(others.size(), 1U) << what << ": it was stopped";
  expect_same(a, *b, what);
}

TEST(Resume, equals_the_unbroken_run_to_the_bit_for_every_integrator_and_every_kind_of_memory) {
  for (const std::string& name : integrators()) check_resume(memories(), setting(name, 2e-3, 1e-5), kSanitized ? 0.5 : 2, name);
}

TEST(Resume, equals_the_unbroken_run_with_step_rules) {
  for (const char* name : {"rk4", "trapezoidal", "radau3"}) {
    const std::string rules = fmt::format(
        "analysis.integrator={{type: {}, adapt: [{{type: velocity, fine: 0.5 ms, coarse: 2 ms}}, {{type: time_constant, fraction: 0.4, coarse: 3 ms}}]}}",
        name);
    check_resume(memories(), rules, kSanitized ? 0.4 : 1.5, name);
  }
}

TEST(Resume, equals_the_unbroken_run_with_sparse_factors) {
  for (const char* name : {"trapezoidal", "radau3", "radau5"})
    check_resume(chain(20, spanning_laws().at("lugre")), setting(name, 1e-3, 1e-6), 1, name, 31);
}

TEST(Resume, equals_the_unbroken_run_on_the_stiff_oscillator_through_slip) {
  for (const char* name : {"dormand_prince", "radau5"}) check_resume(kLuGre, setting(name, 0, 1e-6), 9, name, 23);
}

TEST(Resume, refuses_a_checkpoint_of_another_model) {
  Trial a(kLuGre), b(memories());
  Archive saved(everything(a.start()));
  EXPECT_THROW(b.start().load(saved), std::runtime_error);
  Archive half(std::vector<std::byte>(20));
  EXPECT_THROW(b.start().load(half), std::runtime_error);
}

TEST(RejectedStep, leaves_state_and_ledger_to_the_bit_for_every_integrator) {
  for (const std::string& name : integrators()) {
    // the force is undefined in a window that only long steps reach
    std::string text = memories();
    text.replace(text.find("3*sin(4*t)"), 10, "3*sin(4*t) + 0*sqrt(0.5 - t)");
    Trial trial(text, {setting(name, 2e-3, 1e-5)});
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.25)) << name;
    const State before = run.state();
    const Ledger ledger = run.ledger();
    Describer d;
    auto method = integrator_registry().find(name)->make(d);
    method->prepare(trial.system());
    // the integrator alone: a step far too long is refused or lands on nonsense, and x0 is what it was
    State x1 = before;
    Workspace work = trial.system().make_workspace();
    Multipliers kernel;
    kernel.prepare(trial.system());
    Ledger scratch = ledger;
    const std::vector<double> power(work.power.size(), 0);
    StepContext c{trial.system(), kernel, work, scratch, run.rate().data(), power.data()};
    State x0 = before;
    method->step(c, x0, 1.0, x1);
    scratch.drop_step();
    EXPECT_EQ(0, std::memcmp(x0.numbers().data(), before.numbers().data(), before.numbers().size() * sizeof(double))) << name;
    EXPECT_EQ(scratch.residual(), ledger.residual()) << name;
    // the run: it fails in the end, with the state of the last accepted step
    bool good = true;
    State last = run.state();
    while (good && run.state().t < 0.6) {
      last = run.state();
      good = run.advance(0.6);
    }
    EXPECT_FALSE(good) << name;
    EXPECT_GT(run.counts().rejected, 0) << name;
    EXPECT_EQ(run.state().t, last.t) << name;
    EXPECT_EQ(0, std::memcmp(run.state().numbers().data(), last.numbers().data(), last.numbers().size() * sizeof(double)))
        << name;
    EXPECT_NEAR(last.t, 0.5, 1e-3) << name << ": it came as close as its steps allow: " << run.message();
  }
}

}  // namespace
}  // namespace bristle
