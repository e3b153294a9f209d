// Every sentence with which a run says that it is not to be trusted, or worth a second look: a run that ends with it, and the same one that does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bristle/analyse/transient.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/plans.h"
#include "support/linkages.h"

namespace bristle {
namespace {

using namespace test;

struct Told {
  TransientResult result;
  MemorySink sink;

  Told(const std::string& text, const std::vector<std::string>& overrides = {}) {
    const Model model = read_model_text(text, "test.yaml", overrides);
    const System system = assemble(model);
    const TransientPlan plan = plan_transient(model);
    const auto run = make_run(model, system, plan);
    result = run_transient(*run, plan, {}, sink);
  }
  bool trusted() const { return result.end == RunStatus::End::finished && result.doubts.empty(); }
  bool doubts(const std::string& words) const { return any(result.doubts, words); }
  bool notes(const std::string& words) const { return any(result.notes, words); }
  static bool any(const std::vector<std::string>& list, const std::string& words) {
    return std::any_of(list.begin(), list.end(), [&](const std::string& s) { return s.find(words) != std::string::npos; });
  }
};

std::string by(const std::string& integrator) { return "analysis.integrator={type: " + integrator + "}"; }

#define EXPECT_UNTRUSTED(told, words)                                               \
  EXPECT_EQ((told).result.end, RunStatus::End::untrusted) << (told).result.message; \
  EXPECT_TRUE((told).doubts(words)) << (told).result.message

TEST(TrustSentences, of_an_account_that_gives_back) {
  // a tolerance that lets steps be longer than the stiff dampers stand
  const Told coarse(kGovernor, {by("dormand_prince, tolerance: 0.1")});
  EXPECT_UNTRUSTED(coarse, "gives back energy that it has dissipated");
  EXPECT_TRUE(coarse.doubts("'s1'") || coarse.doubts("'s2'")) << coarse.result.message;
  EXPECT_TRUE(Told(kGovernor, {by("radau5, tolerance: 1e-6")}).trusted());
}

TEST(TrustSentences, of_a_method_that_takes_out_more_than_there_was) {
  const Told coarse(windows(2), {by("dormand_prince, tolerance: 0.1"), "analysis.end=3"});
  EXPECT_UNTRUSTED(coarse, "more than there ever was");
  EXPECT_TRUE(Told(windows(2), {by("dormand_prince, tolerance: 1e-6"), "analysis.end=3"}).trusted());
}

TEST(TrustSentences, of_a_method_that_brings_energy_in) {
  const std::string text = R"yaml(bristle: 1
bodies: {b: {type: mass, mass: 1 kg, velocity: 1}}
joints: {pad: {type: sliding, between: [ground, b], load: 10 N, friction: {type: tanh_slope, mu_kinetic: 0.3, slope: 1e9}}}
forces: {s: {type: spring, on: b, stiffness: 100}}
analysis: {type: transient, end: 1 s, integrator: {type: hht, step: 10 ms}}
)yaml";
  const Told coarse(text);
  EXPECT_GT(coarse.result.energy_created, 0.1);  // of the half joule that there was
  EXPECT_UNTRUSTED(coarse, "the method itself has brought energy in");
  EXPECT_TRUE(coarse.doubts("Most energy went through 'pad'")) << coarse.result.message;
  EXPECT_TRUE(Told(text, {by("radau5")}).trusted());
}

/// A spring that turns by 0.4 rad in a step.
TEST(TrustSentences, of_a_ledger_that_does_not_close) {
  const std::string text = R"yaml(bristle: 1
bodies: {b: {type: mass, mass: 1 kg, position: 0.1 m}}
forces: {s: {type: spring, on: b, stiffness: 1e4}, drag: {type: damper, on: b, damping: 20}}
analysis: {type: transient, end: 1 s, integrator: {type: radau3, step: 10 ms}}
)yaml";
  const Told coarse(text);
  EXPECT_UNTRUSTED(coarse, "the energy ledger does not close");
  EXPECT_TRUE(coarse.doubts("Most energy went through '")) << coarse.result.message;
  EXPECT_TRUE(Told(text, {by("radau3, step: 0.1 ms")}).trusted());
}

TEST(TrustSentences, of_a_method_that_takes_out_a_tenth) {
  const std::string text = R"yaml(bristle: 1
bodies: {quick: {type: mass, mass: 1 kg, position: 1 mm}, slow: {type: mass, mass: 1 kg, position: 0.1 m}}
forces: {hard: {type: spring, on: quick, stiffness: 1e6}, soft: {type: spring, on: slow, stiffness: 1}}
analysis: {type: transient, end: 1 s, integrator: {type: energy_decaying, step: 10 ms}}
)yaml";
  const Told coarse(text);
  EXPECT_TRUE(coarse.trusted()) << coarse.result.message;
  EXPECT_TRUE(coarse.notes("the method itself has taken out 0.5 J"));
  EXPECT_TRUE(Told(text, {by("energy_decaying, step: 10 us"), "analysis.end=0.1"}).result.notes.empty());
}

/// Two arms on ball joints, the first of which spins at 30 rad/s.
TEST(TrustSentences, of_velocities_that_do_not_fit_the_joints) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.03], position: [0.5, 0, 0], angular_velocity: [0, 0, 30], velocity: [0, 15, 0]}
  b: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.03], position: [1.5, 0, 0]}
joints:
  j: {type: spherical, between: [ground, a], at: [0, 0, 0]}
  k: {type: spherical, between: [a, b], at: [1, 0, 0]}
analysis: {type: transient, end: 3 s, integrator: {type: energy_preserving, step: 100 ms}}
)yaml";
  EXPECT_UNTRUSTED(Told(text), "the velocities do not fit the joints");
  EXPECT_FALSE(Told(text, {by("energy_preserving, step: 1 ms"), "analysis.end=0.3"}).doubts("do not fit"));
}

/// A ball that rolls and spins; nothing brings it back to rolling.
TEST(TrustSentences, of_rolling_that_slides) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  ball: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.02], position: [0, 0, 0.2], velocity: [1, 0, 0], angular_velocity: [0, 5, 2]}
joints:
  road: {type: rolling, between: [ground, ball], radius: 0.2, at: [0, 0, 0]}
analysis: {type: transient, end: 3 s, integrator: {type: dormand_prince, tolerance: 0.1}, enforcement: lagrange}
)yaml";
  const Told coarse(text);
  EXPECT_UNTRUSTED(coarse, "is not kept: it slides at");
  EXPECT_TRUE(coarse.doubts("joint 'road'")) << coarse.result.message;
  EXPECT_TRUE(Told(text, {by("dormand_prince, tolerance: 1e-8"), "analysis.enforcement=projection"}).trusted());
}

/// A speed of 1e200 m/s is a number, its energy is none.
TEST(TrustSentences, of_energies_without_a_value) {
  const auto flight = [](double speed) {
    return Told(
        fmt::format("bristle: 1\nbodies: {{block: {{type: mass, mass: 1 kg, velocity: {} m/s}}}}\n"
                    "analysis: {{type: transient, end: 1 s, integrator: {{type: rk4, step: 0.1 s}}}}\n",
                    speed));
  };
  EXPECT_UNTRUSTED(flight(1e200), "the energies have no finite value from here on");
  EXPECT_TRUE(flight(1e100).trusted());
}

/// Samples every half second and an end between two of them: the last one had the energies of the one before.
TEST(Samples, at_an_end_between_two_of_them_have_its_energies) {
  for (const char* method : {"rk4, step: 1 ms", "radau5", "energy_decaying, step: 1 ms"}) {
    const Told told(R"yaml(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, velocity: 3 m/s}}
forces: {drag: {type: damper, on: block, damping: 0.1}}
analysis: {type: transient, end: 2.2 s, integrator: radau5}
record: {every: 0.5 s}
)yaml",
                    {by(method)});
    ASSERT_EQ(told.sink.time().size(), 6U) << method;
    const double kinetic = 4.5 * std::exp(-0.44);
    EXPECT_NEAR(told.sink.channel("energy.kinetic").back(), kinetic, 1e-5) << method;
    EXPECT_NEAR(told.sink.channel("energy.dissipated").back(), 4.5 - kinetic, 1e-5) << method;
    EXPECT_EQ(told.sink.channel("energy.dissipated").back(), told.result.dissipated) << method;
    EXPECT_EQ(told.sink.channel("drag.dissipated").back(), told.result.dissipated) << method;
  }
}

}  // namespace
}  // namespace bristle
