#include "bristle/joint/plan.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bristle
