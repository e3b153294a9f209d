// The worked examples of CONTRIBUTING.md, put to use; snippets_test.py checks that the page shows these very files.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "arctan_slope.h"
#include "bristle/analyse/run.h"
#include "bristle/body/scalar.h"
#include "bristle/force/pull.h"
#include "bristle/force/pull_laws.h"
#include "bristle/friction/register.h"
#include "bristle/model/describe.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/plans.h"
#include "bristle/study/study.h"
#include "midpoint.h"
#include "run_in_memory.h"
#include "softening_spring.h"
#include "start_energy.h"

namespace bristle {
namespace {

TEST(Contributing, a_law_is_registered_by_one_line) {
  FrictionRegistry r("friction");
  add_law<ArctanSlope>(r, "arctan_slope", "Coulomb with an arcus tangent at zero speed");
  Describer d;
  r.find("arctan_slope")->describe(d);
  ASSERT_EQ(d.fields().size(), 2u);
  EXPECT_EQ(d.fields()[1].key, "half_velocity");
}

TEST(Contributing, a_law_has_its_derivatives_for_nothing) {
  ArctanSlope law;
  law.curve.mu_kinetic = 0.3;
  const FrictionLawOf<ArctanSlope, 2> made(law);
  const FrictionLaw<2>& base = made;
  Patch<2> p;
  p.load = 10;
  Vec<2> force;
  double partials[2 * 5];
  base.eval(p, nullptr, nullptr, force, nullptr, RubPartials{partials, 5});
  EXPECT_NEAR(partials[0], 10 * 0.3 * 2 / M_PI / 1e-3, 1e-9);  // by slip, at rest
  EXPECT_EQ(partials[1], 0);
}

double error_of_midpoint(double h) {
  const Model model = read_model_text(R"(bristle: 1
bodies: {m: {type: mass, mass: 1, position: 1}}
forces: {k: {type: spring, on: m, stiffness: 1}}
analysis: {type: transient, end: 1, integrator: {type: rk4, step: 1}}
)",
                                      "oscillator.yaml");
  const System system = assemble(model);
  auto constant = std::make_unique<ConstantStep>();
  constant->step = h;
  std::vector<std::unique_ptr<StepController>> controllers;
  controllers.push_back(std::move(constant));
  Run run(system, std::make_unique<Midpoint>(), std::move(controllers));
  run.start(system.make_state());
  run.advance_to(1);
  return std::abs(run.state().q()[0] - std::cos(1.0));
}

TEST(Contributing, the_midpoint_rule_has_order_two) {
  EXPECT_NEAR(std::log2(error_of_midpoint(0.01) / error_of_midpoint(0.005)), 2, 0.05);  // higher terms at this step
}

TEST(Contributing, the_softening_spring_stores_what_it_takes) {
  const SofteningSpring law{.stiffness = 200, .limit = 3};
  const auto u = Dual<1>::variable(0.02, 0);
  EXPECT_NEAR(law.potential(u).d[0], law.elastic(0.02), 1e-14);  // the slope of the potential is the force
  EXPECT_NEAR(law.elastic(1e-6), 2e-4, 1e-12);
  using Block = PullBlock<SofteningSpring, Relative>;  // it fits the block
  EXPECT_EQ(Block(std::vector<Block::Item>{}).output_count(), 0);
}

TEST(Contributing, an_analysis_is_registered_by_one_line_and_runs_like_the_others) {
  AnalysisRegistry r("analysis");
  add_analysis<StartEnergy>(r);
  const KindGroup group = kind_group(r);
  const KindEntry& shown = kind_entry(group, "start_energy");
  ASSERT_EQ(shown.fields.size(), 1u);
  EXPECT_EQ(shown.fields[0].key, "time");

  Study study(read_model_text(R"(bristle: 1
bodies: {m: {type: mass, mass: 2 kg, position: 0.1 m, velocity: 3 m/s}}
forces: {k: {type: spring, on: m, stiffness: 100 N/m}}
analysis: {type: start_energy, time: 1 s}
)",
                              "oscillator.yaml"),
              r);
  MemorySink results;
  const auto result = study.run(results);
  EXPECT_EQ(result->exit_code(), kOk);
  EXPECT_EQ(results.time(), std::vector<double>{1});
  EXPECT_DOUBLE_EQ(results.channel("energy.kinetic")[0], 9);   // m v^2 / 2
  EXPECT_DOUBLE_EQ(results.channel("energy.stored")[0], 0.5);  // k x^2 / 2
  EXPECT_NE(result->text().find("kinetic 9 J, stored 0.5 J"), std::string::npos) << result->text();
}

TEST(Contributing, a_model_runs_into_memory_by_five_lines) {
  const std::vector<double> position = run_in_memory(BRISTLE_SOURCE_DIR "/examples/stick_slip/model.yaml", "mass.position");
  EXPECT_GT(position.size(), 1000u);
  EXPECT_THROW(run_in_memory(BRISTLE_SOURCE_DIR "/examples/stick_slip/model.yaml", "mass.positon"), InputError);
}

}  // namespace
}  // namespace bristle
