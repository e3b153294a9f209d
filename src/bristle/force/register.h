#pragma once
#include "bristle/force/registry.h"

namespace bristle {

/// One line per law: add_law<Spring>(registry, "spring", "...", "  tie: {type: spring, ...}\n").
template <class L>
void add_law(PullRegistry& registry, const char* name, const char* summary, const char* example) {
  registry.add({name, summary, example, [](Visitor& v) { L{}.visit(v); },
                []() -> std::unique_ptr<PullList> { return std::make_unique<PullListOf<L>>(); }});
}

}  // namespace bristle
