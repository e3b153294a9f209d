#pragma once
#include <memory>
#include <string>

#include "bristle/base/registry.h"
#include "bristle/base/visitor.h"
#include "bristle/interface/contact_law.h"

namespace bristle {

/// A law of normal contact by name: how to describe its parameters and how to make it.
struct ContactEntry {
  std::string name, summary;
  std::string example;  ///< keys of an example: ", stiffness: 1e8 N/m"; "": those that it must have
  void (*describe)(Visitor&) = nullptr;
  std::unique_ptr<ContactLaw> (*make)(Visitor&) = nullptr;
};
using ContactRegistry = Registry<ContactEntry>;

/// All contact laws.
const ContactRegistry& contact_registry();

/// The documentation page of a law: the comment block at the head of its file. Empty when there is none.
std::string contact_page(std::string_view name);

}  // namespace bristle
