// Surfaces that yield: values of the laws, and impacts by every method against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analyse/modes.h"
#include "bristle/analyse/statics.h"
#include "bristle/contact/thornton.h"
#include "bristle/contact/walton_braun.h"
#include "bristle/interface/contact_law_of.h"
#include "support/models.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kPi = std::numbers::pi;

// a steel ball on a plate of steel
constexpr double kRadius = 0.02, kMass = 0.2614, kYieldPressure = 2e9, kModulus = 210e9 / (2 * 0.91);
const double kYieldDepth = kRadius * std::pow(kPi * kYieldPressure / (2 * kModulus), 2);          // [m]
const double kYieldForce = 4.0 / 3 * kModulus * std::sqrt(kRadius) * std::pow(kYieldDepth, 1.5);  // [N]
const double kSlope = kPi * kYieldPressure * kRadius;                                             // [N/m]
const double kYieldSpeed = std::sqrt(2 / kMass * 0.4 * kYieldForce * kYieldDepth);                // [m/s]

ContactLawOf<Thornton> steel() {
  Thornton law;
  law.material.young = 210e9;
  law.yield_pressure = kYieldPressure;
  ContactLawOf<Thornton> made(law);
  EXPECT_EQ(made.bind({0, kRadius, 0}), nullptr);
  return made;
}

TEST(Thornton, has_the_values_of_its_equations) {
  const ContactLawOf<Thornton> made = steel();
  const ContactLaw& law = made;
  double marks[2] = {0, 0};
  EXPECT_NEAR(law.force(0.5 * kYieldDepth, 0, marks), kYieldForce * std::pow(0.5, 1.5), 1e-9);
  EXPECT_NEAR(law.force(kYieldDepth, 0, marks), kYieldForce, 1e-9);
  // the pressure in the middle of Hertz's patch is the yield pressure there
  EXPECT_NEAR(1.5 * kYieldForce / (kPi * kRadius * kYieldDepth), kYieldPressure, 1e-6 * kYieldPressure);
  const double D = 4 * kYieldDepth, F = kYieldForce + 3 * kSlope * kYieldDepth;
  EXPECT_NEAR(law.force(D, 0, marks), F, 1e-9 * F);
  law.accept(0.9 * kYieldDepth, 1, marks);
  EXPECT_EQ(law.dent(marks), 0);
  law.accept(D, 1, marks);
  // spheres of a larger radius, R_p F = R K D^1.5, whose patch is as wide: R D = R_p (D - d_p)
  const double larger = kRadius * 4.0 / 3 * kModulus * std::sqrt(kRadius) * std::pow(D, 1.5) / F;
  EXPECT_NEAR(law.dent(marks), D - kRadius * D / larger, 1e-12 * D);
  for (const double part : {0.1, 0.6, 1.0}) {
    const double left = part * (D - law.dent(marks)), expected = 4.0 / 3 * kModulus * std::sqrt(larger) * std::pow(left, 1.5);
    EXPECT_NEAR(law.force(law.dent(marks) + left, 0, marks), expected, 1e-9 * expected) << part;
    EXPECT_NEAR(law.potential(law.dent(marks) + left, marks), 0.4 * expected * left, 1e-9 * expected * left);
  }
  EXPECT_EQ(law.force(0.999 * law.dent(marks), 0, marks), 0);
}

TEST(Thornton, needs_a_point_of_curved_surfaces) {
  ContactLawOf<Thornton> made(steel().law());
  ContactLaw& law = made;
  for (const ContactPair& none : {ContactPair{0, 0, 0}, ContactPair{0.02, -0.02, 0}, ContactPair{0.02, -0.05, 0.1}}) {
    ASSERT_NE(law.bind(none), nullptr);
    EXPECT_NE(std::string(law.bind(none)).find("take walton_braun"), std::string::npos);
  }
}

TEST(WaltonBraun, encloses_the_loop_of_its_two_stiffnesses) {
  WaltonBraun bilinear;
  bilinear.stiffness = 1e7, bilinear.restitution = 0.6;
  const ContactLawOf<WaltonBraun> made(bilinear);
  const ContactLaw& law = made;
  double marks[2] = {0, 0};
  const double D = 1e-4, h = 1e-9;
  double work = 0;
  for (int i = 0; i < 200000; ++i) {  // in and out; the force is straight but for its corner
    const double d0 = i < 100000 ? i * h : (200000 - i) * h, d1 = i < 100000 ? d0 + h : d0 - h;
    work += 0.5 * (law.force(d0, 0, marks) + law.force(d1, 0, marks)) * (d1 - d0);
    law.accept(d1, 0, marks);
  }
  EXPECT_NEAR(work, 0.5 * 1e7 * D * D * (1 - 0.36), 1e-9 * work);
  EXPECT_NEAR(law.dent(marks), D * (1 - 0.36), 1e-15);
}

/// Restitution of an impact on a bare surface: C. Thornton's formula, and from the energies of loading and unloading.
double closed_form(double speed) {
  if (speed <= kYieldSpeed) return 1;
  const double u = kYieldSpeed / speed, s = u * u;
  return std::sqrt(1.2 * std::sqrt(3.0) * (1 - s / 6) * std::sqrt(u / (u + 2 * std::sqrt((6 - s) / 5))));
}
TEST(Thornton, has_a_restitution_that_follows_from_its_energies) {
  const ContactLawOf<Thornton> made = steel();
  const ContactLaw& law = made;
  for (const double speed : {0.9, 1.1, 2.0, 10.0, 200.0}) {
    double low = 0, high = 1;  // [m] the depth at which the work is that of the impact
    double marks[2] = {0, 0};
    for (int i = 0; i < 200; ++i) {
      const double d = 0.5 * (low + high);
      (law.potential(d, marks) < 0.5 * kMass * std::pow(speed * kYieldSpeed, 2) ? low : high) = d;
    }
    law.accept(low, 0, marks);
    const double e = std::sqrt(law.stored(low, marks) / (0.5 * kMass)) / (speed * kYieldSpeed);
    EXPECT_NEAR(e, closed_form(speed * kYieldSpeed), 1e-9) << speed;
  }
}

/// A ball flies against a wall, and what throws it back at a distance lets it hit again.
std::string against_the_wall(const std::string& law, double speed, double duration, bool returns = false) {
  const double gap = 0.1 * duration * speed;
  const std::string field = returns ? fmt::format("forces:\n  field: {{type: force, on: ball, force: [0, 0, -{:.17g}]}}\n",
                                                  kMass * speed / (3 * duration))
                                    : "";
  return fmt::format(R"(bristle: 1
bodies:
  ball: {{type: particle, mass: {:.17g}, position: [0, 0, {:.17g}], velocity: [0, 0, -{:.17g}]}}
{}joints:
  wall: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 20 mm}}], contact: {}}}
analysis: {{type: transient, end: {:.17g} s, integrator: {{type: rk4, step: 1 us}}}}
)",
                     kMass, kRadius + gap, speed, field, law, 3 * duration);
}
const std::string kSteelLaw = "{type: thornton, young: 210 GPa, yield_pressure: 2 GPa}";
const std::string kBilinear = "{type: walton_braun, stiffness: 10 MN/m, restitution: 0.6}";

double dissipated(const System& system, const Ledger& ledger) {
  for (std::size_t i = 0; i < system.layout().accounts.size(); ++i) {
    if (system.layout().accounts[i].name == "wall.contact") return ledger.of(static_cast<int>(i));
  }
  ADD_FAILURE() << "no account";
  return 0;
}

struct Bounce {
  double restitution, dent, lost;
};
Bounce bounce(const std::string& text, double speed, const std::string& override) {
  Trial trial(text, {override});
  bristle::Run& run = trial.start();
  const double end = trial.plan().end;
  while (run.state().t < end) {
    if (!run.advance(end)) {
      ADD_FAILURE() << override << ": " << run.message();
      break;
    }
  }
  const Ledger& ledger = run.ledger();
  EXPECT_LE(ledger.worst_fall().joule, 1e-6 * ledger.scale()) << override;  // what a method's sums of work are off by
  EXPECT_LE(ledger.worst_residual(), 1e-6 * ledger.scale()) << override;
  return {trial.read(trial.channel("ball.velocity.z")) / speed, trial.read(trial.channel("wall.indentation")),
          dissipated(trial.system(), ledger)};
}

std::vector<std::string> methods_that_press(bool controlled) {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_registry().all()) {
    if (controls_error(entry.name) == controlled) names.push_back(entry.name);
  }
  return names;
}

TEST(Dents, throw_back_what_their_laws_say_by_every_method_with_error_control) {
  for (const std::string& method : methods_that_press(true)) {
    for (const double speed : {0.05, 0.5, 2.0, 10.0, 50.0}) {
      const double duration = 6 * std::max(kYieldDepth, std::sqrt(kMass / kSlope) * speed) / speed;
      const Bounce b = bounce(against_the_wall(kSteelLaw, speed, duration), speed, setting(method, 0, 1e-10));
      const double e = closed_form(speed), energy = 0.5 * kMass * speed * speed;
      EXPECT_NEAR(b.restitution, e, 1e-6) << method << ", " << speed;
      EXPECT_NEAR(b.lost, energy * (1 - e * e), 1e-6 * energy) << method << ", " << speed;
      EXPECT_EQ(b.dent > 0, speed > kYieldSpeed) << method << ", " << speed;
    }
    for (const double speed : {0.01, 1.0, 100.0}) {
      const double duration = 3 * std::sqrt(kMass / 1e7);
      const Bounce b = bounce(against_the_wall(kBilinear, speed, duration), speed, setting(method, 0, 1e-10));
      const double deepest = speed * std::sqrt(kMass / 1e7);
      EXPECT_NEAR(b.restitution, 0.6, 1e-6) << method << ", " << speed;
      EXPECT_NEAR(b.dent, 0.64 * deepest, 1e-6 * deepest) << method << ", " << speed;
    }
  }
}

/// A step that passes over the turn takes the depth at its end for the largest: off by what the depth falls in a step, a square of its length.
TEST(Dents, are_of_second_order_in_the_steps_that_are_given) {
  const double speed = 2, quarter = std::sqrt(kMass / 1e7),
               deepest = speed * quarter;  // time from touch-down to the turn: pi/2 times this
  for (const std::string& method : methods_that_press(false)) {
    for (const double parts : {50.0, 200.0, 800.0}) {
      const double h = quarter / parts;
      const Bounce b = bounce(against_the_wall(kBilinear, speed, 3 * quarter), speed, setting(method, h, 0));
      EXPECT_NEAR(b.restitution, 0.6, 1 / (parts * parts)) << method << ", " << parts;
      EXPECT_NEAR(b.dent, 0.64 * deepest, deepest / (parts * parts)) << method << ", " << parts;
    }
  }
}

/// Between elastic surfaces and dents nobody but the method may take energy, and it may never bring any.
TEST(Dents, leave_the_balance_of_energy_schemes_exact) {
  for (const char* method : {"energy_preserving", "energy_decaying"}) {
    for (const std::string& law : {kSteelLaw, kBilinear}) {
      const double duration = 3 * std::sqrt(kMass / 1e7);
      Trial trial(against_the_wall(law, 2, duration, true),
                  {fmt::format("analysis.integrator={{type: {}, step: {}, newton_tolerance: 1e-14}}", method, duration / 25)});
      bristle::Run& run = trial.start();
      double pressed = 0;
      while (run.state().t < 20 * duration) {
        ASSERT_TRUE(run.advance(20 * duration)) << run.message();
        const Ledger& ledger = run.ledger();
        EXPECT_LE(std::abs(ledger.residual()), 1e-12 * ledger.scale()) << method;
        EXPECT_LE(ledger.worst_fall().joule, 1e-12 * ledger.scale()) << method;
        EXPECT_GE(ledger.numerical(), std::string(method) == "energy_decaying" ? 0 : -1e-12 * ledger.scale());
        pressed = std::max(pressed, trial.read(trial.channel("wall.indentation")));
      }
      EXPECT_GT(pressed, 1e-6);
    }
  }
}

TEST(Dents, are_what_laws_say_by_energy_schemes_that_control_their_error) {
  for (const char* method : {"energy_preserving", "energy_decaying"}) {
    const double duration = 3 * std::sqrt(kMass / 1e7);
    const Bounce b = bounce(against_the_wall(kBilinear, 1, duration), 1,
                            fmt::format("analysis.integrator={{type: {}, tolerance: 1e-8}}", method));
    EXPECT_NEAR(b.restitution, 0.6, 1e-4) << method;
  }
}

TEST(Dents, throw_back_all_of_an_impact_that_is_no_harder_than_the_last) {
  for (const std::string& law : {kSteelLaw, kBilinear}) {
    const double speed = 2, duration = 4e-4;
    Trial trial(against_the_wall(law, speed, duration, true), {setting("dormand_prince", 0, 1e-11)});
    bristle::Run& run = trial.start();
    const int gap = trial.channel("wall.gap"), dent = trial.channel("wall.indentation"),
              force = trial.channel("wall.normal_force");
    int bounces = 0;
    double first = 0, lost = 0;
    bool touches = false;
    while (bounces < 6 && run.advance(1)) {
      const bool now = trial.read(force) > 0;
      if (touches && !now) {
        ++bounces;
        EXPECT_NEAR(trial.read(gap), -trial.read(dent), 0.01 * trial.read(dent));  // one step later
        if (bounces == 1) first = trial.read(dent), lost = dissipated(trial.system(), run.ledger());
        EXPECT_NEAR(trial.read(dent), first, 1e-8 * first) << law << ", bounce " << bounces;
        EXPECT_NEAR(dissipated(trial.system(), run.ledger()), lost, 1e-8 * lost) << law << ", bounce " << bounces;
      }
      touches = now;
    }
    EXPECT_EQ(bounces, 6) << run.message();
    EXPECT_GT(lost, 0.1 * 0.5 * kMass * speed * speed);
  }
}

TEST(Dents, yield_further_in_a_second_impact_as_hard_as_the_first) {
  const double speed = 2, duration = 3 * std::sqrt(kMass / 1e7);
  Trial trial(against_the_wall(kBilinear, speed, duration), {setting("radau5", 0, 1e-11)});
  double e[2];
  State x;
  for (double& restitution : e) {
    bristle::Run& run = &restitution == e ? trial.start() : trial.start(x);
    while (run.state().t < trial.plan().end && run.advance(trial.plan().end)) continue;
    x = run.state();
    restitution = x.v()[2] / speed;
    x.t = 0, x.v()[2] = -speed;
  }
  EXPECT_NEAR(e[0], 0.6, 1e-7);
  EXPECT_NEAR(e[1], 0.6 * std::sqrt(2 - 0.36), 1e-7);  // 1/2 k1 (D2^2 - D1^2) is what the dent of the first does not give back
}

TEST(Dents, of_what_lies_at_rest_follow_its_load) {
  const double load = 5 * kYieldForce;
  const std::string text = fmt::format(R"(bristle: 1
bodies:
  ball: {{type: rigid, mass: {:.17g}, inertia: [4e-5, 4e-5, 4e-5], position: [0, 0, 0.0201]}}
forces:
  press: {{type: force, on: ball, force: [0, 0, -{:.17g}]}}
joints:
  guide: {{type: prismatic, between: [ground, ball], at: [0, 0, 0], axis: z}}
  wall: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 20 mm}}], contact: {}}}
analysis: {{type: statics}}
)",
                                       kMass, load, kSteelLaw);
  const System system = assemble(read_model_text(text, "test.yaml"));
  const Equilibrium rest = find_equilibrium(system, system.make_state());
  ASSERT_TRUE(rest.found) << rest.message;
  const double D = kYieldDepth + 4 * kYieldForce / kSlope, dent = D * (1 - load / (kYieldForce * std::pow(D / kYieldDepth, 1.5)));
  EXPECT_NEAR(kRadius - rest.state.q()[system.layout().frame_q(0) + 2], D, 1e-9 * D);
  Workspace work = system.make_workspace();
  std::vector<double> out(system.layout().channels.size());
  system.readings().calc_outputs(system.look(rest.state, work), out.data());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (system.layout().channels[i].name != "wall.indentation") continue;
    EXPECT_NEAR(out[i], dent, 1e-9 * D);
  }
  // it swings on the elastic curve: what yields has yielded
  const ModesResult modes = calc_modes(system, rest.state);
  EXPECT_NEAR(modes.modes.back().frequency, std::sqrt(1.5 * load / (D - dent) / kMass), 1e-6 * modes.modes.back().frequency);
}

}  // namespace
}  // namespace bristle
