#include "bristle/base/node.h"

#include <algorithm>
#include <array>

namespace bristle {

namespace {

/// Would a reader take this text, written without quotes, as the same scalar? Holds inside [ ] and { } too.
bool is_plain_safe(const std::string& text) {
  if (text.empty() || text == "null" || text == "~" || text.front() == ' ' || text.back() == ' ') return false;
  if (std::string_view("-?:").find(text[0]) != std::string_view::npos && (text.size() == 1 || text[1] == ' ')) return false;
  if (std::string_view("&*!|>'\"%@`#").find(text[0]) != std::string_view::npos) return false;
  if (text.substr(0, 3) == "---" || text.substr(0, 3) == "..." || text.substr(0, 3) == "\xEF\xBB\xBF") return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F || std::string_view(",[]{}").find(text[i]) != std::string_view::npos) return false;
    if (c == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return false;
    if (c == '#' && i > 0 && text[i - 1] == ' ') return false;
  }
  return true;
}

std::string quote(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    const unsigned char u = static_cast<unsigned char>(c);
    constexpr std::string_view hex = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (u < 0x20 || u == 0x7F) {
      out += "\\x";
      out += hex[u >> 4];
      out += hex[u & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string scalar_text(const Node& node) {
  if (node.kind == Node::Kind::null) return "null";
  return !node.quoted && is_plain_safe(node.text) ? node.text : quote(node.text);
}
std::string key_text(const std::string& key) { return is_plain_safe(key) ? key : quote(key); }

bool is_leaf(const Node& node) { return node.kind == Node::Kind::null || node.is_scalar() || node.size() == 0; }

/// A list of numbers and words goes on one line.
bool fits_one_line(const Node& node) {
  return node.is_list() &&
         std::all_of(node.children.begin(), node.children.end(), [](const auto& c) { return is_leaf(c.second); });
}

std::string one_line(const Node& node) {
  if (node.is_map()) return "{}";
  if (!node.is_list()) return scalar_text(node);
  std::string out = "[";
  for (const auto& [key, child] : node.children) {
    if (out.size() > 1) out += ", ";
    out += one_line(child);
  }
  return out + "]";
}

/// Lines of a map or list at the given indentation; the first line starts where the writer stands.
void print_lines(const Node& node, std::size_t indent, std::string& out) {
  bool first = true;
  for (const auto& [key, child] : node.children) {
    if (!first) out.append(indent, ' ');
    first = false;
    out += node.is_map() ? key_text(key) + ":" : "-";
    if (is_leaf(child) || fits_one_line(child)) {
      out += ' ' + one_line(child) + '\n';
    } else if (node.is_list() && child.is_map()) {
      out += ' ';
      print_lines(child, indent + 2, out);
    } else {
      out += '\n';
      out.append(indent + 2, ' ');
      print_lines(child, indent + 2, out);
    }
  }
}

}  // namespace

Node::Node() = default;
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

Node Node::scalar(std::string text) {
  Node node;
  node.kind = Kind::scalar;
  node.text = std::move(text);
  return node;
}
Node Node::list() {
  Node node;
  node.kind = Kind::list;
  return node;
}
Node Node::map() {
  Node node;
  node.kind = Kind::map;
  return node;
}

const Node* Node::find(std::string_view key) const {
  if (kind != Kind::map) return nullptr;
  for (const auto& [k, child] : children)
    if (k == key) return &child;
  return nullptr;
}
Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

const Where& Node::where_of_key(std::string_view key) const {
  for (std::size_t i = 0; i < children.size() && i < key_where.size(); ++i)
    if (children[i].first == key) return key_where[i];
  return where;
}

Node& Node::set(std::string_view key, Node value) {
  if (Node* child = find(key)) return *child = std::move(value);
  kind = Kind::map;
  key_where.resize(children.size());
  key_where.push_back(value.where);
  return children.emplace_back(std::string(key), std::move(value)).second;
}

Node& Node::add(Node value) {
  kind = Kind::list;
  return children.emplace_back(std::string(), std::move(value)).second;
}

std::string Node::print() const {
  if (is_leaf(*this) || fits_one_line(*this)) return one_line(*this) + "\n";
  std::string out;
  print_lines(*this, 0, out);
  return out;
}

bool Node::equals(const Node& other) const {
  if (kind != other.kind || text != other.text || children.size() != other.children.size()) return false;
  for (std::size_t i = 0; i < children.size(); ++i)
    if (children[i].first != other.children[i].first || !children[i].second.equals(other.children[i].second)) return false;
  return true;
}

Where Node::where_of_text() const {
  Where spot = where;
  if (quoted && spot.line > 0) ++spot.column;
  return spot;
}

}  // namespace bristle
