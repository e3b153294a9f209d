// Loads: forces along one measure, by expressions.
#include "bristle/assemble/ends.h"
#include "bristle/assemble/force_kinds.h"
#include "bristle/force/pull.h"

namespace bristle {

namespace {

struct LoadItems {
  std::vector<LoadBlock<LinearForm>::Item> forms;
  std::vector<LoadBlock<RowMeasure>::Item> rows;
  std::vector<std::pair<std::string, bool>> form_names, row_names;  // and whether it turns
};

struct LoadKeys {
  ForceEnds ends;
  Signal force;
  bool turns = false;  ///< of an angle
  void visit(Keys& keys) {
    ends.visit(keys);
    visit_force(keys);
  }
  void visit_force(Keys& keys) {
    keys.need("force", "a load needs force, a number or an expression of t and channels");
    keys.signal("force", force, turns ? unit::newton_metre : unit::newton, "",
                "pushes B away from A; an expression of t and channels");
  }
};

KindEntry load_kind() {
  return {"load", "a force that is a function of time and channels: loads, controllers", key_fields<LoadKeys>(),
          "forces:\n  push: {type: load, on: block, force: \"5*sin(2*pi*t) - 2*block.velocity\"}\n",
          "It acts where springs do; on the motion of a joint it is a motor or a controller:\n"
          "{type: load, on: pin.angle, force: \"-40*(pin.angle - 0.5) - 3*pin.speed\"}. It supplies energy. Channel: force.\n"};
}

void add_load(Plan& plan, Reader& reader, const std::string& name) {
  KeyReader keys(reader, plan.scope);
  LoadKeys load;
  load.ends.visit(keys);
  const Reach where_to = reach(plan, reader, load.ends);
  const std::vector<Span>& span = where_to.spans;
  const bool turns = load.turns = span.empty() ? where_to.rotary : span[0].rotary;
  if (span.size() > 1) reader.fail("between", "a load acts along one coordinate");
  load.visit_force(keys);
  reader.finish();
  BoundSignal bound = plan.names.bind(load.force, name, reader.owner());
  const int from = plan.numbers.account(name, Account::Kind::supplied);
  auto& list = plan.list<LoadItems>();
  (span.empty() ? list.row_names : list.form_names).push_back({name, turns});
  if (span.empty()) list.rows.push_back({RowMeasure{where_to.row}, std::move(bound), from});
  else list.forms.push_back({LinearForm{span[0].terms}, std::move(bound), from});
}

void make_loads(Plan& plan) {
  auto& list = plan.list<LoadItems>();
  const auto make = [&]<class M>(std::vector<typename LoadBlock<M>::Item>& items, const auto& names) {
    if (items.empty()) return;
    for (const auto& [name, turns] : names) plan.channel(name + ".force", turns ? "N m" : "N", "force along the reading");
    plan.blocks.push_back(std::make_unique<LoadBlock<M>>(std::move(items)));
  };
  make.template operator()<LinearForm>(list.forms, list.form_names);
  make.template operator()<RowMeasure>(list.rows, list.row_names);
}

}  // namespace

ElementEntry load_force() {
  ElementEntry entry{load_kind()};
  entry.input = true;
  entry.announce = announce_reach;
  entry.add = add_load;
  entry.make = make_loads;
  return entry;
}

}  // namespace bristle
