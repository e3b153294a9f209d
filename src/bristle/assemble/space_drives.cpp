// Drives and stops on the motions of joints.
#include <algorithm>

#include "bristle/assemble/drives.h"
#include "bristle/assemble/ends.h"
#include "bristle/assemble/keys.h"
#include "bristle/assemble/pull_lists.h"
#include "bristle/assemble/rotary.h"
#include "bristle/assemble/space_drives.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/base/text.h"
#include "bristle/joint/plan_parts.h"

namespace bristle {

namespace {
const char* const kOfTime = "a drive is a function of t; for control by channels use a load on the motion";

/// Why a motion of a joint can be neither driven nor stopped: its bodies do not have it.
std::string no_motion(const std::string& name, bool planar) {
  return planar ? "the bodies move in the plane x, y, where this joint leaves no motion '" + name + "'"
                : "particles do not turn: between these bodies the joint has no motion '" + name + "'";
}
}  // namespace

void make_drivable(JointPlan& joint) {
  if (!joint.needs_length) return;
  joint.motions = joint.held;
  joint.held.clear();
  joint.needs_length = false;
}

void hold_drive(Plan& plan, int row, const std::string& full, const std::string& owner, const std::string& what, bool rotary) {
  plan.drive_channels.push_back({full + ".force", rotary ? "N m" : "N", "force or torque of the drive along its motion"});
  plan.drive_slots.push_back(static_cast<int>(plan.layout.held.size()));
  plan.names.offer_samples(full, {"force"});
  hold_row(plan, row, owner, "drive of " + what, plan.numbers.account(full, Account::Kind::supplied));
}

namespace {

void visit_given(Keys& keys, const RelationPlan& m, const std::string& key, bool by_rate, Signal& value) {
  const bool rotary = m.relation.rotary();
  const Unit& unit = by_rate ? (rotary ? unit::radian_per_second : unit::metre_per_second) : (rotary ? unit::one : unit::metre);
  keys.signal(key.c_str(), value, unit, "none", by_rate ? "speed of the drive" : "motion of the drive");
}
Field given(const RelationPlan& m, const std::string& key, bool by_rate) {
  KeyDescriber d;
  Signal none;
  visit_given(d, m, key, by_rate, none);
  return d.fields[0];
}

std::vector<Field> motion_keys(const JointPlan& joint) {
  std::vector<Field> keys;
  for (const RelationPlan& m : joint.motions) {
    keys.push_back(given(m, m.name, false));
    keys.push_back(given(m, rate_name(m), true));
  }
  return keys;
}
std::vector<Field> rate_keys(const JointPlan& joint) {
  std::vector<Field> keys;
  for (const RelationPlan& m : joint.rates) keys.push_back(given(m, m.name, true));
  return keys;
}
Field turns_field() {
  return shaped_field("orientation", "none", "turns one after the other, each an axis and its angle: [{z: \"2*t\"}, {x: 20 deg}]",
                      "turns");
}
std::vector<Field> course_keys(const JointPlan& joint) {
  if (joint.rates.empty()) return {};
  return {turns_field()};
}

void drive_one(Plan& plan, Reader& drive, const DrivenJoint& joint, const RelationPlan& m, const std::string& key, bool by_rate) {
  const auto& [name, owner, unused, A, B, alone] = joint;
  const bool rotary = m.relation.rotary(), holonomic = m.relation.holonomic();
  double kept = 0;
  if (vanishes(plan, A, B, m, kept)) drive.fail(key, no_motion(m.name, in_plane(plan, A, B)) + " to drive");
  Signal signal;
  KeyReader keys(drive, plan.scope);
  visit_given(keys, m, key, by_rate, signal);
  if (!signal.depends_on_time_only()) drive.fail(key, kOfTime);
  Target target;
  target.position = plan.names.bind(signal, name, drive.owner(), by_rate ? Names::Gives::value : Names::Gives::position);
  if (by_rate && holonomic) target.memory = plan.numbers.memory(name + ".drive");
  const int memory = target.memory;
  double first = 0, rate_then = 0, more = 0;
  if (!by_rate) target.position.motion(0, first, rate_then, more);
  const int row = add_row(plan, A, B, m, std::move(target));
  // an angle that is driven counts its turns from where the drive starts
  const auto shown = plan.space.motions.find(name + "." + m.name);
  for (Links::Item& item : plan.space.links) {
    for (Links::Row& r : item.rows) {
      if (r.mark >= 0 && (r.row == row || (shown != plan.space.motions.end() && r.row == shown->second.row))) r.start = first;
    }
  }
  hold_drive(plan, row, name + (alone ? ".drive" : std::string(".drive_") + m.name), owner, m.name, rotary);
  plan.layout.held.back().holonomic = holonomic;
  if (memory >= 0) {
    plan.space.speed_memory.push_back(memory);
    plan.space.speed_rows.push_back(row);
  }
}

void add_motion(Plan& plan, Reader& drive, const DrivenJoint& joint, const std::string& key) {
  for (const RelationPlan& m : joint.plan.motions) {
    const std::string position = m.name, rate = rate_name(m);
    if (key != position && key != rate) continue;
    if (drive.has(position) && drive.has(rate)) drive.fail(rate, "give " + position + " or " + rate + ", not both");
    drive_one(plan, drive, joint, m, key, key == rate);
  }
}
void add_rate(Plan& plan, Reader& drive, const DrivenJoint& joint, const std::string& key) {
  for (const RelationPlan& m : joint.plan.rates) {
    if (key == m.name) drive_one(plan, drive, joint, m, key, true);
  }
}

/// B follows a frame that turns on A: three rows that vanish together, wherever it is.
void add_course(Plan& plan, Reader& drive, const DrivenJoint& joint, const std::string& key) {
  const auto& [name, joint_owner, unused, A, B, alone] = joint;
  const std::string owner = joint_owner + ": drive: orientation";
  const auto refuse = [&](const std::string& turn) {
    if (drive.has(turn)) drive.fail(turn, key + " drives every turn of the joint; leave out " + turn);
  };
  for (const RelationPlan& m : joint.plan.motions) {
    if (m.relation.rotary()) refuse(m.name), refuse(rate_name(m));
  }
  for (const RelationPlan& m : joint.plan.rates) refuse(m.name);
  const Node& node = *drive.optional_child(key.c_str());
  if (!node.is_list() || node.size() == 0)
    throw InputError(node.where, owner + " is a list of turns, one after the other, for example [{z: \"2*t\"}, {x: 20 deg}]");
  if (in_plane(plan, A, B))
    throw InputError(node.where, owner + ": the bodies move in the plane x, y, where a single angle says all; drive that");
  for (const Marker* end : {&A, &B}) {
    const BodyInfo& body = plan.layout.bodies[static_cast<std::size_t>(end->body)];
    if (body.moves() && !body.can_turn())
      throw InputError(node.where, owner + ": '" + body.name + "' is a particle, which has none");
  }
  Course course;
  for (std::size_t k = 0; k < node.size(); ++k) {
    const Node& turn = node[k];
    const int axis = turn.is_map() && turn.size() == 1 ? static_cast<int>(std::string("xyz").find(turn.children[0].first)) : -1;
    if (axis < 0 || axis > 2 || turn.children[0].first.size() != 1)
      throw InputError(turn.where, owner + ": a turn is an axis and its angle, for example {z: \"2*t\"}; the axes are x, y, z");
    Reader inner(turn, plan.scope, {owner, {}});
    Signal angle;
    inner.signal(turn.children[0].first.c_str(), angle, unit::one, "angle of the turn");
    if (!angle.depends_on_time_only()) inner.fail(turn.children[0].first, kOfTime);
    course.turns.push_back({axis, plan.names.bind(angle, name, owner, Names::Gives::position)});
  }
  plan.space.links.push_back({A, B, {}});
  plan.space.links.back().course = std::move(course);
  for (int k = 0; k < 3; ++k) {
    Links::Row row;
    row.relation = {Relation::Kind::turn, k, 0};
    row.row = plan.numbers.row(A, B);
    plan.space.links.back().rows.push_back(row);
    const std::string axis(1, "xyz"[k]);
    hold_drive(plan, row.row, name + ".drive_turn_" + axis, joint_owner, "orientation about " + axis, true);
  }
}

/// An arm that is driven, for examples.
std::string driven_arm(const char* joint, const char* drive) {
  return std::string("bodies:\n  arm: {type: rigid, mass: 1 kg, inertia: [0.01, 0.1, 0.1]}\n") +
         "joints:\n  link: {type: " + joint + ", between: [ground, arm], at: [0, 0, 0], drive: " + drive + "}\n";
}

}  // namespace

void add_drives(DriveRegistry& r) {
  r.add({{"motion",
          "a motion of a joint, by position or by speed",
          {shaped_field("<motion>", "none", "angle, displacement, x, ...: what the joint leaves free, as a function of t"),
           shaped_field("<rate>", "none", "speed, velocity, velocity_x, ...: its rate, instead")},
          driven_arm("revolute", "{angle: \"0.5*sin(3*t)\"}"),
          "The names are those of the channels of the joint: its page says which motions it leaves.\n"},
         motion_keys,
         add_motion});
  const std::vector<RelationPlan> spins = plan_parts::spins();
  std::vector<Field> rates;
  for (const RelationPlan& m : spins) rates.push_back(given(m, m.name, true));
  r.add({{"rate", "an angular velocity, where a joint leaves all three turns free", rates,
          driven_arm("spherical", "{angular_velocity_z: 2}"), "Of B relative to A, in the axes of A.\n"},
         rate_keys,
         add_rate});
  r.add({{"orientation",
          "all three turns, as rotations one after the other",
          {turns_field()},
          driven_arm("spherical", "{orientation: [{z: \"2*t\"}, {x: 20 deg}]}"),
          "The first turn is about an axis of A, every other about an axis that the ones before have turned.\n"},
         course_keys,
         add_course});
}

std::vector<Field> drive_keys(const DriveRegistry& known, const JointPlan& joint) {
  std::vector<Field> keys;
  for (const DriveEntry& entry : known.all()) keys = joined(std::move(keys), entry.keys(joint));
  return keys;
}

void add_drives(Plan& plan, const Reader& reader, const Node* drive, const std::string& name, const JointPlan& joint,
                const Marker& A, const Marker& B) {
  if (drive == nullptr) return;
  std::vector<std::string> known;
  for (const Field& f : drive_keys(plan.elements.drives, joint)) known.push_back(f.key);
  const std::string keys = join_words(std::vector<std::string_view>(known.begin(), known.end()));
  if (!drive->is_map() || drive->size() == 0) reader.fail("drive", "drive is a map of one of: " + keys);
  const std::string owner = reader.owner();
  Reader inner(*drive, plan.scope, {owner + ": drive", {}});
  for (const auto& [key, value] : drive->children) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string hint = did_you_mean(key, known);
    throw InputError(drive->where_of_key(key), inner.owner() + ": this joint has no motion '" + shortened(key) + "'." +
                                                   (hint.empty() ? " It has: " + keys : hint));
  }
  const DrivenJoint driven{name, owner, joint, A, B, drive->size() == 1};
  for (const DriveEntry& entry : plan.elements.drives.all()) {
    for (const Field& f : entry.keys(joint)) {
      if (inner.has(f.key)) entry.add(plan, inner, driven, f.key);
    }
  }
  inner.finish();
}

void add_stops(Plan& plan, const Reader& reader, const Node* stops, const std::string& name, const JointPlan& joint,
               const std::vector<int>& rows, bool planar) {
  if (stops == nullptr) return;
  if (!stops->is_map()) reader.fail("stops", "stops is a map, for example {lower: 0, upper: 0.1 m, stiffness: 1 MN/m}");
  const bool several = joint.motions.size() > 1 && stops->size() > 1;
  const auto add = [&](const Node& node, std::size_t k) {
    const std::string motion = joint.motions[k].name;
    if (rows[k] < 0) throw InputError(node.where, reader.owner() + ": stops: " + no_motion(motion, planar) + " to stop");
    use_row(plan, rows[k]);
    Reader inner(node, plan.scope, {reader.owner() + ": stops", {}});
    Stops law;
    const bool rotary = joint.motions[k].relation.rotary();
    if (rotary) {
      RotaryVisitor turned(inner);
      law.visit(turned);
    } else {
      law.visit(inner);
    }
    inner.finish();
    if (!law.problem().empty()) inner.fail("upper", law.problem());
    const std::string full = name + (several ? ".stops_" + motion : ".stops");
    plan.list<PullLists>().stops.add(law, {full, RowMeasure{rows[k]}, rotary},
                                     plan.numbers.account(full, Account::Kind::dissipated));
  };
  if (joint.motions.size() == 1) {
    add(*stops, 0);
    return;
  }
  for (const auto& [key, node] : stops->children) {
    std::vector<std::string> known;
    bool found = false;
    for (std::size_t k = 0; k < joint.motions.size(); ++k) {
      known.push_back(joint.motions[k].name);
      if (key != known.back()) continue;
      add(node, k);
      found = true;
    }
    if (!found)
      throw InputError(stops->where_of_key(key),
                       reader.owner() + ": stops: this joint has no motion '" + shortened(key) + "'." + known_names(key, known));
  }
}

}  // namespace bristle
