#pragma once
#include "bristle/contact/registry.h"
#include "bristle/interface/contact_law_of.h"

namespace bristle {

template <class L>
std::unique_ptr<ContactLaw> make_contact(Visitor& reader) {
  L law;
  law.visit(reader);
  if constexpr (requires { law.problem(); }) reader.check(law.problem());
  return std::make_unique<ContactLawOf<L>>(std::move(law));
}

/// One line per law: add_law<Hertz>(registry, "hertz", "...", ", stiffness: 66e9 N/m^1.5").
template <class L>
void add_law(ContactRegistry& registry, const char* name, const char* summary, const char* example = "") {
  ContactEntry entry{name, summary, example};
  entry.describe = [](Visitor& v) { L{}.visit(v); };
  entry.make = make_contact<L>;
  registry.add(std::move(entry));
}

}  // namespace bristle
