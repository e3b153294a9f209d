// Blocks over a whole step: who says nothing about steps acts in the middle of each.
#include "bristle/core/step_eval.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bristle/core/system.h"

namespace bristle {
namespace {

/// A push that depends on when it acts, where and how fast; it also carries a number of memory along.
class Push : public Block {
 public:
  unsigned roles() const override { return kForces; }
  void calc_forces(Eval& e) const override {
    e.f[0] += force(e.t, e.q[0], e.v[0]);
    e.zdot[0] = e.q[0] - e.z[0];
  }
  void calc_jacobian(const Eval& e, JacobianSink& sink) const override {
    sink.add(JacobianSink::Part::force_q, 0, 0, 6 * e.q[0]);
    sink.add(JacobianSink::Part::force_v, 0, 0, -0.5);
  }
  static double force(double t, double q, double v) { return 2 * t + 3 * q * q - 0.5 * v; }
};

/// It stores energy, and says nothing about steps.
class Spring final : public Push {
 public:
  unsigned roles() const override { return kForces | kStored; }
};

class Entries final : public JacobianSink {
 public:
  void add(Part part, int row, int column, double value) override { of[{part, row, column}] += value; }
  std::map<std::tuple<Part, int, int>, double> of;
};

Layout one_coordinate() {
  Layout layout;
  layout.scalars = layout.ground = 1;
  layout.sizes.q = layout.sizes.v = 2;
  layout.sizes.z = 1;
  layout.coordinates = {"x", "ground"};
  layout.memory = {"trail"};
  return layout;
}

template <class Element>
System system_of() {
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.push_back(std::make_unique<Element>());
  return {one_coordinate(), std::move(blocks)};
}

TEST(StepEval, a_block_that_ignores_steps_acts_in_the_middle) {
  const System system = system_of<Push>();
  State middle = system.make_state();
  Workspace work = system.make_workspace();
  const double h = 0.1, q0 = 1, q1 = 1.4;
  middle.t = 0.25, middle.q()[0] = 0.5 * (q0 + q1), middle.v()[0] = (q1 - q0) / h, middle.z()[0] = 0.3;
  StepEval e;
  static_cast<Eval&>(e) = system.view(middle, work);
  e.h = h;
  e.t_ends[0] = 0.2, e.t_ends[1] = 0.3;
  e.q_ends[0] = &q0, e.q_ends[1] = &q1;

  system.steps().calc(e);
  EXPECT_EQ(e.f[0], Push::force(0.25, 1.2, (q1 - q0) / h));
  EXPECT_EQ(e.zdot[0], 1.2 - 0.3);
  Entries entries;
  system.steps().calc_jacobian(e, entries);
  using Part = JacobianSink::Part;
  EXPECT_EQ(entries.of.size(), 2u);
  EXPECT_EQ((entries.of[{Part::force_q, 0, 0}]), 6 * 1.2);
  EXPECT_EQ((entries.of[{Part::force_v, 0, 0}]), -0.5);
  EXPECT_EQ(system.steps().calc_turn(e, e).error, 0);
}

TEST(StepEval, who_stores_energy_has_to_say_that_it_knows_steps) {
  EXPECT_EQ(system_of<Push>().steps().traits().cannot_follow, "");
  EXPECT_NE(system_of<Spring>().steps().traits().cannot_follow, "");
}

}  // namespace
}  // namespace bristle
