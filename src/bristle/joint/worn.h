#pragma once
#include "bristle/joint/plan.h"

namespace bristle {

/// Gives the entries that can have clearance their second plan: contact points in place of the rows that the ideal joint holds.
void add_worn_plans(std::vector<JointEntry>& entries);

}  // namespace bristle
