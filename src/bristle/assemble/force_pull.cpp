// Springs, dampers and whatever pulls along one measure.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/pull_lists.h"
#include "bristle/assemble/rotary.h"

namespace bristle {

namespace {

const char* const kPullReach =
    "It acts along the difference of two coordinates, along a motion of a joint (on: pin.angle; then metres are radians and newtons\n"
    "newton metres), or along the distance of two points of bodies in space. Channels: extension, force.\n";

KindEntry pull_kind(const PullEntry& entry) {
  Describer d;
  entry.describe(d);
  return {entry.name, entry.summary, joined(key_fields<ForceEnds>(), d.fields()), "forces:\n" + entry.example, kPullReach};
}

void add_pull(Plan& plan, PullList& list, Reader& reader, const std::string& name) {
  const Reach where_to = reach(plan, reader, read_keys<ForceEnds>(reader, plan.scope));
  const std::vector<Span>& span = where_to.spans;
  if (span.size() > 1) reader.fail("between", "this element acts along one coordinate");
  const bool turns = span.empty() ? where_to.rotary : span[0].rotary;
  RotaryVisitor rotary(reader);
  const std::string problem = list.read(turns ? static_cast<Visitor&>(rotary) : reader);
  if (!problem.empty()) reader.fail("type", problem);
  reader.finish();
  const int to = list.damped() ? plan.numbers.account(name, Account::Kind::dissipated) : -1;
  if (span.empty()) list.add({name, RowMeasure{where_to.row}, turns}, to);
  else if (const auto r = span[0].relative()) list.add({name, plan.numbers.on_ground(*r), turns}, to);
  else list.add({name, LinearForm{span[0].terms}, turns}, to);
}

void make_pulls(Plan& plan) {
  auto& lists = plan.list<PullLists>();
  for (const auto& [rank, list] : lists.forces) list->make(plan.blocks, plan.layout.channels);
  lists.stops.make(plan.blocks, plan.layout.channels);
  lists = {};
}

}  // namespace

void add_pull_force(ElementRegistry& registry, const PullEntry& law) {
  ElementEntry entry{pull_kind(law)};
  entry.announce = announce_reach;
  entry.add = [rank = static_cast<int>(registry.all().size()), make = law.make](Plan& plan, Reader& reader,
                                                                                const std::string& name) {
    std::unique_ptr<PullList>& list = plan.list<PullLists>().forces[rank];
    if (list == nullptr) list = make();
    add_pull(plan, *list, reader, name);
  };
  entry.make = make_pulls;
  registry.add(std::move(entry));
}

}  // namespace bristle
