// Mechanisms whose motion is known: pendulums, tops, free bodies, friction in joints, couplings, drives.
#include <gtest/gtest.h>

#include "support/closed_forms.h"
#include "support/probe.h"
#include "support/reference_mechanisms.h"
#include "validation/slider_crank.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846;

std::string model(const std::string& gravity, const std::string& bodies, const std::string& joints,
                  const std::string& step = "0.5 ms", const std::string& more = "") {
  return "bristle: 1\ngravity: " + gravity + "\nbodies:\n" + bodies + (joints.empty() ? "" : "joints:\n" + joints) + more +
         "analysis: {type: transient, end: 10 s, integrator: {type: rk4, step: " + step + "}}\n";
}

// RK4 at 4 rad/s and 0.5 ms: (2e-3)^4 = 2e-11 per radian, a dozen radians
constexpr double kPendulum = 1e-9;

TEST(Pendulums, rigid_planar_and_point_pendulums_swing_as_elliptic_functions_say) {
  const double a = 2.0;
  const Pendulum compound = Pendulum::released(std::sqrt(9.81 * 1.5), a), simple = Pendulum::released(std::sqrt(9.81), a);
  const Vector3d centre(0.5 * std::sin(a), -0.5 * std::cos(a), 0);
  Mechanism rigid(model(
      "[0, -9.81, 0]",
      fmt::format(
          "  rod: {{type: rigid, mass: 1, inertia: [0.01, \"1/12\", \"1/12\"], position: {}, orientation: {{axis: z, angle: {:.17g}}}}}\n",
          text_of(centre), a - kPi / 2),
      "  pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: z}\n"));
  Mechanism planar(
      model("[0, -9.81, 0]",
            fmt::format("  rod: {{type: planar, mass: 1, inertia: \"1/12\", position: [{:.17g}, {:.17g}], angle: {:.17g}}}\n",
                        centre.x(), centre.y(), a - kPi / 2),
            "  pin: {type: revolute, between: [ground, rod], at: [0, 0, 0], axis: z}\n"));
  Mechanism point(model("[0, -9.81, 0]",
                        fmt::format("  bob: {{type: particle, mass: 1, position: {}}}\n", text_of(Vector3d(2 * centre))),
                        fmt::format("  bar: {{type: distance, between: [ground, bob], at: [0, 0, 0], at_b: {}}}\n",
                                    text_of(Vector3d(2 * centre)))));
  for (double t : {0.5, 1.0, 2.0, 3.0}) {
    ASSERT_TRUE(rigid.go(t) && planar.go(t) && point.go(t));
    const double at = compound.angle(t), of_point = simple.angle(t);
    EXPECT_NEAR(rigid.read("rod.position.x"), 0.5 * std::sin(at), kPendulum);
    EXPECT_NEAR(rigid.read("rod.position.y"), -0.5 * std::cos(at), kPendulum);
    EXPECT_NEAR(rigid.read("pin.angle"), at - a, kPendulum);
    EXPECT_NEAR(rigid.read("pin.speed"), compound.rate(t), 10 * kPendulum);
    EXPECT_NEAR(planar.read("rod.position.x"), 0.5 * std::sin(at), kPendulum);
    EXPECT_NEAR(planar.read("pin.angle"), at - a, kPendulum);
    EXPECT_NEAR(point.read("bob.position.x"), std::sin(of_point), kPendulum);
    EXPECT_NEAR(point.read("bob.position.y"), -std::cos(of_point), kPendulum);
  }
  for (Mechanism* m : {&rigid, &planar, &point}) EXPECT_LT(m->residual(), 1e-9);
}

TEST(Bodies, free_body_turns_as_elliptic_functions_say) {
  for (const Triple& spin : {Triple{0.3, 4, 0.2}, Triple{3, 0.5, -1}, Triple{0.4, -0.3, 5}}) {
    const Triple inertia{0.02, 0.03, 0.045};
    const FreeBody truth(inertia, spin);
    Mechanism m(
        model("[0, 0, 0]",
              fmt::format("  body: {{type: rigid, mass: 1, inertia: [0.02, 0.03, 0.045], angular_velocity: [{}, {}, {}]}}\n",
                          spin[0], spin[1], spin[2]),
              ""));
    ASSERT_TRUE(m.go(3));
    const Matrix33 attitude = truth.attitude(3);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(m.run().state().v()[m.layout().bodies[1].v + 3 + i], truth.spin(3)[static_cast<std::size_t>(i)], 1e-9);
      for (int j = 0; j < 3; ++j)
        EXPECT_NEAR(m.attitude("body")(i, j), attitude[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], 1e-9);
    }
  }
}

TEST(Bodies, heavy_top_precesses_and_nutates) {
  const double l = 0.1, across = 0.003;
  const HeavyTop::Data data{across + l * l, 0.002, 9.81 * l};
  const HeavyTop::Start start{0.5, 0.3, 1.0, 60};
  const HeavyTop top(data, start);
  const auto matrix = [](const Matrix33& a) {
    Eigen::Matrix3d R;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) R(i, j) = a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
    return R;
  };
  const Eigen::Matrix3d R = matrix(top.attitude(0));
  const Vector3d place = R * Vector3d(0, 0, l), w(start.theta_rate, start.phi_rate * std::sin(start.theta), start.spin);
  Mechanism m(model(
      "[0, 0, -9.81]",
      fmt::format(
          "  top: {{type: rigid, mass: 1, inertia: [0.003, 0.003, 0.002], position: {}, orientation: {}, angular_velocity: {}}}\n",
          text_of(place), text_of(Eigen::Quaterniond(R)), text_of(Vector3d(R * w))),
      "  tip: {type: spherical, between: [ground, top], at: [0, 0, 0]}\n", "0.1 ms"));
  for (double t : {0.1, 0.5, 1.0}) {
    ASSERT_TRUE(m.go(t));
    // 60 rad/s at 0.1 ms: (6e-3)^4 = 1e-9 per radian, over 120 (the error constant of RK4)
    EXPECT_LT((m.attitude("top") - matrix(top.attitude(t))).norm(), 5e-9 * (1 + 60 * t)) << t;
    EXPECT_LT((m.vector("top.position") - matrix(top.attitude(t)) * Vector3d(0, 0, l)).norm(), 1e-8) << t;
  }
  EXPECT_LT(m.residual(), 1e-8);
}

TEST(Friction, block_on_a_slope_stops_in_time_and_place_and_stays_or_slides_back) {
  for (double slope : {0.1, 0.2, 0.6}) {
    const SlopeSlider truth{slope, 0.4, 0.3, 9.81, 2.0};
    Mechanism m(model(
        "[0, 0, -9.81]",
        fmt::format("  block: {{type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], velocity: {}}}\n",
                    text_of(Vector3d(2 * std::cos(slope), 0, 2 * std::sin(slope)))),
        fmt::format(
            "  plane: {{type: planar, between: [ground, block], at: [0, 0, 0], axis: {}, friction: {{type: stiction, mu_static: 0.4, mu_kinetic: 0.3}}}}\n",
            text_of(Vector3d(-std::sin(slope), 0, std::cos(slope)))),
        "10 ms"));
    for (double t : {0.1, 0.2, 0.3, 0.7, 1.0}) {
      ASSERT_TRUE(m.go(t));
      const double place = m.read("block.position.x") / std::cos(slope);
      EXPECT_NEAR(place, truth.at(t).place, 1e-11) << slope << " " << t;
      EXPECT_NEAR(m.read("block.velocity.x") / std::cos(slope), truth.at(t).speed, 1e-10) << slope << " " << t;
    }
    EXPECT_EQ(m.read("plane.mode"), truth.holds() ? 0 : 1);
    EXPECT_LT(m.residual(), 1e-10);
  }
}

TEST(Friction, slider_in_a_guide_rubs_by_its_load_and_by_the_moment_of_its_faces) {
  // lateral load N rubs beside the axis: a moment mu N a/2, which presses with 2/a times itself: F = mu (1 + mu) N
  const double mu = 0.3;
  Mechanism m(model(
      "[0, 0, -9.81]", "  block: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], velocity: [2, 0, 0]}\n",
      "  guide: {type: prismatic, between: [ground, block], at: [0, 0, 0], axis: x, width: 50 mm, friction: {type: coulomb, mu_kinetic: 0.3}}\n",
      "10 ms"));
  const double deceleration = mu * (1 + mu) * 9.81, stop = 2 / deceleration;
  ASSERT_TRUE(m.go(0.2));
  EXPECT_NEAR(m.read("block.acceleration.x"), -deceleration, 1e-11);
  ASSERT_TRUE(m.go(1.5));
  EXPECT_NEAR(m.read("block.position.x"), 0.5 * 2 * stop, 1e-11);
  EXPECT_NEAR(m.run().ledger().dissipated(), 4, 1e-10);
}

TEST(Friction, a_slider_that_stopped_on_a_slope_below_its_sliding_friction_stays) {
  // between mu and mu (1 + mu) of the guide's faces: whatever rests must not depend on how it came to rest
  const double slope = std::atan(0.35);
  Mechanism m(model(
      "[0, 0, -9.81]",
      fmt::format("  block: {{type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], velocity: {}}}\n",
                  text_of(Vector3d(-0.5 * std::cos(slope), 0, -0.5 * std::sin(slope)))),
      fmt::format(
          "  guide: {{type: prismatic, between: [ground, block], at: [0, 0, 0], axis: {}, width: 50 mm, friction: {{type: coulomb, mu_kinetic: 0.3}}}}\n",
          text_of(Vector3d(std::cos(slope), 0, std::sin(slope)))),
      "10 ms"));
  ASSERT_TRUE(m.go(3));
  EXPECT_LT(std::abs(m.read("guide.velocity")), 1e-9);
}

TEST(Friction, screw_locks_itself_exactly_when_the_lead_angle_is_below_the_angle_of_friction) {
  const double mass = 2, J = 1e-3, r = 0.01, g = 9.81;
  for (double mu : {0.05, 0.099, 0.101, 0.3}) {
    const double p = 0.1 * r;  // advance per radian: the tangent of the lead angle is 0.1
    Mechanism m(model(
        "[0, 0, -9.81]", fmt::format("  nut: {{type: rigid, mass: {}, inertia: [{}, {}, {}]}}\n", mass, J, J, J),
        fmt::format(
            "  thread: {{type: screw, between: [ground, nut], at: [0, 0, 0], axis: z, lead: {:.17g}, pin_radius: {}, friction: {{type: coulomb, mu_kinetic: {}}}}}\n",
            2 * kPi * p, r, mu),
        "1 ms"));
    ASSERT_TRUE(m.go(0.5)) << mu;
    const double L = mass * g / (1 + mu * p / r + mass * p * (p - mu * r) / J);
    const double turn = mu * r < p ? -L * (p - mu * r) / J : 0;
    EXPECT_NEAR(m.read("nut.angular_acceleration.z"), turn, 1e-9) << mu;
    EXPECT_NEAR(m.read("thread.angle"), 0.5 * turn * 0.25, 1e-9) << mu;
    EXPECT_NEAR(m.read("nut.position.z"), p * 0.5 * turn * 0.25, 1e-11) << mu;
    EXPECT_LT(m.run().ledger().worst_residual(), 1e-9) << mu;
    if (!(mu * r < p)) continue;
    EXPECT_NEAR(m.read("thread.force.z"), L, 1e-9) << mu;
    EXPECT_NEAR(m.read("thread.moment.z"), -p * L, 1e-11) << mu;
  }
}

TEST(Friction, pin_slows_a_wheel_evenly_by_mu_load_radius) {
  const double mu = 0.2, mass = 3, r = 0.02, J = 0.05, spin = 4;
  for (const std::string preload : {"", ", preload: 10 N"}) {
    const double torque = mu * (mass * 9.81 + (preload.empty() ? 0 : 10)) * r, stop = spin * J / torque;
    Mechanism m(model(
        "[0, -9.81, 0]",
        fmt::format("  wheel: {{type: rigid, mass: {}, inertia: [0.03, 0.03, {}], angular_velocity: [0, 0, {}]}}\n", mass, J,
                    spin),
        fmt::format(
            "  pin: {{type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z, pin_radius: {}{}, friction: {{type: coulomb, mu_kinetic: {}}}}}\n",
            r, preload, mu),
        "10 ms"));
    ASSERT_TRUE(m.go(1));
    EXPECT_NEAR(m.read("pin.speed"), spin - torque / J, 1e-11);
    ASSERT_TRUE(m.go(stop + 1));
    EXPECT_NEAR(m.read("pin.angle"), 0.5 * spin * stop, 1e-9);
    EXPECT_EQ(m.read("pin.mode"), 0);
    EXPECT_NEAR(m.run().ledger().dissipated(), 0.5 * J * spin * spin, 1e-10);
  }
}

TEST(Friction, ball_joint_opposes_spin_about_any_axis) {
  const double mu = 0.2, mass = 3, r = 0.02, J = 0.05;
  const Vector3d spin(1, -2, 3);
  const double torque = mu * mass * 9.81 * r, stop = spin.norm() * J / torque;
  Mechanism m(model(
      "[0, -9.81, 0]",
      fmt::format("  ball: {{type: rigid, mass: {}, inertia: [{}, {}, {}], angular_velocity: {}}}\n", mass, J, J, J,
                  text_of(spin)),
      fmt::format(
          "  socket: {{type: spherical, between: [ground, ball], at: [0, 0, 0], pin_radius: {}, friction: {{type: coulomb, mu_kinetic: {}}}}}\n",
          r, mu),
      "5 ms"));
  ASSERT_TRUE(m.go(1));
  EXPECT_LT((m.vector("ball.angular_velocity") - spin * (1 - 1 / stop)).norm(), 1e-9);
  ASSERT_TRUE(m.go(stop + 0.5));
  EXPECT_LT(m.vector("ball.angular_velocity").norm(), 1e-9);
  EXPECT_NEAR(m.run().ledger().dissipated(), 0.5 * J * spin.squaredNorm(), 1e-8);
}

TEST(Friction, reactions_that_vanish_or_turn_round_do_no_harm) {
  // no load at all: the wheel goes on for ever
  Mechanism idle(model(
      "[0, 0, 0]", "  wheel: {type: rigid, mass: 1, inertia: [0.03, 0.03, 0.05], angular_velocity: [0, 0, 2]}\n",
      "  pin: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: z, pin_radius: 20 mm, friction: {type: coulomb, mu_kinetic: 0.3}}\n",
      "5 ms"));
  ASSERT_TRUE(idle.go(2));
  EXPECT_NEAR(idle.read("pin.speed"), 2, 1e-12);
  // a pendulum that goes round on a cart pushes it up and down in its guide: the lateral reaction changes its sign
  Mechanism cart(model(
      "[0, 0, -9.81]",
      "  cart: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "  arm: {type: rigid, mass: 0.5, inertia: [0.001, 0.001, 0.001], position: [0, 0, -0.2], angular_velocity: [0, 30, 0]}\n",
      "  guide: {type: prismatic, between: [ground, cart], at: [0, 0, 0], axis: x, width: 80 mm, friction: {type: coulomb, mu_kinetic: 0.2}}\n"
      "  hinge: {type: revolute, between: [cart, arm], at: [0, 0, 0], axis: y}\n",
      "0.5 ms"));
  double low = 1e9, high = -1e9;
  for (double t = 0.01; t < 3; t += 0.01) {
    ASSERT_TRUE(cart.go(t)) << t;
    low = std::min(low, cart.read("guide.force.z")), high = std::max(high, cart.read("guide.force.z"));
  }
  EXPECT_LT(low, -1);
  EXPECT_GT(high, 1);
  EXPECT_LT(cart.residual(), 1e-6);
  EXPECT_GT(cart.run().ledger().dissipated(), 0.1);
}

/// Two shafts that cross at the origin, at an angle.
std::string shafts(double angle, const std::string& joint, const std::string& drive = "speed: 3") {
  const Vector3d d(std::cos(angle), std::sin(angle), 0);
  return model(
      "[0, 0, 0]",
      fmt::format(
          "  a: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: [-0.5, 0, 0], frames: {{out: {{at: [0.5, 0, 0], axis: x, x_axis: z}}, yoke: {{at: [0.5, 0, 0], axis: z}}}}}}\n"
          "  b: {{type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], position: {0}, frames: {{in: {{at: {1}, axis: {2}, x_axis: z}}, yoke: {{at: {1}, axis: {3}}}}}}}\n",
          text_of(Vector3d(0.5 * d)), text_of(Vector3d(-0.5 * d)), text_of(d), text_of(Vector3d(-d.y(), d.x(), 0))),
      fmt::format("  input: {{type: revolute, between: [ground, a], at: [-0.5, 0, 0], axis: x, drive: {{{}}}}}\n"
                  "  output: {{type: revolute, between: [ground, b], at: {}, axis: {}}}\n  link: {}\n",
                  drive, text_of(Vector3d(0.5 * d)), text_of(d), joint),
      "1 ms");
}

TEST(Couplings, constant_velocity_joint_turns_both_shafts_evenly) {
  for (double angle : {0.2, 0.6, 1.0}) {
    Mechanism m(shafts(angle, "{type: constant_velocity, between: [a.out, b.in]}"));
    for (double t = 0.1; t < 2.2; t += 0.1) {
      ASSERT_TRUE(m.go(t));
      EXPECT_NEAR(m.read("output.angle"), m.read("input.angle"), 1e-10) << angle;
      EXPECT_NEAR(m.read("output.speed"), 3, 1e-9) << angle;
    }
  }
}

TEST(Couplings, universal_joint_obeys_cardan) {
  for (double angle : {0.2, 0.6, 1.0}) {
    Mechanism m(shafts(angle, "{type: universal, between: [a.yoke, b.yoke]}"));
    for (double t = 0.1; t < 2.2; t += 0.1) {
      ASSERT_TRUE(m.go(t));
      const double in = 3 * t, c = std::cos(angle), out = m.read("output.angle");
      EXPECT_NEAR(std::sin(out) * std::cos(in) - c * std::sin(in) * std::cos(out), 0, 1e-10) << angle;
      EXPECT_NEAR(m.read("output.speed"), 3 * c / (std::cos(in) * std::cos(in) + c * c * std::sin(in) * std::sin(in)), 1e-8)
          << angle;
    }
  }
}

TEST(Couplings, gear_and_rack_keep_their_ratios) {
  const std::string bodies =
      "  a: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.02], angular_velocity: [0, 0, 1]}\n"
      "  b: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.03], position: [1, 0, 0]}\n"
      "  c: {type: rigid, mass: 2, inertia: [0.02, 0.02, 0.03], position: [0, 1, 0]}\n";
  Mechanism m(model("[3, 0, 0]", bodies,
                    "  p: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: z}\n"
                    "  q: {type: revolute, between: [ground, b], at: [1, 0, 0], axis: z}\n"
                    "  s: {type: prismatic, between: [ground, c], at: [0, 1, 0], axis: x}\n"
                    "  gear: {type: gear, between: [p.angle, q.angle], ratio: -0.5}\n"
                    "  rack: {type: rack, between: [p.angle, s.displacement], radius: 0.2}\n"));
  // all of it together: inertia 0.02 + 0.03/4 + 2 * 0.04, moment 2 * 3 * 0.2
  const double inertia = 0.02 + 0.03 * 0.25 + 2 * 0.04, acceleration = 2 * 3 * 0.2 / inertia;
  ASSERT_TRUE(m.go(1));
  const double turn = 1 + 0.5 * acceleration;
  EXPECT_NEAR(m.read("p.angle"), turn, 1e-9);
  EXPECT_NEAR(m.read("q.angle"), -0.5 * turn, 1e-9);
  EXPECT_NEAR(m.read("s.displacement"), 0.2 * turn, 1e-9);
}

TEST(Drives, follow_their_target_and_give_the_work_they_are_charged_for) {
  const auto arm = [](const std::string& drive) {
    return model("[0, -9.81, 0]", "  arm: {type: rigid, mass: 2, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}\n",
                 "  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: z, drive: {" + drive + "}}\n", "1 ms");
  };
  Mechanism angle(arm("angle: \"0.5*sin(3*t)\"")), speed(arm("speed: \"2*t\""));
  ASSERT_TRUE(angle.go(1) && speed.go(1));
  EXPECT_NEAR(angle.read("pin.angle"), 0.5 * std::sin(3.0), 1e-11);
  EXPECT_NEAR(angle.read("pin.speed"), 1.5 * std::cos(3.0), 1e-10);
  EXPECT_NEAR(speed.read("pin.angle"), 1, 1e-10);
  EXPECT_NEAR(speed.read("pin.speed"), 2, 1e-10);
  const double J = 0.1 + 2 * 0.25;
  EXPECT_NEAR(speed.run().ledger().supplied(), 0.5 * J * 4 + 2 * 9.81 * 0.5 * std::sin(1.0), 1e-8);
  const double w = 1.5 * std::cos(3.0), w0 = 1.5;
  EXPECT_NEAR(angle.run().ledger().supplied(), 0.5 * J * (w * w - w0 * w0) + 2 * 9.81 * 0.5 * std::sin(0.5 * std::sin(3.0)),
              1e-8);
  EXPECT_LT(angle.residual(), 1e-9);
  Mechanism slide(model(
      "[0, 0, -9.81]", "  sledge: {type: rigid, mass: 2, inertia: [0.01, 0.1, 0.1]}\n",
      "  guide: {type: prismatic, between: [ground, sledge], at: [0, 0, 0], axis: z, drive: {displacement: \"0.2*(1 - cos(4*t))\"}}\n",
      "1 ms"));
  ASSERT_TRUE(slide.go(0.7));
  EXPECT_NEAR(slide.read("sledge.position.z"), 0.2 * (1 - std::cos(2.8)), 1e-11);
  const double v = 0.8 * std::sin(2.8);
  EXPECT_NEAR(slide.run().ledger().supplied(), v * v + 2 * 9.81 * 0.2 * (1 - std::cos(2.8)), 1e-9);
}

TEST(Drives, of_a_distance_draw_a_whirling_mass_in) {
  for (const char* drive : {"distance: \"1 - 0.5*t\"", "velocity: -0.5 m/s"}) {
    Mechanism m(model(
        "[0, 0, 0]", "  bob: {type: particle, mass: 2, position: [1, 0, 0], velocity: [-0.5, 1, 0]}\n",
        "  rope: {type: distance, between: [ground, bob], at: [0, 0, 0], at_b: [1, 0, 0], drive: {" + std::string(drive) + "}}\n",
        "1 ms"));
    ASSERT_TRUE(m.go(1));
    EXPECT_NEAR(m.read("rope.distance"), 0.5, 1e-10);
    EXPECT_NEAR(m.read("rope.velocity"), -0.5, 1e-9);
    EXPECT_NEAR(std::hypot(m.read("bob.velocity.x"), m.read("bob.velocity.y")), std::hypot(2, 0.5), 1e-8);  // moment of momentum
    EXPECT_NEAR(m.read("rope.drive.force"), -2 * 4 / 0.5, 1e-6);
    EXPECT_NEAR(m.run().ledger().supplied(), 4 - 1, 1e-8);
  }
}

TEST(Drives, may_start_beyond_half_a_turn) {
  Mechanism m(model(
      "[0, -9.81, 0]", "  arm: {type: rigid, mass: 2, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}\n",
      "  pin: {type: revolute, between: [{body: ground, at: [0, 0, 0], axis: z}, {body: arm, at: [-0.5, 0, 0], axis: z}], drive: {angle: \"4 + t\"}}\n",
      "1 ms"));
  ASSERT_TRUE(m.go(3));
  EXPECT_NEAR(m.read("pin.angle"), 7, 1e-9);
  EXPECT_NEAR(m.read("arm.position.x"), 0.5 * std::cos(7.0), 1e-9);
}

// ---- the rubbing slider-crank ----------------------------------------------------------------------------------------------

void rubbing(const std::string& law, const std::function<double(double)>& mu, bool inner, double y_tolerance) {
  RubbingSliderCrank truth;
  truth.mu = mu;
  truth.inner = inner;
  const std::vector<double> times{0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0};
  const RubbingSliderCrank::Run exact = truth.run(times);
  SliderCrank crank;
  crank.guide = "width: 10 mm, friction: " + law + (inner ? "" : ", outer: true");
  crank.end = 2;
  crank.step = 1e-4;
  Mechanism m(crank.text());
  m.start();
  const double start = m.run().ledger().energy().total();
  for (std::size_t k = 0; k < times.size(); ++k) {
    ASSERT_TRUE(m.go(times[k]));
    EXPECT_NEAR(m.read("slider.position.y"), exact.samples[k].y, y_tolerance) << times[k];
    EXPECT_NEAR(m.read("slider.velocity.y"), exact.samples[k].y_rate, 10 * y_tolerance) << times[k];
    EXPECT_NEAR(m.run().ledger().energy().total() - start,
                exact.samples[k].energy - (truth.mechanism.mechanism().energy(0, truth.mechanism.start_rate)), y_tolerance)
        << times[k];
  }
  EXPECT_LT(m.residual(), 1e-6);
}

// RK4 at 0.1 ms and up to 25 rad/s with located switches: far below a micrometre
TEST(RubbingSliderCrankRun, coulomb_inside) {
  rubbing(
      "{type: coulomb, mu_kinetic: 0.1}", [](double) { return 0.1; }, true, 1e-7);
}
TEST(RubbingSliderCrankRun, coulomb_outside) {
  rubbing(
      "{type: coulomb, mu_kinetic: 0.1}", [](double) { return 0.1; }, false, 1e-7);
}
TEST(RubbingSliderCrankRun, stribeck_inside) {
  // the fall of friction over 1 mm/s passes in 0.2 ms
  rubbing(
      "{type: stribeck, mu_static: 0.2, mu_kinetic: 0.1, stribeck_velocity: 1 mm/s}",
      [](double v) { return 0.1 + 0.1 * std::exp(-v * v * 1e6); }, true, 1e-6);
}

/// A follower on a cam that moves in time, y = b sin(w t). What the cam does
/// is what the kinetic energy gains.
TEST(Couplings, that_depend_on_time_do_work) {
  const double b = 0.05, w = 20, t = 0.3, m = 2;
  for (const std::string& method : integrators(true)) {
    Mechanism f(model("[0, 0, 0]", "  s: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.02], position: [0.4, 0, 0]}\n",
                      "  way: {type: prismatic, between: [ground, s], at: [0.4, 0, 0], axis: y}\n"
                      "  cam: {type: constraint, zero: \"(1 + 0.5*t)*(way.displacement - 0.05*sin(20*t))\"}\n"),
                {setting(method, 2e-4, 1e-8)});
    ASSERT_TRUE(f.go(t)) << method;
    const double fast = b * w * std::cos(w * t), slow = b * w;
    const double rough = second_order(method) ? 1e-4 : 1e-6;  // (w h)^2 = 1.6e-5
    EXPECT_NEAR(f.read("way.displacement"), b * std::sin(w * t), 1e-8) << method;
    EXPECT_NEAR(f.run().ledger().supplied(), 0.5 * m * (fast * fast - slow * slow), rough) << method;
    EXPECT_LT(f.residual(), rough) << method;
  }
}

}  // namespace
}  // namespace bristle
