#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bristle/base/error.h"

namespace bristle {

/// What the user wrote, as a tree: a scalar text, a list, or a map. Prints back as YAML.
class Node {
 public:
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  Where where;
  std::string text;                                    ///< scalar text as written, without quotes
  bool quoted = false;                                 ///< the scalar stood in quotes
  std::vector<std::pair<std::string, Node>> children;  ///< map: key and value; list: empty keys
  std::vector<Where> key_where;                        ///< map: where each key stands

  // defined in the source file: a vector of pairs of the class itself must not be used before the class is complete
  Node();
  Node(const Node&);
  Node(Node&&) noexcept;
  Node& operator=(const Node&);
  Node& operator=(Node&&) noexcept;
  ~Node();

  static Node scalar(std::string text);
  static Node list();
  static Node map();

  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_scalar() const { return kind == Kind::scalar; }
  std::size_t size() const;

  const Node* find(std::string_view key) const;  ///< nullptr when absent
  Node* find(std::string_view key);
  const Where& where_of_key(std::string_view key) const;
  const Node& operator[](std::size_t i) const;
  Node& set(std::string_view key, Node value);  ///< add or replace; returns the child
  Node& add(Node value);                        ///< append to a list
  std::string print() const;                    ///< YAML that reads back to an equal tree
  bool equals(const Node& other) const;         ///< same content; places and quotes do not count
  Where where_of_text() const;                  ///< where the text of a scalar starts, behind the quote
};

inline std::size_t Node::size() const { return children.size(); }
inline const Node& Node::operator[](std::size_t i) const { return children[i].second; }

}  // namespace bristle
