// What a model must not say is refused at its place, with the names that are known and a way out.
#include <gtest/gtest.h>

#include "bristle/base/error.h"
#include "support/models.h"

namespace bristle {
namespace {

const std::string kArm = R"(bristle: 1
bodies:
  arm: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.1, 0, 0]}
  disc: {type: planar, mass: 1, inertia: 1}
)";
const std::string kRun = "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n";

/// What assembly says; "" when it takes the model.
std::string said(const std::string& more) {
  try {
    Trial trial(kArm + more + kRun);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}
void expect_said(const std::string& more, const std::string& fragment) {
  EXPECT_NE(said(more).find(fragment), std::string::npos) << more << "\n" << said(more);
}

TEST(Axes, that_point_the_same_way_are_refused) {
  const std::string joint = "joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: z, x_axis: ";
  EXPECT_EQ(said(joint + "[1, 1, 1]}\n"), "");
  expect_said(joint + "z}\n", ":6:81  joint 'pin': x_axis points along axis");
  expect_said(joint + "-z}\n", "leave x_axis out");
  expect_said("joints:\n  pin: {type: revolute, between: [{body: ground, axis: x, x_axis: [2, 0, 0]}, arm]}\n",
              "x_axis points along axis");
  expect_said(
      "joints:\n  floor:\n    type: contact\n    between: [ground, arm]\n"
      "    surfaces: [{type: plane, x_axis: z}, {type: sphere, radius: 10 mm}]\n    contact: {type: linear, stiffness: 1}\n",
      "x_axis points along axis");
}

TEST(Forces, on_bodies_in_space_have_three_components) {
  expect_said("forces:\n  jet: {type: force, on: arm, force: [1, 2]}\n", "force takes three numbers or expressions");
  expect_said("forces:\n  jet: {type: torque, on: arm, torque: [1, 2]}\n", ", got 2");
  expect_said("forces:\n  air: {type: drag, on: arm, linear: 1, wind: [1, 2]}\n", "wind takes three");
  EXPECT_EQ(said("forces:\n  jet: {type: force, on: disc, force: [1, 2]}\n"), "");
}

TEST(Clearance, is_asked_for_by_what_belongs_to_it) {
  const std::string joint = "joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]";
  expect_said(joint + ", acts_on: first}\n", "acts_on belongs to clearance, which this joint does not have");
  expect_said(joint + ", length: 20 mm}\n", "length belongs to clearance");
  expect_said(joint + ", overlap: keep}\n", "overlap belongs to clearance");
  const std::string worn = ", clearance: 0.1 mm, pin_radius: 10 mm, contact: {type: linear, stiffness: 1 MN/m}";
  EXPECT_EQ(said(joint + worn + ", acts_on: first, length: 20 mm}\n"), "");
  expect_said(joint + worn + ", friction_arm: 20 mm}\n", "friction_arm is of a joint without play");
}

TEST(UnknownNames, are_answered_by_those_that_are_known) {
  expect_said("joints:\n  slot: {type: planar, between: [ground, disc], at: [0, 0], stops: {angel: {upper: 1, stiffness: 1}}}\n",
              "this joint has no motion 'angel'. Did you mean 'angle'? Known: x, y, angle");
  expect_said(
      "forces:\n  push: {type: load, on: pin.angel, force: 1}\njoints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}\n",
      "pin.angle");
  expect_said("forces:\n  jet: {type: force, on: arm, force: [arm.velocty.x, 0, 0]}\n",
              "there is no channel 'arm.velocty.x' that an expression can read. Did you mean 'arm.velocity.x'? Known: ");
  expect_said(
      "joints:\n  g: {type: gear, between: [a.angle, b.angle], ratio: 1}\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}\n",
      "there is no motion 'a.angle'.");
}

TEST(Couplings, without_play_have_nothing_that_belongs_to_it) {
  const std::string pins =
      "joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}\n"
      "  hinge: {type: revolute, between: [ground, disc], at: [0, 0]}\n";
  const std::string mesh = pins + "  mesh: {type: gear, between: [pin.angle, hinge.angle], ratio: 1";
  EXPECT_EQ(said(mesh + "}\n"), "");
  expect_said(mesh + ", contact: {type: linear, stiffness: 1}}\n", "contact belongs to clearance: without it there is no play");
  expect_said(mesh + ", arm: 1}\n", "arm belongs to clearance");
  expect_said(mesh + ", clearance: 1 mm, arm: 1}\n", "clearance needs contact");
  expect_said(
      pins +
          "  slide: {type: prismatic, between: [ground, arm], at: [0, 0, 0]}\n"
          "  play: {type: backlash, on: slide.displacement, clearance: 1 mm, arm: 1, contact: {type: linear, stiffness: 1}}\n",
      "arm is the radius at which a turn is stopped");
}

TEST(DrivenBodies, either_move_or_turn) {
  const auto belt = [](const std::string& keys) { return "bodies:\n  belt: {type: driven, " + keys + "}\n"; };
  const auto problem = [&](const std::string& keys) -> std::string {
    try {
      Trial trial("bristle: 1\n" + belt(keys) + kRun);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  for (const char* fine :
       {"velocity: 0.1", "velocity: 0.1, position: 2 m", "position: \"sin(t)\"", "angle: \"t\"", "speed: 3, angle: 1"})
    EXPECT_EQ(problem(fine), "") << fine;
  EXPECT_NE(problem("angle: \"t\", velocity: 1").find("the body turns, by its angle or speed; leave velocity out"),
            std::string::npos);
  EXPECT_NE(problem("velocity: 1, position: \"sin(t)\"").find("position is where the body starts: a number"), std::string::npos);
}

TEST(Stops, have_their_channels_whether_they_damp_or_not) {
  const std::string joint =
      "joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], stops: {upper: 1, stiffness: 1";
  for (const char* damping : {"", ", damping: 0", ", damping: 1"}) {
    Trial trial(kArm + joint + damping + "}}\n" + kRun);
    bool found = false;
    for (const Account& a : trial.system().layout().accounts) found = found || a.name == "pin.stops";
    EXPECT_TRUE(found) << damping;
  }
}

TEST(Loops, of_forces_are_found_whatever_their_elements_are_called) {
  // quotes in names do not hide them
  expect_said(
      "forces:\n  \"p'q\": {type: load, on: pin.angle, force: \"1\"}\n  pull: {type: load, on: pin.angle, force: \"2*pull.force\"}\n"
      "joints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}\n",
      "force 'pull': 'pull.force' depends on this very expression");
}

}  // namespace
}  // namespace bristle
