// Joints between bodies in space: what their plans hold, leave free and rub becomes rows and places.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/places.h"
#include "bristle/assemble/sections.h"
#include "bristle/assemble/space_contacts.h"
#include "bristle/assemble/space_drives.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {

double& size_of(JointSizes& s, const std::string& key) {
  if (key == "pin_radius") return s.pin_radius;
  if (key == "friction_arm") return s.friction_arm;
  if (key == "bending_arm") return s.bending_arm;
  if (key == "width") return s.width;
  if (key == "height") return s.height;
  if (key == "axial_clearance") return s.axial_clearance;
  if (key == "plate_radius") return s.plate_radius;
  return s.length;
}
const char* size_hint(const std::string& key) {
  return key == "width" ? ": the width of the slider" : key == "pin_radius" ? ": the radius at which the joint rubs" : "";
}
std::string worn_names() {
  std::string names;
  for (const JointEntry& e : joint_list()) {
    if (e.worn != nullptr) names += (names.empty() ? "" : ", ") + e.name;
  }
  return names;
}

bool is_coupling(const std::string& type) {
  return type == "gear" || type == "rack" || type == "constraint" || type == "backlash";
}

/// Channels of joint motions.
class MotionOutputs final : public Block {
 public:
  explicit MotionOutputs(std::vector<int> rows) : rows_(std::move(rows)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return 2 * static_cast<int>(rows_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (int r : rows_) {
      *out++ = e.row_value[r];
      *out++ = e.row_rate[r];
    }
  }

 private:
  std::vector<int> rows_;
};

/// Channels of what drives of joints give.
class DriveOutputs final : public Block {
 public:
  explicit DriveOutputs(std::vector<int> slots) : slots_(std::move(slots)) {}
  unsigned roles() const override { return 0; }
  int output_count() const override { return static_cast<int>(slots_.size()); }
  void calc_outputs(const Eval& e, double* out) const override {
    for (int k : slots_) *out++ = -e.lambda[k];
  }

 private:
  std::vector<int> slots_;  // in lambda
};

}  // namespace

namespace {

/// A particle has neither an orientation nor an extent: a joint that gave it either would take moments from nowhere.
void check_particle_in(const Plan& plan, Reader& reader, const std::string& type, const JointPlan& joint, const Marker& end,
                       bool first, bool rubs) {
  const BodyInfo& body = plan.layout.bodies[static_cast<std::size_t>(end.body)];
  if (!body.moves() || body.can_turn()) return;
  bool turns = false;
  for (const RelationPlan& held : joint.held) turns = turns || held.relation.rotary();
  const std::string who = "'" + body.name + "' is a particle";
  if (turns)
    reader.fail("between", who + ", which has no orientation that a " + type +
                               " joint could hold; use spherical, point_on_line, point_in_plane or distance");
  if (first && type != "spherical" && type != "distance")
    reader.fail("between", who + ", which carries no axis; the first body of a " + type + " joint must be another one");
  if (norm(end.s) > 1e-6)
    reader.fail("at", who + ", which has no extent: the joint must be where it starts, and is " +
                          fmt::format("{:.6g}", norm(end.s)) + " m away");
  for (const BearingPlan& b : joint.bearings) {
    if (rubs && (b.slip.empty() || b.slip[0].relation.rotary()))
      reader.fail("friction", who + ", which does not turn: nothing rubs in a " + type + " joint");
  }
}

void add_joint(Plan& plan, const JointEntry& entry, Reader& reader, const std::string& name) {
  const std::string owner = reader.owner();
  const auto [A, B] = read_markers(plan, reader, entry.two_axes);
  JointSizes sizes;
  sizes.preload = reader.node().find("preload") ? reader.optional_number("preload", unit::newton, non_negative).value_or(0) : 0;
  const bool rubs = reader.has("friction"), worn = reader.has("clearance");
  if (!worn && reader.has("contact"))
    reader.fail("contact", "an ideal joint does not open; give it clearance, for example clearance: 0.1 mm");
  if (worn) {
    if (!reader.has("contact"))
      reader.fail("clearance",
                  "clearance needs contact: how the surfaces press, for example contact: {type: hertz, stiffness: 1 GN/m^1.5}");
    if (reader.has("preload")) reader.fail("preload", "with clearance the load is that of the contact; leave preload out");
    sizes.clearance = reader.number("clearance", unit::metre, positive, "radius of the hole less radius of the pin");
  }
  for (std::string key : worn ? entry.worn_sizes : entry.sizes) {
    const bool needed = key[0] == '!';
    if (needed) key.erase(0, 1);
    if (key == "preload") continue;
    if (key == "outer") {
      reader.flag("outer", sizes.outer, "the slider runs around its guide");
      continue;
    }
    if (key == "moment_load") {
      reader.flag("moment_load", sizes.moment_load, "moments press on the faces of the slider");
      continue;
    }
    const auto given = reader.optional_number(key, unit::metre, positive);
    if (given) size_of(sizes, key) = *given;
    if ((rubs || worn) && needed && !given)
      reader.fail(worn ? "clearance" : "friction",
                  (worn ? "clearance needs " : "friction needs ") + key + size_hint(key) + ", for example " + key + ": 10 mm");
  }
  if (!rubs && !worn) sizes.pin_radius = sizes.width = 1;  // nothing rubs: no size matters
  sizes.planar = in_plane(plan, A, B);
  if (entry.has_lead) {
    sizes.lead = reader.number("lead", unit::metre, any, "advance per turn");
    if (sizes.lead == 0) reader.fail("lead", "a screw of lead 0 does not advance; use a revolute joint");
  }
  JointPlan joint = worn ? entry.worn(sizes) : entry.plan(sizes);
  if (reader.has("drive")) make_drivable(reader, joint);
  for (const Marker* end : {&A, &B}) check_particle_in(plan, reader, entry.name, joint, *end, end == &A, rubs);

  JointInfo info;
  info.name = name;
  info.type = entry.name;
  info.clearance = sizes.clearance;
  const Marker* markers[2] = {&A, &B};
  for (int k = 0; k < 2; ++k) {
    info.body[k] = markers[k]->body;
    const Quaternion p = quaternion_of(markers[k]->R);
    for (int i = 0; i < 3; ++i) info.frame[k][i] = markers[k]->s[i];
    for (std::size_t i = 0; i < 4; ++i) info.frame[k][3 + i] = p[i];
  }
  plan.layout.joints.push_back(info);

  // motions first: other rows may be made of them
  std::vector<int> motion_rows;
  for (const RelationPlan& m : joint.motions) {
    double value = 0;
    if (vanishes(plan, A, B, m, value)) {
      motion_rows.push_back(-1);
      continue;
    }
    const int known = plan.layout.rows.count();
    motion_rows.push_back(add_row(plan, A, B, m));
    if (motion_rows.back() == known) plan.shown_only.insert(known);
    offer_motion(plan, name, m, motion_rows.back());
  }
  if (in_plane(plan, A, B) && !motion_rows.empty() &&
      std::all_of(motion_rows.begin(), motion_rows.end(), [](int row) { return row < 0; })) {
    reader.fail(reader.has("axis") ? "axis" : "between",
                "the bodies move in the plane x, y: a " + entry.name + " joint with this axis could not move at all. " +
                    (joint.motions[0].relation.rotary() ? "Turn its axis to z" : "Turn its axis into the plane"));
  }
  for (const SumPlan& coupled : joint.coupled) {
    for (const auto& [motion, factor] : coupled.motions) {
      if (motion_rows[static_cast<std::size_t>(motion)] >= 0) continue;
      reader.fail("between", "the bodies move in the plane x, y, where a " + entry.name + " joint cannot have its " +
                                 joint.motions[static_cast<std::size_t>(motion)].name +
                                 "; use rigid bodies, or a rack between an angle and a displacement");
    }
  }
  Reactions::Item reaction{A, B, {}, {}, {}};
  std::vector<int> slots;
  for (const RelationPlan& held : joint.held) {
    double value = 0;
    if (vanishes(plan, A, B, held, value)) {
      if (held.relation.kind == Relation::Kind::dot && std::abs(value) > 1e-9)
        reader.fail("axis", "the bodies move in the plane x, y: the axis of this joint does not fit into it");
      slots.push_back(-1);
      continue;
    }
    std::optional<Target> target;
    if (joint.needs_length) {
      std::optional<double> length = reader.optional_number("length", unit::metre, positive);
      if (!length) {
        length = norm(start_frame(plan, B).p - start_frame(plan, A).p);
        if (!(*length > 1e-9)) reader.fail("length", "the two points coincide at the start: use a spherical joint, or give at_b");
      }
      target = Target{BoundSignal(*length), -1, 0};
    }
    slots.push_back(static_cast<int>(plan.layout.held.size()));
    hold_row(plan, add_row(plan, A, B, held, std::move(target)), owner, held.name);
    plan.layout.held.back().length = !held.relation.rotary();
    reaction.held.push_back({held.relation, slots.back()});
    reaction.scale.push_back(1);
  }
  const auto sum = [&](const SumPlan& s) {
    std::vector<int> rows;
    std::vector<double> factors;
    for (const auto& [motion, factor] : s.motions) {
      rows.push_back(motion_rows[static_cast<std::size_t>(motion)]);
      factors.push_back(factor);
    }
    return add_combination(plan, linear_rows(rows, factors));
  };
  for (const SumPlan& coupled : joint.coupled) {
    slots.push_back(static_cast<int>(plan.layout.held.size()));
    hold_row(plan, sum(coupled), owner, coupled.name);
    for (const auto& [motion, factor] : coupled.motions) {
      reaction.held.push_back({joint.motions[static_cast<std::size_t>(motion)].relation, slots.back()});
      reaction.scale.push_back(factor);
    }
  }
  plan.space.reactions.push_back(std::move(reaction));
  plan.joint_names.push_back(name);
  for (const char* quantity : {"force", "moment"}) {
    for (const char* axis : {".x", ".y", ".z"}) {
      plan.names.offer_samples(name, {quantity + std::string(axis)});
    }
  }
  add_drives(plan, reader, name, joint, A, B);
  add_stops(plan, reader, name, joint, motion_rows, sizes.planar);
  for (Links::Item& item : plan.space.links) {  // nothing keeps its angles from where they have no meaning
    for (const Links::Row& r : item.rows) {
      if (!joint.rates.empty() && std::find(motion_rows.begin(), motion_rows.end(), r.row) != motion_rows.end())
        item.owner = owner;
    }
  }
  for (std::size_t k = 0; k < joint.touches.size(); ++k) {
    const std::string which = joint.touches.size() == 1 ? name : name + "." + std::to_string(k + 1);
    add_touch(plan, reader, which, std::move(joint.touches[k]), A, B);
    for (const Touches::Point& p : plan.space.touches.back().points) {
      for (int row : {p.gap, p.slip[0], p.slip[1]}) {
        if (row >= 0) plan.space.reactions.back().pressed.push_back(row);
      }
    }
  }
  if (rubs && !worn) {
    for (const BearingPlan& b : joint.bearings) {
      std::vector<int> rows;
      if (!b.path.motions.empty()) rows.push_back(sum(b.path));
      for (const RelationPlan& s : b.slip) {
        double value = 0;
        if (!vanishes(plan, A, B, s, value)) rows.push_back(add_row(plan, A, B, s));
      }
      if (!rows.empty()) add_bearing(plan, reader, name, b, A, B, slots, rows);
    }
    plan.names.offer_samples(name, {"normal_force", "friction_force"});
  }
  reader.finish({"type", "smoothing", "friction", "contact"});
}

void add_coupling(Plan& plan, const std::string& type, Reader& reader, const std::string& name) {
  const std::string owner = reader.owner();
  if (type == "backlash") {
    add_backlash(plan, reader, name);
    return;
  }
  if (type == "constraint") {
    Signal zero;
    if (!reader.has("zero")) reader.fail("zero", "a constraint needs zero: an expression that is kept at zero");
    reader.signal("zero", zero, unit::one, "expression that is kept at zero");
    reader.finish();
    const BoundSignal bound = plan.names.bind(zero, owner);
    bool by_time = false;  // then its reaction does work
    for (const auto& r : bound.readings()) {
      using Kind = Signal::Input::Kind;
      by_time = by_time || r.kind == Kind::time;
      if (r.kind != Kind::row && r.kind != Kind::position && r.kind != Kind::time)
        reader.fail("zero",
                    "a constraint may read motions of joints, positions of bodies and t, but no speeds, forces or states");
    }
    if (Combinations::columns(bound, plan.layout.rows).empty()) reader.fail("zero", "the expression reads nothing that moves");
    hold_row(plan, add_combination(plan, bound, true), owner, "expression",
             by_time ? plan.numbers.account(name, Account::Kind::supplied) : -1);
    return;
  }
  const std::vector<std::string> names = reader.names("between", "motions of two joints");
  if (names.size() != 2)
    reader.fail("between", "between takes the motions of two joints, for example [input.angle, output.angle]");
  RowOf motion[2];
  for (std::size_t k = 0; k < 2; ++k) motion[k] = find_motion(plan, reader, "between", names[k]);
  double factor = 0, offset = 0;
  if (type == "gear") {
    if (!motion[0].rotary || !motion[1].rotary)
      reader.fail("between", "a gear couples two angles; for an angle and a displacement use a rack");
    factor = reader.number("ratio", unit::one, any, "turns of the second per turn of the first");
    offset = reader.optional_number("offset", unit::one).value_or(0);
  } else {
    if (!motion[0].rotary || motion[1].rotary)
      reader.fail("between", "a rack couples an angle and a displacement, in this order");
    factor = reader.number("radius", unit::metre, any, "radius of the pinion");
    offset = reader.optional_number("offset", unit::metre).value_or(0);
  }
  if (reader.has("clearance")) {
    add_play(plan, reader, name, {motion[1].row, motion[0].row}, {1, -factor}, offset, motion[1].rotary);
    return;
  }
  reader.finish();
  hold_row(plan, add_combination(plan, linear_rows({motion[1].row, motion[0].row}, {1, -factor}, offset)), owner, "coupling");
}

}  // namespace

void read_space_joints(Plan& plan) {
  for (bool couplings : {false, true}) {
    plan.each("joints", "joint", [&](const std::string& name, const Where& where, Reader& reader) {
      plan.space.places[reader.owner()] = where;
      const Node* word = reader.node().find("type");
      for (const JointEntry& entry : joint_list()) {
        if (word != nullptr && word->text == entry.name && entry.sizes.empty() && reader.has("friction"))
          reader.fail("friction", "a " + entry.name + " joint has no surface that rubs; leave friction out");
        if (word != nullptr && word->text == entry.name && entry.worn == nullptr && reader.has("clearance"))
          reader.fail("clearance", "a " + entry.name + " joint has no clearance; " + worn_names() + " can");
      }
      const std::string& type = read_kind(reader, "joint").name;
      if (type == "sliding" || is_coupling(type) != couplings) return;
      plan.names.claim(name, where, "joint");
      if (couplings) {
        add_coupling(plan, type, reader, name);
        return;
      }
      if (type == "contact" || type == "sleeve" || type == "rolling") {
        type == "contact"  ? add_contact(plan, reader, name)
        : type == "sleeve" ? add_sleeve(plan, reader, name)
                           : add_rolling(plan, reader, name);
        return;
      }
      for (const JointEntry& entry : joint_list()) {
        if (entry.name == type) add_joint(plan, entry, reader, name);
      }
    });
  }
  if (!plan.motion_rows.empty()) plan.blocks.push_back(std::make_unique<MotionOutputs>(plan.motion_rows));
  if (!plan.drive_slots.empty()) {
    for (const Channel& c : plan.drive_channels) plan.channel(c.name, c.unit, c.text);
    plan.blocks.push_back(std::make_unique<DriveOutputs>(plan.drive_slots));
  }
}

void make_reactions(Plan& plan) {
  if (!plan.space.reactions.empty()) {
    for (const std::string& name : plan.joint_names) {
      for (const char* axis : {"x", "y", "z"})
        plan.channel(name + ".force." + axis, "N", "reaction on B at the joint, world axes");
      for (const char* axis : {"x", "y", "z"})
        plan.channel(name + ".moment." + axis, "N m", "reaction on B about the joint, world axes");
    }
    plan.blocks.push_back(std::make_unique<Reactions>(std::move(plan.space.reactions), plan.layout.bodies));
  }
  if (plan.space.axes.empty()) return;
  for (const ContactAxes::Item& it : plan.space.axes) {
    for (const char* axis : {"x", "y", "z"})
      plan.channel(it.name + ".normal." + axis, "1", "direction in which B moves when the gap grows, world axes");
    for (const char* axis : {"x", "y", "z"})
      plan.channel(it.name + ".tangent." + axis, "1",
                   "direction of the first slip component, world axes; the second is normal x tangent");
  }
  plan.blocks.push_back(std::make_unique<ContactAxes>(std::move(plan.space.axes), plan.layout.bodies));
}

}  // namespace bristle
