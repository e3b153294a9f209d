#pragma once
#include <vector>

#include "bristle/core/system.h"

namespace bristle {

/// Momentum of all bodies in space together and its moment about the origin of the world: three channels each, or x, y and the moment about z
/// where nothing leaves the plane. Nothing where there are no bodies, or some whose frames are moved by a matrix.
class TotalMomentum {
 public:
  explicit TotalMomentum(const System&);
  static std::vector<Channel> channels(const Layout&);
  /// At a state whose poses are in the workspace (System::look).
  void calc(const System&, const State&, const Workspace&, double* out);

 private:
  enum class Extent { none, plane, space };
  static Extent extent_of(const Layout&);
  Extent extent_;
  std::vector<MassBlock> masses_;
  std::vector<double> momentum_;  // of every velocity
};

}  // namespace bristle
