#pragma once
#include <string>
#include <vector>

#include "bristle/friction/registry.h"
#include "bristle/model/model.h"

namespace bristle {

/// What a law is given where a model names it alone (`friction: lugre`): the coefficients it asks for, of dry metal.
Node usual_friction(const FrictionEntry& law, const Where& where);

/// Joints whose friction is named alone, with the coefficients they get: "'pin': lugre with mu_kinetic 0.2, mu_static 0.3".
std::vector<std::string> assumed_friction(const Model& model, const FrictionRegistry& known);

}  // namespace bristle
