#pragma once
#include "bristle/assemble/kinds.h"
#include "bristle/base/registry.h"
#include "bristle/body/beam_section.h"
#include "bristle/model/reader.h"

namespace bristle {

/// What beams are made of, in the section `sections:`.
struct CrossSectionEntry : KindEntry {
  BeamSection (*read)(Reader&, const Scope&) = nullptr;
};
using CrossSectionRegistry = Registry<CrossSectionEntry>;
void add_cross_sections(CrossSectionRegistry& registry);
BeamSection read_section(Reader& reader, const Scope& scope, const CrossSectionRegistry& known);

}  // namespace bristle
