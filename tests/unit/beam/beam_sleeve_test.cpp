// A tube that slides along a beam: closed forms of statics, sliding, swinging, sticking and jamming; momenta and energy; what is refused.
#include <cmath>

#include "beam_models.h"
#include "bristle/base/error.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

/// A boom along x and a tube on it. `stiff`: its bending stiffness [N m^2].
std::string boom(double stiff, int elements, const std::string& length = "1") {
  return fmt::format(
      "sections:\n  s: {{type: general, EA: 1e6, GA2: 1e7, GJ: 1e3, EI2: {}, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]}}\n"
      "bodies:\n  rod: {{type: beam, from: [0, 0, 0], to: [{}, 0, 0], elements: {}, section: s}}\n",
      stiff, length, elements);
}
const std::string kRoot = "  root: {type: fixed, between: [ground, rod.start], at: [0, 0, 0]}\n";
/// Every node held: what the tube slides on is a rigid body.
std::string held(int elements) {
  std::string text;
  for (int k = 0; k <= elements; ++k)
    text += fmt::format("  hold{0}: {{type: fixed, between: [ground, rod.{0}], at: [0, 0, 0]}}\n", k);
  return text;
}
std::string tube(const std::string& at, const std::string& more = "") {
  return "  tube: {type: rigid, mass: 2, inertia: [1e-3, 2e-3, 2e-3], position: " + at + more + "}\n";
}
std::string sleeve(const std::string& at, const std::string& law, const std::string& more = "", const std::string& axis = "x") {
  return "  slide: {type: beam_sleeve, between: [tube, rod], at: " + at + ", axis: " + axis +
         ", bore: 20.4 mm, diameter: 20 mm, length: 0.1" + more + ", contact: " + law + "}\n";
}
const std::string kLinear = "{type: linear, stiffness: 1e6 N/m}";
std::string head(const std::string& gravity) { return "bristle: 1\ngravity: " + gravity + "\n"; }
std::string transient(const std::string& method, const std::string& end = "10 s") {
  return "analysis: {type: transient, end: " + end + ", integrator: {type: " + method + "}}\n";
}

TEST(BeamSleeve, weight_of_a_tube_bends_a_cantilever_as_the_closed_form_says) {
  for (const double at : {0.37, 0.5, 0.81}) {
    const std::string place = fmt::format("[{}, 0, -0.2 mm]", at);
    const System system = system_of(boom(100, 7) + tube(place) + "joints:\n" + kRoot + sleeve(place, kLinear) +
                                    "  plane: {type: planar, between: [ground, tube], at: " + place +
                                    ", axis: y}\n  way: {type: point_in_plane, between: [ground, tube], at: " + place +
                                    ", axis: x}\nforces:\n  weight: {type: force, on: tube, force: [0, 0, -0.05]}\n");
    const auto out = channels_of(system, equilibrium_of(system, {.tolerance = 1e-7}).state);  // 1e7 N of stiffness round off
    double want = 0;
    for (const double s : {at - 0.05, at + 0.05}) want += 0.025 * (s * s * (3 - s) / (6 * 100) + s / 1e7);
    EXPECT_NEAR(out.at("rod.tip.position.z"), -want, 1e-6 * want);
    EXPECT_NEAR(out.at("slide.1.normal_force"), 0.025, 1e-7);
    EXPECT_NEAR(out.at("slide.2.normal_force"), 0.025, 1e-7);
    EXPECT_NEAR(out.at("slide.1.along"), at - 0.05, 1e-5);
  }
}

TEST(BeamSleeve, slides_down_a_stiff_slope_as_a_free_body_over_all_nodes) {
  // slope 30 degrees; at rest on the beam from the start
  const double g = 9.81, c = std::cos(M_PI / 6), depth = 2 * g * c / 2 / 1e6;
  const std::string place = fmt::format("[0.1, 0, {:.17g}]", -2e-4 - depth);
  Mechanism m(head(fmt::format("[{:.17g}, 0, {:.17g}]", g / 2, -g * c)) + boom(1e3, 9, "3") + tube(place) + "joints:\n" +
              held(9) + sleeve(place, kLinear, ", overlap: keep") + transient("radau5, tolerance: 1e-8"));
  ASSERT_TRUE(m.go(0.9));
  EXPECT_NEAR(m.read("tube.position.x"), 0.1 + 0.25 * g * 0.81, 1e-6);
  EXPECT_NEAR(m.read("slide.2.along"), 0.15 + 0.25 * g * 0.81, 1e-6);
  EXPECT_NEAR(m.read("slide.1.normal_force"), g * c, 1e-3);
  EXPECT_LT(m.residual(), 1e-6);
}

TEST(BeamSleeve, on_an_arc_swings_like_a_pendulum) {
  // a quarter of a bowl of radius 1, free of friction: theta'' = -g rho sin(theta) / (rho^2 + J/m), rho of the tube's centre
  const double start = 0.5, J = 2e-3, mass = 2, g = 9.81, lean = 0.05;
  const double e = 0.0101 - 0.01 / std::cos(lean), rho = std::sqrt(std::pow(1 + e, 2) - lean * lean);  // the lips lean, too
  const std::string place = fmt::format("[{:.17g}, 0, {:.17g}]", -rho * std::sin(start), 1 - rho * std::cos(start));
  Mechanism m(
      head("[0, 0, -9.81]") +
      "sections:\n  s: {type: general, EA: 1e6, GA2: 1e7, GJ: 1e3, EI2: 1e3, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]}\n"
      "bodies:\n  rod: {type: beam, from: [\"-sin(0.9)\", 0, \"1 - cos(0.9)\"], path: {center: [0, 0, 1], axis: -y, angle: 1.8}, elements: 9, section: s}\n" +
      tube(place, fmt::format(", orientation: {{axis: y, angle: {}}}", start)) + "joints:\n" + held(9) +
      "  slide: {type: beam_sleeve, between: [{body: tube, at: [0, 0, 0], axis: x}, rod], bore: 20.2 mm, diameter: 20 mm, length: 0.1, overlap: keep, "
      "contact: {type: linear, stiffness: 1e8 N/m}}\n" +
      transient("energy_decaying, step: 1 ms"));
  // the pendulum, by the same kind of steps as anybody's
  double theta = -start, rate = 0;
  const double k = g * rho / (rho * rho + J / mass), h = 1e-4;
  const auto slope = [&](double a) { return -k * std::sin(a); };
  for (int i = 0; i < 9000; ++i) {
    const double a1 = slope(theta), a2 = slope(theta + 0.5 * h * rate), a3 = slope(theta + 0.5 * h * rate + 0.25 * h * h * a1),
                 a4 = slope(theta + h * rate + 0.5 * h * h * a2);
    theta += h * rate + h * h * (a1 + a2 + a3) / 6;
    rate += h * (a1 + 2 * a2 + 2 * a3 + a4) / 6;
  }
  ASSERT_TRUE(m.go(0.9));
  const double mine = std::atan2(m.read("tube.position.x"), 1 - m.read("tube.position.z"));
  EXPECT_NEAR(mine, theta, 1e-5);
  EXPECT_GT(mine, 0.3);
  EXPECT_LT(m.residual(), 1e-5);
}

/// A bent, moving beam and a tube that rubs on it, nothing held.
std::string flying(const std::string& method, const std::string& law) {
  return "bristle: 1\n" + boom(20, 5) +
         tube("[0.47, 0.1 mm, 0.15 mm]", ", velocity: [0.8, 0.3, -0.2], angular_velocity: [2, -0.3, 0.2]") + "joints:\n" +
         sleeve(
             "[0.47, 0.1 mm, 0.15 mm]", law,
             ", stations: 3, friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.2, sigma0: 1e4 1/m, stribeck_velocity: 10 mm/s}") +
         transient(method);
}

TEST(BeamSleeve, keeps_both_momenta_over_any_step) {
  for (const char* method : {"energy_decaying, step: 1 ms", "energy_preserving, step: 1 ms", "radau5, tolerance: 1e-6"}) {
    Mechanism m(flying(method, "{type: flores, stiffness: 1e7 N/m^1.5, restitution: 0.5}"));
    m.start();
    const auto before = m.momentum(m.run().state());
    ASSERT_TRUE(m.go(0.1)) << method;
    const auto after = m.momentum(m.run().state());
    const double limit = std::string(method).starts_with("energy") ? 1e-9 : 1e-6;
    EXPECT_LT((after.linear - before.linear).norm(), limit) << method;
    EXPECT_LT((after.angular - before.angular).norm(), limit) << method;
    EXPECT_LT(m.residual(), 1e-5) << method;
    EXPECT_GT(m.run().ledger().dissipated(), 1e-3) << method;
  }
}

TEST(BeamSleeve, never_gains_energy_whatever_the_step) {
  for (const char* step : {"0.5 ms", "3 ms", "10 ms"}) {
    Mechanism m(flying(std::string("energy_decaying, step: ") + step, kLinear));
    bristle::Run& run = m.start();
    double last = run.ledger().energy().total();
    for (int k = 0; k < 60; ++k) {
      ASSERT_TRUE(run.advance(10)) << run.message();
      const double now = run.ledger().energy().total();
      EXPECT_LE(now, last + 1e-9 * run.ledger().scale()) << step;
      EXPECT_LT(std::abs(run.ledger().residual()), 1e-8 * run.ledger().scale()) << step;
      last = now;
    }
  }
}

TEST(BeamSleeve, passes_a_node_without_a_jump_of_its_force) {
  Mechanism m(
      "bristle: 1\nsections:\n  s: {type: general, EA: 1e3, GA2: 1e3, GJ: 1, EI2: 1, mass_per_length: 1}\nbodies:\n"
      "  rod: {type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s}\n" +
      tube("[0.45, 0, 0.25 mm]") + "joints:\n" +
      sleeve("[0.45, 0, 0.25 mm]", kLinear,
             ", overlap: keep, friction: {type: coulomb, mu_kinetic: 0.3}, smoothing: {shape: tanh, velocity: 10 mm/s}") +
      transient("rk4, step: 1 ms"));
  Dice dice(4);
  const Layout& layout = m.layout();
  for (const FrameCoordinates& f : layout.frames) {
    if (f.v == layout.frames.back().v) continue;  // the tube
    for (int i = 0; i < 3; ++i) m.state().q()[f.q + i] += dice.between(-1e-5, 1e-5);
  }
  m.push(dice, 0.1);
  const auto force_at = [&](double x) {
    State s = m.state();
    s.q()[layout.frames.back().q] += x;
    Eval e = m.system().view(s, m.work());
    m.system().calc_forces(e);
    return VectorXd(Eigen::Map<VectorXd>(m.work().f.data(), layout.sizes.v));
  };
  // the mouth at 0.5 passes the node there: find where, then look closely on both sides
  double low = -0.01, high = 0.01;
  const auto along = [&](double x) {
    State s = m.state();
    s.q()[layout.frames.back().q] += x;
    std::vector<double> out(layout.channels.size());
    m.system().readings().calc_outputs(m.system().look(s, m.work()), out.data());
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (layout.channels[i].name == "slide.2.along") return out[i];
    }
    return -1.0;
  };
  for (int k = 0; k < 60; ++k) (along(0.5 * (low + high)) < 0.5 ? low : high) = 0.5 * (low + high);
  const VectorXd before = force_at(low - 1e-9), after = force_at(high + 1e-9), far = force_at(high + 1e-3);
  EXPECT_GT(before.norm(), 10);
  EXPECT_LT((before - after).norm(), 1e-5 * before.norm());
  EXPECT_GT((before - far).norm(), 1e-4 * before.norm());
}

TEST(BeamSleeve, knows_how_its_rows_change_while_everything_moves_on) {
  for (const char* law : {"{type: linear, stiffness: 1e6 N/m}", "{type: linear, stiffness: 1e6 N/m}, acts_on: first"}) {
    Mechanism m(
        "bristle: 1\n" + boom(20, 4) + tube("[0.43, 0.1 mm, 0.25 mm]") + "joints:\n" +
        sleeve("[0.43, 0.1 mm, 0.25 mm]", law, ", overlap: keep, stations: 3, friction: {type: coulomb, mu_kinetic: 0.3}") +
        transient("rk4, step: 1 ms"));
    Dice dice(5);
    m.push(dice, 0.1);
    m.evaluate();
    const std::vector<double> drift = m.work().row_drift;
    ASSERT_EQ(drift.size(), 9u);
    std::vector<double> rate[2];
    const double h = 1e-6;
    for (int side = 0; side < 2; ++side) {
      const State x = m.moved(m.velocity(), side == 0 ? -h : h);
      m.look(x);
      rate[side] = m.work().row_rate;
    }
    for (std::size_t r = 0; r < drift.size(); ++r)
      EXPECT_NEAR(drift[r], (rate[1][r] - rate[0][r]) / (2 * h), 1e-6 * (1 + std::abs(drift[r]))) << r;
  }
}

TEST(BeamSleeve, sticks_on_a_slope_that_is_flatter_than_its_friction) {
  // tan(20 degrees) = 0.364
  const double g = 9.81, s = std::sin(M_PI / 9), c = std::cos(M_PI / 9);
  for (const double mu : {0.4, 0.33}) {
    for (const char* law : {"type: coulomb, mu_kinetic: ",
                            "type: lugre, sigma0: 1e5 1/m, sigma1: 10 s/m, stribeck_velocity: 1 mm/s, mu_static: "}) {
      const bool dry = std::string(law).find("coulomb") != std::string::npos;
      const std::string friction = law + std::to_string(mu) + (dry ? "" : ", mu_kinetic: " + std::to_string(mu));
      const std::string place = fmt::format("[0.5, 0, {:.17g}]", -2e-4 - g * c / 1e6);
      Mechanism m(head(fmt::format("[{:.17g}, 0, {:.17g}]", g * s, -g * c)) + boom(1e3, 6) + tube(place) + "joints:\n" + held(6) +
                  sleeve(place, "{type: linear, stiffness: 1e6 N/m, dissipation: 10 s/m}",
                         ", overlap: keep, friction: {" + friction + "}") +
                  transient("energy_decaying, step: 1 ms"));
      ASSERT_TRUE(m.go(0.4)) << friction;
      const double way = m.read("tube.position.x") - 0.5;
      const double kick = dry ? 1e-5 : std::sqrt(g * s * mu / 1e5);  // [m/s] before bristles of 1e5 1/m are bent
      if (mu > 0.364) {
        EXPECT_NEAR(way, 0, dry ? 1e-6 : 1e-4) << friction;
      } else {
        EXPECT_NEAR(way, 0.5 * g * (s - mu * c) * 0.16 + 0.4 * (dry ? 0 : kick), 0.25 * kick * 0.4 + 1e-5) << friction;
      }
    }
  }
}

TEST(BeamSleeve, jams_under_an_eccentric_load_where_friction_exceeds_half_its_length_over_the_arm) {
  // A tube of 0.1 m on a post along z, its centre of mass 0.2 m beside it: both mouths press with W a / l, and hold 2 mu W a / l. It starts leaning, as
  // deep as the weight will press it
  const double weight = 2 * 9.81, play = 2e-4, lean = 2 * (play + weight * 0.2 / 0.1 / 1e7) / 0.1;
  for (const double mu : {0.26, 0.24}) {  // l / 2 a = 0.25
    Mechanism m(
        head("[0, 0, -9.81]") +
        "sections:\n  s: {type: general, EA: 1e6, GA2: 1e7, GJ: 1e3, EI2: 1e3, mass_per_length: 1, rotary_inertia: [2e-4, 1e-4, 1e-4]}\n"
        "bodies:\n  rod: {type: beam, from: [0, 0, 0], to: [0, 0, 1], elements: 5, section: s}\n" +
        tube("[0.2, 0, 0.6]", fmt::format(", orientation: {{axis: y, angle: {:.17g}}}", lean)) + "joints:\n" + held(5) +
        "  slide: {type: beam_sleeve, between: [{body: tube, at: [-0.2, 0, 0], axis: z}, rod], bore: 20.4 mm, diameter: 20 mm, length: 0.1, "
        "overlap: keep, contact: {type: linear, stiffness: 1e7 N/m, dissipation: 10 s/m}, friction: {type: coulomb, mu_kinetic: " +
        std::to_string(mu) + "}}\n" + transient("energy_decaying, step: 0.2 ms"));
    ASSERT_TRUE(m.go(0.2));
    const double way = 0.6 - m.read("tube.position.z");
    if (mu > 0.25) {
      EXPECT_NEAR(way, 0, 1e-6);
      EXPECT_NEAR(m.read("slide.1.normal_force"), 2 * weight, 0.03 * 2 * weight);
    } else {
      EXPECT_GT(way, 0.003);
    }
  }
}

TEST(BeamSleeve, comes_off_the_end_of_its_beam_and_falls_freely) {
  Mechanism m(head("[0, 0, -9.81]") + boom(500, 5) + tube("[0.9, 0, -0.2 mm]", ", velocity: [1.5, 0, 0]") + "joints:\n" + kRoot +
              sleeve("[0.9, 0, -0.2 mm]", kLinear, ", ends: true") + transient("energy_decaying, step: 0.5 ms"));
  ASSERT_TRUE(m.go(0.25));
  EXPECT_GT(m.read("tube.position.x"), 1.05);
  for (const char* point : {"1", "2", "start", "tip"}) EXPECT_EQ(m.read(fmt::format("slide.{}.normal_force", point)), 0);
  EXPECT_GT(m.read("slide.1.gap"), 0);
  const double v = m.read("tube.velocity.z");
  ASSERT_TRUE(m.go(0.3));
  EXPECT_NEAR(m.read("tube.velocity.z") - v, -9.81 * 0.05, 1e-9);
  EXPECT_LT(m.residual(), 1e-7);
}

TEST(BeamSleeve, of_rigid_contact_rests_under_its_weight) {
  const std::string place = "[0.3, 0, -0.2 mm]";
  Mechanism m(head("[0, 0, -9.81]") + boom(1e3, 4) + tube(place) + "joints:\n" + held(4) +
              sleeve(place, "{type: rigid, restitution: 0}", ", friction: {type: coulomb, mu_kinetic: 0.2}") +
              transient("moreau_jean, step: 0.1 ms"));
  ASSERT_TRUE(m.go(0.05));
  EXPECT_NEAR(m.read("slide.1.normal_force") + m.read("slide.2.normal_force"), 2 * 9.81, 1e-6);
}

/// An outer boom of 1 m, an inner one of 0.8 m that reaches out by 0.5 m.
TEST(BeamShoe, and_a_sleeve_make_a_telescopic_boom_that_bends_as_the_closed_form_says) {
  const double EI1 = 400, EI2 = 150, P = 1, l = 0.3, d = 0.5, k = 1e6;
  const System system = system_of(fmt::format(
      "sections:\n  a: {{type: general, EA: 1e8, GA2: 1e10, GJ: 1e5, EI2: {}, mass_per_length: 1}}\n"
      "  b: {{type: general, EA: 1e8, GA2: 1e10, GJ: 1e5, EI2: {}, mass_per_length: 1}}\n"
      "bodies:\n  outer: {{type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 6, section: a}}\n"
      "  inner: {{type: beam, from: [0.7, 0, 0], to: [1.5, 0, 0], elements: 5, section: b}}\n"
      "joints:\n  root: {{type: fixed, between: [ground, outer.start], at: [0, 0, 0]}}\n"
      "  mouth: {{type: beam_sleeve, between: [outer.tip, inner], at: [1, 0, 0], axis: x, bore: 40.2 mm, diameter: 40 mm, length: 0, contact: {{type: linear, stiffness: 1e6 N/m}}}}\n"
      "  shoe: {{type: beam_shoe, between: [outer, inner.start], at: [0.7, 0, 0], axis: x, bore: 44.2 mm, diameter: 44 mm, contact: {{type: linear, stiffness: 1e6 N/m}}}}\n"
      "  plane: {{type: planar, between: [ground, inner.start], at: [0.7, 0, 0], axis: y}}\n"
      "  way: {{type: point_in_plane, between: [ground, inner.start], at: [0.7, 0, 0], axis: x}}\n"
      "forces:\n  load: {{type: force, on: inner.tip, force: [0, 0, {}]}}\n"
      "  hold: {{type: spring, between: [ground, inner.start], at: [0.7, 0, 1000], at_b: [0.7, 0, 0], stiffness: 0.01, length: 1000}}\n",
      EI1, EI2, -P));
  const auto out = channels_of(system, equilibrium_of(system).state);
  const double R_mouth = P * (l + d) / l, R_shoe = P * d / l;
  EXPECT_NEAR(out.at("mouth.normal_force"), R_mouth, 1e-4);
  EXPECT_NEAR(out.at("shoe.normal_force"), R_shoe, 1e-4);
  const auto sag = [&](double x, double F, double a) {  // of the outer boom at x by F at a
    return x < a ? F * x * x * (3 * a - x) / (6 * EI1) : F * a * a * (3 * x - a) / (6 * EI1);
  };
  const double at_mouth = sag(1, R_mouth, 1) - sag(1, R_shoe, 0.7) + 1e-4 + R_mouth / k;
  const double at_shoe = sag(0.7, R_mouth, 1) - sag(0.7, R_shoe, 0.7) - 1e-4 - R_shoe / k;
  const double want = at_mouth + (at_mouth - at_shoe) / l * d + P * d * d * (l + d) / (3 * EI2);
  EXPECT_NEAR(out.at("inner.tip.position.z"), -want, 2e-4 * want);
}

/// Two beams in a row, the second one's rigid end with play in a sleeve on the tip of the first.
TEST(Sleeve, between_two_beams_sags_by_play_and_bending) {
  const double EI = 1000, P = 0.1, l = 0.04, play = 1e-4, k = 1e7;
  const System system = system_of(fmt::format(
      "sections:\n  s: {{type: general, EA: 1e6, GA2: 1e8, GJ: 1e3, EI2: {}, mass_per_length: 1}}\n"
      "bodies:\n  a: {{type: beam, from: [0, 0, 0], to: [1, 0, 0], elements: 4, section: s}}\n"
      "  b: {{type: beam, from: [1, 0, 0], to: [2, 0, 0], elements: 4, section: s}}\n"
      "joints:\n  root: {{type: fixed, between: [ground, a.start], at: [0, 0, 0]}}\n"
      "  mouth: {{type: sleeve, between: [a.tip, b.start], at: [1, 0, 0], axis: x, bore: 20.2 mm, diameter: 20 mm, sleeve_length: 41 mm, length: 40 mm, "
      "contact: {{type: linear, stiffness: {}}}}}\n"
      "  plane: {{type: planar, between: [ground, b.start], at: [1, 0, 0], axis: y}}\n"
      "  way: {{type: point_in_plane, between: [ground, b.start], at: [1, 0, 0], axis: x}}\n"
      "forces:\n  load: {{type: force, on: b.tip, force: [0, 0, {}]}}\n"
      "  hold: {{type: spring, between: [ground, b.start], at: [1, 0, 1000], at_b: [1, 0, 0], stiffness: 0.001, length: 1000}}\n",
      EI, k, -P));
  const auto out = channels_of(system, equilibrium_of(system, {.tolerance = 1e-9}).state);
  const double at_mouth = P * (1 + l) / l, at_end = P / l;
  EXPECT_NEAR(out.at("mouth.mouth.normal_force"), at_mouth, 1e-3 * at_mouth);
  EXPECT_NEAR(out.at("mouth.end.normal_force"), at_end, 1e-3 * at_end);
  const double sag = P / (3 * EI) + P / (2 * EI),
               turn = P / (2 * EI) + P / EI;  // of the first at its tip, by the load and its moment
  const double step = play + at_mouth / k, lean = (2 * play + (at_mouth + at_end) / k) / l;
  const double want = sag + turn + step + lean + P / (3 * EI);
  EXPECT_NEAR(out.at("b.tip.position.z"), -want, 2e-4 * want);
}

std::string refused(const std::string& text) {
  try {
    assemble(read_model_text(
        "bristle: 1\n" + text + "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n", "m"));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(BeamSleeve, says_what_cannot_be) {
  const auto has = [](const std::string& text, const char* words) {
    const std::string said = refused(text);
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  const std::string rest = tube("[0.5, 0, 0]") + "joints:\n";
  has(boom(1, 4) + rest +
          "  s: {type: beam_sleeve, between: [tube, rod.2], at: [0.5, 0, 0], axis: x, bore: 20.4 mm, diameter: 20 mm, length: 0.1, contact: linear}\n",
      "name the whole beam: rod");
  has(boom(1, 4) + rest +
          "  s: {type: beam_sleeve, between: [tube, rot], at: [0.5, 0, 0], axis: x, bore: 20.4 mm, diameter: 20 mm, length: 0.1, contact: linear}\n",
      "there is no beam 'rot'");
  has(boom(1, 4) + rest + sleeve("[0.5, 0, 0.1]", kLinear), "0.1 m away");
  has(boom(1, 4) + rest + sleeve("[0.5, 0, 0]", kLinear, "", "y"), "stands across the beam");
  has(boom(1, 4) + rest +
          "  s: {type: beam_sleeve, between: [tube, rod], at: [0.5, 0, 0], axis: x, bore: 20.4 mm, length: 0.1, contact: linear}\n",
      "is not round: give the diameter");
  has(boom(1, 4) + rest +
          "  s: {type: beam_sleeve, between: [tube, rod], at: [0.5, 0, 0], axis: x, bore: 20 mm, diameter: 20 mm, length: 0.1, contact: linear}\n",
      "larger than the diameter");
  has("sections:\n  s: {type: circle, radius: 10 mm, young: 1 GPa, density: 1000 kg/m^3}\nbodies:\n"
      "  rod: {type: beam, path: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], elements: 2, section: s}\n" +
          rest +
          "  s: {type: beam_sleeve, between: [tube, rod], at: [0.5, 0, 0], axis: x, bore: 20.4 mm, length: 0.1, contact: linear}\n",
      "has a corner at rod.2");
  has("bodies:\n  rod: {type: bar, from: [0, 0, 0], to: [1, 0, 0], EA: 1 kN, mass_per_length: 1}\n" + rest +
          "  s: {type: beam_sleeve, between: [tube, rod], at: [0.5, 0, 0], axis: x, bore: 20.4 mm, diameter: 20 mm, length: 0.1, contact: linear}\n",
      "is a bar");
  has(boom(1, 4) + rest +
          "  s: {type: beam_shoe, between: [rod, tube], at: [0.5, 0, 0], axis: x, diameter: 20 mm, contact: linear}\n",
      "is no tube: give the bore");
}

}  // namespace
}  // namespace bristle
