#pragma once
#include <optional>
#include <string>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/plan.h"

namespace bristle {

/// The keys of a joint between two bodies: which there are follows from what it holds, leaves free, rubs on, and whether it may be worn.
struct PlannedKeys {
  const JointEntry& entry;
  JointEnds ends = {};
  std::optional<double> length = {}, clearance = {};  ///< [m] length: that is kept
  const Node *drive = nullptr, *stops = nullptr;
  PressKeys press = {};
  OverlapKeys overlap = {};
  JointSizes sizes = {};
  void visit(Keys& keys);

 private:
  void visit_sizes(Keys& keys, const std::vector<std::string>& names, const std::vector<std::string>& before);
};

/// A joint between two bodies, by its plan: rows, motions, drives, stops, friction or clearance.
void add_planned_joint(Plan& plan, const JointEntry& entry, Reader& reader, const std::string& name);

}  // namespace bristle
