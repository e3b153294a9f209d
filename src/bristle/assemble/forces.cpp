#include "bristle/assemble/ends.h"
#include "bristle/assemble/kinds.h"
#include "bristle/assemble/rotary.h"
#include "bristle/assemble/sections.h"
#include "bristle/force/registry.h"
#include "bristle/force/user_state.h"

namespace bristle {

namespace {

const char* const kReach =
    "It acts along the difference of two coordinates, along a motion of a joint (on: pin.angle; then metres are radians and newtons\n"
    "newton metres), or along the distance of two points of bodies in space. Channels: extension, force.\n";

KindEntry pull_kind(const PullEntry& entry) {
  Describer d;
  entry.describe(d);
  return {entry.name,
          entry.summary,
          joined(force_end_fields(), d.fields()),
          "forces:\n" + entry.example,
          kReach,
          {{"between", "ends"}, {"on", "end"}, {"at", "vector"}, {"at_b", "vector"}}};
}

}  // namespace

std::vector<KindEntry> force_kinds() {
  KindEntry load{
      "load",
      "a force that is a function of time and channels: loads, controllers",
      joined(force_end_fields(), {plain_field(Field::Kind::signal, "force", unit::newton, any, "",
                                              "pushes B away from A; an expression of t and channels")}),
      "forces:\n  push: {type: load, on: block, force: \"5*sin(2*pi*t) - 2*block.velocity\"}\n",
      "It acts where springs do; on the motion of a joint it is a motor or a controller:\n"
      "{type: load, on: pin.angle, force: \"-40*(pin.angle - 0.5) - 3*pin.speed\"}. It supplies energy. Channel: force.\n",
      {{"between", "ends"}, {"on", "end"}, {"at", "vector"}, {"at_b", "vector"}}};
  std::vector<KindEntry> kinds;
  for (const PullEntry& entry : pull_registry().all()) kinds.push_back(pull_kind(entry));
  kinds.push_back(load);
  for (KindEntry& e : space_force_kinds()) kinds.push_back(std::move(e));
  return kinds;
}

void read_states(Plan& plan) {
  std::vector<UserStates::Item> items;
  std::vector<std::pair<std::string, Signal>> rates;
  plan.each("states", "state", [&](const std::string& name, const Where& where, Reader& reader) {
    plan.names.claim(name, where, "state");
    check_keys(reader, kind_entry("section", "states"));
    Signal rate;
    if (!reader.has("rate")) reader.fail("rate", "a state needs a rate, an expression of t and channels");
    reader.signal("rate", rate, unit::per_second, "rate of change");
    UserStates::Item item;
    item.start = reader.optional_number("start", unit::one).value_or(0);
    reader.finish();
    item.z = plan.numbers.memory(name);
    plan.names.offer(name + ".value", Signal::Input::Kind::memory, {{item.z, 1.0}});
    items.push_back(std::move(item));
    rates.emplace_back(name, rate);
  });
  if (items.empty()) return;
  // what joints and forces offer is known only later: bind at the end, through read_forces
  plan.state_items = std::move(items);
  plan.state_rates = std::move(rates);
}

void add_pull(Plan& plan, PullList& list, Reader& reader, const std::string& name) {
  const Reach where_to = reach(plan, reader);
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

void read_forces(Plan& plan) {
  // first what every element measures, so that expressions may read it wherever they stand
  const auto announce = [&](const char* part, const char* kind, bool joint) {
    plan.each(part, kind, [&](const std::string& name, const Where& where, Reader& reader) {
      if (joint && read_kind(reader, kind).name != "sliding") return;  // between bodies in space: read already
      plan.names.claim(name, where, kind);
      const std::string& type = read_kind(reader, kind).name;
      if (is_space_force(type)) {
        announce_space_force(plan, type, reader, name);
        return;
      }
      Reach where_to;
      if (joint) where_to.spans = spans(plan, reader);
      else where_to = reach(plan, reader);
      const std::vector<Span>& span = where_to.spans;
      if (span.empty()) {
        plan.names.offer(name + ".extension", Signal::Input::Kind::row, {{where_to.row, 1.0}});
        plan.names.offer(name + ".rate", Signal::Input::Kind::row_rate, {{where_to.row, 1.0}});
      }
      for (std::size_t d = 0; d < span.size(); ++d) {
        const std::string suffix = span.size() > 1 ? "." + std::to_string(d + 1) : "";
        const double arm = joint ? reader.optional_number("arm", unit::metre, positive).value_or(1) : 1;
        std::vector<std::pair<int, double>> terms = span[d].terms;
        for (auto& term : terms) term.second *= arm;
        plan.names.offer(name + (joint ? ".travel" : ".extension") + suffix, Signal::Input::Kind::position, terms);
        plan.names.offer(name + (joint ? ".slip" : ".rate") + suffix, Signal::Input::Kind::velocity, terms);
        if (joint) plan.names.offer_samples(name, {"friction_force" + suffix});
      }
      if (joint) plan.names.offer_samples(name, {"normal_force"});
      else plan.names.offer_samples(name, {"force"});
    });
  };
  announce("forces", "force", false);
  announce("joints", "joint", true);

  for (const PullEntry& entry : pull_registry().all()) plan.parts.pulls.push_back(entry.make());
  std::vector<LoadBlock<LinearForm>::Item> loads;
  plan.each("forces", "force", [&](const std::string& name, const Where&, Reader& reader) {
    const std::string& type = read_kind(reader, "force").name;
    if (const PullEntry* entry = pull_registry().find(type)) {
      add_pull(plan, *plan.parts.pulls[static_cast<std::size_t>(entry - pull_registry().all().data())], reader, name);
    } else if (is_space_force(type)) {
      add_space_force(plan, type, reader, name);
    } else {
      const Reach where_to = reach(plan, reader);
      const std::vector<Span>& span = where_to.spans;
      const bool turns = span.empty() ? where_to.rotary : span[0].rotary;
      if (span.size() > 1) reader.fail("between", "a load acts along one coordinate");
      if (!reader.has("force")) reader.fail("force", "a load needs force, a number or an expression of t and channels");
      Signal force;
      reader.signal("force", force, turns ? unit::newton_metre : unit::newton, "force along the reading");
      reader.finish();
      if (span.empty()) {
        plan.forces.loads.push_back({RowMeasure{where_to.row}, plan.names.bind(force, reader.owner()),
                                     plan.numbers.account(name, Account::Kind::supplied)});
        plan.forces.load_names.push_back({name, turns});
        return;
      }
      loads.push_back({LinearForm{span[0].terms}, plan.names.bind(force, reader.owner()),
                       plan.numbers.account(name, Account::Kind::supplied)});
      plan.parts.load_names.push_back({name, span[0].rotary});
    }
  });
  for (const auto& list : plan.parts.pulls) list->make(plan.blocks, plan.layout.channels);
  plan.parts.stops.make(plan.blocks, plan.layout.channels);
  if (!loads.empty()) {
    for (const auto& [name, rotary] : plan.parts.load_names)
      plan.channel(name + ".force", rotary ? "N m" : "N", "force along the reading");
    plan.blocks.push_back(std::make_unique<LoadBlock<LinearForm>>(std::move(loads)));
  }
  make_space_forces(plan);
  if (!plan.state_items.empty()) {
    for (std::size_t i = 0; i < plan.state_items.size(); ++i) {
      plan.state_items[i].rate = plan.names.bind(plan.state_rates[i].second, "state '" + plan.state_rates[i].first + "'");
      plan.channel(plan.state_rates[i].first + ".value", "1", "value of the state");
    }
    plan.blocks.push_back(std::make_unique<UserStates>(std::move(plan.state_items)));
  }
}

}  // namespace bristle
