#pragma once
#include <vector>

#include "bristle/assemble/kinds.h"

namespace bristle {

/// Joints that are contacts, as the model file, the schema and the reference show them.
struct Plan;
void add_contact(Plan& plan, Reader& reader, const std::string& name);
void add_sleeve(Plan& plan, Reader& reader, const std::string& name);
void add_rolling(Plan& plan, Reader& reader, const std::string& name);
void add_backlash(Plan& plan, Reader& reader, const std::string& name);
std::vector<KindEntry> contact_joint_kinds();
Field overlap_field();  ///< keys of every joint whose surfaces may touch
Field acts_on_field();

}  // namespace bristle
