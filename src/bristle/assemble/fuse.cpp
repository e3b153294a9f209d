#include "bristle/assemble/fuse.h"

#include "bristle/body/scalar.h"
#include "bristle/ensemble/flat_system.h"
#include "bristle/force/pull.h"
#include "bristle/force/pull_laws.h"
#include "bristle/friction/lugre.h"
#include "bristle/interface/friction_law_of.h"
#include "bristle/measure/form.h"
#include "bristle/place/place.h"

namespace bristle {

namespace {

using Springs = PullBlock<Spring, Relative>;
using LuGrePlaces = PlaceBlock<Relative, 1, FrictionLawOf<LuGre, 1>>;

/// The one block of type B, or an empty one that is added.
template <class B, class Items>
const B* only(std::vector<std::unique_ptr<Block>>& blocks, Items empty) {
  for (const auto& b : blocks) {
    if (const auto* found = dynamic_cast<const B*>(b.get())) return found;
  }
  blocks.push_back(std::make_unique<B>(std::move(empty)));
  return static_cast<const B*>(blocks.back().get());
}

}  // namespace

std::unique_ptr<FusedEvaluation> fuse_blocks(std::vector<std::unique_ptr<Block>>& blocks, const Layout& layout) {
  if (std::unique_ptr<FusedEvaluation> flat = make_flat_system(blocks, layout)) return flat;
  int masses = 0, drives = 0, springs = 0, places = 0;
  for (const auto& b : blocks) {
    if (!(b->roles() & (kDrives | kForces | kMass))) continue;
    if (dynamic_cast<const ScalarMasses*>(b.get())) ++masses;
    else if (dynamic_cast<const DrivenCoordinates*>(b.get())) ++drives;
    else if (dynamic_cast<const Springs*>(b.get())) ++springs;
    else if (dynamic_cast<const LuGrePlaces*>(b.get())) ++places;
    else return nullptr;
  }
  if (masses != 1 || drives > 1 || springs > 1 || places != 1) return nullptr;
  const auto* d = only<DrivenCoordinates>(blocks, std::vector<DrivenCoordinates::Item>{});
  const auto* s = only<Springs>(blocks, std::vector<Springs::Item>{});
  const auto* p = only<LuGrePlaces>(blocks, std::vector<LuGrePlaces::Item>{});
  const auto* m = only<ScalarMasses>(blocks, std::vector<ScalarMasses::Item>{});
  return std::make_unique<Fused<DrivenCoordinates, Springs, LuGrePlaces, ScalarMasses>>(d, s, p, m);
}

}  // namespace bristle
