#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/plan.h"
#include "bristle/measure/form.h"

namespace bristle {

// Where elements act: scalar coordinates, points and frames of bodies in space, motions of joints.

/// A reading of B relative to A: index and coefficient of each coordinate, A negative.
struct Span {
  std::vector<std::pair<int, double>> terms;
  bool rotary = false;
  std::optional<Relative> relative() const;  ///< when it is just the difference of two coordinates
};
/// How many components an end lists, 1 where it lists none.
int components(const Reader& reader);
/// `between: [A, B]` or `on: B`, of scalar coordinates: one for each component.
std::vector<Span> spans(const Plan& plan, Reader& reader);

struct SpaceEnd {
  int body = 0;                    ///< index into Layout::bodies
  std::optional<Marker> frame;     ///< a named or inline frame; none: the element says where
  const BeamPlan* beam = nullptr;  ///< a whole beam: the element says which node
};
SpaceEnd read_end(const Plan& plan, const Node& node, const std::string& owner, bool whole_beam = false);
/// A whole beam that is named where it is: its node there.
void settle(const Plan& plan, SpaceEnd& end, const Vec3<>& at, const Where& where, const std::string& owner);
const BeamPlan* find_beam(const Plan& plan, const std::string& name);
bool is_space_body(const Plan& plan, const std::string& name);
bool in_space(const Plan& plan, const Node& end);
/// Frames of a joint on its two bodies.
std::pair<Marker, Marker> read_markers(const Plan& plan, Reader& reader, bool two_axes);
/// A point of a body: a frame, the key `key` in the world at the start, or the origin of its own frame.
Marker read_point(const Plan& plan, Reader& reader, const Node& node, const char* key);
Frame<> start_frame(const Plan& plan, const Marker& m);  ///< in the world, where its body is given to start
Marker marker_at(const Plan& plan, int body, const Vec3<>& world, const Mat3<>& R);  ///< from where the body is given to start
bool in_plane(const Plan& plan, const Marker& A, const Marker& B);                   ///< both move in the plane x, y
/// Particles take no element beside their position.
void check_particle(const Plan& plan, const Reader& reader, const Marker& m);

/// One measure: of scalar coordinates, or a row of bodies in space.
struct Reach {
  std::vector<Span> spans;  ///< of scalar coordinates; empty: of bodies in space, the row
  int row = -1;
  bool rotary = false;
};
Reach reach(Plan& plan, Reader& reader);
/// A motion of a joint that the key names.
const RowOf& find_motion(const Plan& plan, const Reader& reader, const char* key, const std::string& name);

}  // namespace bristle
