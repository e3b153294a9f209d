// Joints between bodies in space as the model file, the schema and the reference show them.
#include "bristle/assemble/joint_element.h"

#include <algorithm>

#include "bristle/assemble/drives.h"
#include "bristle/assemble/joint_kinds.h"
#include "bristle/assemble/rotary.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/force/pull_laws.h"
#include "bristle/joint/sizes.h"

namespace bristle {

namespace {

/// The plans that a joint may have: ideal, driven in place of a length, and worn with the sizes that it may be given then.
std::vector<JointPlan> plans_of(const JointEntry& entry) {
  JointSizes sizes{.pin_radius = 1, .width = 1};
  std::vector<JointPlan> plans;
  plans.push_back(entry.plan(sizes));
  make_drivable(plans[0]);
  if (entry.worn == nullptr) return plans;
  sizes.clearance = 0.1;
  plans.push_back(entry.worn(sizes));
  sizes.length = 1, sizes.axial_clearance = 0.1;
  plans.push_back(entry.worn(sizes));
  return plans;
}

/// Adds a key that is not there yet.
void add_key(std::vector<Field>& fields, Field field) {
  const auto same = [&](const Field& f) { return f.key == field.key; };
  if (std::none_of(fields.begin(), fields.end(), same)) fields.push_back(std::move(field));
}

/// Keys of stops, in the units of the motion.
std::vector<Field> stop_keys(const RelationPlan& motion) {
  Describer keys;
  RotaryVisitor turned(keys);
  Stops{}.visit(motion.relation.rotary() ? static_cast<Visitor&>(turned) : keys);
  return keys.fields();
}

/// The key `stops`: of the only motion, or of each by name.
KindEntry stops_map(const JointEntry& entry) {
  KindEntry map;
  map.name = "stops";
  const std::vector<JointPlan> plans = plans_of(entry);
  for (const JointPlan& joint : plans) {
    if (joint.motions.size() == 1) {
      for (Field f : stop_keys(joint.motions[0])) {
        f.required = f.required && plans.size() == 1;
        add_key(map.fields, std::move(f));
      }
      continue;
    }
    for (const RelationPlan& m : joint.motions) {
      const std::size_t before = map.fields.size();
      add_key(map.fields, shaped_field(m.name, "none", "ends of its travel"));
      if (map.fields.size() > before) map.maps.push_back({m.name, "", stop_keys(m), "", ""});
    }
  }
  return map;
}

/// The key `drive`.
KindEntry drive_map(const JointEntry& entry, const DriveRegistry& known) {
  KindEntry map;
  map.name = "drive";
  for (const JointPlan& joint : plans_of(entry)) {
    for (Field& f : drive_keys(known, joint)) add_key(map.fields, std::move(f));
  }
  for (const DriveEntry& drive : known.all()) map.maps.insert(map.maps.end(), drive.maps.begin(), drive.maps.end());
  return map;
}

/// What may be driven.
std::string drive_text(const JointPlan& joint) {
  std::string text = "moves the joint by functions of t: ";
  for (const RelationPlan& m : joint.motions)
    text += std::string(&m == &joint.motions[0] ? "" : ", ") + m.name + " or " + rate_name(m);
  if (!joint.rates.empty()) text += ", angular_velocity_x|y|z, or orientation: [{z: \"2*t\"}, {x: 20 deg}]";
  return text;
}

KindEntry planned_kind(const JointEntry& entry) {
  const JointPlan joint = entry.plan(JointSizes{.pin_radius = 1, .width = 1});
  KindEntry kind;
  kind.name = entry.name;
  kind.summary = entry.summary;
  kind.page = entry.page;
  kind.fields = key_fields(PlannedKeys{entry});
  if (!joint.motions.empty()) kind.maps.push_back(stops_map(entry));
  const char* place = entry.two_axes         ? ", axis: x, second_axis: y"
                      : joint.needs_length   ? ", at_b: [1, 0, 0]"
                      : entry.between_points ? ""
                                             : ", axis: z";
  kind.example =
      "bodies:\n  arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.1, 0.1], position: [0.5, 0, 0]}\n"
      "joints:\n  link: {type: " +
      entry.name + ", between: [ground, arm], at: [0, 0, 0]" + place + (entry.has_lead ? ", lead: 5 mm" : "") + "}\n";
  return kind;
}

std::string worn_names() {
  std::string names;
  for (const JointEntry& e : joint_list()) {
    if (e.worn != nullptr) names += (names.empty() ? "" : ", ") + e.name;
  }
  return names;
}

}  // namespace

/// Sizes of a pin or slider; those that are among `before` are there already.
void PlannedKeys::visit_sizes(Keys& keys, const std::vector<std::string>& names, const std::vector<std::string>& before) {
  for (const std::string& name : names) {
    const SizeKey* key = find_size(name[0] == '!' ? name.substr(1) : name);
    if (key == nullptr) continue;  // preload
    const auto same = [&](const std::string& other) { return other == key->key || other == std::string("!") + key->key; };
    if (std::any_of(before.begin(), before.end(), same)) continue;
    if (key->flag != nullptr) {
      keys.flag(key->key, sizes.*key->flag, key->text);
      continue;
    }
    std::optional<double> given;
    keys.number(key->key, given, unit::metre, positive, "none", key->text);
    if (given) sizes.*key->length = *given;
  }
}

void PlannedKeys::visit(Keys& keys) {
  const JointPlan joint = entry.plan(JointSizes{.pin_radius = 1, .width = 1});
  JointEnds::Texts texts;
  if (joint.needs_length) texts.at_b = "where the joint is on B at the start, in the world";
  if (entry.two_axes) texts.second_axis = "the axis on B, square to the one on A; with a frame at one end: the axis at the other";
  ends.visit(keys, texts);
  if (joint.needs_length) {
    keys.number("length", length, unit::metre, positive, "as at the start", "the distance that is kept");
    keys.node(
        "drive", "", drive, "none",
        "an actuator, in place of length: {distance: \"0.5 + 0.1*sin(t)\"}, {velocity: 0.1 m/s}; or a turn of B, as in a free joint");
  }
  if (entry.has_lead) keys.required("lead", sizes.lead, unit::metre, any, "advance per turn");
  if (!joint.motions.empty()) {
    keys.node("drive", "", drive, "none", drive_text(joint).c_str());
    keys.node("stops", "", stops, "none", "ends of the travel: {lower: -1, upper: 1, stiffness: ..., damping: ...}");
  }
  if (!entry.sizes.empty()) {
    press.RubKeys::visit(keys, "none", "law of friction, loaded by what the joint carries");
    keys.number("preload", sizes.preload, unit::newton, non_negative, "0 N", "load beside what the joint carries");
    visit_sizes(keys, entry.sizes, {});
  }
  if (entry.worn != nullptr) {
    keys.number("clearance", clearance, unit::metre, positive, "none",
                "the joint is worn: radius of the hole less radius of the pin, or play to each side");
    keys.node("contact", "contact", press.contact, "none", "law of contact; clearance needs it");
    overlap.visit(keys);
    visit_sizes(keys, entry.worn_sizes, entry.sizes);
  }
}

ElementEntry joint_element(const JointEntry& joint) {
  ElementEntry entry{planned_kind(joint)};
  entry.acts_on = ElementEntry::ActsOn::bodies;
  entry.announce = [joint](Plan& plan, Reader& reader, const std::string& name) { add_planned_joint(plan, joint, reader, name); };
  entry.complete = [joint](KindEntry& shown, const Elements& elements) {
    const bool driven = std::any_of(shown.fields.begin(), shown.fields.end(), [](const Field& f) { return f.key == "drive"; });
    if (driven) shown.maps.push_back(drive_map(joint, elements.drives));
  };
  entry.look_over = [name = joint.name, rubs = !joint.sizes.empty(), wears = joint.worn != nullptr](const Reader& reader) {
    if (!rubs && reader.has("friction"))
      reader.fail("friction", "a " + name + " joint has no surface that rubs; leave friction out");
    if (!wears && reader.has("clearance"))
      reader.fail("clearance", "a " + name + " joint has no clearance; " + worn_names() + " can");
  };
  return entry;
}

}  // namespace bristle
