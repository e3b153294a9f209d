// Drives and stops on the motions of joints.
#include <algorithm>

#include "bristle/assemble/builder.h"
#include "bristle/assemble/rotary.h"
#include "bristle/base/text.h"

namespace bristle {

namespace {
constexpr Unit kRate{"rad/s", {0, 0, -1, 0}};

/// Why a motion of a joint between planar bodies can be neither driven nor stopped.
std::string no_motion(const std::string& name) {
  return "the bodies move in the plane x, y, where this joint leaves no motion '" + name + "'";
}
}  // namespace

void make_drivable(Reader& reader, JointPlan& plan) {
  if (!plan.needs_length) return;
  if (reader.has("length")) reader.fail("length", "the drive gives the distance; leave out length");
  plan.motions = plan.held;
  plan.held.clear();
  plan.needs_length = false;
}

void Builder::add_drives(Reader& reader, const std::string& name, const JointPlan& plan, const Marker& A, const Marker& B) {
  const Node* drive = reader.optional_child("drive");
  if (drive == nullptr) return;
  std::string keys;
  for (const RelationPlan& m : plan.motions) keys += (keys.empty() ? "" : ", ") + std::string(m.name) + ", " + rate_name(m.name);
  if (!drive->is_map() || drive->size() == 0) reader.fail("drive", "drive is a map of one of: " + keys);
  Reader inner(*drive, scope_, {reader.owner() + ": drive", {}});
  std::vector<std::string> known;
  for (const RelationPlan& m : plan.motions) known.insert(known.end(), {m.name, rate_name(m.name)});
  for (const auto& [key, value] : drive->children) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string hint = did_you_mean(key, known);
    throw InputError(drive->where_of_key(key), inner.owner() + ": this joint has no motion '" + shortened(key) + "'." +
                                                   (hint.empty() ? " It has: " + keys : hint));
  }
  for (const RelationPlan& m : plan.motions) {
    const std::string position = m.name, rate = rate_name(m.name);
    if (inner.has(position) && inner.has(rate)) inner.fail(rate, "give " + position + " or " + rate + ", not both");
    if (!inner.has(position) && !inner.has(rate)) continue;
    const bool by_rate = inner.has(rate), rotary = m.relation.rotary();
    double kept = 0;
    if (vanishes(A, B, m, kept)) inner.fail(by_rate ? rate : position, no_motion(position) + " to drive");
    Signal signal;
    if (by_rate) inner.signal(rate.c_str(), signal, rotary ? kRate : unit::metre_per_second, "speed of the drive");
    else inner.signal(position.c_str(), signal, rotary ? unit::one : unit::metre, "motion of the drive");
    if (!signal.depends_on_time_only())
      inner.fail(by_rate ? rate : position, "a drive is a function of t; for control by channels use a load on the motion");
    Target target;
    target.position = bind(signal, inner.owner());
    if (by_rate) {
      target.memory = layout_.sizes.z++;
      layout_.memory.push_back(name + ".drive");
    }
    const int memory = target.memory;
    double first = 0, rate_then = 0, more = 0;
    if (!by_rate) target.position.motion(0, first, rate_then, more);
    const int row = add_row(A, B, m, std::move(target));
    // an angle that is driven counts its turns from where the drive starts
    const auto shown = space_.motions.find(name + "." + m.name);
    for (Links::Item& item : space_.links) {
      for (Links::Row& r : item.rows) {
        if (r.mark >= 0 && (r.row == row || (shown != space_.motions.end() && r.row == shown->second.row))) r.start = first;
      }
    }
    const std::string full = name + (drive->size() > 1 ? ".drive_" + position : ".drive");
    drive_channels_.push_back({full + ".force", rotary ? "N m" : "N", "force or torque of the drive along its motion"});
    drive_slots_.push_back(static_cast<int>(layout_.held.size()));
    offer_samples(full, {"force"});
    hold_row(row, reader.owner(), "drive of " + position, account(full, Account::Kind::supplied));
    if (by_rate) {
      space_.speed_memory.push_back(memory);
      space_.speed_rows.push_back(row);
    }
  }
  inner.finish();
}

void Builder::add_stops(Reader& reader, const std::string& name, const JointPlan& plan, const std::vector<int>& rows) {
  const Node* stops = reader.optional_child("stops");
  if (stops == nullptr) return;
  if (!stops->is_map()) reader.fail("stops", "stops is a map, for example {lower: 0, upper: 0.1 m, stiffness: 1 MN/m}");
  const bool several = plan.motions.size() > 1 && stops->size() > 1;
  const auto add = [&](const Node& node, std::size_t k) {
    const std::string motion = plan.motions[k].name;
    if (rows[k] < 0) throw InputError(node.where, reader.owner() + ": stops: " + no_motion(motion) + " to stop");
    Reader inner(node, scope_, {reader.owner() + ": stops", {}});
    Stops law;
    const bool rotary = plan.motions[k].relation.rotary();
    if (rotary) {
      RotaryVisitor turned(inner);
      law.visit(turned);
    } else {
      law.visit(inner);
    }
    inner.finish();
    if (!law.problem().empty()) inner.fail("upper", law.problem());
    const std::string full = name + (several ? ".stops_" + motion : ".stops");
    parts_.stops.row.push_back({RowMeasure{rows[k]}, law, law.damped() ? account(full, Account::Kind::dissipated) : -1});
    parts_.stops.row_names.push_back({full, rotary});
  };
  if (plan.motions.size() == 1) {
    add(*stops, 0);
    return;
  }
  for (const auto& [key, node] : stops->children) {
    bool found = false;
    for (std::size_t k = 0; k < plan.motions.size(); ++k) {
      if (key != plan.motions[k].name) continue;
      add(node, k);
      found = true;
    }
    if (!found) throw InputError(node.where, reader.owner() + ": stops: this joint has no motion '" + key + "'");
  }
}

}  // namespace bristle
