// The models of the published cases as a user meets them: files that can be taken, checked and run.
#include "cli/program.h"

namespace bristle::test {
namespace {

TEST(ProgramValidate, writes_models_that_pass_the_check_and_begin) {
  Scratch scratch;
  ASSERT_EQ(bristle_in(scratch, {"validate", "--models", "models"}).code, 0);
  int models = 0;
  for (const auto& file : fs::directory_iterator(scratch / "models")) {
    const std::string path = file.path().string();
    const Ended checked = bristle_in(scratch, {"check", path});
    EXPECT_EQ(checked.code, 0) << path << checked.err;
    ++models;
    if (read_text(path).find("campbell") != std::string::npos) continue;  // no transient: it has no end to bring forward
    const Ended ran =
        bristle_in(scratch, {"run", path, "--set", "analysis.end=5 ms", "--out", path + ".run", "--no-report", "--quiet"});
    EXPECT_EQ(ran.code, 0) << path << ran.err;
  }
  EXPECT_GE(models, 10);
}

TEST(ProgramValidate, does_not_write_over_models_that_were_changed) {
  Scratch scratch;
  fs::create_directories(scratch / "mine");
  write_text(scratch / "mine" / "belt.yaml", "mine");
  const Ended ended = bristle_in(scratch, {"validate", "--models", "mine"});
  EXPECT_NE(ended.code, 0);
  EXPECT_NE(ended.err.find("belt.yaml"), std::string::npos) << ended.err;
  EXPECT_EQ(read_text(scratch / "mine" / "belt.yaml"), "mine");
  EXPECT_FALSE(fs::exists(scratch / "mine" / "lugre.yaml"));
}

}  // namespace
}  // namespace bristle::test
