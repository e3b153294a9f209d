#pragma once
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bristle/constraint/wrench.h"
#include "bristle/core/layout.h"
#include "bristle/place/place.h"
#include "bristle/place/random_stream.h"

namespace bristle {

/// Gives numbers to what elements bring into a system: memory, marks, rows, accounts. All that are asked for at once are consecutive;
/// the first is given back.
class Numbers {
 public:
  explicit Numbers(Layout& layout) : layout_(layout) {}

  /// `owner`: the user's name for them.
  int memory(const std::string& owner, int count = 1) {
    layout_.memory.insert(layout_.memory.end(), static_cast<std::size_t>(count), owner);
    return std::exchange(layout_.sizes.z, layout_.sizes.z + count);
  }
  int marks(int count = 1) { return std::exchange(layout_.sizes.marks, layout_.sizes.marks + count); }
  int account(const std::string& name, Account::Kind kind) {
    layout_.accounts.push_back({name, kind});
    return static_cast<int>(layout_.accounts.size()) - 1;
  }
  /// A measure between two bodies in space.
  int row(const Marker& A, const Marker& B) {
    const auto body = [&](const Marker& m) -> const BodyInfo& { return layout_.bodies[static_cast<std::size_t>(m.body)]; };
    return layout_.rows.add(MarkerPair::columns(body(A), body(B)));
  }
  /// Ends on the ground get a slot of their own for the force.
  Relative on_ground(Relative r) {
    if (r.a == layout_.ground) r.push_a = layout_.sizes.v + layout_.spare++;
    if (r.b == layout_.ground) r.push_b = layout_.sizes.v + layout_.spare++;
    return r;
  }

  /// Where the displacement along the slip of a place comes from.
  enum class Travel {
    measured,  ///< the measure has a position
    for_law,   ///< it is added up where the law asks for it
    shown      ///< it is added up in any case, for results
  };
  /// A place that has its name and its law; `count`: places of as many components that there are already.
  template <class M, int D>
  void place(Place<M, D>& place, Travel travel, int count) {
    const MemorySize memory = place.law->memory();
    place.z = this->memory(place.name, memory.z);
    if (memory.travel && travel != Travel::measured) place.travel = this->memory(place.name, D);
    else if (travel == Travel::shown) place.way = marks(PlaceBlock<M, D>::kWay);
    place.marks = marks(PlaceBlock<M, D>::marks_needed(*place.law));
    const bool varies = place.bearing || (place.press && !place.press->law->rigid()) || !place.load.is_constant();
    if (varies && place.law->stores_by_load()) place.load_account = account(place.name + ".load", Account::Kind::supplied);
    place.stream = random_stream(D, std::is_same_v<M, RowMeasure>, count);
  }

 private:
  Layout& layout_;
};

}  // namespace bristle
