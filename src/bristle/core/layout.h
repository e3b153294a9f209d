#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bristle/core/frame_map.h"
#include "bristle/core/rows.h"
#include "bristle/core/state.h"
#include "bristle/signal/bound_signal.h"
#include "bristle/signal/signal.h"

namespace bristle {

/// Who takes energy out (dissipated: work done on it minus what it stores) or brings it in (supplied).
struct Account {
  enum class Kind { dissipated, supplied };
  std::string name;
  Kind kind = Kind::dissipated;
};

/// One number a run can record: `<element>.<quantity>`.
struct Channel {
  std::string name, unit, text;
};

/// A friction place as the results show it.
struct PlaceInfo {
  std::string name, law;
  int components = 1;
};

/// What a body looks like: for pictures, never for mechanics. Position and rotation are in the frame of the body's centre of mass.
struct Shape {
  enum class Kind { box, cylinder, sphere, tube, mesh };
  Kind kind = Kind::box;
  double size[3] = {0, 0, 0};  ///< [m] box: edges; cylinder and sphere: radius, length; tube: outer radius, inner radius, length
  double position[3] = {0, 0, 0};
  double rotation[4] = {1, 0, 0, 0};  ///< quaternion, scalar first; axes of cylinders and tubes are z
  std::vector<double> points;         ///< mesh: three numbers per corner
  std::vector<int> triangles;         ///< mesh: three corners each
};

/// A column of the map of a frame, by the user's name: what stands behind the name of the body, as ".x".
struct ColumnInfo {
  std::string name;
  bool angle = false;  ///< counts turns [rad]; else a way [m]
};

/// A frame in space with a name: a body, a node of a beam, the ground.
struct BodyInfo : FrameMap {
  BodyInfo() = default;
  BodyInfo(const FrameMap& map, std::string name_, std::string kind_, std::vector<ColumnInfo> columns_ = {},
           std::vector<Shape> shapes_ = {})
      : FrameMap(map), name(std::move(name_)), kind(std::move(kind_)), columns(std::move(columns_)), shapes(std::move(shapes_)) {}
  static BodyInfo ground() { return {FrameMap{}, "ground", "ground"}; }

  std::string name;
  std::string kind;                 ///< a word for results and pictures; "ground": it does not move
  std::vector<ColumnInfo> columns;  ///< of the map; none where other names stand for them, as those of scalar coordinates
  std::vector<Shape> shapes;
};

/// What moves the frames, without names: for blocks that act on them.
inline std::vector<FrameMap> frame_maps(const std::vector<BodyInfo>& bodies) { return {bodies.begin(), bodies.end()}; }

/// A joint between two bodies, as pictures show it: a frame on either body (position, quaternion) in the frame of its centre of mass.
struct JointInfo {
  std::string name, type;
  int body[2] = {0, 0};  ///< into Layout::bodies
  double frame[2][7] = {{0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0}};
  double clearance = 0;  ///< [m] how far the second frame can leave the first; 0: an ideal joint
};

/// Something that is given over time: the part of an expression that depends on nothing else.
struct GivenSignal {
  std::string owner;  ///< in the user's words: force 'push'
  Signal signal;
  bool position = false;  ///< the place of a drive, which cannot jump
};

/// An expression of the motion that may jump or have a corner.
struct SwitchedSignal {
  std::string owner;  ///< in the user's words: force 'push'
  BoundSignal signal;
  std::vector<char> moved;  ///< which of its decisions the motion tells; see moved_decisions
};

/// Sizes, index maps, rows and the user's names of all unknowns. Methods use the numbers in every step; the names are for messages and
/// results and are never looked up there.
struct Layout {
  Sizes sizes;
  int scalars = 0;                       ///< free scalar coordinates: q, v, f indices 0 .. scalars-1
  int driven = 0;                        ///< driven coordinates follow
  int ground = 0;                        ///< index of the ground coordinate (value 0)
  std::vector<FrameCoordinates> frames;  ///< frames that turn in space follow the ground
  int map_numbers = 0;                   ///< of all frames that are moved by a matrix; see FrameMap::numbers_of
  int spare = 0;                         ///< slots of f behind the velocities that take forces on the ground; nobody reads them
  std::vector<std::string> coordinates;  ///< free, then driven, then "ground"
  std::vector<std::string> memory;       ///< one per z
  std::vector<Account> accounts;         ///< the first `driven` ones are the drives of the driven coordinates
  std::vector<Channel> channels;
  std::vector<PlaceInfo> places;
  std::vector<BodyInfo> bodies;              ///< bodies in space; the ground is the first when there are any
  std::vector<JointInfo> joints;             ///< joints between them
  RowPattern rows;                           ///< measures of bodies in space
  int constant_rows = 0;                     ///< the last of them: slips of scalar coordinates, which no block writes
  std::vector<HeldRow> held;                 ///< those that are held; their multipliers come first in lambda
  std::vector<std::string> redundant;        ///< held rows that follow from the others at the start, by name
  std::vector<std::string> singular;         ///< of these, those that do so in that position alone
  int freedoms = 0;                          ///< degrees of freedom that the held rows leave, at the start
  std::vector<GivenSignal> given;            ///< what loads, drives and rates are told to do over time
  std::vector<SwitchedSignal> switched;      ///< expressions that go another way where the motion comes to
  std::vector<std::pair<int, int>> sampled;  ///< mark and channel: values of the last accepted step that expressions read

  /// Free velocity unknowns: the scalars, and six per frame with what follows it.
  int free() const { return frames.empty() ? scalars : frames.back().unknown + 6 + frames.back().more; }
  /// Bodies in space, or measures that blocks evaluate.
  bool spatial() const { return !frames.empty() || !bodies.empty() || rows.count() > constant_rows; }
  int held_count() const { return static_cast<int>(held.size()); }  ///< multipliers of held rows come first in lambda
  /// One more frame, once the scalar coordinates and the ground are numbered; `more` plain coordinates follow it.
  const FrameCoordinates& add_frame(int more = 0);
  int frame_q(int i) const { return frames[static_cast<std::size_t>(i)].q; }
  int frame_v(int i) const { return frames[static_cast<std::size_t>(i)].v; }
  /// Index in v of free unknown i.
  int v_index(int i) const { return i < scalars ? i : ground + 1 + (i - scalars); }
  /// Free unknown of index k in v, or -1 (driven, ground).
  int unknown(int k) const { return k < scalars ? k : (k <= ground ? -1 : scalars + k - ground - 1); }
  /// Numbers of the first-order form: [tangent of q | v | z].
  int order_one() const { return 2 * free() + sizes.z; }
  /// The user's name of number i of the first-order form.
  std::string name_of(int i) const;
};

}  // namespace bristle
