#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/body/space.h"
#include "bristle/constraint/contact_axes.h"
#include "bristle/constraint/links.h"
#include "bristle/constraint/reactions.h"
#include "bristle/constraint/touches.h"
#include "bristle/core/system.h"
#include "bristle/joint/plan.h"
#include "bristle/measure/solid.h"
#include "bristle/model/reader.h"

namespace bristle {

/// A body in space while the model is read: positions belong to the body's own frame, which need not be at the centre of mass.
struct SpaceBodyPlan {
  std::string name;
  Where where;
  SpaceBody body;
  Vec3<> center;  ///< [m] centre of mass in the body's frame
  std::vector<Shape> shapes;
  std::vector<std::optional<Solid>> touches;  ///< of each, where it collides as something else than what is seen
  struct NamedFrame {
    std::string name;
    Vec3<> at;  ///< [m] in the body's frame
    Mat3<> R;
  };
  std::vector<NamedFrame> frames;
  std::optional<BodyInfo> frame;  ///< of a body with a block of its own; none: of type rigid, planar or particle
  bool numbered = false;          ///< has its coordinates
  bool node = false;              ///< of a beam: its name is <beam>.<node>
  bool position_given = false, orientation_given = false, velocity_given = false, rate_given = false;
};

/// What acts on a measure of bodies in space is named by the user as a joint's motion or as two points; here is the row it became.
struct RowOf {
  int row = -1;
  bool rotary = false;
};

/// Collects measures of bodies in space until they become blocks.
struct SpaceParts {
  std::vector<SpaceBodyPlan> bodies;              ///< without the ground
  std::vector<std::pair<int, int>> rigid_starts;  ///< first and number of bodies that start as one: nodes of a beam
  std::vector<Links::Item> links;
  std::vector<Touches::Item> touches;
  std::vector<Combinations::Item> combinations;
  std::vector<Reactions::Item> reactions;
  std::vector<ContactAxes::Item> axes;
  std::map<std::string, RowOf> motions;  ///< "<joint>.<motion>" and "<body>.position.x"
  struct Line {
    int row = 0;
    std::string owner;
    Where where;
  };
  struct Gap {
    int row = 0;
    std::string place, owner;
    Where where;
    bool resolve = false;  ///< what overlaps is moved apart
  };
  std::vector<Gap> gaps;                ///< that may not be closed at the start
  std::map<std::string, Where> places;  ///< where the user wrote the owner of a held row
  std::vector<Line> distances;          ///< rows that need two points apart, and who acts along them
  std::vector<int> speed_memory;        ///< z of drives by speed, and the rows they move
  std::vector<int> speed_rows;
  std::vector<int> clocks;  ///< marks: times of slips that are added up; they start with the run
};

/// Directions and frames as users write them.
Vec3<> read_direction(const Node& node, const Scope& scope, const std::string& owner);  ///< x, -y, [1, 0, 1]
Mat3<> frame_along(const Vec3<>& z, const std::optional<Vec3<>>& x);                    ///< right-handed, z along the axis
/// A vector of three numbers; planar ones may leave out the third.
Vec3<> vector_of(const std::vector<double>& numbers);
std::optional<Vec3<>> read_vector3(Reader& reader, const char* key, const Unit& unit);
/// [w, x, y, z], or {axis: z, angle: 30 deg}
std::optional<Quaternion> read_orientation(Reader& reader, const char* key, const Scope& scope);

/// Positions and velocities that fulfil the held rows, from what the model gives; counts freedoms and names redundant rows.
/// Throws InputError with the joint's name where they contradict each other. Gives what part_surfaces says.
std::vector<std::string> assemble_start(System& system, const SpaceParts& parts, const Where& where);
/// Moves bodies apart where surfaces overlap and `overlap: resolve` asks for it: by the least motion that keeps the held rows and closes no
/// other gap, turns counting at the radius of gyration. Says who was moved by how much. Throws InputError where it cannot be done.
std::vector<std::string> part_surfaces(const System& system, const SpaceParts& parts, State& x, Workspace& w);

}  // namespace bristle
