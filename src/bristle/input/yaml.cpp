#include "bristle/input/yaml.h"

#include <filesystem>
#include <fstream>
#include <set>

#include "bristle/base/text.h"
#include "bristle/input/yaml_scalar.h"
#include "bristle/input/yaml_source.h"

namespace bristle {

namespace {

class YamlParser {
 public:
  YamlParser(std::string_view text, const std::string& file) : in_(text, file) {}

  Node document() {
    in_.skip_to_content(false);
    if (in_.at_line_start() && in_.peek() == '%') in_.fail("directives (%) are not used here. Delete the line");
    if (at_marker("---")) {
      in_.advance(3);
      in_.skip_spaces();
      if (!in_.at_line_end() && in_.peek() != '#') in_.fail("write the content on the lines below '---'");
      in_.skip_to_content(false);
    }
    if (in_.at_end() || at_marker("...") || at_marker("---"))
      throw InputError({in_.file(), 1, 1},
                       "the file is empty. A model starts with the line 'bristle: 1'; see 'bristle example --list'");
    Node root = block_node(-1, 0);
    in_.skip_to_content(false);
    if (at_marker("...")) {
      in_.advance(3);
      expect_line_end("'...'");
      in_.skip_to_content(false);
    }
    if (at_marker("---")) in_.fail("a second document starts here. Put it into its own file, and use include: to join files");
    if (!in_.at_end()) in_.fail("unexpected '" + shortened(in_.rest_of_line(), 20) + "'. Check the indentation");
    return root;
  }

 private:
  bool at_marker(std::string_view marker) const { return in_.at_line_start() && in_.looking_at(marker) && in_.blank_at(3); }
  /// Next content belongs to this document.
  bool has_content() {
    in_.skip_to_content(false);
    return !in_.at_end() && !at_marker("---") && !at_marker("...");
  }
  bool at_item() const { return in_.peek() == '-' && in_.blank_at(1); }

  Node start(Node::Kind kind, int depth) {
    if (depth > kMaxYamlDepth)
      in_.fail("nested deeper than " + std::to_string(kMaxYamlDepth) + " levels. Is a bracket or a '-' too many?");
    if (++values_ > kMaxYamlValues)
      in_.fail("more than " + std::to_string(kMaxYamlValues) + " values. Put large tables into data files");
    Node node;
    node.kind = kind;
    node.where = in_.here();
    return node;
  }

  /// Whatever stands at the position, as part of a block whose parent is indented by `parent`.
  Node block_node(int parent, int depth) {
    if (at_item()) return block_list(in_.indent(), depth);
    if (key_ahead(in_)) return block_map(in_.indent(), depth);
    return inline_value(parent, depth);
  }

  /// What follows `key:` or `-` when the rest of its line is empty.
  Node value_below(int indent, bool list_may_align, int depth) {
    Node empty = start(Node::Kind::null, depth);
    if (!has_content()) return empty;
    const bool aligned_list = list_may_align && in_.indent() == indent && at_item();
    if (in_.indent() <= indent && !aligned_list) return empty;
    return block_node(indent, depth);
  }

  Node block_list(int indent, int depth) {
    Node list = start(Node::Kind::list, depth);
    do {
      in_.advance();
      in_.skip_spaces();
      if (in_.at_line_end() || in_.peek() == '#') list.children.emplace_back("", value_below(indent, false, depth + 1));
      else list.children.emplace_back("", block_node(indent, depth + 1));
    } while (has_content() && in_.indent() == indent && at_item());
    check_indent(indent, "the list");
    return list;
  }

  Node block_map(int indent, int depth) {
    Node map = start(Node::Kind::map, depth);
    std::set<std::string, std::less<>> keys;
    while (true) {
      const Where spot = in_.here();
      std::string key = read_key(in_);
      check_key(key, spot, map, keys);
      in_.advance();  // the colon
      in_.skip_spaces();
      const bool below = in_.at_line_end() || in_.peek() == '#';
      if (!below && at_item()) in_.fail("a list starts on its own line: write '-' below the key, or use [a, b]");
      Node value = below ? value_below(indent, true, depth + 1) : inline_value(indent, depth + 1);
      map.children.emplace_back(std::move(key), std::move(value));
      map.key_where.push_back(spot);
      if (!has_content() || in_.indent() != indent) break;
      if (at_item()) in_.fail("a list item where a key is expected. Indent the list below its key, or check the line above");
      if (!key_ahead(in_))
        in_.fail("expected 'key: value', found '" + shortened(in_.rest_of_line(), 30) + "'" + missing_blank_hint());
    }
    check_indent(indent, "'" + shortened(map.children.back().first, 30) + "'");
    return map;
  }

  std::string missing_blank_hint() const {
    return in_.rest_of_line().find(':') == std::string_view::npos ? "" : ". A space must follow the colon";
  }

  /// After a block: the next content stands at an indentation of one of its parents.
  void check_indent(int indent, const std::string& what) {
    if (has_content() && in_.indent() > indent)
      in_.fail("this line is indented deeper than " + what +
               " above it, which is already complete. Align it, or put a long text into quotes");
  }

  void check_key(const std::string& key, const Where& spot, const Node& map, std::set<std::string, std::less<>>& keys) {
    if (key.empty()) throw InputError(spot, "a key is missing before ':'");
    if (key == "<<") throw InputError(spot, "merge keys (<<) are not taken. Use include: or write the values out");
    if (keys.insert(key).second) return;
    throw InputError(spot, "key '" + shortened(key) + "' is given twice; first at line " +
                               std::to_string(map.where_of_key(key).line) + ". Delete one of them");
  }

  /// A value on the line of its key or dash; nothing may follow it.
  Node inline_value(int parent, int depth) {
    const char c = in_.peek();
    if (c == '|' || c == '>') {
      Node node = start(Node::Kind::scalar, depth);
      node.text = read_block_scalar(in_, parent, node.where);
      return node;
    }
    if (c == '[' || c == '{') {
      Node node = flow_node(depth);
      expect_line_end(c == '[' ? "]" : "}");
      return node;
    }
    Node node = scalar(depth, false);
    if (node.quoted) expect_line_end("the closing quote");
    return node;
  }

  void expect_line_end(const std::string& behind) {
    const std::size_t before = in_.pos();
    in_.skip_spaces();
    if (in_.at_line_end() || (in_.peek() == '#' && in_.pos() > before)) return;
    in_.fail("unexpected '" + shortened(in_.rest_of_line(), 20) + "' behind " + behind + ". Put the whole text into quotes");
  }

  Node scalar(int depth, bool inside_flow) {
    Node node = start(Node::Kind::scalar, depth);
    const char c = in_.peek();
    if (c == '"' || c == '\'') {
      node.quoted = true;
      node.text = read_quoted(in_);
      return node;
    }
    node.text = read_plain(in_, inside_flow);
    if (node.text == "~" || node.text == "null" || node.text.empty()) {
      node.kind = Node::Kind::null;
      node.text.clear();
    }
    return node;
  }

  Node flow_node(int depth) {
    const char c = in_.peek();
    if (c == '[') return flow_list(depth);
    if (c == '{') return flow_map(depth);
    return scalar(depth, true);
  }

  /// To the next content inside brackets; the text must not end there.
  void flow_content(const Where& open, char closing) {
    in_.skip_to_content(true);
    if (in_.at_end() || at_marker("---") || at_marker("..."))
      throw InputError(open, std::string("this bracket is never closed. A '") + closing + "' is missing");
  }

  /// Behind an element: takes the comma, or says what is wrong. True when another element may follow.
  bool flow_separator(const Where& open, char closing) {
    flow_content(open, closing);
    if (in_.peek() == ',') {
      in_.advance();
      flow_content(open, closing);
      if (in_.peek() == ',') in_.fail("a value is missing between two commas");
      return in_.peek() != closing;
    }
    if (in_.peek() == closing) return false;
    in_.fail(std::string("expected ',' or '") + closing + "', found '" + shortened(in_.rest_of_line(), 20) +
             "'. Texts with , [ ] { } or ': ' in them need quotes here");
  }

  Node flow_list(int depth) {
    Node list = start(Node::Kind::list, depth);
    in_.advance();
    flow_content(list.where, ']');
    bool more = in_.peek() != ']';
    while (more) {
      if (std::string_view(",:").find(in_.peek()) != std::string_view::npos) in_.fail("a value is missing in the list");
      list.children.emplace_back("", flow_node(depth + 1));
      more = flow_separator(list.where, ']');
    }
    in_.advance();
    return list;
  }

  Node flow_map(int depth) {
    Node map = start(Node::Kind::map, depth);
    std::set<std::string, std::less<>> keys;
    in_.advance();
    flow_content(map.where, '}');
    bool more = in_.peek() != '}';
    while (more) {
      const Where spot = in_.here();
      std::string key = read_flow_key(in_);
      check_key(key, spot, map, keys);
      in_.advance();  // the colon
      flow_content(map.where, '}');
      const bool empty = in_.peek() == ',' || in_.peek() == '}';
      Node value = empty ? start(Node::Kind::null, depth + 1) : flow_node(depth + 1);
      map.children.emplace_back(std::move(key), std::move(value));
      map.key_where.push_back(spot);
      more = flow_separator(map.where, '}');
    }
    in_.advance();
    return map;
  }

  YamlSource in_;
  int values_ = 0;
};

}  // namespace

Node read_yaml_text(std::string_view text, const std::string& file_name) {
  if (text.size() > kMaxYamlBytes)
    throw InputError({file_name, 0, 0}, "the file has " + std::to_string(text.size()) +
                                            " bytes; the limit is 16 MB. Put large tables into data files");
  return YamlParser(text, file_name).document();
}

std::string read_text_file(const std::string& path, const Where& asked_from) {
  namespace fs = std::filesystem;
  const Where spot = asked_from.file.empty() ? Where{path, 0, 0} : asked_from;
  const std::string name = asked_from.file.empty() ? "the file" : "'" + shortened(path, 200) + "'";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw InputError(spot, name + " does not exist. Check the path and the current folder");
  if (fs::is_directory(status)) throw InputError(spot, name + " is a folder. Give the model file inside it");
  if (!fs::is_regular_file(status)) throw InputError(spot, name + " is not a regular file");
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > kMaxYamlBytes)
    throw InputError(spot,
                     name + " has " + std::to_string(size) + " bytes; the limit is 16 MB. Put large tables into data files");
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad()) throw InputError(spot, name + " can not be read. Check its permissions");
  return text;
}

Node read_yaml_file(const std::string& path) { return read_yaml_text(read_text_file(path), path); }

}  // namespace bristle
