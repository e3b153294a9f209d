#include "bristle/assemble/force_kinds.h"

#include "bristle/assemble/ends.h"
#include "bristle/assemble/space_rows.h"

namespace bristle {

namespace {
const char* const kComponents[] = {"x", "y", "z"};
}  // namespace

void add_forces(ElementRegistry& r) {
  for (const PullEntry& law : pull_registry().all()) add_pull_force(r, law);
  r.add(load_force());
  r.add(bushing_force());
  r.add(vector_force());
  r.add(torque_force());
  r.add(line_load_force());
  r.add(drag_force());
}

void announce_reach(Plan& plan, Reader& reader, const std::string& name) {
  using Kind = Signal::Input::Kind;
  const Reach where_to = reach(plan, reader, read_keys<ForceEnds>(reader, plan.scope));
  const std::vector<Span>& span = where_to.spans;
  if (span.empty()) {
    plan.names.offer(name + ".extension", Kind::row, {{where_to.row, 1.0}});
    plan.names.offer(name + ".rate", Kind::row_rate, {{where_to.row, 1.0}});
  }
  for (std::size_t d = 0; d < span.size(); ++d) {
    const std::string suffix = span.size() > 1 ? "." + std::to_string(d + 1) : "";
    plan.names.offer(name + ".extension" + suffix, Kind::position, span[d].terms);
    plan.names.offer(name + ".rate" + suffix, Kind::velocity, span[d].terms);
  }
  plan.names.offer_samples(name, {"force"});
}

void PointKeys::visit(Keys& keys) {
  keys.node("on", "point", on, "",
            "where it acts: a body, a frame of it (arm.tip), or {body: arm, at: [x, y, z]} in the body's frame");
  keys.vector("at", at, unit::metre, "the body's frame", "where it acts on a body at the start, in the world");
}

Marker moving_point(const Plan& plan, const Reader& reader, const Node& on, const char* key, const std::optional<Vec3<>>& at) {
  if (plan.layout.bodies.empty() || !in_space(plan, on)) read_end(plan, on, reader.owner());  // says what is wrong
  const Marker point = read_point(plan, reader, on, key, at);
  if (point.body == 0) reader.fail("on", "the ground does not move; name a body");
  return point;
}

Marker PointKeys::point(const Plan& plan, const Reader& reader) const { return moving_point(plan, reader, *on, "at", at); }

void visit_axes(Keys& keys, Axes& axes, const char* text) { keys.choice_of("frame", axes, {"world", "body"}, text); }

std::array<Signal, 3> read_signals(const Reader& reader, const char* key, const Node& list, const Unit& unit, const Scope& scope,
                                   bool flat) {
  std::array<Signal, 3> signals{Signal(0.0), Signal(0.0), Signal(0.0)};
  if (!list.is_list() || list.size() < (flat ? 2 : 3) || list.size() > 3)
    reader.fail(key, std::string(key) + " takes three numbers or expressions, for example [0, 0, \"5*sin(t)\"]" +
                         (list.is_list() ? ", got " + std::to_string(list.size()) : ""));
  Node holder = Node::map();
  for (std::size_t k = 0; k < list.size(); ++k) holder.set(kComponents[k], list[k]);
  Reader inner(holder, scope, {reader.owner() + ": " + key, {}});
  for (std::size_t k = 0; k < list.size(); ++k) inner.signal(kComponents[k], signals[k], unit, "component");
  inner.finish();
  return signals;
}

std::array<int, 3> point_rows(Plan& plan, const Marker& point, Relation::Kind kind) {
  std::array<int, 3> rows{};
  for (int k = 0; k < 3; ++k) rows[static_cast<std::size_t>(k)] = add_row(plan, Marker{}, point, {{kind, k, 0}, ""});
  return rows;
}

void check_flat(const Plan& plan, const Reader& reader, const Marker& point, bool torque, const char* key,
                const std::array<Signal, 3>& components) {
  const BodyInfo& body = plan.layout.bodies[static_cast<std::size_t>(point.body)];
  if (!body.flat()) return;
  for (std::size_t k = 0; k < 3; ++k) {
    const bool moves = (k == 2) == torque;
    if (!moves && !(components[k].is_constant() && components[k].constant() == 0))
      reader.fail(key, "'" + body.name + "' moves in the plane x, y: its component " + kComponents[k] + " must be 0");
  }
}

void offer_vector(Plan& plan, const std::string& name, const std::string& quantity) {
  for (const char* axis : kComponents) plan.names.offer_samples(name, {quantity + "." + axis});
}

void vector_channels(Plan& plan, const std::string& name, const char* unit, const char* text) {
  for (const char* axis : kComponents) plan.channel(name + "." + axis, unit, text);
}

}  // namespace bristle
