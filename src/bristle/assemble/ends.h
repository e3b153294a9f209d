#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bristle/assemble/keys.h"
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
/// Two ways to say where an element acts on scalar coordinates: `between: [A, B]` or `on: B`.
struct EndKeys {
  const Node *between = nullptr, *on = nullptr;
  void visit(Keys& keys);
  int components() const;  ///< how many an end lists, 1 where it lists none
};
/// One for each component.
std::vector<Span> spans(const Plan& plan, const Reader& reader, const EndKeys& ends);

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
/// Where a joint is, on its two bodies. The texts differ: a nullptr stands for a key that the joint does not have.
struct JointEnds {
  const Node* between = nullptr;
  std::optional<Vec3<>> at, at_b, second_axis;
  AxesKeys axes;
  bool apart = false;  ///< its two ends need not meet
  struct Texts {
    const char* between = "two bodies [A, B], or frames of them: [ground, arm], [crank.pin, rod.eye]";
    const char* at = "where the joint is at the start, in the world; frames of bodies need none";
    const char* at_b = nullptr;
    const char* axis = "its axis at the start, in the world: x, y, z, -x, or three numbers";
    const char* x_axis = "direction of its x axis";
    const char* second_axis = nullptr;
  };
  void visit(Keys& keys, const Texts& texts);
};
/// Frames of a joint on its two bodies.
std::pair<Marker, Marker> read_markers(const Plan& plan, const Reader& reader, const JointEnds& ends, bool two_axes);
/// A point of a body: a frame, `at` in the world at the start, which the key `key` gives, or the origin of its own frame.
Marker read_point(const Plan& plan, const Reader& reader, const Node& node, const char* key, const std::optional<Vec3<>>& at);
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
/// Where forces act: as EndKeys, along a motion of a joint, or along the line between points of bodies in space.
struct ForceEnds : EndKeys {
  std::optional<Vec3<>> at, at_b;
  void visit(Keys& keys);
};
Reach reach(Plan& plan, const Reader& reader, const ForceEnds& ends);
/// A motion of a joint that the key names.
const RowOf& find_motion(const Plan& plan, const Reader& reader, const char* key, const std::string& name);

}  // namespace bristle
