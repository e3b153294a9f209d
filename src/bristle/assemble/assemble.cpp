#include "bristle/assemble/assemble.h"

#include "bristle/assemble/fuse.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/sections.h"

namespace bristle {

namespace {

/// Forces and joints. First what every element measures, so that expressions may read it wherever they stand.
void read_elements(Plan& plan) {
  const ElementRegistry &forces = plan.elements.forces, &joints = plan.elements.joints;
  using ActsOn = ElementEntry::ActsOn;
  announce_elements(plan, "joints", joints, ActsOn::bodies);
  announce_elements(plan, "joints", joints, ActsOn::motions);
  make_motions(plan);
  announce_elements(plan, "forces", forces, ActsOn::all);
  announce_elements(plan, "joints", joints, ActsOn::all);
  add_elements(plan, "forces", forces);
  make_elements(plan, forces);
  make_states(plan);
  add_elements(plan, "joints", joints);
  make_elements(plan, joints);
  make_places(plan);
}

System build(Plan& plan, std::vector<std::string>& moved) {
  read_sections(plan);
  read_bodies(plan);
  read_states(plan);
  read_elements(plan);
  read_collisions(plan);
  make_reactions(plan);
  if (plan.coordinates.empty() && plan.space.bodies.empty())
    throw InputError(plan.model.root.where, "the model has no bodies; write a section bodies: with at least one mass");
  plan.names.refuse_algebraic_loops();
  plan.names.connect_samples();
  if (plan.space.bodies.empty() && plan.layout.rows.count() == 0) {
    std::unique_ptr<FusedEvaluation> fused = fuse_blocks(plan.blocks, plan.layout);
    System system(std::move(plan.layout), std::move(plan.blocks));
    system.fuse(std::move(fused));
    return system;
  }
  for (Links::Item& item : plan.space.links) {
    for (Links::Row& r : item.rows) r.idle = plan.shown_only.contains(r.row);
  }
  if (!plan.space.links.empty()) plan.blocks.push_back(std::make_unique<Links>(plan.space.links, plan.layout.bodies));
  if (!plan.space.touches.empty())
    plan.blocks.push_back(std::make_unique<Touches>(std::move(plan.space.touches), plan.layout.bodies));
  if (!plan.space.combinations.empty())
    plan.blocks.push_back(std::make_unique<Combinations>(plan.space.combinations, plan.layout.rows));
  const Where where = plan.section("bodies")->where;
  System system(std::move(plan.layout), std::move(plan.blocks));
  moved = assemble_start(system, plan.space, where);
  return system;
}

}  // namespace

System assemble(const Model& model, AssembleOptions options) { return assemble_and_tell(model, options).system; }

Assembly assemble_and_tell(const Model& model, AssembleOptions options) {
  Plan plan(model, options);
  std::vector<std::string> moved;
  System system = build(plan, moved);
  return {std::move(system), std::move(moved)};
}

}  // namespace bristle
