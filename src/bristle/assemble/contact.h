#pragma once
#include <memory>
#include <string>

#include "bristle/base/node.h"
#include "bristle/contact/registry.h"
#include "bristle/interface/contact_law.h"
#include "bristle/signal/scope.h"

namespace bristle {

/// contact: hertz, or contact: {type: hertz, ...}; gives the name of the law as well. The surfaces are still to be bound.
std::unique_ptr<ContactLaw> read_contact(const Node& node, const Scope& scope, const std::string& owner, std::string& name,
                                         const ContactRegistry& known = contact_registry());

}  // namespace bristle
