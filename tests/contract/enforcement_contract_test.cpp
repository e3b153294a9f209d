// Ways to keep joints closed: what they have in common and where they differ.
#include <gtest/gtest.h>

#include "bristle/enforce/enforcement.h"
#include "bristle/math/decompositions.h"
#include "support/probe.h"
#include "validation/slider_crank.h"

namespace bristle {
namespace {

using namespace test;

VectorXd accelerations(const std::string& text, const std::string& enforcement, unsigned seed = 0) {
  Mechanism m(text, {"analysis.enforcement=" + enforcement});
  if (seed > 0) {  // away from where the joints are closed
    Dice dice(seed);
    for (int i = 0; i < m.layout().free(); ++i) m.state().v()[m.layout().v_index(i)] += dice.between(-1e-3, 1e-3);
    for (const FrameCoordinates& f : m.layout().frames) {
      for (int i = 0; i < 3; ++i) m.state().q()[f.q + i] += dice.between(-1e-4, 1e-4);
    }
  }
  Multipliers kernel;
  kernel.prepare(m.system(), m.plan().options.enforcement);
  kernel.evaluate(m.system(), m.state(), m.work());
  const int n = m.layout().free();
  return Eigen::Map<VectorXd>(m.work().rate.data() + n, n);
}

const std::string& crank() {
  static const std::string text = SliderCrank{}.text();
  return text;
}

TEST(EnforcementContract, all_exact_methods_agree_where_the_joints_are_closed) {
  const VectorXd exact = accelerations(crank(), "lagrange");
  // the registry: whoever joins is held against the others
  for (const EnforcementEntry& entry : enforcement_registry().all()) {
    if (entry.name == "penalty" || entry.name == "augmented_lagrangian") continue;  // soft
    EXPECT_LT((accelerations(crank(), entry.name) - exact).norm(), 1e-10 * exact.norm()) << entry.name;
  }
  // penalties leave a violation of the reaction over the penalty: 10 N / 1e7 kg
  EXPECT_LT((accelerations(crank(), "penalty") - exact).norm(), 1e-3);
  EXPECT_LT((accelerations(crank(), "augmented_lagrangian") - exact).norm(), 1e-8 * exact.norm());
}

TEST(EnforcementContract, one_pass_of_the_augmented_method_is_the_penalty_method) {
  const std::string more = "penalty: 1e5, omega: 20, mu: 0.7";
  const VectorXd penalty = accelerations(crank(), "{type: penalty, " + more + "}", 5);
  const VectorXd one = accelerations(crank(), "{type: augmented_lagrangian, iterations: 1, " + more + "}", 5);
  EXPECT_LT((one - penalty).norm(), 1e-13 * penalty.norm());
  const VectorXd two = accelerations(crank(), "{type: augmented_lagrangian, iterations: 2, tolerance: 0, " + more + "}", 5);
  EXPECT_GT((two - penalty).norm(), 1e-9 * penalty.norm());
}

/// The forms of the books, dense: (M + alpha D'D) a = g - alpha D'(drift + 2 mu omega Phi' + omega^2 Phi), and its iteration.
TEST(EnforcementContract, penalty_and_augmented_methods_are_those_of_the_books) {
  const double alpha = 1e5, omega = 20, mu = 0.7;
  Mechanism m(crank());
  Dice dice(5);
  for (int i = 0; i < m.layout().free(); ++i) m.state().v()[m.layout().v_index(i)] += dice.between(-1e-3, 1e-3);
  for (const FrameCoordinates& f : m.layout().frames) {
    for (int i = 0; i < 3; ++i) m.state().q()[f.q + i] += dice.between(-1e-4, 1e-4);
  }
  m.evaluate();
  const MatrixXd D = m.held_rows(), M = m.mass();
  const int n = m.layout().free(), rows = m.system().layout().held_count();
  VectorXd g(n), b(rows);
  for (int i = 0; i < n; ++i) g[i] = m.work().f[static_cast<std::size_t>(m.layout().v_index(i))];
  for (int k = 0; k < rows; ++k) {
    const auto r = static_cast<std::size_t>(m.layout().held[static_cast<std::size_t>(k)].row);
    b[k] = m.work().row_drift[r] + 2 * mu * omega * m.work().row_rate[r] + omega * omega * m.work().row_value[r];
  }
  const Eigen::PartialPivLU<MatrixXd> lu(M + alpha * D.transpose() * D);
  VectorXd a = lu.solve(g - alpha * D.transpose() * b);
  const std::string more = fmt::format("penalty: {}, omega: {}, mu: {}", alpha, omega, mu);
  EXPECT_LT((accelerations(crank(), "{type: penalty, " + more + "}", 5) - a).norm(), 1e-8 * a.norm());
  for (int pass = 2; pass <= 4; ++pass) {
    a = lu.solve(M * a - alpha * D.transpose() * b);
    const VectorXd ours =
        accelerations(crank(), fmt::format("{{type: augmented_lagrangian, iterations: {}, tolerance: 0, {}}}", pass, more), 5);
    EXPECT_LT((ours - a).norm(), 1e-8 * a.norm()) << pass;
  }
}

TEST(EnforcementContract, baumgarte_feeds_back_what_its_parameters_say) {
  Mechanism m(crank(), {"analysis.enforcement={type: baumgarte, alpha: 3, beta: 7}"});
  Dice dice(6);
  for (int i = 0; i < m.layout().free(); ++i) m.state().v()[m.layout().v_index(i)] += dice.between(-1e-2, 1e-2);
  Multipliers kernel;
  kernel.prepare(m.system(), m.plan().options.enforcement);
  kernel.evaluate(m.system(), m.state(), m.work());
  const int n = m.layout().free();
  const VectorXd a = Eigen::Map<VectorXd>(m.work().rate.data() + n, n);
  for (const HeldRow& h : m.layout().held) {
    const auto r = static_cast<std::size_t>(h.row);
    const double second = m.row(h.row).dot(a) + m.work().row_drift[r];
    EXPECT_NEAR(second + 6 * m.work().row_rate[r] + 49 * m.work().row_value[r], 0, 1e-9) << h.owner << " " << h.name;
  }
}

TEST(EnforcementContract, redundant_joints_are_treated_by_every_method) {
  const std::string text = R"(bristle: 1
gravity: [0, -9.81, 0]
bodies:
  crank: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0, 0.5, 0], orientation: {axis: z, angle: 90 deg}}
  coupler: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 1, 0]}
  rocker: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1], position: [1.15, 0.45, 0], orientation: {axis: z, angle: 100 deg}}
joints:
  a: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: z}
  b: {type: revolute, between: [crank, coupler], at: [0, 1, 0], axis: z}
  c: {type: revolute, between: [coupler, rocker], at: [1, 1, 0], axis: z}
  d: {type: revolute, between: [rocker, ground], at: [1.3, 0, 0], axis: z}
analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}
)";
  Mechanism four(text);
  four.look();
  EXPECT_EQ(four.held_rows().rows(), 20);
  EXPECT_EQ(four.held_rows().cols(), 18);
  EXPECT_EQ(four.rank(), 17);
  EXPECT_EQ(four.layout().redundant.size(), 3u);
  ASSERT_TRUE(four.go(0.5));
  const double exact = four.read("a.angle");
  for (const EnforcementEntry& entry : enforcement_registry().all()) {
    Mechanism m(text, {"analysis.enforcement=" + entry.name});
    ASSERT_TRUE(m.go(0.5)) << entry.name;
    // penalties give by 1e-6 m; methods that correct nothing drift
    const bool soft = entry.name == "penalty" || entry.name == "augmented_lagrangian";
    EXPECT_NEAR(m.read("a.angle"), exact, soft ? 1e-5 : 1e-8) << entry.name;
  }
}

}  // namespace
}  // namespace bristle
