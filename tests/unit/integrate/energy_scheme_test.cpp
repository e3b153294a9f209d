// The energy schemes against numbers of independent prototypes of the same equations, closed forms and conservation laws.
#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "support/mechanisms.h"
#include "support/models.h"
#include "support/momenta.h"

namespace bristle {
namespace {

using namespace test;

std::string with(const std::string& type, double h, const std::string& more = "") {
  return fmt::format("analysis.integrator={{type: {}, step: {:.17g}, newton_tolerance: 1e-14{}}}", type, h, more);
}
void advance(bristle::Run& run, int steps) {
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(run.advance(1e9)) << run.message();
}
void expect_near(const double* x, std::vector<double> expected, double tolerance, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(x[i], expected[i], tolerance) << what << ", number " << i;
}
const double* position(bristle::Run& run, const std::string& body) {
  for (const BodyInfo& b : run.system().layout().bodies) {
    if (b.name == body) return run.state().q() + b.q;
  }
  throw std::runtime_error("no body " + body);
}
const double* velocity(bristle::Run& run, const std::string& body) {
  for (const BodyInfo& b : run.system().layout().bodies) {
    if (b.name == body) return run.state().v() + b.v;
  }
  throw std::runtime_error("no body " + body);
}
const std::string kTail = "analysis: {type: transient, end: 1e9 s, integrator: {type: rk4, step: 1 ms}}\n";

const std::string kFreeBody = R"yaml(bristle: 1
bodies: {b: {type: rigid, mass: 1, inertia: [1, 2, 3], angular_velocity: [0.4, 1, 0.2]}}
)yaml" + kTail;

TEST(EnergyScheme, turns_a_free_body_as_the_prototype_does) {
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    Trial trial(kFreeBody, {with(type, 0.25)});
    auto& run = trial.start();
    advance(run, 1);
    expect_near(velocity(run, "b") + 3, {0.353559484569, 1.017347379645, 0.168329348925}, 1e-11, type);
    advance(run, 39);
    expect_near(velocity(run, "b") + 3, {0.386651835382, -1.005236468795, -0.191049419265}, 1e-10, type);
    const Mat3<> R = matrix_of(position(run, "b") + 3);
    const double row[3] = {R(0, 0), R(0, 1), R(0, 2)};
    expect_near(row, {-0.925573769027, -0.378527537301, 0.005486491949}, 1e-10, type);
    EXPECT_NEAR(run.ledger().energy().total(), 1.14, 1e-13);
    EXPECT_LT(std::abs(run.ledger().numerical()), 1e-14);
  }
}

const std::string kPointPendulum = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {bob: {type: particle, mass: 2, position: [1, 0, 0], velocity: [0, 1.5, 0.5]}}
joints: {rod: {type: distance, between: [ground, bob], at: [0, 0, 0], at_b: [1, 0, 0]}}
)yaml" + kTail;

TEST(EnergyScheme, swings_a_point_pendulum_as_the_prototype_does) {
  Trial a(kPointPendulum, {with("energy_preserving", 0.05)});
  auto& keeps = a.start();
  advance(keeps, 40);
  expect_near(position(keeps, "bob"), {0.29608677239, 0.684251443182, -0.666432731578}, 1e-10, "preserving");
  expect_near(velocity(keeps, "bob"), {-0.951563107994, 2.867036454291, 2.539692858366}, 1e-9, "preserving");
  EXPECT_NEAR(keeps.ledger().energy().total(), 2.5, 1e-12);
  Trial b(kPointPendulum, {with("energy_decaying", 0.05)});
  auto& decays = b.start();
  advance(decays, 40);
  expect_near(position(decays, "bob"), {0.296243713326, 0.684457921397, -0.666150895932}, 1e-10, "decaying");
  expect_near(velocity(decays, "bob"), {-0.956767089222, 2.852830790435, 2.549034096096}, 1e-9, "decaying");
  EXPECT_NEAR(decays.ledger().energy().total(), 2.48174102673776, 1e-10);
  EXPECT_LT(std::abs(decays.ledger().residual()), 1e-12);
}

const std::string kBodyPendulum = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {b: {type: rigid, mass: 2, inertia: [0.05, 0.2, 0.22], position: [0.6, 0, 0], velocity: [0, 1.2, 0.6], angular_velocity: [3, -1, 2]}}
joints: {ball: {type: spherical, between: [ground, b], at: [0, 0, 0]}}
)yaml" + kTail;

TEST(EnergyScheme, swings_a_body_on_a_ball_as_the_prototype_does) {
  Trial a(kBodyPendulum, {with("energy_preserving", 0.05)});
  auto& keeps = a.start();
  advance(keeps, 40);
  expect_near(position(keeps, "b"), {-0.184163712886, 0.565150597008, -0.081783430826}, 1e-10, "preserving");
  expect_near(velocity(keeps, "b") + 3, {3.519900834549, -2.822886227333, -0.84964768889}, 1e-9, "preserving");
  EXPECT_NEAR(keeps.ledger().energy().total(), 2.565, 1e-11);
  Trial b(kBodyPendulum, {with("energy_decaying", 0.05)});
  auto& decays = b.start();
  advance(decays, 40);
  expect_near(position(decays, "b"), {-0.184009715867, 0.565127351962, -0.082289127658}, 1e-10, "decaying");
  expect_near(velocity(decays, "b") + 3, {3.496643604219, -2.775660785457, -0.998628648048}, 1e-9, "decaying");
  EXPECT_NEAR(decays.ledger().energy().total(), 2.5289309347044, 1e-10);
}

TEST(EnergyScheme, spins_a_heavy_top_as_the_prototype_does) {
  const double c = std::cos(0.6), s = std::sin(0.6);
  const std::string text =
      fmt::format(
          "bristle: 1\ngravity: [0, 0, -9.81]\nbodies: {{top: {{type: rigid, mass: 1, inertia: [0.05, 0.05, 0.04], position: [0, {:.17g}, "
          "{:.17g}], orientation: {{axis: x, angle: 0.6}}, angular_velocity: [0, {:.17g}, {:.17g}]}}}}\n"
          "joints: {{ball: {{type: spherical, between: [ground, top], at: [0, 0, 0]}}}}\n",
          -0.3 * s, 0.3 * c, -40 * s, 40 * c) +
      kTail;
  Trial a(text, {with("energy_preserving", 0.005)});
  auto& keeps = a.start();
  advance(keeps, 200);
  expect_near(position(keeps, "top"), {0.208729374322, 0.078574946857, 0.200644028123}, 1e-9, "preserving");
  expect_near(velocity(keeps, "top") + 3, {2.389103346747, 0.979900587074, 39.998968450544}, 1e-8, "preserving");
  EXPECT_NEAR(keeps.ledger().energy().total(), 34.428962714679, 1e-10);
  EXPECT_NEAR(momenta(keeps).angular[2], 1.320536983855, 1e-11);
  Trial b(text, {with("energy_decaying", 0.005)});
  auto& decays = b.start();
  advance(decays, 200);
  expect_near(position(decays, "top"), {0.20877209029, 0.078542559769, 0.200612264383}, 1e-9, "decaying");
  EXPECT_NEAR(decays.ledger().energy().total(), 34.425501230190, 1e-9);
  EXPECT_NEAR(momenta(decays).angular[2], 1.320536983855, 1e-11);
}

/// 150 rad/s in steps of 1 ms. Its weight has no moment about the vertical through the ball: that angular momentum stays.
TEST(EnergyScheme, spins_a_fast_top_as_the_prototype_does) {
  const std::string text = R"yaml(bristle: 1
gravity: [0, 0, -9.81]
bodies: {top: {type: rigid, mass: 15, inertia: [0.234375, 0.46875, 0.234375], position: [0, 1, 0], velocity: [4.61538, 0, 0], angular_velocity: [0, 150, -4.61538]}}
joints: {ball: {type: spherical, between: [ground, top], at: [0, 0, 0]}}
)yaml" + kTail;
  struct Row {
    const char* type;
    std::vector<double> x;
    double energy;
  };
  for (const Row& row : {Row{"energy_preserving", {0.421266261398, 0.894589811464, -0.1491435759}, 5435.69679086555},
                         Row{"energy_decaying", {0.421267912819, 0.894589416001, -0.14914128338}, 5435.66751225296}}) {
    Trial trial(text, {with(row.type, 1e-3)});
    auto& run = trial.start();
    advance(run, 100);
    expect_near(position(run, "top"), row.x, 1e-10, row.type);
    EXPECT_NEAR(run.ledger().energy().total(), row.energy, 1e-12 * row.energy) << row.type;
    EXPECT_NEAR(momenta(run).angular[2], -4.61538 * (0.234375 + 15), 1e-11) << row.type;
  }
}

/// The principal matrix on (u, h v) of an oscillator, column by column.
TEST(EnergyScheme, is_the_galerkin_method_on_a_linear_oscillator) {
  for (double x : {0.1, 0.5, 1.0, 2.0, 10.0, 100.0, 1e4}) {
    for (double a : {1.0 / 6, 0.0857864376269}) {
      const std::complex<double> z(0, x), R = (1.0 + (0.5 - a) * z) / (1.0 - (0.5 + a) * z + a * z * z);
      for (int start = 0; start < 2; ++start) {
        const double h = 0.01, k = x * x / (h * h);
        const std::string text = fmt::format(
                                     "bristle: 1\nbodies: {{m: {{type: mass, mass: 1 kg, position: {}, velocity: {}}}}}\n"
                                     "forces: {{s: {{type: spring, on: m, stiffness: {:.17g}}}}}\n",
                                     start == 0 ? 1 : 0, start == 1 ? 1 / h : 0, k) +
                                 kTail;
        Trial trial(text, {with("energy_decaying", h, fmt::format(", jump: {:.17g}", a))});
        auto& run = trial.start();
        advance(run, 1);
        const double u = start == 0 ? R.real() : R.imag() / x, v = start == 0 ? -x * R.imag() : R.real();
        EXPECT_NEAR(run.state().q()[0], u, 1e-11 * std::max(1.0, std::abs(u))) << x;
        EXPECT_NEAR(run.state().v()[0] * h, v, 1e-11 * std::max(1.0, std::abs(v))) << x;
        EXPECT_LT(std::abs(run.ledger().residual()), 1e-12 * run.ledger().scale());
      }
    }
  }
}

const std::string kElasticPendulum = R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {bob: {type: particle, mass: 1, position: [1.1, 0, 0], velocity: [0.2, 0.5, 0]}}
forces: {s: {type: spring, between: [ground, bob], at: [0, 0, 0], stiffness: 50, length: 1}}
)yaml" + kTail;

TEST(EnergyScheme, swings_an_elastic_pendulum_as_the_prototype_does) {
  Trial a(kElasticPendulum, {with("energy_preserving", 0.05)});
  auto& keeps = a.start();
  EXPECT_NEAR(keeps.ledger().energy().total(), 0.395, 1e-13);
  advance(keeps, 40);
  expect_near(position(keeps, "bob"), {-0.691189528808, -1.080485361065}, 1e-10, "preserving");
  EXPECT_NEAR(keeps.ledger().energy().total(), 0.395, 1e-12);
  Trial b(kElasticPendulum, {with("energy_decaying", 0.05)});
  auto& decays = b.start();
  advance(decays, 40);
  expect_near(position(decays, "bob"), {-0.684843587844, -1.112027900288}, 1e-10, "decaying");
  expect_near(velocity(decays, "bob"), {1.396750367201, -3.990123532759}, 1e-9, "decaying");
  EXPECT_NEAR(decays.ledger().energy().total(), 0.367792477426, 1e-10);
  Trial c(kElasticPendulum, {with("energy_decaying", 0.05, ", jump: 0.0857864376")});
  auto& less = c.start();
  advance(less, 40);
  expect_near(position(less, "bob"), {-0.687238180368, -1.096730342342}, 1e-9, "double pole");
  EXPECT_NEAR(less.ledger().energy().total(), 0.387855043789, 1e-9);
}

TEST(EnergyScheme, lets_a_mass_bounce_as_the_prototype_does) {
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg, position: 0.1 m}}
forces:
  weight: {type: load, on: m, force: -9.81 N}
  stop: {type: one_way, on: m, stiffness: 1e4 N/m}
)yaml" + kTail;
  Trial trial(text, {with("energy_preserving", 1e-3)});
  auto& run = trial.start();
  const auto at = [&](int steps, double q, double v) {
    advance(run, steps);
    EXPECT_NEAR(run.state().q()[0], q, 1e-9);
    EXPECT_NEAR(run.state().v()[0], v, 1e-7);
  };
  at(150, -0.00949048163262, -1.11692024488813);
  at(10, -0.01497818419537, 0.11140895839245);
  at(1840, 0.06067621397380, -0.87836933110966);
  EXPECT_LT(std::abs(run.ledger().residual()), 1e-12);
}

TEST(EnergyScheme, drags_a_mass_with_bristles_as_the_prototype_does) {
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg, position: 0.1 m}}
forces: {s: {type: spring, on: m, stiffness: 100 N/m}}
joints: {shoe: {type: sliding, between: [ground, m], load: 10 N, friction: {type: lugre, mu_kinetic: 0.3, mu_static: 0.45, stribeck_velocity: 1 mm/s, sigma0: 1e5 1/m}}}
)yaml" + kTail;
  Trial a(text, {with("energy_preserving", 5e-4)});
  auto& keeps = a.start();
  advance(keeps, 2000);
  EXPECT_NEAR(keeps.state().q()[0], -0.0199615048, 1e-9);
  EXPECT_NEAR(keeps.state().z()[0], 0.6804802161, 1e-8);
  EXPECT_LT(std::abs(keeps.ledger().residual()), 1e-13);
  Trial b(text, {with("energy_decaying", 5e-4)});
  auto& decays = b.start();
  advance(decays, 2000);
  EXPECT_NEAR(decays.state().q()[0], -0.0199614883, 1e-9);
  EXPECT_NEAR(decays.state().z()[0], 0.6804774592, 1e-8);
  EXPECT_LT(std::abs(decays.ledger().residual()), 1e-13);
}

/// A mass on a belt sticks and slips. While it slips, far above the Stribeck speed, the friction is mu_kinetic N: it swings from the speed of
/// the belt back to it, from side to side of mu_kinetic N / k = 30 mm. Where it breaks away differs from time to time: after landing it rings
/// on its bristles, which have no damping, at 1000 rad/s with 0.02/1000 m, and comes to the limit in any phase. Steps of 0.5 ms do not know
/// that phase. The prototype saw 44.844 and 44.850 mm; the law alone would hold up to mu_static N / k = 45 mm.
TEST(EnergyScheme, a_belt_carries_and_drops_a_mass) {
  const std::string text = R"yaml(bristle: 1
bodies: {m: {type: mass, mass: 1 kg}, belt: {type: driven, velocity: 0.02 m/s}}
forces: {s: {type: spring, on: m, stiffness: 100 N/m}}
joints: {shoe: {type: sliding, between: [belt, m], load: 10 N, friction: {type: lugre, mu_kinetic: 0.3, mu_static: 0.45, stribeck_velocity: 1 mm/s, sigma0: 1e5 1/m}}}
)yaml" + kTail;
  constexpr double kRinging = 0.02 / 1000;  // [m]
  for (const char* type : {"energy_preserving", "energy_decaying"}) {
    Trial trial(text, {with(type, 5e-4)});
    auto& run = trial.start();
    std::vector<double> tops, lows;
    double a = 0, b = 0;
    for (int k = 0; k < 20000; ++k) {
      ASSERT_TRUE(run.advance(1e9)) << run.message();
      const double u = run.state().q()[0];
      if (b > 0.04 && b > a && b >= u) tops.push_back(b);
      if (!tops.empty() && b < 0.02 && b < a && b <= u) lows.push_back(b);
      a = b, b = u;
    }
    EXPECT_EQ(tops.size(), 5u) << type;
    ASSERT_EQ(tops.size(), lows.size()) << type;
    for (std::size_t k = 0; k < tops.size(); ++k) {
      EXPECT_NEAR(tops[k] + lows[k], 0.06, 1e-6) << type << ", " << k;
      EXPECT_NEAR(tops[k], 0.04482, 2.5 * kRinging) << type << ", " << k;
    }
    EXPECT_LT(std::abs(run.ledger().residual()), 1e-12) << type;
  }
}

/// Every kind of joint among free bodies: the energy is kept to round-off or balanced by what a drive puts in, both momenta are kept, and
/// the rows hold.
TEST(EnergyScheme, keeps_energy_momenta_and_rows_with_every_joint) {
  struct Case {
    std::string joints;
    bool driven = false;
  };
  const auto j = [](const std::string& joint) { return "j: {between: [a, b], at: [0, 0, 0], " + joint + "}"; };
  const std::string wheels = "in: {type: revolute, between: [a, c], at: [-0.3, 0.3, 0], axis: z}, ",
                    slide = wheels + "out: {type: prismatic, between: [a, b], at: [0.4, 0.1, 0], axis: y}, ";
  const std::vector<Case> cases{
      {j("type: spherical")},
      {j("type: revolute, axis: z")},
      {j("type: universal, axis: x, second_axis: y")},
      {j("type: cylindrical, axis: z")},
      {j("type: prismatic, axis: y")},
      {j("type: planar, axis: z")},
      {j("type: fixed")},
      {j("type: screw, axis: z, lead: 0.1")},
      {j("type: point_in_plane, axis: z")},
      {j("type: point_on_line, axis: x")},
      {j("type: distance, at_b: [0.4, 0.3, 0.1]")},
      {j("type: constant_velocity, axis: x")},
      {"j: {type: rolling, between: [a, b], at: [0.4, 0.1, -0.1], radius: 0.1}"},
      {wheels +
       "out: {type: revolute, between: [a, b], at: [0.4, 0.1, 0], axis: z}, mesh: {type: gear, between: [in.angle, out.angle], ratio: -0.5}"},
      {slide + "mesh: {type: rack, between: [in.angle, out.displacement], radius: 50 mm}"},
      {slide + "cam: {type: constraint, zero: \"out.displacement - 0.1*sin(in.angle)\"}"},
      {slide + "cam: {type: constraint, zero: \"out.displacement - 0.1*sin(in.angle) - 0.05*sin(3*t)\"}", true},
      {j("type: revolute, axis: z, drive: {angle: \"0.3*sin(4*t)\"}"), true},
      {j("type: revolute, axis: z, drive: {speed: \"2 + sin(4*t)\"}"), true},
      {j("type: prismatic, axis: y, drive: {displacement: \"0.1*sin(4*t)\"}"), true}};
  for (const Case& c : cases) {
    const std::string text = R"yaml(bristle: 1
bodies:
  a: {type: rigid, mass: 1, inertia: [0.1, 0.2, 0.15], position: [-0.3, 0, 0], velocity: [0.2, 0.1, -0.1], angular_velocity: [1, -2, 3]}
  b: {type: rigid, mass: 2, inertia: [0.2, 0.1, 0.25], position: [0.4, 0.1, 0]}
  c: {type: rigid, mass: 0.5, inertia: [0.02, 0.01, 0.02], position: [-0.25, 0.35, 0.1]}
joints: {)yaml" + c.joints + "}\n" +
                             kTail;
    for (const char* type : {"energy_preserving", "energy_decaying"}) {
      const std::string what = c.joints + " with " + type;
      Trial trial(text, {with(type, 0.02)});
      auto& run = trial.start();
      const System& system = run.system();
      Workspace work = system.make_workspace();
      const Momenta kept = momenta(run);
      const double start = run.ledger().energy().total();
      double before = start, growth = 0, off = 0;
      for (int k = 0; k < 100; ++k) {
        ASSERT_TRUE(run.advance(1e9)) << what << ": " << run.message();
        const double now = run.ledger().energy().total();
        growth = std::max(growth, now - before);
        before = now;
        system.look(run.state(), work);
        for (const HeldRow& row : system.layout().held) {
          if (row.holonomic) off = std::max(off, std::abs(work.row_value[static_cast<std::size_t>(row.row)]));
        }
      }
      EXPECT_LT(off, 1e-13) << what << ": rows";
      const Momenta now = momenta(run);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(now.linear[i], kept.linear[i], 1e-12) << what << ", " << i;
        EXPECT_NEAR(now.angular[i], kept.angular[i], 1e-12) << what << ", " << i;
      }
      EXPECT_LT(std::abs(run.ledger().residual()), 2e-12 * start) << what;
      EXPECT_LT(run.counts().newton, 100 * 7) << what << ": Newton converges";
      if (c.driven) continue;
      EXPECT_LT(growth, 1e-12 * start) << what << ": the energy grew";
      if (std::string(type) == "energy_preserving") {
        EXPECT_NEAR(before, start, 1e-11 * start) << what;
      }
    }
  }
}

/// Two bodies on a spring that balances their turning: nothing vibrates, and the jump takes nothing.
TEST(EnergyScheme, decaying_does_not_damp_a_steady_rotation) {
  // 2 kg at 0.3 m and 10 rad/s need 60 N; the spring of 300 N/m is 0.2 m longer than free
  const std::string text = R"yaml(bristle: 1
bodies:
  a: {type: rigid, mass: 2, inertia: [0.01, 0.02, 0.03], position: [0.3, 0, 0], velocity: [0, 3, 0], angular_velocity: [0, 0, 10]}
  b: {type: rigid, mass: 2, inertia: [0.01, 0.02, 0.03], position: [-0.3, 0, 0], velocity: [0, -3, 0], angular_velocity: [0, 0, 10]}
forces: {band: {type: spring, between: [a, b], at: [0.3, 0, 0], at_b: [-0.3, 0, 0], stiffness: 300, length: 0.4}}
)yaml" + kTail;
  for (double h : {1e-3, 1e-2}) {
    Trial trial(text, {with("energy_decaying", h)});
    bristle::Run& run = trial.start();
    advance(run, 500);
    const double energy = 18 + 3 + 6;
    EXPECT_LT(std::abs(run.ledger().numerical()), 1e-14 * energy);
    EXPECT_NEAR(velocity(run, "a")[5], 10, 1e-9);
  }
}

TEST(EnergyScheme, refuses_what_has_no_force_over_a_step_by_its_name) {
  const std::string ball =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies: {ball: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [0, 0, 1]}}\n";
  const auto message = [&](const std::string& more) -> std::string {
    try {
      Trial trial(ball + more + kTail, {with("energy_decaying", 1e-3)});
      trial.start();
    } catch (const std::exception& e) {
      return e.what();
    }
    return "accepted";
  };
  const std::string floor =
      "joints: {floor: {type: contact, between: [ground, ball], surfaces: [{type: plane, axis: z}, {type: sphere, radius: 10 mm}], contact: ";
  EXPECT_NE(message(floor + "{type: rigid}}}\n").find("'floor'"), std::string::npos) << message(floor + "{type: rigid}}}\n");
  EXPECT_EQ(message(floor + "{type: linear, stiffness: 1e6}}}\n"), "accepted");
}

}  // namespace
}  // namespace bristle
