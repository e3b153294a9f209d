// Random models: each is right, or ends in a sentence that names an element and a way out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "bristle/model/model.h"
#include "random_model.h"
#include "verdict.h"

namespace bristle::fuzz {
namespace {

constexpr int kParts = 6, kModels = 300;  // parts run side by side

class RandomModels : public testing::TestWithParam<int> {};

TEST_P(RandomModels, are_right_or_end_in_a_sentence) {
  Nursery nursery({.compare = false}, 1);
  const int each = kModels / kParts;
  const auto seed = [&](int i) { return static_cast<std::uint64_t>(1 + GetParam() * each + i); };
  nursery.run(
      each, [&](int i) { return random_model(seed(i)); },
      [&](int i, const Verdict& v) {
        EXPECT_FALSE(is_failure(v.fate)) << "seed " << seed(i) << " " << name_of(v.fate) << ": " << v.detail << "\n"
                                         << "script/fuzz --show " << seed(i) << " prints it\n";
      });
}
INSTANTIATE_TEST_SUITE_P(Long, RandomModels, testing::Range(0, kParts));

/// What random models have found, made small.
class FoundModels : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FoundModels);

TEST_P(FoundModels, are_right_or_end_in_a_sentence) {
  Nursery nursery({.seconds = 20, .compare = true}, 1);
  const Verdict v = nursery.run_one(read_model(BRISTLE_SOURCE_DIR "/tests/fuzz/found/" + GetParam() + ".yaml").root);
  EXPECT_FALSE(is_failure(v.fate)) << name_of(v.fate) << ": " << v.detail;
}
std::vector<std::string> found() {
  std::vector<std::string> names;
  if (!std::filesystem::exists(BRISTLE_SOURCE_DIR "/tests/fuzz/found")) return names;
  for (const auto& file : std::filesystem::directory_iterator(BRISTLE_SOURCE_DIR "/tests/fuzz/found")) {
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}
INSTANTIATE_TEST_SUITE_P(, FoundModels, testing::ValuesIn(found()), [](const auto& test) { return test.param; });

TEST(RandomModel, of_a_seed_is_the_same_whatever_was_made_before) {
  const std::string first = model_text(random_model(7));
  random_model(8);
  EXPECT_EQ(model_text(random_model(7)), first);
  EXPECT_NE(model_text(random_model(8)), first);
}

}  // namespace
}  // namespace bristle::fuzz
