#pragma once
#include <string>
#include <vector>

#include "bristle/base/visitor.h"

namespace bristle {

/** A measured curve of force over depth, in straight lines between its points.

Equations ("Modeling of Unilateral Contact Conditions in Aerospace Systems", law of the unilateral contact), at a depth d > 0 that
grows with the rate d':

    F = table(d) (1 + mu_c d'),      never less than 0

The table starts at (0, 0) and goes straight on after its last point. Its potential is exact.

Parameters: `depth` [m], growing; `force` [N], as many, never falling; `dissipation` mu_c [s/m], 0 by default.

Memory: none.

Cannot: be smooth. The stiffness jumps at every point of the table; many points with small jumps are better than few with large
ones. A loop of loading and unloading does not fit into a table: use `dissipation`, or `viscoelastic`.

Reference: none; linear interpolation.
*/
struct ContactTable {
  std::vector<double> depths, forces;  // [m], [N]
  double dissipation = 0;              // [s/m]

  void visit(Visitor& v) {
    v.list("depth", depths, unit::metre, non_negative, "depths of the points of the curve, growing");
    v.list("force", forces, unit::newton, non_negative, "forces at these depths, never falling");
    v("dissipation", dissipation, unit::second_per_metre, non_negative, "the force grows by this times the rate; 0: elastic");
  }
  std::string problem() const {
    if (depths.empty()) return "the table is empty. Write depth: [10 um, 20 um], force: [1 kN, 3 kN]";
    if (depths.size() != forces.size())
      return "depth has " + std::to_string(depths.size()) + " points and force " + std::to_string(forces.size());
    if (depths[0] == 0 && forces[0] != 0) return "the force at depth 0 must be 0";
    if (depths.size() == 1 && depths[0] == 0) return "the table needs a point at a depth > 0";
    for (std::size_t i = 1; i < depths.size(); ++i) {
      if (!(depths[i] > depths[i - 1])) return "depth must grow from point to point";
      if (forces[i] < forces[i - 1]) return "force must not fall from point to point";
    }
    return "";
  }
  void prepare() {
    if (depths.empty() || depths.size() != forces.size()) return;  // refused
    if (depths[0] > 0) depths.insert(depths.begin(), 0), forces.insert(forces.begin(), 0);
    energies_.assign(depths.size(), 0);
    for (std::size_t i = 1; i < depths.size(); ++i)
      energies_[i] = energies_[i - 1] + 0.5 * (forces[i] + forces[i - 1]) * (depths[i] - depths[i - 1]);
  }
  bool damped() const { return dissipation > 0; }

  template <class T>
  T potential(const T& depth) const {
    const std::size_t i = interval(depth);
    const T x = depth - depths[i];
    return energies_[i] + x * (forces[i] + 0.5 * slope(i) * x);
  }
  template <class T>
  T elastic(const T& depth) const {
    const std::size_t i = interval(depth);
    return forces[i] + slope(i) * (depth - depths[i]);
  }
  template <class T>
  T damping(const T& depth, const T& rate, const T&) const {
    return dissipation * rate * elastic(depth);
  }

 private:
  template <class T>
  std::size_t interval(const T& depth) const {
    std::size_t i = 0;
    while (i + 2 < depths.size() && depth > depths[i + 1]) ++i;
    return i;
  }
  double slope(std::size_t i) const { return (forces[i + 1] - forces[i]) / (depths[i + 1] - depths[i]); }
  std::vector<double> energies_;  // [J] up to each point
};

}  // namespace bristle
