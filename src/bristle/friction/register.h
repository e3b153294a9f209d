#pragma once
#include <string>
#include <utility>

#include "bristle/friction/registry.h"
#include "bristle/interface/friction_law_of.h"

namespace bristle {

template <class L, int D>
std::unique_ptr<FrictionLaw<D>> make_friction(Visitor& reader) {
  L law;
  law.visit(reader);
  if constexpr (requires { law.problem(); }) reader.check(law.problem());
  auto made = std::make_unique<FrictionLawOf<L, D>>(std::move(law));
  if (const std::string problem = made->size_problem(); !problem.empty()) reader.check(problem);
  return made;
}

/// One line per law: add_law<LuGre>(registry, "lugre", "...").
template <class L>
void add_law(FrictionRegistry& registry, const char* name, const char* summary) {
  FrictionEntry entry{name, summary};
  entry.describe = [](Visitor& v) { L{}.visit(v); };
  entry.make1 = make_friction<L, 1>;
  entry.make2 = make_friction<L, 2>;
  entry.make3 = make_friction<L, 3>;
  registry.add(std::move(entry));
}

// the lists, one source each so that builds stay parallel
void add_dry_laws(FrictionRegistry&);      // list_dry.h: set-valued
void add_smooth_laws(FrictionRegistry&);   // list_smooth.h: no memory, no jump
void add_bristle_laws(FrictionRegistry&);  // list_bristle.h: memory with a rate alone
void add_stretch_laws(FrictionRegistry&);  // list_stretch.h: memory with marks, clipping, stacks, flags

}  // namespace bristle
