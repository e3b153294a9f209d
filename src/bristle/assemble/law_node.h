#pragma once
#include <string>

#include "bristle/base/error.h"
#include "bristle/base/node.h"

namespace bristle {

/// A law as users write it: its name alone, or a map with its type and parameters.
struct LawNode {
  std::string name;
  Where where;      ///< of the name
  Node parameters;  ///< a map, empty where only the name stands
};

/// `kind` and `example` are for the sentence: "friction", "lugre".
inline LawNode read_law_node(const Node& node, const std::string& owner, const std::string& kind, const std::string& example) {
  LawNode law;
  law.where = node.where;
  if (node.is_scalar()) {
    law.name = node.text;
    law.parameters = Node::map();
    law.parameters.where = node.where;
    return law;
  }
  if (!node.is_map())
    throw InputError(node.where, owner + ": " + kind + " is the name of a law or a map with its type and parameters");
  const Node* type = node.find("type");
  if (type == nullptr || !type->is_scalar())
    throw InputError(node.where, owner + ": " + kind + " needs a type, for example {type: " + example + ", ...}");
  law.name = type->text;
  law.where = type->where;
  law.parameters = node;
  return law;
}

}  // namespace bristle
