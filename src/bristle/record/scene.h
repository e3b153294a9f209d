#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bristle/core/layout.h"

namespace bristle {

/// Numbers of a pose: position x y z [m], unit quaternion w x y z of the frame of the centre of mass.
inline constexpr int kPose = 7;

/// The ground does not move and has no poses.
inline bool is_moving(const BodyInfo& body) { return body.kind != "ground"; }
/// How many bodies of a model have poses.
int moving_bodies(const std::vector<BodyInfo>& bodies);
/// Poses of the moving bodies in their order, kPose numbers each. A point keeps the axes of the world. `evaluated`: of that state, per
/// body; needed where a frame is moved by a matrix.
void calc_poses(const std::vector<BodyInfo>& bodies, const State& x, const Pose* evaluated, double* poses);

/// What a result file says about its bodies and joints, so that pictures need no model: JSON
///
///     {"bodies": [{"name", "kind": ground|rigid|planar|point|..., "shapes": [...]}],
///      "joints": [{"name", "type", "bodies": [A, B], "frames": [[x y z w x y z], [...]], "clearance"}]}
///
/// with shapes {"kind": box, "size": [x, y, z]}, {cylinder, "radius", "length"}, {sphere, "radius"}, {tube, "outer_radius",
/// "inner_radius", "length"} or {mesh, "points": [x y z ...], "triangles": [a b c ...]}, each with "position" and "rotation" in the
/// frame of the centre of mass of its body. Axes of cylinders and tubes are z. A frame of a joint is given on either body; an
/// ideal joint has no clearance [m].
std::string scene_text(const std::vector<BodyInfo>& bodies, const std::vector<JointInfo>& joints);
/// The reverse; what moves a body is no business of a file. Throws std::runtime_error for a text that is no scene.
void read_scene(std::string_view text, std::vector<BodyInfo>& bodies, std::vector<JointInfo>& joints);

}  // namespace bristle
