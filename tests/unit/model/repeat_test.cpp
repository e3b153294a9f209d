// Bodies of which the model file has many.
#include "bristle/model/repeat.h"

#include <gtest/gtest.h>

#include "bristle/base/error.h"
#include "bristle/model/model.h"
#include "support/models.h"

namespace bristle {
namespace {

std::string model(const std::string& repeat, const std::string& position = "[1, 2, 3]") {
  return "bristle: 1\nparameters: {d: 100 mm}\nbodies:\n  first: {type: particle, mass: 1 kg}\n"
         "  ball: {type: particle, mass: 2 kg, position: " +
         position + ", repeat: " + repeat +
         "}\n  last: {type: particle, mass: 1 kg}\nanalysis: {type: transient, end: 1 s, integrator: {type: rk4, step: 1 ms}}\n";
}
Node bodies(const std::string& repeat) { return *read_model_text(model(repeat), "test.yaml").root.find("bodies"); }
double at(const Node& all, const std::string& body, std::size_t k) {
  return std::stod((*all.find(body)->find("position"))[k].text);
}
std::string problem(const std::string& repeat, const std::string& position = "[1, 2, 3]") {
  try {
    read_model_text(model(repeat, position), "test.yaml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Repeat, makes_rows_along_three_axes_with_x_fastest) {
  const Node all = bodies("{count: [2, 3, 2], spacing: [d, 20 cm, 0.3]}");
  ASSERT_EQ(all.size(), 14u);
  EXPECT_EQ(all.children.front().first, "first");
  EXPECT_EQ(all.children.back().first, "last");
  EXPECT_EQ(all.find("ball"), nullptr);
  EXPECT_DOUBLE_EQ(at(all, "ball1", 0), 1);
  EXPECT_DOUBLE_EQ(at(all, "ball2", 0), 1.1);
  EXPECT_DOUBLE_EQ(at(all, "ball3", 1), 2.2);
  EXPECT_DOUBLE_EQ(at(all, "ball12", 0), 1.1);
  EXPECT_DOUBLE_EQ(at(all, "ball12", 1), 2.4);
  EXPECT_DOUBLE_EQ(at(all, "ball12", 2), 3.3);
  EXPECT_EQ(all.find("ball7")->find("repeat"), nullptr);
  EXPECT_EQ(all.find("ball7")->find("mass")->text, "2 kg");
}

TEST(Repeat, makes_one_row_along_its_spacing) {
  const Node all = bodies("{count: 4, spacing: [0.1, 0, 0.2]}");
  ASSERT_EQ(all.size(), 6u);
  EXPECT_DOUBLE_EQ(at(all, "ball4", 0), 1.3);
  EXPECT_DOUBLE_EQ(at(all, "ball4", 1), 2);
  EXPECT_DOUBLE_EQ(at(all, "ball4", 2), 3.6);
}

TEST(Repeat, scatters_equally_in_every_run_and_no_farther_than_said) {
  const Node a = bodies("{count: 50, spacing: [0, 0, 0], scatter: 1 mm}"),
             b = bodies("{count: 50, spacing: [0, 0, 0], scatter: 1 mm}");
  EXPECT_TRUE(a.equals(b));
  double least = 1, most = -1;
  for (int i = 1; i <= 50; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double off = at(a, "ball" + std::to_string(i), k) - static_cast<double>(1 + k);
      least = std::min(least, off), most = std::max(most, off);
    }
  }
  EXPECT_GT(least, -1e-3);
  EXPECT_LT(least, -0.8e-3);
  EXPECT_LT(most, 1e-3);
  EXPECT_GT(most, 0.8e-3);
}

TEST(Repeat, makes_a_model_that_assembles_and_prints_back) {
  const Model m = read_model_text(model("{count: [3, 2], spacing: [1, 1, 1]}"), "test.yaml");
  EXPECT_EQ(assemble(m).layout().bodies.size(), 9u);
  EXPECT_TRUE(read_model_text(print_model(m), "again.yaml").root.equals(m.root));
}

TEST(Repeat, refuses_what_makes_no_sense) {
  EXPECT_NE(problem("5").find("repeat takes count and spacing"), std::string::npos) << problem("5");
  EXPECT_NE(problem("{count: 0, spacing: [1, 1, 1]}").find("count must be a whole number from 1"), std::string::npos);
  EXPECT_NE(problem("{count: 2.5, spacing: [1, 1, 1]}").find("got 2.5"), std::string::npos);
  EXPECT_NE(problem("{count: 2, spacing: [1, 1, 1], scater: 1}").find("Did you mean 'scatter'"), std::string::npos);
  EXPECT_NE(problem("{count: [1000, 1000, 1000], spacing: [1, 1, 1]}").find("more than"), std::string::npos);
  EXPECT_NE(problem("{count: 2, spacing: [1 s, 0, 0]}"), "");
  EXPECT_NE(problem("{count: 2, spacing: [1, 0, 0]}", "0.5").find("bodies in space"), std::string::npos);
}

}  // namespace
}  // namespace bristle
