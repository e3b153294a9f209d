#include "bristle/assemble/kinds.h"

#include <fmt/format.h>

#include <cmath>

#include "bristle/assemble/elements.h"
#include "bristle/assemble/section_keys.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

/// What must be given, with a value of the right unit; where nothing must be, the first keys with their defaults.
std::string sample_keys(const std::vector<Field>& fields) {
  std::string out;
  const auto add = [&](const Field& f, const std::string& value) { out += ", " + f.key + ": " + value; };
  for (const Field& f : fields) {
    if (!f.required) continue;
    const double value = f.range.contains(0.3) ? 0.3 : f.range.contains(1) ? 1 : f.range.low + 1;
    add(f, number_text(value) + (f.unit.empty() || f.unit == "1" ? "" : " " + f.unit));
  }
  if (!out.empty()) return out;
  for (const Field& f : fields) {
    if (f.kind != Field::Kind::number && f.kind != Field::Kind::per_load) continue;
    if (f.default_value.empty() || !std::isfinite(f.range.low) || f.default_value.find("inf") != std::string::npos) continue;
    add(f, f.default_value);
    if (std::count(out.begin(), out.end(), ':') == 3) break;
  }
  return out;
}

template <class Entry>
KindEntry described(const Entry& entry) {
  KindEntry kind;
  kind.name = entry.name;
  kind.summary = entry.summary;
  Describer d;
  entry.describe(d);
  kind.fields = d.fields();
  return kind;
}

KindGroup friction_group(const FrictionRegistry& registry) {
  KindGroup group{"friction", "laws of friction, under `friction:` of a joint", {}};
  for (const FrictionEntry& entry : registry.all()) {
    KindEntry kind = described(entry);
    kind.page = friction_page(entry.name);
    kind.example =
        "joints:\n  pad:\n    type: sliding\n    between: [ground, block]\n    load: 10 N\n    friction: {type: " + entry.name +
        sample_keys(kind.fields) + "}\n";
    group.entries.push_back(std::move(kind));
  }
  return group;
}

KindGroup contact_group(const ContactRegistry& registry) {
  KindGroup group{"contact", "laws of normal contact, under `contact:` where surfaces may touch and part", {}};
  for (const ContactEntry& entry : registry.all()) {
    KindEntry kind = described(entry);
    kind.page = contact_page(entry.name);
    kind.example = "contact: {type: " + entry.name + (entry.example.empty() ? sample_keys(kind.fields) : entry.example) + "}\n";
    group.entries.push_back(std::move(kind));
  }
  return group;
}

KindGroup integrator_group(const IntegratorRegistry& registry) {
  KindGroup group{"integrator", "methods of integration, under `integrator:` of a transient analysis", {}};
  for (const IntegratorEntry& entry : registry.all()) {
    KindEntry kind = described(entry);
    kind.page = "Reference: " + entry.reference + "\n";
    kind.fields = joined(std::move(kind.fields), key_fields<StepKeys>());
    Describer d;
    const auto made = entry.make(d);
    const bool controlled = made->traits().estimates_error;
    kind.example =
        std::string(made->traits().takes_impacts ? "bodies:\n  ball: {type: rigid, mass: 1 kg, inertia: [1e-3, 1e-3, 1e-3]}\n"
                                                 : "") +
        "analysis:\n  type: transient\n  end: 10 s\n  integrator: {type: " + entry.name +
        (controlled ? ", tolerance: 1e-6" : ", step: 1 ms") + "}\n";
    group.entries.push_back(std::move(kind));
  }
  return group;
}

KindGroup enforcement_group(const EnforcementRegistry& registry) {
  KindGroup group{"enforcement", "ways to keep joints together, under `enforcement:` of a transient analysis", {}};
  for (const EnforcementEntry& entry : registry.all()) {
    KindEntry kind = described(entry);
    kind.page = "Reference: " + entry.reference + "\n";
    kind.example =
        "analysis:\n  type: transient\n  end: 1 s\n  integrator: {type: rk4, step: 1 ms}\n  enforcement: {type: " + entry.name +
        "}\n";
    group.entries.push_back(std::move(kind));
  }
  return group;
}

std::vector<std::string> names_of(const KindGroup& group) {
  std::vector<std::string> names;
  for (const KindEntry& e : group.entries) names.push_back(e.name);
  return names;
}

}  // namespace

KindGroup controller_group(const ControllerRegistry& registry) {
  KindGroup group{"controller", "step rules, under `adapt:` of an integrator; the smallest proposal wins", {}};
  for (const ControllerEntry& entry : registry.all()) {
    KindEntry kind = described(entry);
    std::string keys;
    for (const Field& f : kind.fields) {
      if (f.required) keys += ", " + f.key + (f.unit == "m" ? ": 1 um" : ": 1 ms");
    }
    keys += entry.example;
    const char* largest = keys.empty() ? "step: 1 ms, " : "";  // rules that ask for nothing where nothing is near or slips
    kind.example =
        fmt::format("analysis:\n  type: transient\n  end: 10 s\n  integrator: {{type: rk4, {}adapt: [{{type: {}{}}}]}}\n",
                    largest, entry.name, keys);
    group.entries.push_back(std::move(kind));
  }
  return group;
}

const KindEntry* KindGroup::find(std::string_view name) const {
  for (const KindEntry& e : entries) {
    if (e.name == name) return &e;
  }
  return nullptr;
}

std::vector<KindGroup> assembled_kinds(const Elements& elements) {
  std::vector<KindGroup> all;
  all.push_back(friction_group(elements.friction));
  all.push_back(contact_group(elements.contacts));
  all.push_back(integrator_group(elements.integrators));
  all.push_back(controller_group(elements.controllers));
  all.push_back(enforcement_group(elements.enforcements));
  all.push_back(kind_group(elements.bodies, "what moves, in the section `bodies:`"));
  all.push_back(kind_group(elements.shapes, "what bodies are made of, under `shape:` of a body"));
  all.push_back(kind_group(elements.cross_sections, "what beams are made of, in the section `sections:`"));
  all.push_back(kind_group(elements.forces, "what pulls and pushes, in the section `forces:`"));
  all.push_back(kind_group(elements.joints, "where surfaces rub, in the section `joints:`"));
  for (std::size_t i = 0; i < elements.joints.all().size(); ++i) {
    const ElementEntry& joint = elements.joints.all()[i];
    if (joint.complete) joint.complete(all.back().entries[i], elements);
  }
  all.push_back(kind_group(elements.drives, "motions that are given over time, under `drive:` of a joint"));
  all.push_back(kind_group(elements.surfaces, "what touches, under `surfaces:` of a contact and in collision groups"));
  all.push_back(kind_group(elements.outlines, "what touches in the plane, under `surfaces:` of a contact"));
  all.push_back({"section", "other sections of a model", section_kinds()});
  return all;
}

const std::vector<KindGroup>& assembled_kinds() {
  static const std::vector<KindGroup> groups = assembled_kinds(all_elements());
  return groups;
}

const KindGroup& kind_group(const std::vector<KindGroup>& groups, std::string_view kind) {
  std::vector<std::string> known;
  for (const KindGroup& g : groups) {
    if (g.kind == kind) return g;
    known.push_back(g.kind);
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  throw InputError({},
                   "there is no kind '" + shortened(kind) + "'." + did_you_mean(kind, known) + " Known: " + join_words(views));
}

const KindGroup& kind_group(std::string_view kind) { return kind_group(assembled_kinds(), kind); }

const KindEntry& kind_entry(const KindGroup& group, std::string_view name) {
  if (const KindEntry* e = group.find(name)) return *e;
  throw InputError({}, "there is no " + group.kind + " '" + shortened(name) + "'." + did_you_mean(name, names_of(group)) +
                           " `bristle list " + group.kind + "` shows all.");
}

const KindEntry& kind_entry(std::string_view kind, std::string_view name) { return kind_entry(kind_group(kind), name); }

const KindEntry& read_kind(Reader& reader, const KindGroup& group) {
  std::vector<const KindEntry*> known;
  for (const KindEntry& e : group.entries) known.push_back(&e);
  return read_kind(reader, group.kind, known);
}

const KindEntry& read_kind(Reader& reader, const std::string& kind, const std::vector<const KindEntry*>& known) {
  const auto names = [&] {
    std::vector<std::string> list;
    for (const KindEntry* e : known) list.push_back(e->name);
    return list;
  };
  const auto known_ones = [&] {
    std::vector<std::string_view> list;
    for (const KindEntry* e : known) list.push_back(e->name);
    return " Known: " + join_words(list);
  };
  if (!reader.has("type")) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : reader.node().children) keys.push_back(key);
    const std::string typo = nearest("type", keys);
    if (!typo.empty())
      throw InputError(reader.node().where_of_key(typo), reader.owner() + ": unknown key '" + typo + "'. Did you mean 'type'?");
    reader.fail("type", "missing key 'type' (kind of " + kind + ")." + known_ones());
  }
  const std::string type = reader.text("type", "kind");
  for (const KindEntry* entry : known) {
    if (entry->name != type) continue;
    check_keys(reader, *entry);
    return *entry;
  }
  const std::string hint = did_you_mean(type, names());
  reader.fail("type", "unknown type '" + shortened(type) + "'." + (hint.empty() ? known_ones() : hint));
}

void check_keys(const Reader& reader, const KindEntry& entry) {
  std::vector<std::string> known;
  for (const Field& f : entry.fields) known.push_back(f.key);
  for (const auto& [key, value] : reader.node().children) {
    if (key == "type") continue;
    bool fits = false;
    for (const std::string& k : known) fits = fits || k == key;
    if (fits) continue;
    std::vector<std::string> free;  // keys that are not given yet are the likely ones
    for (const std::string& k : known) {
      if (reader.node().find(k) == nullptr) free.push_back(k);
    }
    std::string hint = did_you_mean(key, free);
    if (hint.empty()) hint = did_you_mean(key, known);
    if (hint.empty()) hint = " Known keys: " + join_words(std::vector<std::string_view>(known.begin(), known.end()));
    const Where& spot = reader.node().where_of_key(key);
    throw InputError(spot.file.empty() ? value.where : spot, reader.owner() + ": unknown key '" + shortened(key) + "'." + hint);
  }
}

Field plain_field(Field::Kind kind, const char* key, const Unit& unit, const Range& range, const std::string& default_value,
                  const char* text) {
  Field f;
  f.key = key;
  f.kind = kind;
  f.unit = unit.text;
  f.range = range;
  f.range_text = std::isfinite(range.low) || std::isfinite(range.high) ? range.text() : "";
  f.required = default_value.empty();
  f.default_value = default_value;
  f.text = text;
  return f;
}

Field shaped_field(const char* key, const std::string& default_value, const char* text, const char* form) {
  Field f;
  f.key = key;
  f.kind = Field::Kind::signal;
  f.required = default_value.empty();
  f.default_value = default_value;
  f.text = text;
  f.form = form;
  return f;
}

std::vector<Field> joined(std::vector<Field> a, const std::vector<Field>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace bristle
