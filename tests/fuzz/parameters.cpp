#include "parameters.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "bristle/contact/registry.h"
#include "bristle/friction/registry.h"
#include "bristle/integrate/integrator.h"
#include "bristle/model/describe.h"
#include "nodes.h"

namespace bristle::fuzz {

namespace {

struct Span {
  double low, high;
};

/// Sizes that go together with bodies of a kilogram and some decimetres that move at a metre per second.
Span usual(const std::string& unit) {
  static const std::map<std::string, Span> spans{
      {"1", {0.05, 0.95}},      {"m", {1e-5, 1e-2}},   {"s", {1e-4, 0.1}},  {"1/s", {1, 100}},        {"m/s", {1e-4, 0.1}},
      {"1/m", {1e2, 1e5}},      {"s/m", {1e-3, 10}},   {"N", {0.1, 10}},    {"N/m", {1e4, 1e7}},      {"N/m^1.5", {1e6, 1e10}},
      {"N/m^3", {1e4, 1e10}},   {"N s/m", {0.1, 100}}, {"Pa", {1e8, 2e11}}, {"kg", {0.1, 10}},        {"N s/m^2.5", {1e3, 1e7}},
      {"m/s^2", {1e-12, 1e-8}}, {"kg m^2", {1e-3, 1}}, {"kg/m", {0.05, 5}}, {"kg/m^3", {1000, 8000}}, {"N m^2", {1, 1e4}}};
  const auto it = spans.find(unit);
  return it == spans.end() ? Span{0.1, 10} : it->second;
}

/// A number inside its range, near its default where there is one.
double random_number(const Field& f, Dice& dice) {
  const double given = std::strtod(f.default_value.c_str(), nullptr);
  Span span = usual(f.unit);
  if (!f.required && std::isfinite(given) && given > 0) span = {0.1 * given, 10 * given};
  if (std::isfinite(f.range.low) && std::isfinite(f.range.high)) {
    const double width = f.range.high - f.range.low;
    if (f.range.low < 0 || width <= 1) return dice.between(f.range.low + 0.02 * width, f.range.high - 0.02 * width);
    span.low = std::max(span.low, f.range.low), span.high = std::min(span.high, f.range.high);
  }
  if (f.range.low > 0) span = {std::max(span.low, 1.01 * f.range.low), std::max(span.high, 1.2 * f.range.low)};
  return span.low < span.high ? dice.size(span.low, span.high) : span.low;
}

bool has(const std::vector<Field>& fields, const char* key) {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return f.key == key; });
}

}  // namespace

Node random_kind(const KindEntry& entry, Dice dice, double optional, bool curved) {
  Node out = map({{"type", text(entry.name)}});
  const std::vector<Field>& fields = entry.fields;
  // stiffness or a material: one of them
  const bool either = has(fields, "stiffness") && has(fields, "young");
  const bool material = either && curved && dice.at("material").chance(0.4);
  double kinetic = 0;
  for (const Field& f : fields) {
    Dice d = dice.at(f.key);
    if (f.key == "reference_load") continue;  // loads of joints vary: values are given per load
    const bool wanted = f.required || d.chance(optional);
    if (f.key == "mu_kinetic" || f.key == "mu_star") {
      kinetic = d.size(0.05, 0.9);
      out.set(f.key, number(kinetic));
    } else if (f.key == "mu_static") {
      out.set(f.key, number(kinetic * d.between(1.001, 2)));
    } else if (f.key == "gamma" && kinetic > 0) {
      out.set(f.key, number(kinetic * d.between(0, 0.9)));
    } else if (either && f.key == "stiffness") {
      if (!material) out.set(f.key, number(d.size(1e6, 1e10)));
    } else if (either && f.key.starts_with("young")) {
      if (material && (f.key == "young" || wanted)) out.set(f.key, number(d.size(1e8, 2e11)));
    } else if (f.kind == Field::Kind::list && f.default_value == "[]") {
      // a table has no default that could be used; it begins at nothing and rises
      Node points = Node::list();
      for (int k = 0; k < 4; ++k) points.add(number(k * (f.unit == "m" ? 2e-4 : 200)));
      out.set(f.key, points);
    } else if (!wanted) {
      continue;
    } else if (f.kind == Field::Kind::number || f.kind == Field::Kind::per_load) {
      if (material && f.key == "exponent") continue;  // a material goes with the exponent of its theory
      if (f.key.ends_with("exponent") && !f.required) out.set(f.key, number(d.between(std::max(1.0, f.range.low), 2.5)));
      else out.set(f.key, number(random_number(f, d)));
    } else if (f.kind == Field::Kind::integer) {
      const double high = std::isfinite(f.range.high) ? std::min(f.range.high, 20.0) : 20;
      out.set(f.key, text(std::to_string(d.whole(static_cast<int>(std::max(1.0, f.range.low)), static_cast<int>(high)))));
    } else if (f.kind == Field::Kind::flag) {
      out.set(f.key, text(d.chance(0.5) ? "true" : "false"));
    } else if (f.kind == Field::Kind::choice && !f.words.empty()) {
      out.set(f.key, text(d.pick(f.words)));
    }
  }
  return out;
}

namespace {

struct Law {
  std::string name;
  const KindEntry* kind = nullptr;
  bool dry = false, memory = false, rigid = false, line = false;
};

const std::vector<Law>& frictions() {
  static const std::vector<Law> all = [] {
    std::vector<Law> out;
    for (const FrictionEntry& entry : friction_registry().all()) {
      Describer d;
      const auto law = entry.make1(d);
      const MemorySize m = law->memory();
      out.push_back({entry.name, &kind_entry("friction", entry.name), law->set_valued() != nullptr, m.z + m.marks > 0 || m.travel,
                     false, false});
    }
    return out;
  }();
  return all;
}

const std::vector<Law>& contacts() {
  static const std::vector<Law> all = [] {
    std::vector<Law> out;
    for (const ContactEntry& entry : contact_registry().all()) {
      Describer d;
      const auto law = entry.make(d);
      const bool line = law->bind({0.01, -0.011, 0}) != nullptr && law->bind({0.01, -0.011, 0.02}) == nullptr;
      out.push_back({entry.name, &kind_entry("contact", entry.name), false, law->marks() > 0, law->rigid() != nullptr, line});
    }
    return out;
  }();
  return all;
}

LawChoice random_law(const std::vector<Law>& all, Dice dice, const LawWishes& wishes) {
  std::vector<Law> fit;
  std::copy_if(all.begin(), all.end(), std::back_inserter(fit), [&](const Law& law) {
    return !(wishes.no_memory && law.memory) && !(wishes.not_dry && law.dry) && !(wishes.not_rigid && law.rigid) &&
           !(wishes.only_rigid && !law.rigid) && !(wishes.only_dry && !law.dry) && (wishes.lines || !law.line);
  });
  const Law& law = dice.elect(fit);
  return {random_kind(*law.kind, dice.at(law.name), 0.25, wishes.curved), law.name, law.dry, law.memory, law.rigid};
}

}  // namespace

bool remembers(const std::string& friction_law) {
  return std::any_of(frictions().begin(), frictions().end(),
                     [&](const Law& law) { return law.name == friction_law && law.memory; });
}
LawChoice random_friction(Dice dice, LawWishes wishes) { return random_law(frictions(), dice, wishes); }
LawChoice random_contact(Dice dice, LawWishes wishes) { return random_law(contacts(), dice, wishes); }

const std::vector<MethodTraits>& methods() {
  static const std::vector<MethodTraits> all = [] {
    std::vector<MethodTraits> out;
    for (const IntegratorEntry& entry : integrator_registry().all()) {
      Describer d;
      const auto made = entry.make(d);
      const bool optional = std::any_of(d.fields().begin(), d.fields().end(),
                                        [](const Field& f) { return f.key == "tolerance" && f.default_value == "0"; });
      out.push_back({entry.name, made->traits().estimates_error, made->traits().takes_jumps, made->traits().takes_impacts,
                     made->traits().takes_groups, made->traits().enforces, optional});
    }
    return out;
  }();
  return all;
}

}  // namespace bristle::fuzz
