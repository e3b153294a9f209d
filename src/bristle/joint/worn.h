#pragma once
#include "bristle/joint/plan.h"

namespace bristle {

// Joints with clearance: contact points in place of rows that the ideal joint holds.
JointPlan worn_revolute(const JointSizes&);
JointPlan worn_cylindrical(const JointSizes&);
JointPlan worn_spherical(const JointSizes&);
JointPlan worn_prismatic(const JointSizes&);
JointPlan worn_planar(const JointSizes&);
JointPlan worn_point_on_line(const JointSizes&);

}  // namespace bristle
