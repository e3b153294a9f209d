#include "bristle/input/yaml.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

namespace bristle {
namespace {

Node read(std::string_view text) { return read_yaml_text(text, "m.yaml"); }
std::string problem(std::string_view text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}
void expect_problem(std::string_view text, std::string_view part) {
  const std::string found = problem(text);
  EXPECT_NE(found.find(part), std::string::npos) << "'" << text.substr(0, 60) << "' gave: " << found;
}
/// The tree in one line, for comparison: {a: 1, b: [x, "y"], c: ~}
std::string flat(const Node& node) {
  if (node.kind == Node::Kind::null) return "~";
  if (node.is_scalar()) return node.quoted ? '"' + node.text + '"' : node.text;
  std::string out;
  for (const auto& [key, child] : node.children)
    out += (out.empty() ? "" : ", ") + (node.is_map() ? key + ": " : "") + flat(child);
  return node.is_map() ? "{" + out + "}" : "[" + out + "]";
}

TEST(Yaml, reads_maps_lists_and_scalars) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: 1", "{a: 1}"},
      {"a: 1\nb: two words\n", "{a: 1, b: two words}"},
      {"a:\n  b:\n    c: 1\n  d: 2\ne: 3", "{a: {b: {c: 1}, d: 2}, e: 3}"},
      {"a:\n  - 1\n  - 2\nb: 3", "{a: [1, 2], b: 3}"},
      {"a:\n- 1\n- 2\nb: 3", "{a: [1, 2], b: 3}"},
      {"- a: 1\n  b: 2\n- c: 3", "[{a: 1, b: 2}, {c: 3}]"},
      {"- - 1\n  - 2\n- - 3", "[[1, 2], [3]]"},
      {"-\n  a: 1\n-\n- x", "[{a: 1}, ~, x]"},
      {"a: [1, 2, [3, 4]]", "{a: [1, 2, [3, 4]]}"},
      {"a: {b: 1, c: {d: 2}}", "{a: {b: 1, c: {d: 2}}}"},
      {"a: [1,\n  2, # two\n  3,\n]\nb: 1", "{a: [1, 2, 3], b: 1}"},
      {"{\"a\":1,\"b\":[true,null]}", "{a: 1, b: [true, ~]}"},
      {"a: {}\nb: []\nc:\nd: ~\ne: null", "{a: {}, b: [], c: ~, d: ~, e: ~}"},
      {"a: {b: , c: 1}", "{a: {b: ~, c: 1}}"},
      {"a: 'it''s'\nb: \"x\\ty \\u00b5\"", "{a: \"it's\", b: \"x\ty µ\"}"},
      {"a: \"one\n  two\n\n  three\"", "{a: \"one two\nthree\"}"},
      {"a: \"one\r\n  two\"\r\n", "{a: \"one two\"}"},
      {"'quoted key': 1\n\"k:2\": 2", "{quoted key: 1, k:2: 2}"},
      {"# comment\na: 1 # more\n\n# end", "{a: 1}"},
      {"a: x#y", "{a: x#y}"},
      {"a: # one\n  b: {c: 1} # two\n  d: \"x\" # three\n  e: # four\n    - # five\n      1\n    - [2] # six\n",
       "{a: {b: {c: 1}, d: \"x\", e: [1, [2]]}}"},
      {"--- # start\na: | # text\n  x\n... # end", "{a: x\n}"},
      {"a: http://x:80/y", "{a: http://x:80/y}"},
      {"---\na: 1\n...\n# done", "{a: 1}"},
      {"\xEF\xBB\xBF"
       "a: 1\r\nb: 2\r\n",
       "{a: 1, b: 2}"},
      {"a: -5\nb: - x", "error"},
      {"a: 5 [mm/s] * t\nb: \"if(x.y > 1, 2, 3)\"", "{a: 5 [mm/s] * t, b: \"if(x.y > 1, 2, 3)\"}"},
      {"a: |\n  one\n   two\n\n  three\nb: 1", "{a: one\n two\n\nthree\n, b: 1}"},
      {"a: |-\n  one\n\n\nb: 1", "{a: one, b: 1}"},
      {"a: |+\n  one\n\nb: 1", "{a: one\n\n, b: 1}"},
      {"a: >\n  one\n  two\n\n  three\n    deep\n  four\n", "{a: one two\nthree\n  deep\nfour\n}"},
      {"- |\n  x\n- >-\n  y\n  z", "[x\n, y z]"},
  };
  for (const auto& [text, expected] : cases) {
    if (std::string(expected) == "error") EXPECT_THROW(read(text), InputError) << text;
    else EXPECT_EQ(flat(read(text)), expected) << text;
  }
}

TEST(Yaml, knows_where_everything_stands) {
  const Node root = read("a: 1\nb:\n  µ: x\n  c: \"2*k\"\nd: [1, {e: 5}]\nf: |\n  t +\n  zz\n");
  EXPECT_EQ(root.find("a")->where.text(), "m.yaml:1:4");
  EXPECT_EQ(root.find("b")->where.text(), "m.yaml:3:3");
  EXPECT_EQ(root.where_of_key("b").text(), "m.yaml:2:1");
  EXPECT_EQ(root.find("b")->find("µ")->where.text(), "m.yaml:3:6");
  EXPECT_EQ(root.find("b")->find("c")->where.text(), "m.yaml:4:6");
  EXPECT_EQ(root.find("b")->find("c")->where_of_text().text(), "m.yaml:4:7");
  EXPECT_EQ((*root.find("d"))[1].find("e")->where.text(), "m.yaml:5:12");
  EXPECT_EQ(root.find("f")->where.text(), "m.yaml:7:3");
}

TEST(Yaml, refuses_duplicate_keys) {
  EXPECT_EQ(problem("a: 1\nb: 2\na: 3"), "m.yaml:3:1  key 'a' is given twice; first at line 1. Delete one of them");
  expect_problem("x: {a: 1, a: 2}", "m.yaml:1:11  key 'a' is given twice");
}

TEST(Yaml, refuses_what_it_does_not_take) {
  const std::pair<std::string, const char*> cases[] = {
      {"a: &x 1", "m.yaml:1:4  anchors and aliases"},
      {"a: *x", "anchors and aliases"},
      {"a: [*x]", "anchors and aliases"},
      {"a: !!float 1", "tags (!)"},
      {"<<: {a: 1}", "merge keys"},
      {"a: 1\n---\nb: 2", "m.yaml:2:1  a second document"},
      {"%YAML 1.2\n---\na: 1", "directives"},
      {"? a\n: b", "keys with '?'"},
      {"a: 1\n? b: 2", "keys with '?'"},
      {"a: 1\n... b: 2", "behind '...'"},
      {"a:\n\tb: 1", "m.yaml:2:1  a tab in the indentation"},
      {"a: 1\n  b: 2", "m.yaml:2:3  this line is indented deeper than 'a'"},
      {"a: one\n  two", "put a long text into quotes"},
      {"a:\n    b: 1\n  c: 2", "indented deeper than 'a'"},
      {"a: b: c", "m.yaml:1:5  unexpected ': ' in a value"},
      {"a: - 1", "a list starts on its own line"},
      {"a: 1\n- b", "a list item where a key is expected"},
      {"a:1\nb: 2", "unexpected"},
      {"b: 2\na:1", "A space must follow the colon"},
      {"a: [1, 2", "m.yaml:1:4  this bracket is never closed. A ']' is missing"},
      {"a: {b: 1", "A '}' is missing"},
      {"a: [1, 2}", "expected ',' or ']'"},
      {"a: [1,, 2]", "missing between two commas"},
      {"a: [, 2]", "value is missing"},
      {"a: {b:1}", "A space must follow the colon"},
      {"a: {b}", "'b' has no value"},
      {"a: {k: min(1, 2)}", "need quotes here"},
      {"a: {k: 5 [mm/s]}", "need quotes here"},
      {"a: [1] x", "behind ]"},
      {"a: \"x\" y", "behind the closing quote"},
      {"a: \"x", "m.yaml:1:4  this quote is never closed"},
      {"a: 'x", "never closed"},
      {"a: \"\\q\"", "unknown escape"},
      {"a: \"\\u12\"", "4 hexadecimal digits"},
      {"a: \"\\ud800\"", "not a character"},
      {"a: @x", "can not start with '@'"},
      {"a: |2\n   x", "indentation number"},
      {": 1", "a key is missing"},
      {"", "m.yaml:1:1  the file is empty"},
      {"# only a comment\n", "the file is empty"},
      {"---\n", "the file is empty"},
      {std::string("a: \0 1", 6), "m.yaml:1:4  a zero byte"},
      {"a: \x01", "control character (code 1)"},
      {"a: 1\rb: 2", "m.yaml:1:5  a control character (code 13)"},
      {"a: 1\nb: \xff\xfe", "m.yaml:2:4  this is not UTF-8"},
      {"a: \xc0\x80", "not UTF-8"},
      {"a: \xed\xa0\x80", "not UTF-8"},
      {"\xff\xfe"
       "a",
       "UTF-16"},
      {"\x7f"
       "ELF\x02",
       "control character"},
  };
  for (const auto& [text, part] : cases) expect_problem(text, part);
}

TEST(Yaml, deep_nesting_is_an_error_and_no_crash) {
  expect_problem(std::string(100000, '['), "nested deeper than 64");
  expect_problem("a: " + std::string(100000, '{'), "unexpected '{'");
  std::string maps, items, dashes, indented;
  for (int i = 0; i < 100000; ++i) maps += "{a: ";
  for (int i = 0; i < 100000; ++i) items += "- ";
  expect_problem(maps, "nested deeper than 64");
  expect_problem(items, "nested deeper than 64");
  for (int i = 0; i < 2000; ++i) dashes += std::string(static_cast<std::size_t>(i), ' ') + "-\n";
  expect_problem(dashes, "nested deeper than 64");
  for (int i = 0; i < 2000; ++i) indented += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  expect_problem(indented, "nested deeper than 64");
  // 60 levels are fine
  EXPECT_NO_THROW(read(std::string(60, '[') + std::string(60, ']')));
}

TEST(Yaml, large_texts_take_time_in_proportion) {
  const auto start = std::chrono::steady_clock::now();
  std::string line = "a: [1";
  for (int i = 0; i < 400000; ++i) line += ", 1";
  EXPECT_EQ(read(line + "]").find("a")->size(), 400001u);
  std::string keys;
  for (int i = 0; i < 200000; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(read(keys).size(), 200000u);
  EXPECT_NO_THROW(read("a: \"" + std::string(4u << 20, 'x') + "\""));
  // generous: a quadratic reader would need minutes
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  for (int i = 0; i < 100001; ++i) line += ", 1";
  expect_problem(line + "]", "more than 500000 values");
  expect_problem(std::string((16u << 20) + 1, 'x'), "the limit is 16 MB");
}

TEST(Yaml, files_that_can_not_be_read_are_named) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "bristle_yaml_test";
  fs::create_directories(folder);
  const auto problem_of = [](const std::string& path) -> std::string {
    try {
      read_yaml_file(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(problem_of((folder / "none.yaml").string()).find("none.yaml  the file does not exist"), std::string::npos);
  EXPECT_NE(problem_of(folder.string()).find("is a folder"), std::string::npos);
  EXPECT_NE(problem_of("/dev/null").find("not a regular file"), std::string::npos);
  const std::string good = (folder / "good.yaml").string();
  std::ofstream(good) << "a: 1\n";
  EXPECT_EQ(problem_of(good), "no error");
  std::ofstream(folder / "empty.yaml").flush();
  EXPECT_NE(problem_of((folder / "empty.yaml").string()).find("the file is empty"), std::string::npos);
  fs::remove_all(folder);
}

TEST(Node, prints_back_to_an_equal_tree) {
  for (const char* text : {
           "a: 1\nb: {c: [1, 2, x], d: {}}\ne: []\nf: ~\n",
           "- a: 1\n  b:\n    - - 1\n      - {x: 1}\n    - y\n- []\n- {}\n",
           "a: \"quoted: # [x]\"\nb: 'null'\nc: \"\"\nd: \" blank \"\ne: \"line\\nbreak\\ttab\\x01\"\n",
           "\"key: odd\": 1\n'- x': 2\n\"\\\"\": 3\n",
           "text: |\n  one\n  two\nfold: >-\n  a\n  b\nd: 5 [mm/s]\n",
           "[a, [b, c], {d: e}]",
           "just text",
           "m: [[1, 2], [3, 4]]",
           "u: 5 µm\nv: '---'\nw: \"-\"\nx: \"a #b\"\ny: \"a:\"\n",
       }) {
    const Node node = read(text);
    const std::string printed = node.print();
    EXPECT_TRUE(read(printed).equals(node)) << text << "\nprinted as\n" << printed;
  }
}

TEST(Node, prints_in_block_style_with_short_lists_on_a_line) {
  EXPECT_EQ(read("a: {b: 1, c: [1, 2]}\nl: [{x: 1, y: 2}, z]").print(),
            "a:\n  b: 1\n  c: [1, 2]\nl:\n  - x: 1\n    y: 2\n  - z\n");
}

TEST(Node, is_built_by_hand_too) {
  Node node = Node::map();
  node.set("a", Node::scalar("1"));
  node.set("b", Node::list()).add(Node::scalar("x, y"));
  node.set("a", Node::scalar("2"));
  EXPECT_EQ(node.print(), "a: 2\nb: [\"x, y\"]\n");
  EXPECT_EQ(node.find("c"), nullptr);
  EXPECT_EQ(node.size(), 2u);
  EXPECT_FALSE(node.equals(Node::map()));
}

}  // namespace
}  // namespace bristle
