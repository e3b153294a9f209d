#pragma once
#include <utility>
#include <vector>

#include "bristle/joint/plan.h"

namespace bristle::plan_parts {

// What plans of joints are put together from. The frame on A is x, y, z; the z axis is the joint's axis.

using Kind = Relation::Kind;

inline constexpr const char* kAxis[] = {"x", "y", "z"};
inline constexpr const char* kAlong[] = {"displacement along x", "displacement along y", "displacement along z"};

inline RelationPlan with_rate(RelationPlan r, const char* rate) {
  r.rate = rate;
  return r;
}
inline RelationPlan along(int i, const char* name) { return {{Kind::along, i, 0}, name}; }
inline RelationPlan displacement(int i = 2) { return with_rate(along(i, "displacement"), "velocity"); }
inline RelationPlan dot(int i, int j, const char* name) { return {{Kind::dot, i, j}, name}; }
inline RelationPlan angle() { return with_rate({{Kind::angle, 0, 0}, "angle"}, "speed"); }
/// Three turns, none of them held: about x of A, then the new y, then z of B.
inline std::vector<RelationPlan> cardan() {
  return {with_rate({{Kind::cardan, 0, 0}, "angle_x"}, "speed_x"), with_rate({{Kind::cardan, 1, 0}, "angle_y"}, "speed_y"),
          with_rate({{Kind::cardan, 2, 0}, "angle_z"}, "speed_z")};
}
inline std::vector<RelationPlan> spins() {
  return {{{Kind::spin, 0, 0}, "angular_velocity_x"},
          {{Kind::spin, 1, 0}, "angular_velocity_y"},
          {{Kind::spin, 2, 0}, "angular_velocity_z"}};
}
inline RelationPlan scaled(RelationPlan r, double by) {
  r.scale = by;
  return r;
}

inline std::vector<RelationPlan> point() { return {along(0, kAlong[0]), along(1, kAlong[1]), along(2, kAlong[2])}; }
/// z of B stays along z of A
inline std::vector<RelationPlan> axis() { return {dot(0, 2, "tilt about y"), dot(1, 2, "tilt about x")}; }
inline std::vector<RelationPlan> joined(std::vector<RelationPlan> a, const std::vector<RelationPlan>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Radial pin with the axial load on a collar and the bending moment on its two halves.
inline BearingPlan pin(const JointSizes& s, RelationPlan turn, std::vector<int> radial, std::vector<int> axial,
                       std::vector<int> bending) {
  BearingPlan b;
  b.preload = s.preload;
  b.slip = {scaled(turn, s.pin_radius)};
  b.load.push_back({std::move(radial), 1});
  if (!axial.empty()) b.load.push_back({std::move(axial), s.friction_arm > 0 ? s.friction_arm / s.pin_radius : 1});
  if (s.bending_arm > 0) b.load.push_back({std::move(bending), 1 / s.bending_arm});
  return b;
}

}  // namespace bristle::plan_parts
