// Surfaces that touch, as the model file has them: shapes, overlap at the start, what they report; what cannot be is refused in a sentence.
#include <gtest/gtest.h>

#include "bristle/assemble/assemble.h"
#include "bristle/base/error.h"
#include "bristle/model/model.h"
#include "support/probe.h"

namespace bristle {
namespace {

using namespace test;

const std::string kAnalysis = "analysis: {type: transient, end: 1 s, integrator: {type: dormand_prince, tolerance: 1e-9}}\n";

std::string problem(const std::string& text) {
  try {
    Trial trial(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

/// A body on a floor, touching with a surface.
std::string on_floor(const std::string& surface, const std::string& start, const std::string& more = "") {
  return "bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n  body: {type: rigid, mass: 2, inertia: [0.01, 0.012, 0.014], " + start +
         "}\njoints:\n  floor: {type: contact, between: [ground, body], surfaces: [{type: plane, axis: z}, " + surface +
         "], contact: {type: hertz, stiffness: 1e8 N/m^1.5, dissipation: 10}" + more + "}\n" + kAnalysis;
}

TEST(Surface, of_an_unknown_type_is_refused_with_those_there_are) {
  const std::string words = problem(on_floor("{type: torus, radius: 1 m}", "position: [0, 0, 1]"));
  EXPECT_NE(words.find("there is no surface 'torus'"), std::string::npos) << words;
  for (const char* known : {"sphere", "capsule", "superquadric", "mesh"})
    EXPECT_NE(words.find(known), std::string::npos) << words;
  EXPECT_NE(problem(on_floor("{type: superquadric, half_axes: [0.1, 0.1, 0.1], exponents: [1, 2]}", "position: [0, 0, 1]"))
                .find("must be > 1 and at most 20"),
            std::string::npos);
  EXPECT_NE(
      problem(on_floor("{type: superquadric, half_axes: [0.1, 0.1, 0.1], exponents: 3}", "position: [0, 0, 1]")).find("[p, q]"),
      std::string::npos);
}

TEST(Surface, tube_needs_a_wall_and_a_partner_it_knows) {
  const std::string words =
      problem(on_floor("{type: tube, outer_radius: 20 mm, inner_radius: 20 mm, length: 1}", "position: [0, 0, 1]"));
  EXPECT_NE(words.find("inner_radius must be smaller than outer_radius = 0.02 [m], got 0.02 [m]"), std::string::npos) << words;
  std::string egg = on_floor("{type: tube, outer_radius: 20 mm, inner_radius: 10 mm, length: 1}", "position: [0, 0, 1]");
  egg.replace(egg.find("{type: plane, axis: z}"), 22, "{type: ellipsoid, half_axes: [0.1, 0.1, 0.1]}");
  EXPECT_NE(problem(egg).find("a tube meets planes, spheres"), std::string::npos) << problem(egg);
}

TEST(Surface, superquadric_rests_on_its_flat_side) {
  // nearly a box of half height 0.04: it stands at that height less the depth of its weight
  Mechanism m(on_floor("{type: superquadric, half_axes: [0.1, 0.08, 0.04], exponents: [6, 6]}", "position: [0, 0, 0.04]"));
  ASSERT_TRUE(m.go(1));
  EXPECT_NEAR(m.read("body.position.z"), 0.04 - std::pow(2 * 9.81 / 1e8, 2.0 / 3), 1e-7);
  EXPECT_NEAR(m.read("floor.normal_force"), 2 * 9.81, 1e-3);
}

TEST(Surface, superquadric_of_exponents_two_is_the_ellipsoid) {
  const std::string start = "position: [0, 0, 0.2], orientation: {axis: [1, 2, 3], angle: 40 deg}, angular_velocity: [1, 3, 2]";
  Mechanism a(on_floor("{type: ellipsoid, half_axes: [0.1, 0.06, 0.04]}", start)),
      b(on_floor("{type: superquadric, half_axes: [0.1, 0.06, 0.04], exponents: [2, 2]}", start));
  ASSERT_TRUE(a.go(0.25));
  ASSERT_TRUE(b.go(0.25));
  EXPECT_LT((a.vector("body.position") - b.vector("body.position")).norm(), 1e-9);
}

const std::string kWedge =
    "{type: mesh, points: [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0], [0, 0, 0.1]], triangles: "
    "[[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]";

TEST(Surface, convex_mesh_rests_on_four_corners_and_others_are_refused) {
  Mechanism m(on_floor(kWedge + "}", "position: [0, 0, 1 um]"));
  ASSERT_TRUE(m.go(1));
  for (int k = 1; k <= 4; ++k) EXPECT_NEAR(m.read(fmt::format("floor.{}.normal_force", k)), 0.5 * 9.81, 1e-2) << k;
  // the top pushed below the base: no longer convex
  std::string dented = kWedge;
  dented.replace(dented.find("[0, 0, 0.1]"), 11, "[0, 0.3, 0.1]");
  dented.replace(dented.find("[-0.1, -0.1, 0]"), 15, "[0, 0.05, 0]");
  EXPECT_NE(problem(on_floor(dented + "}", "position: [0, 0, 1]")).find("not convex"), std::string::npos)
      << problem(on_floor(dented + "}", "position: [0, 0, 1]"));
}

TEST(Clearance, on_a_joint_that_cannot_have_it_says_which_can) {
  const std::string words = problem(
      "bristle: 1\nbodies:\n  arm: {type: rigid, mass: 1, inertia: [1, 1, 1]}\njoints:\n  a: {type: universal, between: [ground, arm], at: [0, 0, 0], "
      "axis: x, second_axis: y, clearance: 1 mm}\n" +
      kAnalysis);
  EXPECT_NE(words.find("a universal joint has no clearance; revolute, prismatic"), std::string::npos) << words;
}

TEST(Overlap, is_refused_or_resolved_by_the_least_motion_and_said) {
  const std::string ball = "{type: sphere, radius: 50 mm}", sunk = "position: [0.1, 0, 0.048]";
  EXPECT_NE(problem(on_floor(ball, sunk)).find("overlap: resolve"), std::string::npos) << problem(on_floor(ball, sunk));
  Mechanism m(on_floor(ball, sunk, ", overlap: resolve"));
  m.start();
  EXPECT_NEAR(m.read("body.position.z"), 0.05, 1e-11);
  EXPECT_NEAR(m.read("body.position.x"), 0.1, 1e-12);
  const auto moved = assemble_and_tell(read_model_text(on_floor(ball, sunk, ", overlap: resolve"), "test.yaml")).moved;
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0], "'body' by 2 mm");
  const Model apart = read_model_text(on_floor(ball, "position: [0, 0, 0.06]", ", overlap: resolve"), "test.yaml");
  EXPECT_TRUE(assemble_and_tell(apart).moved.empty());
}

TEST(Overlap, is_shared_by_two_free_bodies_and_keeps_joints_and_other_gaps) {
  // two balls in each other by 4 mm, the first on a rail along x, the second on the floor
  const std::string text =
      "bristle: 1\nbodies:\n  a: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.05]}\n"
      "  b: {type: rigid, mass: 5, inertia: [5e-3, 5e-3, 5e-3], position: [0.096, 0, 0.05]}\n"
      "joints:\n  rail: {type: prismatic, between: [ground, a], at: [0, 0, 0.05], axis: x}\n"
      "  hit: {type: contact, between: [a, b], surfaces: [{type: sphere, radius: 50 mm}, {type: sphere, radius: 50 mm}], overlap: resolve, contact: "
      "{type: hertz, stiffness: 1e8 N/m^1.5}}\n"
      "  floor: {type: contact, between: [ground, b], surfaces: [{type: plane}, {type: sphere, radius: 50 mm}], contact: {type: hertz, stiffness: 1e8 N/m^1.5}}\n" +
      kAnalysis;
  Mechanism m(text);
  m.start();
  EXPECT_NEAR(m.read("hit.gap"), 0, 1e-11);
  EXPECT_NEAR(m.read("a.position.x"), -0.002, 1e-9);
  EXPECT_NEAR(m.read("b.position.x"), 0.098, 1e-9);
  EXPECT_NEAR(m.read("rail.displacement"), -0.002, 1e-9);
  EXPECT_GE(m.read("floor.gap"), -1e-11);
}

TEST(Overlap, that_no_motion_takes_away_is_refused) {
  const std::string text =
      "bristle: 1\nbodies:\n  a: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3], position: [0, 0, 0.04]}\n"
      "joints:\n  weld: {type: fixed, between: [ground, a], at: [0, 0, 0]}\n"
      "  floor: {type: contact, between: [ground, a], surfaces: [{type: plane}, {type: sphere, radius: 50 mm}], overlap: resolve, contact: {type: hertz, stiffness: "
      "1e8 N/m^1.5}}\n" +
      kAnalysis;
  EXPECT_NE(problem(text).find("no motion of the bodies that keeps the joints takes them apart"), std::string::npos)
      << problem(text);
}

TEST(WornJoint, reports_the_whole_force_it_carries) {
  // at rest in its hole: the contact carries the weight, the held rows nothing; hung beside its centre also a moment
  for (const char* contact : {"{type: hertz, stiffness: 1e9 N/m^1.5, dissipation: 30}", "{type: rigid, restitution: 0}"}) {
    const bool rigid = std::string(contact).find("rigid") != std::string::npos;
    Mechanism m(
        "bristle: 1\ngravity: [0, -9.81, 0]\nbodies:\n  rotor: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, -0.1 mm, 0.03]}\n"
        "joints:\n  main: {type: revolute, between: [{body: ground, at: [0, 0, 0]}, {body: rotor, at: [0, 0, -0.03]}], clearance: 0.1 mm, pin_radius: 10 mm, contact: " +
            std::string(contact) + ", friction: {type: coulomb, mu_kinetic: 0.2}}\n" + kAnalysis,
        rigid ? std::vector<std::string>{"analysis.integrator={type: moreau_jean, step: 0.1 ms}"} : std::vector<std::string>{});
    ASSERT_TRUE(m.go(0.5)) << contact;
    EXPECT_NEAR(m.read("main.force.y"), 2 * 9.81, 1e-3) << contact;
    EXPECT_NEAR(m.read("main.force.x"), 0, 1e-3) << contact;
    // about the frame of the joint, 30 mm behind the centre of mass
    EXPECT_NEAR(m.read("main.moment.x"), -2 * 9.81 * 0.03, 1e-3) << contact;
  }
}

TEST(WornJoint, force_is_what_accelerates_the_body) {
  Mechanism m(
      "bristle: 1\nbodies:\n  ball: {type: rigid, mass: 2, inertia: [0.01, 0.01, 0.01], velocity: [1, 0.4, 0.2], angular_velocity: [30, 50, 80]}\n"
      "joints:\n  socket: {type: spherical, between: [ground, ball], at: [0, 0, 0], clearance: 0.1 mm, pin_radius: 20 mm, contact: {type: flores, stiffness: 1e8 "
      "N/m^1.5, restitution: 0.7}, friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.2, sigma0: 1e4 1/m, sigma1: 10 s/m}}\n" +
      kAnalysis);
  m.start();
  double most = 0;
  while (m.run().state().t < 0.01) {
    ASSERT_TRUE(m.run().advance(0.01)) << m.run().message();
    const Vector3d force = m.vector("socket.force");
    ASSERT_LT((force - 2 * m.vector("ball.acceleration")).norm(), 1e-9 * (1 + force.norm())) << m.run().state().t;
    most = std::max(most, force.norm());
  }
  EXPECT_GT(most, 100);
}

TEST(ContactPoint, travel_is_the_slip_added_up_while_it_presses) {
  // slides to a stop: v^2/(2 mu g), along the tangent
  Mechanism m(on_floor("{type: sphere, radius: 50 mm}", "position: [0, 0, 0.05], velocity: [0, 0.5, 0]",
                       ", friction: {type: coulomb, mu_kinetic: 0.2}, overlap: keep"),
              {"bodies.body={type: particle, mass: 2, position: [0, 0, 0.0499966], velocity: [0, 0.5, 0]}"});
  ASSERT_TRUE(m.go(0.5));
  const Vector3d t = m.vector("floor.tangent"), n = m.vector("floor.normal");
  EXPECT_NEAR(n.z(), 1, 1e-12);
  const Vector3d way = m.read("floor.travel.1") * t + m.read("floor.travel.2") * n.cross(t);
  EXPECT_NEAR(way.y(), m.read("body.position.y"), 1e-5);
  EXPECT_NEAR(way.y(), 0.25 / (2 * 0.2 * 9.81), 1e-3);
  EXPECT_NEAR(way.x(), 0, 1e-9);
}

TEST(ContactPoint, bristles_go_with_a_rolling_ball) {
  // the point of contact travels around the ball, the deflection stays what holds it: 2/7 of the weight along the slope
  const double mass = 1, radius = 0.02, slope = 0.2, inertia = 0.4 * mass * radius * radius;
  const double depth = std::pow(mass * 9.81 * std::cos(slope) / 1e9, 2.0 / 3);
  Mechanism m(fmt::format(R"(bristle: 1
gravity: [{0:.17g}, 0, {1:.17g}]
bodies:
  ball: {{type: rigid, mass: 1, inertia: [{2:.17g}, {2:.17g}, {2:.17g}], position: [0, 0, {3:.17g}]}}
joints:
  floor: {{type: contact, between: [ground, ball], surfaces: [{{type: plane, axis: z}}, {{type: sphere, radius: 20 mm}}], overlap: keep,
    contact: {{type: hertz, stiffness: 1e9 N/m^1.5, dissipation: 10}},
    friction: {{type: lugre, mu_static: 0.3, mu_kinetic: 0.3, sigma0: 1e5 1/m, sigma1: 300 s/m, stribeck_velocity: 1 mm/s}}}}
)",
                          9.81 * std::sin(slope), -9.81 * std::cos(slope), inertia, radius - depth) +
              kAnalysis);
  m.start();
  const double held = 2.0 / 7 * mass * 9.81 * std::sin(slope);
  double turned = 0;
  while (m.run().state().t < 1) {
    const double before = m.run().state().t;
    ASSERT_TRUE(m.run().advance(1)) << m.run().message();
    turned += (m.run().state().t - before) * m.read("ball.angular_velocity.y");
    if (m.run().state().t > 0.1) {
      ASSERT_NEAR(m.vector("ball.acceleration").x(), 9.81 * std::sin(slope) - held / mass, 0.01 * held) << m.run().state().t;
    }
  }
  EXPECT_GT(turned, 4 * 2 * M_PI);
  EXPECT_NEAR(m.read("ball.velocity.x"), 5.0 / 7 * 9.81 * std::sin(slope), 0.01);
}

TEST(ContactPoint, bristles_are_released_on_separation) {
  Mechanism m(on_floor("{type: sphere, radius: 50 mm}", "position: [0, 0, 0.06], velocity: [0.3, 0.1, 0]",
                       ", friction: {type: lugre, mu_static: 0.3, mu_kinetic: 0.2, sigma0: 1e4 1/m, sigma1: 10 s/m}"),
              {"joints.floor.contact={type: hertz, stiffness: 1e8 N/m^1.5}"});
  m.start();
  int left = 0;
  bool bent = false;
  while (left < 5) {
    ASSERT_TRUE(m.run().advance(10)) << m.run().message();
    const State& x = m.run().state();
    const double z = std::hypot(x.z()[0], x.z()[1]);
    if (m.read("floor.gap") > 0) {
      ASSERT_EQ(z, 0) << x.t;
      left += bent;
      bent = false;
    } else {
      bent = bent || z > 1e-3;
    }
  }
}

}  // namespace
}  // namespace bristle
