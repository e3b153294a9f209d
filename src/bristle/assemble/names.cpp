#include "bristle/assemble/names.h"

#include <algorithm>

#include "bristle/base/error.h"
#include "bristle/base/text.h"
#include "bristle/signal/decisions.h"
#include "bristle/signal/time_parts.h"

namespace bristle {

void Names::claim(const std::string& name, const Where& where, const char* kind) {
  for (const char* word : {"ground", "energy", "momentum", "angular_momentum", "constraint_error", "t"}) {
    if (name != word) continue;
    throw InputError(where, "'" + name + "' is a reserved name; choose another one for this " + kind);
  }
  if (name.find('.') != std::string::npos) throw InputError(where, "'" + name + "': a name must not contain a dot");
  const auto [at, fresh] = taken_.emplace(name, kind);
  if (!fresh) {
    throw InputError(where, std::string(kind) + " '" + name + "': there is a " + at->second +
                                " of that name already; every element needs a name of its own");
  }
}

BoundSignal Names::bind(const Signal& signal, const std::string& name, const std::string& owner, Gives gives) {
  using Kind = Signal::Input::Kind;
  std::vector<BoundSignal::Reading> readings;
  for (const Signal::Input& input : signal.inputs()) {
    BoundSignal::Reading r;
    if (input.kind == Kind::time) {
      r.kind = Kind::time;
    } else if (readable_.contains(input.name) || (offer_late && offer_late(input.name))) {
      r.kind = readable_.at(input.name).kind;
      r.terms = readable_.at(input.name).terms;
    } else if (const auto sample = sampled_.find(input.name); sample != sampled_.end()) {
      Sampled& sampled = sample->second;
      if (sampled.mark < 0) sampled.mark = numbers_.marks();
      r.kind = Kind::sampled;
      r.terms = {{sampled.mark, 1.0}};
      sample_uses_.push_back({name, owner, input.name, sampled.element, input.where, gives != Gives::rate});
    } else {
      std::vector<std::string> known = late ? late() : std::vector<std::string>{};
      for (const auto& [channel, unused] : readable_) known.push_back(channel);
      for (const auto& [channel, unused] : sampled_) known.push_back(channel);
      throw InputError(input.where, owner + ": there is no channel '" + input.name + "' that an expression can read." +
                                        known_names(input.name, known));
    }
    if (r.kind == Kind::row || r.kind == Kind::row_rate) {
      for (const auto& [row, factor] : r.terms) on_read(row);
    }
    readings.push_back(std::move(r));
  }
  if (readings.size() > BoundSignal::kMaxReadings) {
    throw InputError(signal.where(), owner + ": an expression may read at most " + std::to_string(BoundSignal::kMaxReadings) +
                                         " channels; this one reads " + std::to_string(readings.size()) +
                                         ". Introduce states or split the force.");
  }
  for (Signal& part : time_parts(signal)) layout_.given.push_back({owner, std::move(part), gives == Gives::position});
  std::vector<char> moves;
  for (const BoundSignal::Reading& r : readings) moves.push_back(r.kind != Kind::time && r.kind != Kind::sampled ? 1 : 0);
  BoundSignal bound(signal, std::move(readings));
  std::vector<char> moved = moved_decisions(signal, moves);
  if (std::find(moved.begin(), moved.end(), char{1}) != moved.end()) layout_.switched.push_back({owner, bound, std::move(moved)});
  return bound;
}

void Names::refuse_algebraic_loops() const {
  for (const SampleUse& first : sample_uses_) {
    if (!first.at_once) continue;  // no loop
    std::vector<std::string> open{first.source}, seen;
    while (!open.empty()) {
      const std::string at = open.back();
      open.pop_back();
      if (at == first.element) {
        throw InputError(
            first.where,
            first.owner + ": '" + first.channel + "' depends on this very expression" +
                (first.source == first.element ? "" : ", through others") +
                ". A force that is a function of itself has no value at one instant, only one that the length of the "
                "steps decides. Let a state stand between them: states: {x: {rate: \"(" +
                first.channel + " - x.value)/1e-3\"}}, and read x.value.");
      }
      if (std::find(seen.begin(), seen.end(), at) != seen.end()) continue;
      seen.push_back(at);
      for (const SampleUse& use : sample_uses_) {
        if (use.at_once && use.element == at) open.push_back(use.source);
      }
    }
  }
}

void Names::connect_samples() {
  for (const auto& [name, sampled] : sampled_) {
    if (sampled.mark < 0) continue;
    for (std::size_t i = 0; i < layout_.channels.size(); ++i) {
      if (layout_.channels[i].name == name) layout_.sampled.push_back({sampled.mark, static_cast<int>(i)});
    }
  }
}

}  // namespace bristle
