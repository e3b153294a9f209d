#pragma once
#include <array>
#include <string>
#include <vector>

#include "bristle/assemble/kinds.h"
#include "bristle/force/bushing.h"
#include "bristle/force/drag.h"
#include "bristle/force/line_load.h"
#include "bristle/force/pull.h"
#include "bristle/force/vector_load.h"

namespace bristle {

/// Forces on bodies in space as they are collected from the model.
struct SpaceForces {
  std::vector<LoadBlock<RowMeasure>::Item> loads;
  std::vector<std::pair<std::string, bool>> load_names;  ///< and whether it turns
  std::vector<BushingBlock::Item> bushings;
  std::vector<std::string> bushing_names;
  std::vector<VectorLoads::Item> vectors;
  std::vector<std::pair<std::string, bool>> vector_names;  ///< and whether it is a torque
  std::vector<DragBlock::Item> drags;
  std::vector<std::string> drag_names;
  std::vector<LineLoads::Item> lines;
  std::vector<std::string> line_names;
};

struct Plan;
void announce_space_force(Plan& plan, const std::string& type, Reader& reader, const std::string& name);
void add_space_force(Plan& plan, const std::string& type, Reader& reader, const std::string& name);
void add_line_load(Plan& plan, Reader& reader, const std::string& name);
void make_space_forces(Plan& plan);

/// Types of force that act on bodies in space only.
bool is_space_force(const std::string& type);
std::vector<KindEntry> space_force_kinds();
KindEntry line_load_kind();
/// Up to three numbers or expressions [x, y, z].
std::array<Signal, 3> read_signals(Reader& reader, const char* key, const Unit& unit, const Scope& scope);
/// Ends of forces that act along one coordinate, or along one measure of bodies in space.
std::vector<Field> force_end_fields();

}  // namespace bristle
