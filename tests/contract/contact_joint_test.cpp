// Joints whose surfaces may touch, over all of them: derivatives of their forces against differences, work against the ledger, action and
// reaction, resumed runs.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "bristle/assemble/assemble.h"
#include "support/mechanisms.h"
#include "support/numbers.h"
#include "support/sanitized.h"

namespace bristle {
namespace {

using test::Dice;

const char* const kSpace = R"(bristle: 1
bodies:
  a: {type: rigid, mass: 2 kg, inertia: [2e-3, 3e-3, 2.5e-3], position: [0.02, 0.01, -0.03], orientation: {axis: [1, 2, 0], angle: 20 deg}}
  b: {type: rigid, mass: 1 kg, inertia: [1e-3, 1.2e-3, 2e-3], position: [0, 0.02, 0.04], orientation: {axis: [1, 1, 0], angle: 40 deg}}
joints:
  )";
const char* const kFlat = R"(bristle: 1
bodies:
  a: {type: planar, mass: 2 kg, inertia: 2e-3, position: [0.02, 0.01], angle: 0.3}
  b: {type: planar, mass: 1 kg, inertia: 1e-3, position: [0, 0.02]}
joints:
  )";
const char* const kBeam = R"(bristle: 1
sections:
  soft: {type: general, EA: 100 N, GA2: 100 N, GJ: 0.01, EI2: 0.01, mass_per_length: 5, rotary_inertia: [2e-3, 1e-3, 1e-3]}
bodies:
  a: {type: beam, from: [-0.06, 0, 0], to: [0.06, 0, 0], elements: 3, section: soft}
  b: {type: rigid, mass: 1 kg, inertia: [1e-3, 1.2e-3, 2e-3], position: [0, 0.02, 0.04], orientation: {axis: [1, 1, 0], angle: 40 deg}}
joints:
  )";
const char* const kLaws =
    ", overlap: keep, contact: {type: linear, stiffness: 10 kN/m, dissipation: 3 s/m}, friction: {type: lugre, mu_static: 0.3, "
    "mu_kinetic: 0.2, sigma0: 1e3 1/m, sigma1: 1 s/m, stribeck_velocity: 0.1 m/s}}\n";
const char* const kTail = "analysis: {type: transient, end: 0.2 s, integrator: {type: dormand_prince, tolerance: 1e-7}}\n";

std::vector<std::byte> everything(const Run& run) {
  Archive a;
  run.save(a);
  return a.bytes();
}

struct Case {
  std::string name, model;
  std::string elastic = {};  ///< its bodies alone, where they store energy
};

std::vector<Case> all_cases() {
  const auto space = [](const char* name, const std::string& joint) {
    return Case{name, kSpace + ("j: {" + joint + kLaws) + kTail};
  };
  const auto flat = [](const char* name, const std::string& joint) {
    return Case{name, kFlat + ("j: {" + joint + kLaws) + kTail};
  };
  const auto beam = [](const char* name, const std::string& joint) {
    return Case{name, kBeam + ("j: {" + joint + ", at: [0.012, 0, 0], axis: x, bore: 20.8 mm, diameter: 20 mm" + kLaws) + kTail,
                std::string(kBeam) + "j: {type: free, between: [ground, b], at: [0, 0, 0], axis: x}\n" + kTail};
  };
  const std::string at = ", between: [a, b], at: [0.01, 0, 0], axis: [1, 2, 2]";
  return {
      space("spherical", "type: spherical, between: [a, b], at: [0.01, 0, 0], pin_radius: 10 mm, clearance: 0.4 mm"),
      space("revolute", "type: revolute, pin_radius: 10 mm, length: 20 mm, clearance: 0.4 mm" + at),
      space("revolute_with_walls",
            "type: revolute, pin_radius: 10 mm, length: 20 mm, clearance: 0.4 mm, axial_clearance: 0.5 mm" + at),
      space("cylindrical", "type: cylindrical, pin_radius: 10 mm, length: 20 mm, clearance: 0.4 mm" + at),
      space("point_on_line", "type: point_on_line, pin_radius: 10 mm, clearance: 0.4 mm" + at),
      space("prismatic", "type: prismatic, width: 10 mm, length: 20 mm, clearance: 0.4 mm" + at),
      space("sleeve_in_space", "type: sleeve, bore: 20.8 mm, diameter: 20 mm, sleeve_length: 31 mm, length: 30 mm" + at),
      beam("beam_sleeve", "type: beam_sleeve, between: [b, a], length: 30 mm, stations: 3"),  // mouths on both sides of a node
      beam("beam_sleeve_at_its_ends", "type: beam_sleeve, between: [b, a], length: 100 mm, ends: true"),
      beam("beam_shoe", "type: beam_shoe, between: [a, b]"),
      space("planar", "type: planar, plate_radius: 10 mm, clearance: 0.4 mm" + at),
      space("sphere_on_sphere",
            "type: contact, between: [a, b], surfaces: [{type: sphere, radius: 39.6 mm}, {type: sphere, radius: 40 mm}]"),
      space("ellipsoids",
            "type: contact, between: [a, b], surfaces: [{type: ellipsoid, half_axes: [45 mm, 40 mm, 38 mm]}, {type: "
            "ellipsoid, half_axes: [36 mm, 40 mm, 42 mm]}]"),
      space(
          "superquadrics",
          "type: contact, between: [a, b], surfaces: [{type: superquadric, half_axes: [42 mm, 38 mm, 36 mm], exponents: [2.3, 2.5]}, "
          "{type: superquadric, half_axes: [34 mm, 38 mm, 39 mm], exponents: [2.5, 2.2]}]"),
      flat("pin_in_hole", "type: revolute, between: [a, b], at: [0.01, 0], pin_radius: 10 mm, clearance: 0.4 mm"),
      flat("pin_in_slot", "type: point_on_line, between: [a, b], at: [0.01, 0], axis: x, pin_radius: 10 mm, clearance: 0.4 mm"),
      flat("slider",
           "type: prismatic, between: [a, b], at: [0.01, 0], axis: x, x_axis: y, width: 10 mm, length: 20 mm, clearance: 0.4 mm"),
      flat("sleeve",
           "type: sleeve, between: [a, b], at: [0.01, 0], axis: x, x_axis: y, bore: 20.8 mm, diameter: 20 mm, sleeve_length: "
           "31 mm, length: 30 mm"),
      flat("ellipse_and_circle",
           "type: contact, between: [a, b], surfaces: [{type: ellipse, half_x: 12 mm, half_y: 9 mm}, {type: circle, "
           "radius: 12 mm}]"),
  };
}

struct Derivatives final : JacobianSink {
  Eigen::MatrixXd q, v;
  explicit Derivatives(int n) : q(Eigen::MatrixXd::Zero(n, n)), v(q) {}
  void add(Part part, int row, int column, double value) override {
    if (part == Part::force_q) q(row, column) += value;
    if (part == Part::force_v) v(row, column) += value;
  }
};

class ContactJoint : public testing::TestWithParam<Case> {
 protected:
  System system = assemble(read_model_text(GetParam().model, "model"));
  Workspace w = system.make_workspace();
  const Layout& layout = system.layout();

  Eigen::VectorXd force_of(const State& x) {
    Eval e = system.view(x, w);
    system.calc_forces(e);
    return Eigen::Map<Eigen::VectorXd>(w.f.data(), layout.sizes.v);
  }
  /// Of the bodies alone.
  Eigen::VectorXd elastic_force(const State& x) const {
    const System alone = assemble(read_model_text(GetParam().elastic, "model"));
    Workspace room = alone.make_workspace();
    State y = alone.make_state();
    std::copy_n(x.q(), alone.layout().sizes.q, y.q());
    std::copy_n(x.v(), alone.layout().sizes.v, y.v());
    Eval e = alone.view(y, room);
    alone.calc_forces(e);
    return Eigen::Map<Eigen::VectorXd>(room.f.data(), alone.layout().sizes.v);
  }
  /// A pose near the start with random memory; bodies move by `speed`.
  State random_state(Dice& dice, double speed) {
    const State start = system.make_state();
    std::vector<double> step(static_cast<std::size_t>(layout.order_one()));
    const int free = layout.free();
    for (int i = 0; i < layout.order_one(); ++i) {
      double& s = step[static_cast<std::size_t>(i)];
      if (i < free) s = dice.between(-1, 1) * 8e-4;
      else if (i < 2 * free) s = dice.between(-1, 1) * speed;
      else s = dice.between(-1, 1);
    }
    State x = start;
    system.motion().move(start, 1, step.data(), x);
    return x;
  }
};

TEST_P(ContactJoint, forces_have_the_derivatives_they_say) {
  Dice dice(3);
  const int free = layout.free();
  std::vector<double> step(static_cast<std::size_t>(layout.order_one()));
  int touched = 0, checked = 0;
  for (int k = 0; k < (test::kSanitized ? 16 : 40); ++k) {
    const State x = random_state(dice, 0);  // at rest: that rates change with the configuration is left to the next iteration
    if (!(force_of(x).norm() > 0)) continue;
    ++touched;
    Derivatives J(layout.sizes.v);
    system.calc_jacobian(x, w, J);
    for (int c = 0; c < 2 * free; ++c) {
      const auto slope_with = [&](double h) {
        Eigen::VectorXd side[2];
        for (int s = 0; s < 2; ++s) {
          std::fill(step.begin(), step.end(), 0.0);
          step[static_cast<std::size_t>(c)] = s ? h : -h;
          State y = x;
          system.motion().move(x, 1, step.data(), y);
          side[s] = force_of(y);
        }
        return Eigen::VectorXd((side[1] - side[0]) / (2 * h));
      };
      const Eigen::VectorXd slope = slope_with(1e-7), finer = slope_with(2e-8);
      // a point that opens or closes between the two sides has no derivative there, nor has |slip| at zero
      if ((slope - finer).norm() > 1e-4 * (1 + slope.norm())) continue;
      const int column = layout.v_index(c < free ? c : c - free);
      const Eigen::VectorXd mine = c < free ? J.q.col(column) : J.v.col(column);
      for (int i = 0; i < free; ++i) {
        const int r = layout.v_index(i);
        EXPECT_NEAR(mine[r], slope[r], 2e-4 * (1 + slope.cwiseAbs().maxCoeff()))
            << (c < free ? "q " : "v ") << c << ", row " << i;
      }
      ++checked;
    }
  }
  EXPECT_GT(touched, 3);
  EXPECT_GT(checked, 2 * free);
}

TEST_P(ContactJoint, does_the_work_that_the_ledger_says) {
  Dice dice(8);
  std::vector<double> step(static_cast<std::size_t>(layout.order_one()));
  for (int k = 0; k < 40; ++k) {
    const State x = random_state(dice, 0.05);
    Eigen::VectorXd f = force_of(x);
    if (!GetParam().elastic.empty()) f -= elastic_force(x);
    double power = 0, ledger = 0;
    for (int i = 0; i < layout.free(); ++i) power += f[layout.v_index(i)] * x.v()[layout.v_index(i)];
    for (std::size_t i = 0; i < layout.accounts.size(); ++i) ledger += w.power[i];
    EXPECT_NEAR(power, -ledger, 1e-9 * (1 + std::abs(power) + f.norm()));
  }
}

TEST_P(ContactJoint, does_exactly_the_work_of_its_potential_over_any_step) {
  // steps of a good part of a bounce, through touch-down and separation: elastic, the energy is kept; rubbing, its balance closes
  if (system.layout().held_count() > 0) return;  // random poses would break the rows that this joint still holds
  for (const bool rubs : {false, true}) {
    std::string text = GetParam().model;
    if (!rubs) {
      const std::size_t law = text.find(", dissipation: 3 s/m}, friction:");
      text.replace(law, text.find("}}\n", law) - law + 3, "}}\n");
    }
    for (const char* method : {"energy_preserving", "energy_decaying"}) {
      Trial trial(text, {fmt::format("analysis.integrator={{type: {}, step: 1 ms, newton_tolerance: 1e-15}}", method)});
      Dice dice(12);
      int pressed = 0;
      for (int k = 0; k < 3; ++k) {
        bristle::Run& run = trial.start(random_state(dice, 0.2));
        const double start = run.ledger().energy().total();
        for (int step = 0; step < 15; ++step) {
          ASSERT_TRUE(run.advance(1)) << method << ": " << run.message();
          const Energy now = run.ledger().energy();
          pressed += now.stored > 0;
          ASSERT_LT(std::abs(run.ledger().residual()), 1e-11 * run.ledger().scale()) << method << (rubs ? ", rubbing" : "");
          if (!rubs && std::string(method) == "energy_preserving") {
            ASSERT_NEAR(now.total(), start, 1e-11 * run.ledger().scale());
          }
        }
      }
      EXPECT_GT(pressed, 5) << method;
    }
  }
}

TEST_P(ContactJoint, presses_and_rubs_equally_on_both_bodies) {
  Dice dice(5);
  for (int k = 0; k < 40; ++k) {
    const State x = random_state(dice, 0);  // bristles are bent; moving bodies would have gyroscopic moments as well
    const Eigen::VectorXd f = force_of(x);
    system.look(x, w);
    Vec3<> force, moment;
    for (std::size_t b = 1; b < layout.bodies.size(); ++b) {
      const BodyInfo& body = layout.bodies[b];
      const Pose& pose = w.pose[b];
      Vec3<> F, M;
      if (body.turns() == 3) {
        Vec3<> own;
        for (int i = 0; i < 3; ++i) F[i] = f[body.v + i], own[i] = f[body.v + 3 + i];
        M = pose.R * own;
      } else {
        F[0] = f[body.v], F[1] = f[body.v + 1], M[2] = f[body.v + 2];
      }
      force = force + F;
      moment = moment + M + cross(pose.p, F);
    }
    EXPECT_LT(norm(force), 1e-12 * (1 + f.norm()));
    EXPECT_LT(norm(moment), 1e-12 * (1 + f.norm()));
  }
}

TEST_P(ContactJoint, a_resumed_run_equals_the_unbroken_one_to_the_bit) {
  const auto finish = [](bristle::Run& run) {
    while (run.state().t < 0.02) {
      if (!run.advance(0.02)) break;
    }
  };
  std::string text = GetParam().model;
  text.insert(text.find("analysis:"), "forces:\n  pull: {type: force, on: b, force: [3, 2" +
                                          std::string(text.find("planar, mass") == std::string::npos ? ", 5" : "") + "]}\n");
  Trial whole(text), first(text), second(text);
  bristle::Run& a = whole.start();
  finish(a);
  ASSERT_TRUE(a.message().empty()) << a.message();
  bristle::Run& b = first.start();
  while (b.state().t < 0.008) ASSERT_TRUE(b.advance(0.02)) << b.message();
  const Archive saved(everything(b));
  bristle::Run& c = second.start();
  Archive again(saved.bytes());
  c.load(again);
  finish(c);
  EXPECT_TRUE(everything(a) == everything(c));
}

INSTANTIATE_TEST_SUITE_P(All, ContactJoint, testing::ValuesIn(all_cases()), [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace bristle
