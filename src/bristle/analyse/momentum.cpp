#include "bristle/analyse/momentum.h"

#include <algorithm>

#include "bristle/base/index.h"

namespace bristle {

TotalMomentum::Extent TotalMomentum::extent_of(const Layout& layout) {
  Extent extent = Extent::none;
  for (const BodyInfo& body : layout.bodies) {
    if (body.is_matrix()) return Extent::none;
    if (body.moves()) extent = std::max(extent, body.flat() ? Extent::plane : Extent::space);
  }
  return extent;
}

std::vector<Channel> TotalMomentum::channels(const Layout& layout) {
  const Extent extent = extent_of(layout);
  if (extent == Extent::none) return {};
  std::vector<Channel> list;
  for (const char* axis : {"x", "y", "z"}) {
    if (extent == Extent::plane && *axis == 'z') break;
    list.push_back({std::string("momentum.") + axis, "kg m/s", "momentum of all bodies"});
  }
  for (const char* axis : {"x", "y", "z"}) {
    if (extent == Extent::plane && *axis != 'z') continue;
    list.push_back({std::string("angular_momentum.") + axis, "kg m^2/s", "angular momentum of all bodies about the origin"});
  }
  return list;
}

TotalMomentum::TotalMomentum(const System& system)
    : extent_(extent_of(system.layout())), masses_(system.masses().blocks()), momentum_(u(system.layout().sizes.v), 0) {}

void TotalMomentum::calc(const System& system, const State& x, const Workspace& w, double* out) {
  if (extent_ == Extent::none) return;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    MassBlock& m = masses_[i];
    system.masses().calc(i, x.q(), m);
    for (int r = 0; r < m.count; ++r) {
      double sum = 0;
      for (int c = 0; c < m.count; ++c) sum += m.mass[u(r * m.count + c)] * x.v()[m.v + c];
      momentum_[u(m.v + r)] = sum;
    }
  }
  Vec3<> linear, angular;
  for (std::size_t k = 0; k < system.layout().bodies.size(); ++k) {
    const BodyInfo& body = system.layout().bodies[k];
    if (!body.moves()) continue;
    Vec3<> p, L;
    body.wrench(w.pose[k], momentum_.data() + body.v, p, L);
    linear = linear + p;
    angular = angular + L + cross(w.pose[k].p, p);
  }
  for (int k = 0; k < (extent_ == Extent::plane ? 2 : 3); ++k) *out++ = linear[k];
  for (int k = extent_ == Extent::plane ? 2 : 0; k < 3; ++k) *out++ = angular[k];
}

}  // namespace bristle
