#include <regex>

#include "cli/program.h"

namespace bristle::test {
namespace {

/// A model that is right; tests change one thing in it.
const std::string kModel = R"(bristle: 1
parameters:
  k: 2 N/m
bodies:
  block: {type: mass, mass: 1 kg}
  belt: {type: driven, velocity: 0.1 m/s}
forces:
  spring: {type: spring, between: [ground, block], stiffness: k}
joints:
  contact:
    type: sliding
    between: [belt, block]
    load: 10 N
    friction: {type: lugre, mu_kinetic: 0.1, mu_static: 0.15}
analysis: {type: transient, end: 0.1 s, integrator: {type: radau5}}
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kModel;
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' in the model");
  return text.replace(at, from.size(), to);
}

struct Mistake {
  const char* name;
  std::string text;
  const char* place;     ///< line:column, "" when any place will do
  const char* fragment;  ///< of the sentence
};

void PrintTo(const Mistake& m, std::ostream* out) { *out << m.name; }

std::string nested(const char* open, int levels) {
  std::string text = "bristle: 1\nbodies: ";
  for (int i = 0; i < levels; ++i) text += open;
  return text;
}

std::string garbage() {
  std::string text(10 << 20, '\0');
  unsigned long long x = 88172645463325252ULL;
  for (char& c : text) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    c = static_cast<char>(x);
  }
  return text;
}

std::string printable_garbage() {
  std::string text = garbage();
  for (char& c : text) c = static_cast<char>(' ' + static_cast<unsigned char>(c) % 95);
  return text;
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = {
      {"unknown_key", changed("load: 10 N", "laod: 10 N"), "13:5", "unknown key 'laod'. Did you mean 'load'?"},
      {"unknown_key_of_a_law", changed("mu_static", "mu_statik"), "14:", "Did you mean 'mu_static'?"},
      {"unknown_key_of_a_body", changed("mass: 1 kg", "mas: 1 kg"), "5:", "Did you mean 'mass'?"},
      {"unknown_key_of_the_analysis", changed("end: 0.1 s", "ende: 0.1 s"), "15:", "Did you mean 'end'?"},
      {"unknown_key_of_an_integrator", changed("{type: radau5}", "{type: radau5, tolerence: 1e-6}"),
       "15:", "Did you mean 'tolerance'?"},
      {"unknown_key_type", changed("{type: mass,", "{tpye: mass,"), "5:", "Did you mean 'type'?"},
      {"unknown_section", changed("forces:", "force:"), "7:1", "Did you mean 'forces'?"},
      {"unknown_type", changed("type: spring,", "type: sprnig,"), "8:", "Did you mean 'spring'?"},
      {"unknown_law", changed("lugre", "lugree"), "14:", "Did you mean 'lugre'?"},
      {"unknown_integrator", changed("radau5", "radau55"), "15:", "Did you mean 'radau5'?"},
      {"unknown_analysis", changed("transient", "transcient"), "15:", "Did you mean 'transient'?"},
      {"duplicate_key", changed("load: 10 N", "load: 10 N\n    load: 20 N"), "14:5", "load"},
      {"wrong_unit", changed("load: 10 N", "load: 10 kg"), "13:", "kg"},
      {"unit_that_does_not_exist", changed("mass: 1 kg", "mass: 1 kgg"), "5:", "kgg"},
      {"missing_key", changed(", mass: 1 kg", ""), "5:", "missing key 'mass'"},
      {"missing_type", changed("type: mass, ", ""), "5:", "missing key 'type'"},
      {"missing_end", changed("end: 0.1 s, ", ""), "15:", "end"},
      {"missing_integrator", changed(", integrator: {type: radau5}", ""), "15:", "missing key 'integrator'"},
      {"missing_load", changed("    load: 10 N\n", ""), "", "load: 10 N"},
      {"missing_version", changed("bristle: 1\n", ""), "", "bristle: 1"},
      {"other_version", changed("bristle: 1\n", "bristle: 7\n"), "1:", "version"},
      {"out_of_range", changed("mass: 1 kg", "mass: -1 kg"), "5:", "must be > 0"},
      {"negative_load", changed("load: 10 N", "load: -10 N"), "13:", ">= 0"},
      {"end_before_start", changed("end: 0.1 s", "end: -1 s"), "15:", "after the start"},
      {"not_a_number", changed("mass: 1 kg", "mass: nan"), "5:", "nan"},
      {"infinite", changed("mass: 1 kg", "mass: inf"), "5:", "inf"},
      {"zero_over_zero", changed("mass: 1 kg", "mass: 0/0"), "5:", ""},
      {"overflow", changed("mass: 1 kg", "mass: 1e999"), "5:", ""},
      {"undefined_name", changed("stiffness: k", "stiffness: kk"), "8:", "Did you mean 'k'?"},
      {"undefined_body", changed("[ground, block], stiffness", "[ground, blok], stiffness"), "8:", "Did you mean 'block'?"},
      {"undefined_channel", changed("load: 10 N", "load: 10 + blok.position"), "13:", "Did you mean 'block.position'?"},
      {"circular_parameter", changed("k: 2 N/m", "k: 2*a\n  a: 3*b\n  b: k"), "", "circle: a -> b -> k -> a"},
      {"parameter_of_itself", changed("k: 2 N/m", "k: 2*k"), "3:", "circle"},
      {"name_used_twice", changed("spring:", "block:"), "8:", "already"},
      {"reserved_name", changed("  belt:", "  ground:"), "6:", "reserved"},
      {"same_ends", changed("[ground, block], stiffness", "[block, block], stiffness"), "8:", "same"},
      {"law_without_parameters", changed("{type: lugre, mu_kinetic: 0.1, mu_static: 0.15}", "{type: lugre}"),
       "14:", "missing key 'mu_kinetic'"},
      {"section_that_is_a_list",
       changed("bodies:\n  block: {type: mass, mass: 1 kg}\n  belt: {type: driven, velocity: 0.1 m/s}", "bodies: [block]"),
       "4:", "map"},
      {"body_that_is_a_number", changed("block: {type: mass, mass: 1 kg}", "block: 3"), "5:", "map"},
      {"record_that_is_a_number", kModel + "record: 3\n", "16:", "map"},
      {"record_of_nothing", kModel + "record: {channels: [blck.*]}\n", "16:", "no channel"},
      {"step_rule_that_is_a_word", changed("{type: radau5}", "{type: rk4, adapt: [velocity]}"), "15:", "step rule"},
      {"step_rule_that_only_limits", changed("{type: radau5}", "{type: rk4, adapt: [growth]}"),
       "15:", "beside those that only limit others"},
      {"fixed_step_without_step", changed("{type: radau5}", "{type: rk4}"), "15:", "step"},
      {"smoothing_without_friction",
       "bristle: 1\nbodies:\n  arm: {type: rigid, mass: 1, inertia: [1, 1, 1]}\njoints:\n  pin: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: z, smoothing: "
       "{shape: tanh}}\nanalysis: {type: transient, end: 0.1 s, integrator: rk4}\n",
       "5:", "there is no friction here"},
      {"smoothing_of_a_smooth_law", changed("load: 10 N", "load: 10 N\n    smoothing: {velocity: 1 mm/s}"), "14:", "smoothing"},
      {"broken_flow", changed("{type: mass, mass: 1 kg}", "{type: mass, mass: 1 kg"), "", ""},
      {"tab", changed("  block:", "\tblock:"), "5:", "tab"},
      {"empty", "", "", "empty"},
      {"only_comments", "# nothing\n", "", ""},
      {"a_list", "- 1\n- 2\n", "1:1", "map of sections"},
      {"deeply_nested_lists", nested("[", 100000), "", "level"},
      {"deeply_nested_maps", nested("{a: ", 100000), "", "level"},
      {"garbage", garbage(), "", ""},
      {"printable_garbage", printable_garbage(), "", ""},
  };
  return all;
}

class ProgramErrors : public testing::TestWithParam<Mistake> {};

TEST_P(ProgramErrors, end_with_code_2_and_one_sentence_with_its_place) {
  const Mistake& mistake = GetParam();
  Scratch scratch;
  write_text(scratch / "model.yaml", mistake.text);
  for (const char* command : {"check", "run"}) {
    const Ended ended = bristle_in(scratch, {command, "model.yaml"});
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_TRUE(std::regex_search(ended.err.substr(0, 200), std::regex("^model\\.yaml:[0-9]+:[0-9]+  "))) << ended.err;
    EXPECT_EQ(ended.err.find(std::string("model.yaml:") + mistake.place), 0u) << ended.err;
    EXPECT_NE(ended.err.find(mistake.fragment), std::string::npos) << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_LT(ended.err.size(), 600u);
    EXPECT_EQ(ended.out, "");
  }
  EXPECT_FALSE(fs::exists(scratch / "model_out"));
}

INSTANTIATE_TEST_SUITE_P(all, ProgramErrors, testing::ValuesIn(mistakes()), [](const auto& i) { return i.param.name; });

TEST(ProgramInput, that_is_right_passes) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kModel);
  const Ended ended = bristle_in(scratch, {"check", "model.yaml"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("lugre"), std::string::npos);
}

TEST(ProgramInput, that_cannot_be_read_is_named) {
  Scratch scratch;
  for (const char* name : {"nothing.yaml", ".", "nowhere/model.yaml"}) {
    const Ended ended = bristle_in(scratch, {"run", name});
    EXPECT_EQ(ended.code, 2) << name;
    EXPECT_EQ(ended.err.find(name), 0u) << ended.err;
  }
}

TEST(ProgramInput, overrides_change_the_model_and_are_checked) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kModel);
  EXPECT_EQ(bristle_in(scratch, {"check", "model.yaml", "--set", "k=3 N/m", "--set", "joint.contact.load=20 N"}).code, 0);
  const Ended unknown = bristle_in(scratch, {"check", "model.yaml", "--set", "kk=3"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("Did you mean 'k'?"), std::string::npos) << unknown.err;
  const Ended wrong = bristle_in(scratch, {"run", "model.yaml", "--set", "joints.contact.load=20 kg"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err.find("--set joints.contact.load=20 kg"), 0u) << wrong.err;

  // the model that was run is kept, overrides applied
  EXPECT_EQ(bristle_in(scratch, {"run", "model.yaml", "--set", "k=3 N/m", "--quiet"}).code, 0);
  EXPECT_NE(read_text(scratch / "model_out/model.yaml").find("3 N/m"), std::string::npos);
  EXPECT_EQ(bristle_in(scratch, {"run", "model.yaml", "--quiet"}).code, 0);
  EXPECT_EQ(read_text(scratch / "model_out/model.yaml"), kModel);
}

TEST(ProgramInput, results_do_not_overwrite_the_model) {
  Scratch scratch;
  write_text(scratch / "model.yaml", kModel);
  const Ended ended = bristle_in(scratch, {"run", "model.yaml", "--out", "."});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(read_text(scratch / "model.yaml"), kModel);
}

TEST(ProgramCommandLine, mistakes_end_with_code_2_and_a_way_out) {
  Scratch scratch;
  const auto err = [&](const std::vector<std::string>& arguments) {
    const Ended ended = bristle_in(scratch, arguments);
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    return ended.err;
  };
  EXPECT_NE(err({"rnu", "model.yaml"}).find("Did you mean 'run'?"), std::string::npos);
  EXPECT_NE(err({"run"}).find("model"), std::string::npos);
  EXPECT_NE(err({"run", "model.yaml", "--sett", "a=1"}).find("--sett"), std::string::npos);
  EXPECT_NE(err({"--nonsense"}).find("--nonsense"), std::string::npos);
  EXPECT_NE(err({"convert", "run.h5", "--to", "xls"}).find("csv"), std::string::npos);
  EXPECT_NE(err({"info", "friction", "lugree"}).find("Did you mean 'lugre'?"), std::string::npos);
  EXPECT_NE(err({"list", "fricton"}).find("Did you mean 'friction'?"), std::string::npos);
  EXPECT_NE(err({"example", "stik_slip"}).find("Did you mean 'stick_slip'?"), std::string::npos);
  EXPECT_NE(err({"report", "nothing.h5"}).find("nothing.h5"), std::string::npos);
  EXPECT_NE(err({"resume", "nowhere"}).find("nowhere"), std::string::npos);
}

TEST(ProgramCommandLine, help_and_version_are_there) {
  Scratch scratch;
  const Ended help = bristle_in(scratch, {"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* command :
       {"demo", "check", "run", "resume", "list", "info", "schema", "example", "convert", "plot", "report", "validate"}) {
    EXPECT_NE(help.out.find(command), std::string::npos) << command;
    EXPECT_EQ(bristle_in(scratch, {command, "--help"}).code, 0) << command;
  }
  EXPECT_EQ(bristle_in(scratch, {}).code, 0);
  EXPECT_EQ(bristle_in(scratch, {"--version"}).out.find("bristle "), 0u);
}

}  // namespace
}  // namespace bristle::test
