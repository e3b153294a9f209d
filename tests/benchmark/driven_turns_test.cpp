// Drives of joints that leave all turns free: ball joints, constant velocity joints, bodies led in space. Torques, work and refusals.
#include <gtest/gtest.h>

#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

/// A symmetric body that precesses steadily about z, leans by `lean` and spins about its own axis.
struct Precession {
  double across = 0.02, along = 0.03, lean = 0.7, turn = 3,
         spin = 20;  // moments of inertia about the fixed point; [rad], [rad/s]
  /// [N m] along the line of nodes: Omega sin(theta) (C (sigma + Omega cos(theta)) - A Omega cos(theta))
  double torque() const {
    const double c = std::cos(lean);
    return turn * std::sin(lean) * (along * (spin + turn * c) - across * turn * c);
  }
  Vector3d nodes(double t) const { return {std::cos(turn * t), std::sin(turn * t), 0}; }
  Eigen::Matrix3d attitude(double t) const {
    return (Eigen::AngleAxisd(turn * t, Vector3d::UnitZ()) * Eigen::AngleAxisd(lean, Vector3d::UnitX()) *
            Eigen::AngleAxisd(spin * t, Vector3d::UnitZ()))
        .toRotationMatrix();
  }
  /// World components of the angular velocity.
  std::string rates() const {
    const double s = spin * std::sin(lean);
    return fmt::format(
        "angular_velocity_x: \"{0:.17g}*sin({1}*t)\", angular_velocity_y: \"-{0:.17g}*cos({1}*t)\", angular_velocity_z: {2:.17g}",
        s, turn, turn + spin * std::cos(lean));
  }
  std::string orientation() const {
    return fmt::format("orientation: [{{z: \"{}*t\"}}, {{x: {}}}, {{z: \"{}*t\"}}]", turn, lean, spin);
  }
  std::string text(const std::string& drive) const {
    return fmt::format(
        "bristle: 1\nbodies:\n  top: {{type: rigid, mass: 1, inertia: [{0}, {0}, {1}], orientation: {{axis: x, angle: {2}}}}}\n"
        "joints:\n  ball: {{type: spherical, between: [{{body: ground, at: [0, 0, 0]}}, {{body: top, at: [0, 0, 0]}}], drive: {{{3}}}}}\n"
        "analysis: {{type: transient, end: 1 s, integrator: {{type: rk4, step: 0.5 ms}}}}\n",
        across, along, lean, drive);
  }
};

/// Energy schemes give forces over whole steps: half a step late, and without damping they swing by the error of a step over its length.
bool over_steps(const std::string& method) { return method == "energy_preserving" || method == "energy_decaying"; }

/// What the drive does to B, in world axes.
Vector3d driving(Mechanism& m) {
  const Vector3d local(m.read("ball.drive_turn_x.force"), m.read("ball.drive_turn_y.force"), m.read("ball.drive_turn_z.force"));
  return m.attitude("top") * local;
}

TEST(DrivenTurns, orientation_in_steady_precession_needs_the_gyroscopic_torque_with_every_method) {
  const Precession p;
  for (const std::string& method : integrators(true)) {
    Mechanism m(p.text(p.orientation()), {setting(method, 5e-4, 1e-9)});
    ASSERT_TRUE(m.go(0.5)) << method;
    const double t = 0.5, rough = over_steps(method) ? 6 * 5e-4 * p.spin : second_order(method) ? 1e-3 : 1e-6;
    EXPECT_LT((m.attitude("top") - p.attitude(t)).norm(), 1e-8) << method;
    EXPECT_LT((driving(m) - p.torque() * p.nodes(t)).norm(), rough * p.torque()) << method << ": " << driving(m).transpose();
    // the torque is square to the angular velocity; energy_decaying takes some of the energy out
    EXPECT_NEAR(m.run().ledger().supplied(), 0, method == "energy_decaying" ? 1e-3 : over_steps(method) ? 1e-5 : 1e-6) << method;
  }
}

TEST(DrivenTurns, angles_and_speeds_are_those_of_the_turns_one_after_the_other) {
  const std::string drives[] = {"angle_x: \"0.8*sin(3*t)\", angle_y: \"0.6*t\", angle_z: \"9*t\"",
                                "speed_x: \"2.4*cos(3*t)\", speed_y: 0.6, speed_z: 9"};
  for (const std::string& drive : drives) {
    for (const std::string& method : integrators(true)) {
      Mechanism m(Precession{.lean = 0}.text(drive), {setting(method, 5e-4, 1e-9)});
      ASSERT_TRUE(m.go(1)) << method;
      const Eigen::Matrix3d R = (Eigen::AngleAxisd(0.8 * std::sin(3.0), Vector3d::UnitX()) *
                                 Eigen::AngleAxisd(0.6, Vector3d::UnitY()) * Eigen::AngleAxisd(9, Vector3d::UnitZ()))
                                    .toRotationMatrix();
      const double rough = drive[0] == 's' ? (second_order(method) ? 1e-6 : 1e-7) : 1e-8;  // speeds are added up by the method
      const double fast = second_order(method) ? 1e-4 : 1e-6;                              // (9 rad/s * 0.5 ms)^2 9 rad/s
      EXPECT_LT((m.attitude("top") - R).norm(), rough) << method << ": " << drive;
      EXPECT_NEAR(m.read("ball.angle_z"), 9, rough) << method;
      EXPECT_NEAR(m.read("ball.speed_x"), 2.4 * std::cos(3.0), fast) << method;
      EXPECT_NEAR(m.read("ball.speed_z"), 9, fast) << method;
      EXPECT_LT(m.residual(), second_order(method) ? 1e-4 : 1e-7) << method;
    }
  }
}

TEST(DrivenTurns, angular_velocity_leads_as_its_integral_or_is_refused_by_name) {
  const Precession p;
  int refused = 0;
  for (const std::string& method : integrators(true)) {
    const std::string text = p.text(p.rates());
    try {
      Mechanism m(text, {setting(method, 5e-4, 1e-9)});
      ASSERT_TRUE(m.go(0.5)) << method;
      EXPECT_LT((m.attitude("top") - p.attitude(0.5)).norm(), second_order(method) ? 2e-4 : 1e-6) << method;
      const Vector3d torque(m.read("ball.drive_angular_velocity_x.force"), m.read("ball.drive_angular_velocity_y.force"),
                            m.read("ball.drive_angular_velocity_z.force"));
      EXPECT_LT((torque - p.torque() * p.nodes(0.5)).norm(), (over_steps(method) ? 6 * 5e-4 * p.spin : 1e-3) * p.torque())
          << method;
    } catch (const InputError& e) {
      ++refused;
      EXPECT_NE(std::string(e.what()).find("joint 'ball' holds a rate"), std::string::npos) << method << ": " << e.what();
    }
  }
  EXPECT_EQ(refused, 3);  // generalized_alpha, hht, newmark
}

/// One angle of three is driven, the others are free: the work of the drive is what the energy grows by.
TEST(DrivenTurns, of_one_angle_leave_the_others_free) {
  for (const char* drive :
       {"angle_x: \"0.3 + 0.5*t^2\"", "angle_y: \"0.5*t^2\"", "angle_z: \"5*t + 3*t^2\"", "angular_velocity_z: \"5 + 6*t\""}) {
    std::string text = Precession{.across = 0.02, .along = 0.035, .lean = 0.3}.text(drive);
    text.replace(text.find("bodies:"), 7, "gravity: [0, 0, -9.81]\nbodies:");
    text.replace(text.find("mass: 1,"), 8, "mass: 1, center: [0, 0, 0.05],");
    Mechanism m(text);
    m.start();
    const double before = m.run().ledger().energy().total();
    ASSERT_TRUE(m.go(0.3)) << drive;
    EXPECT_EQ(m.layout().freedoms, 2) << drive;
    EXPECT_NEAR(m.run().ledger().energy().total() - before, m.run().ledger().supplied(), 1e-8) << drive;
    EXPECT_GT(std::abs(m.run().ledger().supplied()), 1e-4) << drive;
  }
}

TEST(DrivenTurns, past_a_quarter_turn_orientation_goes_on_and_angles_end_with_a_sentence) {
  const std::string turns = "{x: \"0.2*t\"}, {y: \"3*t\"}, {z: \"t\"}";
  const Precession body{.lean = 0};
  Mechanism m(body.text("orientation: [" + turns + "]"));
  ASSERT_TRUE(m.go(1));
  const Eigen::Matrix3d R = (Eigen::AngleAxisd(0.2, Vector3d::UnitX()) * Eigen::AngleAxisd(3, Vector3d::UnitY()) *
                             Eigen::AngleAxisd(1, Vector3d::UnitZ()))
                                .toRotationMatrix();
  EXPECT_LT((m.attitude("top") - R).norm(), 1e-9);
  for (const char* method : {"rk4", "dormand_prince", "generalized_alpha", "energy_preserving", "radau5"}) {
    Mechanism n(body.text("angle_x: \"0.2*t\", angle_y: \"3*t\", angle_z: t"), {setting(method, 1e-3, 1e-6)});
    auto& run = n.start();
    EXPECT_FALSE(run.advance_to(1)) << method;
    EXPECT_LT(run.state().t, 0.55) << method;
    EXPECT_NE(run.message().find("joint 'ball'"), std::string::npos) << method << ": " << run.message();
  }
}

/// A constant velocity joint bent by its drives: the shafts stay without twist, and bend by the length of (bend_x, bend_y).
TEST(DrivenTurns, bend_a_constant_velocity_joint) {
  const std::string text =
      "bristle: 1\nbodies:\n  shaft: {type: rigid, mass: 1, inertia: [0.02, 0.03, 0.01], position: [0, 0, 0.1]}\n"
      "joints:\n  cv: {type: constant_velocity, between: [ground, shaft], at: [0, 0, 0], drive: {bend_x: \"0.6*sin(2*t)\", bend_speed_y: 0.5}}\n"
      "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 0.5 ms}}\n";
  for (const std::string& method : integrators(true)) {
    Mechanism m(text, {setting(method, 5e-4, 1e-9)});
    ASSERT_TRUE(m.go(1)) << method;
    const Vector3d bend(0.6 * std::sin(2.0), 0.5, 0);
    const Eigen::Matrix3d R = Eigen::AngleAxisd(bend.norm(), bend.normalized()).toRotationMatrix();
    EXPECT_LT((m.attitude("shaft") - R).norm(), 1e-7) << method;
    EXPECT_NEAR(m.read("cv.bend_x"), bend.x(), 1e-8) << method;
    EXPECT_NEAR(m.read("cv.bend_speed_y"), 0.5, 1e-6) << method;
    EXPECT_LT(m.residual(), second_order(method) ? 1e-4 : 1e-7) << method;
  }
}

/// A body led through space: place and attitude are given, the drives give its inertia and weight.
TEST(DrivenTurns, lead_a_body_through_space) {
  const std::string text =
      "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n  hand: {type: rigid, mass: 2, inertia: [0.02, 0.02, 0.03]}\n"
      "joints:\n  way: {type: free, between: [ground, hand], at: [0, 0, 0], drive: {x: \"cos(2*t) - 1\", y: \"sin(2*t)\", z: 0.5*t, "
      "orientation: [{z: \"3*t\"}, {x: \"0.7\"}, {z: \"20*t\"}]}}\n"
      "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 0.5 ms}}\n";
  Mechanism m(text);
  ASSERT_TRUE(m.go(0.5));
  EXPECT_EQ(m.layout().freedoms, 0);
  EXPECT_NEAR(m.read("way.drive_x.force"), -2 * 4 * std::cos(1.0), 1e-6);
  EXPECT_NEAR(m.read("way.drive_y.force"), -2 * 4 * std::sin(1.0), 1e-6);
  EXPECT_NEAR(m.read("way.drive_z.force"), 2 * 9.81, 1e-6);
  const Vector3d local(m.read("way.drive_turn_x.force"), m.read("way.drive_turn_y.force"), m.read("way.drive_turn_z.force"));
  const Precession p;
  EXPECT_LT((m.attitude("hand") * local - p.torque() * p.nodes(0.5)).norm(), 1e-6);
  EXPECT_NEAR(m.run().ledger().supplied(), 2 * 9.81 * 0.25, 1e-6);
}

TEST(DrivenTurns, are_refused_where_they_contradict_each_other_or_nothing_turns) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      Mechanism m(text);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const Precession p;
  const std::pair<std::string, const char*> cases[] = {
      {p.text("orientation: [{z: t}], angle_x: 0"), "orientation drives every turn of the joint; leave out angle_x"},
      {p.text("orientation: [{w: t}]"), "the axes are x, y, z"},
      {p.text("orientation: []"), "is a list of turns"},
      {p.text("orientation: 3"), "is a list of turns"},
      {p.text("orientation: [{z: \"top.velocity.x\"}]"), "a drive is a function of t"},
      {p.text("angle: t"), "this joint has no motion 'angle'."},
      {p.text("angle_x: t, speed_x: 1"), "give angle_x or speed_x, not both"},
      {"bristle: 1\nbodies:\n  bob: {type: particle, mass: 1}\njoints:\n"
       "  ball: {type: spherical, between: [ground, bob], at: [0, 0, 0], drive: {angle_x: t}}\n"
       "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n",
       "particles do not turn"},
      {"bristle: 1\nbodies:\n  disc: {type: planar, mass: 1, inertia: 1}\njoints:\n"
       "  ball: {type: spherical, between: [ground, disc], at: [0, 0, 0], drive: {angle_x: t}}\n"
       "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n",
       "the bodies move in the plane x, y, where this joint leaves no motion 'angle_x'"}};
  for (const auto& [text, why] : cases) EXPECT_NE(refusal(text).find(why), std::string::npos) << refusal(text) << "\n" << text;
}

}  // namespace
}  // namespace bristle
