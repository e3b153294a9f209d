// What is made of results: csv, npz, pictures, reports; and what the program tells about itself.
#include <nlohmann/json.hpp>

#include "bristle/assemble/contact.h"
#include "bristle/input/yaml.h"
#include "bristle/model/scope.h"
#include "bristle/record/run_reader.h"
#include "bristle/study/analysis.h"
#include "cli/program.h"
#include "support/tools.h"

namespace bristle::test {
namespace {

using Json = nlohmann::json;

class ProgramResults : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    scratch_ = new Scratch;
    ASSERT_EQ(bristle_in(*scratch_, {"run", (kExamples / "belt/model.yaml").string(), "--out", "out", "--quiet"}).code, 0);
  }
  static void TearDownTestSuite() {
    delete scratch_;
    scratch_ = nullptr;
  }
  static Scratch* scratch_;
};
Scratch* ProgramResults::scratch_ = nullptr;

TEST_F(ProgramResults, become_csv) {
  const Ended ended = bristle_in(*scratch_, {"convert", "out/run.h5", "block.*", "--to", "csv", "-o", "belt.csv"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  std::istringstream text(read_text(*scratch_ / "belt.csv"));
  std::string header, row;
  std::getline(text, header);
  EXPECT_EQ(header, "time [s],block.position [m],block.velocity [m/s],block.acceleration [m/s^2]");
  long rows = 0;
  while (std::getline(text, row)) ++rows;
  EXPECT_EQ(rows, 5001);
}

TEST_F(ProgramResults, become_npz) {
  ASSERT_EQ(bristle_in(*scratch_, {"convert", "out", "--to", "npz"}).code, 0);
  const Ended python = command_in(
      *scratch_,
      {"/usr/bin/python3", "-c",
       "import numpy as n, h5py\na = n.load('out/run.npz'); f = h5py.File('out/run.h5')\n"
       "assert (a['time'] == f['time'][:]).all()\nassert (a['contact.friction_force'] == f['channels/contact/friction_force'][:]).all()\nprint(len(a))"});
  EXPECT_EQ(python.code, 0) << python.err;
}

TEST_F(ProgramResults, become_no_vtk_without_bodies_in_space) {
  const Ended ended = bristle_in(*scratch_, {"convert", "out", "--to", "vtk"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("no bodies in space"), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(*scratch_ / "out/run.pvd"));
}

TEST_F(ProgramResults, become_pictures) {
  for (const char* name : {"belt.png", "belt.svg", "belt.pdf"}) {
    const Ended ended = bristle_in(*scratch_, {"plot", "out", "block.position", "contact.friction_force", "-o", name});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_GT(fs::file_size(*scratch_ / name), 3000u) << name;
  }
  EXPECT_EQ(read_text(*scratch_ / "belt.png").substr(1, 3), "PNG");
  EXPECT_EQ(bristle_in(*scratch_, {"plot", "out", "contact.friction_force", "--x", "contact.slip", "-o", "loop.png"}).code, 0);
  const Ended wrong = bristle_in(*scratch_, {"plot", "out", "blok.position"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("block.position"), std::string::npos);
}

TEST_F(ProgramResults, become_a_report_that_works_in_a_browser) {
  ASSERT_EQ(bristle_in(*scratch_, {"report", "out/run.h5", "-o", "page.html"}).code, 0);
  EXPECT_EQ(read_text(*scratch_ / "page.html"), read_text(*scratch_ / "out/report.html"));
  BRISTLE_NEEDS(fs::exists(fs::path(BRISTLE_SOURCE_DIR) / "viewer/node_modules/playwright-core"), "the viewer's playwright-core");
  const Ended node =
      command_in(*scratch_, {"node", std::string(BRISTLE_SOURCE_DIR) + "/tests/viewer/report_test.mjs", "page.html"});
  EXPECT_EQ(node.code, 0) << node.out << node.err;
}

TEST_F(ProgramResults, are_told_as_a_table_and_as_json) {
  const std::string model = (kExamples / "belt/model.yaml").string();
  const Ended table = bristle_in(*scratch_, {"run", model, "--out", "again", "--no-report"});
  for (const char* word : {"simulated time", "steps", "events", "dissipated", "by contact", "residual", "again/run.h5"}) {
    EXPECT_NE(table.out.find(word), std::string::npos) << word;
  }
  EXPECT_FALSE(fs::exists(*scratch_ / "again/report.html"));
  const Json json = Json::parse(bristle_in(*scratch_, {"run", model, "--out", "again", "--json"}).out);
  EXPECT_EQ(json.at("end"), "finished");
  EXPECT_EQ(json.at("exit_code"), 0);
  const Json& energy = json.at("energy");
  EXPECT_NEAR(energy.at("dissipated_by").at("contact").get<double>(), energy.at("dissipated").get<double>(), 1e-12);
  EXPECT_EQ(bristle_in(*scratch_, {"run", model, "--out", "again", "--quiet"}).out, "");
}

TEST_F(ProgramResults, carry_their_input) {
  const RunHeader header = read_run((*scratch_ / "out").string(), {}).header;
  EXPECT_EQ(header.model_text, read_text(kExamples / "belt/model.yaml"));
  EXPECT_EQ(header.program.find("bristle "), 0u);
  EXPECT_EQ(header.command.find("bristle run "), 0u);
  EXPECT_EQ(header.integrator, "dormand_prince");
}

// --- list, info, schema ---

TEST(ProgramKnowledge, every_type_has_a_page_a_table_and_a_snippet_that_passes_check) {
  // what a snippet leaves open, so that it becomes a model
  const Node frame = read_yaml_text(
      "bristle: 1\nbodies: {block: {type: mass, mass: 1 kg}}\nanalysis: {type: transient, end: 1 ms, integrator: {type: rk4, step: 0.1 ms}}\n",
      "frame");
  Scratch scratch;
  for (const KindGroup& group : all_kinds()) {
    const Ended list = bristle_in(scratch, {"list", group.kind});
    EXPECT_EQ(list.code, 0);
    for (const KindEntry& entry : group.entries) {
      const std::string name = group.kind + " " + entry.name;
      EXPECT_NE(list.out.find("  " + entry.name + " "), std::string::npos) << name;
      EXPECT_FALSE(entry.summary.empty()) << name;
      const Ended info = bristle_in(scratch, {"info", group.kind, entry.name});
      EXPECT_EQ(info.code, 0) << name;
      for (const Field& field : entry.fields) {
        EXPECT_FALSE(field.text.empty()) << name << "." << field.key;
        EXPECT_NE(info.out.find(field.key), std::string::npos) << name << "." << field.key;
      }
      ASSERT_FALSE(entry.example.empty()) << name;
      EXPECT_NE(info.out.find(entry.example), std::string::npos) << name;
      Node model = read_yaml_text(entry.example, "snippet");
      if (group.kind == "contact") {  // a key of an element
        std::string law;
        EXPECT_NO_THROW(read_contact(*model.find("contact"), ParameterScope(), "snippet", law)) << name;
        EXPECT_EQ(law, entry.name);
        continue;
      }
      for (const auto& [section, content] : frame.children) {
        Node* own = model.find(section);
        if (own == nullptr) model.set(section, content);
        else if (section == "bodies" && own->find("block") == nullptr) own->set("block", *content.find("block"));
      }
      write_text(scratch / "snippet.yaml", model.print());
      const Ended check = bristle_in(scratch, {"check", "snippet.yaml"});
      EXPECT_EQ(check.code, 0) << name << "\n" << check.err << model.print();
    }
  }
}

/// A tree as JSON, numbers as numbers.
Json json_of(const Node& node) {
  if (node.is_map()) {
    Json map = Json::object();
    for (const auto& [key, value] : node.children) map[key] = json_of(value);
    return map;
  }
  if (node.is_list()) {
    Json list = Json::array();
    for (const auto& [key, value] : node.children) list.push_back(json_of(value));
    return list;
  }
  if (node.kind == Node::Kind::null) return nullptr;
  if (!node.quoted && (node.text == "true" || node.text == "false")) return node.text == "true";
  char* end = nullptr;
  const double x = std::strtod(node.text.c_str(), &end);
  if (!node.quoted && !node.text.empty() && *end == '\0') return x;
  return node.text;
}

TEST(ProgramKnowledge, the_schema_takes_every_example_and_refuses_mistakes) {
  Scratch scratch;
  const Ended schema = bristle_in(scratch, {"schema"});
  ASSERT_EQ(schema.code, 0);
  ASSERT_TRUE(Json::accept(schema.out));
  write_text(scratch / "schema.json", schema.out);
  Json good = Json::array(), bad = Json::array();
  for (const auto& entry : fs::directory_iterator(kExamples)) {
    if (!entry.is_directory()) continue;
    const fs::path file = entry.path() / "model.yaml";
    good.push_back(json_of(read_yaml_text(read_text(file), file.string())));
  }
  const auto spoilt_in = [&](const char* example, const std::string& pointer, const Json& value) {
    Json model = json_of(read_yaml_text(read_text(kExamples / example / "model.yaml"), "model"));
    model[Json::json_pointer(pointer)] = value;
    bad.push_back(model);
  };
  const auto spoilt = [&](const std::string& pointer, const Json& value) { spoilt_in("stick_slip", pointer, value); };
  spoilt("/bodys", Json::object());
  spoilt("/bodies/mass/type", "mas");
  spoilt("/bodies/mass/mas", 1);
  spoilt("/bodies/mass/mass", -1);
  spoilt("/joints/surface/friction/type", "lugree");
  spoilt("/joints/surface/friction/sigma00", 1);
  spoilt("/joints/surface/between", Json::array({"ground"}));
  spoilt("/analysis/integrator/type", "euler");
  spoilt("/analysis/ende", 3);
  spoilt("/bristle", 2);
  spoilt_in("cam_follower", "/joints/nose/surfaces/0/type", "elipse");
  spoilt_in("cam_follower", "/joints/nose/surfaces/0/half_z", 1);
  spoilt_in("cam_follower", "/joints/nose/surfaces/1/radius", -1);
  spoilt_in("block_stack", "/collisions/all/with/0/type", "plain");
  spoilt_in("four_bar", "/joints/motor/drive/sped", 1);
  spoilt_in("deployable_mast", "/joints/HINGE/stops/uper", 1);
  write_text(scratch / "models.json", Json{{"good", good}, {"bad", bad}}.dump());
  write_text(scratch / "validate.py", R"(import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(77)
schema, models = json.load(open('schema.json')), json.load(open('models.json'))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for model in models['good']:
    for error in validator.iter_errors(model):
        sys.exit(model['title'] + ': ' + str(list(error.absolute_path)) + ' ' + error.message[:300])
for number, model in enumerate(models['bad']):
    if validator.is_valid(model):
        sys.exit('mistake ' + str(number) + ' was not found')
)");
  const Ended python = command_in(scratch, {"/usr/bin/python3", "validate.py"});
  BRISTLE_NEEDS(python.code != 77, "python3-jsonschema");
  EXPECT_EQ(python.code, 0) << python.err;
}

TEST(ProgramValidate, lists_its_cases) {
  Scratch scratch;
  EXPECT_EQ(bristle_in(scratch, {"validate", "--list"}).code, 0);
}

}  // namespace
}  // namespace bristle::test
