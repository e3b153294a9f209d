#pragma once
#include <string>
#include <vector>

#include "bristle/core/system.h"
#include "bristle/model/model.h"

namespace bristle {

struct Elements;
/// What models may be made of: all that Bristle has.
const Elements& all_elements();

struct AssembleOptions {
  bool friction = true;                ///< false: leave out all friction, as for linear modes
  const Elements* elements = nullptr;  ///< what models may be made of; none: all_elements()
};

/// Makes the System of a model: numbers the state, makes blocks, checks names, units and combinations. Throws InputError.
System assemble(const Model&, AssembleOptions = {});

/// The same, and what was done to the model on the way.
struct Assembly {
  System system;
  std::vector<std::string>
      moved;  ///< which bodies `overlap: resolve` has moved at the start, and by how much: "'ball' by 0.5 mm"
};
Assembly assemble_and_tell(const Model&, AssembleOptions = {});

}  // namespace bristle
