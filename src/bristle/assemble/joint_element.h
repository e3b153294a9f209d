#pragma once
#include <string>

#include "bristle/assemble/plan.h"

namespace bristle {

/// A joint between two bodies, by its plan: rows, motions, drives, stops, friction or clearance.
void add_planned_joint(Plan& plan, const JointEntry& entry, Reader& reader, const std::string& name);

}  // namespace bristle
