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

struct ForceKeys {
  static constexpr const char* kKey = "force";
  PointKeys where;
  const Node* components = nullptr;
  Axes axes = Axes::world;
  void visit(Keys& keys) {
    where.visit(keys);
    keys.node(kKey, "vector", components, "", "components [x, y, z] [N]");
    visit_axes(keys, axes, kTurning);
  }
};

struct TorqueKeys {
  static constexpr const char* kKey = "torque";
  PointKeys where;
  const Node* components = nullptr;
  Axes axes = Axes::world;
  void visit(Keys& keys) {
    keys.node("on", "point", where.on, "", "the body, or a frame of it when its axes matter");
    keys.node(kKey, "vector", components, "", "components [x, y, z] [N m]");
    visit_axes(keys, axes, kTurning);
  }
};

KindEntry force_kind() {
  return {"force", "a force at a point of a body, by expressions of time and channels", key_fields<ForceKeys>(),
          std::string(kPushedArm) + "forces:\n  jet: {type: force, on: arm.tip, force: [0, \"5*sin(3*t)\", 0], frame: body}\n",
          "Supplies energy: power = force times velocity of the point. Channels: force.x|y|z as they are given.\n"};
}

KindEntry torque_kind() {
  return {"torque", "a torque on a body, by expressions of time and channels", key_fields<TorqueKeys>(),
          std::string(kPushedArm) + "forces:\n  motor: {type: torque, on: arm, torque: [0, 0, \"0.2 - 0.1*t\"]}\n",
          "Supplies energy: power = torque times angular velocity. A torque about a joint is a load on its motion.\n"
          "Channels: torque.x|y|z as they are given.\n"};
}

template <class K>
void add_vector(Plan& plan, Reader& reader, const std::string& name) {
  constexpr bool torque = std::is_same_v<K, TorqueKeys>;
  const K keys = read_keys<K>(reader, plan.scope);
  const Marker point = keys.where.point(plan, reader);
  const BodyInfo& body = plan.layout.bodies[static_cast<std::size_t>(point.body)];
  if (torque && !body.can_turn()) reader.fail("on", "'" + body.name + "' is a particle and cannot turn");
  const bool world = keys.axes == Axes::world;
  using Kind = Relation::Kind;
  const Kind kind = torque ? (world ? Kind::spin : Kind::spin_b) : world ? Kind::along : Kind::push_b;
  VectorLoads::Item item;
  item.row = point_rows(plan, point, kind);
  const std::array<Signal, 3> signals = read_signals(
      reader, K::kKey, *keys.components, torque ? unit::newton_metre : unit::newton, plan.scope, body.flat() && !torque);
  reader.finish({"type"});
  check_flat(plan, reader, point, torque, K::kKey, signals);
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

template <class K>
ElementEntry vector_entry(KindEntry kind) {
  ElementEntry entry{std::move(kind)};
  entry.announce = [](Plan& plan, Reader&, const std::string& name) { offer_vector(plan, name, K::kKey); };
  entry.add = add_vector<K>;
  entry.make = make_vectors;
  return entry;
}

}  // namespace

ElementEntry vector_force() { return vector_entry<ForceKeys>(force_kind()); }
ElementEntry torque_force() { return vector_entry<TorqueKeys>(torque_kind()); }

}  // namespace bristle
