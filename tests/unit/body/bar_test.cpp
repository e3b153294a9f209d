// Bars: derivatives against differences, exact work over steps, taut and slack.
#include "bristle/body/bar.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "support/numbers.h"

namespace bristle {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Dice;

class Sink final : public JacobianSink {
 public:
  void add(Part p, int row, int column, double value) override { part[static_cast<std::size_t>(p)](row, column) += value; }
  const MatrixXd& of(Part p) const { return part[static_cast<std::size_t>(p)]; }
  std::vector<MatrixXd> part = std::vector<MatrixXd>(16, MatrixXd::Zero(6, 6));
};

struct Trial {
  BarElement el;
  Eigen::Matrix<double, 6, 1> x0, x1, v, jump;
  Pose pose[2], start[2], end[2];
  VectorXd f = VectorXd::Zero(6), impulse = VectorXd::Zero(6), rate;
  double power = 0, numerical = 0, stored[2] = {0, 0};
  std::vector<double> room;
  StepEval e;
  Sink sink;

  /// Over a step from x0 to x1 of length h, or at x0 with the velocity v (h = 0).
  void evaluate(double h, double a) {
    const Bars block({{"bar", {el}, el.damping > 0 ? 0 : -1}});
    const auto put = [](const auto& x, Pose* to) {
      for (int I = 0; I < 2; ++I) {
        for (int k = 0; k < 3; ++k) to[I].p[k] = x[3 * I + k];
      }
    };
    put(x0, start), put(x1, end);
    f.setZero(), impulse.setZero();
    power = numerical = 0;
    sink = Sink();
    e = {};
    room.resize(static_cast<std::size_t>(block.step_room()));
    e.room = room.data();
    e.f = f.data(), e.power = &power;
    for (int i = 0; i < 2; ++i) {
      e.pose = i == 0 ? start : end;
      stored[i] = block.stored(e, nullptr);
    }
    if (h > 0) {
      put(0.5 * (x0 + x1), pose);
      rate = (x1 - x0) / h;
      e.h = h, e.jump = a;
      e.pose_ends[0] = start, e.pose_ends[1] = end;
      e.v_jump = jump.data(), e.impulse = impulse.data(), e.numerical = &numerical;
    } else {
      put(x0, pose);
      rate = v;
    }
    e.pose = pose, e.v = rate.data();
    if (h > 0) {
      block.calc_step(e);
      block.calc_step_jacobian(e, sink);
    } else {
      block.calc_forces(e);
      block.calc_jacobian(e, sink);
    }
  }
};

Trial make(Dice& dice, double stretch, bool tension_only, double damping) {
  Trial t;
  for (int i = 0; i < 6; ++i) {
    t.x0[i] = dice.between(-0.2, 0.2);
    t.v[i] = dice.between(-1, 1);
    t.jump[i] = dice.between(-1, 1);
  }
  t.x0[3] += 1;
  for (int i = 0; i < 6; ++i) t.x1[i] = t.x0[i] + dice.between(-0.1, 0.1);
  t.el.body[1] = 1, t.el.v[1] = 3;
  t.el.EA = 7, t.el.damping = damping, t.el.tension_only = tension_only;
  t.el.length = (t.x0.tail<3>() - t.x0.head<3>()).norm() / (1 + stretch);
  return t;
}

TEST(Bars, derivatives_agree_with_differences) {
  Dice dice(1);
  const double d = 1e-5;
  for (int trial = 0; trial < 60; ++trial) {
    Trial t = make(dice, dice.between(-0.2, 0.2), trial % 2 == 0, trial % 3 == 0 ? 0.1 : 0);
    const double a = trial % 5 == 0 ? 0 : 1.0 / 6, h = 0.1;
    using Part = JacobianSink::Part;
    const auto compare = [&](const MatrixXd& have, auto vary, double step, bool impulse) {
      for (int c = 0; c < 6; ++c) {
        VectorXd value[4];  // differences of fourth order: steps that just cross from slack to taut bend sharply
        for (int s = 0; s < 4; ++s) {
          Trial u = t;
          vary(u)[c] += d * (s == 0 ? -2 : s == 1 ? -1 : s == 2 ? 1 : 2);
          u.evaluate(step, a);
          value[s] = impulse ? u.impulse : u.f;
        }
        const VectorXd slope = (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * d);
        EXPECT_LT((have.col(c) - slope).norm(), 1e-8) << trial << ", column " << c;
      }
    };
    t.evaluate(0, 0);
    const Sink at = t.sink;
    compare(
        at.of(Part::force_q), [](Trial & u) -> auto& { return u.x0; }, 0, false);
    compare(
        at.of(Part::force_v), [](Trial & u) -> auto& { return u.v; }, 0, false);
    t.evaluate(h, a);
    const Sink over = t.sink;
    compare(
        over.of(Part::force_step), [](Trial & u) -> auto& { return u.x1; }, h, false);
    compare(
        over.of(Part::force_jump), [](Trial & u) -> auto& { return u.jump; }, h, false);
    compare(
        over.of(Part::impulse_step), [](Trial & u) -> auto& { return u.x1; }, h, true);
    compare(
        over.of(Part::impulse_jump), [](Trial & u) -> auto& { return u.jump; }, h, true);
  }
}

TEST(Bars, the_work_over_a_step_is_the_change_of_the_stored_energy) {
  Dice dice(2);
  int crossed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Trial t = make(dice, dice.between(-0.1, 0.1), true, trial % 2 == 0 ? 0.05 : 0);
    t.evaluate(0.1, 0);
    crossed += (t.stored[0] == 0) != (t.stored[1] == 0);
    EXPECT_NEAR(t.f.dot(t.x1 - t.x0), -(t.stored[1] - t.stored[0]) - 0.1 * t.power, 1e-14);
    EXPECT_LT((t.f.head<3>() + t.f.tail<3>()).norm(), 1e-15);
  }
  EXPECT_GT(crossed, 20);  // from slack to taut, or back
}

}  // namespace
}  // namespace bristle
