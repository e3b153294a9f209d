#include "bristle/analyse/reduction.h"

#include <algorithm>
#include <cmath>

#include "bristle/base/index.h"

namespace bristle {

double length_scale(const System& system) {
  const Layout& layout = system.layout();
  double length = 0;
  for (const MassBlock& b : system.mass_blocks()) {
    if (b.v <= layout.ground || b.count != 6) continue;
    const double inertia = std::max({b.mass[21], b.mass[28], b.mass[35]});
    length = std::max(length, std::sqrt(inertia / b.mass[0]));
  }
  for (const JointInfo& joint : layout.joints) {
    for (int k = 0; k < 2; ++k) {
      if (joint.body[k] == 0) continue;
      length = std::max(length, std::hypot(joint.frame[k][0], joint.frame[k][1], joint.frame[k][2]));
    }
  }
  return length > 0 ? length : 1;
}

Eigen::VectorXd unknown_scales(const System& system) {
  const Layout& layout = system.layout();
  Eigen::VectorXd scale = Eigen::VectorXd::Constant(layout.free(), length_scale(system));
  for (const BodyInfo& b : layout.bodies) {
    if (b.kind == BodyInfo::Kind::rigid) scale.segment(layout.unknown(b.v) + 3, 3).setOnes();
    if (b.kind == BodyInfo::Kind::planar && layout.unknown(b.v) >= 0) scale[layout.unknown(b.v) + 2] = 1;
  }
  return scale;
}

std::vector<std::string> unknown_names(const Layout& layout) {
  std::vector<std::string> names;
  for (int i = 0; i < layout.free(); ++i)
    names.push_back(i < layout.scalars ? layout.coordinates[u(i)] : "frame" + std::to_string((i - layout.scalars) / 6));
  for (const BodyInfo& b : layout.bodies) {
    const int at = b.kind == BodyInfo::Kind::ground ? -1 : layout.unknown(b.v);
    if (at < 0) continue;
    const char* const space[] = {".x", ".y", ".z", ".turn_x", ".turn_y", ".turn_z"};
    const char* const plane[] = {".x", ".y", ".turn"};
    for (int k = 0; k < (b.kind == BodyInfo::Kind::rigid ? 6 : 3); ++k)
      names[u(at + k)] = b.name + (b.kind == BodyInfo::Kind::planar ? plane[k] : space[k]);
  }
  return names;
}

Eigen::MatrixXd mass_matrix(const System& system) {
  const Layout& layout = system.layout();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(layout.free(), layout.free());
  for (const MassBlock& b : system.mass_blocks()) {
    const int at = layout.unknown(b.v);
    if (at < 0) continue;
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) M(at + i, at + j) = b.mass[u(i * b.count + j)];
    }
  }
  return M;
}

int freedoms_of(const System& system) { return system.spatial() ? system.layout().freedoms : system.layout().free(); }

std::string worst_row(const Layout& layout, const std::vector<double>& row_value, double& by) {
  by = 0;
  const HeldRow* worst = nullptr;
  for (const HeldRow& h : layout.held) {
    const double off = std::abs(row_value[u(h.row)]);
    if (worst != nullptr && off <= by) continue;
    by = off;
    worst = &h;
  }
  return worst == nullptr ? "nothing" : worst->owner + " (" + worst->name + ")";
}

}  // namespace bristle
