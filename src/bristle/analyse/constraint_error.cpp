#include "bristle/analyse/constraint_error.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

ConstraintError calc_constraint_error(const System& system, const Workspace& w, double size) {
  ConstraintError e;
  for (int k = 0; k < system.layout().held_count(); ++k) {
    const HeldRow& held = system.layout().held[u(k)];
    const double rate = std::abs(w.row_rate[u(held.row)]);
    e.velocity = std::max(e.velocity, rate);
    if (held.holonomic) {
      const double value = std::abs(w.row_value[u(held.row)]), share = held.length ? value / size : value;
      e.position = std::max(e.position, value);
      if (share > e.share || e.share_row < 0) e.share = share, e.share_row = k;
    } else if (rate > e.rolling || e.rolling_row < 0) {
      e.rolling = rate, e.rolling_row = k;
    }
  }
  return e;
}

double calc_size(const Layout& layout, const Pose* pose) {
  double size = 0;
  const Vec3<>* first = nullptr;
  for (std::size_t k = 0; k < layout.bodies.size(); ++k) {
    if (!layout.bodies[k].moves()) continue;
    const Vec3<>& p = pose[k].p;
    if (first == nullptr) first = &p;
    double square = 0;
    for (int d = 0; d < 3; ++d) square += (p[d] - (*first)[d]) * (p[d] - (*first)[d]);
    size = std::max(size, std::sqrt(square));
  }
  for (const JointInfo& j : layout.joints) {
    for (int side = 0; side < 2; ++side) {
      if (!layout.bodies[u(j.body[side])].moves()) continue;
      const double* p = j.frame[side];
      size = std::max(size, std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
  }
  return size > 0 ? size : 1;
}

}  // namespace bristle
