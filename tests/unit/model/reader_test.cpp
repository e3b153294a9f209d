#include "bristle/model/reader.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "bristle/input/yaml.h"
#include "bristle/model/describe.h"
#include "bristle/model/scope.h"

namespace bristle {
namespace {

enum class Form { isotropic, printed };
struct Params {
  double mass = kRequired;
  double sigma0 = 1e5;
  double sigma1 = 0;
  double velocity = kInfinity;
  double share = 0.5;
  int count = 3;
  bool cap = false;
  Form form = Form::isotropic;
  std::vector<double> table = {1, 2};
  Signal load{0.0};

  void visit(Visitor& v) {
    v("mass", mass, unit::kilogram, positive, "inertia of the coordinate");
    v.per_load("sigma0", sigma0, unit::per_metre, positive, "bristle stiffness over load");
    v.per_load("sigma1", sigma1, unit::second_per_metre, non_negative, "bristle damping over load");
    v("velocity", velocity, unit::metre_per_second, positive, "speed; infinite: none");
    v("share", share, unit::one, fraction, "part | of it");
    v.integer("count", count, 1, 10, "how many");
    v.flag("cap", cap, "limit it");
    v.choice_of("form", form, {"isotropic", "printed"}, "how it relaxes");
    v.list("table", table, unit::metre, non_negative, "heights");
    v.signal("load", load, unit::newton, "force");
    v.reference_load();
  }
};

class ReaderTest : public testing::Test {
 protected:
  Params read(const std::string& text, std::optional<double> load = {}) {
    const Node node = read_yaml_text(text, "m.yaml");
    Reader reader(node, scope_, {"joint 'pin_a': friction 'lugre'", load});
    Params params;
    params.visit(reader);
    reader.finish({"type"});
    return params;
  }
  std::string problem(const std::string& text, std::optional<double> load = {}) {
    try {
      read(text, load);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }
  void expect_problem(const std::string& text, std::string_view part) {
    const std::string found = problem(text);
    EXPECT_NE(found.find(part), std::string::npos) << text << " gave: " << found;
  }

  Node parameters_ = read_yaml_text("k0: 3 N/m\nm0: 2 kg\nn: 4", "p.yaml");
  ParameterScope scope_{&parameters_};
};

TEST_F(ReaderTest, fills_every_kind_of_field) {
  const Params p = read(
      "type: lugre\nmass: 2*m0\nsigma0: 10 1/mm\nsigma1: 0.1\nvelocity: 3 mm/s\nshare: 1/n\ncount: 2*n\ncap: true\n"
      "form: printed\ntable: [1 mm, 2, 3*n]\nload: 10*sin(t)*k0\n");
  EXPECT_EQ(p.mass, 4);
  EXPECT_EQ(p.sigma0, 1e4);
  EXPECT_EQ(p.sigma1, 0.1);
  EXPECT_EQ(p.velocity, 3e-3);
  EXPECT_EQ(p.share, 0.25);
  EXPECT_EQ(p.count, 8);
  EXPECT_TRUE(p.cap);
  EXPECT_EQ(p.form, Form::printed);
  EXPECT_EQ(p.table, (std::vector<double>{1e-3, 2, 12}));
  EXPECT_TRUE(p.load.depends_on_time_only());
  const double t = 0.5;
  EXPECT_DOUBLE_EQ(p.load.eval(&t), 30 * std::sin(0.5));
}

TEST_F(ReaderTest, keeps_defaults_of_what_is_not_given) {
  const Params p = read("mass: 1 kg");
  EXPECT_EQ(p.sigma0, 1e5);
  EXPECT_EQ(p.velocity, kInfinity);
  EXPECT_EQ(p.count, 3);
  EXPECT_EQ(p.table.size(), 2u);
}

TEST_F(ReaderTest, says_what_is_out_of_range) {
  EXPECT_EQ(problem("mass: 1\nsigma0: -1e5"), "m.yaml:2:9  joint 'pin_a': friction 'lugre': sigma0 must be > 0, got -1e5 [1/m]");
  EXPECT_EQ(problem("mass: -2*m0"), "m.yaml:1:7  joint 'pin_a': friction 'lugre': mass must be > 0, got -4 [kg] from '-2*m0'");
  expect_problem("mass: 1\nshare: 1.5", "share must be between 0 and 1, got 1.5");
  expect_problem("mass: 1\ncount: 11", "count must be a whole number between 1 and 10, got 11");
  expect_problem("mass: 1\ncount: 1.5", "count must be a whole number between 1 and 10, got 1.5");
  expect_problem("mass: 1\ncount: 1e300", "whole number");
  expect_problem("mass: 1\ntable: [1, -1]", "m.yaml:2:12  joint 'pin_a': friction 'lugre': table[1] must be >= 0, got -1 [m]");
}

TEST_F(ReaderTest, refuses_what_is_not_a_finite_number) {
  expect_problem("mass: .nan", "mass: ");
  expect_problem("mass: inf", "mass: unknown name 'inf'");
  expect_problem("mass: 1/0", "mass: this has no finite value");
  expect_problem("mass: 1e999", "outside the range");
  expect_problem("mass: true", "unknown name 'true'");
  expect_problem("mass: [1]", "mass must be a single value, found a list");
  expect_problem("mass:", "mass has no value");
  expect_problem("mass: t", "depends on time");
  expect_problem("mass: \"\"", "is empty");
}

TEST_F(ReaderTest, refuses_wrong_units_and_words) {
  expect_problem("mass: 2 mm", "mass: needs a value in kg, but has the unit m");
  expect_problem("mass: 1\nshare: 2 mm", "share: needs a plain number");
  expect_problem("mass: 1\nload: 2 mm", "load: needs a value in N");
  expect_problem("mass: 2*kk0", "m.yaml:1:9  joint 'pin_a': friction 'lugre': mass: unknown name 'kk0'. Did you mean 'k0'?");
  expect_problem("mass: \"2*kk0\"", "m.yaml:1:10  ");
  expect_problem("mass: 1\ncap: yes", "cap must be true or false, got 'yes'");
  expect_problem("mass: 1\nform: printd", "form must be one of isotropic, printed, got 'printd'. Did you mean 'printed'?");
  expect_problem("mass: 1\nform: [a]", "form must be one of");
  expect_problem("mass: 1\ntable: 5", "table must be a list [m]. Write table: [1 m]");
  expect_problem("mass: 1\nload: [5]", "load must be a number or an expression");
}

TEST_F(ReaderTest, reports_unknown_and_missing_keys) {
  EXPECT_EQ(problem("type: x\nmas: 1"), "m.yaml:2:1  joint 'pin_a': friction 'lugre': unknown key 'mas'. Did you mean 'mass'?");
  EXPECT_EQ(
      problem("sigma0: 1"),
      "m.yaml:1:1  joint 'pin_a': friction 'lugre': missing key 'mass' (inertia of the coordinate, [kg]). Write mass: 1 kg");
  expect_problem("mass: 1\nqwertz: 2", "unknown key 'qwertz'. Known keys: mass, sigma0");
  // a key that was read and is allowed besides is named once
  const Node typed = read_yaml_text("type: x\nqwertz: 2", "m.yaml");
  Reader reader(typed, scope_, {"joint 'pin_a'", {}});
  EXPECT_EQ(reader.text("type", "what it is"), "x");
  try {
    reader.finish({"type", "friction"});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "m.yaml:2:1  joint 'pin_a': unknown key 'qwertz'. Known keys: type, friction");
  }
  const Node text = read_yaml_text("hello", "m.yaml");
  EXPECT_THROW(Reader(text, scope_, {}), InputError);
  EXPECT_NO_THROW(Reader(Node(), scope_, {}));
}

TEST_F(ReaderTest, divides_values_with_an_extra_newton_by_the_reference_load) {
  EXPECT_EQ(read("mass: 1\nsigma0: 1e5 N/m\nreference_load: 50 N").sigma0, 2000);
  EXPECT_EQ(read("mass: 1\nsigma1: 5 N s/m", 10.0).sigma1, 0.5);
  EXPECT_EQ(read("mass: 1\nsigma0: 20*k0\nreference_load: 2", 10.0).sigma0, 30);  // the key beside it wins
  expect_problem("mass: 1\nsigma0: 1e5 N/m",
                 "m.yaml:2:9  joint 'pin_a': friction 'lugre': sigma0 is meant per unit of load [1/m]");
  expect_problem("mass: 1\nsigma0: 1e5 N/m", "Add reference_load: 100 N");
  expect_problem("mass: 1\nsigma0: 1e5 N/m\nreference_load: 0", "reference_load must be > 0");
  expect_problem("mass: 1\nsigma0: 1e5 kg", "sigma0: needs a value in 1/m");
}

TEST_F(ReaderTest, helps_the_assembler) {
  const Node node =
      read_yaml_text("type: rigid\nbetween: [a, b]\none: x\nat: [0, 1 mm, 2]\nsub: {q: 1}\nempty:\nlength: 2 mm", "m.yaml");
  Reader r(node, scope_, {"body 'b'", {}});
  EXPECT_EQ(r.text("type", "kind"), "rigid");
  EXPECT_EQ(r.optional_text("title", "none"), "none");
  EXPECT_EQ(r.names("between", "bodies"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(r.names("one", "bodies"), std::vector<std::string>{"x"});
  EXPECT_TRUE(r.optional_names("others").empty());
  EXPECT_EQ(r.numbers("at", 3, unit::metre, "place"), (std::vector<double>{0, 1e-3, 2}));
  EXPECT_FALSE(r.optional_numbers("axis", 3, unit::one));
  EXPECT_EQ(r.number("length", unit::metre, positive, "length"), 2e-3);
  EXPECT_FALSE(r.optional_number("width", unit::metre));
  EXPECT_EQ(r.child("sub", "inner").size(), 1u);
  EXPECT_EQ(r.optional_child("empty"), nullptr);
  EXPECT_FALSE(r.has("empty"));
  EXPECT_NO_THROW(r.finish());
  const auto fails = [&](auto f, std::string_view part) {
    try {
      f();
      ADD_FAILURE() << part;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  fails([&] { r.text("name", "its name"); }, "body 'b': missing key 'name' (its name). Write name: <name>");
  fails([&] { r.text("at", "x"); }, "at must be a single word or text, found a list");
  fails([&] { r.names("sub", "x"); }, "sub must be a word or a list of words");
  fails([&] { r.numbers("at", 2, unit::metre, "x"); }, "at must have 2 numbers [m], got 3");
  fails([&] { r.number("height", unit::metre, positive, "how high"); },
        "missing key 'height' (how high, [m]). Write height: 1 m");
  fails([&] { r.child("inner", "x"); }, "missing key 'inner'");
  fails([&] { r.fail("type", "no"); }, "m.yaml:1:7  body 'b': no");
}

TEST(Describe, lists_every_field) {
  Params params;
  Describer d;
  params.visit(d);
  ASSERT_EQ(d.fields().size(), 11u);
  const Field& mass = d.fields()[0];
  EXPECT_TRUE(mass.required);
  EXPECT_EQ(mass.unit, "kg");
  EXPECT_EQ(mass.range_text, "> 0");
  EXPECT_EQ(d.fields()[1].default_value, "1e5 1/m");
  EXPECT_EQ(d.fields()[3].default_value, "inf");
  EXPECT_EQ(d.fields()[5].range_text, "between 1 and 10");
  EXPECT_EQ(d.fields()[7].words.size(), 2u);
  EXPECT_EQ(d.fields()[7].default_value, "isotropic");
  EXPECT_EQ(d.fields()[8].default_value, "[1 m, 2 m]");
  const std::string text = parameter_table_text(d.fields());
  EXPECT_NE(text.find("mass            kg"), std::string::npos) << text;
  EXPECT_NE(text.find("required"), std::string::npos);
  const std::string markdown = parameter_table_markdown(d.fields());
  EXPECT_NE(markdown.find("| `mass` | kg | > 0 | required | inertia of the coordinate |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("part \\| of it"), std::string::npos);
}

TEST(Describe, gives_a_schema_for_editors) {
  Params params;
  Describer d;
  params.visit(d);
  const std::vector<std::string> extra = {"type"};
  const std::string schema = parameter_schema(d.fields(), extra);
  // JSON is YAML: our own reader understands it
  const Node root = read_yaml_text(schema, "schema.json");
  EXPECT_EQ(root.find("type")->text, "object");
  EXPECT_EQ(root.find("additionalProperties")->text, "false");
  EXPECT_EQ((*root.find("required"))[0].text, "mass");
  const Node& properties = *root.find("properties");
  EXPECT_EQ(properties.size(), 12u);
  EXPECT_NE((*properties.find("mass")->find("anyOf"))[0].find("exclusiveMinimum"), nullptr);
  EXPECT_EQ((*properties.find("share")->find("anyOf"))[0].find("maximum")->text, "1.0");
  EXPECT_EQ(properties.find("form")->find("enum")->size(), 2u);
  EXPECT_EQ(properties.find("cap")->find("type")->text, "boolean");
}

TEST_F(ReaderTest, printed_parameters_read_back_to_the_same_values) {
  Params before =
      read("mass: 1/3\nsigma0: 12345.678\nform: printed\ncap: true\ntable: [0.1, 1e-9]\nload: max(3*sin(t), x.force)\n");
  Printer printer;
  before.visit(printer);
  EXPECT_EQ(printer.node().find("velocity"), nullptr);
  const Params after = read(printer.node().print());
  EXPECT_EQ(after.mass, before.mass);
  EXPECT_EQ(after.sigma0, before.sigma0);
  EXPECT_EQ(after.form, before.form);
  EXPECT_EQ(after.cap, before.cap);
  EXPECT_EQ(after.table, before.table);
  EXPECT_EQ(after.load.text(), before.load.text());
}

}  // namespace
}  // namespace bristle
