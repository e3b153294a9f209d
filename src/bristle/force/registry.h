#pragma once
#include <memory>
#include <string>

#include "bristle/base/registry.h"
#include "bristle/base/visitor.h"
#include "bristle/force/pull_list.h"

namespace bristle {

struct PullEntry {
  std::string name, summary;
  std::string example;  ///< YAML to copy: an element under `forces:`
  void (*describe)(Visitor&) = nullptr;
  std::unique_ptr<PullList> (*make)() = nullptr;
};
using PullRegistry = Registry<PullEntry>;

/// The laws of pull in the order of the documentation, which is also that of their blocks.
const PullRegistry& pull_registry();

}  // namespace bristle
