// Newton's iteration over one step with a tangent of its own in every iteration: the change of an iteration is a multiple of the square of
// the one before.
#include <gtest/gtest.h>

#include "bristle/integrate/energy_scheme.h"
#include "bristle/integrate/generalized_alpha.h"
#include "support/mechanisms.h"
#include "support/stepping.h"

namespace bristle {
namespace {

using namespace test;

class Fresh final : public Visitor {
 public:
  explicit Fresh(int form) : form_(form) {}
  void operator()(const char* key, double& value, const Unit&, const Range&, const char*) override {
    if (std::strcmp(key, "newton_tolerance") == 0) value = 1e-15;
  }
  void per_load(const char*, double&, const Unit&, const Range&, const char*) override {}
  void integer(const char*, int&, int, int, const char*) override {}
  void flag(const char* key, bool& value, const char*) override {
    if (std::strcmp(key, "keep_factors") == 0) value = false;
  }
  void choice(const char* key, int& value, std::initializer_list<const char*>, const char*) override {
    if (std::strcmp(key, "form") == 0 || std::strcmp(key, "jump_contact") == 0)
      value = form_;  // index3, ggl; none, closed, pushing
  }
  void list(const char*, std::vector<double>&, const Unit&, const Range&, const char*) override {}
  void signal(const char*, Signal&, const Unit&, const char*) override {}
  void reference_load() override {}

 private:
  int form_;
};

/// Relative changes in the iterations of one step, and the largest turn of a body in it [rad].
std::vector<double> changes(const std::string& text, const std::string& name, double h, double settle, int form, double* turn) {
  Trial trial(text);
  bristle::Run& run = trial.start();
  EXPECT_TRUE(settle == 0 || run.advance_to(settle)) << run.message();
  Fresh fresh(form);
  auto method = integrator_registry().find(name)->make(fresh);
  const System& system = run.system();
  method->prepare(system);
  Multipliers kernel;
  kernel.prepare(system);
  Workspace work = system.make_workspace();
  State x0 = run.state(), x1 = x0;
  Ledger ledger;
  ledger.prepare(system.layout());
  kernel.evaluate(system, x0, work);
  const std::vector<double> rate = work.rate, power = work.power;
  std::copy(work.lambda.begin(), work.lambda.end(), x0.lambda());
  method->restart();
  StepContext c{system, kernel, work, ledger, rate.data(), power.data(), true};
  const Outcome out = method->step(c, x0, h, x1);
  EXPECT_EQ(out.verdict, Outcome::Verdict::ok) << name << ": " << text_of(out.cause);
  for (const FrameCoordinates& f : system.layout().frames) {
    const double* w = x1.v() + f.v + 3;
    *turn = std::max(*turn, h * std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
  }
  if (const auto* scheme = dynamic_cast<const EnergyScheme*>(method.get())) return scheme->changes();
  return dynamic_cast<const AlphaMethod&>(*method).changes();
}

/// Each change is at most a moderate multiple of the square of the one before, down to round-off. A derivative that is wrong by a thousandth
/// would make that multiple a thousand where the change is a millionth. `rows_turn`: some rows are exact to the turn of the step only.
void expect_quadratic(const std::string& text, const std::string& name, double h, double settle, bool rows_turn = false,
                      int form = 0, double multiple = 10) {
  double turn = 0;
  const std::vector<double> history = changes(text, name, h, settle, form, &turn);
  ASSERT_GE(history.size(), 2u);
  EXPECT_LT(history.back(), 1e-8);
  for (std::size_t k = 1; k < history.size(); ++k) {
    const double before = history[k - 1];
    EXPECT_LE(history[k], multiple * before * before + (rows_turn ? turn * before : 0) + 1e-12)
        << name << ", form " << form << ", step " << h << " s, iteration " << k + 1 << " after a change of " << before;
  }
}

const std::string kTail = "analysis: {type: transient, end: 1e9 s, integrator: {type: energy_decaying, step: 1 ms}}\n";

const std::string kMechanism = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: general, EA: 1e4, GA2: 5e3, GJ: 20, EI2: 25, mass_per_length: 1, rotary_inertia: [4e-3, 2e-3, 2e-3]}
bodies:
  arm: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s, damping: 1 ms}
  link: {type: beam, from: [1, 0, 0], to: [1, 1, -0.5], elements: 4, section: s}
  block: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.15], position: [1, 1.2, -0.5]}
joints:
  pin: {type: revolute, between: [ground, arm.start], at: [0, 0, 0], axis: y}
  knee: {type: universal, between: [arm.tip, link.start], at: [1, 0, 0], axis: x, second_axis: [0, 0.4472135955, 0.894427191]}
  ball: {type: spherical, between: [link.tip, block], at: [1, 1, -0.5]}
forces:
  band: {type: spring, between: [ground, block], at: [2, 2, 0], at_b: [1, 1.3, -0.5], stiffness: 200, damping: 3, length: 0.5}
)yaml" + kTail;

/// Bodies that turn in space by up to half a radian in 50 ms, on joints that turn with them.
const std::string kSpinning = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  rotor: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.15], position: [0.3, 0, 0], angular_velocity: [0, 0, 8]}
  arm: {type: rigid, mass: 1, inertia: [0.02, 0.05, 0.05], position: [0.8, 0, 0]}
  bob: {type: rigid, mass: 1, inertia: [0.03, 0.04, 0.05], position: [1.2, 0.1, 0.1]}
joints:
  pin: {type: revolute, between: [ground, rotor], at: [0, 0, 0], axis: z}
  knee: {type: universal, between: [rotor, arm], at: [0.6, 0, 0], axis: y, second_axis: z}
  ball: {type: spherical, between: [arm, bob], at: [1, 0, 0]}
forces:
  band: {type: spring, between: [ground, bob], at: [2, 2, 0], at_b: [1.2, 0.2, 0.1], stiffness: 50, length: 0.5}
)yaml" + kTail;

const std::string kFollower = R"yaml(bristle: 1
sections:
  s: {type: general, EA: 1e4, GA2: 5e3, GJ: 20, EI2: 25, mass_per_length: 1, rotary_inertia: [4e-3, 2e-3, 2e-3]}
bodies:
  arm: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s}
joints:
  pin: {type: fixed, between: [ground, arm.start], at: [0, 0, 0]}
forces:
  wind: {type: line_load, on: arm, force: [0, 5, 20], frame: body}
)yaml" + kTail;

const std::string kWorn = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
sections:
  s: {type: general, EA: 1e5, GA2: 5e4, GJ: 20, EI2: 25, mass_per_length: 1, rotary_inertia: [4e-3, 2e-3, 2e-3]}
bodies:
  arm: {type: beam, from: [0, 0, 0], to: [0.5, 0, 0], elements: 3, section: s}
joints:
  pin: {type: revolute, between: [ground, arm.start], at: [0, 0, 0], axis: y, pin_radius: 10 mm, length: 20 mm, clearance: 0.1 mm, axial_clearance: 1 mm, contact: {type: linear, stiffness: 1e6}, friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, sigma0: 1e4 1/m, stribeck_velocity: 10 mm/s}}
)yaml" + kTail;

TEST(Newton, converges_quadratically_with_beams_joints_and_springs) {
  for (const char* name : {"energy_preserving", "energy_decaying"}) {
    for (double h : {1e-2, 5e-2}) expect_quadratic(kMechanism, name, h, 0.1);
  }
}

/// How the rate of a measure changes with the configuration is left out of its damper's tangent: for the alpha methods the band has none.
std::string undamped(std::string text) {
  const std::string damper = ", damping: 3";
  return text.erase(text.find(damper), damper.size());
}

TEST(Newton, of_the_alpha_methods_converges_quadratically_with_large_rotations_in_both_forms) {
  const std::string mechanism = undamped(kMechanism);
  for (const char* name : {"generalized_alpha", "hht"}) {
    for (int form : {0, 1}) {
      for (double h : {1e-2, 5e-2}) {
        expect_quadratic(mechanism, name, h, 0.1, false, form);
        expect_quadratic(kSpinning, name, h, 0.1, false, form);
      }
    }
  }
}

TEST(Newton, converges_quadratically_under_a_load_that_follows_a_beam) {
  for (const char* name : {"energy_preserving", "energy_decaying", "generalized_alpha"}) {
    for (double h : {1e-2, 5e-2}) expect_quadratic(kFollower, name, h, 0.1);
  }
}

TEST(Newton, converges_quadratically_in_a_worn_joint_with_friction) {
  for (const char* name : {"energy_preserving", "energy_decaying", "generalized_alpha"}) {
    for (double h : {1e-4, 1e-3}) expect_quadratic(kWorn, name, h, 0.05, true);
  }
}

/// Rows of round surfaces are differentiated completely: no share of the turn is left. Steps in which the bodies turn by up to 0.3 rad, and
/// journals so loose that what a row depends on is of the size of the bodies. With contact in the jump the multiple is larger (the largest
/// seen is 240, from iteration to iteration the same): the force of a step in which surfaces part bends over a depth, not over the way of the step.
TEST(Newton, converges_quadratically_where_round_surfaces_press_and_rub) {
  const std::string bodies = R"yaml(bristle: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.01, 0.02, 0.015], position: [-0.05, 0, 0], velocity: [0.2, 0.1, -0.1], angular_velocity: [10, -20, 30]}
  b: {type: rigid, mass: 2, inertia: [0.02, 0.01, 0.025], position: [0.05, 0.01, 0]}
joints: {j: {between: [a, b], )yaml";
  const std::string law =
      ", contact: {type: linear, stiffness: 1e5}, friction: {type: lugre, mu_static: 0.2, mu_kinetic: 0.1, sigma0: 1e3 1/m, "
      "stribeck_velocity: 0.1 m/s}}}\n" +
      kTail;
  for (const char* joint :
       {"type: spherical, at: [0, 0, 0], pin_radius: 50 mm, clearance: 20 mm",
        "type: revolute, axis: z, at: [0, 0, 0], pin_radius: 50 mm, clearance: 20 mm",
        "type: contact, surfaces: [{type: hollow_sphere, radius: 109.8 mm}, {type: sphere, radius: 10 mm}], overlap: keep"}) {
    Trial trial(bodies + joint + law);  // until they press
    bristle::Run& run = trial.start();
    const int force = trial.channel("j.normal_force");
    do ASSERT_TRUE(run.advance(1e9) && run.state().t < 0.1) << joint;
    while (!(trial.read(force) > 1));
    const double settle = run.state().t;
    for (const char* name : {"energy_preserving", "energy_decaying"}) {
      for (double h : {1e-3, 1e-2}) {
        for (int jump_contact : {0, 1, 2}) {
          if (jump_contact > 0 && name == std::string("energy_preserving")) continue;
          expect_quadratic(bodies + joint + law, name, h, settle, false, jump_contact, jump_contact > 0 ? 300 : 10);
        }
      }
    }
  }
}

/// A pin that stays upright in its hole while both tilt, with bristles so stiff that round-off of the positions moves them by 1e-10 of what
/// they bend: the iteration is quadratic, and ends where round-off does.
TEST(Newton, ends_where_bristles_show_no_more_than_round_off) {
  const std::string text = R"yaml(bristle: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.15], position: [-0.3, 0, 0], velocity: [0.2, 0.1, 0], angular_velocity: [0, -2, 0]}
  b: {type: rigid, mass: 2, inertia: [0.2, 0.1, 0.25], position: [0.4, 0.1, 0]}
joints: {j: {type: revolute, axis: z, between: [a, b], at: [0, 0, 0], clearance: 1 mm, pin_radius: 20 mm, contact: {type: hunt_crossley, stiffness: 1e7, restitution: 0.8}, friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.2, sigma0: 1e5 1/m, stribeck_velocity: 10 mm/s}}}
)yaml" + kTail;
  // where it presses with 60 N; the memory bends over 2 um, a step of 0.2 ms goes a hundred times as far
  for (double h : {5e-5, 1e-4, 2e-4}) {
    for (double settle : {0.0224, 0.0254, 0.0634}) expect_quadratic(text, "energy_decaying", h, settle, false, 0, 100);
  }
  for (const char* scheme : {"energy_decaying", "energy_preserving"}) {
    Trial trial(text, {fmt::format("analysis.integrator={{type: {}, step: 0.2 ms}}", scheme)});
    bristle::Run& run = trial.start();
    ASSERT_TRUE(run.advance_to(0.1)) << run.message();
    EXPECT_LE(run.counts().rejected, 2) << scheme;
    EXPECT_LT(run.counts().newton, 4 * run.counts().accepted) << scheme;
  }
}

TEST(Newton, that_keeps_its_first_tangent_finds_the_same_step) {
  for (const char* name : {"energy_preserving", "energy_decaying"}) {
    Trial kept(kMechanism, {fmt::format("analysis.integrator={{type: {}, step: 10 ms}}", name)});
    Trial fresh(kMechanism, {fmt::format("analysis.integrator={{type: {}, step: 10 ms, keep_factors: false}}", name)});
    bristle::Run &a = kept.start(), &b = fresh.start();
    ASSERT_TRUE(a.advance_to(0.5)) << a.message();
    ASSERT_TRUE(b.advance_to(0.5)) << b.message();
    for (int i = 0; i < a.state().sizes().q; ++i) EXPECT_NEAR(a.state().q()[i], b.state().q()[i], 1e-8);
    EXPECT_LT(std::abs(a.ledger().residual()), 1e-9);
    EXPECT_LT(a.counts().newton, 2 * b.counts().newton);
  }
}

}  // namespace
}  // namespace bristle
