// Joints between bodies in space: what their plans hold, leave free and rub becomes rows and places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/joint_element.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/space_drives.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/joint/sizes.h"

namespace bristle {

namespace {

/// A joint that is being read.
struct JointInWork {
  Plan& plan;
  const JointEntry& entry;
  Reader& reader;
  const PlannedKeys& keys;
  const std::string& name;
  Marker A, B;
  bool rubs = false, worn = false;
  JointSizes sizes = {};
  JointPlan joint = {};
  std::vector<int> motion_rows = {};  ///< -1: the bodies cannot move that way
  std::vector<int> slots = {};        ///< of held rows in lambda, -1: it vanishes
};

/// A particle has neither an orientation nor an extent: a joint that gave it either would take moments from nowhere.
void check_particle_in(const Plan& plan, Reader& reader, const JointEntry& entry, const JointPlan& joint, const Marker& end,
                       bool first, bool rubs) {
  const BodyInfo& body = plan.layout.bodies[static_cast<std::size_t>(end.body)];
  if (!body.moves() || body.can_turn()) return;
  bool turns = false;
  for (const RelationPlan& held : joint.held) turns = turns || held.relation.rotary();
  const std::string who = "'" + body.name + "' is a particle";
  if (turns)
    reader.fail("between", who + ", which has no orientation that a " + entry.name +
                               " joint could hold; use spherical, point_on_line, point_in_plane or distance");
  if (first && !entry.between_points)
    reader.fail("between", who + ", which carries no axis; the first body of a " + entry.name + " joint must be another one");
  if (norm(end.s) > 1e-6)
    reader.fail("at", who + ", which has no extent: the joint must be where it starts, and is " +
                          fmt::format("{:.6g}", norm(end.s)) + " m away");
  for (const BearingPlan& b : joint.bearings) {
    if (rubs && (b.slip.empty() || b.slip[0].relation.rotary()))
      reader.fail("friction", who + ", which does not turn: nothing rubs in a " + entry.name + " joint");
  }
}

/// Keys that belong to a worn joint, at an ideal one, and the other way round.
void refuse_other_sizes(const JointInWork& j) {
  const auto listed = [](const std::vector<std::string>& sizes, const std::string& key) {
    return std::find(sizes.begin(), sizes.end(), key) != sizes.end() ||
           std::find(sizes.begin(), sizes.end(), "!" + key) != sizes.end();
  };
  const std::vector<std::string>&mine = j.worn ? j.entry.worn_sizes : j.entry.sizes,
        &others = j.worn ? j.entry.sizes : j.entry.worn_sizes;
  std::vector<std::string> keys;
  if (!j.worn && j.entry.worn != nullptr) keys = {"overlap", "acts_on"};
  for (const std::string& size : others) {
    const std::string key = size[0] == '!' ? size.substr(1) : size;
    if (key != "preload" && key != "length" && !listed(mine, key)) keys.push_back(key);
    if (key == "length" && !listed(mine, key) && !j.entry.plan({.pin_radius = 1, .width = 1}).needs_length) keys.push_back(key);
  }
  for (const std::string& key : keys) {
    if (!j.reader.has(key)) continue;
    j.reader.fail(
        key, j.worn ? key + " is of a joint without play: with clearance it has no meaning. Leave it out"
                    : key + " belongs to clearance, which this joint does not have. Give clearance and contact, or leave " + key +
                          " out");
  }
}

/// What friction and clearance need.
void take_sizes(JointInWork& j) {
  const Reader& reader = j.reader;
  if (!j.worn && j.keys.press.contact != nullptr)
    reader.fail("contact", "an ideal joint does not open; give it clearance, for example clearance: 0.1 mm");
  refuse_other_sizes(j);
  if (j.worn) {
    if (j.keys.press.contact == nullptr)
      reader.fail("clearance",
                  "clearance needs contact: how the surfaces press, for example contact: {type: hertz, stiffness: 1 GN/m^1.5}");
    if (reader.has("preload")) reader.fail("preload", "with clearance the load is that of the contact; leave preload out");
    j.sizes.clearance = *j.keys.clearance;
  }
  for (const std::string& size : j.worn ? j.entry.worn_sizes : j.entry.sizes) {
    if (size[0] != '!' || (!j.rubs && !j.worn) || reader.has(size.substr(1))) continue;
    const SizeKey* key = find_size(size.substr(1));
    reader.fail(j.worn ? "clearance" : "friction", (j.worn ? "clearance needs " : "friction needs ") + std::string(key->key) +
                                                       key->hint + ", for example " + key->key + ": 10 mm");
  }
  if (!j.rubs && !j.worn) j.sizes.pin_radius = j.sizes.width = 1;  // nothing rubs: no size matters
  j.sizes.planar = in_plane(j.plan, j.A, j.B);
  if (j.entry.has_lead && j.sizes.lead == 0) reader.fail("lead", "a screw of lead 0 does not advance; use a revolute joint");
}

/// As pictures show it.
void note_joint(JointInWork& j) {
  JointInfo info;
  info.name = j.name;
  info.type = j.entry.name;
  info.clearance = j.sizes.clearance;
  const Marker* markers[2] = {&j.A, &j.B};
  for (int k = 0; k < 2; ++k) {
    info.body[k] = markers[k]->body;
    const Quaternion p = quaternion_of(markers[k]->R);
    for (int i = 0; i < 3; ++i) info.frame[k][i] = markers[k]->s[i];
    for (std::size_t i = 0; i < 4; ++i) info.frame[k][3 + i] = p[i];
  }
  j.plan.layout.joints.push_back(info);
}

void add_motions(JointInWork& j) {
  for (const RelationPlan& m : j.joint.motions) {
    double value = 0;
    if (vanishes(j.plan, j.A, j.B, m, value)) {
      j.motion_rows.push_back(-1);
      continue;
    }
    const int known = j.plan.layout.rows.count();
    j.motion_rows.push_back(add_row(j.plan, j.A, j.B, m));
    if (j.motion_rows.back() == known) j.plan.shown_only.insert(known);
    offer_motion(j.plan, j.name, m, j.motion_rows.back());
  }
  if (j.sizes.planar && !j.motion_rows.empty() &&
      std::all_of(j.motion_rows.begin(), j.motion_rows.end(), [](int row) { return row < 0; })) {
    j.reader.fail(j.reader.has("axis") ? "axis" : "between",
                  "the bodies move in the plane x, y: a " + j.entry.name + " joint with this axis could not move at all. " +
                      (j.joint.motions[0].relation.rotary() ? "Turn its axis to z" : "Turn its axis into the plane"));
  }
  for (const SumPlan& coupled : j.joint.coupled) {
    for (const auto& [motion, factor] : coupled.motions) {
      if (j.motion_rows[static_cast<std::size_t>(motion)] >= 0) continue;
      j.reader.fail("between", "the bodies move in the plane x, y, where a " + j.entry.name + " joint cannot have its " +
                                   j.joint.motions[static_cast<std::size_t>(motion)].name +
                                   "; use rigid bodies, or a rack between an angle and a displacement");
    }
  }
}

/// A sum of motions as a row.
int add_sum(JointInWork& j, const SumPlan& s) {
  std::vector<int> rows;
  std::vector<double> factors;
  for (const auto& [motion, factor] : s.motions) {
    rows.push_back(j.motion_rows[static_cast<std::size_t>(motion)]);
    factors.push_back(factor);
  }
  return add_combination(j.plan, linear_rows(rows, factors));
}

/// What a held relation is kept at, when that is not zero.
std::optional<Target> held_length(JointInWork& j) {
  if (!j.joint.needs_length) return {};
  std::optional<double> length = j.keys.length;
  if (!length) {
    length = norm(start_frame(j.plan, j.B).p - start_frame(j.plan, j.A).p);
    if (!(*length > 1e-9)) j.reader.fail("length", "the two points coincide at the start: use a spherical joint, or give at_b");
  }
  return Target{BoundSignal(*length), -1, 0};
}

void hold_rows(JointInWork& j) {
  Plan& plan = j.plan;
  Reactions::Item reaction{j.A, j.B, {}, {}, {}};
  for (const RelationPlan& held : j.joint.held) {
    double value = 0;
    if (vanishes(plan, j.A, j.B, held, value)) {
      if (held.relation.kind == Relation::Kind::dot && std::abs(value) > 1e-9)
        j.reader.fail("axis", "the bodies move in the plane x, y: the axis of this joint does not fit into it");
      j.slots.push_back(-1);
      continue;
    }
    std::optional<Target> target = held_length(j);
    j.slots.push_back(static_cast<int>(plan.layout.held.size()));
    hold_row(plan, add_row(plan, j.A, j.B, held, std::move(target)), j.reader.owner(), held.name);
    plan.layout.held.back().length = !held.relation.rotary();
    reaction.held.push_back({held.relation, j.slots.back()});
    reaction.scale.push_back(1);
  }
  for (const SumPlan& coupled : j.joint.coupled) {
    j.slots.push_back(static_cast<int>(plan.layout.held.size()));
    hold_row(plan, add_sum(j, coupled), j.reader.owner(), coupled.name);
    for (const auto& [motion, factor] : coupled.motions) {
      reaction.held.push_back({j.joint.motions[static_cast<std::size_t>(motion)].relation, j.slots.back()});
      reaction.scale.push_back(factor);
    }
  }
  plan.space.reactions.push_back(std::move(reaction));
  plan.joint_names.push_back(j.name);
  for (const char* quantity : {"force", "moment"}) {
    for (const char* axis : {".x", ".y", ".z"}) plan.names.offer_samples(j.name, {quantity + std::string(axis)});
  }
}

/// With clearance: where it touches.
void add_touches(JointInWork& j) {
  Plan& plan = j.plan;
  for (std::size_t k = 0; k < j.joint.touches.size(); ++k) {
    const std::string which = j.joint.touches.size() == 1 ? j.name : j.name + "." + std::to_string(k + 1);
    add_touch(plan, j.reader, {j.keys.press, j.keys.overlap}, which, std::move(j.joint.touches[k]), j.A, j.B);
    for (const Touches::Point& p : plan.space.touches.back().points) {
      for (int row : {p.gap, p.slip[0], p.slip[1]}) {
        if (row >= 0) plan.space.reactions.back().pressed.push_back(row);
      }
    }
  }
}

/// Without clearance: where it rubs.
void add_bearings(JointInWork& j) {
  if (!j.rubs || j.worn) return;
  for (const BearingPlan& b : j.joint.bearings) {
    std::vector<int> rows;
    if (!b.path.motions.empty()) rows.push_back(add_sum(j, b.path));
    for (const RelationPlan& s : b.slip) {
      double value = 0;
      if (!vanishes(j.plan, j.A, j.B, s, value)) rows.push_back(add_row(j.plan, j.A, j.B, s));
    }
    if (!rows.empty()) add_bearing(j.plan, j.reader, j.keys.press, j.name, b, j.A, j.B, j.slots, rows);
  }
  j.plan.names.offer_samples(j.name, {"normal_force", "friction_force"});
}

}  // namespace

void add_planned_joint(Plan& plan, const JointEntry& entry, Reader& reader, const std::string& name) {
  const PlannedKeys keys = read_keys(reader, plan.scope, PlannedKeys{entry});
  const auto [A, B] = read_markers(plan, reader, keys.ends, entry.two_axes);
  JointInWork j{plan, entry, reader, keys, name, A, B, keys.press.friction != nullptr, keys.clearance.has_value(), keys.sizes};
  take_sizes(j);
  j.joint = j.worn ? entry.worn(j.sizes) : entry.plan(j.sizes);
  const Node* drive = keys.drive;
  if (j.joint.needs_length && drive != nullptr && (drive->find("distance") || drive->find("velocity"))) {
    if (keys.length) reader.fail("length", "the drive gives the distance; leave out length");
    make_drivable(j.joint);
  }
  for (const Marker* end : {&A, &B}) check_particle_in(plan, reader, entry, j.joint, *end, end == &A, j.rubs);
  note_joint(j);
  add_motions(j);  // first: other rows may be made of them
  hold_rows(j);
  add_drives(plan, reader, drive, name, j.joint, A, B);
  add_stops(plan, reader, keys.stops, name, j.joint, j.motion_rows, j.sizes.planar);
  for (Links::Item& item : plan.space.links) {  // nothing keeps its angles from where they have no meaning
    for (const Links::Row& r : item.rows) {
      if (!j.joint.rates.empty() && std::find(j.motion_rows.begin(), j.motion_rows.end(), r.row) != j.motion_rows.end())
        item.owner = reader.owner();
    }
  }
  add_touches(j);
  add_bearings(j);
  finish_rubbing(reader, keys.press);
}

}  // namespace bristle
