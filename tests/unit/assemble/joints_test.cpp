// How joints between bodies in space are read: ends, motions, stops and drives; what cannot work is refused in a sentence.
#include <gtest/gtest.h>

#include "bristle/base/error.h"
#include "support/models.h"

namespace bristle {
namespace {

/// Two planar and two rigid bodies, and one joint.
std::string model(const std::string& joint) {
  return R"(bristle: 1
bodies:
  disc: {type: planar, mass: 1, inertia: 1}
  plate: {type: planar, mass: 1, inertia: 1, position: [1, 0]}
  arm: {type: rigid, mass: 1, inertia: [1, 1, 1], frames: {f: {at: [0.5, 0, 0], axis: x}, g: {at: [0, 0, 0]}}}
  rod: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0], frames: {f: {at: [-0.5, 0, 0], axis: y}}}
joints:
  a: {)" +
         joint + "}\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n";
}
/// What assembly says to a joint; "" when it takes it.
std::string problem(const std::string& joint) {
  try {
    Trial trial(model(joint));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}
void expect_problem(const std::string& joint, const std::string& fragment) {
  EXPECT_NE(problem(joint).find(fragment), std::string::npos) << joint << "\n" << problem(joint);
}

TEST(Stops, may_be_on_several_motions_of_a_joint) {
  Trial trial(
      model("type: planar, between: [ground, disc], at: [0, 0], "
            "stops: {x: {upper: -0.1, stiffness: 3}, y: {upper: -0.2, stiffness: 5}}"));
  trial.start();
  const auto read = [&](const char* name) { return trial.outputs()[static_cast<std::size_t>(trial.channel(name))]; };
  EXPECT_NEAR(std::abs(read("a.stops_x.force")), 0.3, 1e-12);
  EXPECT_NEAR(std::abs(read("a.stops_y.force")), 1, 1e-12);
  // one of them needs no other name
  Trial one(model("type: planar, between: [ground, disc], at: [0, 0], stops: {x: {upper: 1, stiffness: 3}}"));
  EXPECT_GE(one.channel("a.stops.force"), 0);
}

TEST(Stops, and_drives_are_refused_on_motions_that_the_plane_does_not_allow) {
  const std::string joint = "type: cylindrical, between: [ground, disc], at: [0, 0], axis: x";
  EXPECT_EQ(problem(joint), "");
  const std::string sentence = "the bodies move in the plane x, y, where this joint leaves no motion 'angle'";
  expect_problem(joint + ", stops: {angle: {upper: 1, stiffness: 1}}", "joint 'a': stops: " + sentence + " to stop");
  expect_problem(joint + ", drive: {angle: t}", "joint 'a': drive: " + sentence + " to drive");
  expect_problem(joint + ", drive: {speed: 1}", sentence + " to drive");
  EXPECT_EQ(problem(joint + ", stops: {displacement: {upper: 1, stiffness: 1}}"), "");
  EXPECT_EQ(problem(joint + ", drive: {displacement: t}"), "");
}

TEST(Screw, is_refused_between_planar_bodies) {
  expect_problem("type: screw, between: [ground, disc], at: [0, 0], axis: x, lead: 5 mm",
                 "the bodies move in the plane x, y, where a screw joint cannot have its angle");
  expect_problem("type: screw, between: [disc, plate], at: [0, 0], axis: z, lead: 5 mm", "cannot have its displacement");
  EXPECT_EQ(problem("type: screw, between: [ground, arm], at: [0, 0, 0], axis: x, lead: 5 mm"), "");
}

TEST(Universal, takes_one_of_its_axes_from_a_frame) {
  for (const char* ends : {"[ground, arm.f]", "[arm.f, ground]", "[arm.f, rod]", "[{body: ground, axis: x}, arm]"}) {
    const std::string joint = std::string("type: universal, between: ") + ends;
    Trial trial(model(joint + ", second_axis: [0, 1, 1]"));
    EXPECT_EQ(trial.system().layout().held.size(), 4U) << ends;
    EXPECT_EQ(trial.system().layout().freedoms, 14) << ends;
    auto& run = trial.start();
    EXPECT_EQ(run.state().q()[trial.system().layout().bodies[3].q], 0) << ends;  // nothing has moved
    EXPECT_TRUE(run.advance_to(0.01)) << ends;
    expect_problem(joint, "the frame is one of them: give second_axis, the axis at the other end");
    expect_problem(joint + ", second_axis: [1, 1, 0]", "the second axis must be square to the first at the start");
    expect_problem(joint + ", second_axis: y, axis: x", "one end is a frame");
  }
  EXPECT_EQ(problem("type: universal, between: [arm.f, rod.f]"), "");
  expect_problem("type: universal, between: [arm.f, rod.f], second_axis: y", "both ends are frames");
}

TEST(Frame, at_one_end_says_where_the_joint_is) {
  const std::string joint = "type: revolute, between: [ground, arm.f]";
  EXPECT_EQ(problem(joint), "");
  for (const char* more : {"at: [0, 0, 0]", "axis: z", "x_axis: y"}) {
    const std::string key(more, std::strchr(more, ':'));
    expect_problem(joint + ", " + more, "joint 'a': one end is a frame: it says where the joint is. Leave out " + key +
                                            ", or make the other end a frame as well: {body: ground, at: [x, y, z], axis: z}");
    expect_problem("type: revolute, between: [arm.f, rod.f], " + std::string(more), "both ends are frames");
  }
}

/// Only the crank is given, its angle and its speed: place and velocity of rod and slider follow from the joints.
TEST(Assembly, completes_positions_and_velocities_that_are_partly_given) {
  const System system = assemble(read_model_text(R"yaml(bristle: 1
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], orientation: {axis: y, angle: -30 deg}, angular_velocity: [0, -2, 0], frames: {a: {at: [-0.5, 0, 0], axis: y}, b: {at: [0.5, 0, 0], axis: y}}}
  rod: {type: rigid, mass: 1, inertia: [0.01, 0.3, 0.3], frames: {a: {at: [-1, 0, 0], axis: y}, b: {at: [1, 0, 0], axis: y}}}
  slider: {type: rigid, mass: 1, inertia: [0.01, 0.01, 0.01], frames: {b: {at: [0, 0, 0], axis: y}, g: {at: [0, 0, 0], axis: x}}}
joints:
  main: {type: revolute, between: [{body: ground, at: [0, 0, 0], axis: y}, crank.a]}
  pin: {type: revolute, between: [crank.b, rod.a]}
  wrist: {type: spherical, between: [rod.b, slider.b]}
  guide: {type: prismatic, between: [{body: ground, at: [0, 0, 0], axis: x}, slider.g]}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)yaml",
                                                 "model"));
  const State x = system.make_state();
  const BodyInfo& slider = system.layout().bodies[3];
  const double s = 0.5, c = std::sqrt(0.75), root = std::sqrt(4 - s * s);  // crank of 1 m, rod of 2 m
  EXPECT_NEAR(x.q()[slider.q], c + root, 1e-12);
  EXPECT_NEAR(x.v()[slider.v], -2 * s * (1 + c / root), 1e-12);
  EXPECT_EQ(system.layout().freedoms, 1);
  ASSERT_EQ(system.layout().redundant.size(), 1U);
}

TEST(Distance, of_a_particle_is_to_where_it_is) {
  for (const char* ends : {"between: [ground, bob], at: [0, 0, 0]", "between: [{body: ground, at: [0, 0, 0]}, bob]",
                           "between: [bob, {body: ground, at: [0, 0, 0]}]", "between: [bob, ground], at_b: [0, 0, 0]",
                           "between: [ground, bob], at: [0, 0, 0], at_b: [0.6, 0, 0.8]"}) {
    Trial trial(
        std::string("bristle: 1\ngravity: [0, 0, -9.81]\nbodies:\n  bob: {type: particle, mass: 1 kg, position: [0.6, 0, 0.8]}\n"
                    "joints:\n  rod: {type: distance, ") +
        ends + "}\nanalysis: {type: transient, end: 1 s, integrator: {type: dormand_prince, tolerance: 1e-9}}\n");
    auto& run = trial.start();
    while (run.state().t < 0.5 && run.advance(0.5)) {}
    EXPECT_NEAR(std::hypot(trial.read(trial.channel("bob.position.x")), trial.read(trial.channel("bob.position.z"))), 1, 1e-12)
        << ends;
  }
}

TEST(Screw, needs_a_lead) {
  const std::string joint = "type: screw, between: [ground, arm], at: [0, 0, 0], axis: x, lead: ";
  expect_problem(joint + "0", "a screw of lead 0 does not advance; use a revolute joint");
  EXPECT_EQ(problem(joint + "-5 mm"), "");
}

}  // namespace
}  // namespace bristle
