#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/input/yaml.h"
#include "bristle/record/run_reader.h"
#include "cli/program.h"

namespace bristle::test {
namespace {

using Json = nlohmann::json;

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kExamples)) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// f(name, expected, tolerance) for every entry `name: [value, tolerance]` of a section.
template <class F>
void each_expectation(const Node& root, const char* section, F f) {
  const Node* map = root.find(section);
  if (map == nullptr) return;
  for (const auto& [name, pair] : map->children) {
    ASSERT_TRUE(pair.is_list() && pair.size() == 2) << section << "." << name;
    f(name, std::stod(pair[0].text), std::stod(pair[1].text));
  }
}

double number_at(const Json& json, const std::string& path) {
  const Json* at = &json;
  std::istringstream parts(path);
  for (std::string part; std::getline(parts, part, '.');) {
    if (at->is_array()) at = &at->at(std::stoul(part));
    else if (at->contains(part)) at = &at->at(part);
    else return std::nan("");
  }
  return at->is_number() ? at->get<double>() : std::nan("");
}

class ProgramExamples : public testing::TestWithParam<std::string> {};

TEST_P(ProgramExamples, run_and_meet_what_they_promise) {
  const fs::path folder = kExamples / GetParam();
  ASSERT_TRUE(fs::exists(folder / "README.md"));
  const Node expect = read_yaml_text(read_text(folder / "expect.yaml"), (folder / "expect.yaml").string());
  Scratch scratch;
  const Ended ended = bristle_in(scratch, {"run", (folder / "model.yaml").string(), "--out", "out", "--json"});
  EXPECT_EQ(ended.code, std::stoi(expect.find("exit_code")->text)) << ended.err;
  ASSERT_FALSE(ended.out.empty()) << ended.err;
  const Json summary = Json::parse(ended.out);

  const auto compare_json = [&](const std::string& path, double value, double tolerance) {
    EXPECT_NEAR(number_at(summary, path), value, tolerance) << path;
  };
  each_expectation(expect, "summary", compare_json);
  each_expectation(expect, "modes", compare_json);
  if (summary.contains("modes")) {
    EXPECT_TRUE(fs::exists(scratch / "out/modes.json"));
    return;
  }
  EXPECT_TRUE(fs::exists(scratch / "out/report.html"));
  const RunFile run = read_run((scratch / "out").string());
  each_expectation(expect, "final", [&](const std::string& name, double value, double tolerance) {
    const RunChannel* c = run.find(name);
    ASSERT_NE(c, nullptr) << name;
    EXPECT_NEAR(c->values.back(), value, tolerance) << "last value of " << name;
  });
  each_expectation(expect, "largest", [&](const std::string& name, double value, double tolerance) {
    const RunChannel* c = run.find(name);
    ASSERT_NE(c, nullptr) << name;
    double largest = 0;
    for (double x : c->values) largest = std::max(largest, std::abs(x));
    EXPECT_NEAR(largest, value, tolerance) << "largest value of " << name;
  });
}

TEST_P(ProgramExamples, are_inside_the_program_and_pass_check) {
  Scratch scratch;
  ASSERT_EQ(bristle_in(scratch, {"example", GetParam(), "--to", "here"}).code, 0);
  EXPECT_EQ(read_text(scratch / "here/model.yaml"), read_text(kExamples / GetParam() / "model.yaml"));
  EXPECT_TRUE(fs::exists(scratch / "here/README.md"));
  const Ended ended = bristle_in(scratch, {"check", "here/model.yaml"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  // nothing is overwritten unasked
  EXPECT_EQ(bristle_in(scratch, {"example", GetParam(), "--to", "here"}).code, 2);
  EXPECT_EQ(bristle_in(scratch, {"example", GetParam(), "--to", "here", "--force"}).code, 0);
}

INSTANTIATE_TEST_SUITE_P(all, ProgramExamples, testing::ValuesIn(example_names()), [](const auto& i) { return i.param; });

TEST(ProgramExample, list_names_all_of_them) {
  Scratch scratch;
  const Ended ended = bristle_in(scratch, {"example", "--list"});
  EXPECT_EQ(ended.code, 0);
  for (const std::string& name : example_names()) EXPECT_NE(ended.out.find(name), std::string::npos) << name;
}

TEST(ProgramDemo, runs_and_says_where_the_report_is) {
  Scratch scratch;
  const Ended ended = bristle_in(scratch, {"demo"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(ended.err, "");  // no progress line without a terminal
  EXPECT_NE(ended.out.find("bristle_demo/report.html"), std::string::npos);
  EXPECT_NE(ended.out.find("residual"), std::string::npos);
  for (const char* file : {"run.h5", "report.html", "model.yaml"})
    EXPECT_TRUE(fs::exists(scratch / "bristle_demo" / file)) << file;
}

}  // namespace
}  // namespace bristle::test
