// Drives and stops on the motions of joints.
#include <algorithm>

#include "bristle/assemble/ends.h"
#include "bristle/assemble/pull_lists.h"
#include "bristle/assemble/rotary.h"
#include "bristle/assemble/space_drives.h"
#include "bristle/assemble/space_rows.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {
const char* const kOfTime = "a drive is a function of t; for control by channels use a load on the motion";

/// Why a motion of a joint can be neither driven nor stopped: its bodies do not have it.
std::string no_motion(const std::string& name, bool planar) {
  return planar ? "the bodies move in the plane x, y, where this joint leaves no motion '" + name + "'"
                : "particles do not turn: between these bodies the joint has no motion '" + name + "'";
}
}  // namespace

void make_drivable(Reader& reader, JointPlan& joint) {
  const Node* drive = reader.node().find("drive");
  if (!joint.needs_length || drive == nullptr || (!drive->find("distance") && !drive->find("velocity"))) return;
  if (reader.has("length")) reader.fail("length", "the drive gives the distance; leave out length");
  joint.motions = joint.held;
  joint.held.clear();
  joint.needs_length = false;
}

namespace {

void hold_drive(Plan& plan, int row, const std::string& full, const std::string& owner, const std::string& what, bool rotary) {
  plan.drive_channels.push_back({full + ".force", rotary ? "N m" : "N", "force or torque of the drive along its motion"});
  plan.drive_slots.push_back(static_cast<int>(plan.layout.held.size()));
  plan.names.offer_samples(full, {"force"});
  hold_row(plan, row, owner, "drive of " + what, plan.numbers.account(full, Account::Kind::supplied));
}

/// B follows a frame that turns on A: three rows that vanish together, wherever it is.
void add_course(Plan& plan, const Node& node, Reader& reader, const std::string& name, const Marker& A, const Marker& B) {
  const std::string owner = reader.owner() + ": drive: orientation";
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
    course.turns.push_back({axis, plan.names.bind(angle, owner, true)});
  }
  plan.space.links.push_back({A, B, {}});
  plan.space.links.back().course = std::move(course);
  for (int k = 0; k < 3; ++k) {
    Links::Row row;
    row.relation = {Relation::Kind::turn, k, 0};
    row.row = plan.numbers.row(A, B);
    plan.space.links.back().rows.push_back(row);
    const std::string axis(1, "xyz"[k]);
    hold_drive(plan, row.row, name + ".drive_turn_" + axis, reader.owner(), "orientation about " + axis, true);
  }
}

}  // namespace

void add_drives(Plan& plan, Reader& reader, const std::string& name, const JointPlan& joint, const Marker& A, const Marker& B) {
  const Node* drive = reader.optional_child("drive");
  if (drive == nullptr) return;
  std::vector<std::string> known;
  for (const RelationPlan& m : joint.motions) known.insert(known.end(), {m.name, rate_name(m.name)});
  for (const RelationPlan& m : joint.rates) known.push_back(m.name);
  if (!joint.rates.empty()) known.push_back("orientation");
  std::string keys;
  for (const std::string& key : known) keys += (keys.empty() ? "" : ", ") + key;
  if (!drive->is_map() || drive->size() == 0) reader.fail("drive", "drive is a map of one of: " + keys);
  Reader inner(*drive, plan.scope, {reader.owner() + ": drive", {}});
  for (const auto& [key, value] : drive->children) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string hint = did_you_mean(key, known);
    throw InputError(drive->where_of_key(key), inner.owner() + ": this joint has no motion '" + shortened(key) + "'." +
                                                   (hint.empty() ? " It has: " + keys : hint));
  }
  const auto one = [&](const RelationPlan& m, const std::string& key, bool by_rate) {
    const bool rotary = m.relation.rotary(), holonomic = m.relation.holonomic();
    if (rotary && inner.has("orientation")) inner.fail(key, "orientation drives every turn of the joint; leave out " + key);
    double kept = 0;
    if (vanishes(plan, A, B, m, kept)) inner.fail(key, no_motion(m.name, in_plane(plan, A, B)) + " to drive");
    Signal signal;
    if (by_rate)
      inner.signal(key.c_str(), signal, rotary ? unit::radian_per_second : unit::metre_per_second, "speed of the drive");
    else inner.signal(key.c_str(), signal, rotary ? unit::one : unit::metre, "motion of the drive");
    if (!signal.depends_on_time_only()) inner.fail(key, kOfTime);
    Target target;
    target.position = plan.names.bind(signal, inner.owner(), !by_rate);
    if (by_rate && holonomic) {
      target.memory = plan.numbers.memory(name + ".drive");
    }
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
    hold_drive(plan, row, name + (drive->size() > 1 ? std::string(".drive_") + m.name : ".drive"), reader.owner(), m.name,
               rotary);
    plan.layout.held.back().holonomic = holonomic;
    if (memory >= 0) {
      plan.space.speed_memory.push_back(memory);
      plan.space.speed_rows.push_back(row);
    }
  };
  for (const RelationPlan& m : joint.motions) {
    const std::string position = m.name, rate = rate_name(m.name);
    if (inner.has(position) && inner.has(rate)) inner.fail(rate, "give " + position + " or " + rate + ", not both");
    if (inner.has(position) || inner.has(rate)) one(m, inner.has(rate) ? rate : position, inner.has(rate));
  }
  for (const RelationPlan& m : joint.rates) {
    if (inner.has(m.name)) one(m, m.name, true);
  }
  if (inner.has("orientation")) add_course(plan, *inner.optional_child("orientation"), reader, name, A, B);
  inner.finish();
}

void add_stops(Plan& plan, Reader& reader, const std::string& name, const JointPlan& joint, const std::vector<int>& rows,
               bool planar) {
  const Node* stops = reader.optional_child("stops");
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
                                     law.damped() ? plan.numbers.account(full, Account::Kind::dissipated) : -1);
  };
  if (joint.motions.size() == 1) {
    add(*stops, 0);
    return;
  }
  for (const auto& [key, node] : stops->children) {
    bool found = false;
    for (std::size_t k = 0; k < joint.motions.size(); ++k) {
      if (key != joint.motions[k].name) continue;
      add(node, k);
      found = true;
    }
    if (!found) throw InputError(node.where, reader.owner() + ": stops: this joint has no motion '" + key + "'");
  }
}

}  // namespace bristle
