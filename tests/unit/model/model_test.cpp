#include "bristle/model/model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bristle/base/text.h"

namespace bristle {
namespace {

namespace fs = std::filesystem;

template <class F>
std::string problem_of(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}
void expect_part(const std::string& found, std::string_view part) { EXPECT_NE(found.find(part), std::string::npos) << found; }

constexpr const char* kText = R"(bristle: 1
parameters:
  k: 2 N/m
  stiff: 2*k
bodies:
  crank: {type: rigid, mass: 0.3}
joints:
  pin: {clearance: 0.5 mm, between: [ground, crank]}
)";

Model model_with(std::vector<std::string> overrides) { return read_model_text(kText, "m.yaml", overrides); }
std::string set_problem(const std::string& assignment) {
  return problem_of([&] { model_with({assignment}); });
}

TEST(Model, reads_and_prints_back) {
  const Model model = model_with({});
  EXPECT_EQ(model.source_text, kText);
  EXPECT_EQ(model.file, "m.yaml");
  EXPECT_TRUE(read_model_text(print_model(model), "again.yaml").root.equals(model.root));
}

TEST(Model, overrides_go_anywhere) {
  EXPECT_EQ(model_with({"joints.pin.clearance=80um"}).root.find("joints")->find("pin")->find("clearance")->text, "80um");
  EXPECT_EQ(model_with({"joint.pin.clearance = 80 um"}).root.find("joints")->find("pin")->find("clearance")->text, "80 um");
  EXPECT_EQ(model_with({"body.crank.mass=1"}).root.find("bodies")->find("crank")->find("mass")->text, "1");
  EXPECT_EQ(model_with({"joints.pin.between.1=rod"}).root.find("joints")->find("pin")->find("between")->children[1].second.text,
            "rod");
  EXPECT_EQ(model_with({"joints.pin.between=[a, b, c]"}).root.find("joints")->find("pin")->find("between")->size(), 3u);
  EXPECT_EQ(
      model_with({"joints.pin.friction={type: coulomb}"}).root.find("joints")->find("pin")->find("friction")->find("type")->text,
      "coulomb");
  EXPECT_EQ(parameters_of(model_with({"k=3 N/m"})).find("stiff")->value, 6);
  EXPECT_EQ(parameters_of(model_with({"parameters.k=5"})).find("stiff")->value, 10);
  EXPECT_EQ(parameters_of(model_with({"parameters.extra=k == 2"})).find("extra")->value, 1);
  EXPECT_EQ(parameters_of(model_with({"k=1", "k=4"})).find("k")->value, 4);
}

TEST(Model, overrides_add_sections_and_keys_that_are_not_there) {
  EXPECT_EQ(model_with({"record={every: step}"}).root.find("record")->find("every")->text, "step");
  EXPECT_EQ(model_with({"title=a new one"}).root.find("title")->text, "a new one");
  EXPECT_EQ(model_with({"check.energy=1e-6"}).root.find("check")->find("energy")->text, "1e-6");
  EXPECT_EQ(model_with({"analysis.integrator.step=1 ms"}).root.find("analysis")->find("integrator")->find("step")->text, "1 ms");
  EXPECT_EQ(model_with({"forces.push={type: load}"}).root.find("forces")->find("push")->find("type")->text, "load");
  EXPECT_EQ(
      model_with({"joints.pin.friction.type=coulomb"}).root.find("joints")->find("pin")->find("friction")->find("type")->text,
      "coulomb");
  EXPECT_EQ(
      read_model_text("bristle: 1\ncheck:\n", "m.yaml", std::vector<std::string>{"check.energy=1"}).root.find("check")->size(),
      1u);
  // elements are not made of parts of a path, nor keys beside one that is nearly the same
  expect_part(set_problem("forces.push.force=1"), "there is no 'push' in 'forces'");
  expect_part(set_problem("joints.pin.clearence.x=1"), "there is no 'clearence' in 'joints.pin'. Did you mean 'clearance'?");
  expect_part(set_problem("chekc.energy=1"), "there is no 'chekc' in the model. Did you mean 'check'?");
  expect_part(set_problem("rekord={every: step}"), "there is no parameter or section 'rekord'. Did you mean 'record'?");
}

TEST(Model, overrides_find_settings_in_what_is_given_by_its_name_alone) {
  const auto set_in = [](const char* analysis, const std::string& assignment) {
    return read_model_text(std::string("bristle: 1\nanalysis: ") + analysis, "m.yaml", std::vector<std::string>{assignment});
  };
  const Model method = set_in("{integrator: radau5}", "analysis.integrator.tolerance=1e-9");
  const Node& integrator = *method.root.find("analysis")->find("integrator");
  EXPECT_EQ(integrator.find("type")->text, "radau5");
  EXPECT_EQ(integrator.find("type")->where.text(), "m.yaml:2:24");
  EXPECT_EQ(integrator.find("tolerance")->text, "1e-9");
  EXPECT_EQ(set_in("{integrator: radau5}", "analysis.integrator.type=rk4")
                .root.find("analysis")
                ->find("integrator")
                ->find("type")
                ->text,
            "rk4");
  const Model rule = set_in("{integrator: {type: rk4, adapt: [contact, friction]}}", "analysis.integrator.adapt.1.share=0.1");
  const Node& second = rule.root.find("analysis")->find("integrator")->find("adapt")->children[1].second;
  EXPECT_EQ(second.find("type")->text, "friction");
  EXPECT_EQ(second.find("share")->text, "0.1");
}

TEST(Model, overrides_that_lead_nowhere_are_refused) {
  expect_part(set_problem("kk=3"), "--set kk=3  there is no parameter or section 'kk'. Did you mean 'k'?");
  expect_part(set_problem("joints.pim.clearance=1"), "there is no 'pim' in 'joints'. Did you mean 'pin'?");
  expect_part(set_problem("jionts.pin.clearance=1"), "there is no 'jionts' in the model. Did you mean 'joints'?");
  expect_part(set_problem("joints.pin.clearance.x=1"), "is a single value");
  expect_part(set_problem("joints.pin.between.2=1"), "is a list of 2");
  expect_part(set_problem("k"), "has no '='");
  expect_part(set_problem("k="), "has no value");
  expect_part(set_problem("joints..pin=1"), "an empty part");
  expect_part(set_problem("=1"), "an empty part");
  expect_part(set_problem("joints.pin.between=[a"), "--set joints.pin.between=[a  the value cannot be read: ");
  expect_part(set_problem("joints.pin.between=[a"), "never closed");
  expect_part(
      set_problem("gravity.2=-9.81"),
      "--set gravity.2=-9.81  there is no 'gravity' in the model whose item 2 this could be. Where it is a list, give all of it, "
      "for example --set 'gravity=[0, 0, -9.81]'");
  expect_part(set_problem("bodies.crank.at.0=1"), "there is no 'at' in 'bodies.crank'");
  expect_part(set_problem("include=[more.yaml]"), "files are included before values are set");
  // a wrong value is reported at the override
  expect_part(problem_of([] { parameters_of(model_with({"k=zz"})); }), "--set k=zz  parameter 'k': unknown name 'zz'");
}

TEST(Model, the_root_is_a_map_of_version_1) {
  expect_part(problem_of([] { read_model_text("- a", "m.yaml"); }), "m.yaml:1:1  a model is a map of sections, found a list");
  expect_part(problem_of([] { read_model_text("hello", "m.yaml"); }), "found a single value");
  expect_part(problem_of([] { read_model_text("bristle: 2", "m.yaml"); }), "m.yaml:1:10  bristle: the version");
}

TEST(Parameters, come_in_any_order_with_units) {
  const Model model = read_model_text("parameters:\n  w: sqrt(k/m)\n  k: 2*k0\n  m: 2 kg\n  k0: 4 kN/m\n", "m.yaml");
  const ParameterScope scope = parameters_of(model);
  EXPECT_DOUBLE_EQ(scope.find("w")->value, std::sqrt(4000));
  EXPECT_EQ(dimension_text(scope.find("w")->dimension), "1/s");
  EXPECT_FALSE(scope.find("x"));
  EXPECT_EQ(scope.names().size(), 4u);
  EXPECT_TRUE(parameters_of(read_model_text("bristle: 1", "m.yaml")).names().empty());
  EXPECT_TRUE(parameters_of(read_model_text("parameters:\nbristle: 1", "m.yaml")).names().empty());
}

TEST(Parameters, wrong_ones_are_refused_with_place_and_way_out) {
  const auto problem = [](const std::string& lines) {
    return problem_of([&] { parameters_of(read_model_text("parameters:\n" + lines, "m.yaml")); });
  };
  EXPECT_EQ(problem("  a: b + 1\n  b: c\n  c: 2*a\n"),
            "m.yaml:2:3  parameters are defined in a circle: a -> b -> c -> a. Give one of them a number");
  expect_part(problem("  a: a"), "a -> a");
  EXPECT_EQ(problem("  stiffness: 1\n  b: 2*stifness"),
            "m.yaml:3:8  parameter 'b': unknown name 'stifness'. Did you mean 'stiffness'?");
  expect_part(problem("  t: 1"), "m.yaml:2:3  parameter 't': the name is taken");
  expect_part(problem("  pi: 3"), "the name is taken");
  expect_part(problem("  min: 3"), "the name is taken");
  expect_part(problem("  a-b: 3"), "letters, digits and _");
  expect_part(problem("  pin.gap: 3"), "letters, digits and _");
  expect_part(problem("  a:"), "has no value");
  expect_part(problem("  a: [1, 2]"), "not a list");
  expect_part(problem("  a: 2*t"), "depends on time");
  expect_part(problem("  a: pin.gap"), "depends on the channel 'pin.gap'");
  expect_part(problem("  a: 1 m + 1 s"), "different units");
  expect_part(problem("  a: 1/0"), "no finite value");
  expect_part(problem("  a: nan"), "unknown name 'nan'");
  expect_part(problem_of([] { parameters_of(read_model_text("parameters: 5", "m.yaml")); }), "parameters must be a map");
}

TEST(Parameters, long_chains_need_no_deep_stack) {
  std::string text = "parameters:\n";
  for (int i = 0; i < 50000; ++i) text += "  a" + std::to_string(i) + ": a" + std::to_string(i + 1) + " + 1\n";
  EXPECT_EQ(parameters_of(read_model_text(text + "  a50000: 1\n", "m.yaml")).find("a0")->value, 50001);
  expect_part(problem_of([&] { parameters_of(read_model_text(text + "  a50000: a0\n", "m.yaml")); }), "circle");
}

class Include : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = fs::path(testing::TempDir()) / ("bristle_include_" + name);
    fs::create_directories(folder_ / "parts");
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  fs::path folder_;
};

TEST_F(Include, merges_sections_of_other_files) {
  const std::string main =
      write("main.yaml", "bristle: 1\ninclude: [parts/bodies.yaml, joints.yaml]\nparameters: {k: 1}\nbodies:\n  a: {mass: 1}\n");
  write("parts/bodies.yaml", "bristle: 1\ninclude: more.yaml\nbodies:\n  b: {mass: 2}\nparameters: {m: 2*k}\n");
  write("parts/more.yaml", "bodies:\n  c: {mass: 3}\n");
  write("joints.yaml", "joints:\n  pin: {}\n");
  const Model model = read_model(main, {});
  EXPECT_EQ(model.root.find("include"), nullptr);
  EXPECT_EQ(model.root.find("bodies")->size(), 3u);
  EXPECT_NE(model.root.find("joints")->find("pin"), nullptr);
  EXPECT_EQ(parameters_of(model).find("m")->value, 2);
  EXPECT_EQ(model.root.find("bodies")->find("c")->find("mass")->where.line, 2);
  expect_part(model.root.find("bodies")->find("c")->where.file, "more.yaml");
}

TEST_F(Include, refuses_circles_doubles_and_missing_files) {
  const auto problem = [](const std::string& path) { return problem_of([&] { read_model(path, {}); }); };
  write("b.yaml", "include: a.yaml\n");
  expect_part(problem(write("a.yaml", "include: b.yaml\n")), "b.yaml:1:10  'a.yaml' includes itself");
  expect_part(problem(write("self.yaml", "include: self.yaml\n")), "includes itself");
  write("x.yaml", "bodies: {p: 1}\n");
  expect_part(problem(write("twice.yaml", "include: [x.yaml, ./x.yaml]\n")), "is included twice");
  const std::string duplicate = problem(write("dup.yaml", "include: x.yaml\nbodies:\n  p: 2\n"));
  expect_part(duplicate, "x.yaml:1:10  'bodies.p' is given twice; also at ");
  expect_part(duplicate, "dup.yaml:3:3");
  write("title.yaml", "title: x\n");
  expect_part(problem(write("two_titles.yaml", "include: title.yaml\ntitle: y\n")), "'title' is given twice");
  expect_part(problem(write("none.yaml", "include: nothing.yaml\n")), "none.yaml:1:10  '");
  expect_part(problem(write("none.yaml", "include: nothing.yaml\n")), "does not exist");
  expect_part(problem(write("map.yaml", "include: {a: b}\n")), "include takes a file name");
  expect_part(problem(write("null.yaml", "include:\n")), "include takes a file name");
  write("list.yaml", "- 1\n");
  expect_part(problem(write("l.yaml", "include: list.yaml\n")), "list.yaml:1:1  a model is a map");
}

}  // namespace
}  // namespace bristle
