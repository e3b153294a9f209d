#include "bristle/assemble/elements.h"

#include "bristle/assemble/body_kinds.h"
#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/plan.h"

namespace bristle {

const Elements& all_elements() {
  static const Elements elements = [] {
    Elements all;
    add_bodies(all.bodies);
    add_drives(all.drives);
    add_shapes(all.shapes);
    add_cross_sections(all.cross_sections);
    add_forces(all.forces);
    add_joints(all.joints);
    add_surfaces(all.surfaces);
    add_outlines(all.outlines);
    return all;
  }();
  return elements;
}

void announce_elements(Plan& plan, const char* section, const ElementRegistry& registry, ElementEntry::ActsOn acts_on) {
  plan.each(section, registry.kind(), [&](const std::string& name, const Where& where, Reader& reader) {
    const Node* type = reader.node().find("type");
    const ElementEntry* known = type == nullptr ? nullptr : registry.find(type->text);
    if (known != nullptr && known->look_over) known->look_over(reader);
    const ElementEntry& entry = read_kind(reader, registry);
    if (entry.acts_on != acts_on) return;
    plan.names.claim(name, where, registry.kind());
    plan.space.places[reader.owner()] = where;
    if (entry.announce) entry.announce(plan, reader, name);
  });
}

void add_elements(Plan& plan, const char* section, const ElementRegistry& registry) {
  plan.each(section, registry.kind(), [&](const std::string& name, const Where&, Reader& reader) {
    const ElementEntry& entry = read_kind(reader, registry);
    if (entry.add) entry.add(plan, reader, name);
  });
}

void make_elements(Plan& plan, const ElementRegistry& registry) {
  for (const ElementEntry& entry : registry.all()) {
    if (entry.make) entry.make(plan);
  }
}

}  // namespace bristle
