#pragma once
#include <map>
#include <string>
#include <vector>

#include "bristle/assemble/space.h"
#include "bristle/body/bar.h"
#include "bristle/body/beam.h"
#include "bristle/body/beam_section.h"

namespace bristle {

/// A beam or bar while the model is read. Its nodes are bodies in space, one after the other in SpaceParts::bodies.
struct BeamPlan {
  std::string name;
  int first = 0;                      ///< its first node, in SpaceParts::bodies
  std::vector<BeamElement> elements;  ///< whose ends count the nodes of the beam until bodies are numbered
  BeamSection section;
  bool bar = false;  ///< of type bar: members in place of elements
  std::vector<BarElement> members;
  int nodes() const { return static_cast<int>(bar ? members.size() : elements.size()) + 1; }
  /// [m] at rest, of an element or member
  double length_of(int k) const {
    return bar ? members[static_cast<std::size_t>(k)].length : elements[static_cast<std::size_t>(k)].length;
  }
};

using BeamSections = std::map<std::string, BeamSection>;

struct Plan;
/// Blocks of all beams and bars.
void make_beams(Plan& plan);

}  // namespace bristle
