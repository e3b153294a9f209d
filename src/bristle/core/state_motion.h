#pragma once
#include "bristle/core/layout.h"
#include "bristle/core/state.h"
#include "bristle/math/rotation.h"

namespace bristle {

/// How states move: steps and rates in the first-order form [tangent of q | v | z], through the charts of the coordinates. A view: it
/// lives no longer than the layout.
class StateMotion {
 public:
  explicit StateMotion(const Layout& layout) : layout_(&layout), free_(layout.free()) {}

  /// out = x moved by h * rate; time, multipliers and marks are copied.
  void move(const State& x, double h, const double* rate, State& out, Chart chart = Chart::exponential) const {
    const int n = layout_->scalars, m = layout_->sizes.z, free = free_;
    const double *q = x.q(), *v = x.v(), *z = x.z(), *vdot = rate + free, *zdot = vdot + free;
    double *oq = out.q(), *ov = out.v(), *oz = out.z();
    for (int i = 0; i < n; ++i) {
      oq[i] = q[i] + h * rate[i];
      ov[i] = v[i] + h * vdot[i];
    }
    for (int i = 0; i < m; ++i) oz[i] = z[i] + h * zdot[i];
    if (!layout_->frames.empty()) move_frames(x, h, rate, out, chart);
  }
  /// Moves positions alone, by a displacement that is indexed as velocities are.
  void shift(State& x, const double* by) const;
  /// The step from one state to another: move(from, 1, step) gives to.
  void difference(const State& from, const State& to, double* step, Chart = Chart::exponential) const;
  /// Turns body rates into rates of the increment `step` from which the body's attitude was made by move.
  void chart_rate(const double* step, double* rate, Chart chart = Chart::exponential) const;

 private:
  void move_frames(const State& x, double h, const double* rate, State& out, Chart) const;
  const Layout* layout_;
  int free_;
};

}  // namespace bristle
