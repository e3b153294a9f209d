#pragma once
#include <string>
#include <vector>

#include "bristle/assemble/plan.h"

namespace bristle {

/// Drives of the motions of a joint.
void add_drives(Plan& plan, const Reader& reader, const Node* drive, const std::string& name, const JointPlan& joint,
                const Marker& A, const Marker& B);
/// Stops at the ends of the motions of a joint.
void add_stops(Plan& plan, const Reader& reader, const Node* stops, const std::string& name, const JointPlan& joint,
               const std::vector<int>& rows, bool planar);

}  // namespace bristle
