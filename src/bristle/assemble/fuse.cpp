#include "bristle/assemble/fuse.h"

#include "bristle/assemble/fuse_lumped.h"
#include "bristle/friction/lugre.h"

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

std::unique_ptr<FusedEvaluation> fuse_blocks(std::vector<std::unique_ptr<Block>>& blocks) {
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
  // a load that varies is a signal, and one that may vanish opens the place: both stay with the block
  bool flat = true, sliding = true;
  for (const auto& place : p->items()) {
    flat = flat && place.constant_load > 0 && static_cast<const FrictionLawOf<LuGre, 1>&>(*place.law).law().plain();
    sliding = sliding && place.arm == 1 && place.force_arm == 1 && place.lever == 1;
  }
  if (flat && sliding) return std::make_unique<Lumped<LuGre, true>>(*d, *s, *p, *m);
  if (flat) return std::make_unique<Lumped<LuGre, false>>(*d, *s, *p, *m);
  return std::make_unique<Fused<DrivenCoordinates, Springs, LuGrePlaces, ScalarMasses>>(d, s, p, m);
}

}  // namespace bristle
