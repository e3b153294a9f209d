// Every friction law in every joint that rubs, and every integrator on mechanisms: they run, the ledger closes, friction takes energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/probe.h"
#include "support/recipes.h"

namespace bristle {
namespace {

using namespace test;

/// A body in a joint on the ground under gravity, set going along what the joint leaves free.
std::string machine(const std::string& type, const std::string& law) {
  JointText j{type, "ground", "b"};
  j.friction = law;
  j.preload = 2;
  return "bristle: 1\ngravity: [1, -2, -3]\nbodies:\n"
         "  b: {type: rigid, mass: 0.7, inertia: [0.03, 0.05, 0.04], position: [0.32, 0.12, -0.17]}\njoints:\n  j: " +
         j.text() + "\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 0.1 ms}}\n";
}

/// Residual of the ledger over 2 ms, of all the energy there is: as little as 1e-7 of that moves.
double ledger_tolerance(const std::string& law, const std::string& integrator) {
  if (integrator == "cvode") return 5e-6;  // starts with steps of first order, again at every switch
  if (!second_order(integrator)) return 1e-9;
  if (law.find("haessig_friedland") != std::string::npos) return 2e-6;  // bonds break at the ends of steps: known to one step
  return 5e-8;
}

/// Why a method does not take a law, "" where it has to.
std::string refusal(const std::string& law, const std::string& integrator) {
  const bool conserves = integrator == "energy_preserving" || integrator == "energy_decaying";
  return conserves && law.find("wedge") != std::string::npos ? "swings about it never end" : "";
}

void run(const std::string& type, const std::string& law, const std::string& integrator) {
  const std::string what = type + ", " + law + ", " + integrator;
  Mechanism m(machine(type, law), {setting(integrator, 2e-5, 1e-6)}, with_recipes());
  Dice dice(51);
  m.push(dice, 0.03);  // bristles of 1e5 1/m at this speed have rates of 3e4 1/s
  m.settle();
  try {
    m.start();
  } catch (const InputError& error) {
    const std::string expected = refusal(law, integrator);
    EXPECT_TRUE(!expected.empty() && std::string(error.what()).find(expected) != std::string::npos)
        << what << ": " << error.what();
    return;
  }
  EXPECT_EQ(refusal(law, integrator), "") << what << " runs";
  ASSERT_TRUE(m.run().advance_to(2e-3)) << what << ": " << m.run().message();
  for (double x : m.run().state().numbers()) EXPECT_TRUE(std::isfinite(x)) << what;
  const Ledger& ledger = m.run().ledger();
  const double size = std::max(ledger.scale(), ledger.energy().kinetic + std::abs(ledger.energy().stored));
  const double tolerance = ledger_tolerance(law, integrator);
  EXPECT_LT(ledger.worst_residual(), tolerance * size) << what;
  if (law.find("lugre") == std::string::npos) {  // not passive, and says so
    EXPECT_GE(ledger.dissipated(), -tolerance * size) << what;
  }
  double off = 0;
  m.look(m.run().state());
  for (const HeldRow& h : m.layout().held) off = std::max(off, std::abs(m.work().row_value[static_cast<std::size_t>(h.row)]));
  EXPECT_LT(off, 1e-6) << what;
}

TEST(JointFriction, every_law_runs_in_every_joint) {
  for (const FrictionEntry& law : with_recipes().friction.all()) {
    for (const JointEntry& joint : joints_with_recipe()) {
      if (joint.sizes.empty()) continue;
      run(joint.name, plain_law(law), "rk4");
    }
  }
}

TEST(JointFriction, every_integrator_runs_every_joint) {
  for (const std::string& integrator : integrators(true)) {
    for (const JointEntry& joint : joints_with_recipe()) {
      if (joint.sizes.empty()) continue;
      run(joint.name, spanning_laws().at("coulomb"), integrator);
    }
  }
}

/// Newton's iteration lives on these: with one of them missing it fails where friction feeds itself, near jamming.
TEST(JointFriction, depends_on_reactions_as_its_derivatives_say) {
  class Collect final : public JacobianSink {
   public:
    explicit Collect(const Layout& l) : layout(l), by_lambda(Eigen::MatrixXd::Zero(l.free(), l.sizes.lambda)) {}
    void add(Part part, int row, int column, double value) override {
      if (part == Part::force_lambda && layout.unknown(row) >= 0) by_lambda(layout.unknown(row), column) += value;
    }
    const Layout& layout;
    Eigen::MatrixXd by_lambda;
  };
  for (const JointEntry& joint : joints_with_recipe()) {
    if (joint.sizes.empty()) continue;
    for (const char* law : {"coulomb", "lugre"}) {
      Mechanism m(machine(joint.name, spanning_laws().at(law)), {}, with_recipes());
      Dice dice(52);
      m.push(dice, 0.3);
      m.settle();
      m.start();
      m.state() = m.run().state();
      State& x = m.state();
      const int n = m.layout().free(), held = m.system().layout().held_count();
      for (int i = 0; i < m.layout().sizes.z; ++i) x.z()[i] = 0.2;
      for (int k = 0; k < held; ++k) x.lambda()[k] = dice.sign() * dice.between(1, 3);
      const auto friction = [&] {
        m.work().eval = m.system().view(x, m.work());
        m.system().calc_forces(m.work().eval);
        m.system().calc_reactive(m.work().eval);
        VectorXd f(n);
        for (int i = 0; i < n; ++i) f[i] = m.work().f[static_cast<std::size_t>(m.layout().v_index(i))];
        return f;
      };
      friction();
      Collect sink(m.layout());
      m.system().calc_jacobian(x, m.work(), sink);
      for (int k = 0; k < held; ++k) {
        const double lambda = x.lambda()[k], h = 1e-5;
        x.lambda()[k] = lambda + h;
        const VectorXd above = friction();
        x.lambda()[k] = lambda - h;
        const VectorXd found = (above - friction()) / (2 * h);
        x.lambda()[k] = lambda;
        // round-off of forces of up to some hundred newtons (damping of bristles) over 2e-5
        for (int i = 0; i < n; ++i)
          EXPECT_NEAR(sink.by_lambda(i, k), found[i], 1e-8)
              << joint.name << ", " << law << ": " << m.layout().held[static_cast<std::size_t>(k)].name;
      }
    }
  }
}

TEST(JointFriction, every_integrator_runs_every_law) {
  for (const std::string& integrator : integrators(true)) {
    for (const auto& [name, law] : spanning_laws()) run("revolute", law, integrator);
  }
}

TEST(LongJointFriction, every_law_in_every_joint_with_every_integrator) {
  for (const std::string& integrator : integrators(true)) {
    for (const FrictionEntry& law : with_recipes().friction.all()) {
      for (const JointEntry& joint : joints_with_recipe()) {
        if (!joint.sizes.empty()) run(joint.name, plain_law(law), integrator);
      }
    }
  }
}

}  // namespace
}  // namespace bristle
