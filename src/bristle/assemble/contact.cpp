#include "bristle/assemble/contact.h"

#include "bristle/assemble/law_node.h"
#include "bristle/model/reader.h"

namespace bristle {

std::unique_ptr<ContactLaw> read_contact(const Node& node, const Scope& scope, const std::string& owner, std::string& name,
                                         const ContactRegistry& known) {
  const LawNode written = read_law_node(node, owner, "contact", "flores");
  name = written.name;
  const ContactEntry& entry = known.find(name, written.where);
  Reader reader(written.parameters, scope, {owner + ": contact '" + name + "'", {}});
  std::unique_ptr<ContactLaw> law = entry.make(reader);
  reader.finish({"type"});
  return law;
}

}  // namespace bristle
