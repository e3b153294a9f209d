#include "bristle/analyse/reduction.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bristle/base/index.h"

namespace bristle {

double length_scale(const System& system) {
  const Layout& layout = system.layout();
  Workspace work = system.make_workspace();
  const State start = system.make_state();
  const Eval e = system.look(start, work);
  std::vector<Vec3<>> points;
  for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
    if (layout.bodies[i].moves()) points.push_back(e.pose[i].p);
  }
  for (const JointInfo& joint : layout.joints) {
    for (int k = 0; k < 2; ++k) {
      const Pose& pose = e.pose[joint.body[k]];
      points.push_back(pose.p + pose.R * Vec3<>{{joint.frame[k][0], joint.frame[k][1], joint.frame[k][2]}});
    }
  }
  // two sweeps: the farthest from any one, and how far the others are from that
  Vec3<> from = points.empty() ? Vec3<>{} : points.front();
  double length = 0;
  for (int sweep = 0; sweep < 2; ++sweep) {
    Vec3<> farthest = from;
    length = 0;
    for (const Vec3<>& p : points) {
      const double distance = norm(p - from);
      if (distance <= length) continue;
      length = distance;
      farthest = p;
    }
    from = farthest;
  }
  double gyration = 0;
  for (const MassBlock& b : system.masses().blocks()) {
    if (b.v <= layout.ground || b.count < 6) continue;  // of frames that turn in space
    const auto of = [&](int i) { return b.mass[u(i * (b.count + 1))]; };
    const double inertia = std::max({of(3), of(4), of(5)});
    gyration = std::max(gyration, std::sqrt(inertia / b.mass[0]));
  }
  if (length > 1e-3 * gyration) return length;
  return gyration > 0 ? gyration : 1;  // of a body that is held at its centre of mass
}

Eigen::VectorXd unknown_scales(const System& system) {
  const Layout& layout = system.layout();
  Eigen::VectorXd scale = Eigen::VectorXd::Constant(layout.free(), length_scale(system));
  for (const BodyInfo& b : layout.bodies) {
    const int at = b.moves() ? layout.unknown(b.v) : -1;
    for (std::size_t k = 0; at >= 0 && k < b.columns.size(); ++k) {
      if (b.columns[k].angle) scale[at + static_cast<int>(k)] = 1;
    }
  }
  return scale;
}

std::vector<std::string> unknown_names(const Layout& layout) {
  std::vector<std::string> names;
  for (int i = 0; i < layout.scalars; ++i) names.push_back(layout.coordinates[u(i)]);
  for (std::size_t f = 0; f < layout.frames.size(); ++f)
    names.insert(names.end(), u(6 + layout.frames[f].more), "frame" + std::to_string(f));
  for (const BodyInfo& b : layout.bodies) {
    const int at = b.moves() ? layout.unknown(b.v) : -1;
    for (std::size_t k = 0; at >= 0 && k < b.columns.size(); ++k) names[u(at) + k] = b.name + b.columns[k].name;
  }
  return names;
}

Eigen::MatrixXd mass_matrix(const System& system) { return mass_matrix(system, system.make_state()); }

Eigen::MatrixXd mass_matrix(const System& system, const State& x) {
  const Layout& layout = system.layout();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(layout.free(), layout.free());
  for (std::size_t k = 0; k < system.masses().blocks().size(); ++k) {
    MassBlock b = system.masses().blocks()[k];
    system.masses().calc(k, x.q(), b);
    const int at = layout.unknown(b.v);
    if (at < 0) continue;
    for (int i = 0; i < b.count; ++i) {
      for (int j = 0; j < b.count; ++j) M(at + i, at + j) = b.mass[u(i * b.count + j)];
    }
  }
  return M;
}

int freedoms_of(const System& system) { return system.layout().freedoms; }

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
