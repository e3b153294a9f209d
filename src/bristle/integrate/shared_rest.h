#pragma once
#include <vector>

#include "bristle/core/system.h"

namespace bristle {

/** Dry places between the same two bodies that are at rest together over a step, as the feet of a box. Two feet already stop the body on a table, one in the plane
of a drawing; what slip the rows of the others show beyond that comes from a little tilting over differences of depth. To keep such slips at zero would take
forces over lever arms as short as those differences, which no friction has.

Slips s are made of motions that move the places well, R y, and a rest. With the limits K of the places, forces T = K R y hold the first ones
exactly, R'K s = 0: as if all places crept, each in proportion to its limit. The rest is left to creep under what T has beyond that,

  s = h C T,  C = w (K^-1 - R (R'K R)^-1 R'),

w [1/kg] the largest mobility. C is symmetric, never negative, and zero for the forces K R y, so a load that is carried makes nothing creep. */
class SharedRest {
 public:
  void prepare(const System&);
  bool empty() const { return groups_.empty(); }
  /// Which rows there are to share, with what is kept at rest now and what the places can hold. lightness: one over the inertia, by unknown.
  void choose(const System&, const double* D, const double* lightness, const std::vector<char>& kept,
              const std::vector<double>& limit);
  /// take(slot, other slot, C): all pairs of a group, in the same order every time.
  template <class Take>
  void each(const Take& take) const {
    for (const Group& g : groups_) {
      const std::size_t n = g.slot.size();
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) take(g.slot[i], g.slot[j], g.C[i * n + j]);
      }
    }
  }

 private:
  struct Group {
    std::vector<int> place, component, slot;  // by row
    std::vector<double> C;
  };
  void share(const System&, Group&, const double* D, const double* lightness, const std::vector<char>& kept,
             const std::vector<double>& limit);
  std::vector<Group> groups_;
  // of the group at hand: its rows that are kept, by the order in which they were chosen
  std::vector<int> order_;
  std::vector<double> W_, L_, left_, normal_, weight_;
};

}  // namespace bristle
