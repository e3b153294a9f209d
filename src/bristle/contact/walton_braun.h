#pragma once
#include "bristle/base/visitor.h"

namespace bristle {

/** A spring that is stiffer on the way back than on the way in: the simplest surface that keeps a dent.

Equations ("bilinear" or "partially latching" spring), at a depth d, of which D is the largest so far:

    F = k1 d                         deeper than ever, d = D
    F = k2 (d - d_p)                 d_p < d < D: unloading, and loading again
    k2 = k1 / e^2,   d_p = D (1 - e^2)      the dent; no force above it

The first impact on a bare surface has the restitution e, whatever its speed and mass; the next one at the same speed, into the dent
of the first, e sqrt(2 - e^2), and one that comes no faster than the last has left is elastic.

Parameters: `stiffness` k1 [N/m], loading; `restitution` e, at most 1. A measured stiffness of unloading k2 gives e = sqrt(k1 / k2).

Memory: the largest depth, from which the dent follows (channel `indentation`). It is a mark: it changes when a step is accepted.
Steps with error control end where the depth turns; others pass over the turn, which leaves the dent short by the square of the step.

Cannot: stay elastic in slow impacts, or lose more in fast ones (use `thornton`). It cannot tell where on a surface the dent is: there is
one per place, and it meets whatever touches there; a surface that is to forget its impacts needs another law (`flores`). Surfaces that
overlap at the start count as pressed in so far.

Reference: O. R. Walton, R. L. Braun, Viscosity, granular-temperature, and stress calculations for shearing assemblies of inelastic,
frictional disks, J. Rheology 30 (1986), doi:10.1122/1.549893.
*/
struct WaltonBraun {
  double stiffness = kRequired;    // [N/m]
  double restitution = kRequired;  // [1]

  void visit(Visitor& v) {
    v("stiffness", stiffness, unit::newton_per_metre, positive,
      "force over depth where the surfaces are pressed deeper than ever");
    v("restitution", restitution, unit::one, {0, 1, true, false}, "speed after the first impact over speed before");
  }
  void prepare() {
    springs_back_ = restitution * restitution;
    unloading_stiffness_ = stiffness / springs_back_;
  }
  bool damped() const { return restitution < 1; }
  double yield_depth() const { return 0; }

  template <class T>
  T loading(const T& depth) const {
    return stiffness * depth;
  }
  double loading_work(double depth) const { return 0.5 * stiffness * depth * depth; }
  double dent(double deepest) const { return deepest - springs_back_ * deepest; }
  template <class T>
  T unloading(const T& depth, double deepest) const {
    return unloading_stiffness_ * (depth - dent(deepest));
  }
  double unloading_work(double depth, double deepest) const {
    const double left = depth - dent(deepest);
    return 0.5 * unloading_stiffness_ * left * left;
  }

 private:
  double springs_back_ = 1;         // part of the largest depth
  double unloading_stiffness_ = 0;  // [N/m]
};

}  // namespace bristle
