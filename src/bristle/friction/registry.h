#pragma once
#include <memory>
#include <string>

#include "bristle/base/registry.h"
#include "bristle/base/visitor.h"
#include "bristle/interface/friction_law.h"

namespace bristle {

/// A friction law by name: how to describe its parameters and how to make it for one, two or three slip components.
struct FrictionEntry {
  std::string name, summary;
  void (*describe)(Visitor&) = nullptr;
  std::unique_ptr<FrictionLaw<1>> (*make1)(Visitor&) = nullptr;
  std::unique_ptr<FrictionLaw<2>> (*make2)(Visitor&) = nullptr;
  std::unique_ptr<FrictionLaw<3>> (*make3)(Visitor&) = nullptr;

  template <int D>
  std::unique_ptr<FrictionLaw<D>> make(Visitor& reader) const {
    if constexpr (D == 1) return make1(reader);
    else if constexpr (D == 2) return make2(reader);
    else return make3(reader);
  }
};
using FrictionRegistry = Registry<FrictionEntry>;

/// All friction laws.
const FrictionRegistry& friction_registry();

/// The documentation page of a law: the comment block at the head of its file. Empty when there is none.
std::string friction_page(std::string_view name);

}  // namespace bristle
