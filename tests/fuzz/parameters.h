#pragma once
// Laws and methods with random parameters, as their registries describe them.
#include <string>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/base/node.h"
#include "dice.h"

namespace bristle::fuzz {

/// A type with what it must be given, and here and there with what it may be given; values inside their ranges.
Node random_kind(const KindEntry& entry, Dice dice, double optional = 0.3, bool curved = false);

struct LawChoice {
  Node node;
  std::string name;
  bool dry = false;     ///< friction: set-valued at rest
  bool memory = false;  ///< has a state of its own
  bool rigid = false;   ///< contact without stiffness
};
struct LawWishes {
  bool no_memory = false, not_dry = false, not_rigid = false, only_rigid = false, only_dry = false;
  bool lines = false;   ///< surfaces touch along lines: laws for cylinders fit
  bool curved = false;  ///< in points with curvature: a material gives the stiffness
};
/// Remembers, and so gives back more than it took where the load grows in between: a trait of such laws.
bool remembers(const std::string& friction_law);
LawChoice random_friction(Dice dice, LawWishes wishes = {});
LawChoice random_contact(Dice dice, LawWishes wishes = {});

/// What an integrator can do, asked from itself.
struct MethodTraits {
  std::string name;
  bool estimates_error = false, takes_jumps = false, takes_impacts = false, takes_groups = false, enforces = false;
  bool may_have_tolerance = false;  ///< a fixed step, or a tolerance
};
const std::vector<MethodTraits>& methods();

}  // namespace bristle::fuzz
