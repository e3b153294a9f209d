// Numbers with a rate of the user's own.
#include "bristle/assemble/kinds.h"
#include "bristle/assemble/section_keys.h"
#include "bristle/assemble/sections.h"
#include "bristle/force/user_state.h"

namespace bristle {

namespace {

struct StateItems {
  std::vector<UserStates::Item> items;
  std::vector<std::pair<std::string, Signal>> rates;  // bound once everything readable is known
};

}  // namespace

void read_states(Plan& plan) {
  auto& list = plan.list<StateItems>();
  plan.each("states", "state", [&](const std::string& name, const Where& where, Reader& reader) {
    plan.names.claim(name, where, "state");
    check_keys(reader, kind_entry("section", "states"));
    const StateKeys keys = read_keys<StateKeys>(reader, plan.scope);
    UserStates::Item item;
    item.start = keys.start;
    reader.finish();
    item.z = plan.numbers.memory(name);
    plan.names.offer(name + ".value", Signal::Input::Kind::memory, {{item.z, 1.0}});
    list.items.push_back(std::move(item));
    list.rates.emplace_back(name, keys.rate);
  });
}

void make_states(Plan& plan) {
  auto& list = plan.list<StateItems>();
  if (list.items.empty()) return;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    list.items[i].rate =
        plan.names.bind(list.rates[i].second, list.rates[i].first, "state '" + list.rates[i].first + "'", Names::Gives::rate);
    plan.channel(list.rates[i].first + ".value", "1", "value of the state");
  }
  plan.blocks.push_back(std::make_unique<UserStates>(std::move(list.items)));
}

}  // namespace bristle
