// The worked examples of CONTRIBUTING.md, put to use; snippets_test.py checks that the page shows these very files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "arctan_slope.h"
#include "bristle/analyse/run.h"
#include "bristle/assemble/elements.h"
#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/body/scalar.h"
#include "bristle/contact/register.h"
#include "bristle/force/register.h"
#include "bristle/friction/register.h"
#include "bristle/input/yaml.h"
#include "bristle/integrate/register.h"
#include "bristle/model/describe.h"
#include "bristle/model/reader.h"
#include "bristle/model/scope.h"
#include "bristle/record/memory_sink.h"
#include "bristle/study/plans.h"
#include "bristle/study/study.h"
#include "cone.h"
#include "midpoint.h"
#include "path_step.h"
#include "pin_in_slot.h"
#include "rough_layer.h"
#include "run_in_memory.h"
#include "run_variants.h"
#include "softening_spring.h"
#include "spin_lift.h"
#include "start_energy.h"
#include "support/recipes.h"

namespace bristle {
namespace {

/// Runs a model that may be made of more than Bristle has.
void run_made_of(const Elements& elements, const std::string& text, MemorySink& results) {
  Study study(read_model_text(text, "recipe.yaml"), analysis_registry(), elements);
  const auto result = study.run(results);
  EXPECT_EQ(result->exit_code(), kOk) << result->message;
}

TEST(Contributing, a_law_is_registered_by_one_line) {
  FrictionRegistry r("friction");
  add_law<ArctanSlope>(r, "arctan_slope", "Coulomb with an arcus tangent at zero speed");
  Describer d;
  r.find("arctan_slope")->describe(d);
  ASSERT_EQ(d.fields().size(), 2u);
  EXPECT_EQ(d.fields()[1].key, "half_velocity");
}

TEST(Contributing, a_law_rubs_in_a_model) {
  Elements mine = all_elements();
  add_law<ArctanSlope>(mine.friction, "arctan_slope", "Coulomb with an arcus tangent at zero speed");
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
bodies: {block: {type: mass, mass: 1 kg}}
forces: {push: {type: load, on: block, force: 1.5 N}}
joints: {pad: {type: sliding, on: block, load: 10 N, friction: {type: arctan_slope, mu_kinetic: 0.3}}}
analysis: {type: transient, end: 0.1 s, integrator: {type: radau5, tolerance: 1e-8}}
check: {energy: 1e-6}
)",
              results);
  // pushed with half of mu N it creeps at its half velocity; the rate (2/pi) mu N/(m v_h) is 1.9e3 1/s
  EXPECT_NEAR(results.channel("block.velocity").back(), 1e-3, 1e-9);
  EXPECT_NEAR(results.channel("pad.friction_force").back(), 1.5, 1e-6);
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

TEST(Contributing, the_midpoint_rule_is_registered_by_one_line_and_named_in_a_model) {
  Elements mine = all_elements();
  mine.integrators.add(integrator<Midpoint>("midpoint", "explicit midpoint rule of order 2, fixed step", "Runge 1895"));
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
bodies: {m: {type: mass, mass: 1, position: 1}}
forces: {k: {type: spring, on: m, stiffness: 1}}
analysis: {type: transient, end: 1, integrator: {type: midpoint, step: 1 ms}}
)",
              results);
  EXPECT_NEAR(results.channel("m.position").back(), std::cos(1.0), 2e-7);  // h^2/6, and what the phase adds
}

TEST(Contributing, the_softening_spring_stores_what_it_takes) {
  const SofteningSpring law{.stiffness = 200, .limit = 3};
  const auto u = Dual<1>::variable(0.02, 0);
  EXPECT_NEAR(law.potential(u).d[0], law.elastic(0.02), 1e-14);  // the slope of the potential is the force
  EXPECT_NEAR(law.elastic(1e-6), 2e-4, 1e-12);
}

/// Fills parameters from text, as the model reader does.
template <class Use>
void read_from(const std::string& text, const Use& use) {
  const Node node = read_yaml_text(text, "recipe.yaml");
  const ParameterScope none;
  Reader reader(node, none, {"the recipe", {}});
  use(reader);
}

TEST(Contributing, the_softening_spring_is_registered_by_one_line_and_swings_a_mass) {
  PullRegistry r("force");
  add_law<SofteningSpring>(r, "softening_spring", "spring that softens",
                           "  pad: {type: softening_spring, between: [ground, block], stiffness: 2 kN/m, limit: 10 N}\n");
  const std::unique_ptr<PullList> list = r.find("softening_spring")->make();
  read_from("{stiffness: 200 N/m, limit: 3 N}", [&](Reader& reader) {
    EXPECT_EQ(list->read(reader), "");
    reader.finish();
  });
  EXPECT_FALSE(list->damped());
  // one mass between the ground and the spring
  Layout layout;
  layout.scalars = layout.ground = 1;
  layout.sizes.q = layout.sizes.v = 2;
  layout.coordinates = {"m", "ground"};
  list->add({"pad", Relative{1, 0}, false}, -1);
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::make_unique<ScalarMasses>(std::vector<ScalarMasses::Item>{{0, 0.5, 0.1, 0}}));
  list->make(blocks, layout.channels);
  ASSERT_EQ(layout.channels.size(), 2U);
  EXPECT_EQ(layout.channels[1].name, "pad.force");
  const System system(layout, std::move(blocks));
  auto rule = std::make_unique<PathStep>();
  rule->path = 1e-5;
  auto longest = std::make_unique<ConstantStep>();
  longest->step = 1e-4;
  std::vector<std::unique_ptr<StepController>> controllers;
  controllers.push_back(std::move(longest));
  controllers.push_back(std::move(rule));
  bristle::Run run(system, std::make_unique<Midpoint>(), std::move(controllers));
  run.start(system.make_state());
  while (run.state().q()[0] > 0) ASSERT_TRUE(run.advance(1));
  // what was stored at 0.1 m is all in the motion: F_m^2/k log cosh(k u/F_m)
  const double joule = 9.0 / 200 * std::log(std::cosh(200 * 0.1 / 3));
  EXPECT_NEAR(0.25 * run.state().v()[0] * run.state().v()[0], joule,
              1e-4 * joule);  // the last step ends up to v h = 0.1 mm beyond
}

TEST(Contributing, the_rough_layer_is_registered_by_one_line_and_pushes) {
  ContactRegistry r("contact");
  add_law<RoughLayer>(r, "rough_layer", "rough surfaces, stiffer under load", ", load: 10 N, height: 5 um");
  std::unique_ptr<ContactLaw> law;
  read_from("{load: 10 N, height: 5 um}", [&](Reader& reader) {
    law = r.find("rough_layer")->make(reader);
    reader.finish();
  });
  EXPECT_EQ(law->marks(), 0);
  EXPECT_FALSE(law->damped());
  double slope[2];
  const double force = law->force(5e-6, 0.1, nullptr, slope);
  EXPECT_NEAR(force, 10 * std::sinh(1.0), 1e-12);
  EXPECT_NEAR(slope[0], std::hypot(force, 10) / 5e-6, 1e-3);  // of 5e6 N/m: round-off
  EXPECT_EQ(slope[1], 0);
  EXPECT_NEAR(law->potential(5e-6, nullptr), 10 * 5e-6 * (std::cosh(1.0) - 1), 1e-18);
  EXPECT_EQ(law->force(-1e-6, 0, nullptr), 0);
}

TEST(Contributing, the_rough_layer_throws_a_ball_back_in_a_model) {
  Elements mine = all_elements();
  add_law<RoughLayer>(mine.contacts, "rough_layer", "rough surfaces, stiffer under load", ", load: 10 N, height: 5 um");
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
bodies: {ball: {type: rigid, mass: 0.1 kg, inertia: [1e-5, 1e-5, 1e-5], position: [0, 0, 20.001 mm], velocity: [0, 0, -10 mm/s]}}
joints:
  touch:
    type: contact
    between: [ball, ground]
    surfaces: [{type: sphere, radius: 20 mm}, {type: plane}]
    contact: {type: rough_layer, load: 10 N, height: 5 um}
analysis: {type: transient, end: 5 ms, integrator: {type: dormand_prince, tolerance: 1e-9}}
record: {every: 5 us}
)",
              results);
  EXPECT_NEAR(results.channel("ball.velocity.z").back(), 0.01, 1e-7);  // nothing is lost
  const std::vector<double> gap = results.channel("touch.gap");
  const double depth = -*std::min_element(gap.begin(), gap.end()) / 5e-6;
  EXPECT_NEAR(std::cosh(depth) - 1, 0.5 * 0.1 * 0.01 * 0.01 / (10 * 5e-6), 1e-4);  // all energy is in the layer; sampled
}

TEST(Contributing, the_pin_in_its_slot_leaves_what_it_does_not_hold) {
  const JointEntry entry = pin_in_slot();
  const JointPlan plan = entry.plan(JointSizes{});
  EXPECT_EQ(plan.held.size() + plan.motions.size(), 6U);
  EXPECT_NE(entry.summary.find("(4 rows)"), std::string::npos);
  // B at 0.3 m along the slot, turned by 0.4 rad: held rows are zero, motions are what they are called
  const Frame<> A{Mat3<>::identity(), {}};
  Frame<> B{Mat3<>::identity(), Vec3<>{{0.3, 0, 0}}};
  B.R(0, 0) = B.R(1, 1) = std::cos(0.4);
  B.R(1, 0) = std::sin(0.4), B.R(0, 1) = -B.R(1, 0);
  for (const RelationPlan& row : plan.held) EXPECT_NEAR(calc_relation(row.relation, A, B).value, 0, 1e-16) << row.name;
  EXPECT_NEAR(calc_relation(plan.motions[0].relation, A, B).value, 0.3, 1e-16);
  EXPECT_NEAR(calc_relation(plan.motions[1].relation, A, B).value, 0.4, 1e-15);
}

TEST(Contributing, the_softening_spring_pulls_in_a_model) {
  Elements mine = all_elements();
  add_law<SofteningSpring>(mine.forces, "softening_spring", "spring that softens",
                           "  pad: {type: softening_spring, between: [ground, block], stiffness: 2 kN/m, limit: 10 N}\n");
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
bodies: {block: {type: mass, mass: 0.5 kg, position: 0.1 m}}
forces: {pad: {type: softening_spring, on: block, stiffness: 200 N/m, limit: 3 N}}
analysis: {type: transient, end: 0.1 s, integrator: {type: rk4, step: 1 ms}}
check: {energy: 1e-6}
)",
              results);
  EXPECT_NEAR(results.channel("pad.force")[0], 3 * std::tanh(200 * 0.1 / 3), 1e-12);
  EXPECT_LT(results.channel("block.position").back(), 0.1);
}

TEST(Contributing, the_pin_in_its_slot_is_registered_by_one_line_and_brakes_a_block) {
  Elements mine = all_elements();
  mine.joints.add(joint_element(pin_in_slot()));
  const KindEntry* shown = mine.joints.find("pin_in_slot");
  EXPECT_TRUE(std::any_of(shown->fields.begin(), shown->fields.end(), [](const Field& f) { return f.key == "preload"; }));
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
gravity: [0, 0, -10]
bodies:
  block: {type: rigid, mass: 2 kg, inertia: [0.1, 0.1, 0.1], velocity: [1, 0, 0]}
joints:
  slot: {type: pin_in_slot, between: [ground, block], at: [0, 0, 0], preload: 3 N, friction: {type: coulomb, mu_kinetic: 0.2}}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)",
              results);
  // v t - mu N t^2/(2 m), N the preload: the flanks carry nothing
  EXPECT_NEAR(results.channel("slot.displacement").back(), 1 - 0.2 * 3 / (2 * 2), 1e-9);
  EXPECT_NEAR(results.channel("slot.force.z").back(), 2 * 10, 1e-9);
}

TEST(Contributing, the_lift_of_a_spinning_ball_is_registered_by_one_line_and_turns_its_way) {
  Elements mine = all_elements();
  mine.forces.add(spin_lift());
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
bodies:
  ball: {type: rigid, mass: 0.4 kg, inertia: [1e-3, 1e-3, 1e-3], velocity: [10, 0, 0], angular_velocity: [0, 0, 50]}
forces:
  air: {type: spin_lift, on: ball, factor: 10 g}
analysis: {type: transient, end: 1 s, integrator: {type: radau5, tolerance: 1e-9}}
)",
              results);
  const double turn = 0.01 * 50 / 0.4;  // c w/m [rad/s]: a circle
  EXPECT_NEAR(results.channel("ball.velocity.x").back(), 10 * std::cos(turn), 1e-6);
  EXPECT_NEAR(results.channel("ball.velocity.y").back(), 10 * std::sin(turn), 1e-6);
  EXPECT_NEAR(results.channel("air.force.x").back(), -0.01 * 50 * 10 * std::sin(turn), 1e-6);
}

TEST(Contributing, the_telescope_is_registered_by_one_line_and_joins_others) {
  Elements mine = all_elements();
  mine.bodies.add(test::telescope_body());
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  cart: {type: mass, mass: 3 kg, velocity: 1 m/s}
  arm: {type: telescope, mass: 0.8 kg, length: 0.5 m, angle: -90 deg, speed: 2}
joints:
  rod: {type: distance, between: [ground, arm], at: [0, 0, 0], at_b: [0, -0.5, 0]}
forces:
  brake: {type: damper, on: arm.angle, damping: 0}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)",
              results);
  // a rod of constant length in place of the arm that grows: a pendulum
  MemorySink pendulum;
  run_made_of(mine, R"(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  bob: {type: particle, mass: 0.8 kg, position: [0, -0.5, 0], velocity: [1, 0, 0]}
joints:
  rod: {type: distance, between: [ground, bob], at: [0, 0, 0], at_b: [0, -0.5, 0]}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)",
              pendulum);
  EXPECT_NEAR(results.channel("arm.x").back(), pendulum.channel("bob.position.x").back(), 1e-8);
  EXPECT_NEAR(results.channel("arm.y").back(), pendulum.channel("bob.position.y").back(), 1e-8);
  EXPECT_NEAR(results.channel("cart.position").back(), 1, 1e-12);
}

TEST(Contributing, the_cone_is_registered_by_one_line_and_stands_on_its_base) {
  Elements mine = all_elements();
  add_shape<Cone>(mine.shapes, "cone", "a cone",
                  "bodies:\n  tip: {type: rigid, mass: 1 kg, shape: {type: cone, radius: 20 mm, length: 60 mm}}\n");
  const std::string model = R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  tip: {type: rigid, density: 1000 kg/m^3, position: [0, 0, 1 mm], shape: {type: cone, radius: 20 mm, length: 60 mm}}
collisions:
  floor:
    bodies: tip
    with: [{type: plane}]
    contact: {type: rigid, restitution: 0}
    friction: {type: coulomb, mu_kinetic: 0.5}
analysis: {type: transient, end: 0.2 s, integrator: {type: moreau_jean, step: 1 ms}}
)";
  Study study(read_model_text(model, "recipe.yaml"), analysis_registry(), mine);
  const double mass = 1000 * M_PI * 0.02 * 0.02 * 0.06 / 3;
  const std::vector<double> M = study.system().masses().blocks()[0].mass;
  EXPECT_NEAR(M[0], mass, 1e-15);
  EXPECT_NEAR(M[6 * 5 + 5], 0.3 * mass * 0.02 * 0.02, 1e-18);                   // about its axis
  EXPECT_EQ(study.layout().bodies[1].shapes[0].triangles.size(), 3U * 2 * 48);  // in the picture
  MemorySink results;
  const auto result = study.run(results);
  EXPECT_EQ(result->exit_code(), kOk) << result->message;
  EXPECT_NEAR(results.channel("tip.position.z").back(), 0.06 / 4, 1e-6);  // its centre, once it stands
  const std::vector<std::string> half = {"bodies.tip.shape={type: cone, radius: 20 mm}"};
  EXPECT_THROW(Study(read_model_text(model, "recipe.yaml", half), analysis_registry(), mine), InputError);  // no length
}

TEST(Contributing, the_path_of_a_step_is_registered_by_one_line_and_limits_steps) {
  ControllerRegistry r("controller");
  r.add(controller<PathStep>("path", "no place slips farther than a path"));
  std::unique_ptr<StepController> rule;
  read_from("{path: 1 um}", [&](Reader& reader) {
    rule = r.find("path")->make(reader);
    reader.finish();
  });
  const Outcome last;
  const std::vector<Pace> pace(2);
  EXPECT_DOUBLE_EQ(rule->propose({last, 0, pace, {0, 0.5}}), 2e-6);
  EXPECT_EQ(rule->propose({last, 0, pace, {0, 0}}), kInfinity);
}

TEST(Contributing, the_path_of_a_step_is_named_in_a_model) {
  Elements mine = all_elements();
  mine.controllers.add(controller<PathStep>("path", "no place slips farther than a path"));
  MemorySink results;
  run_made_of(mine, R"(bristle: 1
bodies: {block: {type: mass, mass: 1 kg, velocity: 1 m/s}}
joints: {pad: {type: sliding, on: block, load: 1 uN, friction: {type: coulomb, mu_kinetic: 0.1}}}
analysis: {type: transient, end: 0.1 s, integrator: {type: rk4, adapt: [{type: path, path: 0.5 mm}]}}
record: {every: step}
)",
              results);
  EXPECT_NEAR(static_cast<double>(results.time().size()), 201, 1);  // 0.1 m in steps of 0.5 mm
}

TEST(Contributing, what_a_program_adds_is_in_its_schema) {
  const std::string own = model_schema(analysis_registry(), test::with_recipes()), plain = model_schema();
  for (const char* name :
       {"arctan_slope", "rough_layer", "pin_in_slot", "cone", "midpoint", "path", "softening_spring", "spin_lift", "telescope"}) {
    EXPECT_NE(own.find("\"const\": \"" + std::string(name) + "\""), std::string::npos) << name;
    EXPECT_EQ(plain.find("\"const\": \"" + std::string(name) + "\""), std::string::npos) << name;
  }
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

TEST(Contributing, variants_of_a_model_run_side_by_side) {
  const std::string model = BRISTLE_SOURCE_DIR "/examples/stick_slip/model.yaml";
  const std::vector<double> speeds = highest_speeds(model, {1, 2, 8});
  ASSERT_EQ(speeds.size(), 3u);
  // as radau5 has it; samples 5 ms apart miss the peak of so slow an oscillation by less
  const std::vector<double> velocity = run_in_memory(model, "mass.velocity");
  const double highest = *std::max_element(velocity.begin(), velocity.end());
  EXPECT_NEAR(speeds[1], highest, 1e-3 * highest);
  EXPECT_GT(speeds[1], speeds[2]);
}

}  // namespace
}  // namespace bristle
