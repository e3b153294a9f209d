// Forces and torques on a body, by expressions.
#include "bristle/assemble/force_kinds.h"
#include "bristle/assemble/plan.h"
#include "bristle/force/vector_load.h"

namespace bristle {

namespace {

const char* const kTurning = "axes of the components: they stay, or turn with the body (a frame: with its own axes)";

/// Forces and torques, in the order of the model.
struct VectorItems {
  std::vector<VectorLoads::Item> items;
  std::vector<std::pair<std::string, bool>> names;  // and whether it is a torque
};

KindEntry force_kind() {
  return {"force", "a force at a point of a body, by expressions of time and channels",
          joined(point_fields(), {shaped_field("force", "", "components [x, y, z] [N]", "vector"), axes_field(kTurning)}),
          std::string(kPushedArm) + "forces:\n  jet: {type: force, on: arm.tip, force: [0, \"5*sin(3*t)\", 0], frame: body}\n",
          "Supplies energy: power = force times velocity of the point. Channels: force.x|y|z as they are given.\n"};
}

KindEntry torque_kind() {
  return {"torque",
          "a torque on a body, by expressions of time and channels",
          {shaped_field("on", "", "the body, or a frame of it when its axes matter", "point"),
           shaped_field("torque", "", "components [x, y, z] [N m]", "vector"), axes_field(kTurning)},
          std::string(kPushedArm) + "forces:\n  motor: {type: torque, on: arm, torque: [0, 0, \"0.2 - 0.1*t\"]}\n",
          "Supplies energy: power = torque times angular velocity. A torque about a joint is a load on its motion.\n"
          "Channels: torque.x|y|z as they are given.\n"};
}

void add_vector(Plan& plan, Reader& reader, const std::string& name, bool torque) {
  const char* key = torque ? "torque" : "force";
  const Marker point = read_moving_point(plan, reader, torque ? "" : "at");
  const BodyInfo& body = plan.layout.bodies[static_cast<std::size_t>(point.body)];
  if (torque && !body.can_turn()) reader.fail("on", "'" + body.name + "' is a particle and cannot turn");
  int frame = 0;
  reader.choice("frame", frame, {"world", "body"}, "axes of the components");
  using Kind = Relation::Kind;
  const Kind kind = torque ? (frame == 0 ? Kind::spin : Kind::spin_b) : frame == 0 ? Kind::along : Kind::push_b;
  VectorLoads::Item item;
  item.row = point_rows(plan, point, kind);
  const std::array<Signal, 3> signals =
      read_signals(reader, key, torque ? unit::newton_metre : unit::newton, plan.scope, body.flat() && !torque);
  reader.finish({"type"});
  check_flat(plan, reader, point, torque, key, signals);
  for (std::size_t k = 0; k < 3; ++k) item.force[k] = plan.names.bind(signals[k], name, reader.owner());
  item.account = plan.numbers.account(name, Account::Kind::supplied);
  auto& list = plan.list<VectorItems>();
  list.items.push_back(std::move(item));
  list.names.push_back({name, torque});
}

void make_vectors(Plan& plan) {
  auto& list = plan.list<VectorItems>();
  if (list.items.empty()) return;
  for (const auto& [name, torque] : list.names)
    vector_channels(plan, name + (torque ? ".torque" : ".force"), torque ? "N m" : "N", "component as it is given");
  plan.blocks.push_back(std::make_unique<VectorLoads>(std::move(list.items)));
  list = {};
}

ElementEntry vector_entry(KindEntry kind, bool torque) {
  ElementEntry entry{std::move(kind)};
  entry.announce = [torque](Plan& plan, Reader&, const std::string& name) {
    offer_vector(plan, name, torque ? "torque" : "force");
  };
  entry.add = [torque](Plan& plan, Reader& reader, const std::string& name) { add_vector(plan, reader, name, torque); };
  entry.make = make_vectors;
  return entry;
}

}  // namespace

ElementEntry vector_force() { return vector_entry(force_kind(), false); }
ElementEntry torque_force() { return vector_entry(torque_kind(), true); }

}  // namespace bristle
