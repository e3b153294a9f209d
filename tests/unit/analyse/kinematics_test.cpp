// Motions that drives prescribe, and what they cost, against closed forms.
#include <gtest/gtest.h>

#include "bristle/enforce/multipliers.h"
#include "unit/analyse/analysis_models.h"

namespace bristle {
namespace {

using namespace test;

constexpr double kPi = 3.14159265358979323846;

/// Spatial slider-crank: crank 0.1, rod 0.3, y^2 = 0.0516 - 0.03 cos(theta) with theta counted from the start.
std::string spatial_slider_crank(const std::string& drive, const std::string& more = "") {
  return R"yaml(bristle: 1
gravity: [0, 0, -9.81]
parameters: {y3: "sqrt(0.29^2-0.25^2)"}
bodies:
  crank: {type: rigid, mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0, 0.05]}
  rod: {type: rigid, mass: 0.5, inertia: [0.004, 0.0004, 0.004], position: [0, y3/2, -0.025], orientation: [0.8679836, -0.4965929, 0, 0]}
  slider: {type: rigid, mass: 0.5, inertia: [1e-4, 1e-4, 1e-4], position: [0, y3, -0.15]}
joints:
  main: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: y)yaml" +
         drive + R"yaml(}
  pin: {type: spherical, between: [crank, rod], at: [0, 0, 0.1]}
  wrist: {type: universal, between: [rod, slider], at: [0, y3, -0.15], axis: x, second_axis: [0, 0.697, 0.717072]}
  guide: {type: prismatic, between: [ground, slider], at: [0, y3, -0.15], axis: y}
)yaml" + more +
         "analysis: {type: inverse_dynamics, end: 1 s, every: 10 ms}\n";
}

/// Grashof four-bar in the plane: ground 0.5, crank 0.15, coupler 0.45, rocker 0.4; the crank starts at 60 degrees.
struct FourBar {
  static constexpr double d = 0.5, a = 0.15, b = 0.45, c = 0.4;
  /// Angle of the rocker, open branch.
  static double rocker(double crank) {
    const double x = d - a * std::cos(crank), y = -a * std::sin(crank), s = std::hypot(x, y);
    return std::atan2(y, x) + kPi - std::acos((s * s + c * c - b * b) / (2 * s * c));
  }
  static std::string text(bool rigid) {
    const double t = kPi / 3, r = rocker(t);
    const double A[2] = {a * std::cos(t), a * std::sin(t)}, B[2] = {d + c * std::cos(r), c * std::sin(r)};
    const double coupler = std::atan2(B[1] - A[1], B[0] - A[0]);
    const auto body = [&](const char* name, double x0, double y0, double x1, double y1, double angle) {
      return fmt::format(
          "  {}: {{type: {}, mass: 1, inertia: {}, position: [{:.17g}, {:.17g}{}], {}}}\n", name, rigid ? "rigid" : "planar",
          rigid ? "[0.01, 0.02, 0.02]" : "0.02", (x0 + x1) / 2, (y0 + y1) / 2, rigid ? ", 0" : "",
          rigid ? fmt::format("orientation: {{axis: z, angle: {:.17g}}}", angle) : fmt::format("angle: {:.17g}", angle));
    };
    const auto joint = [](const char* name, const char* between, double x, double y, const char* more) {
      return fmt::format("  {}: {{type: revolute, between: [{}], at: [{:.17g}, {:.17g}, 0], axis: z{}}}\n", name, between, x, y,
                         more);
    };
    return "bristle: 1\ngravity: [0, -9.81, 0]\nbodies:\n" + body("crank", 0, 0, A[0], A[1], t) +
           body("coupler", A[0], A[1], B[0], B[1], coupler) + body("rocker", d, 0, B[0], B[1], r) + "joints:\n" +
           joint("o", "ground, crank", 0, 0, ", drive: {angle: \"4*t + 0.3*sin(7*t)\"}") +
           joint("a", "crank, coupler", A[0], A[1], "") + joint("b", "coupler, rocker", B[0], B[1], "") +
           joint("c", "ground, rocker", d, 0, "") + "analysis: {type: kinematics, end: 3 s, every: 20 ms}\n";
  }
};

TEST(Kinematics, the_spatial_slider_crank_moves_as_its_closed_form) {
  const Model model = model_of(spatial_slider_crank(", drive: {speed: \"-2*pi\"}"));
  const System system = assemble(model);
  Channels read(system);
  int samples = 0;
  const KinematicsResult result = run_kinematics(system, plan_kinematics(model), [&](const State& x) {
    const double w = 2 * kPi, th = w * x.t, y = std::sqrt(0.0516 - 0.03 * std::cos(th));
    const double v = 0.03 * std::sin(th) * w / (2 * y), a = (0.03 * std::cos(th) * w * w / 2 - v * v) / y;
    read.at(x);
    EXPECT_NEAR(read["slider.position.y"], y, 1e-12);
    EXPECT_NEAR(read["slider.velocity.y"], v, 1e-11);
    EXPECT_NEAR(read["slider.acceleration.y"], a, 1e-9);
    EXPECT_NEAR(read["main.angle"], -th, 1e-11) << "counts turns";
    ++samples;
  });
  EXPECT_EQ(result.end, RunStatus::End::finished) << result.message;
  EXPECT_EQ(samples, 101);
  EXPECT_EQ(result.t, 1);
  ASSERT_EQ(result.drives.size(), 1u);
  EXPECT_EQ(result.drives[0].name, "main.drive");
  EXPECT_EQ(result.drives[0].unit, "N m");
  EXPECT_NEAR(result.drives[0].work, 0, 1e-9) << "a full turn gives back what it took";
}

TEST(Kinematics, a_four_bar_moves_as_its_closed_form_also_with_joints_that_repeat_each_other) {
  for (bool rigid : {false, true}) {
    const Model model = model_of(FourBar::text(rigid));
    const System system = assemble(model);
    EXPECT_EQ(system.layout().redundant.size(), rigid ? 3u : 0u);
    Channels read(system);
    const double start = FourBar::rocker(kPi / 3);
    const KinematicsResult result = run_kinematics(system, plan_kinematics(model), [&](const State& x) {
      read.at(x);
      const auto crank = [](double t) { return kPi / 3 + 4 * t + 0.3 * std::sin(7 * t); };
      const auto angle = [&](double t) { return FourBar::rocker(crank(t)) - start; };
      EXPECT_NEAR(read["c.angle"], angle(x.t), 1e-9) << x.t;
      const double h = 1e-4;
      const double speed = (8 * (angle(x.t + h) - angle(x.t - h)) - angle(x.t + 2 * h) + angle(x.t - 2 * h)) / (12 * h);
      EXPECT_NEAR(read["c.speed"], speed, 1e-7) << x.t;
    });
    EXPECT_EQ(result.end, RunStatus::End::finished) << result.message;
    EXPECT_EQ(result.samples, 151);
  }
}

TEST(Kinematics, drives_by_speed_add_it_up) {
  const Model model = model_of(R"yaml(bristle: 1
bodies: {arm: {type: rigid, mass: 1, inertia: [1, 1, 1]}}
joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: z, drive: {speed: "5*t^4 + cos(3*t)"}}}
analysis: {type: kinematics, end: 2 s, every: 50 ms}
)yaml");
  const System system = assemble(model);
  Channels read(system);
  run_kinematics(system, plan_kinematics(model), [&](const State& x) {
    EXPECT_NEAR(read.at(x)["pin.angle"], std::pow(x.t, 5) + std::sin(3 * x.t) / 3, 1e-10) << x.t;
    EXPECT_NEAR(read["arm.angular_acceleration.z"], 20 * std::pow(x.t, 3) - 3 * std::sin(3 * x.t), 1e-8) << x.t;
  });
}

TEST(Kinematics, the_torque_of_a_driven_pendulum) {
  const Model model = model_of(R"yaml(bristle: 1
gravity: [0, -9.81, 0]
bodies: {arm: {type: rigid, mass: 2, inertia: [0.2, 0.2, 0.3], position: [0, -0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: z, drive: {angle: "0.8*sin(3*t)"}}}
analysis: {type: inverse_dynamics, end: 3 s, every: 10 ms}
)yaml");
  const System system = assemble(model);
  Channels read(system);
  double peak = 0;
  const KinematicsResult result = run_kinematics(system, plan_kinematics(model), [&](const State& x) {
    const double angle = 0.8 * std::sin(3 * x.t);
    const double torque = (0.3 + 2 * 0.25) * (-9 * angle) + 2 * 9.81 * 0.5 * std::sin(angle);
    EXPECT_NEAR(read.at(x)["pin.drive.force"], torque, 1e-9) << x.t;
    peak = std::max(peak, std::abs(torque));
  });
  ASSERT_EQ(result.drives.size(), 1u);
  EXPECT_NEAR(std::abs(result.drives[0].peak), peak, 1e-9);
  EXPECT_GT(result.drives[0].rms, 0.3 * peak);
}

TEST(Kinematics, friction_without_memory_is_part_of_what_drives_give) {
  const Model model = model_of(R"yaml(bristle: 1
bodies: {block: {type: rigid, mass: 2, inertia: [1, 1, 1]}}
joints: {guide: {type: prismatic, between: [ground, block], at: [0, 0, 0], axis: x, width: 0.1, preload: 10 N, drive: {velocity: "0.5*cos(t)"},
                 friction: {type: coulomb, mu_kinetic: 0.3}}}
analysis: {type: inverse_dynamics, end: 3 s, every: 0.1 s}
)yaml");
  const System system = assemble(model);
  Channels read(system);
  run_kinematics(system, plan_kinematics(model), [&](const State& x) {
    const double sign = std::cos(x.t) > 0 ? 1 : -1;
    EXPECT_NEAR(read.at(x)["guide.drive.force"], -std::sin(x.t) + sign * 3, 1e-9) << x.t;
  });
}

/// The torque that inverse dynamics finds, given to the free mechanism, accelerates it as prescribed.
TEST(Kinematics, inverse_dynamics_undoes_forward_dynamics) {
  const Model model = model_of(spatial_slider_crank(", drive: {angle: \"-2*pi*t - 0.5*sin(9*t)\"}"));
  const System driven = assemble(model);
  Channels read(driven);
  KinematicsPlan plan = plan_kinematics(model);
  plan.every = 0.05;
  run_kinematics(driven, plan, [&](const State& x) {
    const double torque = read.at(x)["main.drive.force"];
    const System free = assemble(model_of(
        spatial_slider_crank("", fmt::format("forces: {{motor: {{type: load, on: main.angle, force: {:.17g}}}}}\n", torque))));
    ASSERT_EQ(free.layout().sizes.q, driven.layout().sizes.q);
    State y = free.make_state();
    std::copy_n(x.q(), driven.layout().sizes.q, y.q());
    std::copy_n(x.v(), driven.layout().sizes.v, y.v());
    Workspace work = free.make_workspace();
    Multipliers kernel;
    kernel.prepare(free);
    kernel.evaluate(free, y, work);
    const int n = free.layout().free();
    for (int i = 0; i < n; ++i) {
      EXPECT_NEAR(work.rate[static_cast<std::size_t>(n + i)], x.a()[free.layout().v_index(i)], 1e-6)
          << "t = " << x.t << ", " << i;
    }
  });
}

TEST(Kinematics, the_end_of_the_travel_is_a_sentence_and_keeps_what_was_computed) {
  const std::string crank = R"yaml(bristle: 1
bodies:
  crank: {type: planar, mass: 1, inertia: 0.01, position: [0, 0.05], angle: 90 deg}
  rod: {type: planar, mass: 1, inertia: 0.01, position: ["0.5*sqrt(0.08)", 0.05]}
  slider: {type: planar, mass: 1, inertia: 0.01, position: ["sqrt(0.08)", 0]}
joints:
  o: {type: revolute, between: [ground, crank], at: [0, 0, 0]}
  a: {type: revolute, between: [crank, rod], at: [0, 0.1, 0]}
  b: {type: revolute, between: [rod, slider], at: ["sqrt(0.08)", 0, 0]}
  guide: {type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: x, drive: {velocity: 0.1 m/s}}
analysis: {type: kinematics, end: 2 s, every: 10 ms}
)yaml";
  const Model model = model_of(crank);
  const System system = assemble(model);
  const KinematicsResult result = run_kinematics(system, plan_kinematics(model), [](const State&) {});
  EXPECT_EQ(result.end, RunStatus::End::failed);
  const double end = (0.4 - std::sqrt(0.08)) / 0.1;  // crank 0.1 and rod 0.3 in line
  EXPECT_NEAR(result.t, end, 0.011);
  EXPECT_GT(result.samples, 100);
  EXPECT_EQ(result.message.substr(0, 4), "t = ") << result.message;
  EXPECT_NE(result.message.find("joint '"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("dead centre"), std::string::npos) << result.message;
}

/// Turns of a ball joint past the place where two of their axes are one: as an orientation they go on, as angles they end with a sentence.
TEST(Kinematics, turns_of_a_ball_joint) {
  const auto run = [](const std::string& drive) {
    const Model model = model_of(
        "bristle: 1\nbodies: {top: {type: rigid, mass: 1, inertia: [0.02, 0.02, 0.03]}}\njoints:\n"
        "  ball: {type: spherical, between: [ground, top], at: [0, 0, 0], drive: {" +
        drive + "}}\nanalysis: {type: kinematics, end: 1 s, every: 10 ms}\n");
    return run_kinematics(assemble(model), plan_kinematics(model), [](const State&) {});
  };
  EXPECT_EQ(run("orientation: [{x: \"0.2*t\"}, {y: \"2*t\"}, {z: \"3*t\"}]").end, RunStatus::End::finished);
  const KinematicsResult ended = run("angle_x: \"0.2*t\", angle_y: \"2*t\", angle_z: \"3*t\"");
  EXPECT_EQ(ended.end, RunStatus::End::failed);
  EXPECT_NEAR(ended.t, kPi / 4, 0.011);
  EXPECT_NE(ended.message.find("joint 'ball': its angle_y has come to a quarter turn"), std::string::npos) << ended.message;
}

TEST(Kinematics, freedoms_that_are_left_are_counted) {
  const std::string text = spatial_slider_crank("");
  const std::string sentence = refusal([&] { check_model(model_of(text)); });
  EXPECT_NE(sentence.find("1 is left"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("drive:"), std::string::npos) << sentence;
  EXPECT_EQ(sentence.find("no joint holds"), std::string::npos) << sentence;
  const std::string loose =
      text.substr(0, text.find("joints:")) + "  lost: {type: particle, mass: 1}\n" + text.substr(text.find("joints:"));
  const std::string more = refusal([&] { check_model(model_of(loose)); });
  EXPECT_NE(more.find("4 are left; no joint holds 'lost'."), std::string::npos) << more;
}

}  // namespace
}  // namespace bristle
