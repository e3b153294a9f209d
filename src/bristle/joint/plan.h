#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bristle/base/registry.h"
#include "bristle/base/visitor.h"
#include "bristle/measure/relation.h"
#include "bristle/measure/touch.h"

namespace bristle {

/// A relation between the two frames of a joint. Before it is taken, the axes of either frame may be renamed in turn: with turn 1 the
/// old y becomes x, with turn 2 the old z; and the frames may change places.
struct RelationPlan {
  Relation relation;
  const char* name = "";  ///< shown to the user
  int turn_a = 0, turn_b = 0;
  bool swap = false;      ///< the relation's A is the joint's B
  double scale = 1;       ///< of the value: an arm turns an angle into a path
  const char* rate = "";  ///< what its rate is called; "": speed_<name> of a turn, velocity_<name> of a way
};
std::string rate_name(const RelationPlan&);

/// A share of a bearing's load: factor times the length of some of the joint's held rows, by number.
struct LoadPlan {
  std::vector<int> rows;
  double factor = 1;
};

/// Friction that acts beside the axis: resists the relation with factor times the held row times friction per load.
struct MomentPlan {
  RelationPlan relation;
  int row = 0;
  double factor = 0;  ///< [m]
};

/// A sum of the joint's motions, by number, each times a factor.
struct SumPlan {
  std::vector<std::pair<int, double>> motions;
  const char* name = "";  ///< shown to the user
};

/// One place where a joint rubs while it is ideal.
struct BearingPlan {
  const char* name = "";           ///< "" for the only one of a joint
  std::vector<RelationPlan> slip;  ///< 1 to 3 components [m]
  SumPlan path;                    ///< [m] in place of `slip`: along a thread
  double preload = 0;              ///< [N]
  std::vector<LoadPlan> load;
  std::vector<MomentPlan> moments;
};

/// What a joint is: which measures it holds, which motions it leaves, where it rubs. The z axis is the joint's axis.
struct JointPlan {
  std::vector<RelationPlan> held;
  std::vector<RelationPlan> motions;  ///< by name: driven, sprung, stopped, measured
  std::vector<RelationPlan>
      rates;                     ///< motions without a position, by name: driven. With all three turns, the orientation is, too
  std::vector<SumPlan> coupled;  ///< sums of motions that are held as well; numbered after `held`
  std::vector<BearingPlan> bearings;
  std::vector<std::unique_ptr<Geometry>> touches;  ///< where it touches when it has clearance
  bool needs_length = false;                       ///< the first held row is kept at a length, not at zero
};

/// Sizes of a joint, most of them of its rubbing surfaces; which of them matter depends on its type. Vocabulary as in common multibody programs.
struct JointSizes {
  double pin_radius = kRequired;  ///< [m] where the radial load rubs
  double friction_arm = 0;        ///< [m] where the axial load rubs; 0: the pin radius
  double bending_arm = 0;         ///< [m] between the two halves of the bearing; 0: bending does not load it
  double preload = 0;             ///< [N]
  double width = kRequired;       ///< [m] of a slider
  double length = 0;              ///< [m] of a slider along its guide; 0: its width
  bool outer = false;             ///< the slider runs around its guide
  double lead = 0;                ///< [m] of a screw, per turn
  double clearance = 0;           ///< [m] to each side: radius of the hole less radius of the pin
  double axial_clearance = 0;     ///< [m] along the axis, both ends together; 0: the axial position is held
  double height = 0;              ///< [m] of a slider; 0: its width
  double plate_radius = 0;        ///< [m] of a plate between two planes; 0: it cannot tilt
  bool planar = false;            ///< the bodies move in one plane
  bool moment_load = true;        ///< moments press on the faces of a slider, beside lateral forces
};

/// A type of joint between two bodies.
struct JointEntry {
  std::string name = {}, summary = {};
  JointPlan (*plan)(const JointSizes&) = nullptr;
  /// Keys of JointSizes that friction in this joint needs (`!` in front) or may have; empty: the joint has no bearing.
  std::vector<std::string> sizes = {};
  bool two_axes = false;        ///< B has an axis of its own: `second_axis`
  bool has_lead = false;        ///< needs `lead`
  bool between_points = false;  ///< the bodies need no axis: either of them may be a particle
  std::string page = {};        ///< what it holds, leaves and rubs on
  /// The same joint with clearance, or null: gaps in place of held rows, the same frames; and the keys it needs or may have.
  JointPlan (*worn)(const JointSizes&) = nullptr;
  std::vector<std::string> worn_sizes = {};
};
using JointRegistry = Registry<JointEntry>;

/// All joints between two bodies, in the order of the documentation.
const JointRegistry& joint_registry();
inline const std::vector<JointEntry>& joint_list() { return joint_registry().all(); }

}  // namespace bristle
