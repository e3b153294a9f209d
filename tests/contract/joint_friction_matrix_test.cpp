// Every friction law in every joint that rubs, and every integrator on mechanisms: they run, the ledger closes, friction takes energy.
#include <gtest/gtest.h>

#include "support/probe.h"

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

/// True when it was run; false when the integrator does not take mechanisms.
bool run(const std::string& type, const std::string& law, const std::string& integrator, double end, double tolerance) {
  const std::string what = type + ", " + law + ", " + integrator;
  Mechanism m(machine(type, law), {setting(integrator, 2e-5, 1e-6)});
  Dice dice(51);
  m.push(dice, 0.03);  // bristles of 1e5 1/m at this speed have rates of 3e4 1/s
  m.settle();
  try {
    m.start();
  } catch (const InputError&) {
    return false;
  }
  if (!m.run().advance_to(end)) {
    ADD_FAILURE() << what << ": " << m.run().message();
    return true;
  }
  for (double x : m.run().state().numbers()) EXPECT_TRUE(std::isfinite(x)) << what;
  const Ledger& ledger = m.run().ledger();
  EXPECT_LT(ledger.worst_residual(), tolerance * ledger.scale()) << what;
  if (law.find("lugre") == std::string::npos) {  // not passive, and says so
    EXPECT_GE(ledger.dissipated(), -tolerance * ledger.scale()) << what;
  }
  double off = 0;
  m.look(m.run().state());
  for (const HeldRow& h : m.layout().held) off = std::max(off, std::abs(m.work().row_value[static_cast<std::size_t>(h.row)]));
  EXPECT_LT(off, 1e-6) << what;
  return true;
}

// laws with flags or delays act at the ends of steps: their work is known to one step
constexpr double kLedger = 1e-3;

TEST(JointFriction, every_law_runs_in_every_joint) {
  for (const FrictionEntry& law : friction_registry().all()) {
    for (const JointEntry& joint : joint_list()) {
      if (joint.sizes.empty()) continue;
      EXPECT_TRUE(run(joint.name, plain_law(law), "rk4", 2e-3, kLedger)) << law.name << " " << joint.name;
    }
  }
}

TEST(JointFriction, every_integrator_runs_every_joint) {
  for (const std::string& integrator : integrators(true)) {
    for (const JointEntry& joint : joint_list()) {
      if (joint.sizes.empty()) continue;
      const bool ran = run(joint.name, spanning_laws().at("coulomb"), integrator, 2e-3, kLedger);
      EXPECT_TRUE(ran || (integrator != "rk4" && integrator != "dormand_prince")) << integrator;
    }
  }
}

TEST(JointFriction, every_integrator_runs_every_law) {
  for (const std::string& integrator : integrators(true)) {
    for (const auto& [name, law] : spanning_laws()) {
      const bool ran = run("revolute", law, integrator, 2e-3, kLedger);
      EXPECT_TRUE(ran || (integrator != "rk4" && integrator != "dormand_prince")) << integrator;
    }
  }
}

TEST(LongJointFriction, every_law_in_every_joint_with_every_integrator) {
  for (const std::string& integrator : integrators(true)) {
    for (const FrictionEntry& law : friction_registry().all()) {
      for (const JointEntry& joint : joint_list()) {
        if (!joint.sizes.empty()) run(joint.name, plain_law(law), integrator, 2e-3, kLedger);
      }
    }
  }
}

}  // namespace
}  // namespace bristle
