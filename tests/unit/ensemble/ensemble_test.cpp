// Variants of an ensemble are their single runs: to the bit one by one, and to 1e-12 side by side.
#include "bristle/ensemble/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "bristle/base/error.h"
#include "bristle/ensemble/flat_system.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kStep = 70e-6, kEnd = 0.3;  // the end is no whole number of steps

const char* const kLuGreLaw =
    "{{type: lugre, mu_kinetic: {}, mu_static: {}, stribeck_velocity: 1 mm/s, sigma0: 1e5, sigma1: 316, sigma2: 0.4}}";
const char* const kDahlLaw = "{{type: dahl, mu_kinetic: {}, sigma0: 1e4}}";
const char* const kTanhLaw = "{{type: tanh_slope, mu_kinetic: {}, slope: 500}}";
const char* const kBlimanLaw = "{{type: bliman_sorine, mu_kinetic: {}, mu_static: {}}}";
const char* const kElastoPlasticLaw = "{{type: elasto_plastic, mu_kinetic: {}, mu_static: {}, sigma0: 1e4, sigma1: 30}}";

/// Masses in a row, pulled into sliding within a tenth of a second; every number depends on the variant.
std::string model_text(int masses, int variant, const char* law, const std::string& drive = "velocity: 0.1 m/s") {
  const double part = 0.1 * variant;
  std::string bodies = "bristle: 1\nbodies:\n  end: {type: driven, " + drive + "}\n", forces = "forces:\n", joints = "joints:\n";
  for (int i = 0; i < masses; ++i) {
    bodies += fmt::format("  m{}: {{type: mass, mass: {} kg, velocity: {} m/s}}\n", i, 1 + 0.3 * i + part, 0.02 * variant);
    forces += fmt::format("  s{}: {{type: spring, between: [m{}, {}], stiffness: {} N/m, damping: 0.3 N s/m, cubic: {} N/m^3}}\n",
                          i, i, i == 0 ? "end" : fmt::format("m{}", i - 1), 300 + 20 * part, i % 2 ? 10 * part : 0);
    const double mu = 0.4 + 0.1 * part;
    joints += fmt::format("  f{}: {{type: sliding, between: [ground, m{}], load: {} N, friction: {}}}\n", i, i, 2 + part,
                          fmt::vformat(law, fmt::make_format_args(mu, mu)));
  }
  return bodies + forces + joints +
         fmt::format("analysis: {{type: transient, end: {}, integrator: {{type: rk4, step: {}}}}}\n", kEnd, kStep);
}

System system_of(const std::string& text) { return assemble(read_model_text(text, "test.yaml", {})); }

struct Case {
  std::vector<std::string> texts;
  Ensemble ensemble;
  explicit Case(int variants, int masses, const char* law, const std::string& drive = "velocity: 0.1 m/s") {
    for (int i = 0; i < variants; ++i) add(model_text(masses, i, law, drive));
  }
  void add(const std::string& text) {
    texts.push_back(text);
    ensemble.add(system_of(text));
  }
};

bool same(const double* a, const double* b, std::size_t n) { return std::memcmp(a, b, n * sizeof(double)) == 0; }

/// Largest difference over the largest number of the same kind.
double difference(const State& a, const State& b) {
  double worst = 0;
  const auto part = [&](const double* x, const double* y, int n) {
    double size = 0, off = 0;
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(y[i])), off = std::max(off, std::abs(x[i] - y[i]));
    if (size > 0) worst = std::max(worst, off / size);
  };
  part(a.q(), b.q(), a.sizes().q), part(a.v(), b.v(), a.sizes().v), part(a.z(), b.z(), a.sizes().z);
  return worst;
}

void expect_single_runs(const Case& c, bool in_bits, int lanes = 0) {
  EnsemblePlan plan;
  plan.end = kEnd, plan.step = kStep, plan.same_bits = in_bits, plan.lanes = lanes;
  const EnsembleResult result = c.ensemble.run(plan);
  ASSERT_EQ(result.variants.size(), c.texts.size());
  for (std::size_t i = 0; i < c.texts.size(); ++i) {
    SCOPED_TRACE(i);
    Trial trial(c.texts[i]);
    auto& run = trial.start();
    ASSERT_TRUE(run.advance_to(kEnd));
    const VariantResult& v = result.variants[i];
    EXPECT_EQ(v.message, "");
    EXPECT_EQ(v.state.t, run.state().t);
    EXPECT_EQ(result.steps, run.counts().accepted);
    const Ledger &ours = v.ledger, &theirs = run.ledger();
    if (in_bits) {
      EXPECT_TRUE(same(v.state.numbers().data(), run.state().numbers().data(), run.state().numbers().size()));
      EXPECT_TRUE(same(ours.by_account().data(), theirs.by_account().data(), theirs.by_account().size()));
      EXPECT_EQ(ours.residual(), theirs.residual());
    } else {
      // exponentials that differ in their last place; the motion is dissipative and does not spread them
      EXPECT_LT(difference(v.state, run.state()), 1e-12);
      for (std::size_t k = 0; k < theirs.by_account().size(); ++k) {
        EXPECT_NEAR(ours.by_account()[k], theirs.by_account()[k], 1e-12 * theirs.scale());
      }
    }
    EXPECT_GT(std::abs(run.state().q()[0]), 1e-3) << "bristles bend by a hundredth of that";
  }
}

TEST(Ensemble, one_by_one_has_the_bits_of_single_runs) {
  expect_single_runs(Case(3, 1, kLuGreLaw), true);
  expect_single_runs(Case(3, 3, kLuGreLaw), true);
  expect_single_runs(Case(2, 3, kElastoPlasticLaw), true);
  expect_single_runs(Case(2, 2, kLuGreLaw, "position: \"0.04*sin(9*t)\""), true);
}

TEST(Ensemble, side_by_side_is_single_runs_to_twelve_digits) {
  for (const char* law : {kLuGreLaw, kTanhLaw}) {
    expect_single_runs(Case(5, 1, law), false);
    expect_single_runs(Case(9, 3, law), false);
  }
  expect_single_runs(Case(5, 2, kLuGreLaw, "position: \"0.04*sin(9*t)\""), false);
}

TEST(Ensemble, side_by_side_has_the_bits_of_single_runs_where_the_law_has_no_exponential) {
  for (const char* law : {kDahlLaw, kBlimanLaw}) {
    for (const int lanes : {2, 4, 8}) {
      Case c(5, 2, law);
      EnsemblePlan plan;
      plan.end = kEnd, plan.step = kStep, plan.lanes = lanes;
      const EnsembleResult wide = c.ensemble.run(plan);
      plan.same_bits = true;
      const EnsembleResult narrow = c.ensemble.run(plan);
      for (std::size_t i = 0; i < wide.variants.size(); ++i) {
        const State &a = wide.variants[i].state, &b = narrow.variants[i].state;
        EXPECT_TRUE(same(a.numbers().data(), b.numbers().data(), b.numbers().size()));
      }
    }
  }
}

TEST(Ensemble, every_law_with_a_flat_form_goes_side_by_side) {
  int laws = 0;
  for (const FrictionEntry& entry : friction_registry().all()) {
    const std::string pattern = "{" + plain_law(entry) + "}";
    const System system = system_of(model_text(2, 0, pattern.c_str()));
    const auto* flat = dynamic_cast<const FlatSystem*>(system.fused());
    if (flat == nullptr || flat->text(2) == nullptr) continue;
    SCOPED_TRACE(entry.name);
    ++laws;
    expect_single_runs(Case(2, 2, pattern.c_str()), false);  // faster starts are beyond the stability of this step
  }
  EXPECT_GE(laws, 5);
}

TEST(Ensemble, has_the_same_bits_for_every_number_of_lanes) {
  Case c(11, 2, kLuGreLaw);
  EnsemblePlan plan;
  plan.end = kEnd, plan.step = kStep;
  std::vector<EnsembleResult> results;
  for (int lanes = 2; lanes <= widest_lanes(); lanes *= 2) {
    plan.lanes = lanes;
    results.push_back(c.ensemble.run(plan));
    EXPECT_EQ(results.back().lanes, lanes);
    for (std::size_t i = 0; i < c.texts.size(); ++i) {
      const State &a = results.back().variants[i].state, &b = results[0].variants[i].state;
      EXPECT_TRUE(same(a.numbers().data(), b.numbers().data(), b.numbers().size())) << lanes << ' ' << i;
    }
  }
}

TEST(Ensemble, takes_variants_without_a_flat_form_one_by_one) {
  Case c(2, 2, kLuGreLaw);
  c.add(model_text(2, 2, "{{type: lugre, mu_kinetic: {}, mu_static: {}, sigma0: 1e5, sigma1: 316, damping_velocity: 3 mm/s}}"));
  c.add(model_text(2, 3, kLuGreLaw));
  expect_single_runs(c, false);
}

TEST(Ensemble, lever_arms_of_some_variants) {
  Case c(2, 1, kLuGreLaw);
  std::string text = model_text(1, 2, kLuGreLaw);
  text.replace(text.find("type: sliding"), 13, "type: sliding, arm: 0.8");
  c.add(text);
  expect_single_runs(c, true);
  expect_single_runs(c, false);
}

TEST(Ensemble, samples_channels_as_a_single_run_has_them) {
  Case c(3, 2, kLuGreLaw);
  EnsemblePlan plan;
  plan.end = kEnd, plan.step = kStep, plan.every = 100, plan.channels = {"m1.velocity", "f0.friction_force"};
  plan.keep_samples = plan.same_bits = true;
  const EnsembleResult result = c.ensemble.run(plan);
  for (std::size_t i = 0; i < c.texts.size(); ++i) {
    Trial trial(c.texts[i]);
    auto& run = trial.start();
    const int channel[2] = {trial.channel("m1.velocity"), trial.channel("f0.friction_force")};
    const VariantResult& v = result.variants[i];
    ASSERT_EQ(v.samples.size(), 2 * result.times.size());
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    for (std::size_t k = 0; k < result.times.size(); ++k) {
      for (int n = 0; k > 0 && n < 100 && run.state().t < kEnd; ++n) ASSERT_TRUE(run.advance(kEnd));
      ASSERT_EQ(run.state().t, result.times[k]);
      for (int j = 0; j < 2; ++j) {
        const double value = trial.read(channel[j]);
        EXPECT_EQ(v.samples[2 * k + static_cast<std::size_t>(j)], value);
        low[j] = std::min(low[j], value), high[j] = std::max(high[j], value);
      }
    }
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_EQ(v.channels[j].lowest, low[j]);
      EXPECT_EQ(v.channels[j].highest, high[j]);
      EXPECT_EQ(v.channels[j].last, v.samples[v.samples.size() - 2 + j]);
    }
  }
}

TEST(Ensemble, starts_where_it_is_told_to) {
  const std::string text = model_text(1, 0, kLuGreLaw);
  System system = system_of(text);
  State start = system.make_state();
  start.v()[0] = 0.07;
  Trial trial(text);
  auto& run = trial.start(start);
  ASSERT_TRUE(run.advance_to(kEnd)) << run.message();
  Ensemble ensemble;
  ensemble.add(std::move(system), start);
  const EnsembleResult result = ensemble.run({.end = kEnd, .step = kStep, .same_bits = true});
  EXPECT_EQ(result.variants[0].state.q()[0], run.state().q()[0]);
}

/// The sentence of a refusal.
template <class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

TEST(Ensemble, says_what_it_does_not_take) {
  Ensemble ensemble;
  ensemble.add(system_of(model_text(2, 0, kLuGreLaw)));
  const auto add = [&](const std::string& text) { return refusal([&] { ensemble.add(system_of(text)); }); };
  EXPECT_NE(add(model_text(2, 0, "{{type: coulomb, mu_kinetic: {}}}")).find("all have the same law, one without marks"),
            std::string::npos);
  EXPECT_NE(add(model_text(3, 0, kLuGreLaw)).find("variant 2: it has other elements"), std::string::npos);
  EXPECT_NE(add(model_text(2, 0, kDahlLaw)).find("another law"), std::string::npos);
  EXPECT_EQ(add(model_text(2, 5, kLuGreLaw)), "");
  EXPECT_EQ(ensemble.size(), 2);
  EXPECT_NE(
      refusal([&] { ensemble.run({.end = 1, .step = kStep, .channels = {"m1.velocty"}}); }).find("Did you mean 'm1.velocity'?"),
      std::string::npos);
  EXPECT_NE(refusal([&] { ensemble.run({.end = 1, .step = 0}); }).find("step > 0"), std::string::npos);
  EXPECT_NE(refusal([&] { ensemble.run({.end = 1, .step = kStep, .lanes = 3}); }).find("2, 4 or 8"), std::string::npos);
}

const char* const kSwing = R"(bristle: 1
bodies:
  m: {type: mass, mass: 1 kg, position: 10 mm}
forces:
  s: {type: spring, between: [ground, m], stiffness: 400 N/m}
joints:
  f: {type: sliding, between: [ground, m], load: 1e-9 N, friction: {type: dahl, mu_kinetic: 1, sigma0: 1 1/m}}
)";

TEST(Ensemble, does_not_doubt_an_oscillation_that_ends_as_it_began) {
  Ensemble ensemble;
  ensemble.add(system_of(kSwing));
  // over a period of 0.314 s nearly nothing is left to compare the error of so long a step with
  const EnsembleResult result = ensemble.run({.end = 0.3141592653589793, .step = 5e-3});
  EXPECT_EQ(result.variants[0].message, "");
  EXPECT_LT(result.variants[0].ledger.scale(), 1e-6);
  EXPECT_GT(std::abs(result.variants[0].ledger.residual()), 0.01 * result.variants[0].ledger.scale());
}

TEST(Ensemble, doubts_a_motion_that_gains_energy) {
  // 2.82 is where rk4 ends to be stable; beyond it the motion grows, slowly at first
  Ensemble ensemble;
  ensemble.add(system_of(kSwing));
  const EnsembleResult result = ensemble.run({.end = 2, .step = 2.85 / 20});
  EXPECT_NE(result.variants[0].message.find("the energy ledger is off by"), std::string::npos) << result.variants[0].message;
}

TEST(Ensemble, a_variant_without_finite_numbers_does_not_disturb_the_others) {
  Case c(3, 1, kLuGreLaw);
  std::string wild = model_text(1, 3, kLuGreLaw);
  wild.replace(wild.find("stiffness: "), 11, "stiffness: 1e12 N/m, length: ");  // far beyond the stability of this step
  wild.replace(wild.find(" N/m, damping"), 4, " mm");
  c.ensemble.add(system_of(wild));
  const EnsembleResult result = c.ensemble.run({.end = kEnd, .step = kStep, .every = 10});
  EXPECT_NE(result.variants[3].message.find("is not finite. The step is too long for rk4"), std::string::npos)
      << result.variants[3].message;
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(result.variants[i].message, "");
}

}  // namespace
}  // namespace bristle
