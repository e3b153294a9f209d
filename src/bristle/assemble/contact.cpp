#include "bristle/assemble/contact.h"

#include "bristle/contact/registry.h"
#include "bristle/model/reader.h"

namespace bristle {

std::unique_ptr<ContactLaw> read_contact(const Node& node, const Scope& scope, const std::string& owner, std::string& name) {
  Where where = node.where;
  if (node.is_scalar()) {
    name = node.text;
  } else if (node.is_map()) {
    const Node* type = node.find("type");
    if (type == nullptr || !type->is_scalar())
      throw InputError(node.where, owner + ": contact needs a type, for example {type: flores, ...}");
    name = type->text;
    where = type->where;
  } else {
    throw InputError(node.where, owner + ": contact is the name of a law or a map with its type and parameters");
  }
  const ContactEntry& entry = contact_registry().find(name, where);
  Node bare = Node::map();
  bare.where = node.where;
  Reader reader(node.is_map() ? node : bare, scope, {owner + ": contact '" + name + "'", {}});
  std::unique_ptr<ContactLaw> law = entry.make(reader);
  reader.finish({"type"});
  return law;
}

}  // namespace bristle
