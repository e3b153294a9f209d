#include "bristle/joint/plan.h"

#include <gtest/gtest.h>

#include "support/models.h"

namespace bristle {
namespace {

TEST(JointPlan, holds_as_many_rows_as_its_summary_says_and_leaves_the_rest) {
  for (const JointEntry& entry : joint_list()) {
    const JointPlan plan = entry.plan(JointSizes{0.01, 0.01, 0.1, 0, 0.05, 0, false, 0.005});
    std::size_t rows = plan.held.size();
    if (entry.name == "screw") ++rows;  // its lead is made at assembly
    const std::string count = "(" + std::to_string(rows) + (rows == 1 ? " row)" : " rows)");
    EXPECT_NE(entry.summary.find(count), std::string::npos) << entry.name << ": " << entry.summary;
  }
}

TEST(JointPlan, has_a_page_that_names_its_motions_and_what_loads_its_bearing) {
  for (const JointEntry& entry : joint_list()) {
    const JointPlan plan = entry.plan(JointSizes{0.01, 0.01, 0.1, 0, 0.05, 0, false, 0.005});
    EXPECT_NE(entry.page.find("Row"), std::string::npos) << entry.name;
    EXPECT_NE(entry.page.find("Channels"), std::string::npos) << entry.name;
    for (const RelationPlan& m : plan.motions)
      EXPECT_NE(entry.page.find(m.name), std::string::npos) << entry.name << "." << m.name;
    EXPECT_EQ(entry.page.find("N = preload") != std::string::npos, !entry.sizes.empty()) << entry.name;
    for (const BearingPlan& b : plan.bearings)
      EXPECT_NE(entry.page.find(b.name), std::string::npos) << entry.name << "." << b.name;
    for (std::string size : entry.sizes) {
      if (size[0] == '!') size.erase(0, 1);
      EXPECT_NE(entry.page.find(size), std::string::npos) << entry.name << ": " << size;
    }
  }
}

/// A mass 0.1 m below a guide along x, braked by a force along the guide: the guide carries weight and a moment about y.
TEST(Prismatic, carries_moments_without_rubbing_where_they_are_no_load) {
  const auto load = [](const std::string& more) {
    Trial trial(
        "bristle: 1\ngravity: [0, 0, -10]\nbodies:\n"
        "  b: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -0.1], velocity: [1, 0, 0]}\njoints:\n"
        "  guide: {type: prismatic, between: [ground, b], at: [0, 0, 0], axis: x, width: 0.2, length: 0.4, preload: 3" +
        more +
        ", friction: {type: coulomb, mu_kinetic: 1e-12}}\nforces:\n"
        "  brake: {type: force, on: b, at: [0, 0, 0.1], force: [-5, 0, 0]}\n"
        "analysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n");
    auto& run = trial.start();
    EXPECT_TRUE(run.advance_to(0.01));
    return trial.outputs()[static_cast<std::size_t>(trial.channel("guide.normal_force"))];
  };
  EXPECT_NEAR(load(", moment_load: false"), 3 + 20, 1e-9);
  EXPECT_NEAR(load(", moment_load: true"), 3 + 20 + 2 / 0.4 * 0.2 * 5, 1e-9);
  EXPECT_NEAR(load(""), 3 + 20 + 2 / 0.4 * 0.2 * 5, 1e-9);
}

}  // namespace
}  // namespace bristle
