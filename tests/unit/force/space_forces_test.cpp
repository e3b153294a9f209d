// Forces on bodies in space: derivatives against differences, energy, and values known in closed form.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "bristle/assemble/assemble.h"
#include "support/numbers.h"

namespace bristle {
namespace {

using test::Dice;

const std::string kFree = R"(bristle: 1
gravity: [0, 0, -9.81]
bodies:
  a: {type: rigid, mass: 2 kg, inertia: [0.2, 0.3, 0.25], center: [0.1, 0, 0], frames: {tip: {at: [0.5, 0.1, -0.2], axis: [1, 2, 2]}}}
  b: {type: rigid, mass: 1 kg, inertia: [0.1, 0.12, 0.2], position: [0.7, 0.4, -0.3], orientation: {axis: [1, 1, 0], angle: 40 deg}, frames: {eye: {at: [0, 0.2, 0.1]}}}
  p: {type: planar, mass: 1 kg, inertia: 0.1, position: [0.3, -0.6], frames: {end: {at: [0.2, 0.1]}}}
  d: {type: particle, mass: 1 kg, position: [-0.5, 0.2, 0.3]}
forces:
  )";
const std::string kTail = "\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n";

struct Derivatives final : JacobianSink {
  Eigen::MatrixXd q, v;
  explicit Derivatives(int n) : q(Eigen::MatrixXd::Zero(n, n)), v(q) {}
  void add(Part part, int row, int column, double value) override {
    if (part == Part::force_q) q(row, column) += value;
    if (part == Part::force_v) v(row, column) += value;
  }
};

Eigen::VectorXd force_of(const System& system, const State& x, Workspace& w) {
  Eval e = system.view(x, w);
  system.calc_forces(e);
  return Eigen::Map<Eigen::VectorXd>(w.f.data(), system.layout().sizes.v);
}

/// Largest difference between derivatives and differences of the force, at states around the start.
void check_derivatives(const std::string& force, bool at_rest) {
  const System system = assemble(read_model_text(kFree + force + kTail, "model"));
  const Layout& layout = system.layout();
  Workspace w = system.make_workspace();
  Dice dice(5);
  const int n = layout.order_one(), free = layout.free();
  std::vector<double> step(static_cast<std::size_t>(n));
  for (int k = 0; k < 10; ++k) {
    const State start = system.make_state();
    State x = start;
    for (int i = 0; i < n; ++i) step[static_cast<std::size_t>(i)] = i < free || !at_rest ? dice.between(-0.3, 0.3) : 0;
    system.motion().move(start, 1, step.data(), x);
    system.set_time(x, 0.7);
    Derivatives J(layout.sizes.v);
    system.calc_jacobian(x, w, J);
    for (int c = 0; c < 2 * free; ++c) {
      if (c < free && !at_rest) continue;  // that rates change with the configuration is left to the next iteration
      const double h = 1e-6;
      Eigen::VectorXd side[2];
      for (int s = 0; s < 2; ++s) {
        std::fill(step.begin(), step.end(), 0.0);
        step[static_cast<std::size_t>(c)] = s ? h : -h;
        State y = x;
        system.motion().move(x, 1, step.data(), y);
        side[s] = force_of(system, y, w);
      }
      const Eigen::VectorXd slope = (side[1] - side[0]) / (2 * h);
      const int column = layout.v_index(c < free ? c : c - free);
      const Eigen::VectorXd mine = c < free ? J.q.col(column) : J.v.col(column);
      for (int i = 0; i < free; ++i) {
        const int r = layout.v_index(i);
        // third derivatives of stiffnesses of 1e3 times 1e-12, and round-off 1e-13/1e-6 of forces of 1e3
        EXPECT_NEAR(mine[r], slope[r], 1e-5 * (1 + slope.cwiseAbs().maxCoeff()))
            << force << ": d(" << layout.name_of(free + i) << ")/d" << (c < free ? "q " : "v ")
            << layout.name_of(c < free ? c : c - free);
      }
    }
  }
}

const std::map<std::string, std::string>& every_force() {
  static const std::map<std::string, std::string> all = {
      {"spring", "s: {type: spring, between: [a.tip, b.eye], stiffness: 300, cubic: 200, damping: 3, length: 0.3}"},
      {"spring_to_ground", "s: {type: spring, between: [{body: ground, at: [1, 1, 1]}, a.tip], stiffness: 300, length: 0.3}"},
      {"spring_of_planar_and_particle", "s: {type: spring, between: [p.end, d], stiffness: 300, length: 0.3, damping: 2}"},
      {"at_and_at_b", "s: {type: spring, between: [a, b], at: [0, 0.1, 0], at_b: [0.8, 0.4, 0], stiffness: 300}"},
      {"damper", "s: {type: damper, between: [a.tip, d], damping: 3, quadratic: 2}"},
      {"dead_band", "s: {type: dead_band, between: [a.tip, d], stiffness: 100, clearance: 0.01}"},
      {"table_spring", "s: {type: table_spring, between: [a.tip, p.end], extension: [0, 5], force: [-1, 8]}"},
      {"load", "s: {type: load, between: [a.tip, b.eye], force: \"3*sin(t) - 2*s.extension - 0.4*s.rate\"}"},
      {"bushing",
       "s: {type: bushing, between: [a.tip, b.eye], stiffness: [300, 200, 100], rotational_stiffness: [3, 4, 5], damping: 2, rotational_damping: 0.3}"},
      {"bushing_matrix",
       "s: {type: bushing, between: [a, b], at: [0.3, 0, 0], stiffness_matrix: [[9, 1, 0, 2, 0, 0], [1, 8, 0, 0, 1, 0], [0, 0, 7, 0, 0, 0], [2, 0, 0, 6, 0, 0], [0, 1, 0, 0, 5, 1], [0, 0, 0, 0, 1, 4]]}"},
      {"bushing_of_planar",
       "s: {type: bushing, between: [ground, p], at: [0.3, -0.6, 0], stiffness: 100, rotational_stiffness: 5}"},
      {"force", "s: {type: force, on: a.tip, force: [3, \"2*t - b.position.x\", \"-b.velocity.y\"]}"},
      {"force_that_turns", "s: {type: force, on: a.tip, force: [3, \"2*t\", \"-b.velocity.y\"], frame: body}"},
      {"force_on_planar", "s: {type: force, on: p.end, force: [3, \"2*t\"], frame: body}"},
      {"torque", "s: {type: torque, on: a, torque: [3, \"2*t\", \"-b.velocity.y\"]}"},
      {"torque_that_turns", "s: {type: torque, on: a.tip, torque: [3, \"2*t\", \"-b.velocity.y\"], frame: body}"},
      {"drag", "s: {type: drag, on: a.tip, area: 2, coefficient: 1.1, linear: 0.3, wind: [3, \"b.velocity.x\", \"sin(t)\"]}"},
      {"drag_of_particle", "s: {type: drag, on: d, area: 2, coefficient: 1.1}"}};
  return all;
}

TEST(SpaceForces, derivatives_agree_with_differences) {
  for (const auto& [name, text] : every_force()) {
    SCOPED_TRACE(name);
    const bool windy = name == "drag";  // drag in wind depends on how points move while a body turns: at rest it does not
    check_derivatives(text, true);
    if (!windy) check_derivatives(text, false);
  }
}

TEST(SpaceForces, do_the_work_that_the_ledger_says) {
  // power that reaches the bodies = supplied - dissipated - rate of what is stored
  for (const auto& [name, text] : every_force()) {
    const System system = assemble(read_model_text(kFree + text + kTail, "model"));
    const Layout& layout = system.layout();
    Workspace w = system.make_workspace();
    Dice dice(8);
    std::vector<double> step(static_cast<std::size_t>(layout.order_one()));
    for (int k = 0; k < 20; ++k) {
      const State start = system.make_state();
      State x = start;
      for (double& s : step) s = dice.between(-0.3, 0.3);
      system.motion().move(start, 1, step.data(), x);
      system.set_time(x, 0.7);
      const Eigen::VectorXd f = force_of(system, x, w);
      double power = 0, ledger = 0;
      for (int i = 0; i < layout.free(); ++i) power += f[layout.v_index(i)] * x.v()[layout.v_index(i)];
      for (std::size_t i = 0; i < layout.accounts.size(); ++i) {
        const bool in = layout.accounts[i].kind == Account::Kind::supplied;
        ledger += (in ? 1 : -1) * w.power[i];
        EXPECT_TRUE(in || w.power[i] >= 0) << name;
      }
      // along the motion
      const double h = 1e-5;
      double stored[2];
      for (int s = 0; s < 2; ++s) {
        std::fill(step.begin(), step.end(), 0.0);
        for (int i = 0; i < layout.free(); ++i) step[static_cast<std::size_t>(i)] = x.v()[layout.v_index(i)];
        State y = x;
        system.motion().move(x, s ? h : -h, step.data(), y);
        stored[s] = system.calc_energy(y, w).stored;
      }
      EXPECT_NEAR(power, ledger - (stored[1] - stored[0]) / (2 * h), 1e-6 * (1 + std::abs(power))) << name;
    }
  }
}

TEST(SpaceForces, pull_equally_on_both_ends) {
  for (const char* name : {"spring", "load", "bushing", "bushing_matrix"}) {
    std::string model = kFree + every_force().at(name) + kTail;
    model.erase(model.find("gravity"), std::string("gravity: [0, 0, -9.81]\n").size());
    const System system = assemble(read_model_text(model, "model"));
    Workspace w = system.make_workspace();
    const State x = system.make_state();
    const Eigen::VectorXd f = force_of(system, x, w);
    Eigen::Vector3d force(0, 0, 0), moment(0, 0, 0);
    for (const BodyInfo& b : system.layout().bodies) {
      if (b.turns() != 3) continue;
      const Eigen::Map<const Eigen::Vector3d> p(x.q() + b.q);
      const Eigen::Quaterniond turn(x.q()[b.q + 3], x.q()[b.q + 4], x.q()[b.q + 5], x.q()[b.q + 6]);
      force += f.segment(b.v, 3);
      moment += p.cross(Eigen::Vector3d(f.segment(b.v, 3))) + turn * Eigen::Vector3d(f.segment(b.v + 3, 3));
    }
    EXPECT_LT(force.norm(), 1e-12) << name;
    EXPECT_LT(moment.norm(), 1e-12) << name;
  }
}

TEST(SpaceForces, have_the_values_of_their_formulas) {
  const auto channels = [](const std::string& model) {
    const System system = assemble(read_model_text(model, "model"));
    Workspace w = system.make_workspace();
    const State x = system.make_state();
    std::vector<double> out(system.layout().channels.size());
    system.readings().calc_outputs(system.look(x, w), out.data());
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < out.size(); ++i) values[system.layout().channels[i].name] = out[i];
    return values;
  };
  auto c = channels(
      "bristle: 1\nbodies: {d: {type: particle, mass: 1, position: [3, 4, 0], velocity: [0, 2, 0]}}\nforces:\n"
      "  s: {type: spring, between: [ground, d], stiffness: 10, length: 2, damping: 1}\n"
      "  air: {type: drag, on: d, area: 0.5, coefficient: 2, density: 3, linear: 1, wind: [0, -1, 0]}\n");
  EXPECT_DOUBLE_EQ(c["s.extension"], 5);
  EXPECT_NEAR(c["s.force"], 10 * 3 + 2 * 0.8, 1e-12);
  EXPECT_DOUBLE_EQ(c["air.speed"], 3);
  EXPECT_NEAR(c["air.force.y"], -(1 + 1.5 * 3) * 3, 1e-12);
  c = channels(
      "bristle: 1\nbodies: {d: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0.1, 0], orientation: {axis: z, angle: 0.2}}}\nforces:\n"
      "  s: {type: bushing, between: [{body: ground}, {body: d}], stiffness: [1, 20, 3], rotational_stiffness: 7}\n");
  EXPECT_DOUBLE_EQ(c["s.displacement.y"], 0.1);
  EXPECT_NEAR(c["s.force.y"], 2, 1e-12);
  EXPECT_NEAR(c["s.rotation.z"], 0.2, 1e-12);
  EXPECT_NEAR(c["s.moment.z"], 1.4, 1e-12);
}

TEST(SpaceForces, act_on_the_motion_of_a_joint_with_rotary_units) {
  const System system = assemble(read_model_text(R"(bristle: 1
bodies: {arm: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.5, 0, 0], angular_velocity: [0, 0, 2], velocity: [0, 1, 0]}}
joints: {pin: {type: revolute, between: [ground, arm], at: [0, 0, 0]}}
forces:
  coil: {type: spring, on: pin.angle, stiffness: 3 N m, damping: 0.5 N m s, length: 20 deg}
  control: {type: load, on: pin.angle, force: "-40*(pin.angle - 0.5) - 3*pin.speed"}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)",
                                                 "model"));
  Workspace w = system.make_workspace();
  const State x = system.make_state();
  const Eigen::VectorXd f = force_of(system, x, w);
  const double torque = 3 * 20 * M_PI / 180 - 0.5 * 2 + 40 * 0.5 - 3 * 2;
  EXPECT_NEAR(f[system.layout().bodies[1].v + 5], torque, 1e-12);
  EXPECT_EQ(system.layout().freedoms, 1);
}

}  // namespace
}  // namespace bristle
